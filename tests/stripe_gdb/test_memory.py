"""States of C programs: what is in memory, and what a pointer leads to (Why Programs Fail, A.2)."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from stripe.states import Graph, Kind
from tests.states.memory import member
from tests.stripe_gdb.native import needs_cc, needs_cxx, needs_gdb
from tests.stripe_gdb.reading import Reader, reader

pytestmark = [needs_gdb, needs_cc]


@pytest.fixture(scope="module")
def gdb(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reader]:
    with reader(tmp_path_factory.mktemp("gdb")) as found:
        yield found


HEAD = "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n"


def program(body: str, before: str = "") -> str:
    return f"{HEAD}{before}\nint main(int argc, char **argv) {{\n{body}\nreturn 0; /* HERE */\n}}\n"


def values(graph: Graph) -> dict[str, str]:
    """What has a value, by name."""
    return {
        graph.name(each): graph.vertices[each].text
        for each in graph.reached
        if graph.vertices[each].kind is Kind.ATOM and "arg" not in graph.name(each)
    }


def leads_to(graph: Graph, name: str) -> str:
    """The name of what a pointer leads to; empty if it is null."""
    return next((graph.name(each) for each in graph.children[graph.number(name)].values()), "")


def test_a_record_is_a_vertex_and_each_of_its_members(gdb):
    graph = gdb.graph(program("int i = 42; struct foo { int val; } f = {47};"))
    assert values(graph) == {"i": "42", "f.val": "47"}
    assert graph.vertices[graph.number("f")].type == "struct foo"


def test_aliases_are_unfolded_once(gdb):
    graph = gdb.graph(
        program("struct foo { int val; } f = {1}; struct foo *p1, *p2; p1 = p2 = &f;")
    )
    f = graph.number("f")
    assert [graph.name(e.source) for e in graph.edges() if e.target == f] == ["", "p1", "p2"]


def test_numbers_are_told_exactly(gdb):
    body = """
    unsigned char u = 200; signed char s = -3; char c = 'x', z = 1; long long l = -5;
    float f = 0.1f; double d = 0.1; long double e = 0.5L;
    enum color { RED, GREEN = 5 } one = GREEN, other = 7; _Bool b = 1;
    struct { unsigned a : 3; int b : 5; } bits = { 5, -4 };
    """
    assert values(gdb.graph(program(body))) == {
        "u": "200", "s": "-3", "c": "'x'", "z": "1", "l": "-5", "f": "0.10000000149011612",
        "d": "0.1", "e": "0.5", "one": "GREEN", "other": "7", "b": "true",
        "bits.a": "5", "bits.b": "-4",
    }  # fmt: skip


def test_frames_and_globals(gdb):
    source = f"""{HEAD}
    int shared = 1; static int own = 2;
    static int inner(int x) {{
        static int calls = 7; int y = x + calls;
        return y; /* HERE */
    }}
    int outer(int a) {{
        int b = a;
        if (b) {{
            int a = 9;
            return inner(a);
        }}
        int later = 1;
        return later;
    }}
    int main(void) {{ int m = 3; return outer(m); }}
    """
    assert values(gdb.graph(source)) == {
        "shared": "1", "own": "2", "inner::calls": "7", "x": "9", "y": "16",
        "outer:a@10": "3", "outer:b": "3", "outer:a": "9", "main:m": "3",
    }  # fmt: skip


def test_what_is_declared_further_down_is_not_there(gdb):
    body = """
    int a = 1;
    if (a) { /* HERE */
        int c = 3;
        a = c;
    }
    int b = 2; a = b;
    """
    assert values(gdb.graph(program(body))) == {"a": "1"}


def test_arrays_and_pointers_into_them(gdb):
    graph = gdb.graph(
        program("int a[3] = {1, 2, 3}; int m[2][2] = {{1, 2}, {3, 4}}; int *p = &a[1];")
    )
    assert graph.vertices[graph.number("m")].type == "int[2][2]"
    assert values(graph)["m[1][0]"] == "3"
    assert leads_to(graph, "p") == "a[1]"


def test_a_list_and_a_cycle(gdb):
    body = """
    struct node { int value; struct node *next; } *first = NULL;
    for (int n = 3; n > 0; n--) {
        struct node *node = malloc(sizeof *node);
        node->value = n; node->next = first; first = node;
    }
    struct node self = { 8, &self };
    """
    graph = gdb.graph(program(body))
    assert values(graph) == {
        "first->value": "1", "first->next->value": "2", "first->next->next->value": "3",
        "self.value": "8",
    }  # fmt: skip
    assert leads_to(graph, "first->next->next->next") == ""
    assert leads_to(graph, "self.next") == "self"


def test_a_block_is_as_long_as_it_may_be_used(gdb):
    graph = gdb.graph(program("int *a = malloc(12); a[0] = 9; a[1] = 8; a[2] = 7;"))
    assert values(graph) == {
        "a[0]": "9",
        "a[1]": "8",
        "a[2]": "7",
        "a[3]": "0",
        "a[4]": "0",
        "a[5]": "0",
    }


def test_a_large_block_is_found_as_well(gdb):
    graph = gdb.graph(program("double *a = calloc(100000, 8); a[1] = 0.5;"))
    assert values(graph)["a[1]"] == "0.5"


def test_argv_ends_with_a_null_pointer(gdb):
    graph = gdb.graph(program(""), "one two")
    argv = graph.number("*argv")
    assert len(graph.children[argv]) == 3
    assert graph.vertices[graph.number("*argv[2]")].text == '"two"'


def test_wild_and_freed_and_uninitialised_pointers_are_not_followed(gdb):
    body = """
    int *wild = (int *) 0x1234, *null = NULL, *gone = malloc(40), *odd = (int *) 0x7fffff000000;
    int *more = malloc(40); free(gone);
    """
    graph = gdb.graph(program(body))
    kinds = {name: graph.vertices[graph.number(name)].kind for name in ("null", "more")}
    assert kinds == {"null": Kind.POINTER, "more": Kind.POINTER}
    told = values(graph)
    assert [told[each] for each in ("wild", "gone", "odd")] == ["(invalid)"] * 3


def test_trailing_arrays_are_bounded_by_their_block(gdb):
    body = """
    struct old { long n; int data[1]; } *o = malloc(sizeof(long) + 4 * sizeof(int));
    struct new { long n; int data[]; } *f = malloc(sizeof(long) + 8 * sizeof(int));
    memset(o, 0, 24); memset(f, 0, 40); o->data[3] = 4; f->data[7] = 8;
    struct old here = { 1, { 2 } };
    """
    graph = gdb.graph(program(body))
    told = values(graph)
    assert (told["o->data[3]"], told["f->data[7]"], told["here.data[0]"]) == ("4", "8", "2")
    assert len(graph.children[graph.number("here.data")]) == 1


def test_the_end_of_an_array_and_the_middle_of_a_text_are_places_too(gdb):
    body = 'int a[2] = {1, 2}; char t[8] = "hello"; int *end = a + 2; char *m = t + 2; (void)end;'
    graph = gdb.graph(program(f"struct {{ int a[2]; }} s; {body} int *e = s.a + 2;"))
    assert values(graph)["t"] == '"hello"'
    middle = graph.vertices[graph.number("*m")]
    assert middle.text == "+2"
    assert leads_to(graph, "*m") == "t"


def test_functions_by_name(gdb):
    body = "int (*f)(const char *) = own; int (*none)(void) = 0;"
    told = values(gdb.graph(program(body, "int own(const char *t) { return !t; }")))
    assert told == {"f": "own", "none": "null"}


def test_texts(gdb):
    body = r"""
    char *constant = "a\"b\n", *copy = strdup("copy"), array[8] = "text", full[3] = {'a', 'b', 'c'};
    char flags[4] = {0, 1, 0, 0}; const char *none = NULL;
    """
    told = values(gdb.graph(program(body)))
    assert told == {
        "*constant": r'"a\"b\n"', "*copy": '"copy"', "array": '"text"', "full": '"abc" without end',
        "flags[0]": "0", "flags[1]": "1", "flags[2]": "0", "flags[3]": "0",
    }  # fmt: skip


def test_a_char_pointer_is_a_text_only_if_no_other_type_claims_the_place(gdb):
    body = """
    struct pair { int a, b; long c; } *p = malloc(16); p->a = 0x41; p->b = 2; p->c = 3;
    char *raw = (char *) p, *inner = raw + 4; void *any = p, *lone = malloc(8);
    """
    graph = gdb.graph(program(body))
    assert leads_to(graph, "any") == "*p"
    assert graph.vertices[graph.number("*raw")].text == "+0"
    assert leads_to(graph, "*inner") == "*p"
    assert graph.vertices[graph.number("*lone")].kind is Kind.OPAQUE


def test_a_pointer_to_a_number_does_not_make_the_block_an_array_of_numbers(gdb):
    body = """
    struct pair { int first; double second; }; int *inner; struct pair *p;
    p = malloc(sizeof *p); p->first = 1; p->second = 2.5; inner = &p->first;
    """
    graph = gdb.graph(program(body))
    assert values(graph) == {"*inner": "1", "p->second": "2.5"}
    assert graph.children[graph.number("*p")][member("first")] == graph.number("*inner")


def test_what_belongs_to_the_library_is_opaque(gdb):
    snapshot = gdb.snapshot(program("FILE *out = stdout; FILE *none = NULL;"))
    assert snapshot.unseen == {"struct _IO_FILE": 1}


UNION = """
enum kind { NUMBER, TEXT };
struct item { enum kind kind; union value { long number; char *text; } value; };
"""


@pytest.mark.parametrize(
    ("rules", "one", "two"),
    [
        ((), ("number", "0"), ("text", '"yes"')),
        (["value->number"], ("number", "0"), ("number", None)),
        (["struct item.value=kind:NUMBER->text"], ("text", None), ("text", '"yes"')),
        (["item.value=kind:1->number"], ("number", "0"), ("number", None)),
    ],
)
def test_a_union_by_its_tag_and_by_rules(gdb, rules, one, two):
    body = 'struct item a = { NUMBER, { 0 } }, b = { TEXT, { .text = "yes" } };'
    graph = gdb.graph(program(body, UNION), rules=rules)
    for name, (chosen, value) in (("a", one), ("b", two)):
        vertex = graph.number(f"{name}.value")
        assert graph.vertices[vertex].type == f"union value ({chosen})"
        if value is not None:
            assert value in values(graph).values()


def test_a_union_by_the_fewest_invalid_pointers(gdb):
    body = """
    int i = 3;
    union any { double number; int *pointer; } a = { 0.5 }, b = { .pointer = &i };
    struct wrong { long x; int *p; };
    struct { int type; union { struct wrong wrong; long right; } u; } c =
        { 0, { { 1, &i + 99999 } } };
    """
    graph = gdb.graph(program(body))
    types = [graph.vertices[graph.number(each)].type for each in ("a", "b", "c.u")]
    assert [each.partition(" (")[2] for each in types] == ["number)", "number)", "right)"]


@needs_cxx
def test_classes_are_records_with_their_bases(gdb):
    source = """// C++
    #include <vector>
    struct base { int a; virtual ~base() {} };
    struct derived : base { int b; };
    int main() {
        derived d; d.a = 1; d.b = 2; int i = 3; int &r = i;
        base *p = &d; std::vector<int> v = {4, 5, 6};
        return 0; /* HERE */
    }
    """
    graph = gdb.graph(source)
    told = values(graph)
    assert (told["d.base.a"], told["d.b"]) == ("1", "2")
    assert leads_to(graph, "r") == "i"
    assert leads_to(graph, "p") == "d.base"
    assert "6" in told.values()
