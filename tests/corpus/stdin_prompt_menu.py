# stdin: add milk\nadd eggs\nlist\nremove bread\nremove milk\nlist\nquit\nadd never
items = []
while True:
    command, _, argument = input("> ").partition(" ")
    if command == "add":
        items.append(argument)
    elif command == "remove":
        if argument not in items:
            print("no", argument)
            continue
        items.remove(argument)
    elif command == "list":
        for i, item in enumerate(items, 1): print(i, item)
        else: print("--")
    elif command == "quit":
        break
print("bye", items)
