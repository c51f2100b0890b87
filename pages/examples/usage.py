"""Examples for usage and activity in the billing API, and for resources without published operations."""

from __future__ import annotations

from .kit import Example, Family, setup

FAMILIES = (
    Family(
        "billing",
        "rate_plans",
        "Rate plans",
        setup(
            "BillingClient",
            "billing",
            "from decimal import Decimal",
            "from subscribekit.models import RatedUnit, RatePlan, RatePlanPrice, RatePlanTier",
        ),
        (
            Example(
                "list",
                "List rate plans (usage pricing)",
                """\
for rate_plan in billing.rate_plans.list():
    print(rate_plan.id, rate_plan.rate_plan_model)""",
            ),
            Example(
                "create",
                "Create a rate plan (usage pricing)",
                """\
cent, unit = RatePlanPrice(amount=Decimal("0.01"), currency="USD"), RatedUnit(name_singular="minute")
tier = RatePlanTier(name="all", charge_customer="PerUnit", begins_at_level=Decimal(0), rate_price=[cent])
print(billing.rate_plans.create(RatePlan(id="rate-1", rated_unit=unit, tier=[tier])).id)""",
            ),
            Example(
                "retrieve",
                "Read a rate plan (usage pricing)",
                """\
rate_plan = billing.rate_plans.retrieve("rate-api-calls")
print(rate_plan.rate_plan_model)""",
            ),
        ),
    ),
    Family(
        "billing",
        "event_summaries",
        "Event summaries",
        setup("BillingClient", "billing"),
        (
            Example(
                "list",
                "List unbilled usage",
                """\
for summary in billing.event_summaries.list(billed=False):
    print(summary.rated_unit_total, summary.current_total_rated_units_bill)""",
            ),
            Example(
                "retrieve",
                "Read an event summary",
                """\
page = billing.with_raw_response.event_summaries.list(limit=1).first().data
cursor = str(page.next).rpartition("starting_after=")[2].partition("&")[0]
print(billing.event_summaries.retrieve(cursor).rated_unit_total)""",
            ),
        ),
    ),
    Family(
        "billing",
        "events",
        "Events",
        setup(
            "BillingClient",
            "billing",
            "from decimal import Decimal",
            "from subscribekit.models import Event",
        ),
        (
            Example(
                "create",
                "Record usage",
                """\
# Beside id and metadata, the fields of an event are those that your operator told you.
event = Event.model_validate({"id": "ev-1", "amount": Decimal("12")})
print(billing.events.create(event).id)""",
            ),
            Example(
                "list",
                "List usage events",
                """\
for event in billing.events.list():
    print(event.id, event.created)""",
            ),
            Example(
                "retrieve",
                "Read a usage event",
                """\
print(billing.events.retrieve("ev-1").model_extra)""",
            ),
            Example(
                "update",
                "Update a usage event",
                """\
event = billing.events.update("ev-1", Event(metadata={"note": "checked"}))
print(event.id)""",
            ),
        ),
    ),
    Family(
        "billing",
        "activities",
        "Activities",
        setup(
            "BillingClient",
            "billing",
            "from datetime import UTC, datetime",
            "from subscribekit.models import Account, Activity, ActivityNote",
        ),
        (
            Example(
                "create",
                "Record an activity of a customer",
                """\
note, account = ActivityNote(note="called"), Account(id="acct-0001")
noted = Activity(type="Note", account=account, timestamp=datetime(2026, 3, 2, 9, tzinfo=UTC), note_args=note)
activity = billing.activities.create(noted)""",
            ),
            Example(
                "list",
                "List activities",
                """\
for activity in billing.activities.list():
    print(activity.type, activity.account and activity.account.id)""",
            ),
            Example(
                "retrieve",
                "Read an activity",
                """\
activity = billing.activities.retrieve(activity.vid or "")
print(activity.type)""",
            ),
        ),
    ),
    Family(
        "billing",
        "generic_resource",
        "Any other resource",
        setup("BillingClient", "billing", "from subscribekit.models import Chargeback"),
        (
            Example(
                "create",
                "Create a resource without dedicated methods",
                """\
chargebacks = billing.resource("chargebacks", Chargeback)
print(chargebacks.create(Chargeback(id="cb-1")).id)""",
            ),
            Example(
                "list",
                "List resources without dedicated methods",
                """\
for chargeback in billing.resource("chargebacks", Chargeback).list():
    print(chargeback.id)""",
            ),
            Example(
                "retrieve",
                "Read a resource without dedicated methods",
                """\
print(chargebacks.retrieve("cb-1").id)""",
            ),
            Example(
                "update",
                "Update a resource without dedicated methods",
                """\
chargeback = chargebacks.update("cb-1", Chargeback(metadata={"note": "lost"}))
print(chargeback.id)""",
            ),
            Example(
                "delete",
                "Delete a resource without dedicated methods",
                """\
chargebacks.delete("cb-1")
print(chargebacks.list().to_list())""",
            ),
        ),
    ),
)
