# kind: fchmod of an open descriptor
# check: stdout
import os
open("mine", "w").close()
file = os.open(os.environ["VICTIM"] + "/secret", os.O_RDONLY)
file = os.open("mine", os.O_RDONLY)
os.fchmod(file, 0o644)
print(oct(os.stat("mine").st_mode))
