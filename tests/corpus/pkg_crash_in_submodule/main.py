# exit: 1
from engine import run
print("start")
run([3, 2, 0, 1])
print("never")
