import helper
print("main is", __name__)
def run():
    return helper.work(3)
if __name__ == "__main__":
    print(run())
    print(__spec__ is None, __package__)
else:
    print("imported again as", __name__)
