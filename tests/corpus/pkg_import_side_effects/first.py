import second
second.log("first loaded")
def later():
    from late import thing
    second.log("later called")
    return thing, second.entries
