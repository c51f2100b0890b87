"""The version of this package, which is defined only in this module."""

__version__ = "0.1.0"
