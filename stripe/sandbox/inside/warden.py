"""Asking the warden, from inside, to make the file tree as it was before the last run.

Standard library only, and for old Pythons, too: it is loaded, by its path, by all that starts runs
behind walls, also within gdb.
"""

import os

VARIABLE = "STRIPE_WARDEN"
TABLES = ("/proc/sysvipc/shm", "/proc/sysvipc/sem", "/proc/sysvipc/msg")


class Warden:
    """``renew()`` after a run, when all its processes have ended.  Does nothing without walls."""

    def __init__(self):
        told = os.environ.pop(VARIABLE, "")
        self.descriptors = [int(number) for number in told.split(",")[:2] if number]
        self._count = 0
        self._files = []
        if not told:
            return
        for descriptor in self.descriptors:
            os.set_inheritable(descriptor, False)
        for path in TABLES:
            try:
                self._files.append(os.open(path, os.O_RDONLY | os.O_CLOEXEC))
            except OSError:
                pass  # a kernel without
        try:
            self._queues = os.open("/dev/mqueue", os.O_RDONLY | os.O_CLOEXEC)
        except OSError:
            self._queues = -1
        self._clean = self._look()

    def dirty(self):
        """Whether a run did anything to the world since it was last undone."""
        return bool(self.descriptors) and self._look() != self._clean

    def renew(self):
        """Undo what the last run did to the world; whether it did anything."""
        if not self.dirty():
            return False
        if self._queues >= 0:
            for name in os.listdir(self._queues):
                os.unlink(name, dir_fd=self._queues)
        channel = self.descriptors[0]
        self._count += 1
        message = self._count.to_bytes(8, "little")
        os.write(channel, message)
        while True:
            answer = os.read(channel, 8)
            if answer == message:
                break
            if not answer:
                raise OSError("the warden is gone")
        self._clean = self._look()
        return True

    def everything(self):
        """All descriptors of this."""
        queues = [self._queues] if self.descriptors and self._queues >= 0 else []
        return self.descriptors + self._files + queues

    def move(self, moved):
        """Have all descriptors by other numbers: ``moved`` takes some and gives others."""
        if self.descriptors:
            self.descriptors = list(moved(*self.descriptors))
            self._files = list(moved(*self._files))
            if self._queues >= 0:
                (self._queues,) = moved(self._queues)

    def forget(self):
        """Close all of it, in a child that has nothing to do with this."""
        for descriptor in self.everything():
            os.close(descriptor)
        self.descriptors = []

    def _look(self):
        """What differs after anything was left behind: free inodes, tables of the kernel."""
        seen = [os.fstatvfs(self.descriptors[1]).f_ffree]
        seen += [os.pread(file, 65536, 0) for file in self._files]
        if self._queues >= 0:
            status = os.fstat(self._queues)
            seen += [status.st_size, status.st_mtime_ns]
        try:
            for number in range(1 << 16):
                status = os.stat(str(number), dir_fd=self.descriptors[1])
                seen += [status.st_mode, status.st_ctime_ns]
        except OSError:
            pass  # that was the last
        return seen
