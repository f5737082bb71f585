x = "ü"
print(len(x), ascii(x))
if x:
    print("byte order mark at the start of the file")
