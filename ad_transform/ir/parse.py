"""The reader of the text form that `ir.text` writes and describes."""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Callable, Mapping
from typing import NoReturn

from ad_transform.ir.dims import Dim, dim
from ad_transform.ir.elemental import Elemental
from ad_transform.ir.nodes import (
    LEAF,
    OPERATORS,
    Apply,
    Block,
    Branch,
    Call,
    Check,
    Container,
    Derivative,
    Function,
    Literal,
    Nest,
    Open,
    Operand,
    Origin,
    Parameter,
    Passing,
    Print,
    Record,
    Scan,
    Snapshots,
    Solve,
    Statement,
    Var,
    While,
)
from ad_transform.ir.text import PASSING
from ad_transform.ir.trampoline import Task, bounce
from ad_transform.ir.types import Kind, Type

_TOKEN = re.compile(
    r"""\s*(?:
        (?P<value>%\d+)
      | (?P<number>-?\d[\w.]*(?:(?<=e)[+-]\d+)?|-inf\b)
      | (?P<word>[^\W\d][\w.]*)
      | (?P<string>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")
      | (?P<sign>[^\s\w])
    )""",
    re.VERBOSE,
)
_WORDS = {"True": True, "False": False, "inf": math.inf, "nan": math.nan}
_PASSING = {word.strip(): way for way, word in PASSING.items() if word}


def parse_function(text: str, table: Mapping[str, Elemental]) -> Function:
    """The function a text stands for, elementals taken from `table`; linear.

    Raises ValueError with the line for anything that is not in the form.
    """
    return _Parser(text, table).function()


class _Parser:
    """The tokens of a text and how far they have been read."""

    def __init__(self, text: str, table: Mapping[str, Elemental]) -> None:
        self._text = text
        self._table = table
        self._vars: dict[str, Var] = {}
        self._tokens = list(_TOKEN.finditer(text.rstrip()))
        self._at = 0

    # --- tokens --------------------------------------------------------------------

    def _peek(self) -> str:
        if self._at == len(self._tokens):
            return ""
        return self._tokens[self._at][0].lstrip()

    def _is(self, kind: str) -> bool:
        return self._at < len(self._tokens) and self._tokens[self._at].lastgroup == kind

    def _next(self) -> str:
        token = self._peek()
        self._at += 1
        return token

    def _fail(self, wanted: str) -> NoReturn:
        at = min(self._at, len(self._tokens) - 1)
        line = self._text.count("\n", 0, self._tokens[at].end() if at >= 0 else 0) + 1
        raise ValueError(f"line {line}: expected {wanted}, found {self._peek()!r}")

    def _expect(self, token: str) -> None:
        if self._peek() != token:
            self._fail(repr(token))
        self._at += 1

    def _accept(self, token: str) -> bool:
        found = self._peek() == token
        self._at += found
        return found

    def _take(self, kind: str) -> str:
        if not self._is(kind):
            self._fail(f"a {kind}")
        return self._next()

    def _string(self) -> str:
        text = ast.literal_eval(self._take("string"))
        assert isinstance(text, str)
        return text

    def _group(self, end: str = ")") -> bool:
        """Whether another item stands before the closing sign, which is then read."""
        return not self._accept(end)

    # --- small things --------------------------------------------------------------

    def _type(self) -> Type:
        kind = Kind(self._take("word"))
        return Type(kind, self._lengths("[", "]"), self._lengths("<", ">"))

    def _lengths(self, left: str, right: str) -> tuple[Dim, ...]:
        dims: list[Dim] = []
        if self._accept(left):
            while self._group(right):
                dims.append(self._dim())
                self._accept(",")
        return tuple(dims)

    def _dim(self) -> Dim:
        text = ""
        while self._peek() not in (",", "]", ">", ""):
            text += " " + self._next()
        try:
            return dim(text)
        except ValueError:
            self._fail("a dim")

    def _nest(self) -> Nest:
        if self._accept("."):
            return LEAF
        container = Container(self._take("word"))
        items: list[Nest] = []
        names: list[str] = []
        self._expect("(")
        while self._group():
            if self._is("string"):
                names.append(self._string())
            items.append(self._nest())
            self._accept(",")
        return Nest(container, tuple(items), tuple(names))

    def _bind(self) -> Var:
        name = self._take("value")
        hint = ""
        if self._is("word"):
            hint = self._next()
        elif self._is("string"):
            hint = self._string()
        named = self._accept("!")
        self._expect(":")
        var = self._vars[name] = Var(self._type(), hint, named=named)
        return var

    def _binds(self, end: str) -> tuple[Var, ...]:
        made: list[Var] = []
        while self._group(end):
            made.append(self._bind())
            self._accept(",")
        return tuple(made)

    def _operand(self) -> Operand:
        if self._is("value"):
            if self._peek() not in self._vars:
                self._fail("a value that is bound above")
            return self._vars[self._next()]
        value = self._constant()
        if not self._accept("{"):
            return Literal(value)
        origin = Origin(self._take("word"))
        name = self._next() if self._is("word") else ""
        self._expect("}")
        return Literal(value, name, origin)

    def _constant(self) -> float | int | bool | str:
        if self._is("string"):
            return self._string()
        if self._peek() in _WORDS:
            return _WORDS[self._next()]
        digits = self._take("number")
        return float(digits) if re.search("[.en]", digits) else int(digits)

    def _operands(self) -> tuple[Operand, ...]:
        found: list[Operand] = []
        self._expect("(")
        while self._group():
            found.append(self._operand())
            self._accept(",")
        return tuple(found)

    # --- functions -----------------------------------------------------------------

    def function(self) -> Function:
        self._expect("function")
        name = self._take("word")
        self._expect("primal")
        primal = int(self._take("number"))
        self._expect("nest")
        nest = self._nest()
        parameters: list[Parameter] = []
        while self._accept("parameter"):
            parameters.append(self._parameter())
        params = tuple(var for p in parameters for var in p.vars)
        block = bounce(self._block(params))
        if self._peek():
            self._fail("the end")
        return Function(name, tuple(parameters), block, nest, primal)

    def _parameter(self) -> Parameter:
        name = self._take("word")
        self._expect("(")
        group = self._binds(")")
        way = _PASSING.get(self._peek(), Passing.ANY)
        self._accept(PASSING[way].strip() or "any")
        annotation = self._next() if self._accept("annotation") else ""
        default = self._string() if self._accept("default") else None
        nest = self._nest() if self._accept("nest") else LEAF
        return Parameter(name, group, nest, default, way, annotation)

    # --- blocks --------------------------------------------------------------------

    def _block(self, params: tuple[Var, ...]) -> Task[Block]:
        body: list[Statement] = []
        while not self._accept("give"):
            if self._accept("check"):
                body.append(self._check())
                continue
            if self._accept("print"):
                body.append(self._print())
                continue
            outs = () if self._is("word") else self._binds("=")
            word = self._take("word")
            if word in _PLAIN:
                body.append(_PLAIN[word](self, outs))
            elif word in OPERATORS:
                body.append((yield self._derivative(outs, word)))
            elif word in _STATEMENTS:
                body.append((yield _STATEMENTS[word](self, outs)))
            else:
                body.append(self._apply(word, outs))
        results: list[Operand] = []
        # a block ends where the next line begins with a word or another value's binding
        while self._at_operand():
            results.append(self._operand())
            if not self._accept(","):
                break
        return Block(params, tuple(body), tuple(results))

    def _at_operand(self) -> bool:
        here = self._tokens[self._at] if self._at < len(self._tokens) else None
        return here is not None and "\n" not in here[0]

    def _inner(self, keyword: str) -> Task[Block]:
        self._expect(keyword)
        self._expect("(")
        block: Block = yield self._block(self._binds(")"))
        return block

    def _apply(self, op: str, outs: tuple[Var, ...]) -> Statement:
        if op not in self._table or len(outs) != 1:
            self._at -= 1
            self._fail("an elemental with one result")
        return Apply(outs[0], self._table[op], self._operands())

    def _call(self, outs: tuple[Var, ...]) -> Call:
        callee, args = self._take("word"), self._operands()
        places: list[int] = []
        if self._accept("changes"):
            while self._is("number"):
                places.append(int(self._next()))
        return Call(outs, callee, args, changes=tuple(places))

    def _record(self, outs: tuple[Var, ...]) -> Record:
        return Record(outs[0], self._operands())

    def _open(self, outs: tuple[Var, ...]) -> Open:
        return Open(outs, self._operands()[0])

    def _check(self) -> Statement:
        test = self._operand()
        message, formats = self._message()
        error = self._string() if self._accept("raise") else ""
        return Check(test, message, formats, error=error)

    def _print(self) -> Statement:
        message, formats = self._message()
        words: list[tuple[str, str | bool]] = []
        if self._accept("end"):
            words.append(("end", self._string()))
        if self._accept("flush"):
            words.append(("flush", self._take("word") == "True"))
        return Print(message, formats, tuple(words))

    def _message(self) -> tuple[tuple[str | Operand, ...], tuple[str, ...]]:
        message: list[str | Operand] = []
        formats: list[str] = []
        self._expect("(")
        while self._group():
            if self._accept("text"):
                message.append(self._string())
            else:
                message.append(self._operand())
                formats.append(self._string() if self._accept("as") else "")
            self._accept(",")
        return tuple(message), tuple(formats) if any(formats) else ()

    def _branch(self, outs: tuple[Var, ...]) -> Task[Statement]:
        test, args = self._operand(), self._operands()
        then = yield self._inner("then")
        orelse = yield self._inner("else")
        return Branch(outs, test, args, then, orelse)

    def _scan(self, outs: tuple[Var, ...]) -> Task[Statement]:
        start, stop, step = self._operands()
        carries, reads, entries = self._operands(), self._operands(), self._operands()
        how = self._accept("backwards"), self._snapshots()
        body = yield self._inner("body")
        return Scan(outs, start, stop, step, carries, reads, entries, body, *how)

    def _while(self, outs: tuple[Var, ...]) -> Task[Statement]:
        carries, reads = self._operands(), self._operands()
        held = self._snapshots()
        test = yield self._inner("test")
        body = yield self._inner("body")
        return While(outs, carries, reads, test, body, held)

    def _solve(self, outs: tuple[Var, ...]) -> Task[Statement]:
        args = self._operands()
        primal = yield self._inner("primal")
        residual = yield self._inner("residual")
        return Solve(outs, args, primal, residual)

    def _derivative(self, outs: tuple[Var, ...], operator: str) -> Task[Statement]:
        count = int(self._take("number"))
        args, seeds = self._operands(), self._operands()
        block = yield self._inner("of")
        return Derivative(outs, operator, count, args, seeds, block)

    def _snapshots(self) -> Snapshots | None:
        if not self._accept("snapshots"):
            return None
        return Snapshots(int(self._take("number")), self._string())


_STATEMENTS: dict[str, Callable[[_Parser, tuple[Var, ...]], Task[Statement]]] = {
    "branch": _Parser._branch,
    "scan": _Parser._scan,
    "while": _Parser._while,
    "solve": _Parser._solve,
}

_PLAIN: dict[str, Callable[[_Parser, tuple[Var, ...]], Statement]] = {
    "call": _Parser._call,
    "record": _Parser._record,
    "open": _Parser._open,
}
