"""Syntax trees beside the small scanners: tests, time and result size of the same reductions."""

from __future__ import annotations

import random
import shutil
from collections.abc import Iterator

from benchmarks.inputs import Task, c_program, reduce_with
from benchmarks.measure import Row, Sizes, value

FINER = "lines,tokens,chars"
PARTS = 4
"""Classes, types or sections of a program or page."""


def run(sizes: Sizes) -> Iterator[Row]:
    for number, (scanner, task) in enumerate(tasks(PARTS)):
        if sizes.quick and number > 1:
            return  # compilers of other languages take their time
        for units in (f"{scanner},{FINER}", f"syntax,{FINER}", "syntax"):
            outcome = reduce_with(task(units), "stripe")
            if outcome is None or not outcome.ended:
                continue
            what = f"{task(units).name}: {units} ({outcome.size} bytes, {outcome.seconds:.1f} s)"
            yield value("syntax", what, [outcome.tests], "tests")


class _Task:
    """A task that is done in several kinds of units."""

    def __init__(self, name: str, file: str, content: str, test: str) -> None:
        self.facts = name, file, content.encode(), test

    def __call__(self, units: str) -> Task:
        return Task(*self.facts, units)


def tasks(size: int) -> Iterator[tuple[str, _Task]]:
    """Programs of several languages, each with the scanner that cuts it without a grammar."""
    yield "markup", _Task(
        "HTML", "page.html", page(size),
        "grep -q '<li.*<a href=.*item-3-' \"$f\" && "
        'test "$(grep -o "<[a-z]" "$f" | wc -l)" = "$(grep -o "</[a-z]" "$f" | wc -l)"',
    )  # fmt: skip
    if shutil.which("gcc"):
        yield "braces", _Task(
            "C", "prog.c", c_program().decode(),
            'gcc -std=c99 -Wall -c -o out.o "$f" 2> said && grep -q "unused variable" said && '
            'grep -q "int main" "$f"',
        )  # fmt: skip
    if shutil.which("g++"):
        yield "braces", _Task(
            "C++", "prog.cpp", cpp_program(size),
            'g++ -std=c++17 -fsyntax-only "$f" 2> said && exit 1; '
            "grep -q 'no match for .operator+. (operand types are .Plain. and .const Plain' said",
        )  # fmt: skip
    if shutil.which("node"):
        yield "braces", _Task(
            "JavaScript", "prog.js", javascript_program(size),
            'node --check "$f" 2> said && grep -q "await " "$f" && grep -q "continue;" "$f"',
        )  # fmt: skip
    if shutil.which("rustc"):
        yield "braces", _Task(
            "Rust", "lib.rs", rust_program(size),
            'rustc --edition 2021 --crate-type lib --emit metadata -o out "$f" 2> said && exit 1; '
            "grep -q '^error.E0502' said && ! grep '^error' said | grep -qv 'E0502\\|aborting'",
        )  # fmt: skip


def page(size: int) -> str:
    rows = [
        f'<section class="s{n}"><h2 id="h{n}">Part <em>{n}</em></h2>\n<ul>'
        + "".join(f'<li><a href="/item-{n}-{i}">Item <b>{i}</b></a></li>\n' for i in range(6))
        + "</ul></section>\n"
        for n in range(size)
    ]
    return f"<!DOCTYPE html>\n<html><body>\n{''.join(rows)}</body></html>\n"


def javascript_program(size: int) -> str:
    dice = random.Random(4)
    parts = [
        f"""\
class Store{n} {{
    constructor(limit, {{ depth = {dice.randrange(9)}, names = [] }} = {{}}) {{
        this.limit = limit + {dice.randrange(99)};
        this.names = names.map((name) => name.trim());
        this.depth = depth;
    }}
    async load(urls, options) {{
        const found = [];
        for (const url of urls) {{
            if (this.depth > {dice.randrange(9)} && !options.all) {{
                continue;
            }}
            const answer = await fetch(`${{url}}/${{this.limit}}`, {{ method: "GET", ...options }});
            found.push(answer.ok ? answer.body : null);
        }}
        return found.filter((each) => each !== null);
    }}
}}
"""
        for n in range(size)
    ]
    return "\n".join(parts)


def rust_program(size: int) -> str:
    dice = random.Random(5)
    parts = ["use std::fmt;\n"]
    parts += [
        f"""\
#[derive(Debug, Clone)]
pub struct Item{n} {{ pub id: u32, name: String, values: Vec<u{dice.choice([8, 16, 32])}> }}

impl Item{n} {{
    pub fn new(id: u32, name: &str) -> Self {{
        Item{n} {{ id, name: name.to_string(), values: vec![{dice.randrange(9)}; {n + 1}] }}
    }}
    pub fn total(&self, limit: usize) -> u64 {{
        let mut sum: u64 = {dice.randrange(99)};
        for (index, value) in self.values.iter().enumerate() {{
            if index > limit && sum < {dice.randrange(999)} {{ break; }}
            sum += *value as u64 * {dice.randrange(1, 9)};
        }}
        match sum {{ 0 => 1, {dice.randrange(1, 50)} => sum * 2, _ => sum }}
    }}
}}

impl fmt::Display for Item{n} {{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {{
        write!(f, "{{}}: {{}}", self.id, self.name)
    }}
}}
"""
        for n in range(size)
    ]
    parts += ["""\
pub fn broken(count: usize) -> usize {
    let mut items: Vec<Item3> = Vec::new();
    for number in 0..count { items.push(Item3::new(number as u32, "x")); }
    let first = &items[0];
    if count > 3 {
        items.push(Item3::new(7, "late"));
    }
    println!("{}", first);
    items.len()
}
"""]  # fmt: skip
    return "\n".join(parts)


def cpp_program(size: int) -> str:
    dice = random.Random(6)
    parts = ["#include <string>\n#include <vector>\n#include <map>\n"]
    parts += [
        f"""\
template <typename T> class Box{n} {{
public:
    explicit Box{n}(const T &value, int size = {n}) : value_(value), size_(size) {{}}
    T get(int times) const {{
        T result = value_;
        for (int i = 0; i < times && i < size_; ++i) {{
            if (i % 2 == 0) result = result + value_;
            else result = value_;
        }}
        return result;
    }}
private:
    T value_;
    int size_;
}};
static int use{n}(int a, int b)
{{
    Box{n}<int> box(a, b);
    std::vector<int> all{{a, b, {dice.randrange(99)}}};
    int sum = 0;
    for (int each : all) sum += box.get(each);
    return sum;
}}
"""
        for n in range(size)
    ]
    calls = "".join(f"    int r{n} = use{n}(argc, {n});\n" for n in range(size))
    parts += ["struct Plain { int x; };\nint main(int argc, char **argv)\n{\n" + calls + """\
    std::map<std::string, Plain> known;
    Box3<Plain> wrong(Plain{argc}, 3);
    if (argc > 2) {
        known[argv[1]] = wrong.get(2);
    }
    return r0 + r1;
}
"""]  # fmt: skip
    return "\n".join(parts)
