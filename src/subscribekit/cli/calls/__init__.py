"""The command `subscribekit call`: the operations, their arguments, and the calls."""
