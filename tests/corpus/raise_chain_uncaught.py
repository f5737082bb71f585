# exit: 1
class ConfigError(Exception):
    pass

def parse(text):
    key, value = text.split("=")
    return key, int(value)

def load(lines):
    settings = {}
    for number, line in enumerate(lines, 1):
        try:
            key, value = parse(line)
        except ValueError as error:
            raise ConfigError(f"line {number}: {line!r}") from error
        settings[key] = value
        print("set", key, value)
    return settings

load(["a=1", "b=2", "c=three", "d=4"])
