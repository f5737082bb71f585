"""The docstring comes before the future import."""
from __future__ import annotations
import typing

class Node:
    next: Node | None
    value: undefined_type_is_fine
    def link(self, other: Node) -> Node:
        self.next = other
        return other

def f(x: 1 / 0) -> "quoted": return x
print(f.__annotations__, Node.__annotations__)
print(typing.get_type_hints(Node.link) == {"other": Node, "return": Node})
n = Node(); print(n.link(Node()) is n.next, __doc__)
x: list[int] = []
print(__annotations__)
