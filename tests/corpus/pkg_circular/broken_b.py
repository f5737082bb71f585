from broken_a import x
y = 2
