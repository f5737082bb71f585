def read(tokens):
    token = tokens.pop(0)
    if token == "(":
        out = []
        while tokens[0] != ")": out.append(read(tokens))
        tokens.pop(0)
        return out
    try: return int(token)
    except ValueError: return token
class Env(dict):
    def __init__(self, names=(), values=(), outer=None): super().__init__(zip(names, values)); self.outer = outer
    def find(self, name):
        if name in self: return self
        if self.outer is None: raise NameError(name)
        return self.outer.find(name)
def evaluate(x, env):
    if isinstance(x, str): return env.find(x)[x]
    if not isinstance(x, list): return x
    match x:
        case ["define", name, value]: env[name] = evaluate(value, env)
        case ["if", test, yes, no]: return evaluate(yes if evaluate(test, env) else no, env)
        case ["lambda", names, body]: return lambda *args: evaluate(body, Env(names, args, env))
        case [f, *args]:
            f = evaluate(f, env)
            return f(*[evaluate(a, env) for a in args])
import operator as op
top = Env(outer=Env(["+", "-", "*", "<", "list"], [op.add, op.sub, op.mul, op.lt, lambda *a: list(a)]))
for line in ["(define fact (lambda (n) (if (< n 2) 1 (* n (fact (- n 1))))))", "(fact 6)", "(define twice (lambda (f) (lambda (x) (f (f x)))))",
             "((twice (lambda (x) (* x 3))) 7)", "(list 1 (+ 2 3) (fact 3))", "(missing 1)"]:
    try: result = evaluate(read(line.replace("(", " ( ").replace(")", " ) ").split()), top)
    except NameError as e: result = f"error: {e}"
    if result is not None: print(result)
