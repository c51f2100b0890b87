"""The test of each rule, and its conclusion from one look. No I/O.

Every conclusion holds beside other writers: a state that a read shows is `in_effect`, since another request may have
brought it about; only a resource that has an identifier of the caller's and was made since the request is `applied`.
"""

from collections.abc import Callable, Generator
from datetime import timedelta
from functools import partial
from typing import Any

from ..._articles import with_article
from ...models._base import Model
from ..operations.operation import Safety
from .case import Case, Conclusion, Look, Read, Reply, is_named, is_of_another, time_of, wire
from .dates import UnreadError
from .rules import Test

ASK = "; ask the operator, with the support details"
ASK_FIRST = f"{ASK}, and do not send it again, under any identifier, until it is said not to have been made"
_BESIDE = ("update_behavior", "replace_on_all_subscriptions", "bill_prorated_period")
_FIRST_TO_HAVE_A_DAY = timedelta(hours=14)
"""How far the easternmost time zone is ahead of UTC."""
_TO_COME = frozenset({"New", "AuthorizationPending", "Authorized"})
_NOT_CANCELLED = frozenset(
    {"Pending Activation", "Active", "Processing", "Paused", "Pending Pause", "Legacy Suspended"}
)


_unclear = partial(Conclusion, "unclear")
_absent = partial(Conclusion, "absent")
_in_effect = partial(Conclusion, "in_effect")


def _moves_money(case: Case) -> bool:
    return case.record.get("safety") == Safety.MONEY


def _created(case: Case) -> Look:
    own = case.record.get("id")
    if own is None:
        says = "the request named no separate id, so nothing can be distinguished from others"
        return _unclear(says + (ASK_FIRST if _moves_money(case) else ""), None, True)
    where, shown = yield from _retrieved(case, own)
    return _compare_created(case, where, own, shown)


def _retrieved(case: Case, identifier: str) -> Generator[Read, Reply, tuple[str, Any]]:
    """Read a resource, from the published list where the read tells nothing; give what was read, too."""
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
        return _unclear(f"{where} shows another resource for the id {own}")
    compared = case.compare(wire(shown))
    since = case.clock.is_since(time_of(getattr(shown, "created", None)))
    untimed = since is None and case.clock.may_tell
    if since and not compared.different:
        return Conclusion("applied", f"{where} shows {own}, made since the request was sent{_status(shown)}", shown)
    if compared.is_whole:
        says = f"{where} shows {own} with all that was sent{_status(shown)}"
        return _in_effect(says, shown, is_untimed=untimed)
    if compared.different:
        return _unclear(f"{where} shows {own} with other values ({_places(compared.different)})", shown)
    return _unclear(f"{where} shows {own}, and does not show that it was made since", shown, is_untimed=untimed)


def _existing(case: Case, kind: str) -> Generator[Read, Reply, tuple[str, Any]]:
    """Retrieve the resource that the path names, and give its identifier, too; there must be one."""
    (named,) = case.path
    shown: Any = yield from case.retrieve(named)
    if shown is None:
        raise UnreadError(f"{case.rule.read} shows no {kind} {named}")
    return named, shown


def _values(case: Case) -> Look:
    (named,) = case.path
    where, shown = yield from _retrieved(case, named)
    if shown is None:
        return _unclear(f"{where} shows no {named}")
    compared = case.compare(wire(shown))
    moves_money = _moves_money(case)
    if moves_money and _changes_unnamed_items(case):
        return _unclear(f"{where} shows the items of {named}, and not whether this request changed them", shown)
    if compared.is_whole:
        # Other effects of the request do not show in these values.
        beside = [name for name in _BESIDE if case.given(name) not in (None, "0", "Update", "Validate")]
        if beside:
            return _unclear(f"{where} shows the values of {named}, and not what {beside[0]} was to do", shown)
        return _in_effect(f"{where} shows {named} with all that was sent", shown)
    # Some of the values shown and others not: a service that rewrites what it is sent, or another writer, looks so.
    if compared.different and (case.rule.is_full or not compared.same) and not moves_money:
        return _absent(f"{where} shows {named} without what was sent ({_places(compared.different)})", shown)
    apart = _places(compared.different or compared.hidden) or "nothing that was sent"
    word = "with other values" if compared.different else "and does not show all that was sent"
    unseen = ", and not whether anything was billed" if moves_money else ""
    return _unclear(f"{where} shows {named} {word} ({apart}){unseen}", shown)


def _changes_unnamed_items(case: Case) -> bool:
    """Whether items are added without an id, or taken away: what is there does not show by whom, or since when."""
    places = [place.split("/") for place in case.sent if place.startswith("items/#")]
    items = {place[1] for place in places}
    named = {place[1] for place in places if place[2:] == ["id"]}
    return items != named or any("replaced_by" in place or "replaces" in place for place in places)


def _refunded(case: Case) -> Look:
    (transaction,) = case.path
    where, own = case.rule.read, case.record.get("id")
    if own is None and not any(place.rpartition("/")[2] == "amount" for place in case.sent):
        says = "the request named neither an id nor an amount, so its refund can't be distinguished from others"
        return _unclear(says + ASK_FIRST, None, True)
    refunds: list[Any] = yield from case.items(where, transaction)
    if own is not None:
        return _compare_created(case, where, own, _named(own, refunds))
    alike = [each for each in refunds if _is_like_ours(case, each) and not is_of_another(each.transaction, transaction)]
    found = _made_since(case, alike, lambda refund: refund.created)
    return _candidates(
        case, found, f"{where} of {transaction} shows", "refund of the amount, made since the request was sent"
    )


def _is_like_ours(case: Case, refund: Any) -> bool:
    """Whether a refund shows each amount that was sent and no other values."""
    shown = wire(refund)
    amounts = case.compare(shown, "amount")
    return amounts.is_whole and amounts.same > 0 and not case.compare(shown).different


def _made_since(case: Case, resources: list[Any], time: Callable[[Any], object]) -> list[Any] | None:
    """Return the resources that were made since the write was sent, or `None` if no clock shows it of one of them."""
    told = [(each, case.clock.is_since(time_of(time(each)))) for each in resources]
    return None if any(since is None for _, since in told) else [each for each, since in told if since]


def _untimed(case: Case, says: str) -> Conclusion:
    says = f"{says}, and no read shows whether it was made since the request was sent"
    return _unclear(says, is_untimed=case.clock.may_tell)


def _candidates(case: Case, found: list[Any] | None, where: str, what: str) -> Conclusion:
    if found is None:
        return _untimed(case, f"{where} a candidate")
    if len(found) == 1:
        return _in_effect(f"{where} one {what}; whose it is, it does not show", found[0])
    if not found:
        return _unclear(f"{where} no {what}, which proves nothing without its own id")
    return _unclear(f"{where} {len(found)} candidates, each {with_article(what)}", None, True)


def _credited(case: Case) -> Look:
    account, credit = yield from _existing(case, "account")
    own = [each for each in credit.currency_amounts or () if not is_of_another(each.account, account)]
    amounts = _made_since(case, own, lambda grant: grant.granted)
    kept = sorted({place.split("/")[1] for place in case.sent if place.startswith("currency_amounts/#")})
    if not kept or any(place.startswith("token_amounts") for place in case.sent):
        return _unclear(f"{case.rule.read} tells no grants of tokens apart", credit, True)
    if amounts is None:
        return _untimed(case, f"{case.rule.read} of {account} shows a grant")
    if len(amounts) != len(kept):
        more = len(amounts) > len(kept)
        told = "more grants" if more else "fewer grants"
        return _unclear(f"{case.rule.read} of {account} shows {told} since the request than it asked for",
                       credit, more)  # fmt: skip
    compared = case.compare({"currency_amounts": [wire(each) for each in amounts]})
    if compared.is_whole:
        return _in_effect(f"{case.rule.read} of {account} shows the amount, granted since the request was "
                       "sent; by whom, it does not show", credit)  # fmt: skip
    return _unclear(f"{case.rule.read} of {account} shows other amounts granted since the request", credit)


def _recorded(case: Case) -> Look:
    account = case.record.get("account")
    if account is None:
        return _unclear("the request named no account to look at", None, True)
    activities: list[Any] = yield from case.items(case.rule.read, filters={"account": account})
    alike = [each for each in activities if case.compare(wire(each)).is_whole]
    found = _made_since(case, [each for each in alike if each.created], lambda activity: activity.created)
    # Without either time, one from long before looks the same.
    if found is not None and "timestamp" in case.sent:
        found += [each for each in alike if not each.created]
    return _candidates(case, found, f"{case.rule.read} of {account} shows", "activity with all that was sent")


def _child(case: Case) -> Look:
    (parent,), child = case.path, case.record.get("id")
    if child is None:
        return _unclear("the request named no child by its id", None, True)
    shown: Any = yield from case.retrieve(parent, child)
    if shown is None:
        return _absent(f"{case.rule.read} shows no child {child} of {parent}")
    return _in_effect(f"{case.rule.read} shows {child} as a child of {parent}", shown)


def _no_child(case: Case) -> Look:
    parent, child = case.path
    shown: Any = yield from case.retrieve(parent, child)
    if shown is None:
        return _in_effect(f"{case.rule.read} shows no child {child} of {parent}", by_absence=True)
    return _absent(f"{case.rule.read} still shows {child} as a child of {parent}", shown)


def _entitled(case: Case) -> Look:
    (account,), own = case.path, case.record.get("id")
    if own is None:
        return _unclear("the request named no entitlement by its id", None, True)
    rights: list[Any] = yield from case.items(case.rule.read, filters={"account": account, "show_all": True})
    found = [each for each in rights if each.id == own]
    whole = [each for each in found if not case.sent or case.compare(wire(each)).is_whole]
    if whole:
        return _in_effect(f"{case.rule.read} of {account} shows {own} with all that was sent", whole[0])
    if found:
        return _unclear(f"{case.rule.read} of {account} shows {own} with other values", found[0])
    if set(case.sent) - {"description"}:
        says = f"{case.rule.read} of {account} does not show {own}, which may have been granted for another time"
        return _unclear(says)
    return _absent(f"{case.rule.read} of {account} does not show {own}")


def _not_entitled(case: Case) -> Look:
    account, own = case.path
    rights: list[Any] = yield from case.items(case.rule.read, filters={"account": account, "show_all": True})
    found = [each for each in rights if each.id == own]
    if not found:
        return _in_effect(f"{case.rule.read} of {account} does not show {own}", by_absence=True)
    granted = [e for e in found if not (e.subscription or e.product or e.billing_plan or e.subscription_item)]
    if granted:
        return _absent(f"{case.rule.read} of {account} still shows {own} as granted directly", granted[0])
    return _in_effect(f"{case.rule.read} of {account} shows {own} only by what the account bought", found[0])


def _statuses(transaction: Any) -> list[str]:
    return [each.status for each in transaction.status_log or () if each.status]


def _logged(case: Case, wanted: str, others: frozenset[str], missing: str) -> Look:
    """Look for a status in the log of a transaction; a log of the others alone shows that it is missing."""
    named, shown = yield from _existing(case, "transaction")
    log = _statuses(shown)
    if wanted in log:
        return _in_effect(f"the status_log of {named} shows {wanted}", shown)
    if log and others.issuperset(log):
        return _absent(f"the status_log of {named} shows {log[0]} and {missing}", shown)
    return _unclear(f"the status_log of {named} {'does not tell' if others else f'shows {missing}'}", shown)


def _reversed(case: Case) -> Look:
    named, shown = yield from _existing(case, "payment")
    status = shown.status
    if status == "Failure":
        return _in_effect(f"{case.rule.read} shows {named} with the status Failure", shown)
    if status in ("Success", "Pending"):
        return _absent(f"{case.rule.read} shows {named} with the status {status}", shown)
    return _unclear(f"{case.rule.read} does not show the status of {named}", shown)


def _subscription_cancelled(case: Case) -> Look:
    named, shown = yield from _existing(case, "subscription")
    says = f"{case.rule.read} shows {named} with the status {shown.status}"
    wanted = case.given("reason_code")
    reason = None if shown.cancel_reason is None else shown.cancel_reason.reason_code
    if shown.status in _NOT_CANCELLED:
        return _absent(says, shown)
    if shown.status == "Pending Cancel" and case.flag("disentitle"):
        return _absent(f"{says}, and the request was to end it at once", shown)
    if shown.status not in ("Cancelled", "Pending Cancel"):
        return _unclear(says, shown)
    if case.flag("settle"):
        return _unclear(f"{says}, and does not show whether what was left was refunded by this request", shown)
    if wanted is not None and reason != wanted:
        return _unclear(f"{says}, for another reason than was sent", shown)
    return _in_effect(says, shown)


def _billing_day(case: Case) -> Look:
    wanted = case.given("to_date")
    named, shown = yield from _existing(case, "subscription")
    due = None if shown.next_billing is None else time_of(shown.next_billing.created)
    if wanted is None or due is None:
        return _unclear(f"{case.rule.read} shows no next billing of {named}", shown)
    # The day is one of the merchant's time zone, which no source shows.
    if wanted <= (case.now() + _FIRST_TO_HAVE_A_DAY).date().isoformat():
        return _unclear(f"the day {wanted} has come, and {named} may have been billed since", shown)
    says = f"{case.rule.read} shows the next billing of {named} on {due.date()}"
    if wanted in {(due.date() + timedelta(days=days)).isoformat() for days in (-1, 1)}:
        return _unclear(says, shown)
    if due.date().isoformat() != wanted:
        return _absent(says, shown)
    if case.flag("perm") and shown.billing_day != int(wanted[-2:]):
        return _unclear(f"{case.rule.read} shows the billing of {named} on that day, not those to come", shown)
    return _in_effect(says, shown)


def _named(identifier: str, listed: list[Any]) -> Any:
    """Give the item of an id or vid, or `None`."""
    return next((each for each in listed if is_named(each, identifier)), None)


def _status(shown: Model) -> str:
    log: Any = getattr(shown, "status_log", None)
    status = _statuses(shown)[:1] if log else [getattr(shown, "status", None)]
    return f", status {status[0]}" if status and isinstance(status[0], str) else ""


def _places(places: list[str]) -> str:
    return ", ".join(places[:5]) + (", ..." if len(places) > 5 else "")


TESTS: dict[Test, Callable[[Case], Look]] = {
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
