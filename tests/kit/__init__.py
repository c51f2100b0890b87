"""The test kit: one test body for both styles, clocks, interrupts, and services that respond as a test needs.

`calls.py` opens clients in either style and responds without a socket. `faults` is a server that breaks connections in
the ways that a script names. `counting.py` counts the effects of charges. `clocks.py` and `interrupts.py` replace time
and signals. Folders of tests may add a `kit.py` of their own for what only they need.
"""
