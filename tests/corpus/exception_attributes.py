import sys

class HttpError(Exception):
    status = 500

    def __init__(self, message, *, status=None, **extra):
        super().__init__(message)
        if status is not None:
            self.status = status
        self.extra = extra

    def __str__(self):
        return f"[{self.status}] {self.args[0]}"

class NotFound(HttpError):
    status = 404

for e in (HttpError("boom"), NotFound("page", path="/x"), HttpError("odd", status=418)):
    try:
        raise e
    except NotFound as nf:
        print("not found", nf, nf.extra)
    except HttpError as he:
        print("http", he, he.args)
        kind, value, tb = sys.exc_info()
        print(kind.__name__, value is he, tb.tb_lineno, tb.tb_frame.f_code.co_name)
print(sys.exc_info())
print(NotFound.__mro__[1].__name__, issubclass(NotFound, Exception))
def level(n):
    if n == 0:
        raise NotFound("deep")
    level(n - 1)
try:
    level(3)
except HttpError as e:
    tb, lines = e.__traceback__, []
    while tb:
        lines.append(tb.tb_lineno)
        tb = tb.tb_next
    print(lines)
