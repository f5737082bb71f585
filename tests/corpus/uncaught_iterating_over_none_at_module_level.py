# exit: 1
class S: x = None
for each in S.x: pass
