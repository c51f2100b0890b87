"""The core of the SDK: `config`, `operations`, `http`, `calls`, `lists`, and `client`.

Each of these packages imports only packages that precede it in this list.
"""
