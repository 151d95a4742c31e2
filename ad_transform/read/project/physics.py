"""Constants of `scipy.constants` that a definition fixes, so that no release moves
them.

Those that are measured (`G`, `m_e`, `epsilon_0`) change with every adjustment and are
refused by name. The units of 2019 fix the rest; `R`, `hbar` and `sigma` follow from
them, to the last bit of a float.
"""

from __future__ import annotations

PREFIX = "scipy.constants."

# fmt: off
DEFINED: dict[str, float] = {
    "c": 299792458.0, "speed_of_light": 299792458.0,
    "h": 6.62607015e-34, "Planck": 6.62607015e-34, "hbar": 1.0545718176461565e-34,
    "e": 1.602176634e-19, "elementary_charge": 1.602176634e-19,
    "k": 1.380649e-23, "Boltzmann": 1.380649e-23,
    "N_A": 6.02214076e23, "Avogadro": 6.02214076e23,
    "R": 8.31446261815324, "gas_constant": 8.31446261815324,
    "sigma": 5.6703744191844314e-08, "Stefan_Boltzmann": 5.6703744191844314e-08,
    "g": 9.80665, "atm": 101325.0, "atmosphere": 101325.0, "bar": 100000.0,
    "zero_Celsius": 273.15, "eV": 1.602176634e-19, "electron_volt": 1.602176634e-19,
    "calorie": 4.184, "calorie_th": 4.184, "calorie_IT": 4.1868,
    "minute": 60.0, "hour": 3600.0, "day": 86400.0, "week": 604800.0,
    "year": 31536000.0, "Julian_year": 31557600.0,
    "degree": 0.017453292519943295, "golden": 1.618033988749895,
    "golden_ratio": 1.618033988749895, "inch": 0.0254, "angstrom": 1e-10,
    "light_year": 9460730472580800.0, "au": 149597870700.0,
    "astronomical_unit": 149597870700.0,
}
# fmt: on
"""Values by name in `scipy.constants`."""


def defined(qualified: str) -> float | None:
    """The value of a constant of scipy, None for any other name."""
    if not qualified.startswith(PREFIX):
        return None
    return DEFINED.get(qualified.removeprefix(PREFIX))
