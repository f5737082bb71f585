# Run: stripe trace read_file.py --check 'stdout:/^warmest/'
# Input from a file: out of all the lines read, the slice keeps the ones that decide the answer.
stations = {}
skipped = 0
total = 0.0
count = 0

with open("readings.txt", encoding="utf-8") as file:
    for line in file:
        line = line.strip()
        if not line or line.startswith("#"):
            skipped += 1
            continue
        station, hour, degrees = line.split(",")
        value = float(degrees)
        total += value
        count += 1
        stations.setdefault(station, []).append((value, hour))

warmest = None
for station in sorted(stations):
    value, hour = max(stations[station])
    print(f"{station:<8} {value:5.1f} at {hour}")
    if warmest is None or value > warmest[0]:
        warmest = (value, station, hour)

print(f"mean {total / count:.2f} of {count}, {skipped} lines skipped")
print("warmest", *warmest)
