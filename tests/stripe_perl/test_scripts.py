"""Scripts that come with perl and Debian, with the modules that do their work."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import zipfile
from pathlib import Path

import pytest

from stripe.backend import End
from tests.stripe_perl.bare import PERLS_OWN
from tests.stripe_perl.perl import needs_perl, recorded

pytestmark = [needs_perl, pytest.mark.realworld]

CONFIGURATIONS = int(os.environ.get("STRIPE_TEST_CONFIGURATIONS", "4"))

SCRIPTS: dict[str, tuple[str, list[str], str]] = {
    "json_pp": ("JSON/PP.pm", [], '{"b":[1,2,{"c":null}],"a":"x"}'),
    "pod2text": ("Pod/Text.pm", ["doc.pod"], ""),
    "pod2man": ("Pod/Man.pm", ["--date=x", "--release=1", "doc.pod"], ""),
    "pod2usage": ("Pod/Usage.pm", ["doc.pod"], ""),
    "pod2html": ("Pod/Html.pm", ["--infile=doc.pod"], ""),
    "podchecker": ("Pod/Checker.pm", ["doc.pod"], ""),
    "corelist": ("", ["-v", "5.8.8", "JSON::PP", "Carp"], ""),
    "shasum": ("", ["doc.pod", "data.txt"], ""),
    "ptargrep": ("", ["-l", "alpha", "a.tar"], ""),
    "ptar": ("", ["-tf", "a.tar"], ""),
    "zipdetails": ("", ["a.zip"], ""),
    "piconv": ("", ["-f", "utf8", "-t", "latin1", "data.txt"], ""),
    "xsubpp": ("ExtUtils/ParseXS.pm", ["a.xs"], ""),
    "prove": ("", ["--version"], ""),
    "encguess": ("", ["doc.pod", "data.txt"], ""),
    "h2ph": ("", ["-d", ".", "-Q", "a.h"], ""),
    "pl2pm": ("", ["old.pl"], ""),
    "streamzip": ("", ["-stream", "-method=store", "-zipfile=o.zip"], "data"),
    "instmodsh": ("", [], "q\n"),
    "splain": ("", ["/dev/null"], ""),
    "dpkg-vendor": ("", ["--query", "vendor"], ""),
    "callgrind_annotate": ("", ["--version"], ""),
    "ms_print": ("", ["massif.out"], ""),
    "mtrace": ("", ["mtrace.log"], ""),
    "grog": ("", ["a.1"], ""),
}
"""By name: the module that is traced as well, the arguments, and what is read."""

FILES = {
    "doc.pod": "=head1 NAME\n\nx - I<doc> of B<x>\n\n=head1 SYNOPSIS\n\n  x [options]\n\n"
    "=over 4\n\n=item B<-a>\n\nAll L<perl>.\n\n=back\n\n=cut\n",
    "data.txt": "alpha\nbeta\n",
    "a.xs": '#include "perl.h"\n\nMODULE = A PACKAGE = A\n\nint\nadd(a, b)\n    int a\n    int b\n',
    "a.h": "#ifndef A_H\n#define A_H 1\n#define MAX(a,b) ((a) > (b) ? (a) : (b))\n#endif\n",
    "old.pl": "package old;\nsub main'f { return 1; }\n1;\n",
    "a.1": ".TH A 1\n.SH NAME\na \\- b\n.TS\nl l.\n1\t2\n.TE\n",
    "mtrace.log": "= Start\n@ ./a:[0x1] + 0x2000 0x10\n@ ./a:[0x3] - 0x2000\n= End\n",
    "massif.out": "desc: --x\ncmd: ./a\ntime_unit: i\n#-----------\nsnapshot=0\n#-----------\n"
    "time=0\nmem_heap_B=0\nmem_heap_extra_B=0\nmem_stacks_B=0\nheap_tree=empty\n",
}


def make(folder: Path, name: str, module: str) -> Path:
    """A folder with a script, its module and what it reads; skips the test where there is none."""
    script = shutil.which(name)
    if script is None:
        pytest.skip(f"there is no {name}")
    shutil.copy(script, folder / "prog.pl")
    if module:
        command = ["perl", "-e", "print join qq(\\n), @INC"]
        folders = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
        found = [Path(each, module) for each in folders if Path(each, module).is_file()]
        (folder / "lib" / module).parent.mkdir(parents=True)
        shutil.copy(found[0], folder / "lib" / module)
    for each, text in FILES.items():
        (folder / each).write_text(text, "utf-8")
    subprocess.run(["tar", "cf", "a.tar", "data.txt"], cwd=folder, check=True)
    with zipfile.ZipFile(folder / "a.zip", "w") as archive:
        archive.writestr(zipfile.ZipInfo("a.txt"), "alpha" * 9)
    return folder / "prog.pl"


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_script_is_replayed_in_full_and_in_part(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    module, arguments, stdin = SCRIPTS[name]
    program = make(tmp_path, name, module)
    monkeypatch.setenv("PERL5LIB", str(tmp_path / "lib"))
    dice = random.Random(name)
    with recorded(program, stdin, arguments=arguments, timeout=60.0) as recording:
        events = range(len(recording.trace))
        assert events
        for _ in range(CONFIGURATIONS):
            share = dice.choice([0.1, 0.5, 0.9])
            kept = recording.trace.close([e for e in events if dice.random() < share])
            with recording.replay(kept) as run:
                assert run.end in (End.EXITED, End.DIVERGED), (kept, run)
                assert not any(words.encode() in run.stderr for words in PERLS_OWN), run.stderr
