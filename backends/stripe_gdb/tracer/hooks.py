"""Gates: what a copied block runs through first, in the program itself, instead of stopping.

In front of each copied block (see ``copies.py``) its number is loaded and control goes to one of
four routines, by the word :data:`COMMON`:

- ``trap``: stop; the tracer sees to it
- ``go_on``: on to the block, as in a forked child that nobody traces
- ``record``: note block and stack pointer, and on to the block; stop when there is no room left
- ``follow``: if the next record of the course is about this block and the activation it expects
  is still there, go where the record says, without any regard to the block.  Else stop

A record has six words of four bytes: the function of which any block will do, a block that will do,
where to go on (from the area's beginning), the word below which the stack pointer has to be, the
place for what is known of the activation, and what memory is filled first (0: nothing).  Such a
place has four words of eight bytes: frame address, eight bytes less, stack and base pointer at the
latest stop.  The two differ in a record for the entry of a function, where the frame begins.

Nothing is written on the program's stack, which a leaf function uses below its stack pointer;
registers and flags are saved in a page of data.  So this is for one thread only, and handlers of
signals must not begin within (``Engine.step_out`` sees to that).
"""

from __future__ import annotations

import struct

PAGE = 4096
CODE = PAGE
"""Where the routines are in the area, behind the page of data."""

COMMON, RAX, RCX = 0x00, 0x08, 0x10
TARGET, NEXT, END = 0x40, 0x48, 0x50
SLOTS, FILLS, POISON, FUNCTIONS, STOPS, RESULT = 0x58, 0x60, 0x68, 0x70, 0x78, 0x80

RECORD = 24
"""Bytes of a record of the course."""

NOTE = 16
"""Bytes of what is noted of a stop: stack pointer, block."""

SLOT = 32
PERIOD = 1024

ASSEMBLY = """
    .intel_syntax noprefix
data:
    .skip 4096

trap:
    mov [rip + data + 0x10], rcx
    mov rcx, [rip + data + 0x78]
    mov rcx, [rcx + rax * 8]
    mov [rip + data + 0x40], rcx
    mov rcx, [rip + data + 0x10]
    mov rax, [rip + data + 0x08]
    jmp [rip + data + 0x40]

    .balign 64
go_on:
    mov [rip + data + 0x10], rcx
    mov rcx, [rip + data + 0x78]
    mov rcx, [rcx + rax * 8]
    lea rcx, [rcx + 1]
    mov [rip + data + 0x40], rcx
    mov rcx, [rip + data + 0x10]
    mov rax, [rip + data + 0x08]
    jmp [rip + data + 0x40]

    .balign 64
record:
    mov [rip + data + 0x10], rcx
    mov [rip + data + 0x18], rdx
    mov ecx, eax
    lahf
    seto al
    mov [rip + data + 0x30], eax
    mov rax, [rip + data + 0x78]
    mov rax, [rax + rcx * 8]
    mov rdx, [rip + data + 0x48]
    cmp rdx, [rip + data + 0x50]
    jae 1f
    mov [rdx], rsp
    mov [rdx + 8], rcx
    add rdx, 16
    mov [rip + data + 0x48], rdx
    inc rax
1:  mov [rip + data + 0x40], rax
    jmp leave

    .balign 64
follow:
    mov [rip + data + 0x10], rcx
    mov [rip + data + 0x18], rdx
    mov [rip + data + 0x38], rax
    mov edx, eax
    lahf
    seto al
    mov [rip + data + 0x30], eax
    mov rcx, [rip + data + 0x48]
    cmp edx, [rcx + 4]
    je 1f
    mov rax, [rip + data + 0x70]
    mov eax, [rax + rdx * 4]
    cmp eax, [rcx]
    jne stop
1:  mov rdx, [rip + data + 0x58]
    mov eax, [rcx + 12]
    cmp rsp, [rdx + rax]
    jae stop
    mov eax, [rcx + 16]
    add rdx, rax
    cmp eax, [rcx + 12]
    je 2f
    lea rax, [rsp + 8]
    mov [rdx], rax
    mov [rdx + 8], rsp
    mov qword ptr [rdx + 16], 0
    jmp 3f
2:  mov [rdx + 16], rsp
    mov [rdx + 24], rbp
3:  mov eax, [rcx + 8]
    mov [rip + data + 0x20], rsi
    lea rsi, [rip + data]
    add rax, rsi
    mov [rip + data + 0x40], rax
    mov eax, [rcx + 20]
    add rcx, 24
    mov [rip + data + 0x48], rcx
    test eax, eax
    je 6f
    mov [rip + data + 0x28], rdi
    add rax, [rip + data + 0x60]
    mov rdx, [rdx]
4:  mov ecx, [rax + 4]
    test ecx, ecx
    je 5f
    movsxd rdi, dword ptr [rax]
    add rdi, rdx
    mov esi, edi
    and esi, 1023
    add rsi, [rip + data + 0x68]
    rep movsb
    add rax, 8
    jmp 4b
5:  mov rdi, [rip + data + 0x28]
6:  mov rsi, [rip + data + 0x20]

leave:
    mov eax, [rip + data + 0x30]
    add al, 127
    sahf
    mov rdx, [rip + data + 0x18]
    mov rcx, [rip + data + 0x10]
    mov rax, [rip + data + 0x08]
    jmp [rip + data + 0x40]

stop:
    mov rcx, [rip + data + 0x38]
    mov rax, [rip + data + 0x78]
    mov rax, [rax + rcx * 8]
    mov [rip + data + 0x40], rax
    jmp leave
"""

TRAP, GO_ON, RECORD_STOPS, FOLLOW = 0x1000, 0x1040, 0x1080, 0x1100
"""Where the routines begin in the area."""

ROUTINES = bytes.fromhex(
    "48890d09f0ffff488b0d6af0ffff488b0cc148890d27f0ffff488b0df0efffff488b05e1efffffff2513"
    "f0ffff66662e0f1f8400000000000f1f84000000000048890dc9efffff488b0d2af0ffff488b0cc1488d"
    "490148890de3efffff488b0dacefffff488b059defffffff25cfefffff66662e0f1f8400000000000f1f"
    "400048890d89efffff4889158aefffff89c19f0f90c0890596efffff488b05d7efffff488b04c8488b15"
    "9cefffff483b159defffff731548892248894a084883c21048891581efffff48ffc04889056fefffffe9"
    "1601000066662e0f1f84000000000066662e0f1f84000000000066662e0f1f840000000000660f1f8400"
    "0000000048890d09efffff4889150aefffff48890523efffff89c29f0f90c089050fefffff488b0d20ef"
    "ffff3b51047412488b053cefffff8b04903b010f85d1000000488b1512efffff8b410c483b24020f83bd"
    "0000008b41104801c23b410c7416488d4424084889024889620848c7421000000000eb08488962104889"
    "6a188b41084889359aeeffff488d3573eeffff4801f0488905a9eeffff8b41144883c11848890da3eeff"
    "ff85c0743c48893d78eeffff480305a9eeffff488b128b480485c9741d4863384801d789fe81e6ff0300"
    "0048033592eefffff3a44883c008ebdc488b3d43eeffff488b3534eeffff8b053eeeffff047f9e488b15"
    "1ceeffff488b0d0deeffff488b05feedffffff2530eeffff488b0d21eeffff488b055aeeffff488b04c8"
    "48890517eeffffebc1"
)
"""The machine code of :data:`ASSEMBLY`, behind the data."""

FILLING = PAGE + ROUTINES.index(b"\xf3\xa4")
"""Where ``rep movsb`` is in the area, which fills memory."""

BUFFER = 1 << 44
"""Where what changes from run to run is in the program's memory: far from all else."""

SLOTS_AT, FILLS_AT, POISON_AT, NEVER_AT, RECORDS_AT = (
    BUFFER + offset for offset in (0, 0x100000, 0x110000, 0x120000, 0x130000)
)
ROOM = 8 << 20
"""Bytes for records, or notes."""

WHOLE = RECORDS_AT + ROOM - BUFFER
MOST_SLOTS, MOST_FILLS, MOST_FILLED = 0x100000 // SLOT, 0x10000, 0x4000
NOBODY, NOTHING, ENTRY = -2, -3, -4
"""No function, no block; the function of blocks that functions begin with."""

NEVER = struct.pack("<6i", NOBODY, NOTHING, 0, 0, 0, 0)
"""A record that no block agrees with."""
