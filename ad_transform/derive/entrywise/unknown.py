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

    def __init__(
        self, what: str = "", span: Span | None = None, help_: str = _HELP
    ) -> None:
        super().__init__(what)
        self.what = what
        self.span = span
        self.help = help_

    def refusal(self) -> Refusal:
        """The refusal of the request (AD031)."""
        message = "this matrix is not known to be sparse"
        message = f"{message}: {self.what}" if self.what else message
        return Refusal(Diagnostic("AD031", message, self.span, self.help))


def handed_on(span: Span | None) -> Unknown:
    """The reason where a loop carries a value that depends on the independents."""
    what = "a value made of independents goes from one iteration to the next"
    help_ = (
        "read the elements of earlier iterations by their indices, `x[i - 1]`; or "
        "leave out `sparse`"
    )
    return Unknown(what, span, help_)
