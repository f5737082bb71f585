# kind: a copy by a command over files outside
# check: stdout
import os
os.mkdir("to")
open("precious.txt", "w").write("lost\n")
os.environ["TO"] = os.environ["VICTIM"]
os.environ["TO"] = "to"
os.system("cp precious.txt $TO/ && ln -f precious.txt $TO/linked")
print(sorted(os.listdir("to")))
