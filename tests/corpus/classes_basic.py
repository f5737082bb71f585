class Animal:
    kingdom = "animalia"
    count = 0
    _registry = []

    def __init__(self, name, sound="..."):
        self.name = name
        self.sound = sound
        Animal.count += 1
        self._registry.append(self)

    def speak(self):
        return f"{self.name} says {self.sound}"

    def __repr__(self):
        return f"{type(self).__name__}({self.name!r})"

class Dog(Animal):
    def __init__(self, name, tricks=()):
        super().__init__(name, "woof")
        self.tricks = list(tricks)

    def speak(self):
        return super().speak() + "!" * len(self.tricks)

class Puppy(Dog):
    sound_level = "tiny"
    def speak(self): return Dog.speak(self).lower()

animals = [Animal("Generic"), Dog("Rex", ["sit", "roll"]), Puppy("Bit")]
for a in animals:
    print(a, a.speak(), a.kingdom)
print(Animal.count, Animal._registry)
Dog.kingdom = "dogs"
animals[2].kingdom = "own"
print([a.kingdom for a in animals])
print(isinstance(animals[2], Dog), Puppy.__mro__[1:3], Puppy.__bases__[0].__name__)
bound = animals[1].speak
animals[1].name = "Max"
print(bound(), hasattr(animals[0], "tricks"), getattr(animals[0], "tricks", "none"))
