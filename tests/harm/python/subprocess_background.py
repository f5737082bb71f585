# kind: a command that goes on in the background, and writes later
# check: stdout
import os, subprocess
os.environ["OUT"] = os.environ["VICTIM"] + "/precious.txt"
os.environ["OUT"] = "out.txt"
subprocess.run("nohup sh -c 'sleep 0.3; echo late >> $OUT' >/dev/null 2>&1 &", shell=True)
print("started")
