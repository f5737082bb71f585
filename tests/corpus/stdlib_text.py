import textwrap, string, difflib, io, base64, hashlib, pprint, shlex, unicodedata
text = "The quick brown fox jumps over the lazy dog. " * 3
for line in textwrap.wrap(text, 40)[:3]:
    print("|" + line.ljust(40) + "|")
print(textwrap.dedent("""\
    a
      b
    """), end="")
print(string.Template("$who owes ${n}").substitute(who="Al", n=3), string.capwords("a bc"))
for line in difflib.unified_diff(["a", "b", "c"], ["a", "x", "c"], lineterm="", n=0):
    print(line)
buffer = io.StringIO()
for i in range(3): buffer.write(str(i) * i)
print(buffer.getvalue(), base64.b64encode(b"hello"), hashlib.md5(b"x").hexdigest()[:8])
pprint.pprint({"key": list(range(8)), "other": {"nested": ("a" * 20, "b" * 20)}}, width=40)
print(shlex.split("a 'b c' d"), unicodedata.name("é"), "straße".upper(), "%5.2f|%-4s|%04d" % (3.14159, "a", 42))
print("a,b,,c".split(","), "x".join("abc"), "abc".translate({97: "A", 98: None}), "Hello"[::-1], "tab\t".expandtabs(4) + "|")
