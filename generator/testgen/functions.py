"""Functions outside of a container: the user's."""

from itertools import product
from typing import Iterable, Iterator, List, Sequence, Tuple

from ..containers.plan import Plan
from ..parts.allocator import Allocator
from ..parts.callbacks import Callback
from ..text.naming import plain

HOOKS = ("add", "remove", "destroy", "update", "move")


def your_names(plan: Plan) -> List[str]:
    """The user's functions that a container calls."""
    c = plan.container
    names = [c[f"hooks.{hook}"] for hook in HOOKS]
    for each, path in product((c, *(index.container for index in plan.parts.indexes.named)),
                              ("removal.expired", "capacity.keep", "capacity.weight", "identity.key",
                               "identity.length", "sort.key", "sort.less")):
        if each[path] is not None and each[path].is_function:
            names.append(str(each[path]))
    names += [c[f"persist.{name}"] for name in ("save", "load", "upgrade")]
    names += ([each[path] for each in (c, *(index.container for index in plan.parts.indexes.named))
               for path in ("identity.equal", "identity.hash", "index.seed")])
    if plan.parts.allocator.custom:
        names += vars(plan.parts.allocator.functions).values()
    return [name for name in dict.fromkeys(names) if name is not None]


def unsigned_calls(plan: Plan, renamed: Iterable[str]) -> Iterator[Tuple[str, str]]:
    """What the test calls where callers count in a signed type, since it counts in an unsigned one: each name, and the macro."""
    for operation in plan.operations:
        told = [(kind, name.partition("[")[0], inner.partition("[")[0])
                for (kind, name), (_, inner) in zip(operation.params, operation.inner_params)]
        if not operation.inner_result and all(name == inner for _, name, inner in told):
            continue
        name = plain(plan.T[operation.name])
        real = name + "_under_test" if name in renamed else name
        words = ", ".join(word for _, word, _ in told)
        call = f"({real})({', '.join(f'({kind})({word})' if word != inner else word for kind, word, inner in told)})"
        yield name, f"{name}({words}) " + (f"(({operation.inner_result}){call})" if operation.inner_result else call)


def _of_allocator(name: str, callback: Callback) -> str:
    """What the driver does for one of the functions of an allocator."""
    told = [word for _, word in callback.parameters]
    of = callback.parameter
    context, block = (of("context") if "context" in told else "NULL"), [of("block")] * ("block" in told)
    size = of("old_bytes") if "old_bytes" in told else of("bytes") if name == "free" and "bytes" in told else None
    aligned = "alignment" in told
    needs = f"    bt_need_bytes({context}, {of('block')}, {size});\n" * (size is not None)
    new = [] if name == "free" else [of("new_bytes" if "new_bytes" in told else "bytes")]
    call = f"bt_{name}{'_aligned' * aligned}({', '.join([context, *block, *new, *[of('alignment')] * aligned])})"
    return f"{{\n{needs}    {'' if name == 'free' else 'return '}{call};\n}}\n"


def allocator_functions(allocator: Allocator) -> Iterator[Tuple[str, str, str]]:
    """The functions of an allocator: the user's name, that of the test's, and this one's text."""
    for name, callback in zip(allocator.written, allocator.callbacks()):
        own = f"{callback.function}_under_test"
        head = "BT_SPARE static " * allocator.plain + callback.prototype(own)
        yield callback.function, own, f"{head}\n{_of_allocator(name, callback)}"


def plain_allocators(plans: Iterable[Plan]) -> List[Tuple[str, str, str]]:
    return list(dict.fromkeys(each for plan in plans if plan.parts.allocator.plain
                              for each in allocator_functions(plan.parts.allocator)))


def scarce_functions(allocator: Allocator) -> Iterator[Tuple[Callback, Sequence[str]]]:
    """The same in a printed program, each with its statements, where a header does not bring them."""
    for key, callback in zip(allocator.written, allocator.callbacks()) if allocator.declared else ():
        name = "malloc" if key == "alloc" else key
        told = [word for _, word in callback.parameters]
        used = [word for word in told if word == "block" or word == "new_bytes" or (word == "bytes" and name != "free")]
        yield callback, [*(f"(void){callback.parameter(word)};" for word in told if word not in used),
                         f"{'' if name == 'free' else 'return '}scarce_{name}({', '.join(map(callback.parameter, used))});"]
