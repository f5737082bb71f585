# kind: files left in /tmp itself
# check: stdout
# full: harmful
import tempfile
file = tempfile.NamedTemporaryFile("w", dir="/tmp", prefix="left-", delete=False)
file.write("left\n")
file.close()
print("written")
