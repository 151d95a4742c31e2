"""Functions as people write them with whole arrays of numpy, and points for them.

The names of dims stand for run-time lengths; `of_known_shapes` has numbers for them.
"""

import re
from collections.abc import Mapping
from typing import Any

SIZES: Mapping[str, int] = {"n": 4, "m": 3, "k": 2}

SOURCE = """
import numpy as np


def logistic(w: "Vector[m]", b: float, X: "Matrix[n, m]", y: "Vector[n]", lam=0.1):
    z = X @ w + b
    loss = np.logaddexp(0.0, -y * z)
    return np.mean(loss) + 0.5 * lam * np.sum(w**2)


def least_squares(w: "Vector[m]", X: "Matrix[n, m]", y: "Vector[n]"):
    r = X @ w - y
    return 0.5 * np.dot(r, r)


def ridge(w: "Vector[m]", X: "Matrix[n, m]", y: "Vector[n]", lam: float):
    return np.linalg.norm(X @ w - y) ** 2 + lam * (w @ w)


def heat(u: "Vector[n]", c: float):
    new = u[1:-1] + c * (u[2:] - 2.0 * u[1:-1] + u[:-2])
    return np.sum(new**2)


def smooth(x: "Vector[n]"):
    d = x[1:] - x[:-1]
    return np.sum(np.sqrt(1.0 + d * d))


def softmax_entropy(z: "Vector[n]", t: "Vector[n]"):
    e = np.exp(z - np.max(z))
    p = e / e.sum()
    return -np.sum(t * np.log(p))


def log_sum_exp(z: "Vector[n]"):
    top = z.max()
    return top + np.log(np.sum(np.exp(z - top)))


def mixture(mu: "Vector[k]", log_s: "Vector[k]", alpha: "Vector[k]", x: "Vector[n]"):
    s = np.exp(log_s)
    a = alpha - np.log(np.sum(np.exp(alpha)))
    z = (x[:, None] - mu) / s
    p = np.exp(a - log_s - 0.5 * z**2)
    return -np.sum(np.log(p.sum(axis=1)))


def cosine(x: "Vector[n]", y: "Vector[n]"):
    return np.dot(x, y) / (np.linalg.norm(x) * np.linalg.norm(y))


def pairwise(X: "Matrix[n, k]"):
    d = X @ X.T
    sq = np.sum(X**2, axis=1)
    return np.sum(np.exp(-(sq[:, None] + sq - 2.0 * d)))


def covariance(X: "Matrix[n, m]"):
    c = X - X.mean(axis=0)
    s = c.T @ c / (len(X) - 1)
    return np.sum(s * s)


def mlp(A: "Matrix[m, k]", b: "Vector[m]", v: "Vector[m]", x: "Vector[k]"):
    return v @ np.tanh(A @ x + b)


def relu_net(A: "Matrix[m, k]", B: "Matrix[k, m]", x: "Vector[k]"):
    h = np.maximum(A @ x, 0.0)
    out = B @ h
    return np.sum(out * out)


def huber(r: "Vector[n]", delta: float):
    a = np.abs(r)
    return np.sum(np.where(a <= delta, 0.5 * r * r, delta * (a - 0.5 * delta)))


def safe_roots(x: "Vector[n]"):
    return np.sum(np.where(x > 0.0, np.sqrt(x), -x))


def polynomial(c: "Vector[m]", t: "Vector[n]"):
    value = c[0] + c[1] * t + c[2] * t**2
    return np.sum(value * np.cos(t))


def moving_average(x: "Vector[n]"):
    total = np.cumsum(x)
    mean = (total[2:] - total[:-2]) / 2.0
    return np.sum(mean**2)


def arc_length(x: "Vector[n]", y: "Vector[n]"):
    return np.sum(np.hypot(np.diff(x), np.diff(y)))


def weighted_mean(x: "Vector[n]", w: "Vector[n]"):
    return (w * x).sum() / w.sum()


def spread(x: "Vector[n]"):
    m = np.mean(x)
    return np.sqrt(np.mean((x - m) ** 2))


def quadratic(x: "Vector[m]", A: "Matrix[m, m]", b: "Vector[m]"):
    return 0.5 * x @ A @ x - b @ x


def bilinear(x: "Vector[n]", A: "Matrix[n, m]", y: "Vector[m]"):
    return x @ A @ y + np.sum(np.outer(x, y) * A)


def poisson(w: "Vector[m]", X: "Matrix[n, m]", y: "Vector[n]"):
    eta = X @ w
    return np.sum(np.exp(eta) - y * eta)


def multiclass(W: "Matrix[m, k]", X: "Matrix[n, m]", T: "Matrix[n, k]"):
    Z = X @ W
    Z = Z - Z.max(axis=1)[:, None]
    logp = Z - np.log(np.sum(np.exp(Z), axis=1))[:, None]
    return -np.mean(np.sum(T * logp, axis=1))


def trapezoid(f: "Vector[n]", x: "Vector[n]"):
    return np.sum((f[1:] + f[:-1]) * (x[1:] - x[:-1])) / 2.0


def chained(x: "Vector[n]"):
    y = x
    y = y * y
    y += x
    y *= 2.0
    return np.sum(np.sin(y))


def joined(x: "Vector[n]", y: "Vector[m]"):
    z = np.concatenate([x, y * 2.0])
    return np.sum(z**3)


def frobenius(A: "Matrix[n, m]"):
    return np.linalg.norm(A) + np.sum(A.T[0] * A[:, 0])


def clipped(x: "Vector[n]"):
    return np.sum(np.clip(x, -0.5, 0.8) * np.minimum(x, 0.3))


def gaussian(x: "Vector[m]", mu: "Vector[m]", s: float):
    z = (x - mu) / s
    return -0.5 * z @ z - len(x) * np.log(s)
"""

Arguments = dict[str, Any]

_DIMS = re.compile(r'"(?:Vector|Matrix)\[[^\]]*\]"')


def of_known_shapes(source: str = SOURCE) -> str:
    """The functions for arrays of known shapes."""

    def numbered(annotation: re.Match[str]) -> str:
        return re.sub(r"\b[nmk]\b", lambda d: str(SIZES[d[0]]), annotation[0])

    return _DIMS.sub(numbered, source)
