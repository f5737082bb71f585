class Turnstile:
    transitions = {
        ("locked", "coin"): ("open", "unlock"),
        ("open", "push"): ("locked", "lock"),
        ("open", "coin"): ("open", "thank"),
    }
    def __init__(self):
        self.state, self.log, self.coins = "locked", [], 0
    def unlock(self): self.coins += 1; self.log.append("click")
    def lock(self): self.log.append("clack")
    def thank(self): self.coins += 1; self.log.append("thanks")
    def fire(self, event):
        try:
            self.state, action = self.transitions[self.state, event]
        except KeyError:
            self.log.append(f"beep at {event}")
            return False
        getattr(self, action)()
        return True

t = Turnstile()
print([t.fire(e) for e in "push coin coin push push coin".split()])
print(t.state, t.coins, t.log)

def csv_row(line):
    field, fields, state = "", [], "start"
    for ch in line + "\n":
        match state, ch:
            case ("start", '"'): state = "quoted"
            case ("start" | "plain", "," | "\n"):
                fields.append(field); field = ""; state = "start"
            case ("start" | "plain", _): field += ch; state = "plain"
            case ("quoted", '"'): state = "quote in quoted"
            case ("quoted", _): field += ch
            case ("quote in quoted", '"'): field += '"'; state = "quoted"
            case ("quote in quoted", "," | "\n"):
                fields.append(field); field = ""; state = "start"
    return fields
print(csv_row('a,"b, c",,"say ""hi""",d'))
