"""The test kit: one test body for sync and async clients, clocks, interrupts, and scripted services.

`calls.py` opens sync and async clients, and responds to their requests without a socket. `faults` is a server that
breaks connections as a script says. `counting.py` counts the effects of charges. `clocks.py` and `interrupts.py`
replace time and signals. A folder of tests can have its own `kit.py` for helpers that only this folder needs.
"""
