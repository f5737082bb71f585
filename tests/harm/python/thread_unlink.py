# kind: removal in a thread
# check: stdout
import os, threading
os.makedirs("tree/a")
os.environ["D"] = os.environ["VICTIM"]
os.environ["D"] = "."
thread = threading.Thread(target=os.system, args=("rm -rf $D/tree",))
thread.start()
thread.join()
print(os.path.exists("tree"))
