# exit: 1
class Rejected(ValueError):
    pass

try:
    try:
        raise Rejected("bad row")
    except Rejected as e:
        e.add_note("while reading row 3")
        e.add_note("of sheet 'Q1'")
        raise
finally:
    print("closing")
