# stdin: 4\n10\n20\nx\n30\n
n = int(input())
total = 0
for i in range(n):
    line = input()
    try:
        total += int(line)
    except ValueError:
        print(f"line {i}: {line!r} ignored")
print("total", total)
try:
    input()
except EOFError:
    print("no more input")
