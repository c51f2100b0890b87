"""Accounts of a user, with their subscriptions (E10)."""

from ._base import CamelModel
from ._lists import Many
from ._scalars import ABSENT, EpochMillis, FreeText, Integer, JsonObject, Masked, MetadataField, MoneyField, Number
from .entity import Association
from .enumerations import EntityStatus

_ACCOUNT_NUMBER_SUFFIX = ".account.AccountNumber"


class BssAddress(CamelModel):
    """An address in the business support system."""

    city: Masked[FreeText | None] = None
    """City."""
    country: FreeText | None = None
    """Country."""
    division: Masked[FreeText | None] = None
    """State or province."""
    fax: Masked[FreeText | None] = None
    """Fax number."""
    phone: Masked[FreeText | None] = None
    """Telephone number."""
    name: Masked[FreeText | None] = None
    """Name of the addressee."""
    postal_code: Masked[FreeText | None] = None
    """Postal code."""
    street: Masked[FreeText | None] = None
    """Street."""
    longitude: Masked[Number | None] = None
    """Longitude."""
    latitude: Masked[Number | None] = None
    """Latitude."""
    id: FreeText | None = None
    """Identifier."""


class BssAccount(CamelModel):
    """An account in the business support system."""

    account_id: FreeText | None = None
    """Account."""
    external_id: FreeText | None = None
    """Identifier of another system."""
    email: Masked[FreeText | None] = None
    """E-mail address."""
    language: FreeText | None = None
    """Language."""
    name: Masked[FreeText | None] = None
    """Name."""
    metadta: Masked[MetadataField] = ABSENT  # sic
    """Key/value pairs; misspelled on the wire, see `metadata`."""
    id: FreeText | None = None
    """Identifier."""
    addresses: Many[BssAddress] = ABSENT
    """Addresses."""

    @property
    def metadata(self) -> dict[str, str] | None:
        """Key/value pairs; `metadta` on the wire."""
        return self.metadta

    @metadata.setter
    def metadata(self, value: dict[str, str] | None) -> None:
        self.metadta = value


class PaymentDetail(CamelModel):
    """A payment method, as the account lifecycle shows it."""

    payment_method_id: FreeText | None = None
    """Identifier chosen by the caller."""
    payment_method_vid: FreeText | None = None
    """Identifier assigned by the service."""
    payment_method_name: Masked[FreeText | None] = None
    """Name of the payment method."""
    payment_type_name: FreeText | None = None
    """Kind of payment method."""
    active: bool | None = None
    """Whether it may be used."""
    primary: bool | None = None
    """Whether it is the primary one."""
    status: FreeText | None = None
    """State."""
    additional_fields: Masked[JsonObject | None] = None
    """Further fields."""
    billing_account_number: Masked[FreeText | None] = None
    """Number of the billing account."""
    card_number: Masked[FreeText | None] = None
    """Card number."""
    expiration_month: Masked[FreeText | None] = None
    """Month of expiration."""
    expiration_year: Masked[FreeText | None] = None
    """Year of expiration."""
    class_type: FreeText | None = None
    """Class of payment method."""
    id: FreeText | None = None
    """Identifier."""


class PaymentProviderSubscription(CamelModel):
    """A subscription at the payment provider."""

    id: FreeText | None = None
    """Identifier."""
    provider_subscription_id: FreeText | None = None
    """Subscription at the provider."""
    internal_provider_subscription_id: FreeText | None = None
    """Subscription at the provider, internal."""
    product_id: FreeText | None = None
    """Product."""
    subscription_start_date: EpochMillis | None = None
    """When it starts."""
    subscription_end_date: EpochMillis | None = None
    """When it ends."""
    product_description: FreeText | None = None
    """Text of the product."""
    billing_state: FreeText | None = None
    """State of the money; its values are not shown."""
    subscription_status: FreeText | None = None
    """State of the service; its values are not shown."""
    next_subscription_billing_date: EpochMillis | None = None
    """When it is billed next."""
    next_subscription_price: MoneyField = ABSENT
    """Next price."""
    subscription_price: MoneyField = ABSENT
    """Price."""
    next_subscription_currency: FreeText | None = None
    """Currency code of the next price."""
    subscription_currency: FreeText | None = None
    """Currency code."""
    purchase_source: FreeText | None = None
    """Where it was bought; its values are not shown."""
    service_type: FreeText | None = None
    """Kind of service; its values are not shown."""
    additional_fields: Masked[JsonObject | None] = None
    """Further fields."""
    plm_code: FreeText | None = None
    """Code of the product catalogue."""
    entitled_through: EpochMillis | None = None
    """Until when the customer has paid, grace included."""
    payment_method: PaymentDetail | None = None
    """Payment method."""


class SubscriptionEntityAttributes(CamelModel):
    """Attributes of a subscription entity."""

    payment_provider_subscriptions: Many[PaymentProviderSubscription] = ABSENT
    """Subscriptions at payment providers."""


class SubscriptionEntity(CamelModel):
    """A subscription associated with an account."""

    association: Association | None = None
    """How it is associated with the account."""
    activated_date: EpochMillis | None = None
    """When it was activated."""
    created_date: EpochMillis | None = None
    """When it was created."""
    deactivated_date: EpochMillis | None = None
    """When it was deactivated."""
    suspended_date: EpochMillis | None = None
    """When it was suspended."""
    updated_date: EpochMillis | None = None
    """When it was last changed."""
    display_name: Masked[FreeText | None] = None
    """Name shown to people."""
    id: Integer | None = None
    """Unique identifier."""
    status: EntityStatus | None = None
    """State."""
    type: FreeText | None = None
    """Name of the kind of entity."""
    attributes: SubscriptionEntityAttributes | None = None
    """Attributes."""


class AccountAssociationAttributes(CamelModel):
    """Attributes of an account."""

    bss_name: FreeText | None = None
    """Business support system."""
    internal_provider_account_id: Masked[FreeText | None] = None
    """Account at the provider, internal."""
    payment_provider_account_id: Masked[FreeText | None] = None
    """Account at the payment provider."""
    payment_provider_id: FreeText | None = None
    """Payment provider."""
    bss_accounts: Many[BssAccount] = ABSENT
    """Accounts in the business support system."""
    payment_details: Many[PaymentDetail] = ABSENT
    """Payment methods."""

    @property
    def account_number(self) -> str | None:
        """The account number, which travels under a key that ends in `.account.AccountNumber`."""
        for name, value in (self.model_extra or {}).items():
            if name.endswith(_ACCOUNT_NUMBER_SUFFIX) and value is not None:
                return str(value)
        return None


class AccountAssociation(CamelModel):
    """An account of a user, with its subscriptions."""

    association: Association | None = None
    """How the account is associated with the user."""
    attributes: AccountAssociationAttributes | None = None
    """Attributes of the account."""
    subscriptions: Many[SubscriptionEntity] = ABSENT
    """Subscriptions of the account."""
    id: Integer | None = None
    """Unique identifier."""
    type: FreeText | None = None
    """Name of the kind of entity."""
    display_name: Masked[FreeText | None] = None
    """Name shown to people."""
    status: EntityStatus | None = None
    """State: the current one when read, the desired one when sent."""
    activated_date: EpochMillis | None = None
    """When it was activated."""
    suspended_date: EpochMillis | None = None
    """When it was suspended."""
    deactivated_date: EpochMillis | None = None
    """When it was deactivated."""
    created_date: EpochMillis | None = None
    """When it was created."""
    updated_date: EpochMillis | None = None
    """When it was last changed."""
