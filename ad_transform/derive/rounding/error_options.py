"""The options of a mark `error`: the model and its parameters."""

from __future__ import annotations

from collections.abc import Mapping

from ad_transform.dataclass import dataclass
from ad_transform.derive.rounding.inputs import pairs
from ad_transform.derive.rounding.largest_errors import Rules
from ad_transform.derive.rounding.residuals import zero_if_exact
from ad_transform.diagnostics import Diagnostic, Refusal
from ad_transform.elementals import ROWS, TABLE
from ad_transform.elementals.libraries import LIBRARIES
from ad_transform.ir.elemental import CORRECT, EXACT, Form

UNIT = 2.0**-53
"""Half an ulp of 1: the least number with 1 + eps != 1, read literally. (In
`sys.float_info.epsilon` it is the distance from 1 to the next double, 2**-52.)"""


@dataclass(frozen=True, slots=True)
class ErrorOptions:
    """The model that a mark asks for, and its options.

    `known` are the numbers of the source where another function is estimated, which is
    derived from it: other literals there are folded. None: there are none.
    """

    model: str = "linear"
    eps: float = UNIT
    inputs: str = "exact"
    literals: str = "exact"
    report: bool = False
    tests: str = "sums"
    uncertainties: str = ""
    library: str = "glibc"
    ulps: str = ""
    known: frozenset[float] | None = None

    @classmethod
    def of(cls, options: Mapping[str, object]) -> ErrorOptions:
        """The options of a mark that are about errors; others are passed over."""
        own = {k: v for k, v in options.items() if k in cls.__slots__}
        return cls(**own)  # type: ignore[arg-type]

    @property
    def rules(self) -> Rules:
        """The assumptions about operations; raises Refusal AD020."""
        residual = zero_if_exact if self.tests == "all" else None
        return Rules({**LIBRARIES[self.library], **_claimed(self.ulps)}, residual)


def _claimed(text: str) -> dict[str, float]:
    """Errors of library functions as a mark claims them; raises Refusal AD020."""
    help_ = 'write `ulps="exp=0.51, sin=0.55"`'
    try:
        claims = {name: ulps for name, (ulps, _) in pairs(text).items()}
    except ValueError as error:
        raise Refusal(Diagnostic("AD020", str(error), None, help_)) from None
    for name, ulps in claims.items():
        row = TABLE.get(name)
        if row is None or row.ulps in (EXACT, CORRECT) or ulps < CORRECT:
            text = f"no library function errs by {ulps} ulps: {name!r}"
            raise Refusal(Diagnostic("AD020", text, None, help_))
    if "pow" in claims:
        powers = [row.name for row in ROWS if row.form is Form.POWER]
        claims |= dict.fromkeys(powers, claims["pow"])
    return claims
