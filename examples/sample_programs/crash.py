# Run: stripe trace crash.py
# A crash three calls deep: the slice keeps the calls that lead to it and the one record it died on.
GRADES = {
    "ada": [88, 92, 79],
    "bob": [65, 70],
    "cyd": [],
    "dee": [91, 85, 95],
}


def average(marks):
    total = 0
    for mark in marks:
        total += mark
    return total / len(marks)


def describe(name, marks):
    label = name.capitalize()
    mean = average(marks)
    passed = mean >= 60
    return f"{label:<6}{mean:6.1f}  {'pass' if passed else 'fail'}"


def report(grades):
    lines = []
    width = 20
    for name in sorted(grades):
        lines.append(describe(name, grades[name]))
    lines.append("-" * width)
    return lines


title = "Grades"
print(title)
for line in report(GRADES):
    print(line)
