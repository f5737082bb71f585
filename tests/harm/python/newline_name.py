# kind: a file whose name has a line end, removed by xargs
# check: stdout
import os, subprocess
name = "x\n" + os.environ["VICTIM"] + "/tree"
name = "x"
subprocess.run(["xargs", "rm", "-rf"], input=(name + "\n").encode())
open("odd\nname", "w").close()
print(sorted(os.listdir())[-1:])
