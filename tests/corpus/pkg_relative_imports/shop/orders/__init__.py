print("init", __name__)
TAX = 19
