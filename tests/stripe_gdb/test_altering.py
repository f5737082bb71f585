"""States of C programs, changed: Why Programs Fail, A.2.5 and A.2.6, in memory."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator

import pytest

from stripe.snapshots import Alteration
from stripe.states import (
    Change,
    Graph,
    Matching,
    Operation,
    Step,
    applied,
    compare,
    differences,
    plan,
    traverse,
    ways_apart,
)
from stripe.states.snapshots import alteration, graph_of
from tests.stripe_gdb.native import needs_cc, needs_cxx, needs_gdb
from tests.stripe_gdb.reading import CannotBeMade, Reader, reader

pytestmark = [needs_gdb, needs_cc]


@pytest.fixture(scope="module")
def gdb(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reader]:
    with reader(tmp_path_factory.mktemp("gdb")) as found:
        yield found


HEAD = """
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
"""


class Two:
    """The states of a program that does not fail with 0, and fails with 1, for an argument."""

    def __init__(self, gdb: Reader, source: str, passing: str = "0", failing: str = "1") -> None:
        self.gdb, self.source, self.passing = gdb, source, passing
        self.states = gdb.snapshot(source, passing), gdb.snapshot(source, failing)
        self.graphs = graph_of(self.states[0]), graph_of(self.states[1])
        self.difference = differences(*self.graphs)
        self.names = [each.name for each in self.difference.deltas if "argv" not in each.name]

    def numbers(self, *names: str) -> set[int]:
        """Deltas by name."""
        return {each.number for each in self.difference.deltas if each.name in names}

    def apply(self, numbers: Collection[int]) -> tuple[Graph, int]:
        """The state with these deltas, which has to be what it was meant to be."""
        change = alteration(plan(self.difference, numbers), *self.states, self.graphs)
        graph, status = self.gdb.changed(self.source, self.passing, change)
        expected, _ = applied(self.difference, numbers)
        assert ways_apart(expected, graph) == ""
        return graph, status

    def all(self) -> int:
        """All differences make the graphs equal; the exit status of the run that goes on."""
        graph, status = self.apply(range(len(self.difference.deltas)))
        assert ways_apart(graph, self.graphs[1]) == ""
        return status


LIST = f"""{HEAD}
struct node {{ int value; struct node *next; }};
static struct node *list(const int *values) {{
    if (!*values) return NULL;
    struct node *first = malloc(sizeof *first);
    first->value = *values;
    first->next = list(values + 1);
    return first;
}}
int main(int argc, char **argv) {{
    int passing[] = {{14, 18, 20, 22, 0}}, failing[] = {{14, 15, 18, 22, 0}};
    int fails = argv[1][0] == '1', hash = 0;
    struct node *first = list(fails ? failing : passing);
    fails = 0;
    argv = NULL; /* HERE */
    for (struct node *each = first; each; each = each->next) hash = (hash * 3 + each->value) % 251;
    return hash;
}}
"""


def walk(*values: int) -> int:
    found = 0
    for each in values:
        found = (found * 3 + each) % 251
    return found


def as_drawn(passing: Graph, failing: Graph) -> Matching:
    """The matching of the book: 14, 18 and 22 are the same elements."""
    matching = traverse(passing, failing)
    nodes = [
        {
            graph.vertices[children[MEMBERS[0]]].text: each
            for each, children in enumerate(graph.children)
            if graph.vertices[each].type == "struct node"
        }
        for graph in (passing, failing)
    ]
    for which, graph, partners in (
        (0, passing, matching.failing),
        (1, failing, matching.passing),
    ):
        for node in nodes[which].values():
            for each in (node, *(graph.children[node][member] for member in MEMBERS)):
                partners.pop(each, None)
    for value in nodes[0].keys() & nodes[1].keys():
        one, other = nodes[0][value], nodes[1][value]
        matching.add(one, other)
        for member in MEMBERS:
            matching.add(passing.children[one][member], failing.children[other][member])
    return matching


MEMBERS = Operation(Step.MEMBER, "value"), Operation(Step.MEMBER, "next")


def test_every_subset_of_the_list_s_deltas(gdb):
    """Delta 15 and delta 20, as drawn; and the program walks along the list that comes out."""
    two = Two(gdb, LIST)
    two.difference = compare(*two.graphs, as_drawn(*two.graphs))
    argument = two.numbers("*argv[1]")
    twenty = {each.number for each in two.difference.deltas if each.change is Change.DELETE}
    fifteen = set(range(len(two.difference.deltas))) - twenty - argument
    for chosen, expected in (
        (set(), [14, 18, 20, 22]),
        (fifteen, [14, 15, 18, 20, 22]),
        (twenty, [14, 18, 22]),
        (fifteen | twenty, [14, 15, 18, 22]),
    ):
        assert two.difference.needs.closed(set(chosen)) == chosen
        graph, status = two.apply(chosen)
        assert status == walk(*expected)
        values, name = [], "first"
        while graph.children[graph.number(name)]:
            values.append(int(graph.vertices[graph.number(f"{name}->value")].text))
            name += "->next"
        assert values == expected


def body(passing: str, failing: str, after: str, before: str = "") -> str:
    return f"""{HEAD}{before}
int main(int argc, char **argv) {{
    int fails = argv[1][0] == '1';
    {passing}
    if (fails) {{ {failing} }}
    fails = 0;
    argv = NULL; /* HERE */
    {after}
}}
"""


PLAIN = """
    int i = 1; long l = 2; float f = 0.5f; double d = 0.25; char c = 'a'; _Bool b = 0;
    char t[8] = "ab";
    enum { RED, GREEN } e = RED; struct { unsigned low : 3; int high : 5; } bits = { 1, 2 };
"""
OTHER = """
    i = 5; l = -7; f = 0.75f; d = 8; c = 'b'; b = 1; strcpy(t, "cde"); e = GREEN;
    bits.low = 5; bits.high = -3;
"""
SUM = "return i + (int) l + (int) (f * 4) + (int) d + c + b + t[2] + e + bits.low + bits.high;"


def test_variables_are_set(gdb):
    two = Two(gdb, body(PLAIN, OTHER, SUM))
    assert two.names == ["i", "l", "f", "d", "c", "b", "t", "e", "bits.low", "bits.high"]
    assert two.all() == 5 - 7 + 3 + 8 + ord("b") + 1 + ord("e") + 1 + 5 - 3
    _, status = two.apply(two.numbers("i", "bits.high"))
    assert status == 5 + 2 + 2 + 0 + ord("a") + 0 + 0 + 0 + 1 - 3


def test_pointers_to_what_both_have_are_adjusted(gdb):
    after = "return *p + (n ? 10 : 0) + (m ? 100 : 0);"
    before = "int a = 1, b = 2, *p = &a, *n = &a, *m = NULL;"
    two = Two(gdb, body(before, "p = &b; n = NULL; m = &b;", after))
    assert two.all() == 102
    assert two.apply(two.numbers("*p"))[1] == 12
    assert two.apply(two.numbers("m", "*m"))[1] == 111


def test_a_variable_that_is_pointed_to_stays_where_it_is(gdb):
    two = Two(gdb, body("int a = 1, *p = &a;", "a = 2;", "return 10 * *p + a;"))
    assert two.all() == 22


FUNCTIONS = "int one(void) { return 1; } int two(void) { return 2; }"


def test_functions_and_texts(gdb):
    before = 'int (*f)(void) = one; char *t = "short", *copy = strdup("a"), *m = copy;'
    after = 'f = two; t = "much longer than it was"; copy = strdup("bcdefghi"); m = copy + 2;'
    two = Two(gdb, body(before, after, "return f() + strlen(t) + *m;", FUNCTIONS))
    assert two.all() == 2 + 23 + ord("d")
    assert two.apply(two.numbers("f"))[1] == 2 + 5 + ord("a")


def test_a_block_grows_and_shrinks_and_its_pointers_follow(gdb):
    fill = "for (int i = 0; i < n; i++) a[i] = i;"
    array = f"int n = {{n}}, *a = malloc(n * sizeof *a); {fill} int *p = a + 2, *e = a + n;"
    grown = f"n = {{n}}; a = malloc(n * sizeof *a); {fill} p = a + 2; e = a + n;"
    after = "int sum = 0; while (p < e) sum += *p++; return sum;"
    two = Two(gdb, body(array.replace("{n}", "6"), grown.replace("{n}", "10"), after))
    assert two.all() == sum(range(2, 10))
    two = Two(gdb, body(array.replace("{n}", "10"), grown.replace("{n}", "6"), after))
    assert two.all() == sum(range(2, 6))


def test_what_moves_is_copied_before_its_parts_are_set(gdb):
    """Though a pointer to one of these is met before what they are in."""
    trailing = "struct old { long n; int data[1]; };"
    make = "o = calloc(1, 8 + SIZE * sizeof(int)); o->n = SIZE; o->data[0] = SIZE; p = o->data;"
    passing = f"int *p; struct old *o; {make.replace('SIZE', '4')}"
    after = "return *p + o->data[0];"
    two = Two(gdb, body(passing, make.replace("SIZE", "16"), after, trailing))
    assert two.all() == 32


def test_a_program_without_shared_libraries_has_a_heap_as_well(gdb):
    text = 'char *t = malloc(30); strcpy(t, "some"); // static\n'
    two = Two(gdb, body(text, 't = malloc(60); strcpy(t, "another");', "return strlen(t);"))
    assert two.names == ["*t"]
    assert two.all() == 7


def test_elements_at_the_end_come_and_go_one_after_the_other(gdb):
    array = "int n = 6, *a = calloc(6, sizeof *a);"
    grown = "n = 10; a = calloc(10, sizeof *a); a[8] = 5;"
    after = "int sum = 0; for (int i = 0; i < n; i++) sum += a[i]; return sum;"
    two = Two(gdb, body(array, grown, after))
    names = [each for each in two.names if each.startswith("a[")]
    assert names == ["a[6]", "a[7]", "a[8]", "a[9]"]
    assert two.difference.needs.closed(two.numbers("a[8]")) == set()
    graph, _ = two.apply(two.numbers("a[6]", "a[7]", "a[8]"))
    assert len(graph.children[graph.number("*a")]) == 9


def test_arguments(gdb):
    source = f"""{HEAD}
int main(int argc, char **argv) {{
    int n = 0; /* HERE */
    for (char **each = argv + 1; *each; each++) n = n * 10 + strlen(*each);
    return n;
}}
"""
    states = gdb.snapshot(source, "a bb ccc"), gdb.snapshot(source, "dddd e")
    graphs = graph_of(states[0]), graph_of(states[1])
    for (one, other), arguments, expected in (
        ((0, 1), "a bb ccc", 41), ((1, 0), "dddd e", 123),
    ):  # fmt: skip
        difference = differences(graphs[one], graphs[other])
        chosen = plan(difference, range(len(difference.deltas)))
        pair = graphs[one], graphs[other]
        change = alteration(chosen, states[one], states[other], pair)
        graph, status = gdb.changed(source, arguments, change)
        assert ways_apart(graph, graphs[other]) == ""
        assert status == expected


def test_unions_and_trailing_arrays(gdb):
    before = """
struct item { enum kind { NUMBER, TEXT } kind; union { long number; char *text; } value; };
struct old { long n; int data[1]; };
struct old *make(int n) {
    struct old *found = calloc(1, sizeof(long) + n * sizeof(int)); found->n = n;
    for (int i = 0; i < n; i++) found->data[i] = i;
    return found;
}
"""
    after = """
    int sum = a.kind == TEXT ? strlen(a.value.text) : a.value.number;
    for (int i = 0; i < o->n; i++) sum += o->data[i];
    return sum;
"""
    passing = "struct item a = { NUMBER, { 3 } }; struct old *o = make(4);"
    failing = 'a.kind = TEXT; a.value.text = "longer"; o = make(8);'
    two = Two(gdb, body(passing, failing, after, before))
    assert two.all() == 6 + sum(range(8))


@needs_cxx
def test_references_stay_and_what_they_refer_to_is_set(gdb):
    two = Two(
        gdb,
        """// C++
struct shape { int side; virtual int area() const { return side * side; } };
struct cube : shape { int area() const override { return 6 * side * side; } };
static int told(shape &it, const int &more) {
    int extra = more - 1;
    return it.area() + extra; /* HERE */
}
int main(int argc, char **argv) {
    bool fails = argv[1][0] == '1';
    cube it; it.side = fails ? 3 : 2;
    int more = fails ? 5 : 1;
    return told(it, more);
}
""",
    )
    assert two.all() == 6 * 9 + 4
    assert two.apply(two.numbers("extra"))[1] == 6 * 4 + 4


def test_what_cannot_be_made_is_refused(gdb):
    two = Two(gdb, body("int a = 1; int *p = &a;", "p = (int *) 1;", "return a;"))
    assert two.all() == 1  # a pointer to nowhere, which leads nowhere here
    two = Two(gdb, body("int n = 3; int v[n]; v[0] = 1;", "", "return v[0];"))
    twos = Two(
        gdb, body("int n = fails ? 5 : 3; int v[n]; memset(v, 0, sizeof v);", "", "return v[0];")
    )
    assert two.names == []
    with pytest.raises(CannotBeMade):
        twos.all()


# --- random states ------------------------------------------------------------------------------

GRAPHS = (
    HEAD
    + """
struct many { long n; int data[1]; };
enum kind { NODE, NUMBER };
struct node {
    int value;
    enum kind kind;
    union { struct node *node; long number; } u;
    struct node *left, *right;
    int *to;
    char *text;
    struct many *many;
};
static char *in;
static struct node fixed[2], *roots[3], *block;
static int next(int n) { return *in ? (*in++ - 'A') % n : 0; }

static void build(struct node *here) {
    struct node *all[12];
    int n = 0, blocks = 1 + next(3), more = next(4);
    block = calloc(blocks, sizeof *block);
    for (int i = 0; i < 2; i++) { all[n++] = &fixed[i]; all[n++] = &here[i]; }
    for (int i = 0; i < blocks; i++) all[n++] = &block[i];
    for (int i = 0; i < more; i++) all[n++] = calloc(1, sizeof **all);
    for (int i = 0; i < n; i++) {
        struct node *each = all[i];
        each->value = next(3);
        each->kind = next(2);
        if (each->kind == NODE) each->u.node = next(2) ? all[next(n)] : NULL;
        else each->u.number = next(9);
        each->left = next(3) ? all[next(n)] : NULL;
        each->right = next(3) ? all[next(n)] : NULL;
        if (next(2)) {
            long size = 1 + next(9);
            each->many = calloc(1, sizeof(long) + size * sizeof(int));
            each->many->n = size;
            for (int k = 0; k < size; k++) each->many->data[k] = next(3);
        }
        switch (next(3)) {
        case 0: each->text = strdup("some text" + next(5)); break;
        case 1: each->text = "constant" + next(3); break;
        }
    }
    for (int i = 0; i < n; i++) {
        struct node *other = all[next(n)];
        int *cell = other->many && next(2) ? &other->many->data[next(2)] : &other->value;
        if (next(2)) all[i]->to = cell;
        if (!all[i]->text && all[next(n)]->text) all[i]->text = all[0]->text;
    }
    for (int i = 0; i < 3; i++) roots[i] = next(4) ? all[next(n)] : NULL;
}

static unsigned sum(struct node *node, int depth) {
    if (!node || !depth) return 1;
    unsigned found = node->value + 3 * node->kind + (node->to ? 5 * *node->to : 0);
    found = found * 7 + (node->text ? strlen(node->text) : 9);
    for (long i = 0; node->many && i < node->many->n; i++) found = found * 3 + node->many->data[i];
    found += node->kind == NODE ? sum(node->u.node, depth - 1) : node->u.number;
    return (found * 5 + sum(node->left, depth - 1)) * 11 + sum(node->right, depth - 1);
}

int main(int argc, char **argv) {
    struct node here[2];
    memset(here, 0, sizeof here);
    in = argv[1];
    build(here);
    unsigned found = 0; /* HERE */
    for (int i = 0; i < 3; i++) found = found * 13 + sum(roots[i], 5);
    return (found * 31 + sum(here, 5) + sum(fixed + 1, 5)) % 251;
}
"""
)

TRIES = 6


def test_random_states_become_each_other(gdb):
    """All differences make the graphs equal, and the program goes on as the other one does.

    Of a subset what is read again is what it was meant to be, or it cannot be made.
    """
    dice = random.Random(16)
    made = 0
    for _ in range(TRIES):
        inputs = ["".join(dice.choices("ABCDEFGHIJKL", k=dice.randrange(20, 150))) for _ in "12"]
        two = Two(gdb, GRAPHS, *inputs)
        nothing = Alteration({}, two.states[1], two.states[1])
        assert two.all() == gdb.changed(GRAPHS, inputs[1], nothing)[1]
        deltas = two.difference.deltas
        some = two.difference.needs.closed({each.number for each in deltas if dice.random() < 0.7})
        try:
            two.apply(some)
            made += 1
        except CannotBeMade:
            pass
    assert made > TRIES // 2
