"""Where else does this code stand, and does that place say where it came from?"""

__version__ = "0.1.0"
