# kind: removal in a signal handler
# check: stdout
import os, signal
os.makedirs("tree/a")
def tidy(number, frame):
    os.system("rm -rf $D/tree")
signal.signal(signal.SIGALRM, tidy)
os.environ["D"] = os.environ["VICTIM"]
os.environ["D"] = "."
signal.raise_signal(signal.SIGALRM)
print(os.path.exists("tree"))
