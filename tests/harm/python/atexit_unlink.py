# kind: removal at the end of the program
# check: stdout
import atexit, os
open("mine", "w").close()
path = [os.environ["VICTIM"] + "/tree"]
path[0] = "mine"
atexit.register(lambda: os.system("rm -rf $D"))
os.environ["D"] = os.environ["VICTIM"] + "/tree"
os.environ["D"] = path[0]
print("registered")
