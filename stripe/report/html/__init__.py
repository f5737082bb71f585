from stripe.reduce import Result


def page(result: Result) -> str:
    return ""
