"""What type checkers and editors follow; written by scripts/faces.py."""

from subscribekit._faces.asynchronous.billing.client import AsyncBillingResources as AsyncBillingResources
from subscribekit._faces.asynchronous.gateway import AsyncGatewayResources as AsyncGatewayResources
from subscribekit._faces.asynchronous.storefront import AsyncStorefrontResources as AsyncStorefrontResources
from subscribekit._faces.asynchronous.user_mgmt import AsyncUserMgmtResources as AsyncUserMgmtResources
from subscribekit._faces.blocking.billing.client import BlockingBillingResources as BlockingBillingResources
from subscribekit._faces.blocking.gateway import BlockingGatewayResources as BlockingGatewayResources
from subscribekit._faces.blocking.storefront import BlockingStorefrontResources as BlockingStorefrontResources
from subscribekit._faces.blocking.user_mgmt import BlockingUserMgmtResources as BlockingUserMgmtResources
