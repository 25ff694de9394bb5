"""What is not replayed or tuned, with the line of the spec that says so, if there is one."""

from __future__ import annotations

from typing import AbstractSet, Any, Dict, List, NamedTuple, Optional, Sequence, Tuple

from ..operations.traced import indexes_of
from ..text.diag import Diagnostics, Failure, Span, failure
from ..text.suggestions import did_you_mean
from .standins import Unrepeated

SPEC, ENVIRONMENT = 2, 3  # exit codes
GIVEN = "given"  # it is an expression of the program's
STATED = "docs/tracing.md states what can be repeated"
# What callers see: other values are another contract.
CONTRACT = ("ordering", "layers.names", "layers.ordering", "layers.handles", "ends", "duplicates", "identity.by",
            "identity.kind", "iteration.adds", "iteration.removes",
            "iteration.direction", "handles.kind", "removal.when", "removal.ask", "removal.expired", "sort.stable", "element.by",
            "capacity.max", "capacity.when_full", "indexes", "changes", "side", "threads.workers", "threads.merge",
            "threads.inbox")


class LeftOut(NamedTuple):
    """A container of a trace that is not repeated."""

    name: str
    odd: Unrepeated


def refused(path: str, why: str, help: str, done: str = "replayed") -> Failure:
    """The end of a run: of a trace."""
    return failure(ENVIRONMENT, "BSP0414", f"'{path}' cannot be {done}: {why}", help=help)


def refuse(problems: Diagnostics, container: Any, why: str, path: str, help: str) -> None:
    """An error in the line of a container that has the value of a key, or where it has none, in that of its name."""
    span, _ = _place(container, path)
    problems.error("BSP0414", f"`{container.full_name}` {why}", span, help=help)


def unrepeated(problems: Diagnostics, container: Any, odd: Unrepeated) -> None:
    """A container of a spec cannot be repeated."""
    refuse(problems, container, f"cannot be replayed: {odd.why}", odd.path, f"{odd.help}; {STATED}")


def unknown(problems: Diagnostics, spec: Any, name: str, known: AbstractSet[str]) -> None:
    """A spec does not have a container that the trace has, which has those of these names."""
    others = {container.full_name: container for container in spec.containers if container.full_name not in known}
    near = did_you_mean(name, others) or (next(iter(others)) if len(others) == 1 else None)
    span = others[near].span if near else spec.containers[0].span.source.span(0)
    problems.error("BSP0414", f"'{spec.path}' has no container `{name}`, which the trace has", span,
                   help=f"is this `{name}`? Then call it so, as in the program that was recorded" if near else
                   "the spec of another program? Its containers: " + ", ".join(each.full_name for each in spec.containers))


def over(problems: Diagnostics) -> None:
    """Ends the run if there are any."""
    if problems:
        raise Failure(problems, SPEC)


def compare_contracts(recorded: Any, other: Any, problems: Diagnostics) -> None:
    """Is another container one for the same callers? Else errors with their lines."""
    for path in CONTRACT:
        first, second = _seen(recorded, path), _seen(other, path)
        if first == second or path.startswith("layers.") and recorded["ordering"] != "layered":
            continue
        span, so = _place(other, path)
        right = f"no `{path}`" if first is None else f"`{path}: {_shown(first)}`" if first != GIVEN else f"`{path}`"
        problems.error("BSP0414", f"`{other.full_name}` has another contract than in the trace: `{path}` is "
                                  f"{_named(second)}{so} and was {_named(first)}", span,
                       help=right + " keeps what callers rely on; policies, storage, index, growth may differ")


def placed(left_out: Sequence[LeftOut], specs: Sequence[Any]) -> List[Tuple[str, str]]:
    """Names and reasons, with the places of keys that stand in these specs."""
    by_name = {container.full_name: container for spec in specs for container in spec.containers}
    return [(name, where(by_name.get(name), odd)) for name, odd in left_out]


def where(container: Any, odd: Unrepeated) -> str:
    """A reason, behind the place of its key."""
    span: Optional[Span] = container.span_of(odd.path) if container is not None and container[odd.path] is not None else None
    return f"{span.source.name}:{span.line}:{span.column}: {odd.why}" if span is not None else odd.why


def _place(container: Any, path: str) -> Tuple[Span, str]:
    """The line of a container that has the value of a key, and what else to say of where it is from."""
    setting = container.settings.get(path)
    if setting is None:
        return container.span, ""
    origin: Dict[str, str] = {"default": ", the default,", "preset": f", by the preset `{setting.source}`,"}
    return setting.span if setting.span is not None else container.span, origin.get(setting.origin, "")


def _seen(container: Any, path: str) -> Any:
    """What callers see of a key."""
    if path == "removal.expired":
        return GIVEN if container[path] is not None else None
    if path == "changes":
        return "recorded" if container[path] == "recorded" else None
    if path == "side":
        return tuple(each.name for each in container[path] or ()) or None
    if path == "indexes":
        return indexes_of(container) or None
    return container[path]


def _shown(value: Any) -> str:
    """As a spec gives it."""
    if isinstance(value, tuple):
        return f"[{', '.join(map(str, value))}]"
    if isinstance(value, dict):
        return "{%s}" % ", ".join(f"{name}: {_shown(each)}" for name, each in value.items())
    return str(value).lower() if isinstance(value, bool) else str(value)


def _named(value: Any) -> str:
    return "not given" if value is None else f"`{_shown(value)}`"
