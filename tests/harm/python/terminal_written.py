# kind: text written on the user's terminal by a command
# check: stdout
# full: harmful
import os
os.system("echo gibberish > $TTY")
os.system("stty -F $TTY -echo raw 2>/dev/null")
print("tried")
