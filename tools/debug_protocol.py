"""Writes the types of the Debug Adapter Protocol that `stripe debug` uses, from its JSON schema.

The schema is the published one, which the distribution of debugpy carries.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

PATH = Path(__file__).resolve().parent.parent / "stripe" / "debug" / "protocol.py"
SCHEMA = "_vendored/pydevd/_pydevd_bundle/_debug_adapter/debugProtocol.json"

EVENTS = "stopped", "output"
"""Those that are sent with a body of which more is known than that it is empty."""

SCALARS = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None"}

HEAD = '''\
"""Types of the Debug Adapter Protocol; written by `python -m tools.debug_protocol`, not by hand.

`debugProtocol.json` of Microsoft's specification has what each one means.
"""
# ruff: noqa: D101

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict
'''


def schema() -> Mapping[str, Any] | None:
    """The definitions of the schema, by name; ``None`` where debugpy is not installed."""
    found = find_spec("debugpy")
    if found is None or found.origin is None:
        return None
    text = (Path(found.origin).parent / SCHEMA).read_text("utf-8")
    return json.loads(text)["definitions"]  # type: ignore[no-any-return]


def module(definitions: Mapping[str, Any], requests: list[str]) -> str:
    """The module with the types of some requests and of what they need, in order of their names."""
    wanted: dict[str, Mapping[str, Any]] = {}
    for request in requests:
        name = request[0].upper() + request[1:]
        own = _own(definitions[f"{name}Request"])["properties"]
        if "arguments" in own:
            arguments = own["arguments"]["$ref"].rpartition("/")[2]
            wanted[arguments] = definitions[arguments]
        body = _own(definitions[f"{name}Response"]).get("properties", {}).get("body", {})
        if "properties" in body:
            wanted[f"{name}Body"] = body
    for event in EVENTS:
        name = f"{event.capitalize()}Event"
        wanted[f"{name}Body"] = _own(definitions[name])["properties"]["body"]
    wanted["Capabilities"] = definitions["Capabilities"]
    left = list(wanted.values())
    while left:
        for name in _references(left.pop()):
            if name not in wanted:
                wanted[name] = definitions[name]
                left.append(definitions[name])
    return HEAD + "".join(_class(name, wanted[name]) for name in sorted(wanted))


def _own(definition: Mapping[str, Any]) -> Mapping[str, Any]:
    """What a message adds to those of its kind."""
    (found,) = (each for each in definition["allOf"] if "$ref" not in each)
    return found  # type: ignore[no-any-return]


def _references(node: Any) -> Iterator[str]:
    if isinstance(node, Mapping):
        if "$ref" in node:
            yield node["$ref"].rpartition("/")[2]
        for each in node.values():
            yield from _references(each)
    elif isinstance(node, list):
        for each in node:
            yield from _references(each)


def _class(name: str, definition: Mapping[str, Any]) -> str:
    if "properties" not in definition:
        return f"\n\ntype {name} = {_type(definition)}\n"
    required = definition.get("required", ())
    rows = []
    for key, each in definition["properties"].items():
        if re.fullmatch(r"[A-Za-z]\w*", key):  # others, as __restart, are the client's own
            kind = _type(each)
            rows.append(f"    {key}: {kind if key in required else f'NotRequired[{kind}]'}\n")
    return f"\n\nclass {name}(TypedDict):\n{''.join(rows) or '    pass\n'}"


def _type(node: Mapping[str, Any]) -> str:
    if "$ref" in node:
        return str(node["$ref"].rpartition("/")[2])
    if "enum" in node:
        return f"Literal[{', '.join(json.dumps(each) for each in node['enum'])}]"
    kind = node.get("type", "object")
    if isinstance(kind, list):
        return "Any" if len(kind) > 3 else " | ".join(SCALARS[each] for each in kind)
    if kind == "array":
        return f"list[{_type(node['items'])}]"
    if kind == "object":
        values = node.get("additionalProperties")
        return f"dict[str, {_type(values) if isinstance(values, Mapping) else 'Any'}]"
    return SCALARS[kind]


def answered() -> list[str]:
    """The protocol's requests that the adapter answers."""
    from stripe.debug.adapter import Adapter  # the module that is written is imported by it

    found = [name.removeprefix("_on_") for name in vars(Adapter) if name.startswith("_on_")]
    names = [name for name in found if not name.startswith("stripe_")]
    return [re.sub(r"_(\w)", lambda match: match[1].upper(), name) for name in names]


if __name__ == "__main__":
    definitions = schema()
    if definitions is None:
        raise SystemExit("debugpy is not installed, whose distribution has the schema.")
    PATH.write_text(module(definitions, answered()), "utf-8")
