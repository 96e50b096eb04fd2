"""What all tests share."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("whence", deadline=None)  # a busy machine is no defect
settings.load_profile("whence")
