# nothing but comments
# exit: 0

# and blank lines
