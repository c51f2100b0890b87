"""What a fault does not take is refused with what to write, and a value that is none of its kind, too."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from subscribekit.sandbox import faults

MAKERS: Any = faults
TIMES = "write times=2 in sandbox.faults.add(..., times=2)"
UNEXPECTED = "an unexpected keyword argument"
BARE = [
    "corrupt_gzip", "drop_after_commit", "drop_before_commit", "empty_page_with_next", "out_of_order", "refuse",
    "repeated_cursor", "truncated", "twice",
]  # fmt: skip


@pytest.mark.parametrize("name", BARE)
def test_a_fault_without_arguments_says_where_they_belong(name: str) -> None:
    maker = getattr(faults, name)
    with pytest.raises(TypeError) as caught:
        maker(2)
    assert str(caught.value).endswith(f"was given: write {name}(); how often says sandbox.faults.add(..., times=2)")
    with pytest.raises(TypeError) as caught:
        maker(times=2)
    assert str(caught.value) == f"{name}() got an unexpected keyword argument 'times': {TIMES}"
    with pytest.raises(TypeError) as caught:
        maker(xyzzy=2)
    assert str(caught.value) == f"{name}() got an unexpected keyword argument 'xyzzy': it takes none"


WRONG: dict[str, tuple[Callable[[], object], str]] = {
    "a time of a stall": (
        lambda: MAKERS.stall(seconds=3),
        f"stall() got {UNEXPECTED} 'seconds': write stall(), since nobody waits; slow_drip(90) takes time",
    ),
    "a stall by place": (
        lambda: MAKERS.stall(3), "stall() takes 0 positional arguments but 1 was given: write stall(committed=True)",
    ),
    "a time of a drip": (
        lambda: MAKERS.slow_drip(duration=3),
        "slow_drip() got an unexpected keyword argument 'duration': write slow_drip(90)",
    ),
    "a code": (lambda: MAKERS.html(code=5), "html() got an unexpected keyword argument 'code': write html(502)"),
    "a code of an error": (
        lambda: MAKERS.server_error(code=5),
        "server_error() got an unexpected keyword argument 'code': write server_error(503)",
    ),
    "a code after the work": (
        lambda: MAKERS.server_error_after_commit(code=5),
        "server_error_after_commit() got an unexpected keyword argument 'code': write server_error_after_commit(503)",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("use", "sentence"), WRONG.values(), ids=WRONG)
def test_an_argument_that_is_none_is_refused_with_what_to_write(use: Callable[[], object], sentence: str) -> None:
    with pytest.raises(TypeError) as caught:
        use()
    assert str(caught.value) == sentence


@pytest.mark.parametrize("name", ["html", "server_error", "server_error_after_commit"])
@pytest.mark.parametrize("given", ["x", 5, 199, 600, True, 502.0, None])
def test_a_status_is_one(name: str, given: Any) -> None:
    with pytest.raises(ValueError, match=r"^the status must be a whole number from 200 to 599, such as 502, not "):
        getattr(faults, name)(given)


@pytest.mark.parametrize("use", [
    lambda: MAKERS.slow_drip("90"), lambda: MAKERS.slow_drip(90, pieces="3"), lambda: MAKERS.slow_drip(True),
    lambda: MAKERS.wrong_total("3"), lambda: MAKERS.foreign_next(3), lambda: MAKERS.stall(committed="yes"),
    lambda: MAKERS.slow_drip(float("nan")), lambda: MAKERS.slow_drip(90, pieces=2.5),
])  # fmt: skip
def test_a_value_of_another_kind_is_refused_when_the_fault_is_made(use: Callable[[], object]) -> None:
    with pytest.raises(ValueError, match=r"must be|takes"):
        use()
