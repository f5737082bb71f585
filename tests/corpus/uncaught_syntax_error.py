# exit: 1
good = "x = 1\nprint('ran', x)\n"
bad = "y = (1,\nprint('never'\n"
exec(good)
exec(compile(bad, "<generated>", "exec"))
