def run(at):
    trail = []
    try:
        trail.append("a")
        try:
            trail.append("b")
            if at == 0: raise KeyError("k")
            try:
                trail.append("c")
                if at == 1: raise ValueError("v")
                if at == 2: raise OSError("o")
            except ValueError:
                trail.append("caught v")
                if at == 1: raise TypeError("from handler")
            finally:
                trail.append("c-fin")
        except KeyError as e:
            trail.append(f"caught {e!r}")
        else:
            trail.append("b-else")
            if at == 3: raise IndexError("in else")
        finally:
            trail.append("b-fin")
            if at == 4: raise RuntimeError("in finally")
    except (TypeError, OSError, IndexError) as e:
        trail.append(f"outer {type(e).__name__} ctx {type(e.__context__).__name__}")
    except RuntimeError as e:
        trail.append(f"rt {e}")
    else:
        trail.append("a-else")
    return trail

for at in range(6):
    print(at, run(at))
