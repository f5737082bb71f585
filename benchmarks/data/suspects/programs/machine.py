"""Small machines: a stack machine, a lift, brackets, a vending machine, tournaments, turns."""


def run(program, fuel=1000):
    stack = []
    output = []
    variables = {}
    counter = 0
    while counter < len(program) and fuel > 0:
        fuel -= 1
        code, *arguments = program[counter]
        counter += 1
        if code == "push":
            stack.append(arguments[0])
        elif code == "load":
            stack.append(variables.get(arguments[0], 0))
        elif code == "store":
            variables[arguments[0]] = stack.pop()
        elif code in ("add", "sub", "mul"):
            right = stack.pop()
            left = stack.pop()
            if code == "add":
                stack.append(left + right)
            elif code == "sub":
                stack.append(left - right)
            else:
                stack.append(left * right)
        elif code == "print":
            output.append(stack.pop())
        elif code == "jump":
            counter = arguments[0]
        elif code == "jump if":
            if stack.pop():
                counter = arguments[0]
        else:
            raise ValueError(f"unknown {code}")
    return output


def balanced(text):
    pairs = {")": "(", "]": "[", "}": "{"}
    stack = []
    for char in text:
        if char in pairs.values():
            stack.append(char)
        elif char in pairs:
            if not stack or stack.pop() != pairs[char]:
                return False
    return not stack


def change(price, paid, coins):
    due = paid - price
    if due < 0:
        raise ValueError("not enough")
    given = []
    for coin in sorted(coins, reverse=True):
        while due >= coin and coins[coin] > 0:
            coins[coin] -= 1
            due -= coin
            given.append(coin)
    if due:
        for coin in given:
            coins[coin] += 1
        return None
    return given


def lift_stops(start, calls):
    above = sorted(floor for floor in calls if floor > start)
    below = sorted((floor for floor in calls if floor < start), reverse=True)
    if not above or not below:
        return above or below
    if above[0] - start <= start - below[0]:
        return above + below
    return below + above


def standings(games):
    table = {}
    for home, away, scored, conceded in games:
        for team, own, other in ((home, scored, conceded), (away, conceded, scored)):
            row = table.setdefault(team, [0, 0, 0])
            if own > other:
                row[0] += 3
            elif own == other:
                row[0] += 1
            row[1] += own - other
            row[2] += own
    return sorted(table, key=lambda team: (-table[team][0], -table[team][1], -table[team][2], team))


def survivors(count, step):
    people = list(range(1, count + 1))
    index = 0
    while len(people) > 1:
        index = (index + step - 1) % len(people)
        people.pop(index)
    return people


def schedule(jobs, workers):
    free = [0] * workers
    plan = []
    for name, length in sorted(jobs, key=lambda job: (-job[1], job[0])):
        worker = free.index(min(free))
        plan.append((name, worker, free[worker]))
        free[worker] += length
    return plan, max(free)


def water(heights):
    left, right = 0, len(heights) - 1
    highest_left = highest_right = total = 0
    while left < right:
        if heights[left] < heights[right]:
            highest_left = max(highest_left, heights[left])
            total += highest_left - heights[left]
            left += 1
        else:
            highest_right = max(highest_right, heights[right])
            total += highest_right - heights[right]
            right -= 1
    return total
