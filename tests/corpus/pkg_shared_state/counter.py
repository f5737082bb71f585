value = 0
def bump(by=1):
    global value
    value += by
    return value
class Singleton:
    _it = None
    def __new__(cls):
        if cls._it is None:
            print("creating")
            cls._it = super().__new__(cls)
        return cls._it
