ONE = 1
print("one", __name__)
