# exit: 1
def validate(record):
    errors = []
    for field, kind in (("name", str), ("age", int), ("email", str)):
        if field not in record:
            errors.append(KeyError(field))
        elif not isinstance(record[field], kind):
            errors.append(TypeError(f"{field} is not {kind.__name__}"))
    if errors:
        raise ExceptionGroup("invalid record", errors)
    print("ok", record["name"])

validate({"name": "Kim", "age": 30, "email": "k@x"})
validate({"name": 7, "age": "old"})
