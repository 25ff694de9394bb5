"""Is this text the name of one header?"""

from typing import Optional

from .c_tokens import Problem, is_hidden

# A header of this name would hide the library's own.
LIBRARY_STEMS = frozenset(
    "assert complex ctype errno fenv float inttypes iso646 limits locale math setjmp signal stdalign stdarg stdatomic "
    "stdbit stdbool stdckdint stddef stdint stdio stdlib stdnoreturn string tgmath threads time uchar wchar wctype "
    "unistd fcntl strings memory malloc search pthread sched semaphore poll features alloca windows io process "
    "direct dirent".split())

# The same of headers that fewer programs include: a spec may have such a name.
SYSTEM_STEMS = frozenset(
    "aio ar byteswap cpio crypt elf endian err error ftw getopt glob grp iconv langinfo libgen link mntent mqueue ndbm netdb "
    "paths printf pwd regex resolv shadow spawn stropts sysexits syslog tar termios ucontext ulimit utime utmp values wait "
    "wordexp".split())

_HEADER_FORBIDDEN = {
    '"': 'write the header without quotes; Bespoke adds them',
    "'": "a quote is not allowed in the name of a header",
    '\\': "use '/' between folders",
    '*': "'*' is not allowed in the name of a header",
    '?': "'?' is not allowed in the name of a header",
    '|': "'|' is not allowed in the name of a header",
    '<': "'<' must be the first character, and '>' the last",
    '>': "'<' must be the first character, and '>' the last",
    ':': 'the path of a header must be relative',
    '\n': 'a line break is not allowed in the name of a header',
    '\r': 'a line break is not allowed in the name of a header',
}


def check_header(text: str) -> Optional[Problem]:
    """None if text names a header, as `a/b.h` or `<a/b.h>`; otherwise offset and message."""
    if not text.strip():
        return 0, 'the name of a header is missing'
    if len(text) > 255:
        return 255, 'the name of the header is too long'
    angled = text[0] == '<'
    begin, end = 0, len(text)
    if angled:
        begin = 1
        if text[-1] != '>' or len(text) == 1:
            return len(text) - 1, "a '>' is missing at the end"
        end -= 1
    path = text[begin:end]
    for at, char in enumerate(path, begin):
        if char in _HEADER_FORBIDDEN:
            return at, _HEADER_FORBIDDEN[char]
        if is_hidden(char):
            return at, 'U+%04X is not allowed in the name of a header' % ord(char)
    if not path:
        return 1, 'the name of a header is missing'
    if path[0] == ' ' or path[-1] == ' ':
        return (begin if path[0] == ' ' else end - 1), 'a space at the edge of the name of a header'
    if path[0] == '/':
        return begin, 'the path of a header must be relative'
    if path[-1] == '/':
        return end - 1, 'this names a folder, not a header'
    if '//' in path:
        return begin + path.index('//'), "'//' is not allowed in the name of a header"
    parts = path.split('/')
    if angled and '..' in parts:
        return begin + path.index('..'), "'..' is not allowed between '<' and '>'"
    if parts[-1] in ('.', '..'):
        return end - len(parts[-1]), 'this names a folder, not a header'
    return None
