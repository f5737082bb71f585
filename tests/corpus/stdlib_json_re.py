import json, re
text = '{"users": [{"name": "Ann", "tags": ["x"]}, {"name": "Bob", "age": 3.5, "ok": true}], "n": null}'
doc = json.loads(text, object_pairs_hook=lambda pairs: (print(len(pairs), "pairs"), dict(pairs))[1])
for user in doc["users"]:
    print(user.get("name"), user.get("age", "-"))
class Encoder(json.JSONEncoder):
    def default(self, o):
        print("default", type(o).__name__)
        return sorted(o) if isinstance(o, set) else super().default(o)
print(json.dumps({"s": {3, 1, 2}}, cls=Encoder))
try:
    json.loads('{"a": }')
except json.JSONDecodeError as e:
    print(e.msg, e.pos)
log = "2024-01-02 ERROR db: lost\n2024-01-03 INFO ok\n2024-02-04 ERROR net: down"
pattern = re.compile(r"(?P<date>[\d-]+) (?P<level>[A-Z]+) (?P<rest>.*)")
for m in pattern.finditer(log):
    if m["level"] == "ERROR":
        print(m.groupdict()["rest"], m.span())
print(re.sub(r"(\d+)-(\d+)-(\d+)", r"\3.\2.\1", log.splitlines()[0]), re.split(r"[,;]\s*", "a, b;c"))
