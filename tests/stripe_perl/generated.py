"""Random programs: those of which the parts can be written as programs of their own, and others."""

from __future__ import annotations

import random
from collections.abc import Sequence

from stripe.trace import Trace


class Straight:
    """A program of simple statements, conditions, loops and calls without arguments.

    Its variables are global, so what remains of it is the straight-line program of the kept events.
    """

    def __init__(self, seed: int) -> None:
        self.dice = random.Random(seed)
        self.lines: list[str] = []
        self._counters = 0
        self._simple: dict[int, str] = {}  # by line
        self._condition: dict[int, str] = {}
        subs = self.dice.randint(0, 2)
        for number in range(subs):
            self._add(f"sub f{number} {{")
            self._block(2, number, in_loop=False)
            self._add("}")
        self._block(0, subs, in_loop=False)
        self._add(r'print "|$a $b $c $d";', simple=r'print "|$a $b $c $d";')

    @property
    def text(self) -> str:
        return "\n".join(self.lines) + "\n"

    def part(self, trace: Trace, kept: Sequence[int]) -> str:
        """The straight-line program of some events."""
        code = []
        for event in kept:
            statement = trace.statements[trace.statement[event]]
            decides = statement.kind in ("if", "loop")
            code.append((self._condition if decides else self._simple).get(statement.line, ""))
        return "\n".join(code) + "\n"

    def _add(self, line: str, simple: str = "", condition: str = "") -> None:
        self.lines.append(line)
        if simple:
            self._simple[len(self.lines)] = simple
        if condition:
            self._condition[len(self.lines)] = condition + ";"

    def _variable(self) -> str:
        return "$" + self.dice.choice("abcd")

    def _value(self) -> str:
        one, other, number = self._variable(), self._variable(), self.dice.randint(0, 5)
        return self.dice.choice(
            [one, str(number), f"{one} + {number}", f"{one} % 3", f"{one} * 2 - {other}"]
        )

    def _test(self) -> str:
        one, other, number = self._variable(), self._variable(), self.dice.randint(0, 4)
        return self.dice.choice(
            [
                f"{one} > {number}",
                f"{one}++ < 3",
                f"({one} = {self._value()}) > 1",
                f"{one} && {other} > 1",
                f"{one} == {other} || {one}++",
            ]
        )

    def _statement(self) -> str:
        one = self._variable()
        return self.dice.choice(
            [
                f"{one} = {self._value()};",
                f"{one} += {self._value()};",
                f'print "{one},";',
                f"{one}++;",
            ]
        )

    def _counting(self, how: str) -> str:
        self._counters += 1
        return f"$k{self._counters}++ {how} {self.dice.randint(0, 3)}"

    def _block(self, depth: int, subs: int, *, in_loop: bool) -> None:
        for _ in range(self.dice.randint(1, 5 - depth)):
            self._anything(depth, subs, in_loop)

    def _anything(self, depth: int, subs: int, in_loop: bool) -> None:
        kinds = ["simple"] * 4 + ["modified", "jump" if in_loop else "modified"]
        if depth < 3:
            kinds += ["if"] * 3 + ["while", "until", "for", "do", "call" if subs else "simple"]
        kind, statement, test = self.dice.choice(kinds), self._statement(), self._test()
        word = self.dice.choice(["if", "unless"])
        if kind == "simple":
            self._add(statement, simple=statement)
        elif kind == "modified":
            self._add(f"{statement[:-1]} {word} {test};", statement, test)
        elif kind == "jump":
            self._add(f"{self.dice.choice(['next', 'last'])} {word} {test};", condition=test)
        elif kind == "if":
            self._if(word, test, depth, subs, in_loop)
        elif kind == "until":
            test = self._counting(">=")
            self._add(f"{statement[:-1]} until {test};", statement, test)
        elif kind == "do":
            test = self._counting("<")
            self._add(f"do {{ {statement} }} while ({test});", statement, test)
        elif kind == "call":
            self._add(f"f{self.dice.randrange(subs)}();")
        else:
            test = self._counting("<")
            step = statement[:-1]
            head = f"while ({test}) {{" if kind == "while" else f"for (; {test}; {step}) {{"
            self._add(head, statement if kind == "for" else "", test)
            self._block(depth + 1, subs, in_loop=True)
            self._add("}")

    def _if(self, word: str, test: str, depth: int, subs: int, in_loop: bool) -> None:
        self._add(f"{word} ({test}) {{", condition=test)
        self._block(depth + 1, subs, in_loop=in_loop)
        if self.dice.random() < 0.4:
            test = self._test()
            self._add(f"}} elsif ({test}) {{", condition=test)
            self._block(depth + 1, subs, in_loop=in_loop)
        if self.dice.random() < 0.5:
            self._add("} else {")
            self._block(depth + 1, subs, in_loop=in_loop)
        self._add("}")


class Mixed:
    """A program of blocks in expressions, exceptions, closures, ``local``, jumps of all kinds."""

    def __init__(self, seed: int) -> None:
        self.dice = random.Random(seed)
        self._left = 60  # constructs that may still be nested
        lines = [
            "no warnings; our ($g, @l) = (3, 3, 1, 2);",
            "my ($x, $y, $z, $steps, $guard, %h) = (1, 2, 3, 0, 0, k => 1);",
        ]
        for number in range(3):
            lines += [f"sub s{number} {{ my ($p, $q) = @_; return 'deep' if ++$guard > 150;"]
            lines += [*self._block(1, "sub", number), f"{self._last(number)} }}"]
        lines += self._block(0, "", 3)
        lines += [
            'print "|$x $y $z $g @l ", join(",", map { "$_$h{$_}" } sort keys %h), "$steps $guard";'
        ]
        self.text = "\n".join(lines) + "\n"

    def _variable(self) -> str:
        return self.dice.choice(["$x", "$y", "$z", "$g", "$h{k}", "$l[0]", "$steps"])

    def _value(self, subs: int, depth: int = 0) -> str:
        if depth > 2:
            return self.dice.choice([self._variable(), str(self.dice.randint(0, 4))])

        def deeper() -> str:
            return self._value(subs, depth + 1)

        called = f"s{self.dice.randrange(subs)}(A, B)" if subs else "4"
        shape = self.dice.choice(
            [
                self._variable(), self._variable(), str(self.dice.randint(0, 5)),
                "(A + B)", "(A ? B : C)", "(A && B)", "(A || B)", "do { A }", "do { S; A }",
                "scalar(grep { A > 1 } 1 .. 3)",
                "scalar(@{[ map { my $m = $_; $m > 1 ? ($m, A) : () } 1 .. 3 ]})",
                "((sort { $a <=> $b || A } 3, 1, 2)[0])",
                "((sort { my $t = $b <=> $a; return $t if $t; 0 } @l)[0])",
                "(eval { A } // 7)", "(eval { die A; 1 } ? 1 : 2)",
                "(sub { my $n = shift; if ($n > 1) { return $n } $n + A })->(B)",
                "do { if (A) { B } else { C } }", called,
            ]
        )  # fmt: skip
        return self._filled(shape, deeper, subs)

    def _filled(self, shape: str, deeper: object, subs: int) -> str:
        assert callable(deeper)
        return "".join(
            deeper() if each in "ABC" else self._simple(subs) if each == "S" else each
            for each in shape
        )

    def _simple(self, subs: int) -> str:
        shape = self.dice.choice(
            [
                "V = A", "V++", 'print "V,"', f"my $m{self.dice.randint(0, 3)} = A",
                "push @l, A if @l < 6", "my ($n1, @n2) = (A, @l)", "A and V++", "A or print 'or,'",
                "A ? V++ : print('tern,')", "$h{j} = A", "s0(A)" if subs else "$x++",
            ]
        )  # fmt: skip
        shape = shape.replace("V", self._variable())
        return "".join(self._value(subs, 1) if each == "A" else each for each in shape)

    def _last(self, subs: int) -> str:
        shape = self.dice.choice(
            [
                "A", "if (A) { A } else { A }", "A and A", "return A;", "unless (A) { A }",
                "wantarray ? (1, A) : A", "for (1 .. 2) { $y++ }",
            ]
        )  # fmt: skip
        return "".join(self._value(subs, 1) if each == "A" else each for each in shape)

    def _block(self, depth: int, around: str, subs: int) -> list[str]:
        lines: list[str] = []
        for _ in range(self.dice.randint(1, 4 - min(depth, 3))):
            self._left -= 1
            small = depth >= 3 or self._left < 0
            lines += (
                self._small(around, subs)
                if small or self.dice.random() < 0.3
                else self._big(depth, around, subs)
            )
        return lines

    def _small(self, around: str, subs: int) -> list[str]:
        value = self._value(subs)
        kinds = [f"{self._simple(subs)};", f"{self._variable()}++ for 1 .. 2;"]
        if "loop" in around:
            kinds += [f"{self.dice.choice(['next', 'last'])} if {value};"]
        if "sub" in around:
            kinds += [f"return {self._value(subs)} if {value};"]
        if "eval" in around:
            kinds += [f"die {self.dice.choice(['q(x)', '{ a => 1 }', '5'])} if {value};"]
        return [self.dice.choice(kinds)]

    def _big(self, depth: int, around: str, subs: int) -> list[str]:
        value = self._value(subs)

        def body(more: str = "", *, instead: str | None = None) -> list[str]:
            return self._block(depth + 1, around + more if instead is None else instead, subs)

        in_sub = "sub" if "sub" in around else ""
        enough = "last if ++$guard > 200;"
        name = f"{abs(self._left)}_{depth}"
        kind = self.dice.randrange(8)
        if kind == 0:
            word = self.dice.choice(["if", "unless"])
            more = [f"}} elsif ({self._value(subs)}) {{", *body()] if kind % 2 else []
            return [f"{word} ({value}) {{", *body(), *more, "} else {", *body(), "}"]
        if kind == 1:
            variable = self.dice.choice(["my $i", "our $i", "$g", ""])
            items = self.dice.choice(["@l[0, 1]", "1 .. 2", "@l", "reverse 1 .. 2", f"{value}, 5"])
            return [f"for {variable} ({items}) {{ {enough}", *body("loop"), "}"]
        if kind == 2:
            return [f"{{ local $g = {value};", *body("loop"), "}"]
        if kind == 3:
            end = self.dice.choice(["};", "1 } or print 'caught,';", "1 } or do { $z++ };"])
            return ["eval {", *body(instead=in_sub + "eval"), end, "print $@ ? 'err,' : '';"]
        if kind == 4:
            head = f"my $w{name} = 0; while ($w{name}++ < 2 || {value}) {{ {enough}"
            return [head, *body("loop"), self.dice.choice(["}", "} continue { $x++ }"])]
        if kind == 5:
            return ["do {", *body(instead=in_sub), "} while (++$guard % 3 == 0 && $guard < 200);"]
        if kind == 6:
            return [f"for (my $i = 0; $i < 3; $i++) {{ {enough}", *body("loop"), "}"]
        made = [
            f"my $f{name} = sub {{ my $k = shift;",
            *body(instead="sub"),
            f"{self._last(subs)} }};",
        ]
        return [*made, f"print $f{name}->({value}) // 'u', ',';"]
