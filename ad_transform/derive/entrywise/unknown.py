"""Why a matrix is not known to be sparse, and where."""

from __future__ import annotations

from ad_transform.diagnostics import Diagnostic, Refusal, Span

_HELP = (
    "let each element of a result be stored, or added to, by elements that are read "
    "there, without sums over many of them and without arrays in between; or leave out "
    "`sparse`"
)


class Unknown(Exception):
    """The entries are not known to be few; `what` ends the message."""

    def __init__(self, what: str = "", span: Span | None = None) -> None:
        super().__init__(what)
        self.what = what
        self.span = span

    def refusal(self) -> Refusal:
        """The refusal of the request (AD031)."""
        message = "this matrix is not known to be sparse"
        message = f"{message}: {self.what}" if self.what else message
        return Refusal(Diagnostic("AD031", message, self.span, _HELP))
