"""Random functions of the IR: every elemental, branches, checks, odd names."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from hand import RESULTS, held_in
from hypothesis import strategies as st

from ad_transform.elementals import TABLE, texts
from ad_transform.ir.elemental import Elemental
from ad_transform.ir.nodes import (
    LEAF,
    Apply,
    Behind,
    Block,
    Branch,
    Check,
    Function,
    Literal,
    Nest,
    Operand,
    Origin,
    Parameter,
    Statement,
    Var,
    group,
)
from ad_transform.ir.types import BOOL, FLOAT
from ad_transform.ir.typing import result_type

CONSTANTS = {"G": 9.81, "e": 2.5, "_LIMIT": -3.0, "N": 3, "k": 0.125}
_ARRAYS = {op.name for op in TABLE.values() if op.layout is not None}
_UNUSUAL = {"polygamma", "round_to", "fma", "math_pow"} | {r.name for r in texts.ROWS}
_STEPS = {"max_of", "min_of"}  # their first argument has to be the extreme of the rest
FLOATS = tuple(
    op
    for op in TABLE.values()
    if op.name not in _ARRAYS | _UNUSUAL | _STEPS
    and op.result in ("float", "promote", "same")
)
# their spellings have several operations, and their rows count one
COMPOSITE = {"max", "min", "maximum", "minimum", "fmax", "fmin", "sign", "heaviside"}
SIMPLE = tuple(op for op in FLOATS if op.name not in COMPOSITE)
# helpers are laid out for 88 columns
WITHOUT_HELPERS = tuple(op for op in FLOATS if not op.helper)
# the operators come often, as they do in life
OPERATORS = tuple(TABLE[n] for n in ("add", "sub", "mul", "div", "neg", "pow"))
# what is never None is not tested for it
_NEVER = {"bool", "is_none", "is_given"} | {r.name for r in texts.ROWS}
TESTS = tuple(
    op
    for op in TABLE.values()
    if op.result == "bool" and op.name not in _NEVER and not op.helper
)
HINTS = (*"xyabst", "t1", "t2", "sin", "abs", "math", "np", "x_bar", "x_bar_2", "G")
LONG = ("dynamic_pressure", "reference_area_of_the_whole_wing", "größe", "速度")
NOTES = ("", "speed in m/s", "fmt: off", "a longer note about what this value means")


@dataclass
class _Maker:
    """Draws statements; `floats` and `bools` are the values in scope."""

    draw: Any
    functions: tuple[Elemental, ...]
    floats: list[Var]
    bools: list[Var] = field(default_factory=list)
    body: list[Statement] = field(default_factory=list)

    def out(self, type_: Any) -> Var:
        hint = self.draw(st.sampled_from(("", "", "", "", *HINTS, *LONG)))
        named = bool(hint) and self.draw(st.booleans())
        notes = self.draw(st.sampled_from(((), (), (), (Behind(NOTES[1]),), NOTES)))
        return Var(type_, hint, None, named, notes)

    def operand(self) -> Operand:
        # young values come often, so that expressions grow
        draw = self.draw
        match draw(st.integers(0, 9)):
            case 0:
                return draw(literals())
            case 1 | 2 | 3:
                return draw(st.sampled_from(self.floats))
        return self.floats[-draw(st.integers(1, min(4, len(self.floats))))]

    def apply(self, op: Elemental) -> None:
        count = len([p for p in op.parameters if not p.startswith("*")])
        stars = len(op.parameters) - count
        count += stars * self.draw(st.integers(1, 4)) if stars else 0
        args = tuple(self.operand() for _ in range(count))
        if op.name == "neg" and isinstance(args[0], Literal):
            args = (self.floats[0],)  # the negative of a literal is a literal
        if op.name == "pow" and not args[0].type.is_real:
            args = (self.floats[0], args[1])  # towers of whole numbers never end
        out = self.out(result_type(op, args))
        self.body.append(Apply(out, op, args))
        self.floats.append(out)

    def test(self) -> None:
        op = self.draw(st.sampled_from(TESTS))
        if op.name == "not" and self.bools:
            args: tuple[Operand, ...] = (self.bools[-1],)
        else:
            args = tuple(self.operand() for _ in op.parameters)
        out = self.out(BOOL)
        self.body.append(Apply(out, op, args))
        self.bools.append(out)

    def branch(self, depth: int) -> None:
        draw = self.draw
        test = self.bools[-1] if self.bools else Literal(True)
        boolean = bool(self.bools) and draw(st.booleans())
        outs = 1 if boolean else draw(st.integers(1, 2))
        arms = [self.arm(depth, boolean, outs, k) for k in range(2)]
        args = (self.floats[0], self.floats[-1], *self.bools[-1:])
        types = [BOOL if boolean else FLOAT] * outs
        results = tuple(self.out(t) for t in types)
        self.body.append(Branch(results, test, args, *arms))
        (self.bools if boolean else self.floats).extend(results)

    def arm(self, depth: int, boolean: bool, outs: int, k: int) -> Block:
        draw = self.draw
        params = [Var(FLOAT), Var(FLOAT), *(Var(BOOL) for _ in self.bools[-1:])]
        inner = _Maker(draw, self.functions, params[:2], params[2:])
        inner.statements(draw(st.integers(0, 2)), depth - 1)
        results: list[Operand] = []
        for _ in range(outs):
            if not boolean:
                results.append(inner.operand())
            elif draw(st.booleans()):
                results.append(Literal(k == 0))
            else:
                results.append(inner.bools[-1])
        return Block(tuple(params), tuple(inner.body), tuple(results))

    def statements(self, count: int, depth: int) -> None:
        for _ in range(count):
            match self.draw(st.integers(0, 14)):
                case 0:
                    self.test()
                case 1 if depth:
                    self.branch(depth)
                case 2 if self.bools and depth == 2:
                    texts = ((), ('it {is} "so"',), ("x is ", self.floats[0]))
                    message = self.draw(st.sampled_from(texts))
                    self.body.append(Check(self.bools[-1], message))
                case 3 | 4 | 5:
                    self.apply(self.draw(st.sampled_from(self.functions)))
                case _:
                    self.apply(self.draw(st.sampled_from(OPERATORS)))


@st.composite
def literals(draw: Any) -> Literal:
    match draw(st.integers(0, 6)):
        case 0:
            return Literal(draw(st.floats()))
        case 1:
            return Literal(draw(st.integers(-3, 4)))
        case 2:
            name = draw(st.sampled_from(sorted(CONSTANTS)))
            return Literal(CONSTANTS[name], name, Origin.MODULE)
        case 3:
            name = draw(st.sampled_from(("A1", "A2", "b", "x", "e")))
            return Literal(draw(st.sampled_from((1.5, -2.0, 3))), name, Origin.LOCAL)
        case 4:
            return Literal(3.141592653589793, "math.pi", Origin.LIBRARY)
    return Literal(draw(st.sampled_from((2.0, 0.5, -1.0, 1e-05, 1e22))))


@st.composite
def nests(draw: Any, leaves: int) -> Nest:
    """A nest with so many leaves; arrays hold rows of one length."""
    shape = draw(st.sampled_from(("flat", "pair", "matrix")))
    container = draw(st.sampled_from(RESULTS))
    if leaves == 1 and draw(st.booleans()):
        return LEAF
    if shape == "matrix" and leaves % 2 == 0:
        row = held_in((LEAF,) * (leaves // 2), container)
        return held_in((row, row), container)
    if shape == "pair" and leaves > 1:
        rest = held_in((LEAF,) * (leaves - 1), container)
        return group((LEAF, rest))
    return held_in((LEAF,) * leaves, container)


@st.composite
def functions(draw: Any, rows: tuple[Elemental, ...] = FLOATS) -> Function:
    """A function of up to 25 statements that uses the given elementals."""
    names = draw(
        st.lists(
            st.sampled_from(("x", "y", "t1", "abs", "sin", "math", "np", *LONG)),
            min_size=1,
            max_size=4,
            unique=True,
        )
    )
    params = tuple(Var(FLOAT, name, None, True) for name in names)
    maker = _Maker(draw, rows, list(params))
    maker.statements(draw(st.integers(1, 25)), 2)
    count = draw(st.integers(1, 8))
    results = tuple(maker.operand() for _ in range(count))
    parameters = tuple(Parameter(p.hint, (p,)) for p in params)
    block = Block(params, tuple(maker.body), results)
    primal = draw(st.integers(0, count))
    return Function("f_grad", parameters, block, draw(nests(count)), primal)
