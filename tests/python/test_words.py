"""Retired phrases stay out of what a reader sees, and the failure names the phrase to use instead.

TEXTS is the table of what is checked. To check more (generated pages, emitted text, messages), add a row: a name, the files,
a function that returns what a reader sees of a file as (line, text) pairs.
"""

import glob
import os
import re

import pytest

from conftest import ROOT
from generator.containers.load import load_spec
from generator.emitted.render import Renderer
from generator.language.presets import PRESETS
from generator.text.diag import Diagnostics
from generator.text.naming import MARK
from generator.text.units import EDGE

# A regular expression, matched without regard to case, and the phrase that replaces it.
RETIRED = [
    (r'what becomes of', 'invalidates: nothing; the removed element; the last element; all elements'),
    (r'leaves', 'is removed (an element); creates, keeps (a slot, a file)'),
    (r'(is|are|was|were|be) gone', 'has been removed'),
    (r'(let|lets|letting) go of', 'removes'),
    (r'(come|comes|came) in', 'is added'),
    (r'(go|goes|went) over to', 'is moved to'),
    (r'nobody', 'no caller, no pass, none'),
    (r'(somebody|anybody|whoever)', 'any, a caller, the caller'),
    (r'(who|whom)', 'which, that'),
    (r'(tell|tells|told)', 'reports, is notified'),
    (r'says', 'reports, prints, returns'),
    (r'(ask|asks|asked|asking)', 'calls, tests, requests'),
    (r'(give|gives|gave|given) back', 'frees, returns'),
    (r'gives', 'returns, provides'),
    (r'number of (a|the) slot', 'slot index'),
    (r'known by', 'identified by, keyed by'),
    (r'room', 'capacity; is full'),
    (r'(so many|as many as there may be)', 'count, at most N, the limit'),
    (r'(squeeze|squeezes|squeezed|squeezing)', 'compact'),
    (r'(tighten|tightens|tightened|tightening)', 'compact'),
    (r'(close|closes|closed) up', 'shifts down'),
    (r'(slot|slots|element|elements) (is|are) dead', 'tombstone, a removed element'),
    (r'dead (slot|slots|one|ones|element|elements)', 'tombstone, a removed element'),
    (r'(hole|holes)', 'the vacated slot, a free slot'),
    (r'(a|one) run of', 'a span of'),
    (r'in one run', 'as one span'),
    (r'(move|moves|moved|moving) (up|back)', 'shifts down, shifts up'),
    (r'(what waits|changes? that waits?)', 'pending changes'),
    (r'(wait|waits|waited) in (a|the|one) journal', 'is queued in the journal'),
    (r'at random', 'random, generated'),
    (r'(?<!edited )by hand', 'hand-written'),
    (r'at once', 'immediately; at the same time'),
    (r'words of 64 slots', '64-bit words, bitmap words'),
    (r'in the order of adding', 'in insertion order'),
    (r'each at most once', 'unique'),
    (r'what has expired', 'expired elements'),
    (r'widths? of numbers', 'integer width'),
    (r'type of sizes', 'size type'),
    (r'for ever', 'permanently'),
    (r'in the middle of', 'during'),
]
ANY = re.compile('|'.join(rf'\b{pattern}\b' for pattern, _ in RETIRED), re.IGNORECASE)


# -- what a reader sees of a file ------------------------------------------------------------------------------------

def lines_of(text):
    return list(enumerate(text.split('\n'), 1))


def blank(text):
    return re.sub(r'[^\n]', ' ', text)


def comments(text, pattern):
    """Only the comments, on their lines."""
    kept, end = '', 0
    for match in re.finditer(pattern, text, re.DOTALL | re.MULTILINE):
        kept += blank(text[end:match.start()]) + match.group(0)
        end = match.end()
    return kept + blank(text[end:])


C_COMMENT = r'/\*.*?\*/|//[^\n]*'
HASH_COMMENT = r'(?:^|(?<=\s))#[^\n]*'


def of_c(text):
    return lines_of(comments(text, C_COMMENT))


def of_c_and_strings(text):
    """Also what is printed or returned as text."""
    return lines_of(comments(text, C_COMMENT + r'|"(?:\\.|[^"\\\n])*"'))


def of_hash(text):
    """YAML, Make, CMake, shell, Meson."""
    return lines_of(comments(text, HASH_COMMENT))


def of_page(text):
    """Prose, and the comments of code. Outputs and spans of code are another text's words."""
    def block(match):
        language, body = match.group(1), match.group(2)
        pattern = {'c': C_COMMENT, '': None}.get(language, HASH_COMMENT)
        return blank(match.group(0)[:len(language) + 3]) + '\n' + (comments(body, pattern) if pattern else blank(body)) + '   '
    text = re.sub(r'^```(\w*)\n(.*?)^```$', block, text, flags=re.MULTILINE | re.DOTALL)
    text = re.sub(r'<!--.*?-->', lambda match: blank(match.group(0)), text, flags=re.DOTALL)
    return lines_of(re.sub(r'`[^`\n]*`', lambda match: blank(match.group(0)), text))


# -- what is checked ---------------------------------------------------------------------------------------------------

def of_messages(text):
    """What is expected of the diagnostics of a spec, without the lines of the spec and what is quoted of them."""
    return lines_of(re.sub(r"'[^'\n]*'|`[^`\n]*`", lambda match: blank(match.group(0)),
                           re.sub(r'^ *\d* *\|.*$|(?<=keys are: ).*$', '', text, flags=re.MULTILINE)))


TEXTS = [
    ('messages', ['tests/bad/*.err'], of_messages),
    ('README', ['README.md', 'ARCHITECTURE.md'], of_page),
    ('pages', ['docs/README.md', 'docs/adopt.md', 'docs/assurance.md', 'docs/build.md', 'docs/changes.md', 'docs/changes_since.md', 'docs/choose.md', 'docs/columns.md', 'docs/contract.md',
               'docs/debuggers.md', 'docs/drift.md', 'docs/emitted.md', 'docs/internals.md', 'docs/keys.md', 'docs/loops.md', 'docs/performance.md', 'docs/saving.md', 'docs/side.md', 'docs/tracing.md',
               'docs/tutorial.md', 'docs/weights.md', 'docs/workers.md',
               'tests/regression/README.md'], of_page),
    ('generated pages', ['docs/axes/*.md', 'docs/structures/*.md', 'docs/errors.md', 'docs/parts.md', 'docs/reference.md'], of_page),
    ('emitted code', ['generated/*.h', 'generated/*.c'], of_c_and_strings),
    ('pictures', ['docs/pictures/*.c'], of_c),
    ('settings of pages', ['docs/mkdocs.yml', 'docs/pictures/*.yaml'], of_hash),
    ('scripts', ['script/*'], lines_of),
    ('pages of examples', ['examples/*/README.md'], of_page),
    ('C of examples', ['examples/**/*.c', 'examples/**/*.h'], of_c),
    ('specs and builds of examples', ['examples/**/*.yaml', 'examples/**/Makefile', 'examples/**/*.mk', 'examples/**/CMakeLists.txt',
                                      'examples/**/meson.build'], of_hash),
]


def files(patterns):
    return sorted(os.path.relpath(path, ROOT).replace(os.sep, '/') for pattern in patterns
                  for path in glob.glob(os.path.join(ROOT, pattern), recursive=True))


def found(pairs):
    """Each retired phrase in a text, with its line and what to say instead."""
    for line, text in pairs:
        for match in ANY.finditer(text):
            instead = next(new for old, new in RETIRED if re.fullmatch(old, match.group(0), re.IGNORECASE))
            yield f"{line}: '{match.group(0)}': say: {instead}"


@pytest.mark.parametrize('path, reader', [(path, reader) for _, patterns, reader in TEXTS for path in files(patterns)],
                         ids=lambda value: value if isinstance(value, str) else '')
def test_no_retired_phrase(path, reader):
    with open(os.path.join(ROOT, path), encoding='utf-8') as file:
        text = file.read()
    problems = [f'{path}:{problem}' for problem in found(reader(text))]
    assert not problems, '\n' + '\n'.join(problems)
    assert MARK not in text and EDGE not in text, 'a name that was not spelled, or a unit that was not printed'


@pytest.fixture(scope='module')
def renderer():
    return Renderer()


@pytest.mark.parametrize('path', files(['tests/specs/*.yaml']))
def test_no_retired_phrase_in_what_presets_leave_out(path, renderer):
    """Emitted comments of the specs whose output is not checked in, and their generated tests with what these print."""
    spec = load_spec(os.path.join(ROOT, path), Diagnostics(), [os.path.join(ROOT, 'specs'), os.path.join(ROOT, 'tests', 'specs')])
    emitted = renderer.files(spec, 'x', tests=True).items()
    problems = [f'{name}:{problem}' for name, text in emitted for problem in found(of_c_and_strings(text))]
    problems += [f'{name}: {word} has no name of a container' for name, text in emitted
                 if not name.endswith(('_test.c', '_test.h')) for word in re.findall(r'\bT_[a-z]\w*', text)]
    assert not problems, '\n'.join(problems[:20])


@pytest.mark.parametrize('command', [['generate'], ['check'], ['explain'], ['list'], ['new'], ['schema'], ['type'], []], ids=' '.join)
def test_no_retired_phrase_in_help(command, tool):
    problems = list(found(lines_of(tool(*command, '--help').out)))
    assert not problems, '\n'.join(problems)


@pytest.mark.parametrize('preset', PRESETS)
def test_no_retired_phrase_in_starters_and_explanations(preset, tool):
    tool('new', preset, '-o', 'start.yaml')
    starter = tool.read('start.yaml')
    for header in re.findall(r'header: (\S+)', starter):
        tool.write(header, 'struct ship;\nstruct node;\n')
    starter, explained = (re.sub(r'\bask\b', '', text) for text in (starter, tool('explain', 'start.yaml').out))  # a key
    problems = list(found(of_hash(starter))) + list(found(lines_of(explained)))
    assert not problems, '\n'.join(problems)


def test_every_page_is_in_the_table():
    checked = {path for _, patterns, _ in TEXTS for path in files(patterns)}
    for folder, folders, names in os.walk(ROOT):
        folders[:] = [name for name in folders if not name.startswith(('.', 'build'))]
        for name in names:
            path = os.path.relpath(os.path.join(folder, name), ROOT).replace(os.sep, '/')
            assert not name.endswith('.md') or path in checked, path
    for _, patterns, _ in TEXTS:
        for pattern in patterns:
            assert files([pattern]), pattern


def test_phrases_are_found_where_a_reader_sees_them():
    page = '# Nobody\n\n`who` is code.\n\n```c\nint who; /* who leaves */\n```\n\nprints\n\n```\nat once\n```\n<!-- it says -->\n'
    assert [problem.split(': say')[0] for problem in found(of_page(page))] == ["1: 'Nobody'", "6: 'who'", "6: 'leaves'"]
    assert list(found(of_c('int hole; /* a\n hole */ // it tells'))) == [
        "2: 'hole': say: the vacated slot, a free slot", "2: 'tells': say: reports, is notified"]
    assert list(found(of_hash('key: who # by hand\n'))) == ["1: 'by hand': say: hand-written"]
    assert not list(found(lines_of('whole, toward, bedroom, handle, gone are, underhand')))
