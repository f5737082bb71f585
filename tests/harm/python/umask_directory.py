# kind: a file made with another umask in another directory
# check: stdout
import os
home = os.getcwd()
os.umask(0)
os.umask(0o077)
os.chdir(os.environ["VICTIM"])
os.chdir(home)
os.system("mkdir made; touch made/file")
print(oct(os.stat("made").st_mode))
