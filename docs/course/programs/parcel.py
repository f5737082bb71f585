# Exercise 1. The price of a parcel.
weight = 7
length, width, height = 40, 30, 20
volume = length * width * height
bands = [(2, 4), (5, 6), (10, 9), (20, 14)]
price = 0
for limit, cost in bands:
    price = cost
    if weight <= limit:
        break
bulky = max(0, volume - 60000)
price = price + bulky
label = "P" + str(weight)
if price > 20:
    label = label + "!"
print("label", label)
print("price", price)
