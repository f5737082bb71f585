total = (1 +
         2 +
         3)
values = [
    10,
    20,  # a comment
    30,
]
print(
    total,
    *values,
    sep=", ",
)
text = "one " \
       "two " \
       'three'
print(text)
if total > 3 and \
   values[0] == 10:
    print("continued")
result = (
    sum(
        v * 2
        for v in values
        if v > 10
    )
    if total
    else None
)
print(result)
doc = """line 1
line 2 {}
  line 3""".format(
    result
)
print(doc)
assert (
    result
    == 100
), (
    "message"
)
def function(
    a,
    b=
    3,
    *,
    c
):
    return (
        a
        + b
        + c
    )
print(function(
    1,
    c=(
        2
    ),
))
mapping = {
    "a":
        1,
    **{
        "b": 2,
    },
}
for \
    key, value \
        in mapping.items():
    print(key,
          value)
with (
    open(__file__) as f1,
    open(__file__) as f2,
):
    print(f1.readline() ==
          f2.readline())
x = [1, 2, 3
     ][
    1
]; print(x); y = (
    x
); print(y)
