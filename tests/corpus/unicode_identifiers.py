größe = 3
π = 3.14159
def fläche(r): return π * r ** 2
class Früchte:
    äpfel = ["Boskoop", "Elstar"]
    def zähle(self): return len(self.äpfel)
print(f"{fläche(größe):.3f}", Früchte().zähle())
ﬁne = "normalised"
print(fine, "größe" in globals())
変数 = {"キー": "値"}
for キー, 値 in 変数.items(): print(キー, 値)
print("emoji 🎉 and tab\tand \N{GREEK SMALL LETTER ALPHA}")
try:
    undefinierte_größe
except NameError as e:
    print(e)
