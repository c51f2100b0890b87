"""Generates the parts of the documentation that come from the code, such as operations, models, coverage, and pictures.

PYTHONPATH=tests:. python -m pages
"""
