entries = []
def log(text): entries.append(text)
