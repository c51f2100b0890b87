"""Reads print tables on a terminal, and plain columns or JSON in a pipe, with exact amounts and masked personal data.

Hazard: H162.
"""

from __future__ import annotations

import json
from decimal import Decimal
from functools import partial

import pytest

from cli.kit import Shell
from subscribekit import BillingClient, RetryPolicy
from subscribekit.cli import clients
from subscribekit.cli.output.render import cell
from subscribekit.sandbox.faults import foreign_next, proxy_page, rate_limited
from subscribekit.sandbox.platform import Platform

MAIL = "customer-0001@example.com"


def test_a_table_in_a_terminal_is_masked_like_repr(shell: Shell) -> None:
    done = shell("call", "billing.accounts.retrieve", "acct-0001", tty=True)
    assert done.code == 0
    assert "acct-0001" in done.out
    assert "***" in done.out
    assert MAIL not in done.out + done.err


def test_a_pipe_gets_plain_lines_and_the_same_mask(shell: Shell) -> None:
    done = shell("call", "billing.accounts.retrieve", "acct-0001")
    rows = dict(line.split("\t") for line in done.lines)
    assert rows["id"] == "acct-0001"
    assert rows["email"] == "***"
    assert "\x1b" not in done.out
    assert done.err == ""


def test_json_shows_the_data_exactly(shell: Shell) -> None:
    done = shell("call", "billing.transactions.retrieve", "SBX00000001", "--json")
    assert len(done.lines) == 1
    read = json.loads(done.out, parse_float=Decimal)
    assert str(read["amount"]) == "9.99"
    account = shell("call", "billing.accounts.retrieve", "acct-0001", "--json")
    assert json.loads(account.out)["email"] == MAIL


def test_a_list_as_json_has_one_line_per_item(shell: Shell) -> None:
    done = shell("call", "billing.accounts.list", "--json")
    assert [json.loads(line)["id"] for line in done.lines] == [f"acct-{number:04}" for number in range(1, 26)]


def test_a_list_in_a_pipe_has_a_header_and_all_items(shell: Shell) -> None:
    done = shell("call", "billing.accounts.list")
    assert len(done.lines) == 26
    header = done.lines[0].split("\t")
    assert header[:2] == ["id", "external_id"]
    assert all(len(line.split("\t")) == len(header) for line in done.lines)


def test_the_limit_counts_items_and_requests_no_larger_page(shell: Shell, platform: Platform) -> None:
    done = shell("call", "billing.accounts.list", "--limit", "3", "--columns", "id")
    assert done.lines == ["id", "acct-0001", "acct-0002", "acct-0003"]
    assert [(request.path, request.query) for request in platform.requests] == [("/accounts", (("limit", "3"),))]


@pytest.mark.parametrize(("limit", "size"), [("1", "1"), ("100", "100"), ("101", "100")])
def test_a_page_is_no_smaller_than_one_and_no_larger_than_the_service_allows(
    limit: str, size: str, shell: Shell, platform: Platform
) -> None:
    assert shell("call", "billing.accounts.list", "--limit", limit, "--json").code == 0
    assert {request.query[0] for request in platform.requests} == {("limit", size)}


def test_the_page_size_is_an_option_of_its_own(shell: Shell, platform: Platform) -> None:
    done = shell("call", "billing.accounts.list", "--page-size", "10", "--json", "--limit", "11")
    assert len(done.lines) == 11
    assert len(platform.requests) == 2


def test_a_terminal_shows_a_limited_number_of_items(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("subscribekit.cli.calls.call.SHOWN", 4)
    done = shell("call", "billing.accounts.list", tty=True)
    assert "acct-0004" in done.out
    assert "acct-0005" not in done.out
    assert "4 of 25 items shown.\nFor more, run the command again with --checkpoint " in done.err
    rest = done.err.partition("--checkpoint ")[2].strip()
    assert "acct-0005" in shell("call", "billing.accounts.list", "--checkpoint", rest, tty=True).out


def test_a_long_list_is_shown_in_several_tables(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("subscribekit.cli.output.render._AT_ONCE", 10)
    done = shell("call", "billing.accounts.list", "--limit", "25", tty=True)
    assert done.out.count("┏") == 3
    assert done.out.count("more columns") == 1
    assert all(f"acct-{number:04}" in done.out for number in range(1, 26))


def test_a_wide_terminal_shows_every_column(shell: Shell) -> None:
    done = shell("call", "billing.accounts.list", "--limit", "2", tty=True, columns=2000)
    assert "more columns" not in done.out
    assert done.out.count("┏") == 1


@pytest.mark.parametrize(("encoding", "dots"), [("utf-8", "…"), ("ascii", "...")])
def test_a_long_text_is_cut_in_a_table(shell: Shell, encoding: str, dots: str) -> None:
    body = json.dumps({"id": "long", "company": "x" * 30 + "y" * 30})
    assert shell("call", "billing.accounts.create", "--body", body, "--yes").code == 0
    words = ("billing.accounts.list", "--columns", "id,company", "--limit", "100")
    done = shell("call", *words, tty=True, columns=200, encoding=encoding)
    assert "x" * 30 + "y" * (10 - len(dots)) + dots in done.out
    assert "y" * 30 in shell("call", *words).out  # a pipe gets the whole text


def test_chosen_columns_are_shown_even_if_they_are_empty(shell: Shell) -> None:
    done = shell("call", "billing.accounts.list", "--columns", "company, id", "--limit", "2", tty=True)
    assert (done.out.index("company"), done.code) < (done.out.index("id"), 1)


@pytest.mark.parametrize("columns", [20, 40, 80, 200])
def test_a_table_fits_the_terminal_and_cuts_no_identifier(shell: Shell, columns: int) -> None:
    done = shell("call", "billing.transactions.list", tty=True, columns=columns)
    table = [line for line in done.lines if line[:1] in "│┃┏┡└"]
    assert max(map(len, table)) <= columns
    assert "SBX00000001" in done.out


def test_columns_can_be_chosen_and_an_unknown_one_is_refused(shell: Shell) -> None:
    done = shell("call", "billing.transactions.list", "--columns", "amount, id", "--limit", "1")
    assert done.lines == ["amount\tid", "9.99\tSBX00000001"]
    wrong = shell("call", "billing.transactions.list", "--columns", "amont")  # codespell:ignore
    assert wrong.code == 2
    assert "did you mean 'amount'?" in wrong.err


def test_control_characters_of_the_service_are_escaped() -> None:
    assert cell("\x1b[2J[red]\u202eevil\n") == "\\x1b[2J[red]\\u202eevil\\n"


def test_ids_can_look_like_options_but_must_be_valid_text(shell: Shell) -> None:
    done = shell("call", "billing.accounts.retrieve", "--no-send", "--", "--yes")
    assert done.lines[0] == "GET https://billing.sandbox.invalid/accounts/--yes"
    assert shell("call", "billing.accounts.retrieve", "\udcff", "--no-send").code == 2
    assert shell("call", "billing.accounts.list", "--param", "a=\udcff", "--no-send").code == 2
    assert shell("call", "billing.accounts.create", "--body", '{"id": "\udcff"}', "--no-send").code == 2


def test_numbers_of_any_length_can_be_shown() -> None:
    assert cell(10**5000) == "1E+5000" or len(cell(10**5000)) > 5000
    assert cell(Decimal("-0.10")) == "-0.10"
    assert cell(True) == "yes"


def test_filters_and_further_parameters_are_sent_as_typed(shell: Shell) -> None:
    done = shell(
        "call", "billing.accounts.list", "--email", MAIL, "--created-after", "2025-01-01T00:00:00Z",
        "--param", "a=1", "--param", "b=x=y", "--param", "a=2", "--no-send",
    )  # fmt: skip
    assert done.lines[0] == (
        "GET https://billing.sandbox.invalid/accounts?email=customer-0001%40example.com"
        "&created_after=2025-01-01T00%3A00%3A00%2B00%3A00&a=1&a=2&b=x%3Dy"
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["billing.accounts.list", "--created-after", "2025-01-01T00:00:00"], "must have a time zone"),
        (["billing.accounts.list", "--created-after", "soon"], "a time such as"),
        (["billing.accounts.list", "--page-size", "1e1"], "must be a whole number"),
        (["billing.accounts.list", "--page-size", "101"], "limit must be"),
        (["billing.accounts.list", "--limit", "-1"], "must be a whole number"),
        (["billing.accounts.list", "--param", "x"], "NAME=VALUE"),
        (["billing.accounts.list", "--nonsense"], "No such option"),
        (["billing.accounts.retrieve", ""], "account must"),
        (["billing.accounts.retrieve", "a/b"], "account must not"),
        (["billing.accounts.retrieve"], "Missing argument"),
        (["billing.resource.list", "chargebacks", "Nonsense"], "Invalid value for MODEL: there's no model"),
        (["gateway.subscriptions.retrieve", "s1", "--wire-name", "x=y"], "--wire-name must be"),
        (["billing.accounts.list", "--wire-name", "accounts_email=mail"], "can't be combined with the sandbox"),
    ],
)
def test_usage_is_refused_before_anything_is_sent(
    shell: Shell, platform: Platform, arguments: list[str], message: str
) -> None:
    done = shell("call", *arguments, columns=300)
    assert done.code == 2
    assert message in done.err
    assert platform.requests == []


def test_exit_codes_of_reads(shell: Shell, platform: Platform) -> None:
    missing = shell("call", "billing.accounts.retrieve", "nobody")
    assert missing.code == 1
    assert "404" in missing.err
    assert "This request changed nothing." in missing.err
    platform.faults.add("GET /accounts", proxy_page(), times=None)
    assert shell("call", "billing.accounts.list").code == 1
    platform.faults.clear()
    platform.faults.add("/accounts/{account}", rate_limited(retry_after=1), times=1)
    assert shell("call", "billing.accounts.retrieve", "acct-0001").code == 0


def test_a_list_that_stops_shows_the_checkpoint(shell: Shell, platform: Platform) -> None:
    platform.faults.add("GET /accounts", foreign_next())
    done = shell("call", "billing.accounts.list", "--page-size", "10", "--json")
    assert done.code == 1
    assert len(done.lines) == 10
    rest = shell("call", "billing.accounts.list", "--page-size", "10", "--checkpoint", done.err.split()[-1], "--json")
    assert next(json.loads(line)["id"] for line in rest.lines) == "acct-0011"


def test_a_missing_configuration_is_reported(shell: Shell) -> None:
    done = shell("call", "billing.accounts.list", environment=None)
    assert done.code == 2
    assert "SUBSCRIBEKIT_ENVIRONMENT" in done.err
    missing = shell("call", "billing.accounts.list", environment="staging")
    assert missing.code == 2
    assert "SUBSCRIBEKIT_STAGING_BASE_URL" in missing.err


def test_the_option_overrides_the_environment_variable(shell: Shell) -> None:
    done = shell("call", "billing.accounts.list", "--limit", "1", "--environment", "sandbox", environment="staging")
    assert done.code == 0


def test_a_failed_connection_ends_with_3(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SUBSCRIBEKIT_NOWHERE_BASE_URL", "http://127.0.0.1:9")
    monkeypatch.setenv("SUBSCRIBEKIT_NOWHERE_API_USER", "u")
    monkeypatch.setenv("SUBSCRIBEKIT_NOWHERE_API_KEY", "k")
    once = partial(BillingClient, retry=RetryPolicy(max_attempts=1))
    monkeypatch.setitem(clients._KINDS, "billing", once)
    done = shell("call", "billing.payments.reverse", "p1", "--yes", environment="nowhere")
    assert done.code == 3
    assert "Nothing was sent." in done.err


def test_an_ascii_terminal_gets_ascii_only(shell: Shell) -> None:
    done = shell("call", "billing.accounts.list", "--limit", "2", tty=True, encoding="ascii")
    assert done.code == 0
    assert "acct-0001" in done.out
    assert done.out.isascii()


def test_json_stays_json_if_the_output_is_ascii(shell: Shell, platform: Platform) -> None:
    name = "Zoë \U0001f600"
    body = json.dumps({"id": "zoe", "name": name}, ensure_ascii=False)
    assert shell("call", "billing.accounts.create", "--body", body, "--yes").code == 0
    done = shell("call", "billing.accounts.retrieve", "zoe", "--json", encoding="ascii")
    assert done.out.isascii()
    assert json.loads(done.out)["name"] == name


def test_a_name_that_an_ascii_output_cannot_show_is_escaped(shell: Shell) -> None:
    body = json.dumps({"id": "zoe", "company": "Zoë"})
    assert shell("call", "billing.accounts.create", "--body", body, "--yes").code == 0
    done = shell("call", "billing.accounts.list", "--columns", "id,company", "--limit", "100", encoding="ascii")
    assert done.code == 0, done.err
    assert "zoe\tZo\\xeb" in done.lines


def test_a_path_can_be_read_with_request(shell: Shell) -> None:
    done = shell("call", "billing.request", "GET", "/accounts/acct-0001", "--json")
    assert json.loads(done.out)["id"] == "acct-0001"
    read = shell("call", "billing.request", "GET", "/accounts/acct-0001", "--result", "Account")
    assert "email\t***" in read.lines
    raw = shell("call", "billing.request", "GET", "/accounts/acct-0001", tty=True)
    assert raw.code == 0


def test_the_result_of_request_can_be_plain_json(shell: Shell) -> None:
    for result, code in (("dict", 0), ("list", 1)):
        read = shell("call", "billing.request", "GET", "/accounts/acct-0001", "--result", result, "--json")
        assert read.code == code, read.err
        assert ('"object":"Account"' in read.out) is (code == 0)


def test_a_wire_name_changes_the_query_parameter(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"BASE_URL": "https://billing.invalid", "API_USER": "u", "API_KEY": "k"}.items():
        monkeypatch.setenv(f"SUBSCRIBEKIT_LOCAL_{name}", value)
    words = ("billing.accounts.list", "--email", "a@example.com", "--wire-name", "accounts_email=mail", "--no-send")
    shown = shell("call", *words, environment="local")
    assert shown.code == 0, shown.err
    assert "mail=a%40example.com" in shown.out


def test_a_terminal_shows_the_operations_of_a_resource(shell: Shell) -> None:
    shown = shell("call", "billing.refunds", tty=True)
    assert "operation" in shown.out
    assert "billing.refunds.create" in shown.out
    assert "billing.accounts" not in shown.out
    assert "subscribekit call OPERATION --help" in shown.err


def test_an_optional_body_is_not_required(shell: Shell) -> None:
    shown = shell("call", "billing.refunds.create", "t-1", "--no-send")
    assert shown.code == 0, shown.err
    assert "/transactions/t-1/refunds" in shown.out
    assert "amount" not in shown.out


def test_an_optional_argument_is_positional(shell: Shell) -> None:
    assert shell("call", "billing.refunds.list", "--no-send").out.splitlines()[0].endswith("/refunds")
    assert "/transactions/t-1/refunds" in shell("call", "billing.refunds.list", "t-1", "--no-send").out
    assert shell("call", "billing.refunds.list", "", "--no-send").code == 2
