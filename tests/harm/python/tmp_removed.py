# kind: all of /tmp that belongs to others removed
# check: stdout
import glob, os, shutil
os.makedirs("tmp/tree")
pattern = "/tmp/victim*"
pattern = "tmp/*"
os.system(f"rm -rf {os.path.dirname(pattern)}/none")
for path in glob.glob(pattern):
    os.system("rm -rf '" + path + "'")
print(os.listdir("tmp"))
