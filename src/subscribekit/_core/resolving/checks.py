"""The tests by which `resolve` decides whether a call was carried out. Does no I/O.

Each check of `resolve` runs one test. The test requests reads, and draws a conclusion from their responses.

Every conclusion is true even if other callers write at the same time. If a read finds the requested state, the
conclusion is only `in_effect`, because another request may have caused the state. The conclusion is `applied` only if
the resource has the caller's own ID and was created after the request was sent.
"""

from collections.abc import Callable, Generator
from datetime import timedelta
from functools import partial
from typing import Any

from ..._articles import with_article
from ...models._base import Model
from ..operations.operation import Safety
from .case import Case, Check, Conclusion, Read, Reply, is_named, is_of_another, time_of, wire
from .dates import UnreadError
from .rules import Test

ASK = "; send the support details to the operator"
ASK_FIRST = (
    f"{ASK}, and do not send the request again, even with another ID, until the operator confirms that it was not "
    f"carried out"
)
_FURTHER_EFFECTS = ("update_behavior", "replace_on_all_subscriptions", "bill_prorated_period")
_FIRST_TO_HAVE_A_DAY = timedelta(hours=14)
"""The offset from UTC of the easternmost time zone."""
_TO_COME = frozenset({"New", "AuthorizationPending", "Authorized"})
_NOT_CANCELLED = frozenset(
    {"Pending Activation", "Active", "Processing", "Paused", "Pending Pause", "Legacy Suspended"}
)


_unclear = partial(Conclusion, "unclear")
_absent = partial(Conclusion, "absent")
_in_effect = partial(Conclusion, "in_effect")


def _moves_money(case: Case) -> bool:
    return case.record.get("safety") == Safety.MONEY


def _created(case: Case) -> Check:
    own = case.record.get("id")
    if own is None:
        evidence = "the request has no ID of its own, so reads can't distinguish it from similar requests"
        return _unclear(evidence + (ASK_FIRST if _moves_money(case) else ""), None, True)
    where, shown = yield from _retrieved(case, own)
    return _compare_created(case, where, own, shown)


def _retrieved(case: Case, identifier: str) -> Generator[Read, Reply, tuple[str, Any]]:
    """Read a resource, or search a published list if the read fails. Return the name of the read, and the resource."""
    try:
        return case.rule.read, (yield from case.retrieve(identifier))
    except UnreadError:
        if not case.rule.listed:
            raise
    return case.rule.listed, _named(identifier, (yield from case.items(case.rule.listed)))


def _compare_created(case: Case, where: str, own: str, shown: Any) -> Conclusion:
    if shown is None:
        return _absent(f"{where} shows no resource with the id {own}")
    if getattr(shown, "id", None) != own:
        return _unclear(f"{where} returned another resource for the id {own}")
    compared = case.compare(wire(shown))
    since = case.clock.is_since(time_of(getattr(shown, "created", None)))
    untimed = since is None and case.clock.may_tell
    if since and not compared.different:
        return Conclusion("applied", f"{where} shows {own}, made since the request was sent{_status(shown)}", shown)
    if compared.is_whole:
        evidence = f"{where} shows {own} with all values that were sent{_status(shown)}"
        return _in_effect(evidence, shown, is_untimed=untimed)
    if compared.different:
        return _unclear(f"{where} shows {own} with other values ({_places(compared.different)})", shown)
    evidence = f"{where} shows {own}, but not whether it was made since the request was sent"
    return _unclear(evidence, shown, is_untimed=untimed)


def _existing(case: Case, kind: str) -> Generator[Read, Reply, tuple[str, Any]]:
    """Return the identifier in the path, and its resource. If the resource doesn't exist, raise `UnreadError`."""
    (named,) = case.path
    shown: Any = yield from case.retrieve(named)
    if shown is None:
        raise UnreadError(f"{case.rule.read} shows no {kind} {named}")
    return named, shown


def _values(case: Case) -> Check:
    (named,) = case.path
    where, shown = yield from _retrieved(case, named)
    if shown is None:
        return _unclear(f"{where} shows no {named}")
    compared = case.compare(wire(shown))
    moves_money = _moves_money(case)
    if moves_money and _changes_unnamed_items(case):
        return _unclear(f"{where} shows the items of {named}, but not whether this request changed them", shown)
    if compared.is_whole:
        # The resource's values don't show whether the other effects of the request, such as a charge, occurred.
        further = [name for name in _FURTHER_EFFECTS if case.given(name) not in (None, "0", "Update", "Validate")]
        if further:
            return _unclear(f"{where} shows the values of {named}, but not the effect of {further[0]}", shown)
        return _in_effect(f"{where} shows {named} with all values that were sent", shown)
    # If only some values match, the service rewrote the other values, or another caller changed the resource.
    if compared.different and (case.rule.is_full or not compared.same) and not moves_money:
        return _absent(
            f"{where} shows {named} without the values that were sent ({_places(compared.different)})", shown
        )
    places = _places(compared.different or compared.hidden) or "no values were sent"
    match = "with other values" if compared.different else "but not all values that were sent"
    unbilled = ", and not whether anything was billed" if moves_money else ""
    return _unclear(f"{where} shows {named} {match} ({places}){unbilled}", shown)


def _changes_unnamed_items(case: Case) -> bool:
    """Return whether a request adds items without IDs or removes items. Reads can't prove who made these changes."""
    places = [place.split("/") for place in case.sent if place.startswith("items/#")]
    items = {place[1] for place in places}
    named = {place[1] for place in places if place[2:] == ["id"]}
    return items != named or any("replaced_by" in place or "replaces" in place for place in places)


def _refunded(case: Case) -> Check:
    (transaction,) = case.path
    where, own = case.rule.read, case.record.get("id")
    if own is None and not any(place.rpartition("/")[2] == "amount" for place in case.sent):
        evidence = "the request has neither an ID nor an amount, so reads can't distinguish its refund from others"
        return _unclear(evidence + ASK_FIRST, None, True)
    refunds: list[Any] = yield from case.items(where, transaction)
    if own is not None:
        return _compare_created(case, where, own, _named(own, refunds))
    alike = [each for each in refunds if _is_like_ours(case, each) and not is_of_another(each.transaction, transaction)]
    found = _made_since(case, alike, lambda refund: refund.created)
    return _candidates(
        case, found, f"{where} of {transaction} shows", "refund of the amount, made since the request was sent"
    )


def _is_like_ours(case: Case, refund: Any) -> bool:
    """Return whether a refund contains each amount that was sent, and no value that differs from the request."""
    shown = wire(refund)
    amounts = case.compare(shown, "amount")
    return amounts.is_whole and amounts.same > 0 and not case.compare(shown).different


def _made_since(case: Case, resources: list[Any], time: Callable[[Any], object]) -> list[Any] | None:
    """Return the resources that were created after the write was sent, or `None` if the clocks don't show the order."""
    dated = [(each, case.clock.is_since(time_of(time(each)))) for each in resources]
    return None if any(since is None for _, since in dated) else [each for each, since in dated if since]


def _untimed(case: Case, evidence: str) -> Conclusion:
    evidence = f"{evidence}, but no read shows whether it was made since the request was sent"
    return _unclear(evidence, is_untimed=case.clock.may_tell)


def _candidates(case: Case, found: list[Any] | None, where: str, what: str) -> Conclusion:
    if found is None:
        return _untimed(case, f"{where} a candidate")
    if len(found) == 1:
        return _in_effect(f"{where} one {what}, but not which request made it", found[0])
    if not found:
        return _unclear(f"{where} no {what}; without an ID of its own, this proves nothing")
    return _unclear(f"{where} {len(found)} candidates, each {with_article(what)}", None, True)


def _credited(case: Case) -> Check:
    account, credit = yield from _existing(case, "account")
    own = [each for each in credit.currency_amounts or () if not is_of_another(each.account, account)]
    amounts = _made_since(case, own, lambda grant: grant.granted)
    kept = sorted({place.split("/")[1] for place in case.sent if place.startswith("currency_amounts/#")})
    if not kept or any(place.startswith("token_amounts") for place in case.sent):
        return _unclear(f"{case.rule.read} can't distinguish grants of tokens", credit, True)
    if amounts is None:
        return _untimed(case, f"{case.rule.read} of {account} shows a grant")
    if len(amounts) != len(kept):
        more = len(amounts) > len(kept)
        grants = "more grants" if more else "fewer grants"
        return _unclear(f"{case.rule.read} of {account} shows {grants} since the request than it asked for",
                       credit, more)  # fmt: skip
    compared = case.compare({"currency_amounts": [wire(each) for each in amounts]})
    if compared.is_whole:
        return _in_effect(f"{case.rule.read} of {account} shows the amount, granted since the request was "
                       "sent, but not by which request", credit)  # fmt: skip
    return _unclear(f"{case.rule.read} of {account} shows other amounts granted since the request", credit)


def _recorded(case: Case) -> Check:
    account = case.record.get("account")
    if account is None:
        return _unclear("the request names no account whose activities could be read", None, True)
    activities: list[Any] = yield from case.items(case.rule.read, filters={"account": account})
    alike = [each for each in activities if case.compare(wire(each)).is_whole]
    found = _made_since(case, [each for each in alike if each.created], lambda activity: activity.created)
    # If the request contains no timestamp, ignore activities without `created`, because an activity that existed before
    # the request can have the same values as the request.
    if found is not None and "timestamp" in case.sent:
        found += [each for each in alike if not each.created]
    return _candidates(case, found, f"{case.rule.read} of {account} shows", "activity with all values that were sent")


def _child(case: Case) -> Check:
    (parent,), child = case.path, case.record.get("id")
    if child is None:
        return _unclear("the request doesn't contain the id of the child", None, True)
    shown: Any = yield from case.retrieve(parent, child)
    if shown is None:
        return _absent(f"{case.rule.read} shows no child {child} of {parent}")
    return _in_effect(f"{case.rule.read} shows {child} as a child of {parent}", shown)


def _no_child(case: Case) -> Check:
    parent, child = case.path
    shown: Any = yield from case.retrieve(parent, child)
    if shown is None:
        return _in_effect(f"{case.rule.read} shows no child {child} of {parent}", by_absence=True)
    return _absent(f"{case.rule.read} still shows {child} as a child of {parent}", shown)


def _entitled(case: Case) -> Check:
    (account,), own = case.path, case.record.get("id")
    if own is None:
        return _unclear("the request doesn't contain the id of the entitlement", None, True)
    rights: list[Any] = yield from case.items(case.rule.read, filters={"account": account, "show_all": True})
    found = [each for each in rights if each.id == own]
    whole = [each for each in found if not case.sent or case.compare(wire(each)).is_whole]
    if whole:
        return _in_effect(f"{case.rule.read} of {account} shows {own} with all values that were sent", whole[0])
    if found:
        return _unclear(f"{case.rule.read} of {account} shows {own} with other values", found[0])
    if set(case.sent) - {"description"}:
        return _unclear(
            f"{case.rule.read} of {account} doesn't show {own}, but it may have been granted for another time"
        )
    return _absent(f"{case.rule.read} of {account} doesn't show {own}")


def _not_entitled(case: Case) -> Check:
    account, own = case.path
    rights: list[Any] = yield from case.items(case.rule.read, filters={"account": account, "show_all": True})
    found = [each for each in rights if each.id == own]
    if not found:
        return _in_effect(f"{case.rule.read} of {account} doesn't show {own}", by_absence=True)
    granted = [e for e in found if not (e.subscription or e.product or e.billing_plan or e.subscription_item)]
    if granted:
        return _absent(f"{case.rule.read} of {account} still shows {own} as granted directly", granted[0])
    return _in_effect(f"{case.rule.read} of {account} shows {own} only as a part of what the account bought", found[0])


def _statuses(transaction: Any) -> list[str]:
    return [each.status for each in transaction.status_log or () if each.status]


def _logged(case: Case, wanted: str, others: frozenset[str], missing: str) -> Check:
    """Search a transaction's status log for `wanted`. If all logged statuses are in `others`, the effect is absent."""
    named, shown = yield from _existing(case, "transaction")
    log = _statuses(shown)
    if wanted in log:
        return _in_effect(f"the status_log of {named} shows {wanted}", shown)
    if log and others.issuperset(log):
        return _absent(f"the status_log of {named} shows {log[0]} and {missing}", shown)
    evidence = f"doesn't show whether the status was {wanted}" if others else f"shows {missing}"
    return _unclear(f"the status_log of {named} {evidence}", shown)


def _reversed(case: Case) -> Check:
    named, shown = yield from _existing(case, "payment")
    status = shown.status
    if status == "Failure":
        return _in_effect(f"{case.rule.read} shows {named} with the status Failure", shown)
    if status in ("Success", "Pending"):
        return _absent(f"{case.rule.read} shows {named} with the status {status}", shown)
    return _unclear(f"{case.rule.read} doesn't show the status of {named}", shown)


def _subscription_cancelled(case: Case) -> Check:
    named, shown = yield from _existing(case, "subscription")
    evidence = f"{case.rule.read} shows {named} with the status {shown.status}"
    wanted = case.given("reason_code")
    reason = None if shown.cancel_reason is None else shown.cancel_reason.reason_code
    if shown.status in _NOT_CANCELLED:
        return _absent(evidence, shown)
    if shown.status == "Pending Cancel" and case.flag("disentitle"):
        return _absent(f"{evidence}, but the request was to cancel it immediately", shown)
    if shown.status not in ("Cancelled", "Pending Cancel"):
        return _unclear(evidence, shown)
    if case.flag("settle"):
        return _unclear(f"{evidence}, but not whether this request refunded the unused part", shown)
    if wanted is not None and reason != wanted:
        return _unclear(f"{evidence}, but the reason code differs from the request", shown)
    return _in_effect(evidence, shown)


def _billing_day(case: Case) -> Check:
    wanted = case.given("to_date")
    named, shown = yield from _existing(case, "subscription")
    due = None if shown.next_billing is None else time_of(shown.next_billing.created)
    if wanted is None or due is None:
        return _unclear(f"{case.rule.read} shows no next bill of {named}", shown)
    # The date is in the merchant's time zone, which the SDK doesn't know.
    if wanted <= (case.now() + _FIRST_TO_HAVE_A_DAY).date().isoformat():
        return _unclear(f"the date {wanted} may have started, so {named} may have been billed since then", shown)
    evidence = f"{case.rule.read} shows the next bill of {named} on {due.date()}"
    if wanted in {(due.date() + timedelta(days=days)).isoformat() for days in (-1, 1)}:
        return _unclear(evidence, shown)
    if due.date().isoformat() != wanted:
        return _absent(evidence, shown)
    if case.flag("perm") and shown.billing_day != int(wanted[-2:]):
        return _unclear(f"{evidence}, but not that the later bills are on the same day of the month", shown)
    return _in_effect(evidence, shown)


def _named(identifier: str, listed: list[Any]) -> Any:
    """Return the item whose `id` or `vid` is the given identifier, or `None` if no item matches."""
    return next((each for each in listed if is_named(each, identifier)), None)


def _status(shown: Model) -> str:
    log: Any = getattr(shown, "status_log", None)
    status = _statuses(shown)[:1] if log else [getattr(shown, "status", None)]
    return f", status {status[0]}" if status and isinstance(status[0], str) else ""


def _places(places: list[str]) -> str:
    return ", ".join(places[:5]) + (", ..." if len(places) > 5 else "")


TESTS: dict[Test, Callable[[Case], Check]] = {
    "created": _created,
    "values": _values,
    "refunded": _refunded,
    "credited": _credited,
    "recorded": _recorded,
    "child": _child,
    "no_child": _no_child,
    "entitled": _entitled,
    "not_entitled": _not_entitled,
    "captured": partial(_logged, wanted="Captured", others=_TO_COME | {"Cancelled"}, missing="no capture"),
    "transaction_cancelled": partial(
        _logged, wanted="Cancelled", others=_TO_COME | {"Captured", "Refunded"}, missing="no cancellation"
    ),
    "reversed": _reversed,
    "subscription_cancelled": _subscription_cancelled,
    "billing_day": _billing_day,
    "finished": partial(_logged, wanted="Captured", others=frozenset(), missing="no payment"),
}
