print("package init", __name__)
VERSION = "1.2"
