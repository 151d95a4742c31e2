"""Values of the IR: variables and literals."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, TypeAlias, TypeVar, dataclass_transform, final

from ad_transform.dataclass import dataclass, kept
from ad_transform.diagnostics import Span
from ad_transform.ir.types import BOOL, FLOAT, INT, STR, Type

if TYPE_CHECKING:
    from ad_transform.ir.formulas import Formula

T = TypeVar("T")


@dataclass_transform(eq_default=False, frozen_default=True)
def node(cls: type[T]) -> type[T]:
    """A frozen dataclass with slots, compared by identity.

    Type checkers hold it to be frozen; guarding it at run time as well would take four
    times as long to make one, and a program has many.
    """
    return dataclass(slots=True, eq=False)(cls)


class Behind(str):
    """A comment that stands behind its statement; any other stands above it."""

    __slots__ = ()


class Head(str):
    """The head of a loop in the source, `for k in range(n)`; its output has its own."""

    __slots__ = ()


class Back(str):
    """A comment on a loop back: the loop of the source that it goes back through.

    It is printed only where a reader could take the loop for another one.
    """

    __slots__ = ()


class InArm(str):
    """A comment in the arm of a branch on a result that only gets one more name there:
    the value called `of`. Passes may change the sides of arms.
    """

    __slots__ = ("of",)

    of: str

    def __new__(cls, text: str, of: str = "") -> InArm:
        """The comment on a value of this name."""
        made = super().__new__(cls, text)
        made.of = of
        return made


class First(str):
    """A comment on the first value of the carry called `of`, or else on its loop."""

    __slots__ = ("of",)

    of: str

    def __new__(cls, text: str, of: str = "") -> First:
        """The comment on the carry of this name."""
        made = super().__new__(cls, text)
        made.of = of
        return made


@final
@node
class Var:
    """A value. Compared by identity; `hint` is the name it would like in the output.

    `named` says that the user (not a pass) gave it the name; `notes` are the comments
    that stand above the statement that binds it or, last, behind it, without `#`.
    """

    type: Type
    hint: str = ""
    span: Span | None = None
    named: bool = False
    notes: tuple[str, ...] = ()


class Origin(Enum):
    """The origin of the name of a constant."""

    NUMBER = "number"  # no name: print the value
    LOCAL = "local"  # `A1 = 175.0` inside the function
    MODULE = "module"  # a module constant, its definition copied as text
    LIBRARY = "library"  # `math.pi`: name is "math.pi"
    FORMULA = "formula"  # made of named constants: name is "2.0 * R"

    __hash__ = object.__hash__  # Enum's own is Python code


@final
@node
class Literal:
    """A typed constant, perhaps with a name. 1, 1.0, True, 0.0 and -0.0 all differ.

    Two literals are equal when type and value are; the name does not count, nor do the
    comments at its definition, `notes`. A constant that folding has made of named ones
    has the `formula` by which it is made. `whole` is said of a float whose name is that
    of a whole number.
    """

    value: float | int | bool | str
    name: str = ""
    origin: Origin = Origin.NUMBER
    notes: tuple[str, ...] = ()
    formula: Formula | None = None
    whole: bool = False

    @property
    def type(self) -> Type:
        return _LITERAL_TYPES[type(self.value)]

    def __eq__(self, other: object) -> bool:
        if type(other) is not Literal:
            return False
        a, b = self.value, other.value
        if a is b:
            return True
        if type(a) is not type(b):
            return False
        if a == b:
            return a != 0 or repr(a) == repr(b)  # 0.0 is not -0.0
        return a != a and b != b  # NaN is NaN

    @kept
    def _hash(self) -> int:
        value = self.value
        return hash(value) if value == value else 0

    def __hash__(self) -> int:
        return self._hash


_LITERAL_TYPES = {float: FLOAT, int: INT, bool: BOOL, str: STR}

Operand: TypeAlias = Var | Literal

Substitution: TypeAlias = dict[Operand, Operand]
"""Values by those that they stand for."""


def hint_of(operand: Operand) -> str:
    """The name that a value would like in the output; a literal has no wish."""
    return operand.hint if isinstance(operand, Var) else ""


@dataclass(frozen=True, slots=True)
class Maker:
    """A class that the output imports: results, defaults and exceptions are of it.

    `name` is its name in the file at `path`, seen from the folder of the source, which
    stands in `packages`, the outermost first. `module` is known once the output is.
    """

    name: str
    path: str
    packages: tuple[str, ...] = ()
    module: str = ""

    @property
    def qualified(self) -> str:
        """Its qualified name."""
        return f"{self.module}.{self.name}"
