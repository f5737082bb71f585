def read(text):
    for number, line in enumerate(text.split("\n"), 1):
        print("read", number)
        yield number, line

def strip_comments(lines):
    for number, line in lines:
        line = line.partition("#")[0].strip()
        if not line:
            continue
        yield number, line

def parse(lines):
    for number, line in lines:
        key, sep, value = line.partition("=")
        if not sep:
            print("skip line", number)
            continue
        yield key.strip(), int(value)

def take(n, items):
    if n <= 0: return
    for i, item in enumerate(items, 1):
        yield item
        if i >= n: return

source = "a = 1\n# note\nb=2 # two\nbroken\nc = 3\nd = 4"
for pair in take(3, parse(strip_comments(read(source)))):
    print(pair)
total = sum(v for _, v in parse(strip_comments(read(source))))
print(total)
