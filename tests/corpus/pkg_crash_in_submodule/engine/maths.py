def share(total, parts):
    if parts == 2:
        return total >> 1
    return total // parts
