flour = 500
sugar = 100
eggs = 3
dough = flour + sugar
price = eggs * 30
dough = dough + eggs * 60
time = 45
print("dough", dough)
