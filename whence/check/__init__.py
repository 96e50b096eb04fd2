"""The other way round: what of a project's own code, or of a change to it, stands elsewhere, and whether it says so."""

from whence.check.base import Acceptance, CheckProgress, CheckReport, Finding, Place, Rule
from whence.check.options import Options
from whence.check.run import Check

__all__ = ["Acceptance", "Check", "CheckProgress", "CheckReport", "Finding", "Options", "Place", "Rule"]
