import tempfile, json, csv
from pathlib import Path

with tempfile.TemporaryDirectory() as name:
    root = Path(name)
    (root / "sub").mkdir()
    (root / "sub" / "data.json").write_text(json.dumps({"b": [1, 2], "a": None}, sort_keys=True))
    with open(root / "table.csv", "w", newline="") as f:
        writer = csv.writer(f)
        writer.writerow(["name", "qty"])
        for row in [("nut", 3), ("bolt, long", 4)]:
            writer.writerow(row)
    for path in sorted(root.rglob("*")):
        print(path.relative_to(root), path.is_dir())
    print(json.loads((root / "sub/data.json").read_text()))
    with open(root / "table.csv", newline="") as f:
        for record in csv.DictReader(f):
            print(record["name"], int(record["qty"]) * 2)
print(root.exists())
