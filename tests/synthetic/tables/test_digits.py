"""Handwritten digits by halves of the labels."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from bounds.numbers.validate import InvalidInput
from synthetic.tables.digits import digit_clusters

pytest.importorskip("sklearn")


def test_clients_have_their_cluster_s_labels_and_no_row_twice() -> None:
    from sklearn.datasets import load_digits

    table, labels = load_digits(return_X_y=True)
    seen: dict[bytes, set[int]] = {}
    for row, label in zip(table / 16, labels, strict=True):
        seen.setdefault(row.tobytes(), set()).add(int(label))
    split = digit_clusters(6, 30, seeds=(1, 2))
    X, y = split.problem.data["X"], split.problem.data["y"]
    assert X.shape == (2, 6, 30, 65)
    assert split.features.shape[:2] == (2, 2)
    for r in range(2):
        rows = [row[:64].tobytes() for row in X[r].reshape(-1, 65)]
        rows += [row[:64].tobytes() for row in split.features[r].reshape(-1, 65)]
        assert len(set(rows)) == len(rows)
        for k, cluster in enumerate(split.clusters):
            for row, target in zip(X[r, k], y[r, k], strict=True):
                (label,) = seen[row[:64].tobytes()]
                assert (label >= 5) == cluster
                assert target == (1 if label % 2 == 0 else -1)
    assert not np.array_equal(X[0], X[1])
    np.testing.assert_array_equal(digit_clusters(6, 30, seeds=(2,)).problem.data["X"][0], X[1])


def test_too_many_rows_are_refused() -> None:
    with pytest.raises(InvalidInput, match=r"rows must be in \[1, 298\], got 300"):
        digit_clusters(6, 300)
    with pytest.raises(InvalidInput, match="clients must be even"):
        digit_clusters(5)


def test_without_scikit_learn_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sklearn.datasets", None)
    with pytest.raises(InvalidInput, match=r"pip install 'fedassay\[data\]'"):
        digit_clusters()
