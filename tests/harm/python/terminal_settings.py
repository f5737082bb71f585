# kind: settings and size of the user's terminal
# check: stdout
# full: harmful
import fcntl, os, struct, termios
path = os.environ["TTY"]
try:
    terminal = os.open(path, os.O_RDONLY | os.O_NOCTTY)
    settings = termios.tcgetattr(terminal)
    settings[3] &= ~(termios.ECHO | termios.ICANON)
    termios.tcsetattr(terminal, termios.TCSANOW, settings)
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 1, 1, 0, 0))
except (OSError, termios.error):
    pass
print("tried")
