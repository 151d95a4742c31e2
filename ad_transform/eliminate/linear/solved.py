"""The linear map of a system of equations: the partial of `solve(A, y)` by y."""

from __future__ import annotations

from ad_transform.dataclass import dataclass
from ad_transform.eliminate.linear.arrays import Arrays
from ad_transform.eliminate.linear.maps import A, B, Conversion, LinearMap
from ad_transform.ir.dims import Dim, Dims


@dataclass(frozen=True, slots=True, eq=False)
class Solved(LinearMap[A]):
    """y -> x where A x = y, A being a square matrix of this size."""

    size: Dim
    matrix: A

    @property
    def source(self) -> Dims:
        return (self.size,)

    @property
    def target(self) -> Dims:
        return (self.size,)

    def apply(self, x: A, arrays: Arrays[A]) -> A:
        return arrays.solve(self.matrix, x)

    def transposed(self, arrays: Arrays[A]) -> LinearMap[A]:
        return Solved(self.size, arrays.turn(self.matrix, 1))

    def over(self, convert: Conversion[A, B]) -> LinearMap[B]:
        return Solved(self.size, convert(self.matrix, (self.size, self.size)))
