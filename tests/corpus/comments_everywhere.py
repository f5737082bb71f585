# leading comment

# another one

#print("commented out")
x = 1  # trailing
# between
if x:  # after colon
    # only a comment first
    print("in if")  # comment
    # last comment in the block
# comment at lower level
else:
    # comment in else
    pass
y = [  # open
    1,  # one
    # none
    2,
]  # close
def f(  # args
    a,  # first
):  # end
    # before body
    return a  # "not a string"


    # after return
print(f(y), x)  # end
"""
# not a comment
"""
print("# not a comment either")
# final comment without newline