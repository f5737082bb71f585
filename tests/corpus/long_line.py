data = {"alpha": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20], "beta": {"x": {"y": {"z": "deep"}}}, "gamma": "g" * 40}; total = sum(data["alpha"]) if data else 0; print(total, data["beta"]["x"]["y"]["z"], len(data["gamma"]), [a for a in data["alpha"] if a % 3 == 0], (lambda q: q * 2)(total)); print("second on the long line") if total > 100 else print("other"); total += 1; print(total)
for a in data["alpha"]: print(a, end=" " if a < 20 else "\n") if a % 2 == 0 else None; total += a; data["gamma"] += str(a) if a > 18 else ""
print(total, data["gamma"][-4:])
