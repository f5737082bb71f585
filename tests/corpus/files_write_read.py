import os
path = "notes.txt"
try:
    with open(path, "w", encoding="utf-8") as f:
        f.write("first\n")
        print("second", file=f)
        f.writelines(f"{i}\n" for i in range(3))
    with open(path, "a") as f:
        f.write("appended\n")
    with open(path) as f:
        for number, line in enumerate(f, 1):
            print(number, line.rstrip())
    with open(path, "r+") as f:
        f.readline()
        f.seek(0)
        f.write("FIRST")
        f.seek(0)
        print(f.read().split("\n"))
    print(os.path.getsize(path))
    os.rename(path, "renamed.txt")
    print(sorted(n for n in os.listdir(".") if n.endswith(".txt")))
finally:
    for name in (path, "renamed.txt"):
        if os.path.exists(name):
            os.remove(name)
            print("removed", name)
try:
    open("missing.txt")
except FileNotFoundError as e:
    print(e.errno, e.filename)
