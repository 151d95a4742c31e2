"""Messages about shapes: a length that the array itself should tell has its name."""

import numpy as np
import pytest

from tests.support import load_generated

SOURCE = "# ad: gradient(A)\ndef f(A: 'Matrix[n, n]', B: 'Matrix[n, m]'):\n"
SOURCE += "    return A[0, 0] * B[0, 0]\n"


@pytest.mark.parametrize(
    ("first", "second", "message"),
    [
        (2.0, np.ones((2, 2)), r"A has shape \(\), not \(n, n\)"),
        ([2.0], np.ones((2, 2)), r"A has shape \(1,\), not \(n, n\)"),
        (np.ones((2, 3)), np.ones((2, 2)), r"A has shape \(2, 3\), not \(n, n\)"),
        (np.ones((2, 2)), np.ones((3, 2)), r"B has shape \(3, 2\), not \(2, m\)"),
    ],
)
def test_the_message_names_both_shapes(
    first: object, second: object, message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        load_generated(SOURCE)["f_grad"](first, second)
