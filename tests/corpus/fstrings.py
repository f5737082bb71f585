name, n, width = "Ada", 3.14159, 8
print(f"{name!r:>{width}}|{n:.2f}|{n:{width}.{1+1}}|{name:^{len(name) + 4}}|")
print(f"{'nested ' + f'{n:.1f} {f"{name.lower()}"}'}")
print(f"{name=} {n + 1 = :.1f} {{literal}} {'a' if n > 3 else 'b'}")
print(f"{", ".join(f"{k}={v}" for k, v in {"x": 1, "y": 2}.items())}")
print(f"""multi {
    name
    # comments are allowed now
} line {
    [i for i in range(3)]}""")
def noisy(x): print("eval", x); return x
print(f"{noisy(1)}-{noisy(2)}" f"{noisy(3)}" "plain" rf"\n{noisy(4)}")
print(f"{(lambda x: x * 2)(4)} {(y := 7)} {y} {noisy('a')!s:>3}")
print(f"{name:{'>' if n else '<'}{noisy(6)}}", f'{"\n".join(["p", "q"])}')
try:
    f"{1 / 0}"
except ZeroDivisionError as e:
    print(f"{type(e).__name__}")
