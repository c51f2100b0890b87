"""Speed against what a good engineer writes by hand: `python tests/benchmarks/run.py`. Never asserted."""
