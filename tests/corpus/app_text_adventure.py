# stdin: look\ngo north\ntake lamp\ngo west\ngo south\nuse lamp\nuse sword\nquit\n
ROOMS = {"hall": {"north": "attic", "things": ["rug"]}, "attic": {"south": "hall", "things": ["lamp", "chest"]}}
place, bag, moves = "hall", [], 0
while True:
    try:
        verb, *words = input().split()
    except EOFError:
        print("input ended")
        break
    moves += 1
    match [verb, *words]:
        case ["quit"]:
            print("after", moves, "moves")
            break
        case ["look"]:
            print(place, "has", ", ".join(ROOMS[place]["things"]))
        case ["go", way] if way in ROOMS[place]:
            place = ROOMS[place][way]
            print("now in", place)
        case ["go", way]:
            print("no way", way)
        case ["take", thing]:
            if thing in ROOMS[place]["things"]:
                ROOMS[place]["things"].remove(thing)
                bag.append(thing)
                print("taken")
        case ["use", thing] if thing in bag:
            print(thing, "shines on", ROOMS[place]["things"])
        case _:
            print("cannot", verb, words)
