print("init of", __name__)
STEPS = ["load"]
