from importlib.resources import files
TEMPLATE = files("texts").joinpath("hello.txt").read_text(encoding="utf-8")
def render(name): return TEMPLATE.strip().format(name=name)
