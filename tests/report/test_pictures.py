"""Pictures of two states: what is drawn and where; as SVG and for Graphviz; hostile names."""

from __future__ import annotations

import re
import shutil
import subprocess
from xml.etree import ElementTree

import pytest

from stripe.report.html.causes import page
from stripe.report.pictures import dot, svg
from stripe.report.pictures.boxes import boxes
from stripe.report.pictures.layout import layout
from stripe.results.causes import Cause, CausesResult, Edge, Graph, Role, Side, Vertex
from stripe.states import Content, Kind, Operation, Place, Step, unfold
from tests.report.test_html import EVIL, Reader
from tests.states.answers import answer, cause_at, laid_over, sample, state
from tests.support.patience import PATIENCE

SVG = "{http://www.w3.org/2000/svg}"


def told(found):
    """Each box as text: its title, then a line for each row; arrows by the number of the box."""
    return [
        [
            f"{box.side.value} {box.title}",
            *(
                " ".join([
                    row.role.value if row.role else "-", row.label,
                    *(f"{each.side.value}:{each.text or f'->{each.box}'}" for each in row.values),
                ])
                for row in box.rows
            ),
        ]
        for box in found
    ]  # fmt: skip


def test_a_row_for_each_variable_with_both_values_and_its_role() -> None:
    found = laid_over(
        state({"main": {"x": 1, "y": 2, "z": 5}}), state({"main": {"x": 1, "y": 3, "z": 6}}),
        ["y"], ["z"],
    )  # fmt: skip
    assert told(boxes(found)) == [
        ["both main", "- x both:1", "cause y passing:2 failing:3", "context z passing:5 failing:6"]
    ]


def test_what_is_shared_is_one_box_with_an_arrow_from_each_call() -> None:
    passing, failing = [1], [2]
    found = laid_over(
        state({"f": {"a": passing}, "g": {"b": passing}}),
        state({"f": {"a": failing}, "g": {"b": failing}}),
    )
    assert told(boxes(found)) == [
        ["both f", "- a both:->2"], ["both g", "- b both:->2"],
        ["both list", "- [0] passing:1 failing:2"],
    ]  # fmt: skip


def test_a_value_of_one_run_and_an_object_of_the_other_are_one_row() -> None:
    found = laid_over(state({"f": {"x": None}}), state({"f": {"x": [1]}}), ["x"])
    assert told(boxes(found)) == [
        ["both f", "cause x passing:None failing:->1"], ["failing list", "- [0] failing:1"],
    ]  # fmt: skip
    assert [box.role for box in boxes(found)] == [None, Role.CAUSE], "its title is marked"


def test_an_element_that_is_at_another_index() -> None:
    found = laid_over(state({"f": {"a": [1]}}), state({"f": {"a": [5, 1]}}), ["a[0]"])
    assert told(boxes(found))[1] == ["both list", "cause [0] failing:5", "- [1] (✓ [0]) both:1"]


def test_a_list_that_is_empty_in_one_run_is_no_value_there() -> None:
    found = laid_over(state({"f": {"a": []}, "g": {}}), state({"f": {"a": [5]}, "g": {}}))
    assert told(boxes(found)) == [
        ["both f", "- a both:->2"], ["both g"], ["both list", "- [0] failing:5"]
    ]  # fmt: skip


def test_what_is_left_out_is_counted() -> None:
    passing: dict[str, dict[str, object]] = {
        "f": {"a": list(range(90)), "b": 1}, "g": {"c": 1}, "h": {"c": 2},
    }  # fmt: skip
    failing = {**passing, "f": {"a": [*range(89), 7], "b": 1}}
    found = boxes(laid_over(state(passing), state(failing)))
    rows = [row.label for box in found for row in box.rows if row.quiet]
    assert rows == ["and 1 equal variable", "and 2 equal calls and modules", "and 89 equal parts"]


def test_pointers_are_arrows_and_all_kinds_of_vertices_are_drawn() -> None:
    """As in C: a pointer to a record with an array, a null one, and one into a variable."""
    number, array = Place("&i", "int"), Place("&a", "int [2]")
    memory = {
        Place("f", "main"): Content(Kind.RECORD, parts=[
            (Operation(Step.VARIABLE, "i"), number),
            (Operation(Step.VARIABLE, "p"), Place("&p", "int *")),
            (Operation(Step.VARIABLE, "r"), Place("&r", "struct r *")),
            (Operation(Step.VARIABLE, "none"), Place("&n", "char *")),
            (Operation(Step.VARIABLE, "map"), Place("&m", "map")),
            (Operation(Step.VARIABLE, "file"), Place("&o", "FILE")),
        ]),
        number: Content(Kind.ATOM, 42, 4, "42"),
        Place("&p", "int *"): Content(Kind.POINTER, "set", parts=[
            (Operation(Step.TARGET), number)]),
        Place("&r", "struct r *"): Content(Kind.POINTER, "set", parts=[
            (Operation(Step.TARGET), Place("r", "struct r"))]),
        Place("r", "struct r"): Content(Kind.RECORD, parts=[
            (Operation(Step.MEMBER, "a"), array)]),
        array: Content(Kind.ARRAY, size=2, parts=[
            (Operation(Step.ELEMENT, n), Place(f"a{n}", "int")) for n in range(2)]),
        Place("a0", "int"): Content(Kind.ATOM, 1, 4, "1"),
        Place("a1", "int"): Content(Kind.ATOM, 2, 4, "2"),
        Place("&n", "char *"): Content(Kind.POINTER),
        Place("&m", "map"): Content(Kind.MAPPING, parts=[
            (Operation(Step.KEY, "'k'"), Place("v", "int"))]),
        Place("v", "int"): Content(Kind.ATOM, 3, 4, "3"),
        Place("&o", "FILE"): Content(Kind.OPAQUE),
    }  # fmt: skip
    memory[Place("g", "globals")] = Content(
        Kind.RECORD, parts=[(Operation(Step.VARIABLE, "n"), number)]
    )
    memory[Place("m", "module m")] = memory[Place("g", "globals")]
    bases = {
        Operation(Step.FRAME, ""): Place("f", "main"),
        Operation(Step.MODULE, ""): Place("g", "globals"),
        Operation(Step.MODULE, "m"): Place("m", "module m"),
    }
    graph = unfold(bases, memory.__getitem__)
    assert {each.kind for each in graph.vertices} | {Kind.SEQUENCE} == set(Kind)
    assert told(boxes(laid_over(graph, graph))) == [
        ["both main", "- i both:->3", "- p both:->3", "- r both:->4", "- none both:null",
         "- map both:->5", "- file both:<FILE>"],
        ["both global variables", "- n both:->3"], ["both global variables of m", "- n both:->3"],
        ["both int", "-  both:42"], ["both struct r", "- a both:->6"],
        ["both map", "- ['k'] both:3"], ["both int [2]", "- [0] both:1", "- [1] both:2"],
    ]  # fmt: skip


def ways(graph: Graph):
    return layout(boxes(graph))


def test_boxes_are_in_columns_and_none_covers_another() -> None:
    one: list[object] = [1]
    one.append([one, [2, [3]], {"a": [4]}])
    found = ways(laid_over(state({"f": {"x": one}, "g": {"y": one}}), state({"f": {}, "g": {}})))
    assert {each.box.column for each in found.placed} == {0, 1, 2, 3, 4}
    for number, each in enumerate(found.placed):
        assert each.x + each.width <= found.width
        assert each.y + each.height <= found.height
        for other in found.placed[:number]:
            apart = (
                each.x >= other.x + other.width or other.x >= each.x + each.width
                or each.y >= other.y + other.height or other.y >= each.y + each.height
            )  # fmt: skip
            assert apart, (each, other)
    assert any(
        found.placed[each.target].box.column < found.placed[each.source].box.column
        for each in found.arrows
    ), "a cycle goes back"


def test_an_object_in_itself_is_drawn() -> None:
    one: list[object] = []
    one.append(one)
    found = laid_over(state({"f": {"x": one}}), state({"f": {"x": one}}))
    assert told(boxes(found))[1] == ["both list", "- [0] both:->1"]


def test_what_a_stranger_wrote_is_drawn_too() -> None:
    """As a file may have it: the root in itself, vertices that nothing leads to."""
    node = Vertex(Kind.ATOM, "t", Side.BOTH, "1", "1", None, 3, 2)
    root = Vertex(Kind.ROOT, "", Side.BOTH)
    links = [Edge(0, 0, Step.FRAME, "f", None, Side.PASSING, None, 0)] * 3
    assert told(boxes(Graph((root, node), tuple(links), 0, 0)))
    assert told(boxes(Graph((root,), (), 0, 0))) == []
    assert ways(Graph((root,), (), 0, 0)).placed == []


def test_the_file_is_one_picture_of_each_step_and_the_same_each_time() -> None:
    text = svg.document(sample())
    assert text == svg.document(sample())
    tree = ElementTree.fromstring(text)
    written = [each.text for each in tree.iter(f"{SVG}text")]
    heads = [each for each in written if each and re.match("(At|hence at|then at) ", each)]
    assert heads == [
        "At main:3, `n` was 3 instead of 4",
        "hence at work:5, `a[1]` was 5 instead of 2, while `k` was 2 instead of 1",
        "then at main:9, `found` was {'key': [1]} instead of None",
    ]  # fmt: skip
    assert written.count("●") == 4, "the new dict has one as well"
    assert written.count("○") == 1
    assert "✓ 4" in written
    assert "✗ 3" in written
    assert not re.search(r"(href|src|url)\s*[=(]", text), "it needs nothing else"


def test_graphviz_reads_the_other_one() -> None:
    if shutil.which("dot") is None:
        pytest.skip("there is no dot (apt-get install graphviz)")
    for result in (sample(), hostile()):
        done = subprocess.run(
            ["dot", "-Tplain"], input=dot.document(result), capture_output=True, text=True,
            check=False, timeout=PATIENCE,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        assert done.stderr == ""
        assert done.stdout.count("graph 1 ") == len(result.steps)


def test_a_graph_for_each_step_with_its_arrows() -> None:
    text = dot.document(sample())
    assert re.findall(r"^digraph (\w+)", text, re.M) == ["step1", "step2", "step3"]
    assert text.count("subgraph cluster") == 4, "a cluster for each call"
    assert 'b0:r0 -> b2 [color="gray30" style=solid]' in text
    assert 'b0:r2 -> b2 [color="#8a5a00" style=dashed]' in text


def hostile() -> CausesResult:
    """Every name and value tries to break out, and is long, and controls the terminal."""
    bad = EVIL + '"\n\\' + "long " * 60

    def cause() -> Cause:
        passing = {bad: {bad: 1, "w": ["日本語" * 20, bad]}}
        failing = {bad: {bad: bad * 3, "w": ["日本語" * 20, "x\ny"]}}
        return cause_at(4, passing, failing, [bad], [], file=bad)

    return answer(cause(), cause(), evil=bad)


def test_nothing_of_the_program_becomes_markup() -> None:
    result = hostile()
    tree = ElementTree.fromstring(svg.document(result))
    names = {each.tag.removeprefix(SVG) for each in tree.iter()}
    assert names == {"svg", "title", "style", "rect", "path", "g", "text"}
    for text in (page(result), svg.document(result), dot.document(result)):
        assert "\u202e" not in text
        assert "\x1b" not in text
    reader = Reader(page(result))
    assert "script" not in reader.elements, "it has none of its own"
    assert "img" not in reader.elements
    assert not [name for name, _ in reader.attributes if name.startswith("on") or name == "style"]
    ids = [value for name, value in reader.attributes if name == "id"]
    assert len(ids) == len(set(ids))


def test_the_page_tells_the_chain_its_places_and_the_transitions() -> None:
    text = page(sample())
    assert "script-src" not in text
    assert text.count('<p class="transition">') == 2
    assert "<code>a[1]</code> since <code>work:5</code>, perhaps others between" in text
    assert text.count('<tr class="now">') == 3
    assert '<code class="failing">{&#39;key&#39;: [1]}</code>' in text
    assert "hence the failure: <b>ValueError: bad</b>" in text
    assert "(not shown to follow: it is not);" in text
    assert ", 1 of them changed as well" in text
