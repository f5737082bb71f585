"""Programs that tests trace.

Lines executed by their command lines, counted by gcov: dos2unix 200, banner 400, unifdef 800,
tree 1,500, ed 1,900, units 5,500, mawk 7,600, dc 9,300, figlet 37,000.  Events of bzip2 and luac:
10,000.
"""

from __future__ import annotations

from tests.stripe_gdb.debian.building import CONFIGURE, MAKE, DebianProgram, cc

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
    DebianProgram(
        name="bzip2",
        package="bzip2",
        build=cc(
            *(f"{each}.c" for each in ("bzip2", "blocksort", "huffman", "crctable", "randtable")),
            *(f"{each}.c" for each in ("compress", "decompress", "bzlib")),
            *("-o", "bzip2"),
        ),
        binary="bzip2",
        arguments=("-1", "-c"),
        stdin=b"hello world, hello world\n",
        check="stdout",
        stdout=b"BZh11AY&SY\x93\x7f\x8e\xdd\x00\x00\x05Q\x80\x00\x10@\x04\x06D\x90\x80 \x001"
        b'\x000\x12\xa1\xa6\xc4U3\xccbP\x85\x86\x10F\x8b\xb9"\x9c(HI\xbf\xc7n\x80',
    ),
    DebianProgram(
        name="luac",
        package="lua5.4",
        # The header, which the build makes, says where libraries are; the seed of hashes would be
        # an address and the time.
        build=(
            ("sh", "-c", "echo '#define DEB_HOST_MULTIARCH \"\"' > src/lua5.4-deb-multiarch.h"),
            (
                *("sh", "-c"),
                "rm src/lua.c && cc -O0 -g -w '-Dluai_makeseed(L)=42' src/l*.c -lm -o luac",
            ),
        ),
        binary="luac",
        arguments=("-s", "-o", "-", "one.lua"),
        files={"one.lua": b'print("sum " .. 1 + x)\n'},
        check="stdout",
        stdout=b"\x1bLuaT\x00\x19\x93\r\n\x1a\n\x04\x08\x08xV"
        + b"\0" * 11
        + b"(w@\x01\x80\x80\x80\0"
        b"\x01\x03\x89Q\0\0\0\x0b\0\0\0\x83\x80\0\0\x0b\x01\0\x02\x15\x01\x02\x80/\x81\x80"
        b"\x06\xb5\0\x02\0D\0\x02\x01F\0\x01\x01\x83\x04\x86print\x04\x85sum \x04\x82x"
        b"\x81\x01\0\0\x80\x80\x80\x80\x80",
    ),
)
