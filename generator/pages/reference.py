"""The reference page, in Markdown."""

from typing import List

from ..language.keys import KEYS, VERSION, Key, short_key
from ..language.named_indexes import INDEX_KEYS
from ..language.presets import INSTEAD, PRESETS
from ..text.error_codes import CODES
from .wording import KIND_WORDS, cell, default_words, in_yaml, value_text

ROLES = {
    "contract": "what callers may rely on",
    "policy": "how the contract is kept; may change without touching a caller",
    "emission": "how the code is written and tested",
}


def page() -> str:
    """The reference page, in Markdown."""
    lines = [
        "# The language of Bespoke's specs", "",
        "<!-- Made from the tables of the generator: bespoke schema --markdown -o docs/reference.md -->", "",
        f"A spec is a YAML file. It begins with `bespoke: {VERSION}`, the version of the language.", "",
        "```yaml", f"bespoke: {VERSION}", "containers:", "  fleet:",
        "    element: {type: struct ship, header: ship.h}", "    ordering: unordered", "    removal: swap", "```", "",
        "| key | |", "| --- | --- |",
        "| `containers` | The containers by name. A name becomes the C type and prefixes its functions. |",
        "| `defaults` | Values for all containers of the file that do not set them. |",
        "| `presets` | User-defined presets: a name and values. `preset:` in it names a preset to extend. |",
        "| `include` | A file, or a list of files, whose `defaults` and `presets` also apply here. |",
        "| `memberships` | Functions that remove an element from several containers in one call: "
        "`memberships: {enemy_leave_all: [team, targets]}`. `enemy_leave_all_prepare` sets what they have in an element, in "
        "memory that was not zeroed. |", "",
        "A value is taken from the container, else from its `preset`, else from `defaults`, else from the default of the key. "
        "`bespoke explain SPEC` shows every value and its origin.", "",
        "## Keys of a container", ""]
    for role, words in ROLES.items():
        lines.append(f"- **{role}**: {words}.")
    lines += ["", "[The axes](axes/README.md) have a page each. A dot separates a group from its key: `removal.when` is written "
                  "as `removal: {when: deferred}`.", ""]
    group = None
    for key in KEYS:
        if key.group != group or not key.group:
            group = key.group
            lines += [f"### `{group or key.path}`", ""]
            short = short_key(group) if group else None
            if short is not None:
                example = short.example or next(iter(short.values))
                lines += [f"`{group}: {example}` means `{group}: {{{short.leaf}: {example}}}`.", ""]
            lines += [f"[Details](axes/{group or key.path}.md): examples, costs, valid combinations.", ""]
        lines += _key_lines(key)
        if key.kind == "indexes":
            lines += _index_lines()
    lines += ["## Presets", "", "A preset is a named set of values. [The structures](structures/README.md) compares them.", ""]
    for name, preset in PRESETS.items():
        lines += [f"### `{name}`", "", f"{preset.text()} [Example, when to choose it, costs](structures/{name}.md)", ""]
        lines += [f"- `{path}: {in_yaml(path, value)}`" for path, value in preset.settings.items()]
        lines += [f"- `{path}`{' or `' + INSTEAD[path] + '`' if path in INSTEAD else ''} must be given" for path in preset.needs]
        lines.append("")
    lines += ["## Error codes", "", "`bespoke explain CODE` prints the same. [Examples](errors.md).", "",
              "| code | | what to do |",
              "| --- | --- | --- |"]
    for code, (title, _, remedy) in sorted(CODES.items()):
        lines.append(f"| {code} | {cell(title)} | {cell(remedy)} |")
    return "\n".join(lines).rstrip() + "\n"


def _index_lines() -> List[str]:
    """The keys of each named index."""
    return [line for key in INDEX_KEYS.values() for line in _key_lines(key._replace(path=f"indexes.NAME.{key.path}"))]


def _key_lines(key: Key) -> List[str]:
    facts = [key.role, "value: " + (" / ".join(f"`{value}`" for value in key.values) or KIND_WORDS[key.kind])]
    default = default_words(key)
    facts.append({"must be given": default}.get(default, "default: " + default))
    if key.example:
        facts.append(f"such as `{key.example}`")
    lines = [f"**`{key.path}`** ({'; '.join(facts)})", "", key.doc, ""]
    if key.only:
        lines += ["Only with " + " and ".join(
            f"`{path}`: {' or '.join(f'`{value_text(path, value)}`' for value in values)}" for path, values in key.only.items())
                  + ".", ""]
    if key.values:
        lines += ["| value | |", "| --- | --- |"]
        lines += [f"| `{value}` | {cell(doc)} |" for value, doc in key.values.items()]
        lines.append("")
    return lines
