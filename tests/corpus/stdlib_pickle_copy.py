import pickle, copy
class Money:
    def __init__(self, amount, currency="EUR"):
        self.amount, self.currency = amount, currency
    def __reduce__(self):
        print("reduce", self.amount)
        return (rebuild, (self.amount, self.currency))
    def __eq__(self, other): return (self.amount, self.currency) == (other.amount, other.currency)
def rebuild(amount, currency):
    print("rebuild", amount)
    return Money(amount, currency)
wallet = {"a": Money(5), "list": [Money(7, "USD")]}
again = pickle.loads(pickle.dumps(wallet))
print(again == wallet, again["a"] is wallet["a"], type(again["a"]) is Money, Money.__module__)
shallow, deep = copy.copy(wallet), copy.deepcopy(wallet)
wallet["list"].append("new")
print(len(shallow["list"]), len(deep["list"]))
class Tree:
    def __init__(self, *kids): self.kids = list(kids)
    def __deepcopy__(self, memo):
        print("deepcopy", len(self.kids))
        return Tree(*copy.deepcopy(self.kids, memo))
    def __getstate__(self): print("getstate"); return {"kids": self.kids}
    def __setstate__(self, state): print("setstate"); self.kids = state["kids"] + ["restored"]
t = Tree(Tree(), Tree(Tree()))
copy.deepcopy(t)
print(pickle.loads(pickle.dumps(Tree("x"))).kids)
