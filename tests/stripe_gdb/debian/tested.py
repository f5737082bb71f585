"""Programs that tests trace.

Lines executed by their command lines, counted by gcov: dos2unix 200, banner 400, unifdef 800,
tree 1,500, ed 1,900, units 5,500, mawk 7,600, dc 9,300, figlet 37,000.
"""

from __future__ import annotations

from tests.stripe_gdb.debian.building import CONFIGURE, MAKE, DebianProgram

DOUBLE = b"flf2a$ 2 2 4 -1 0\n" + b"".join(
    b"%c%c@\n%c-@@\n" % (code, code, code) for code in range(ord(" "), ord("~") + 1)
)
"""A font for figlet: every character twice, over itself and a dash."""

PROGRAMS: tuple[DebianProgram, ...] = (
    DebianProgram(
        name="mawk",
        package="mawk",
        build=(CONFIGURE, ("make", "mawk")),
        binary="mawk",
        arguments=('{ sum[$1] += $2; all += $2 } END { print sum["ann"]; print all }',),
        stdin=b"ann 12\nbob 7\ncid 30\nann 5\n",
        check="stdout:/^54/",
        stdout=b"17\n54\n",
    ),
    DebianProgram(
        name="dc",
        package="bc",
        build=(CONFIGURE, ("make", "-C", "lib"), ("make", "-C", "dc")),
        binary="dc/dc",
        stdin=b"6 7 * p\n2 10 ^ p\n3 k 2 v p\n",
        check="stdout:/^42/",
        stdout=b"42\n1024\n1.414\n",
    ),
    DebianProgram(
        name="ed",
        package="ed",
        build=(CONFIGURE, ("make", "ed")),
        binary="ed",
        arguments=("-s", "poem.txt"),
        stdin=b"2d\n,n\nw out.txt\nq\n",
        files={"poem.txt": b"first line\nsecond line\nthird line\n"},
        check="stdout:/^2/",
        stdout=b"1\tfirst line\n2\tthird line\n",
    ),
    DebianProgram(
        name="tree",
        package="tree",
        build=(("make", "CC=cc", "CFLAGS=-O0 -g -DLINUX -D_FILE_OFFSET_BITS=64", "tree"),),
        binary="tree",
        arguments=("--charset=ascii", "--noreport", "top"),
        files={"top/a/one": b"1", "top/b/c/two": b"2"},
        check="stdout:/two/",
        stdout=b"top\n|-- a\n|   `-- one\n`-- b\n    `-- c\n        `-- two\n",
    ),
    DebianProgram(
        name="units",
        package="units",
        build=(CONFIGURE, ("make", "units")),
        binary="units",
        arguments=("-f", "units.txt", "-1", "60 mile/hour", "m/s"),
        files={
            "units.txt": b"m !\ns !\nmin 60 s\nhour 60 min\nmile 1609.344 m\n",
        },
        check="stdout",
        stdout=b"\t* 26.8224\n",
    ),
    DebianProgram(
        name="dos2unix",
        package="dos2unix",
        build=((*MAKE, "ENABLE_NLS=", "dos2unix"),),
        binary="dos2unix",
        stdin=b"one\r\ntwo\r\nthree\n",
        check="stdout",
        stdout=b"one\ntwo\nthree\n",
    ),
    DebianProgram(
        name="banner",
        package="sysvbanner",
        build=((*MAKE, "banner"),),
        binary="banner",
        arguments=("Hi",),
        check="stdout:/^#######/",
        stdout=b"#     #\n#     #     #\n#     #     #\n#######     #\n"
        + b"#     #     #\n" * 3
        + b"\n",
    ),
    DebianProgram(
        name="unifdef",
        package="unifdef",
        build=((*MAKE, "unifdef"),),
        binary="unifdef",
        arguments=("-x2", "-DA"),
        stdin=b"#ifdef A\none\n#else\ntwo\n#endif\n",
        check="stdout",
        stdout=b"one\n",
    ),
    DebianProgram(
        name="figlet",
        package="figlet",
        build=((*MAKE, "LD=cc", "figlet"),),
        binary="figlet",
        arguments=("-d", ".", "-f", "double.flf"),
        stdin=b"Hi\n",
        # The fonts it comes with take 300,000 statements to read.
        files={"double.flf": DOUBLE},
        check="stdout",
        stdout=b"HHii\nH-i-\n",
    ),
)
