class Celsius:
    def __init__(self, degrees): self._degrees = degrees; self.reads = 0
    @property
    def degrees(self):
        self.reads += 1
        return self._degrees
    @degrees.setter
    def degrees(self, value):
        if value < -273.15:
            raise ValueError("too cold")
        print("set", value)
        self._degrees = value
    @degrees.deleter
    def degrees(self):
        print("reset")
        self._degrees = 0
    @property
    def fahrenheit(self): return self.degrees * 9 / 5 + 32
    @classmethod
    def from_fahrenheit(cls, f): return cls((f - 32) * 5 / 9)
    @staticmethod
    def freezing(): return 0

c = Celsius(20)
c.degrees += 5
print(c.degrees, c.fahrenheit, c.reads)
del c.degrees
print(c.degrees)
try:
    c.degrees = -300
except ValueError as e:
    print(e)
try:
    c.fahrenheit = 3
except AttributeError as e:
    print("no setter" in str(e))
print(round(Celsius.from_fahrenheit(212).degrees), Celsius.freezing(), c.freezing())
class Kelvin(Celsius):
    @property
    def degrees(self): return super().degrees + 273
print(Kelvin(0).degrees)
