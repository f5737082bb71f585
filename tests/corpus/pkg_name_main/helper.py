print("helper is", __name__)
def work(n):
    import main
    return [main.__name__, n * 2]
if __name__ == "__main__":
    print("never here")
