"""What can be left out of a text: lines, tokens, trees; and how to cut it there."""
