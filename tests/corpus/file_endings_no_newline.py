x = 1
if x:
    print("last line has no newline")
    for i in range(2):
        print(i)
print("end", x)