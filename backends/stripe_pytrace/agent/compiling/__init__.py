"""From the source to the code that runs: sites where statements begin, and what they may do."""
