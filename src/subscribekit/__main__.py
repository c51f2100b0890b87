"""Runs the command line as `python -m subscribekit`. The command `preload` works without the extra `cli`."""

import sys


def _preload() -> int:
    from .billing import BillingClient
    from .gateway import GatewayClient
    from .storefront import StorefrontClient
    from .user_mgmt import UserMgmtClient

    for kind in (BillingClient, GatewayClient, StorefrontClient, UserMgmtClient):
        with kind(environment="sandbox") as client:
            client.preload()
    return 0


if __name__ == "__main__":
    if sys.argv[1:] == ["preload"]:
        sys.exit(_preload())
    from .cli import main

    sys.exit(main())
