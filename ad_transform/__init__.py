"""Marks, shapes and operators: what a source file may import of the tool, at no cost.

`@ad.gradient("x")` and `# ad: gradient(x)` say the same. The decorators return the
function untouched; the shapes are annotations, `x: ad.Vector[3]`. The operators,
`ad.derivative(f, x)`, have a meaning in what is generated alone. Nothing is imported.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Protocol, TypeVar, overload

    F = TypeVar("F", bound=Callable[..., Any])

    class _Mark(Protocol):
        @overload
        def __call__(self, function: F, /) -> F: ...

        @overload
        def __call__(self, *names: str, **options: object) -> Callable[[F], F]: ...


def _unchanged(function: "F") -> "F":
    return function


def _mark(*names: "Any", **options: object) -> "Any":
    """The function itself, or a decorator that returns it."""
    is_bare = len(names) == 1 and callable(names[0]) and not options
    return names[0] if is_bare else _unchanged


gradient: "_Mark" = _mark
jacobian: "_Mark" = _mark
hessian: "_Mark" = _mark
hvp: "_Mark" = _mark
jvp: "_Mark" = _mark
vjp: "_Mark" = _mark
taylor: "_Mark" = _mark
error: "_Mark" = _mark
expand: "_Mark" = _mark
implicit: "_Mark" = _mark
shapes: "_Mark" = _mark
external: "_Mark" = _mark
rule: "_Mark" = _mark
passive: "_Mark" = _mark


def _operator(name: str) -> "Any":
    """A function that raises when called: generated code stands in its place."""

    def refuse(*values: object, **named: object) -> "Any":
        import sys  # noqa: PLC0415  for the message alone

        path = sys._getframe(1).f_code.co_filename
        raise NotImplementedError(
            f"ad.{name} is no function: mark the function around it `# ad: expand`, "
            f"run `ad-transform {path}` and call what that generates"
        )

    return refuse


derivative = _operator("derivative")
tangent = _operator("tangent")
adjoint = _operator("adjoint")
rounding_error = _operator("rounding_error")


class _Shape:
    """The value of `Vector[3]` at run time: an annotation and nothing more."""

    def __init__(self, name: str, dims: "tuple[object, ...]" = ()) -> None:
        self.name = name
        self.dims = dims

    def __getitem__(self, dims: object) -> "_Shape":
        return _Shape(self.name, dims if isinstance(dims, tuple) else (dims,))

    def __repr__(self) -> str:
        dims = ", ".join(map(str, self.dims))
        return f"{self.name}[{dims}]" if dims else self.name


# Any: type checkers take `x: ad.Vector[3]` for an annotation, and `x[0]` for a float.
Vector: "Any" = _Shape("Vector")
Matrix: "Any" = _Shape("Matrix")
Array: "Any" = _Shape("Array")
