"""What runs inside the user's interpreter.  Imports the standard library only."""
