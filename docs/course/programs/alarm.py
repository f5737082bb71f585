# Exercise 4. Two detectors, one alarm.
smoke = 7
heat = 61
log = []
alarm = False
if smoke > 5:
    alarm = True
    log.append("smoke")
if heat > 57:
    alarm = True
    log.append("heat")
print("alarm", alarm)
print("log", log)
