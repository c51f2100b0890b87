"""Generates IDs for entitlement charges."""

import uuid

from ..._public import publish


def new_transaction_id() -> str:
    """Return a new transaction ID for an entitlement charge (E8), with 36 characters.

    Store the ID before you send the charge. If the outcome is unknown, the operator can find the charge only by its ID.
    """
    return str(uuid.uuid4())


publish("subscribekit", new_transaction_id)
