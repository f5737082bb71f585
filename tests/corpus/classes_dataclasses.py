from dataclasses import dataclass, field, replace, asdict, FrozenInstanceError

@dataclass(order=True)
class Version:
    major: int
    minor: int = 0
    tags: list = field(default_factory=list, compare=False)
    label: str = field(init=False, default="")

    def __post_init__(self):
        self.label = f"v{self.major}.{self.minor}"

@dataclass(frozen=True, slots=True)
class Key:
    name: str
    n: int = 1

@dataclass
class Release(Version):
    codename: str = "none"
    def __str__(self): return f"{self.label} ({self.codename})"

versions = [Version(3, 1), Version(2, 9), Version(3)]
print(sorted(versions))
print(Version(1) == Version(1, tags=["x"]), max(versions).label)
k = Key("a")
try:
    k.name = "b"
except FrozenInstanceError as e:
    print("frozen", e)
print(replace(k, n=5), {k: 1}[Key("a")], asdict(Version(1, 2, ["t"])))
print(Release(1, codename="fox"), repr(Release(2)))
