def f(x):
	if x:
		return "tab"
	else:
	        return "tab and spaces"
print(f(1), f(0))

if True:
  print("two spaces")
if True:
      print("six spaces")
for i in range(2):
 print(i); \
 print("continued", i)
class A:
	x = 1

	def m(self): return (
self.x +
		1
	)
print(A().m())
