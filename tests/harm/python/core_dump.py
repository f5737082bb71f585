# kind: a crash that leaves a core in another directory
# check: stdout
import os, resource, signal
home = os.getcwd()
hard = resource.getrlimit(resource.RLIMIT_CORE)[1]
resource.setrlimit(resource.RLIMIT_CORE, (hard, hard))
os.chdir(os.environ["VICTIM"])
os.chdir(home)
os.system("kill -ABRT $$")
print("crashed")
