"""What of the documentation is made from the code: operations, models, coverage, the retry matrix and the pictures.

PYTHONPATH=tests:. python -m pages
"""
