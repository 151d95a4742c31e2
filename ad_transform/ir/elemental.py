"""The row class: everything about an elemental stands in one row of the table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum, auto
from typing import Any

from ad_transform.dataclass import dataclass

EXACT = 0.0
"""Rounding class of operations that make no error (in ulps of the result)."""

CORRECT = 0.5
"""Rounding class of correctly rounded operations (in ulps of the result)."""


class Form(Enum):
    """The mathematical form of an operation under any name: a POWER is `x ** y`, and
    `math.pow(x, y)`, too. Passes ask for the form, not for a name.
    """

    # fmt: off
    FUNCTION = auto()        # any other: its row tells the rest
    SUM = auto()             # x + y
    DIFFERENCE = auto()      # x - y
    PRODUCT = auto()         # x * y
    QUOTIENT = auto()        # x / y
    POWER = auto()           # x ** y
    ROOT = auto()            # sqrt(x)
    TOTAL = auto()           # sum((x, y, ...))
    PRODUCT_SUM = auto()     # x * y + z, or a sum of products, rounded once
    NEGATION = auto()        # -x
    IDENTITY = auto()        # +x, float(x)
    MAGNITUDE = auto()       # abs(x)
    CHOICE = auto()          # max(x, y), min(x, y)
    COPIED_SIGN = auto()     # abs(x) with the sign of y
    SIGN = auto()            # -1, 0 or 1
    UNIT_STEP = auto()       # 0 below 0, 1 above
    WHOLE = auto()           # a whole number near x: floor, round, int
    WHOLE_QUOTIENT = auto()  # x // y
    REMAINDER = auto()       # x - q * y with a whole q
    NONEXPANSIVE = auto()    # moves by no more than its arguments do: hypot
    ANGLE = auto()           # atan2(y, x)
    COMPARISON = auto()      # x < y
    TRUTH = auto()           # not x, bool(x)
    FINITENESS = auto()      # isnan(x), isfinite(x)
    OFF = auto()             # x, in error by a known amount
    WITHIN = auto()          # x, in error by a known amount at most
    ROUNDED = auto()         # x, which has been rounded
    SOLVED = auto()          # x, which solves an equation but for a known rest
    CALLED = auto()          # x, which a function gives together with its errors
    # fmt: on

    __hash__ = object.__hash__  # Enum's own is Python code


@dataclass(frozen=True, slots=True)
class Curve:
    """A bound of the change of a function whose first argument moves by d at most.

    slope  template of the derivative at x
    slack  absolute error of the slope in units of 2**-48
    turn   template of a bound of |f'(t) - f'(x)| for |t - x| <= d: d times a bound of
           the second derivative there, infinite where d is too large for it to hold

    Templates over x, further arguments, the result v and d. For sin: `cos(x)`, 1, `d`.
    """

    slope: str
    slack: float
    turn: str


@dataclass(frozen=True, slots=True)
class Box:
    """A bound of the change of a function of two arguments that move by d and e at
    most: `reach`, a template over both, the result v, d and e.
    """

    reach: str


@dataclass(frozen=True, slots=True)
class Modulo:
    """The condition under which x - q * y keeps its whole number q: a template of the
    `size` that has to stay between `least` (a template) and `most` multiples of abs(y).
    """

    size: str
    least: str
    most: float


@dataclass(frozen=True, slots=True)
class Unbounded:
    """No finite enclosure where an argument is in error, and why."""

    reason: str


Enclosure = Curve | Box | Modulo | Unbounded


@dataclass(frozen=True, slots=True)
class Layout:
    """The rules of an operation on arrays; it is linear in `linear_in`.

    leading    the number of arguments before the indices
    rank       the dims of the arrays that it takes, 0 if any number
    linear_in  the arguments in which it is linear, the others given: its tangent is the
               operation itself on theirs
    transpose  the adjoints of arguments, in this order, on the way back: templates
               over the parameters and `v_bar`, the adjoint of the result; of an array
               the new adjoint, made of its old one, `bar`; of a number a term to be
               added. An operation that consumes an array consumes `v_bar` on the way
               back, and there is no `bar`. `k` is the place of an argument of `*x`
    tangent    for operations not linear in all of them at once: templates of terms of
               the tangent of the result `v`, in which `x_dot` is that of the argument x
    """

    leading: int = 1
    rank: int = 0
    linear_in: tuple[str, ...] = ()
    transpose: tuple[tuple[str, str], ...] = ()
    tangent: tuple[tuple[str, str], ...] = ()


PYTHON = "python"
"""The target in which every row has a spelling."""

COMPILED, WHOLE = "compiled", "compiled whole"
"""Spellings for compiled languages where the one of Python would mean something else
there, and of whole numbers; in the same notation, with functions that a target names.
"""


@dataclass(frozen=True, slots=True, eq=False)
class Elemental:
    """One elemental operation.

    name        its name in the IR and in templates
    parameters  names of the arguments; a last one `*x` takes any number, two last ones
                `*p`, `*q` take one half each
    result      "float", "int", "bool", "same" (type of the first argument) or
                "promote" (int if all arguments are int or bool, else float); of arrays
                "element", "pack", "grown", "shrunk" (by one), "other" (type of the
                second argument) or "declared" (the statement says so)
    partials    a template per parameter over the parameters and the result `v`; in the
                partial for `*x` the name `x` is the element itself (for `*p`, `*q` both
                are the elements at its place); "0" where the derivative vanishes
    common      a factor common to the partials (two-stage linearisation): the partials
                are `common * parts[i]`
    on_arrays   other partials that are cheaper on whole arrays, if there are any
    on_wholes   other partials where the last argument is a whole number, if there are
                any: a product of it with another one may be larger than floats are
    ulps        largest rounding error in units of the last place of the result
                (0 exact, 0.5 correctly rounded, inf: no relative bound)
    portable    `ulps` in the C library that errs most of those that state their errors
                (0: as in `ulps`)
    core_math   whether CORE-MATH proves it rounded correctly
    form        the mathematical form, where passes ask for it
    enclosure   a bound of the result's change with an inexact argument: a curve, a box,
                or the reason why there is none; forms but FUNCTION have their own rules
    guard       partials for estimates, which never raise: infinite where an argument is
                so small or so ill-conditioned that first order says nothing ("()": the
                partials as they are)
    prefers     template of the test by which a choice takes its first argument
    amplifies   templates of what is small where the relative error of the result grows
                without limit, and of what it is to be compared with
    cancels     a template per parameter, of terms of which all digits may get lost
    fades       a template per parameter, which never raises, of what may underflow in
                the partial although that weighs as much as the result ("": nothing)
    jumps       whether a float result may take another value at once
    never_negative  whether no result is below 0
    keeps_nonnegative  whether no result is below 0 where no argument is
    folds       whether all machines compute the same bits from numbers
    takes_complex  whether Python computes it on complex numbers, too
    commutes    whether the two arguments may be exchanged bit for bit
    layout      of an operation on arrays: its indices and its transpose
    linear      whether the result is an array of its own, which may be changed later:
                two applications are two arrays and never merged
    consumes    whether the arrays that it is given are gone afterwards
    stands      whether it is its first argument, and stands in programs only while
                these are differentiated: another argument has the derivative
    domain      template of the set where value and partials are defined ("" is all)
    points      sample points of the row's own tests, inside the domain
    kink        the convention at a kink, as the docstring of generated code says it
    compute     the reference implementation on Python floats
    spellings   the text of it in targets, for Python an expression over the parameters
                ("x + y", "math.sin(x)", "y if y > x else x", "sum(x)": a starred
                parameter stands for the tuple of its arguments)
    classes     its operation counts, a class of rule 25 for each operation: ("mul",)
    helper      text of the function `_name` that generated files in Python hold, if the
                row is spelled as a call of one
    known_as    qualified names by which the reader recognises it
    since       first Python whose math module has it; earlier ones get a printed helper
    source      where partials and error come from
    """

    name: str
    parameters: tuple[str, ...]
    result: str
    partials: tuple[str, ...]
    compute: Callable[..., Any]
    spellings: Mapping[str, str]
    ulps: float = CORRECT
    on_arrays: tuple[str, ...] = ()
    on_wholes: tuple[str, ...] = ()
    common: str = ""
    parts: tuple[str, ...] = ()
    portable: float = 0.0
    core_math: bool = False
    form: Form = Form.FUNCTION
    enclosure: Enclosure | None = None
    guard: tuple[str, ...] = ()
    prefers: str = ""
    amplifies: tuple[str, ...] = ()
    cancels: tuple[str, ...] = ()
    fades: tuple[str, ...] = ()
    jumps: bool = False
    never_negative: bool = False
    keeps_nonnegative: bool = False
    folds: bool = False
    takes_complex: bool = False
    commutes: bool = False
    stands: bool = False
    linear: bool = False
    consumes: bool = False
    domain: str = ""
    points: tuple[tuple[float, ...], ...] = ()
    kink: str = ""
    classes: tuple[str, ...] = ("call",)
    helper: str = ""
    known_as: tuple[str, ...] = ()
    since: tuple[int, int] = (3, 11)
    source: str = ""
    layout: Layout | None = None

    def __repr__(self) -> str:
        return f"<{self.name}>"

    @property
    def variadic(self) -> bool:
        """Whether the last parameter takes any number of arguments."""
        return bool(self.parameters) and self.parameters[-1].startswith("*")

    def spelling(self, target: str) -> str:
        """The text by which a target prints it; raises KeyError where it has none."""
        return self.spellings[target]

    def bind(self, args: tuple[Any, ...]) -> dict[str, Any]:
        """Arguments by parameter name; a starred one gets the tuple of its own."""
        if not self.variadic:
            return dict(zip(self.parameters, args, strict=False))
        starred = [p[1:] for p in self.parameters if p.startswith("*")]
        plain = len(self.parameters) - len(starred)
        bound: dict[str, Any] = dict(zip(self.parameters[:plain], args, strict=False))
        rest = args[plain:]
        each = len(rest) // len(starred) if starred else 0
        for k, name in enumerate(starred):
            bound[name] = rest[k * each : (k + 1) * each]
        return bound
