"""Pseudo-random integers, the same on every machine and in every version."""

from __future__ import annotations

_MASK = (1 << 64) - 1


class Random:
    """The generator splitmix64 (Steele, Lea & Flood 2014)."""

    __slots__ = ("_state",)

    def __init__(self, seed: int) -> None:
        self._state = seed & _MASK

    def bits(self) -> int:
        """The next 64 bits."""
        self._state = state = (self._state + 0x9E3779B97F4A7C15) & _MASK
        state = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        state = ((state ^ (state >> 27)) * 0x94D049BB133111EB) & _MASK
        return state ^ (state >> 31)

    def below(self, limit: int) -> int:
        """A number in 0..limit-1; the bias is at most limit / 2**64."""
        return (self.bits() * limit) >> 64

    def exponential(self) -> int:
        """An exponentially distributed number with mean 1, in units of 1/256.

        -ln of a number in (0, 1]; log2 is interpolated linearly between powers of two,
        which is off by at most 0.09.
        """
        number = self.bits() | 1
        length = number.bit_length()
        fraction = ((number << (64 - length)) & (_MASK >> 1)) >> 55  # 8 bits
        return ((64 - length) * 256 + 255 - fraction) * 177 // 256  # ln 2 is 177/256
