# Run: stripe trace pipeline.py --check 'stdout:/^alert/'
# Generators run in turns: the slice follows a single record through every stage and leaves the others out.
LOG = """\
10:01 web 120
10:02 db 45
10:03 web 95
# restarted
10:04 web 2300
10:05 db 50
10:06 mail 15
"""


def lines(text):
    for line in text.splitlines():
        if line.startswith("#"):
            continue
        yield line


def records(rows):
    for row in rows:
        time, service, took = row.split()
        yield {"time": time, "service": service, "ms": int(took)}


def slower(entries, limit):
    seen = 0
    for entry in entries:
        seen += 1
        if entry["ms"] > limit:
            yield entry
    print("seen ", seen)


def numbered(entries):
    number = 0
    for entry in entries:
        number += 1
        yield number, entry


slow = slower(records(lines(LOG)), 100)
for number, entry in numbered(slow):
    if entry["ms"] > 1000:
        print("alert", entry["service"], entry["time"])
    else:
        print("slow ", number, entry["service"])
