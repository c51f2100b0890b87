"""Identifiers for entitlement charges."""

import uuid

from ..._public import publish


def new_transaction_id() -> str:
    """Make an identifier for an entitlement charge (E8), 36 characters.

    Store it before you make the charge: after an unknown outcome it is the one thing to reconcile by.
    """
    return str(uuid.uuid4())


publish("subscribekit", new_transaction_id)
