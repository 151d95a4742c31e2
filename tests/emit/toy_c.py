"""A toy second target: C99, as much as shows that the schedule knows no Python.

Types are declared, bodies stand in braces, there are no tuples: what a loop records
goes into growing arrays. One result is returned, several are stored in `out`. What is
raised in Python gives NaN here. Arrays of the user's, lists of lists, helpers of rows
and loops that hold few of their states are not written.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from toy_c_composer import TYPES, Composer, Text

from ad_transform.derive.kinds import Derived
from ad_transform.emit.header import Header, Style
from ad_transform.emit.schedule.frame import Frame
from ad_transform.emit.schedule.function import Scheduled, scheduled
from ad_transform.emit.schedule.lines import (
    Append,
    Assert,
    Bind,
    Break,
    Do,
    For,
    If,
    Line,
    Loop,
    Raise,
    Reverse,
    StartCount,
    StartList,
    Step,
    Unpack,
    Update,
    bound_by,
    walk,
)
from ad_transform.emit.schedule.owners import Parts, source_parts
from ad_transform.emit.schedule.pieces import Piece
from ad_transform.emit.schedule.scheduler import Scheduler
from ad_transform.emit.schedule.scope import Scope
from ad_transform.emit.sentences import said_of
from ad_transform.emit.target import Printed, Program, Target, Writing
from ad_transform.ir.build import as_float
from ad_transform.ir.nodes import Function, Literal, Var
from ad_transform.options import Options

_WORDS = """
auto break case char const continue default do double else enum extern float for goto if
inline int long register restrict return short signed sizeof static struct switch
typedef union unsigned void volatile while list out main
"""

PRELUDE = """\
#include <math.h>
#include <stdlib.h>

typedef struct {
    double *at;
    long size, room;
} list;

static inline void append(list *l, double value) {
    if (l->size == l->room) {
        l->room = 2 * l->room + 8;
        l->at = realloc(l->at, l->room * sizeof(double));
    }
    l->at[l->size++] = value;
}

static inline void reverse(list *l) {
    for (long i = 0, j = l->size - 1; i < j; i++, j--) {
        double first = l->at[i];
        l->at[i] = l->at[j];
        l->at[j] = first;
    }
}

static inline long trips(long start, long stop, long step) {
    long count = (stop - start + step - (step > 0 ? 1 : -1)) / step;
    return count > 0 ? count : 0;
}
"""

# --- lines ----------------------------------------------------------------------------


class Writer:
    """Writes the lines of a function in C."""

    def __init__(self, made: Scheduled, failed: str) -> None:
        self.names = made.names
        self.failed = failed
        self.out: list[str] = []
        self.fresh = 0

    def text(self, piece: Piece) -> str:
        assert isinstance(piece, Text)
        if piece.is_atom:
            return piece.template if piece.var is None else self.names[piece.var]
        parts = [
            self.text(arg) if arg.is_atom else f"({self.text(arg)})"
            for arg in piece.args
        ]
        return piece.template.format(*parts)

    def add(self, text: str, indent: int) -> None:
        self.out.append(" " * indent + text)

    def write(self, lines: Sequence[Line], indent: int = 4) -> None:
        for line in lines:
            for note in getattr(line, "notes", ()):
                self.add(f"// {note}", indent)
            _WRITERS[type(line)](self, line, indent)

    def block(self, head: str, lines: Sequence[Line], indent: int) -> None:
        self.add(f"{head} {{", indent)
        self.write(lines, indent + 4)
        self.add("}", indent)

    def counter(self) -> str:
        self.fresh += 1
        return f"k_{self.fresh}_"

    def bind(self, line: Bind, indent: int) -> None:
        self.add(f"{self.names[line.var]} = {self.text(line.value)};", indent)

    def update(self, line: Update, indent: int) -> None:
        names = [self.names[var] for var in line.vars]
        texts = [self.text(value) for value in line.values]
        if len(names) == 1:
            self.add(f"{names[0]} = {texts[0]};", indent)
            return
        olds = [self.counter() for _ in names]
        for old, text, var in zip(olds, texts, line.vars, strict=True):
            self.add(f"{TYPES[var.type.kind]} {old} = {text};", indent)
        for name, old in zip(names, olds, strict=True):
            self.add(f"{name} = {old};", indent)

    def unpack(self, line: Unpack, indent: int) -> None:
        given, call = self.counter(), self.text(line.value)
        self.add(f"double {given}[{len(line.vars)}];", indent)
        comma = "" if call.endswith("()") else ", "
        self.add(f"{call[:-1]}{comma}{given});", indent)
        for k, var in enumerate(line.vars):
            self.add(f"{self.names[var]} = {given}[{k}];", indent)

    def start(self, line: StartCount, indent: int) -> None:
        self.add(f"{self.names[line.var]} = 0;", indent)

    def start_list(self, line: StartList, indent: int) -> None:
        self.add(f"{self.names[line.var]}.size = 0;", indent)

    def step(self, line: Step, indent: int) -> None:
        self.add(f"{self.names[line.var]}++;", indent)

    def append(self, line: Append, indent: int) -> None:
        (value,) = line.values
        self.add(f"append(&{self.names[line.var]}, {self.text(value)});", indent)

    def reverse(self, line: Reverse, indent: int) -> None:
        self.add(f"reverse(&{self.names[line.var]});", indent)

    def do(self, line: Do, indent: int) -> None:
        self.add(f"{self.text(line.value)};", indent)

    def fail(self, line: Assert | Raise, indent: int) -> None:
        test = "1" if line.test is None else self.text(line.test)
        sign = "!" if isinstance(line, Assert) else ""
        self.add(f"if ({sign}({test})) {self.failed}", indent)

    def branch(self, line: If, indent: int) -> None:
        self.block(f"if ({self.text(line.test)})", line.then, indent)
        if line.orelse:
            self.block("else", line.orelse, indent)

    def loop(self, line: Loop, indent: int) -> None:
        test = "1" if line.test is None else self.text(line.test)
        self.block(f"while ({test})", line.body, indent)

    def leave(self, line: Break, indent: int) -> None:
        self.add("break;", indent)

    def counted(self, line: For, indent: int) -> None:
        """Trips are counted; what they read along is at the same place of each list."""
        count, k = self.counter(), self.counter()
        texts = [self.text(bound) for bound in line.bounds]
        size = f"trips({', '.join(texts)})"
        if line.index is None:
            size = f"{self.text(line.entries[0][1])}.size"
        self.add(f"long {count} = {size};", indent)
        at = f"{count} - 1 - {k}" if line.backwards else k
        self.add(f"for (long {k} = 0; {k} < {count}; {k}++) {{", indent)
        if line.index is not None:
            name = self.names[line.index]
            self.add(f"{name} = {texts[0]} + ({at}) * {texts[2]};", indent + 4)
            self.add(f"(void){name};", indent + 4)
        for (entry,), stack in line.entries:
            text = f"{self.names[entry]} = {self.text(stack)}.at[{at}];"
            self.add(text, indent + 4)
        self.write(line.body, indent + 4)
        self.add("}", indent)


_WRITERS: dict[type[Line], Callable[[Writer, Any, int], None]] = {
    Bind: Writer.bind,
    Update: Writer.update,
    Unpack: Writer.unpack,
    StartCount: Writer.start,
    StartList: Writer.start_list,
    Step: Writer.step,
    Append: Writer.append,
    Reverse: Writer.reverse,
    Do: Writer.do,
    Assert: Writer.fail,
    Raise: Writer.fail,
    If: Writer.branch,
    Loop: Writer.loop,
    Break: Writer.leave,
    For: Writer.counted,
}


# --- functions and files --------------------------------------------------------------


def _results(scheduler: Scheduler, frame: Frame) -> list[Piece]:
    function = scheduler.function
    return [
        scheduler.piece(
            as_float(r) if k >= function.primal and isinstance(r, Literal) else r, frame
        )
        for k, r in enumerate(function.results)
    ]


def write(
    function: Function, reserved: frozenset[str], parts: Parts | None, said: list[str]
) -> str:
    """The text of a function."""
    composer = Composer()
    scope = Scope(function, reserved, {}, _WORDS.split())
    made = scheduled(function, scope, composer, _results, parts)
    single = function.nest.is_leaf
    writer = Writer(made, "return NAN;" if single else "{ out[0] = NAN; return; }")
    values = [var for p in function.parameters for var in p.vars]
    parameters = [
        f"{TYPES[var.type.kind]} {made.names.get(var, f'unread_{k}_')}"
        for k, var in enumerate(values)
    ]
    kind = "double" if single else "void"
    parameters += [] if single else ["double *out"]
    writer.out += [f"// {text}" for text in said]
    writer.out.append(f"{kind} {function.name}({', '.join(parameters)}) {{")
    writer.out += _declared(made)
    writer.write(made.lines)
    if single:
        writer.add(f"return {writer.text(made.results[0])};", 4)
    else:
        for k, piece in enumerate(made.results):
            writer.add(f"out[{k}] = {writer.text(piece)};", 4)
    return "\n".join([*writer.out, "}"]) + "\n"


def _declared(made: Scheduled) -> Iterator[str]:
    """Names are declared once: a name has one type."""
    types: dict[str, str] = {}
    for line in walk(made.lines):
        for var in bound_by(line):
            kind = TYPES[var.type.kind]
            types[made.names[var]] = "list" if var.type.dims else kind
    for name, kind in types.items():
        yield f"    {kind} {name}" + (" = {0, 0, 0};" if kind == "list" else ";")


def function(
    derived: Derived,
    reserved: frozenset[str],
    options: Options,
    said: str,
    formulas: Mapping[str, str],
) -> Printed:
    own = frozenset(reserved).union(f.name for f in derived.before)
    parts = source_parts(derived.program) if derived.program else None
    told = said_of(derived)
    sentences = [told.summary, *told.more, *told.details]
    texts = [write(f, own, parts, []) for f in derived.before]
    texts.append(write(derived.function, own, parts, sentences))
    return Printed("\n".join(texts), (), (), ())


def constant(function: Function, reserved: frozenset[str], limit: int) -> Printed:
    return Printed(write(function, reserved, None, []), (), (), ())


def module(
    functions: Sequence[Printed],
    constants: Mapping[str, str | Printed],
    header: Header | None,
    notes: Mapping[str, tuple[str, ...]],
    limit: int,
) -> str:
    """Numbers stand in the place of constants."""
    head = "" if header is None else header.render(STYLE) + "\n"
    return "\n".join([head + PRELUDE, *(f.text for f in functions)])


# --- texts ----------------------------------------------------------------------------

STYLE = Style("//")
_COMMENT = re.compile(r"//[^\n]*")
_TOKEN = re.compile(r"\w[\w.]*|\S")
_FUNCTION = re.compile(r"^(?:double|void) (\w+)\((.*?)\)\s*\{", re.MULTILINE)


def program(text: str) -> Program:
    """The program: tokens without comments and blanks."""
    bare = _COMMENT.sub("", text)
    if bare.count("{") != bare.count("}"):
        raise SyntaxError("a brace is missing")
    tokens = "\n".join(_TOKEN.findall(bare))
    defined = {
        name: [p.split()[-1] for p in given.split(",") if not p.endswith("*out")]
        for name, given in _FUNCTION.findall(bare)
    }
    return Program(f"sha256:{hashlib.sha256(tokens.encode()).hexdigest()}", defined)


def comments(text: str) -> list[str]:
    below = text[text.index("#include") :] if "#include" in text else text
    return _COMMENT.findall(below)


def computed(
    derived: Derived,
    reserved: frozenset[str],
    options: Options,
    formulas: Mapping[str, str],
) -> list[tuple[Var, ...]]:
    raise NotImplementedError("the toy draws no reports")


C = Target(
    STYLE, program, comments, lambda: Writing(function, constant, module, computed)
)
