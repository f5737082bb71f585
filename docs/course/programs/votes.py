# Counts the votes, one name a line, and says who has the most.
import sys

votes = {}
for line in sys.stdin:
    name = line.strip()
    votes[name] = votes.get(name, 0) + 1
best = max(votes, key=votes.get)
print("votes", sum(votes.values()))
print("winner", best, "with", votes[best])
