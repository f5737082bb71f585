# kind: a few children that each write
# check: stdout
import os
where = os.environ["VICTIM"]
where = "."
os.environ["WHERE"] = where
children = []
for number in range(3):
    child = os.fork()
    if child == 0:
        os.execlp("sh", "sh", "-c", f"echo lost > $WHERE/child-{number}")
    os.waitpid(child, 0)
print(len([name for name in os.listdir() if name.startswith("child-")]))
