"""Draws the pictures of the documentation, which fit the screen of a phone."""

from __future__ import annotations

from collections.abc import Iterator

from .drawing import Picture, box_height

WIDTH = 420


def pictures() -> Iterator[Picture]:
    """Return every picture."""
    yield groups()
    yield states()
    yield outcomes()
    yield timeline()
    yield items()
    yield copy()


def groups() -> Picture:
    """Draw the four services and their clients."""
    rows = (
        ("BillingClient", ("Billing API", "-accounts, subscriptions,", "-payments, and usage")),
        ("GatewayClient", ("Gateway", "-charges, partner", "-subscriptions, campaigns")),
        ("UserMgmtClient", ("Account-lifecycle API", "-the user's accounts,", "-custom data")),
        ("StorefrontClient", ("Storefront", "-flags of a customer's", "-payment methods")),
    )
    picture = Picture(
        "groups",
        "Services and clients",
        "Your application has one client for each service: BillingClient for the billing API, GatewayClient for the "
        "gateway, UserMgmtClient for the account-lifecycle API, and StorefrontClient for the storefront. The sandbox "
        "simulates all four services.",
        WIDTH,
        546,
    )
    picture.box(6, 6, 408, "Your application")
    height = box_height("", "", "")
    for number, (client, service) in enumerate(rows):
        y = 66 + number * 94
        picture.box(30, y + 10, 160, f"`{client}", f"-Async{client}")
        picture.box(236, y, 178, *service, kind="calm", height=height)
        picture.line(f"M16 {y + 36}H30")
        picture.arrow(f"M190 {y + 36}L234 {y + 36}")
    picture.line(f"M16 40V{66 + 3 * 94 + 36}")
    picture.box(6, 452, 408, "Sandbox, inside the package", '`environment="sandbox"', kind="good")
    picture.label(6, 530, "-simulates all four, without a network")
    return picture


def states() -> Picture:
    """Draw the states of a subscription, and the calls that change them."""
    picture = Picture(
        "states",
        "States of a subscription",
        "A new subscription that is paid by card is Active, or Pending Activation if it starts later. If you "
        "cancel it, it is Pending Cancel until the paid period ends, and then Cancelled. With disentitle, it's "
        "Cancelled immediately. If a bill is declined, the subscription stays Active with the billing state In "
        "Retry. If the bill is never paid, the subscription becomes Cancelled, with Failed To Collect.",
        WIDTH,
        640,
    )
    picture.label(6, 20, "`subscriptions.create")
    picture.arrow("M60 28V100H76")
    picture.arrow("M30 28V206H76")
    picture.label(70, 48, "-starts later")
    picture.box(78, 76, 240, "Pending Activation", "-billing state: Unbilled", kind="calm")
    picture.arrow("M198 130V176")
    picture.label(208, 158, "-start date")
    picture.box(78, 178, 240, "Active", "-Good Standing", kind="good")
    picture.arrow("M318 192H350V130H398V326H320")
    picture.label(334, 120, "-declined")
    picture.arrow("M230 302V234")
    picture.label(240, 274, "-paid")
    picture.box(78, 304, 240, "Active", "-In Retry: the bill is retried", kind="warn")
    picture.arrow("M78 220H40V450H76")
    picture.label(46, 262, "`cancel")
    picture.box(78, 430, 240, "Pending Cancel", "-served until the paid period ends", kind="warn")
    picture.arrow("M198 484V560")
    picture.label(208, 526, "-the period ends")
    picture.arrow("M318 340H360V580H320")
    picture.label(366, 420, "-never")
    picture.label(366, 438, "-paid")
    picture.box(78, 562, 240, "Cancelled", "-Billing Completed, or", "-Failed To Collect", kind="bad")
    picture.arrow("M40 290H20V590H76")
    picture.label(26, 520, "`cancel(…,")
    picture.label(26, 538, "`disentitle=True)")
    return picture


def outcomes() -> Picture:
    """Draw how an error shows whether the request was carried out."""
    picture = Picture(
        "outcomes",
        "Outcomes of a failed call",
        "If no byte of the request left the machine, the outcome is not_sent, so call again. If the service "
        "rejected the request, the outcome is rejected and nothing changed, so correct the request. Otherwise, "
        "the outcome of a write is unknown. Do not send it again; call client.resolve(error).",
        WIDTH,
        498,
    )
    picture.box(6, 6, 200, "A call raised an error")
    picture.arrow("M106 40V68")
    picture.box(6, 70, 200, "Did a byte of the", "request leave?")
    picture.arrow("M206 97H246")
    picture.label(212, 90, "-no")
    picture.box(248, 60, 166, "`not_sent", "-nothing was sent:", "-call again", kind="good")
    picture.arrow("M106 124V176")
    picture.label(116, 156, "-yes")
    picture.box(6, 178, 200, "Did the service", "reject the request?")
    picture.arrow("M206 205H246")
    picture.label(212, 198, "-yes")
    picture.box(248, 168, 166, "`rejected", "-nothing changed:", "-correct it", kind="calm")
    picture.arrow("M106 232V284")
    picture.label(116, 264, "-no, or not known")
    picture.box(6, 286, 200, "Is the call a read?")
    picture.arrow("M206 303H246")
    picture.label(212, 296, "-yes")
    picture.box(248, 276, 166, "`rejected", "-read again", kind="calm")
    picture.arrow("M106 320V372")
    picture.label(116, 352, "-no, a write")
    picture.box(
        6, 374, 408, "`unknown", "It may have been carried out.", "-Do not send it again. Call",
        "-client.resolve(error), which sends only reads.", kind="bad",
    )  # fmt: skip
    picture.label(6, 488, "-The SDK has already made every harmless retry.")
    return picture


def timeline() -> Picture:
    """Draw a subscription in the sandbox, from a sign-up with a free week to the second bill."""
    points = (
        ("good", "Before", ("`subscriptions.create(…, dryrun=True)", "-returns the price, stores nothing")),
        (
            "good",
            "Day 0",
            ("`subscriptions.create(…)", "-account, card, and subscription in one call;", "-Active, billed 0.00"),
        ),
        ("calm", "Day 0 to 7", ("Free week", "-next_billing shows the first bill: 9.99 USD")),
        ("good", "Day 7", ("First bill", "-New, Authorized, Captured: 9.99 USD")),
        (
            "warn",
            "",
            (
                "If the card is declined: In Retry",
                "-retried every 3 days, served for 7 more,",
                "-then Cancelled, Failed To Collect",
            ),
        ),
        ("good", "Month 2", ("Second bill", "-next_billing shows the third")),
    )
    picture = Picture(
        "timeline",
        "From the sign-up to the bills",
        "Before the sign-up, a dry run returns the price. On day 0, subscriptions.create creates the account, the "
        "card, and the subscription, and bills 0.00 for a free week. On day 7, the first bill is 9.99 USD. A "
        "declined card is retried every three days for seven days, and then the subscription is canceled. The "
        "second bill follows a month later.",
        WIDTH,
        0,
    )
    y = 6
    places: list[int] = []
    for kind, when, lines in points:
        height = box_height(*lines)
        picture.box(108, y, 306, *lines, kind=kind)
        middle = y + height // 2
        if when:
            places.append(middle)
            picture.label(72, middle + 5, when, "end")
        y += height + 22
    picture.parts.insert(0, f'<path d="M88 {places[0]}V{places[-1]}" fill="none" stroke="#777"/>')
    for kind, middle in zip([kind for kind, when, _ in points if when], places, strict=True):
        picture.dot(88, middle, kind)
    picture.height = y - 12
    return picture


def items() -> Picture:
    """Draw the states of an item of a bulk run, and its changes of state."""
    picture = Picture(
        "bulk-states",
        "States of an item",
        "An item is ready until a run claims it. The ledger stores the state sent before the first byte of the request "
        "leaves. If the request was certainly not sent, the item is ready again. Otherwise, it becomes done, rejected, "
        "or unknown. After resolve or record_outcome, an unknown item is done, rejected, or ready again.",
        WIDTH,
        470,
    )
    picture.box(110, 6, 210, "`ready", "-to be sent", kind="calm")
    picture.arrow("M240 60V110")
    picture.label(250, 82, "-claimed, and stored")
    picture.label(250, 99, "-before the first byte")
    picture.arrow("M180 112V62")
    picture.label(172, 82, "-certainly", "end")
    picture.label(172, 99, "-not sent", "end")
    picture.box(110, 112, 210, "`sent", "-stored, then sent", kind="warn")
    picture.line("M130 166V398")
    rows = (
        ("done", "-carried out, with a result", "good"),
        ("rejected", "-rejected, nothing changed", "calm"),
        ("unknown", "-no usable response, or a crash", "bad"),
    )
    for number, (state, means, kind) in enumerate(rows):
        y = 204 + number * 84
        picture.box(152, y, 250, f"`{state}", means, kind=kind)
        picture.arrow(f"M130 {y + 27}H150")
    picture.line("M402 399H412V231")
    picture.arrow("M412 231H404")
    picture.arrow("M412 315H404")
    picture.arrow("M200 426V446H60V33H108")
    picture.label(52, 250, "-resolve or", "end")
    picture.label(52, 267, "-record:", "end")
    picture.label(52, 284, "-not done", "end")
    picture.label(402, 362, "-resolve: applied; record_outcome: done, rejected", "end")
    return picture


def copy() -> Picture:
    """Draw how a merchant's table stays current: webhooks, reconcile, and drift."""
    ways = (
        ("Webhooks", "-immediately: changes,", "-if the message arrives", "good"),
        ("`reconcile", "-every night: differences", "-between both sides", "good"),
        ("`drift", "-every night: new fields", "-and values of the service", "calm"),
    )
    picture = Picture(
        "copy",
        "Keep your table current",
        "A webhook reports a change immediately, if its message arrives. Every night, reconcile reads the "
        "service's list and reports the differences from your table, and a bulk run that you review repairs them. "
        "drift reports new fields and values of the service.",
        WIDTH,
        414,
    )
    picture.box(6, 6, 408, "The service", "-accounts, subscriptions, transactions", kind="calm")
    picture.line("M210 60V88")
    for number, (name, *lines, kind) in enumerate(ways):
        y = 88 + number * 86
        picture.box(60, y, 300, name, *lines, kind=kind)
        if number:
            picture.line(f"M210 {y - 12}V{y}")
    picture.arrow("M60 125H30V352")
    picture.arrow("M60 211H44V352")
    picture.box(6, 354, 200, "Your table", "-webhooks write to it")
    picture.box(222, 354, 192, "A bulk run", "-repairs, after a review")
    picture.arrow("M360 211H390V352")
    return picture
