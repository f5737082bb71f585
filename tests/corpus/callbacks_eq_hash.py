class Key:
    def __init__(self, name, bucket): self.name, self.bucket = name, bucket
    def __hash__(self):
        print("hash", self.name)
        return self.bucket
    def __eq__(self, other):
        print("eq", self.name, getattr(other, "name", other))
        if not isinstance(other, Key):
            return NotImplemented
        return self.name == other.name
    def __repr__(self): return self.name

d = {Key("a", 1): "first"}
d[Key("b", 1)] = "second"
d[Key("a", 1)] = "replaced"
print(d, Key("b", 1) in d, d.get(Key("zz", 9)))
print(Key("a", 1) == "a", [Key("x", 1)].index(Key("x", 2)))
s = {Key("p", 1), Key("p", 1)}
print(len(s), [1, Key("q", 1)].count(Key("q", 5)))
