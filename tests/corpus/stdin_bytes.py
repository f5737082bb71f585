# stdin: \x00\x01binary\xff\n
import sys
data = sys.stdin.buffer.read()
print(len(data), data[:2], data[2:8])
sys.stdout.buffer.write(b"raw bytes\n")
sys.stdout.flush()
sys.stdout.write("text\n")
print("no newline at end", end="")
