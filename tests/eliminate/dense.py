"""Arrays of numpy for linear maps, a counter of their products, and full matrices."""

from __future__ import annotations

from math import prod

import numpy as np

from ad_transform.eliminate.linear import (
    Broadcast,
    Dense,
    Diagonal,
    Gather,
    Identity,
    Left,
    Right,
    Scaled,
    Scatter,
    Solved,
    Sum,
    scaling,
)
from ad_transform.ir.dims import elements, size


class Numpy:
    """Whole numbers in arrays of numpy, so that all results are exact; every
    multiplication of two numbers is counted where it is done."""

    def __init__(self, **sizes):
        self.sizes = sizes
        self.multiplications = 0

    def elements(self, dims):
        return elements(dims, self.sizes)

    def shape(self, dims):
        return tuple(size(a, self.sizes) for a in dims)

    def number(self, value):
        return np.array(value)

    def plus(self, a, b):
        return a + b

    def times(self, a, b):
        product = np.asarray(a * b)
        self.multiplications += product.size
        return product

    def contract(self, a, b, axes):
        product = np.asarray(np.tensordot(a, b, axes=axes))
        self.multiplications += product.size * prod(b.shape[:axes])
        return product

    def solve(self, a, b):
        self.multiplications += len(a) ** 3 // 3 + len(a) * b.size
        found = np.linalg.solve(a, b.reshape(len(a), -1)).reshape(b.shape)
        return np.rint(found).astype(int)

    def unit(self, dims):
        return np.eye(*self.shape(dims), dtype=int)

    def diagonal(self, a):
        return np.diag(a)

    def turn(self, a, axes):
        return np.moveaxis(a, range(axes), range(-axes, 0)) if axes else a

    def take(self, a, index, axes):
        return a.reshape(-1, *a.shape[axes:])[index]

    def put(self, a, index, dims):
        shape, rest = self.shape(dims), a.shape[index.ndim :]
        whole = np.zeros((prod(shape), *rest), dtype=a.dtype)
        np.add.at(whole, index.ravel(), a.reshape(-1, *rest))
        return whole.reshape((*shape, *rest))

    def put_across(self, a, index, dims, axes):
        put = self.put(self.turn(a, a.ndim - axes), index, dims)
        return self.turn(put, len(dims))

    def spread(self, a, dims, axes):
        return np.broadcast_to(np.expand_dims(a, axes), self.shape(dims))

    def total(self, a, axes):
        return a.sum(axis=axes)


class Random:
    """Maps of every form between arrays of given shapes, from a seed."""

    def __init__(self, seed):
        self.bits = np.random.default_rng(seed)

    def array(self, *shape):
        return self.bits.integers(1, 9, shape)

    def index(self, shape, below):
        return self.bits.integers(0, prod(below), shape)

    def between(self, source, target):
        """One map of every form that there is from the one to the other."""
        array, index = self.array, self.index
        maps = [
            Dense(source, target, array(*target, *source)),
            Gather(source, target, index(target, source)),
            Gather(source, target, index(target, source), array(*target)),
            Scatter(source, target, index(source, target)),
            Scatter(source, target, index(source, target), array(*source)),
        ]
        if source == target:
            maps += [
                Identity(source),
                scaling(source, array()),
                Diagonal(source, array(*source)),
            ]
        maps += [
            Broadcast(target, axes)
            for axes in _subsets(len(target))
            if Broadcast(target, axes).source == source
        ]
        maps += [
            Sum(source, axes)
            for axes in _subsets(len(source))
            if Sum(source, axes).target == target
        ]
        if source == target and len(source) == 1:
            (n,) = source
            maps.append(Solved(n, np.eye(n, dtype=int) + np.tril(array(n, n), -1)))
        if source and target and source[1:] == target[1:]:
            dims = target[0], source[0]
            maps.append(Left(dims, source[1:], array(*dims)))
        if source and target and source[:-1] == target[:-1]:
            dims = source[-1], target[-1]
            maps.append(Right(dims, source[:-1], array(*dims)))
        return [
            *maps,
            *(Scaled(array(), m) for m in maps[::3] if not isinstance(m, Scaled)),
        ]


def _subsets(count):
    """The sets of axes, but the empty one."""
    return [
        tuple(i for i in range(count) if bits >> i & 1) for bits in range(1, 1 << count)
    ]


def matrix(linear_map):
    """The full matrix: what each unit array is mapped to, by columns."""
    arrays = Numpy()
    n = prod(linear_map.source)
    units = np.eye(n, dtype=int).reshape((n, *linear_map.source))
    return np.array([linear_map.apply(x, arrays).ravel() for x in units]).T
