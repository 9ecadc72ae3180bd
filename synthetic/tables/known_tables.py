"""Tables that come with scikit-learn, as columns by name."""

from __future__ import annotations

from typing import Any

import numpy as np

from bounds.numbers.validate import InvalidInput, require

KNOWN_TABLES = {
    "diabetes": ("load_diabetes", "progression"),
    "breast-cancer": ("load_breast_cancer", "diagnosis"),
}
"""Name -> loader of scikit-learn, and what the target's column is called."""


def known_table(name: str) -> dict[str, Any]:
    """Columns of one of scikit-learn's tables, features as they were measured, the target last.

    Parameters
    ----------
    name : str
        A key of `KNOWN_TABLES`. The columns of ``diabetes`` are
        `synthetic.tables.diabetes.COLUMNS`; those of ``breast-cancer`` have underscores for spaces.

    Raises
    ------
    InvalidInput
        If the name is unknown or scikit-learn is missing.
    """
    require(name in KNOWN_TABLES, "table", f"one of {', '.join(KNOWN_TABLES)}", name, "choose one")
    try:
        from sklearn import datasets
    except ImportError as error:
        raise InvalidInput(
            f"scikit-learn must be installed to load the table {name}, got no such module: "
            "pip install 'fedassay[data]'."
        ) from error
    loader, target = KNOWN_TABLES[name]
    settings: dict[str, Any] = {"scaled": False} if name == "diabetes" else {}
    found = getattr(datasets, loader)(**settings)
    columns = {
        str(feature).replace(" ", "_"): np.asarray(found.data[:, j])
        for j, feature in enumerate(found.feature_names)
    }
    return {**columns, target: np.asarray(found.target)}
