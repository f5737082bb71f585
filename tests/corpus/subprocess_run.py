import subprocess, sys

child = "import sys\nfor line in sys.stdin: print(line.strip()[::-1])\nsys.exit(5)"
result = subprocess.run([sys.executable, "-c", child], input="abc\ndef\n", capture_output=True, text=True)
print(result.returncode, result.stdout.split())
print(subprocess.check_output(["echo", "from echo"], text=True).strip())
try:
    subprocess.run([sys.executable, "-c", "raise SystemExit(3)"], check=True)
except subprocess.CalledProcessError as e:
    print("failed with", e.returncode)
sys.stdout.flush()
subprocess.run([sys.executable, __file__, "again"] if len(sys.argv) < 2 else ["true"])
print("argument", sys.argv[1:])
with subprocess.Popen(["cat"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as p:
    out, _ = p.communicate("through cat")
print(out)
