# ruff: noqa: E501
"""Programs nobody here wrote: tools of the standard library, and packages from PyPI at work."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from tests.real.trial import Program

TEXT = "The quick brown fox\njumps over the lazy dog.\n"
FILES = {
    "data.json": '{"b": [1, 2, {"c": null}], "a": "text", "d": 1.5e3}',
    "code.txt": "def f(x):\n    return [x, x + 1]\n\nprint(f(1))\n",
    "data.txt": TEXT,
    "data.html": "<html><body><p class='a'>one &amp; two<br>three</p><!-- c --></body></html>",
    "data.ini": "[a]\nx = 1\ny = %(x)s2\n[b]\nz: yes\n",
    "data.csv": "name,amount\nann,3\nbob,4\nann,5\n",
}

STANDARD = {
    "json": (
        ["json"],
        "import json\nprint(json.dumps(json.loads(open('data.json').read()), indent=1))\n",
    ),
    "tokenize": (
        ["tokenize"],
        "import tokenize\nfor t in tokenize.generate_tokens(open('code.txt').readline):\n    print(t.type, t.string)\n",
    ),
    "calendar": (
        ["calendar"],
        "import calendar\nprint(calendar.TextCalendar().formatmonth(2026, 11))\n",
    ),
    "base64": (
        ["base64"],
        "import base64\nprint(base64.b32encode(b'hello'), base64.a85decode(base64.a85encode(b'text')))\n",
    ),
    "quopri": (
        ["quopri"],
        "import quopri, io\nout = io.BytesIO()\nquopri.encode(io.BytesIO('größe = 1\\n'.encode()), out, False)\nprint(out.getvalue())\n",
    ),
    "textwrap": (
        ["textwrap"],
        "import textwrap\nprint(textwrap.fill(open('data.txt').read() * 5, 30))\nprint(textwrap.dedent('  a\\n   b'), textwrap.shorten('one two three', 9))\n",
    ),
    "html.parser": (
        ["html", "_markupbase"],
        "from html.parser import HTMLParser\nclass P(HTMLParser):\n    def handle_starttag(self, tag, attrs):\n        print(tag, attrs)\n    def handle_data(self, data):\n        print(repr(data))\nP().feed(open('data.html').read())\n",
    ),
    "mimetypes": (
        ["mimetypes"],
        "import mimetypes\nprint(mimetypes.MimeTypes(()).guess_type('a.tar.gz'))\n",
    ),
    "difflib": (
        ["difflib"],
        "import difflib\nprint(''.join(difflib.unified_diff(list('abcdef'), list('abxdf'))))\nprint(difflib.get_close_matches('appel', ['ape', 'apple', 'peach']))\n",
    ),
    "csv": (
        ["csv"],
        "import csv\ntotal = {}\nfor row in csv.DictReader(open('data.csv')):\n    total[row['name']] = total.get(row['name'], 0) + int(row['amount'])\nprint(total)\n",
    ),
    "heapq": (
        ["heapq"],
        "import heapq\nheap = []\nfor n in (5, 1, 4, 2):\n    heapq._heappush_max(heap, n) if hasattr(heapq, '_heappush_max') else heapq.heappush(heap, n)\nprint(heapq.nsmallest(2, heap), list(heapq.merge([1, 3], [2, 4])))\n",
    ),
    "configparser": (
        ["configparser"],
        "import configparser\nc = configparser.ConfigParser()\nc.read('data.ini')\nprint(c.sections(), c['a']['y'], c.getboolean('b', 'z'))\n",
    ),
    "string": (
        ["string"],
        "import string\nprint(string.Template('$a and ${b}').substitute(a=1, b=2))\nprint(string.capwords('one two'), string.Formatter().format('{0:>5}', 'x'))\n",
    ),
    "fractions": (
        ["fractions"],
        "from fractions import Fraction\nprint(sum(Fraction(1, n) for n in range(1, 8)))\n",
    ),
    "statistics": (
        ["statistics"],
        "import statistics\nprint(statistics.mean([1, 2, 4]), statistics.stdev([1, 2, 4]))\n",
    ),
    "shlex": (
        ["shlex"],
        "import shlex\nprint(shlex.split('a \"b c\" d\\\\ e'), shlex.quote('x y'))\n",
    ),
    "pprint": (
        ["pprint"],
        "import pprint\npprint.pprint({'k' * n: list(range(n)) for n in range(1, 12)})\n",
    ),
    "argparse": (
        ["argparse"],
        "import argparse\np = argparse.ArgumentParser(prog='p')\np.add_argument('-n', type=int)\np.add_argument('x', nargs='*')\nprint(p.parse_args(['-n', '3', 'a', 'b']))\n",
    ),
    "ipaddress": (
        ["ipaddress"],
        "import ipaddress\nprint(list(ipaddress.ip_network('10.0.0.0/30').hosts()))\n",
    ),
    "graphlib": (
        ["graphlib"],
        "import graphlib\nprint(list(graphlib.TopologicalSorter({'c': 'ab', 'b': 'a'}).static_order()))\n",
    ),
    "colorsys": (["colorsys"], "import colorsys\nprint(colorsys.rgb_to_hsv(.2, .4, .6))\n"),
    "dataclasses": (
        ["dataclasses"],
        "from dataclasses import dataclass, asdict, replace\n@dataclass(order=True)\nclass P:\n    x: int\n    y: int = 0\nprint(asdict(replace(P(1), y=2)), P(1) < P(2))\n",
    ),
    "decimal": (
        ["_pydecimal"],
        "from _pydecimal import Decimal, getcontext\ngetcontext().prec = 12\nprint(Decimal(2).sqrt(), Decimal('1.10') + Decimal('2.205'))\n",
    ),
    "datetime": (
        ["_pydatetime", "_strptime"],
        "from _pydatetime import date, timedelta\nprint(date(2026, 11, 22) + timedelta(days=40), date(2026, 2, 28).isocalendar())\n",
    ),
    "fnmatch": (
        ["fnmatch"],
        "import fnmatch\nprint(fnmatch.filter(['a.py', 'b.txt', 'c.py'], '*.py'))\n",
    ),
    "sched": (
        ["sched"],
        "import sched\nnow = [0]\ns = sched.scheduler(lambda: now[0], lambda n: now.__setitem__(0, now[0] + n))\ns.enter(3, 1, print, ('three',))\ns.enter(1, 1, print, ('one',))\ns.run()\n",
    ),
    "xml": (
        ["xml"],
        "import xml.dom.minidom as m\nd = m.parseString('<a><b k=\"1\">t</b><b/></a>')\nprint(d.documentElement.toxml(), len(d.getElementsByTagName('b')))\n",
    ),
    "plistlib": (
        ["plistlib"],
        "import plistlib\nprint(plistlib.dumps({'a': [1, 'b', True]}).decode())\n",
    ),
    "getopt": (
        ["getopt"],
        "import getopt\nprint(getopt.getopt(['-a', '1', '--long=x', 'rest'], 'a:', ['long=']))\n",
    ),
    "cmd": (
        ["cmd"],
        "import cmd, io\nclass C(cmd.Cmd):\n    prompt = ''\n    use_rawinput = False\n    def do_add(self, line):\n        print(sum(map(int, line.split())))\n    def do_quit(self, line):\n        return True\nC(stdin=io.StringIO('add 1 2\\nadd 3 4\\nquit\\n')).cmdloop()\n",
    ),
}
"""By name: which modules of the standard library count, and a script that leans on them."""

PACKAGES = {
    "tabulate": (
        ["tabulate"],
        "from tabulate import tabulate\nprint(tabulate([['a', 1], ['b', 22]], ['k', 'n']))\n",
    ),
    "toolz": (
        ["toolz"],
        "from toolz import groupby, partition_all\nprint(groupby(len, ['a', 'bb', 'cc']))\nprint(list(partition_all(2, range(5))))\n",
    ),
    "sortedcontainers": (
        ["sortedcontainers"],
        "from sortedcontainers import SortedDict, SortedList\ns = SortedList([3, 1, 2])\ns.add(0)\nprint(s, SortedDict(b=1, a=2))\n",
    ),
    "mistune": (
        ["mistune"],
        "import mistune\nprint(mistune.html('# Title\\n\\n*one* **two**\\n\\n- a\\n- b\\n'))\n",
    ),
    "docopt": (
        ["docopt"],
        "from docopt import docopt\nprint(docopt('Usage: p [--x=N] <a>', ['--x=3', 'y']))\n",
    ),
    "jmespath": (
        ["jmespath"],
        "import jmespath\nprint(jmespath.search('a[?b>`1`].c', {'a': [{'b': 2, 'c': 3}]}))\n",
    ),
    "sqlparse": (
        ["sqlparse"],
        "import sqlparse\nprint(sqlparse.format('select a,b from t where x=1', reindent=True, keyword_case='upper'))\n",
    ),
    "markdown": (
        ["markdown"],
        "import markdown\nprint(markdown.markdown('# T\\n\\nsome *text*\\n\\n1. x\\n2. y\\n'))\n",
    ),
    "jinja2": (
        ["jinja2"],
        "from jinja2 import Template\nprint(Template('{% for x in xs %}{{ x|upper }},{% endfor %}').render(xs=['a', 'b']))\n",
    ),
    "chevron": (
        ["chevron"],
        "import chevron\nprint(chevron.render('Hi {{name}}{{#xs}} {{.}}{{/xs}}', {'name': 'Ann', 'xs': [1, 2]}))\n",
    ),
    "tomlkit": (
        ["tomlkit"],
        "import tomlkit\nd = tomlkit.parse('[a]\\nx = 1 # c\\n')\nd['a']['y'] = [1, 2]\nprint(tomlkit.dumps(d))\n",
    ),
    "xmltodict": (
        ["xmltodict.py"],
        "import xmltodict\nprint(xmltodict.parse('<a><b k=\"1\">t</b><b/></a>'))\n",
    ),
    "pyflakes": (
        ["pyflakes"],
        "import sys\nfrom pyflakes.api import check\nfrom pyflakes.reporter import Reporter\ncheck('import os\\nx = y\\n', 'p.py', Reporter(sys.stdout, sys.stdout))\n",
    ),
    "pycodestyle": (
        ["pycodestyle.py"],
        "import pycodestyle\nc = pycodestyle.Checker('p.py', lines=['x=1\\n', 'def f( a):\\n', '  return a\\n'])\nprint(c.check_all())\n",
    ),
    "mccabe": (
        ["mccabe.py"],
        "import ast, mccabe\nv = mccabe.PathGraphingAstVisitor()\nv.preorder(ast.parse('def f(x):\\n  if x:\\n    return 1\\n  return 2\\n'), v)\nprint([(g.entity, g.complexity()) for g in v.graphs.values()])\n",
    ),
    "wcwidth": (
        ["wcwidth"],
        "from wcwidth import wcswidth\nprint(wcswidth('コンニチハ'), wcswidth('abc'))\n",
    ),
    "humanize": (
        ["humanize"],
        "import humanize\nprint(humanize.naturalsize(123456789), humanize.intcomma(1234567), humanize.ordinal(3))\n",
    ),
    "pyfiglet": (["pyfiglet"], "import pyfiglet\nprint(pyfiglet.figlet_format('ok'))\n"),
    "prettytable": (
        ["prettytable"],
        "from prettytable import PrettyTable\nt = PrettyTable(['a', 'b'])\nt.add_row([1, 'x'])\nprint(t)\n",
    ),
    "texttable": (
        ["texttable.py"],
        "from texttable import Texttable\nt = Texttable()\nt.add_rows([['a', 'b'], [1, 'x']])\nprint(t.draw())\n",
    ),
    "jsonpointer": (
        ["jsonpointer.py"],
        "import jsonpointer\nprint(jsonpointer.resolve_pointer({'a': {'b': [1, 2]}}, '/a/b/1'))\n",
    ),
    "jsonpatch": (
        ["jsonpatch.py", "jsonpointer.py"],
        "import jsonpatch\nprint(jsonpatch.make_patch({'a': 1}, {'a': 2, 'b': 3}).apply({'a': 1}))\n",
    ),
    "voluptuous": (
        ["voluptuous"],
        "from voluptuous import Schema, Required, MultipleInvalid\ntry:\n    Schema({Required('a'): int})({'a': 'x'})\nexcept MultipleInvalid as e:\n    print(e)\n",
    ),
    "schema": (
        ["schema"],
        "from schema import Schema, And\nprint(Schema({'n': And(int, lambda x: x > 0)}).is_valid({'n': -1}))\n",
    ),
    "cerberus": (
        ["cerberus"],
        "from cerberus import Validator\nv = Validator({'n': {'type': 'integer', 'min': 1}})\nprint(v.validate({'n': 0}), v.errors)\n",
    ),
    "pyparsing": (
        ["pyparsing"],
        "from pyparsing import Word, nums, Suppress, delimited_list\nprint(delimited_list(Word(nums)).parse_string('1, 2, 3').as_list())\n",
    ),
    "lark": (
        ["lark"],
        "from lark import Lark\nprint(Lark('start: N (\"+\" N)*\\nN: /[0-9]+/\\n').parse('1+2').pretty())\n",
    ),
    "ply": (
        ["ply"],
        "import ply.lex as lex\ntokens = ('N', 'P')\nt_P = r'\\+'\nt_N = r'[0-9]+'\nt_ignore = ' '\ndef t_error(t):\n    raise SyntaxError(t)\nl = lex.lex()\nl.input('1 + 22')\nprint([(t.type, t.value) for t in iter(l.token, None)])\n",
    ),
    "parso": (
        ["parso"],
        "import parso\nprint(parso.parse('x = [1, 2]\\n').children[0].get_code())\n",
    ),
    "simpleeval": (
        ["simpleeval"],
        "from simpleeval import simple_eval\nprint(simple_eval('3 * (x + 1)', names={'x': 4}))\n",
    ),
    "num2words": (["num2words"], "from num2words import num2words\nprint(num2words(1234))\n"),
    "roman": (["roman"], "import roman\nprint(roman.toRoman(1987), roman.fromRoman('MCM'))\n"),
    "isodate": (
        ["isodate"],
        "import isodate\nprint(isodate.parse_duration('P1DT2H'), isodate.parse_date('2026-11-22'))\n",
    ),
    "dateutil": (
        ["dateutil"],
        "from dateutil.rrule import rrule, DAILY\nfrom datetime import datetime\nprint(list(rrule(DAILY, count=3, dtstart=datetime(2026, 1, 30))))\n",
    ),
    "inflect": (
        ["inflect"],
        "import inflect\np = inflect.engine()\nprint(p.plural('mouse'), p.a('apple'))\n",
    ),
    "textdistance": (
        ["textdistance"],
        "import textdistance\nprint(textdistance.Levenshtein(external=False)('kitten', 'sitting'))\n",
    ),
    "semver": (
        ["semver"],
        "from semver import Version\nprint(Version.parse('1.2.3-rc.1').bump_minor(), max(map(Version.parse, ['1.0.0', '1.10.0'])))\n",
    ),
    "packaging": (
        ["packaging"],
        "from packaging.version import Version\nfrom packaging.specifiers import SpecifierSet\nprint(Version('1.0rc1') < Version('1.0'), '1.5' in SpecifierSet('>=1,<2'))\n",
    ),
    "bidict": (
        ["bidict"],
        "from bidict import bidict\nb = bidict(a=1)\nb['b'] = 2\nprint(b.inverse[2], b)\n",
    ),
    "boltons": (
        ["boltons"],
        "from boltons.iterutils import chunked, windowed\nfrom boltons.strutils import slugify\nprint(chunked(range(5), 2), windowed('abc', 2), slugify('A b'))\n",
    ),
    "funcy": (
        ["funcy"],
        "from funcy import chunks, group_by\nprint(list(chunks(2, 'abcde')), group_by(len, ['a', 'bb']))\n",
    ),
    "pyrsistent": (
        ["pyrsistent"],
        "from pyrsistent import pmap, pvector\nprint(pvector([1, 2]).append(3), pmap({'a': 1}).set('b', 2)['b'])\n",
    ),
    "intervaltree": (
        ["intervaltree"],
        "from intervaltree import IntervalTree\nt = IntervalTree()\nt[1:5] = 'a'\nt[3:9] = 'b'\nprint(sorted(t[4]))\n",
    ),
    "tinydb": (
        ["tinydb"],
        "from tinydb import TinyDB, Query\nfrom tinydb.storages import MemoryStorage\nd = TinyDB(storage=MemoryStorage)\nd.insert({'n': 1})\nd.insert({'n': 2})\nprint(d.search(Query().n > 1))\n",
    ),
    "base58": (
        ["base58"],
        "import base58\nprint(base58.b58encode(b'hello'), base58.b58decode('Cn8eVZg'))\n",
    ),
    "click": (
        ["click"],
        "import click\n@click.command()\n@click.option('--n', default=2)\ndef main(n):\n    click.echo('x' * n)\nmain(['--n', '3'], standalone_mode=False)\n",
    ),
    "networkx-like": (
        ["anytree"],
        "from anytree import Node, RenderTree\nr = Node('r')\nNode('a', parent=r)\nNode('b', parent=r)\nprint(RenderTree(r).by_attr())\n",
    ),
}
"""By name: which of the package's files and folders count, and a script that leans on them."""

REQUIREMENTS = {"networkx-like": "anytree", "dateutil": "python-dateutil"}


def cache() -> Path:
    """Where packages are kept from run to run."""
    given = os.environ.get("STRIPE_TEST_CACHE")
    return Path(given) if given else Path.home() / ".cache" / "stripe-tests"


def installed() -> Path:
    """A folder with all packages; fetched if they are not there.

    Raises CalledProcessError where they cannot be had.
    """
    version = f"{sys.version_info[0]}.{sys.version_info[1]}"
    folder = cache() / f"real-{version}"
    wanted = [REQUIREMENTS.get(name, name) for name in PACKAGES]
    done = folder / ".done"
    if not done.exists() or not set(wanted) <= set(done.read_text().split()):
        command = [
            sys.executable,
            "-m",
            "pip",
            "install",
            "-q",
            "--upgrade",
            "--target",
            str(folder),
        ]
        subprocess.run([*command, *wanted], check=True, capture_output=True)
        done.write_text("\n".join(wanted))
    return folder


def standard() -> Iterator[Program]:
    """Those that lean on the standard library alone."""
    for name, (modules, script) in STANDARD.items():
        code = []
        for module in modules:
            spec = importlib.util.find_spec(module)
            if spec is not None and spec.origin is not None:
                path = Path(spec.origin)
                code.append(path.parent if path.name == "__init__.py" else path)
        yield Program(f"std:{name}", "use_it.py", files={**FILES, "use_it.py": script}, code=code)


def packages() -> Iterator[Program]:
    """Those that lean on packages from PyPI."""
    folder = installed()
    for name, (parts, script) in PACKAGES.items():
        code = [
            path
            for part in parts
            for path in [folder / part, folder / f"{part}.py"]
            if path.exists()
        ]
        yield Program(
            name, "use_it.py", files={**FILES, "use_it.py": script}, code=code, paths=[folder]
        )
