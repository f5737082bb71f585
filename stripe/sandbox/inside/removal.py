"""Removing whole folders, whatever the modes in them (importing shutil takes longer)."""

from __future__ import annotations

import os


def empty(folder: str) -> None:
    """Remove all that is in a folder."""
    for name in os.listdir(folder):
        remove(f"{folder}/{name}")


def remove(path: str) -> None:
    """Remove whatever it is, whatever the modes of folders in it; links are not followed."""
    folders = [path]
    if os.path.islink(path) or not os.path.isdir(path):
        folders = []
        os.unlink(path)
    for folder in folders:  # grows on the way
        os.chmod(folder, 0o700)
        with os.scandir(folder) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    folders.append(entry.path)
                else:
                    os.unlink(entry.path)
    for folder in reversed(folders):
        os.rmdir(folder)
