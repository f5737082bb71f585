# stdin: the quick brown fox\njumps over the dog\n\nthe end
import sys
counts = {}
for number, line in enumerate(sys.stdin, 1):
    words = line.split()
    if not words:
        print("blank line", number)
        continue
    for word in words:
        counts[word] = counts.get(word, 0) + 1
for word, n in sorted(counts.items(), key=lambda p: (-p[1], p[0]))[:3]:
    print(f"{word:>6} {'*' * n}")
print(repr(sys.stdin.read()), file=sys.stderr)
