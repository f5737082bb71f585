"""Tests of what runs behind walls, with each layer that this system has."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

import pytest

from stripe.sandbox import layers
from stripe.sandbox.layers import find_layer
from stripe.sandbox.walls import VARIABLE, Layer

WALLED = (Layer.NAMESPACES, Layer.LANDLOCK)


@contextmanager
def forced(layer: Layer) -> Iterator[Layer]:
    """Have everything use this layer, if the system has it."""
    if layer is not Layer.NONE and layers.refused(layer) is not None:
        pytest.skip(f"no {layer.value} here")
    with patch.dict(os.environ, {VARIABLE: layer.value}):
        find_layer.cache_clear()
        try:
            yield layer
        finally:
            find_layer.cache_clear()
