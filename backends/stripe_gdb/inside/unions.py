"""Which member of a union is meant (Why Programs Fail, A.2.7).

The user's rules say so: ``UNION=TAG:VALUE->MEMBER`` holds where the member ``TAG`` of the record
that the union is in has this value, ``UNION->MEMBER`` always.  ``UNION`` is the union's type, or
the record's and its member: ``struct item.value``.  The first rule that fits decides.

Without one it is the type tag, if there is one beside the union: an enumeration, or an integer of
such a name, with a value for each member.  It is not believed if pointers that it takes the member
for lead nowhere and another member has fewer of these; without a tag the fewest decide, then size,
then the order.
"""

import re
from collections import namedtuple

Rule = namedtuple("Rule", "union tag value member")

FORM = re.compile(r"^(?P<union>[^=>]+?)(?:=(?P<tag>\w+):(?P<value>-?\w+))?->(?P<member>\w+)$")
TAGS = re.compile(r"^(.*_)?(tag|type|kind|which|what|sort|mode|discriminator)$", re.IGNORECASE)


def parse(text):
    """A rule as the user writes it.  Raises ValueError."""
    found = FORM.match(text.strip())
    if found is None:
        raise ValueError(text)
    return Rule(*found.groups())


class Unions:
    """Chooses; ``rules`` are those of the user."""

    def __init__(self, rules):
        self.rules = [parse(each) if isinstance(each, str) else each for each in rules]

    def choose(self, layout, inside, wrong):
        """The member of a union that is meant.

        ``inside`` is ``(layout, member, values)`` of the record that it is in, or None: ``values``
        gives the text and the number of each other member that is an integer.  ``wrong`` counts
        the pointers of a layout that would lead nowhere.
        """
        members = {each.name: each for each in layout.fields}
        if not members:
            return None
        for rule in self.rules:
            if rule.member in members and self._fits(rule, layout, inside):
                return members[rule.member]
        bad = {name: wrong(each.layout) for name, each in members.items()}
        least = min(bad.values())
        tagged = self._tagged(list(members), inside)
        if tagged is not None and bad[tagged] <= least:
            return members[tagged]
        return max(
            (each for each in layout.fields if bad[each.name] == least),
            key=lambda each: each.layout.size,
        )

    def _fits(self, rule, layout, inside):
        names = {layout.name, layout.name.split(" ")[-1]}
        if inside is not None:
            owner, member, values = inside
            for name in (owner.name, owner.name.split(" ")[-1]):
                names.add(f"{name}.{member}")
        else:
            values = {}
        if rule.union not in names:
            return False
        if rule.tag is None:
            return True
        return rule.tag in values and rule.value in map(str, values[rule.tag][:2])

    def _tagged(self, members, inside):
        """The member that the tag beside says it is."""
        if inside is None:
            return None
        for wants_names in (True, False):
            for name, (text, value, names) in inside[2].items():
                if wants_names != bool(names) or not (names or TAGS.match(name)):
                    continue
                if not names:
                    if 0 <= value < len(members):
                        return members[value]
                    continue
                told = [each for each in members if _alike(each, text)]
                if len(told) == 1:
                    return told[0]
                order = sorted(names)
                if len(order) == len(members) and value in names:
                    return members[order.index(value)]
        return None


def _alike(member, name):
    """Whether an enumerator's name ends in a member's."""
    words = name.lower().split("_")
    return len(member) > 1 and (member.lower() in words or words[-1] == member.lower())
