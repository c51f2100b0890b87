"""The texts of a pager: its `repr`, and the errors when code uses it as a list."""

from __future__ import annotations

import inspect
from typing import Any

import pytest

from kit.calls import Always, Run, Service, answer, page
from subscribekit import Page
from subscribekit.errors import SubscribekitError


def pagers(run: Run) -> list[Any]:
    client = run.client("billing")
    return [client.accounts.list(), client.with_raw_response.accounts.list()]


@pytest.mark.parametrize(
    ("use", "instead"),
    [
        (bool, r"no truth value, .*\.first\(\)"),
        (lambda pager: pager or None, r"no truth value, .*\.first\(\)"),
    ],
)
def test_the_error_about_the_truth_value_of_a_pager_names_the_method_to_call(use: Any, instead: str, run: Run) -> None:
    pager = run.client("billing").accounts.list()
    with pytest.raises(TypeError, match=instead) as caught:
        use(pager)
    assert ("await" in str(caught.value)) == (run.style == "async")


def test_a_raw_pager_has_no_truth_value(run: Run) -> None:
    with pytest.raises(TypeError, match="RawPager has no"):
        bool(run.client("billing").with_raw_response.accounts.list())


def test_a_pager_has_no_length_and_no_index(run: Run) -> None:
    for use in (len, lambda pager: pager[0], lambda pager: pager[:3]):
        for pager in pagers(run):
            with pytest.raises(TypeError, match="Pager'"):
                use(pager)


def test_the_error_about_for_over_an_async_pager_names_async_for() -> None:
    for pager in pagers(Run("async")):
        with pytest.raises(TypeError, match="async for"):
            iter(pager)
        assert not inspect.isawaitable(pager)  # callers distinguish coroutines from pagers by this


def test_list_and_sorted_read_a_pager() -> None:
    service = Always(lambda _: page("a1", "a2"))
    with Run("blocking").client("billing", transport=service) as client:
        assert [account.id for account in list(client.accounts.list())] == ["a1", "a2"]
        assert [account.id for account in sorted(client.accounts.list(), key=lambda each: str(each.id))] == ["a1", "a2"]


def test_in_finds_a_resource_in_a_pager_and_refuses_a_string() -> None:
    with Run("blocking").client("billing", transport=Always(lambda _: page("a1", "a2"))) as client:
        (first, second) = client.accounts.list()
        assert second in client.accounts.list()
        assert first.model_copy(update={"id": "a3"}) not in client.accounts.list()
        with pytest.raises(TypeError, match="contains resources, not strings"):
            _ = "a1" in client.accounts.list()


def test_repr_names_the_size_of_the_pages(run: Run) -> None:
    assert "(size=20)" in repr(run.client("user_mgmt").accounts.list(size=20))


def test_repr_names_the_filters_and_hides_their_values(run: Run) -> None:
    client = run.client("billing")
    text = repr(client.accounts.list(email="private@example.com", limit=5, params={"own": ["secret-1", "secret-2"]}))
    prefix = "" if run.style == "blocking" else "Async"
    assert text.startswith(f"<{prefix}Pager accounts.list(email=***, own=***, limit=5): ")
    assert ".first()" in text
    assert ("async for" in text) == (run.style == "async")
    for secret in ("private", "secret", "example"):
        assert secret not in text
    assert repr(client.with_raw_response.accounts.list()).startswith(f"<{prefix}RawPager accounts.list(): ")


@pytest.mark.parametrize("digits", [18, 19, 4300, 5000])
def test_a_page_with_a_total_of_many_digits_can_be_printed(digits: int, run: Run) -> None:
    body = b'{"object": "List", "data": [], "total_count": ' + b"9" * digits + b"}"

    async def story(client: Any) -> None:
        try:
            raw = await run.now(client.with_raw_response.accounts.list().first())
        except SubscribekitError as error:
            assert len(repr(error)) < 1000  # noqa: PT017  an error and a result are both correct
        else:
            assert len(repr(raw.data)) < 1000
            assert raw.data.total_count == (int("9" * digits) if digits == 18 else None)

    run("billing", story, transport=Service(*[answer(body)] * 3))


def test_a_page_that_the_caller_creates_can_be_printed() -> None:
    assert len(repr(Page([], total_count=10**5000))) < 1000
