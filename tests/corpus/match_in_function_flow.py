def evaluate(node, env):
    match node:
        case int() | float():
            return node
        case str(name):
            try:
                return env[name]
            except KeyError:
                raise NameError(name) from None
        case ("let", name, value, body):
            return evaluate(body, {**env, name: evaluate(value, env)})
        case ("+" | "*" as op, *args):
            values = [evaluate(a, env) for a in args]
            if op == "+":
                return sum(values)
            result = 1
            for v in values:
                result *= v
            return result
        case ("if", test, yes, no):
            return evaluate(yes if evaluate(test, env) else no, env)
    raise SyntaxError(f"bad node {node!r}")

program = ("let", "x", ("+", 1, 2), ("if", "x", ("*", "x", "x", 2), 0))
print(evaluate(program, {}))
for bad in ("y", ("-", 1, 2)):
    try:
        print(evaluate(bad, {"x": 1}))
    except (NameError, SyntaxError) as e:
        print(type(e).__name__, e)
