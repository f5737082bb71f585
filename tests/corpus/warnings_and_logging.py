import logging, sys, warnings

logging.basicConfig(stream=sys.stdout, format="%(levelname)s %(name)s %(funcName)s:%(lineno)d %(message)s", level=logging.INFO)
log = logging.getLogger("app")

def old_api(x):
    warnings.warn("old_api is deprecated", DeprecationWarning, stacklevel=2)
    return x

def load(items):
    log.debug("hidden")
    for item in items:
        try:
            log.info("item %s", 10 // item)
        except ZeroDivisionError:
            log.exception("division of %d", item) if False else log.error("division of %d", item)
    log.warning(
        "multi-line call %s",
        "done",
    )

load([5, 0, 2])
old_api(1)
for i in range(3):
    warnings.warn("once per line")
warnings.warn("user", UserWarning); warnings.warn("future", FutureWarning)
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    old_api(2)
    old_api(3)
print([(str(w.message), w.lineno, w.category.__name__) for w in caught])
with warnings.catch_warnings():
    warnings.simplefilter("error")
    try: old_api(4)
    except DeprecationWarning as e: print("raised", e)
