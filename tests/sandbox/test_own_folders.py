"""Files in /tmp and sockets of loopback: the same in both layers; nothing outside is changed."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from stripe.sandbox.walls import Layer, Walls
from tests.support.layers import WALLED, forced

PROGRAM = """
import errno, os, shutil, sys
def tried(what):
    try:
        return what()
    except OSError as error:
        return errno.errorcode[error.errno]
there = sys.argv[1]
os.umask(0o027)
def shown(path):
    status = os.stat(path)
    return oct(status.st_mode), status.st_size
"""

FILES = {
    "new": """
open('/tmp/own-x', 'w').write('1'); print(open('/tmp/own-x').read(), shown('/tmp/own-x'))
""",
    "exists": """
print(os.path.exists(there), os.access(there + '/a', os.R_OK), os.path.exists('/tmp/-'))
""",
    "append": "open(there + '/a', 'a').write('more'); print(open(there + '/a').read())",
    "truncate": "os.truncate(there + '/a', 1); print(shown(there + '/a'))",
    "listing": """
open(there + '/new', 'w').close(); print(sorted(os.listdir(there)))
print(sorted(os.listdir(there + '/sub')), open(there + '/sub/c').read())
""",
    "unlink": """
os.unlink(there + '/a'); print(os.listdir(there), tried(lambda: open(there + '/a')))
""",
    "again": """
os.unlink(there + '/a'); open(there + '/a', 'x').close(); print(shown(there + '/a'))
""",
    "tree": """
shutil.rmtree(there); print(os.path.exists(there)); os.mkdir(there)
print(os.listdir(there))
""",
    "rename": """
os.rename(there + '/a', there + '/z')
print(sorted(os.listdir(there)), open(there + '/z').read())
""",
    "across": """
print(tried(lambda: os.rename('mine', there + '/z')), shutil.move('mine', there + '/z'))
""",
    "folders": """
os.makedirs('/tmp/own-d/e/f'); print(shown('/tmp/own-d/e')[0])
print(tried(lambda: os.mkdir('/tmp')))
""",
    "links": """
os.symlink('own-x', '/tmp/own-l')
print(os.readlink('/tmp/own-l'), os.path.exists('/tmp/own-l'))
open('/tmp/own-l', 'w').write('12')
print(shown('/tmp/own-x'), os.path.islink('/tmp/own-l'))
os.link('/tmp/own-x', '/tmp/own-h'); print(os.stat('/tmp/own-h').st_nlink)
""",
    "missing": """
print(tried(lambda: open('/tmp/-/a', 'w')), tried(lambda: os.rmdir(there)))
print(tried(lambda: open(there + '/a', 'x')), tried(lambda: os.mkdir(there + '/a/b')))
""",
    "metadata": """
os.chmod(there + '/a', 0o640) if 0 else open('/tmp/own-x', 'w')
os.chmod('/tmp/own-x', 0o604); print(shown('/tmp/own-x'))
""",
    "relative": """
os.chdir('/tmp'); open('own-x', 'w').write('1')
print(open('/tmp/own-x').read(), os.getcwd())
""",
    "dots": "open('/tmp/../tmp/./own-x', 'w').write('1'); print(open('//tmp/own-x').read())",
    "shm": "open('/dev/shm/own-x', 'w').write('1'); print(os.listdir('/dev/shm'))",
    "unnamed": """
import tempfile; f = tempfile.TemporaryFile(dir='/tmp'); f.write(b'1'); print(f.tell())
""",
}

SOCKETS = {
    "unix": """
import socket
with socket.socket(socket.AF_UNIX) as server, socket.socket(socket.AF_UNIX) as client:
    server.bind('/tmp/own-s'); server.listen(); client.connect('/tmp/own-s')
    server.accept()[0].send(b'hi'); print(client.recv(2), server.getsockname())
""",
    "names": """
import socket
with socket.create_server(('127.0.0.1', 4242)) as server:
    client = socket.create_connection(('localhost', 4242))
    accepted, whence = server.accept()
    print(server.getsockname(), accepted.getsockname(), client.getpeername(), whence[0])
    print(whence == client.getsockname(), tried(lambda: socket.create_server(('127.0.0.1', 4242))))
""",
    "port again": """
import socket
for _ in range(3):
    with socket.create_server(('127.0.0.1', 4242)) as server:
        client = socket.create_connection(server.getsockname())
        server.accept()[0].close()
        print(client.recv(1))
""",
    "nobody": """
import socket
print(tried(lambda: socket.create_connection(('127.0.0.1', 4243))))
print(tried(lambda: socket.create_connection(('192.0.2.1', 80), 5)))
print(tried(lambda: socket.socket(socket.AF_UNIX).connect('/tmp/-')))
""",
    "http": """
import http.server, threading, urllib.request
class Hello(http.server.BaseHTTPRequestHandler):
    def do_GET(self): self.send_response(200); self.end_headers(); self.wfile.write(b'hello')
    def log_message(self, *_): pass
server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Hello)
threading.Thread(target=server.serve_forever, daemon=True).start()
print(urllib.request.urlopen(f'http://127.0.0.1:{server.server_port}/').read())
""",
    "asyncio": """
import asyncio
async def answer(reader, writer):
    writer.write(await reader.readline()); await writer.drain(); writer.close()
async def main():
    server = await asyncio.start_server(answer, '127.0.0.1', 0)
    reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
    writer.write(b'hello\\n'); print(await reader.read())
asyncio.run(main())
""",
}


def printed(layer: Layer, folder: Path, code: str, there: Path) -> str:
    """What a program prints behind walls, or says when it fails."""
    home = folder / f"home-{layer.value}"
    for each in (home, home / "tmp", home / "cwd"):
        each.mkdir()
    (home / "cwd" / "mine").write_text("mine")
    (home / "cwd" / "program.py").write_text(PROGRAM + code + "\n")
    walls = Walls(layer, folder, home, folder / f"room-{layer.value}", home / "cwd")
    done = subprocess.run(
        walls.command([sys.executable, "program.py", str(there)], home / "cwd"),
        capture_output=True,
        text=True,
        timeout=60,
        env={**os.environ, "TMPDIR": str(home / "tmp")},
    )
    return done.stdout + done.stderr


@pytest.mark.parametrize("code", (FILES | SOCKETS).values(), ids=[*FILES, *SOCKETS])
def test_a_program_does_the_same_in_both_layers(tmp_path: Path, code: str) -> None:
    there = tmp_path / "there"
    (there / "sub").mkdir(parents=True)
    (there / "a").write_text("old")
    (there / "sub" / "c").write_text("deep")
    folder = tmp_path / "scratch"
    folder.mkdir()
    outside = set(os.listdir("/tmp")) | set(os.listdir("/dev/shm"))
    found = []
    for layer in WALLED:
        with forced(layer):
            found.append(printed(layer, folder, code, there))
    assert found[0] == found[1]
    assert "Traceback" not in found[0]
    assert (there / "a").read_text() == "old"
    assert sorted(os.listdir(there)) == ["a", "sub"]
    left = (set(os.listdir("/tmp")) | set(os.listdir("/dev/shm"))) - outside
    assert not [name for name in left if "own-" in name]


def test_whoever_listens_on_all_addresses_of_the_machine_is_not_reached(tmp_path: Path) -> None:
    with forced(Layer.LANDLOCK), socket.create_server(("0.0.0.0", 0)) as server:
        port = server.getsockname()[1]
        code = f"""
import socket
print(tried(lambda: socket.create_connection(('127.0.0.1', {port}))))
"""
        assert printed(Layer.LANDLOCK, tmp_path, code, tmp_path) == "ECONNREFUSED\n"


ESCAPES = {
    "link": "os.symlink(there, '/tmp/own-l'); print(tried(lambda: open('/tmp/own-l/a', 'w')))",
    "up": """
os.symlink('../../../..', '/tmp/own-l')
print(tried(lambda: open('/tmp/own-l' + there + '/a', 'w')))
""",
    "rename": "print(tried(lambda: os.rename(there + '/a', 'mine')))",
    "own folders are a link": """
os.symlink(there, os.environ['TMPDIR'] + '/.stripe')
print(tried(lambda: open('/dev/shm/own-x', 'w')), tried(lambda: os.mkdir('/var/tmp/own-x')))
print(tried(lambda: os.unlink(there + '/a')))
""",
    "one of them is a link": """
os.mkdir(os.environ['TMPDIR'] + '/.stripe')
for name in ('shm', 'var', 'gone'):
    os.symlink(there, os.environ['TMPDIR'] + '/.stripe/' + name)
print(tried(lambda: open('/dev/shm/a', 'w')), tried(lambda: os.mkdir('/var/tmp/own-x')))
print(tried(lambda: os.unlink(there + '/a')))
""",
    "removed below a link": """
os.makedirs(os.environ['TMPDIR'] + '/.stripe/gone')
os.symlink(there, os.environ['TMPDIR'] + '/.stripe/gone/tmp')
print(tried(lambda: os.unlink(there + '/a')))
""",
    "TMPDIR is a link": """
os.rmdir(os.environ['TMPDIR']); os.symlink(there, os.environ['TMPDIR'])
print(tried(lambda: open('/tmp/own-x', 'w')), tried(lambda: open('/tmp/a', 'w')))
print(tried(lambda: os.unlink('/tmp/a')), tried(lambda: os.mkdir('/dev/shm/own-x')))
""",
    "listening": """
print(tried(lambda: __import__('socket').socket().listen()) in (None, 'EPERM'))
""",
    "fast open": """
import socket
print(tried(lambda: socket.socket().sendto(b'x', 0x20000000, ('127.0.0.1', 1))))
""",
    "datagram": """
import socket; print(tried(lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM)))
""",
}


@pytest.mark.parametrize("code", ESCAPES.values(), ids=ESCAPES)
def test_what_the_guard_does_stays_inside(tmp_path: Path, code: str) -> None:
    """It has rights that a program has not, so it must not be led outside."""
    there = tmp_path / "there"
    there.mkdir()
    (there / "a").write_text("old")
    folder = tmp_path / "scratch"
    folder.mkdir()
    with forced(Layer.LANDLOCK):
        assert "Traceback" not in printed(Layer.LANDLOCK, folder, code, there)
    assert (there / "a").read_text() == "old"
    assert os.listdir(there) == ["a"]
