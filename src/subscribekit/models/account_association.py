"""Models of a user's accounts and their subscriptions (E10)."""

from ._base import CamelModel
from ._lists import Many
from ._scalars import ABSENT, EpochMillis, FreeText, Integer, JsonObject, Masked, MetadataField, MoneyField, Number
from .entity import Association
from .enumerations import EntityStatus

_ACCOUNT_NUMBER_SUFFIX = ".account.AccountNumber"


class BssAddress(CamelModel):
    """An address in the business support system."""

    city: Masked[FreeText | None] = None
    """The name of the city."""
    country: FreeText | None = None
    """The country, in any format."""
    division: Masked[FreeText | None] = None
    """The state or province."""
    fax: Masked[FreeText | None] = None
    """The fax number, in any format."""
    phone: Masked[FreeText | None] = None
    """The telephone number, in any format."""
    name: Masked[FreeText | None] = None
    """The name of the addressee."""
    postal_code: Masked[FreeText | None] = None
    """The postal code, in any format."""
    street: Masked[FreeText | None] = None
    """The street address, in any format."""
    longitude: Masked[Number | None] = None
    """The longitude, as an exact number."""
    latitude: Masked[Number | None] = None
    """The latitude, as an exact number."""
    id: FreeText | None = None
    """The ID of the address, as a string."""


class BssAccount(CamelModel):
    """An account in the business support system."""

    account_id: FreeText | None = None
    """The ID of the account in the business support system."""
    external_id: FreeText | None = None
    """The ID of the account in another system."""
    email: Masked[FreeText | None] = None
    """The customer's email address."""
    language: FreeText | None = None
    """The language of the account; the possible values aren't documented."""
    name: Masked[FreeText | None] = None
    """The name of the account's owner."""
    metadta: Masked[MetadataField] = ABSENT  # sic
    """Key-value pairs. The wire name `metadta` is misspelled; use `metadata`."""
    id: FreeText | None = None
    """The ID of the account, as a string; no source says how it differs from `account_id`."""
    addresses: Many[BssAddress] = ABSENT
    """The addresses of the account."""

    @property
    def metadata(self) -> dict[str, str] | None:
        """Key-value pairs. The wire name is `metadta`."""
        return self.metadta

    @metadata.setter
    def metadata(self, value: dict[str, str] | None) -> None:
        self.metadta = value


class PaymentDetail(CamelModel):
    """A payment method, as the account-lifecycle API returns it."""

    payment_method_id: FreeText | None = None
    """The merchant's ID of the payment method."""
    payment_method_vid: FreeText | None = None
    """The service's ID of the payment method."""
    payment_method_name: Masked[FreeText | None] = None
    """The name of the payment method; no source shows an example."""
    payment_type_name: FreeText | None = None
    """The name of the payment method's type; the possible values aren't documented."""
    active: bool | None = None
    """Whether the payment method can be used."""
    primary: bool | None = None
    """Whether this payment method pays for subscriptions and transactions that don't name a payment method."""
    status: FreeText | None = None
    """The status; the possible values aren't documented."""
    additional_fields: Masked[JsonObject | None] = None
    """Fields that the specification doesn't describe, as a JSON object."""
    billing_account_number: Masked[FreeText | None] = None
    """The number of the billing account."""
    card_number: Masked[FreeText | None] = None
    """The card number, as the service returns it."""
    expiration_month: Masked[FreeText | None] = None
    """The month in which the card expires, as a string."""
    expiration_year: Masked[FreeText | None] = None
    """The year in which the card expires, as a string."""
    class_type: FreeText | None = None
    """The class of the payment method; the possible values aren't documented."""
    id: FreeText | None = None
    """The ID of the payment method, as a string; no source says how it differs from `payment_method_id`."""


class PaymentProviderSubscription(CamelModel):
    """A subscription at a payment provider."""

    id: FreeText | None = None
    """The ID of the subscription, as a string; no source says how it differs from `provider_subscription_id`."""
    provider_subscription_id: FreeText | None = None
    """The provider's ID of the subscription."""
    internal_provider_subscription_id: FreeText | None = None
    """The provider's internal ID of the subscription."""
    product_id: FreeText | None = None
    """The ID of the product that the subscription bills."""
    subscription_start_date: EpochMillis | None = None
    """When the subscription starts, as epoch milliseconds on the wire."""
    subscription_end_date: EpochMillis | None = None
    """When the subscription ends, as epoch milliseconds on the wire."""
    product_description: FreeText | None = None
    """The description of the product."""
    billing_state: FreeText | None = None
    """The billing state; the possible values aren't documented."""
    subscription_status: FreeText | None = None
    """The status; the possible values aren't documented."""
    next_subscription_billing_date: EpochMillis | None = None
    """When the next bill is due, as epoch milliseconds on the wire."""
    next_subscription_price: MoneyField = ABSENT
    """The price of the next bill."""
    subscription_price: MoneyField = ABSENT
    """The current price."""
    next_subscription_currency: FreeText | None = None
    """The currency code of `next_subscription_price`."""
    subscription_currency: FreeText | None = None
    """The currency code of `subscription_price`."""
    purchase_source: FreeText | None = None
    """Where the subscription was bought; the possible values aren't documented."""
    service_type: FreeText | None = None
    """The type of service; the possible values aren't documented."""
    additional_fields: Masked[JsonObject | None] = None
    """Fields that the specification doesn't describe, as a JSON object."""
    plm_code: FreeText | None = None
    """The code of the product in the product catalog."""
    entitled_through: EpochMillis | None = None
    """The end of the paid time, including the grace period."""
    payment_method: PaymentDetail | None = None
    """The payment method that pays the subscription."""


class SubscriptionEntityAttributes(CamelModel):
    """The attributes of a `SubscriptionEntity`."""

    payment_provider_subscriptions: Many[PaymentProviderSubscription] = ABSENT
    """The subscriptions at payment providers."""


class SubscriptionEntity(CamelModel):
    """A subscription that is associated with an account."""

    association: Association | None = None
    """The association between the subscription and the account, with its flags."""
    activated_date: EpochMillis | None = None
    """When the entity was activated, as epoch milliseconds on the wire."""
    created_date: EpochMillis | None = None
    """When the entity was created, as epoch milliseconds on the wire."""
    deactivated_date: EpochMillis | None = None
    """When the entity was deactivated, as epoch milliseconds on the wire."""
    suspended_date: EpochMillis | None = None
    """When the entity was suspended, as epoch milliseconds on the wire."""
    updated_date: EpochMillis | None = None
    """When the entity was last changed, as epoch milliseconds on the wire."""
    display_name: Masked[FreeText | None] = None
    """The entity's display name, as a string."""
    id: Integer | None = None
    """The unique ID of the entity, an integer."""
    status: EntityStatus | None = None
    """The status of the entity, such as `activated`."""
    type: FreeText | None = None
    """The name of the entity type; the possible values aren't documented."""
    attributes: SubscriptionEntityAttributes | None = None
    """The attributes of the entity, which contain the subscriptions at payment providers."""


class AccountAssociationAttributes(CamelModel):
    """The attributes of an `AccountAssociation`."""

    bss_name: FreeText | None = None
    """The name of the business support system."""
    internal_provider_account_id: Masked[FreeText | None] = None
    """The provider's internal ID of the account."""
    payment_provider_account_id: Masked[FreeText | None] = None
    """The payment provider's ID of the account."""
    payment_provider_id: FreeText | None = None
    """The ID of the payment provider."""
    bss_accounts: Many[BssAccount] = ABSENT
    """The accounts in the business support system."""
    payment_details: Many[PaymentDetail] = ABSENT
    """The payment methods of the account."""

    @property
    def account_number(self) -> str | None:
        """The account number, whose wire name ends in `.account.AccountNumber`."""
        for name, value in (self.model_extra or {}).items():
            if name.endswith(_ACCOUNT_NUMBER_SUFFIX) and value is not None:
                return str(value)
        return None


class AccountAssociation(CamelModel):
    """An account of a user, with its subscriptions."""

    association: Association | None = None
    """The association between the account and the user, with its flags."""
    attributes: AccountAssociationAttributes | None = None
    """The attributes of the account, such as its payment methods."""
    subscriptions: Many[SubscriptionEntity] = ABSENT
    """The subscriptions of the account."""
    id: Integer | None = None
    """The unique ID of the entity, an integer."""
    type: FreeText | None = None
    """The name of the entity type; the possible values aren't documented."""
    display_name: Masked[FreeText | None] = None
    """The entity's display name, as a string."""
    status: EntityStatus | None = None
    """In responses, the current status of the entity; in requests, the status that you want."""
    activated_date: EpochMillis | None = None
    """When the entity was activated, as epoch milliseconds on the wire."""
    suspended_date: EpochMillis | None = None
    """When the entity was suspended, as epoch milliseconds on the wire."""
    deactivated_date: EpochMillis | None = None
    """When the entity was deactivated, as epoch milliseconds on the wire."""
    created_date: EpochMillis | None = None
    """When the entity was created, as epoch milliseconds on the wire."""
    updated_date: EpochMillis | None = None
    """When the entity was last changed, as epoch milliseconds on the wire."""
