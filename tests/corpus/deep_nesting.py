class C:
    def __enter__(self): return self
    def __exit__(self, *a): return False
hits = []
for a in range(2):
    if a >= 0:
        while True:
            try:
                with C() as c:
                    for b in "xy":
                        if b == "x":
                            try:
                                for d in range(3):
                                    if d == 1:
                                        continue
                                    elif d == 2:
                                        if a:
                                            raise KeyError((a, b, d))
                                        break
                                    else:
                                        while d < 5:
                                            d += 2
                                            with C():
                                                if d > 3:
                                                    hits.append((a, b, d))
                                                    break
                                        else:
                                            hits.append("else")
                            except KeyError as e:
                                hits.append(str(e))
                            finally:
                                hits.append(f"fin {a}{b}")
                        else:
                            hits.append(b)
            except ValueError:
                hits.append("never")
            else:
                hits.append(("out", a))
                break
            finally:
                hits.append("loop fin")
for h in hits: print(h)
def f1():
    def f2():
        def f3():
            def f4():
                class K:
                    def m(self):
                        if True:
                            return [lambda: [x for x in (y for y in range(2))]]
                return K().m()[0]()
            return f4()
        return f3()
    return f2()
print(f1())
