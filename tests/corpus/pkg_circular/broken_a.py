from broken_b import y
x = 1
