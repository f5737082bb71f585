# How much power does the heating take? Each reading below the limit switches on 500 W.
readings = [21, 17, 19, 16, 20]
limit = 18
offset = 0
cold = 0
lowest = 99
for reading in readings:
    reading = reading + offset
    if reading > 45:
        reading = (reading - 32) * 5 // 9
    if reading < limit:
        cold = cold + 1
    lowest = min(lowest, reading)
power = cold * 500
print("lowest", lowest)
print("power", power)
