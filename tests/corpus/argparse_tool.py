# args: report --limit 2 -v --tag a --tag b data
import argparse, sys

def build():
    parser = argparse.ArgumentParser(prog="tool", description="demo")
    parser.add_argument("--version", action="version", version="1.0")
    sub = parser.add_subparsers(dest="command", required=True)
    report = sub.add_parser("report")
    report.add_argument("source")
    report.add_argument("--limit", type=int, default=10)
    report.add_argument("-v", action="count", default=0)
    report.add_argument("--tag", action="append")
    report.set_defaults(func=run_report)
    return parser

def run_report(options):
    rows = [f"{options.source}-{i}" for i in range(5)]
    for row in rows[: options.limit]:
        print(row, options.tag)
    return options.v

options = build().parse_args()
print("verbosity", options.func(options))
try:
    build().parse_args(["report"])
except SystemExit as e:
    print("usage exit", e.code)
