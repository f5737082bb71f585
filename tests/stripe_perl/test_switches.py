"""Which perl runs a program, and with which switches."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from stripe.backend import AUTOMATIC, Target
from stripe.errors import UsageError
from stripe_perl.backend import PerlBackend
from stripe_perl.interpreter import find_perl, switches
from tests.stripe_perl.perl import needs_perl, recorded, written


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("#!/usr/bin/perl -w", []),
        ("#!/usr/bin/perl -wT", ["-T"]),
        ("#!/opt/perl/bin/perl -CSDA -t", ["-CSDA", "-t"]),
        ("#!/usr/bin/env -S perl -w -T", ["-T"]),
        ("#!perl -TCS", ["-T", "-CS"]),
        ("#!/usr/bin/perl -I/usr/lib/perl -MTest", []),
        ("# perl -T", []),
    ],
)
def test_switches_that_the_command_line_has_to_have(
    tmp_path: Path, line: str, told: list[str]
) -> None:
    (tmp_path / "prog.pl").write_text(f"{line}\nprint 1;\n", "utf-8")
    assert switches(Target("prog.pl", directory=tmp_path)) == told


@needs_perl
@pytest.mark.parametrize(
    ("line", "text", "stdin", "said"),
    [
        ("-w", "my $x; print 'a' . $x;", "", b"a"),
        ("-n", "print uc if /b/;", "ab\ncd\n", b"AB\n"),
        ("-p", "s/a/x/;\nBEGIN { $ENV{PATH} = '' }", "ab\ncd\n", b"xb\ncd\n"),
        ("-nl", "my @f = split; print $f[1];", "a b\nc d\n", b"b\nd\n"),
        ("-T", "print ${^TAINT};", "", b"1"),
        ("-Ilib", "use Mine; print Mine::f();", "", b"mine"),
        ("-CS", "print chr 0xe9;", "", b"\xc3\xa9"),
        ("-s", "our $verbose; print $verbose ? 'v' : 'q';", "", b"q"),
    ],
)
def test_they_hold_in_each_run(
    tmp_path: Path, line: str, text: str, stdin: str, said: bytes
) -> None:
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "Mine.pm").write_text("package Mine;\nsub f { 'mine' }\n1;\n", "utf-8")
    with written(tmp_path, f"#!/usr/bin/perl {line}\n{text}\n", stdin) as recording:
        assert recording.plain.stdout == said
        assert recording.recorded.stdout == said
        assert recording.recorded.stderr == recording.plain.stderr
        assert len(recording.trace) >= 1
        with recording.replay([]) as run:
            assert said not in run.stdout or line == "-p"


@needs_perl
def test_rounds_of_a_program_for_each_line(tmp_path: Path) -> None:
    with written(tmp_path, "#!/usr/bin/perl -n\n$n++;\nprint $n if eof;\n", "a\nb\n") as recording:
        lines = [recording.trace.statements[each].line for each in recording.trace.statement]
        assert (recording.recorded.stdout, lines.count(2)) == (b"2", 2)


@needs_perl
def test_the_perl_that_is_asked_for(tmp_path: Path) -> None:
    own, asked = tmp_path / "bin" / "perl", tmp_path / "other-perl"
    own.parent.mkdir()
    perl = shutil.which("perl")
    assert perl is not None
    for each in (own, asked):
        each.symlink_to(perl)
    (tmp_path / "prog.pl").write_text(f"#!{own}\nprint $^X;\n", "utf-8")
    target = Target("prog.pl", directory=tmp_path)
    assert find_perl(target) == str(own)
    assert find_perl(Target("prog.pl", directory=tmp_path, python=AUTOMATIC)) == str(own)
    assert find_perl(Target("prog.pl", directory=tmp_path, python=str(asked))) == str(asked)
    assert find_perl(Target("prog.pl", directory=tmp_path, python="./other-perl")) == str(asked)
    (tmp_path / "prog.pl").write_text("#!/no/such/perl\nprint 1;\n", "utf-8")
    assert find_perl(target) == perl
    with pytest.raises(UsageError) as refused:
        PerlBackend().record(Target("prog.pl", directory=tmp_path, python="no-perl-of-that-name"))
    assert (refused.value.slug, "--perl" in refused.value.hint) == ("no-perl", True)


@needs_perl
def test_modules_of_the_working_directory_are_found_in_its_copies(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "Mine.pm").write_text("package Mine;\nsub f {\n  'mine'\n}\n1;\n", "utf-8")
    (tmp_path / "prog.pl").write_text("use Mine;\nprint Mine::f();\n", "utf-8")
    monkeypatch.setenv("PERL5LIB", os.fspath(tmp_path / "lib"))
    with recorded(tmp_path / "prog.pl") as recording:
        files = [each.path for each in recording.trace.files]
        assert (recording.recorded.stdout, "lib/Mine.pm" in files) == (b"mine", True)
