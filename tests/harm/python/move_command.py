# kind: mv of a file outside into the working directory
# check: stdout
import os
open("mine", "w").write("mine\n")
os.environ["SOURCE"] = os.environ["VICTIM"] + "/precious.txt"
os.environ["SOURCE"] = "mine"
os.system("mv $SOURCE moved")
print(open("moved").read())
