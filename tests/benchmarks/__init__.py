"""Benchmarks that compare the SDK with handwritten code: `python tests/benchmarks/run.py`. They assert no speed."""
