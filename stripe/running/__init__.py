"""Commands of the user's, run one at a time in a place of their own."""
