"""The variables of the program: of frames, and of its files."""

import gdb

from .layouts import Layouts


class Program:
    """What is the same in all runs.

    ``addresses``: where statements of the user's code begin, in the running program.
    """

    def __init__(self, addresses):
        self.layouts = Layouts()
        self.files = {}
        self._functions = set()
        self._statics = []
        self.symbols = {}
        seen = set()
        for address in addresses:
            block = gdb.block_for_pc(address)
            if block is None:
                continue
            while block is not None and not block.is_static and not block.is_global:
                if block.start in seen and block.function is None:
                    break
                if block.function is not None:
                    self._functions.add(block.start)
                for symbol in block:
                    if symbol.addr_class == gdb.SYMBOL_LOC_STATIC and symbol.is_variable:
                        self._statics.append((_function(block), symbol))
                seen.add(block.start)
                if block.function is not None:
                    break
                block = block.superblock
            symtab = gdb.find_pc_line(address).symtab
            if symtab is not None and symtab.filename not in self.files:
                self.files[symtab.filename] = symtab
        self._globals = [
            (symtab.filename, symbol)
            for symtab in self.files.values()
            for block in (symtab.global_block(), symtab.static_block())
            for symbol in block
            if symbol.addr_class == gdb.SYMBOL_LOC_STATIC
            and symbol.is_variable
            and symbol.symtab.filename in self.files
        ]
        self._found = None

    def owns(self, frame):
        """Whether a frame is one of the user's functions."""
        try:
            block = frame.block()
        except RuntimeError:
            return False
        while block.function is None and block.superblock is not None:
            block = block.superblock
        return block.start in self._functions

    def statics(self):
        """All variables that are there from beginning to end: name, address, layout.

        Those of functions go by ``function::name``; where files share a name, by the file's.
        """
        if self._found is None:
            found = {}
            count = {}
            for _, symbol in self._globals:
                count[symbol.name] = count.get(symbol.name, 0) + 1
            named = [
                (each.name if count[each.name] == 1 else f"'{file}'::{each.name}", each)
                for file, each in self._globals
            ] + [(f"{function}::{each.name}", each) for function, each in self._statics]
            for name, symbol in named:
                value = symbol.value()
                if value.address is not None:
                    address = int(value.address)
                    found.setdefault(address, (name, address, self.layouts.of(value.type)))
            self._found = sorted(found.values())
        return self._found


def variables(program, frame):
    """The arguments and local variables of a frame: name, address (None if it has none), layout.

    Those of inner blocks have begun if control is in the block.  What is declared on a later line
    is not there yet.
    """
    line = frame.find_sal().line
    taken = set()
    found = []
    block = frame.block()
    while block is not None and not block.is_static and not block.is_global:
        here = []
        for symbol in block:
            if not (symbol.is_variable or symbol.is_argument):
                continue
            if symbol.addr_class in (gdb.SYMBOL_LOC_STATIC, gdb.SYMBOL_LOC_UNRESOLVED):
                continue
            if not symbol.is_argument and symbol.line > line:
                continue
            name = symbol.name
            if name in taken:
                name = f"{name}@{symbol.line}"
            taken.add(name)
            here.append((name, *_place(program, symbol, frame)))
        found = here + found
        if block.function is not None:
            break
        block = block.superblock
    return found


def _place(program, symbol, frame):
    try:
        value = symbol.value(frame)
        layout = program.layouts.of(value.type)
        if layout.kind == "reference":
            return int(value.referenced_value().address), layout
        if value.is_optimized_out or value.address is None:
            return None, layout
        return int(value.address), layout
    except (gdb.error, TypeError):
        return None, program.layouts.of(symbol.type)


def _function(block):
    while block.function is None:
        block = block.superblock
    return block.function.name
