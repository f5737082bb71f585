# evaluation order of targets, values, arguments and subscripts
trail = []

def t(x):
    trail.append(x)
    return x

def show(label):
    print(label, trail)
    trail.clear()

d = {}
d[t("key")] = t("value")
show("subscript")
d[t("k1")], d[t("k2")] = t("v1"), t("v2")
show("tuple")
t(1) + t(2) * t(3) - t(4)
show("operators")
t(1) < t(2) < t(0) < t(9)
show("chain")
t("yes") if t(0) else t("no")
show("conditional")
print({t("a"): t(1), t("b"): t(2)})
show("dict")
(lambda *a, **k: None)(t(1), *[t(2)], x=t(3), **{"y": t(4)})
show("call")
t(0) or t(1) and t(0) or t(5)
show("bool")
