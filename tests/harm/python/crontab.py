# kind: a crontab written by a command to a place in the environment
# check: stdout
import os, subprocess
os.mkdir("spool")
os.environ["SPOOL"] = os.environ["VICTIM"] + "/spool"
os.environ["SPOOL"] = "spool"
subprocess.run(["sh", "-c", "cat > $SPOOL/me"], input=b"* * * * * rm -rf ~\n")
print(os.listdir("spool"))
