# A member should get 10 percent off from 100 on, and does not.
prices = [45, 30, 25]
total = sum(prices)
since = 2019
member = since > 2020
discount = 0
if member and total >= 100:
    discount = total // 10
print("to pay", total - discount)
