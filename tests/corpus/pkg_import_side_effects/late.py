import second
second.log("late loaded")
thing = {"late": True}
