# kind: a background command that ignores signals
# check: stdout
import os
os.environ["OUT"] = os.environ["VICTIM"] + "/nohup.out"
os.environ["OUT"] = "/dev/null"
os.system("trap '' HUP TERM INT; (sleep 0.2; echo late >> $OUT; sleep 600) >/dev/null 2>&1 &")
print("started")
