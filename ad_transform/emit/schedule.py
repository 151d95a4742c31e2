"""The schedule: which values get a statement, which are nested into their use.

A value gets a statement where it is used more than once, where the user named it, or
where a line would be too long; everything else is nested, for that is what a reader
expects and runs up to twice as fast. Values only ever move down: to their use, never
out of the block they stand in and never into an arm that might not run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from ad_transform.elementals import TABLE
from ad_transform.emit.expressions import (
    MAX_HEIGHT,
    Bound,
    Piece,
    Vague,
    compose,
    literal_text,
    text_atom,
    value_atom,
)
from ad_transform.emit.layout import INDENT, width
from ad_transform.emit.lines import (
    Assert,
    Bind,
    Do,
    If,
    Line,
    Raise,
    Unpack,
)
from ad_transform.emit.loops import loop, scan
from ad_transform.emit.names import Scope
from ad_transform.emit.records import saved
from ad_transform.emit.spelling import (
    CONDITIONAL,
    CONJUNCTION,
    DISJUNCTION,
    SUM,
    Form,
    Reference,
    calling,
    spelled,
)
from ad_transform.emit.uses import count_uses
from ad_transform.ir.build import as_float
from ad_transform.ir.nodes import (
    Apply,
    Block,
    Branch,
    Call,
    Check,
    Function,
    Literal,
    Operand,
    Passing,
    Scan,
    Statement,
    Var,
    While,
)
from ad_transform.ir.trampoline import Task, bounce
from ad_transform.ir.types import BOOL, Kind

MAX_TERMS = 12
"""Lines of one sum; a longer one is cut."""

# Beside a float these take a whole literal as a float, with the same result: arithmetic
# on two floats is twice as fast.
_MIXED = frozenset(
    {"add", "sub", "mul", "div", "mod", "floordiv", "lt", "le", "gt", "ge", "eq", "ne"}
)
_NOT = TABLE["not"]
_MODULE = Passing.MODULE
# Calls whose type mypy takes from their arguments.
_GENERIC = frozenset({"builtins.abs", "builtins.sum", "builtins.round"})


@dataclass(slots=True)
class Frame:
    """A body under construction: its lines, its indentation, what its values are.

    `pending` are the nested values that read lists and have not been used yet; `owned`
    are the values whose names a loop may go on with, once nothing else reads them.
    """

    indent: int
    lines: list[Line] = field(default_factory=list)
    values: dict[Var, Piece] = field(default_factory=dict)
    targets: dict[Var, Var] = field(default_factory=dict)
    pending: dict[Var, Piece] = field(default_factory=dict)
    owned: set[Var] = field(default_factory=set)

    def within(self) -> Frame:
        return Frame(self.indent + INDENT)


class Scheduler:
    """Turns a function into lines and the pieces that it returns.

    `columns` estimates the width of the name that a value will get.
    """

    def __init__(
        self,
        function: Function,
        scope: Scope,
        limit: int,
        columns: Callable[[Var], int],
    ) -> None:
        self.function = function
        self.scope = scope
        self.limit = limit
        self.columns = columns
        self.uses = count_uses(function)
        self.saved = saved(function)
        self.begun: set[Var] = set()  # lists that have been annotated
        self.items: set[Var] = set()  # of tuples: black writes `T[0] ** 2`
        self._bounds: dict[tuple[object, int, bool], Bound] = {}
        self._literals: dict[tuple[Literal, str], Piece] = {}

    def run(self, given: dict[Var, int], kept: frozenset[Var]) -> Frame:
        """The lines; `given` are the widths of the parameters' names.

        Values in `kept` are nested though the user named them.
        """
        self.kept = set(kept)
        frame = Frame(INDENT)
        for var, columns in given.items():
            atom = frame.values[var] = value_atom(var, columns, False)
            atom.hug = var not in self.items
        constants = {p.vars for p in self.function.parameters if p.passing is _MODULE}
        frame.owned = {v for v in given if (v,) not in constants} - self.items
        bounce(self.body(self.function.body, frame))
        return frame

    # --- operands ---------------------------------------------------------------------

    def piece(self, operand: Operand, frame: Frame) -> Piece:
        """What an operand is: a name, a literal, or an expression to be nested."""
        if isinstance(operand, Literal):
            return self.literal(operand)
        if frame.pending:
            frame.pending.pop(operand, None)
        return frame.values[operand]

    def literal(self, literal: Literal) -> Piece:
        """A literal by its name if it has one."""
        key = (literal, literal.name)
        piece = self._literals.get(key)
        if piece is None:
            text = self.scope.constant(literal)
            if text is None:
                text = literal_text(literal, self.scope.reference)
            piece = self._literals[key] = text_atom(text)
        return piece

    def _operands(self, statement: Apply, frame: Frame) -> tuple[Piece, ...]:
        args = statement.args
        name = statement.op.name
        if name in _MIXED or name == "pow":
            args = _as_floats(name, args)
        values = frame.values
        if frame.pending:
            for arg in statement.inputs:
                if isinstance(arg, Var):
                    frame.pending.pop(arg, None)
        return tuple(
            [values[arg] if isinstance(arg, Var) else self.literal(arg) for arg in args]
        )

    def _bound(self, key: object, form: Form, vague_power: bool = False) -> Bound:
        found = self._bounds.get((key, len(form.uses), vague_power))
        if found is None:
            found = self._bind_form(form, vague_power)
            self._bounds[(key, len(form.uses), vague_power)] = found
        return found

    def _bind_form(self, form: Form, vague_power: bool) -> Bound:
        parts = tuple(
            (
                self.scope.reference(part.qualified)
                if isinstance(part, Reference)
                else part
            )
            for part in form.parts
        )
        first = form.parts[0]
        called = isinstance(first, Reference) and first.qualified not in _GENERIC
        vague = Vague.NEVER if called else Vague.AS_OPERANDS
        fixed = sum(width(part) for part in parts if isinstance(part, str))
        return Bound(form, parts, fixed, Vague.ALWAYS if vague_power else vague)

    # --- fitting ----------------------------------------------------------------------

    def fits(self, piece: Piece, indent: int, head: int) -> bool:
        """Whether `head` columns and the piece fit a line, or can be broken nicely."""
        if piece.height > MAX_HEIGHT:
            return False
        if indent + head + piece.width <= self.limit:
            return True
        if piece.terms < 3:
            return False
        inside = self.limit - indent - INDENT
        if piece.width <= inside:
            return True
        return (
            piece.tightness == SUM
            and piece.terms <= MAX_TERMS
            and piece.longest <= inside
        )

    def fitted(self, piece: Piece, frame: Frame, head: int) -> Piece:
        """The piece, with operands bound to names, widest first, until it fits."""
        while not self.fits(piece, frame.indent, head):
            bound = piece.bound
            if bound is None:
                break
            wide = -1
            for k, arg in enumerate(piece.args):
                movable = arg.bound is not None and bound.form.uses[k] == 1
                if movable and (wide < 0 or arg.width > piece.args[wide].width):
                    wide = k
            if wide < 0:
                break
            args = list(piece.args)
            args[wide] = self.bind(args[wide], frame)
            piece = compose(bound, tuple(args), piece.var)
        return piece

    def bind(self, piece: Piece, frame: Frame, annotated: bool = False) -> Piece:
        """The name of a piece that gets a statement of its own."""
        var = piece.var
        assert var is not None
        return self.assign(var, piece, frame, annotated)

    def assign(
        self, var: Var, piece: Piece, frame: Frame, annotated: bool = False
    ) -> Piece:
        """The name of a value that a new statement gives to `piece`."""
        target = frame.targets.get(var, var)
        columns = self.columns(target)
        head = columns + 3 + (len(": float") if annotated else 0)
        piece = self.fitted(piece, frame, head)
        frame.lines.append(Bind(target, piece, var.notes, annotated))
        frame.owned.add(var)
        atom = value_atom(target, columns, piece.vague and not annotated)
        frame.values[var] = atom
        return atom

    def _head(self, var: Var) -> int:
        """What stands before a nested value if it has to get a statement after all."""
        return self.columns(var) + len(" = ")

    def _settle(self, var: Var, piece: Piece, frame: Frame) -> None:
        """Nest a value or give it a statement."""
        if self.uses[var] == 1 and (not var.named or var in self.kept):
            frame.values[var] = piece
            if piece.reads:
                frame.pending[var] = piece
        else:
            self.assign(var, piece, frame)

    def _place(self, var: Var, piece: Piece, frame: Frame) -> None:
        """Nest a number or give it a statement; a list always has a name."""
        if var.type.dims:
            self.assign(var, piece, frame)
        else:
            self._settle(var, piece, frame)

    def before_writing(self, arrays: Iterable[Operand], frame: Frame) -> None:
        """Bind to names what has been read of arrays that are about to change."""
        if frame.pending:
            lists = {self.array(a, frame).var for a in arrays if a.type.dims}
            for var, piece in list(frame.pending.items()):
                if not lists.isdisjoint(piece.reads):
                    del frame.pending[var]
                    self.assign(var, piece, frame)

    def array(self, array: Operand, frame: Frame) -> Piece:
        """The name of an array."""
        assert isinstance(array, Var)
        return frame.values[array]

    # --- statements -------------------------------------------------------------------

    def body(self, statements: tuple[Statement, ...], frame: Frame) -> Task[None]:
        for statement in statements:
            if statement.blocks:
                self.before_writing(statement.inputs, frame)
            match statement:
                case Apply(op=op) if op.consumes and op.layout and op.layout.leading:
                    self._change(statement, frame)
                case Apply():
                    self._apply(statement, frame)
                case Branch():
                    yield self._branch(statement, frame)
                case Call():
                    self._call(statement, frame)
                case Check():
                    self._check(statement, frame)
                case Scan():
                    yield scan(self, statement, frame)
                case While():
                    yield loop(self, statement, frame)

    def _apply(self, statement: Apply, frame: Frame) -> None:
        op = statement.op
        vague = op.name == "pow" and _vague_power(statement.args)
        bound = self._bound(op, spelled(op, len(statement.args)), vague)
        piece = compose(bound, self._operands(statement, frame), statement.out)
        if op.layout is not None:
            arrays = (a for a in statement.args if a.type.dims)
            piece.reads |= {v for v in (self.array(a, frame).var for a in arrays) if v}
        piece = self.fitted(piece, frame, self._head(statement.out))
        self._place(statement.out, piece, frame)

    def _change(self, statement: Apply, frame: Frame) -> None:
        """A statement that changes a list, which keeps its name."""
        array, out = statement.args[0], statement.out
        bound = self._bound(statement.op, spelled(statement.op, len(statement.args)))
        piece = compose(bound, self._operands(statement, frame), out)
        self.before_writing((array,), frame)
        frame.lines.append(Do(self.fitted(piece, frame, 0), out.notes))
        frame.values[out] = self.array(array, frame)

    def _call(self, statement: Call, frame: Frame) -> None:
        """One value is nested as any other, several are unpacked."""
        form = calling(statement.callee, len(statement.args))
        pieces = tuple(self.piece(arg, frame) for arg in statement.args)
        outs = tuple(frame.targets.get(out, out) for out in statement.outs)
        arrays = (self.array(a, frame).var for a in statement.args if a.type.dims)
        if len(outs) == 1:
            piece = compose(self._bound(statement.callee, form), pieces, outs[0])
            piece.reads |= {var for var in arrays if var}
            piece = self.fitted(piece, frame, self._head(outs[0]))
            self._place(statement.outs[0], piece, frame)
            return
        piece = compose(self._bound(statement.callee, form), pieces, None)
        frame.lines.append(Unpack(outs, self.fitted(piece, frame, INDENT)))
        for out, target in zip(statement.outs, outs, strict=True):
            frame.values[out] = value_atom(target, self.columns(target), False)

    def _check(self, statement: Check, frame: Frame) -> None:
        test = self.piece(statement.test, frame)
        message = tuple(
            part if isinstance(part, str) else self.piece(part, frame)
            for part in statement.message
        )
        columns = _message_columns(message) + sum(map(len, statement.formats))
        if statement.error:
            self._raise(statement, test, message, frame)
            return
        test = self.fitted(test, frame, len("assert ") + columns)
        line = Assert(test, message, statement.formats, statement.notes)
        frame.lines.append(line)

    def _raise(
        self,
        statement: Check,
        test: Piece,
        message: tuple[str | Piece, ...],
        frame: Frame,
    ) -> None:
        """What an exception is raised for: the opposite of what holds."""
        opposite = self._bound(_NOT, spelled(_NOT, 1))
        fails: Piece | None = None
        if statement.test != Literal(False):
            made = statement.test
            var = made if isinstance(made, Var) else None
            is_not = test.bound is opposite
            fails = test.args[0] if is_not else compose(opposite, (test,), var)
            fails = self.fitted(fails, frame, len("if :"))
        error = self.scope.reference(f"builtins.{statement.error}")
        how = (statement.formats, statement.notes)
        frame.lines.append(Raise(error, fails, message, *how))

    def _arm(
        self, block: Block, statement: Branch, outs: tuple[Var, ...], frame: Frame
    ) -> Task[Frame]:
        """The lines of an arm; its parameters are the values outside."""
        arm = frame.within()
        for param, arg in zip(block.params, statement.args, strict=True):
            arm.values[param] = self.piece(arg, frame)
        own = {out for inner in block.body for out in inner.outs}
        for result, out in zip(block.results, outs, strict=True):
            once = block.results.count(result) == 1
            if once and isinstance(result, Var) and result in own:
                arm.targets[result] = out
        yield self.body(block.body, arm)
        return arm

    def _branch(self, statement: Branch, frame: Frame) -> Task[None]:
        outs = tuple(frame.targets.get(out, out) for out in statement.outs)
        then: Frame = yield self._arm(statement.then, statement, outs, frame)
        orelse: Frame = yield self._arm(statement.orelse, statement, outs, frame)
        test = self.piece(statement.test, frame)
        if len(statement.outs) == 1 and not then.lines and not orelse.lines:
            before = len(frame.lines)
            piece = self._conditional(statement, then, orelse, frame)
            head = self._head(statement.outs[0])
            piece = self.fitted(piece, frame, head)
            if self.fits(piece, frame.indent, head):
                self._place(statement.outs[0], piece, frame)
                return
            del frame.lines[before:]  # what got a name in vain is nested in the `if`
        test = self.fitted(test, frame, len("if :"))
        kept = self._kept_arrays(statement, then, orelse)
        vague = [
            self._arm_results(block, outs, arm, arm is then, kept)
            for block, arm in ((statement.then, then), (statement.orelse, orelse))
        ]
        notes = tuple(note for out in statement.outs for note in out.notes)
        frame.lines.append(If(test, _lines(then), _lines(orelse), notes))
        for var, out, *either in zip(statement.outs, outs, *vague, strict=True):
            atom = value_atom(out, self.columns(out), any(either))
            frame.values[var] = kept.get(out, atom)
        frame.owned.update(statement.outs)

    def _kept_arrays(
        self, statement: Branch, then: Frame, orelse: Frame
    ) -> dict[Var, Piece]:
        """The arrays that are the same list whichever arm is taken."""
        kept: dict[Var, Piece] = {}
        ends = zip(
            statement.outs,
            statement.then.results,
            statement.orelse.results,
            strict=True,
        )
        for out, yes, no in ends:
            if out.type.dims:
                piece = self.array(yes, then)
                if piece.var is self.array(no, orelse).var:
                    kept[out] = piece
        return kept

    def _conditional(
        self, statement: Branch, then: Frame, orelse: Frame, frame: Frame
    ) -> Piece:
        test = self.piece(statement.test, frame)
        (yes,), (no,) = statement.then.results, statement.orelse.results
        out = statement.outs[0]
        boolean = statement.test.type == BOOL
        if boolean and no == Literal(False):
            args = (test, self.piece(yes, then))
            return compose(self._bound("and", CONJUNCTION), args, out)
        if boolean and yes == Literal(True):
            args = (test, self.piece(no, orelse))
            return compose(self._bound("or", DISJUNCTION), args, out)
        arms = (self.piece(yes, then), test, self.piece(no, orelse))
        return compose(self._bound("if", CONDITIONAL), arms, out)

    def _arm_results(
        self,
        block: Block,
        outs: tuple[Var, ...],
        arm: Frame,
        first: bool,
        kept: Mapping[Var, Piece],
    ) -> list[bool]:
        """Bind the results of an arm; whether the type of each is vague."""
        vague: list[bool] = []
        for result, out in zip(block.results, outs, strict=True):
            piece = self.piece(result, arm)
            if out in kept or (piece.is_atom and piece.var is out):
                vague.append(piece.vague)
                continue
            bare = Var(out.type)  # the notes of `out` stand above the `if`
            arm.targets[bare] = out
            # mypy takes the type of a name from the first arm
            whole = out.type.is_real and not result.type.is_real
            vague.append(self.assign(bare, piece, arm, whole and first).vague)
        return vague


def _lines(frame: Frame) -> list[Line]:
    return frame.lines


def _message_columns(message: tuple[str | Piece, ...]) -> int:
    columns = sum(width(m) if isinstance(m, str) else m.width + 2 for m in message)
    return columns + len(', f""') if message else 0


def _as_floats(name: str, args: tuple[Operand, ...]) -> tuple[Operand, ...]:
    """Whole literals beside floats as floats; the exponent of a power stays whole."""
    left, right = args
    if left.type.kind is right.type.kind:
        return args
    if isinstance(left, Literal) and left.type.kind is Kind.INT and right.type.is_real:
        return (as_float(left), right)
    if isinstance(right, Literal) and right.type.kind is Kind.INT and left.type.is_real:
        return args if name == "pow" else (left, as_float(right))
    return args


def _vague_power(args: tuple[Operand, ...]) -> bool:
    """typeshed types `x**y` as `Any` unless y is surely a whole number."""
    base, exponent = args
    return exponent.type.is_real or (
        not base.type.is_real and not isinstance(exponent, Literal)
    )
