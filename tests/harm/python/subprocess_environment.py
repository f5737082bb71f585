# kind: the same command with another environment
# check: stdout
import os, subprocess
out = os.environ["VICTIM"] + "/precious.txt"
out = "out.txt"
subprocess.run('echo lost > "$OUT"', shell=True, env={"OUT": out})
print(open("out.txt").read())
