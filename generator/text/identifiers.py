"""Which words can name something in emitted C: keywords of C and C++, reserved and taken names."""

from __future__ import annotations

import re
import unicodedata
from typing import Dict, Optional

MAX_LENGTH = 48


def _words(text: str):
    return text.split()


# C89 and C99; C++ shares most of these.
_C = _words("""
    auto break case char const continue default do double else enum extern float for goto if inline int long register
    restrict return short signed sizeof static struct switch typedef union unsigned void volatile while
    _Bool _Complex _Imaginary
    """)
_C11 = _words('_Alignas _Alignof _Atomic _Generic _Noreturn _Static_assert _Thread_local')
_C23 = _words("""
    alignas alignof bool constexpr false nullptr static_assert thread_local true typeof typeof_unqual
    _BitInt _Decimal128 _Decimal32 _Decimal64
    """)
# Keywords that most compilers of C know besides.
_EXTENSION = _words('asm fortran')
_CPP = _words("""
    alignas alignof and and_eq asm auto bitand bitor bool break case catch char char8_t char16_t char32_t class compl
    concept const consteval constexpr constinit const_cast continue co_await co_return co_yield decltype default delete
    do double dynamic_cast else enum explicit export extern false float for friend goto if inline int long mutable
    namespace new noexcept not not_eq nullptr operator or or_eq private protected public register reinterpret_cast
    requires return short signed sizeof static static_assert static_cast struct switch template this thread_local throw
    true try typedef typeid typename union unsigned using virtual void volatile wchar_t while xor xor_eq
    """)
# Macros that compilers predefine in their default mode, and lower case macros of windows.h.
_PREDEFINED = _words('unix linux i386 sun sparc mips hpux vax m68k arm')
_WINDOWS = _words('near far huge cdecl pascal interface small hyper')


def _table() -> Dict[str, str]:
    found: Dict[str, list] = {}
    for language, words in (('C', _C + _EXTENSION), ('C11', _C11), ('C23', _C23), ('C++', _CPP)):
        for word in words:
            found.setdefault(word, []).append(language)
    table = {word: ' and '.join(languages) for word, languages in found.items()}
    for word in _PREDEFINED:
        table.setdefault(word, 'macro')
    for word in _WINDOWS:
        table.setdefault(word, 'windows.h')
    return table


#: word -> where it is taken: 'C', 'C11', 'C23', 'C++', several joined by ' and '; or 'macro' or 'windows.h' for words
#: that are no keywords but that the preprocessor replaces.
KEYWORDS = _table()


def is_keyword(word: str) -> bool:
    """Is this a keyword of any C from C89 to C23, or of C++ up to C++20?"""
    return KEYWORDS.get(word, 'macro') not in ('macro', 'windows.h')


# Names of the standard library that are functions, types or macros and that a short word is likely to hit.
_LIBRARY = {
    'stdlib.h': """abort abs aligned_alloc atexit atof atoi atol atoll bsearch calloc div div_t exit free getenv labs
        ldiv ldiv_t llabs lldiv lldiv_t malloc mblen mbstowcs mbtowc qsort quick_exit rand random realloc setenv srand
        strtod strtof strtol strtold strtoll strtoul strtoull system wcstombs wctomb EXIT_FAILURE EXIT_SUCCESS
        MB_CUR_MAX RAND_MAX""",
    'stdio.h': """clearerr fclose feof ferror fflush fgetc fgetpos fgets fopen fprintf fputc fputs fread freopen fscanf
        fseek fsetpos ftell fwrite getc getchar gets perror printf putc putchar puts remove rename rewind scanf setbuf
        setvbuf snprintf sprintf sscanf stderr stdin stdout tmpfile tmpnam ungetc vfprintf vprintf vsnprintf vsprintf
        FILE EOF BUFSIZ FILENAME_MAX FOPEN_MAX SEEK_CUR SEEK_END SEEK_SET TMP_MAX fpos_t""",
    'string.h': """memchr memcmp memcpy memmove memset strcat strchr strcmp strcoll strcpy strcspn strerror strlen
        strncat strncmp strncpy strpbrk strrchr strspn strstr strtok strxfrm strdup""",
    'stddef.h': 'size_t ptrdiff_t max_align_t nullptr_t NULL offsetof',
    'stdint.h': """int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t intptr_t uintptr_t intmax_t
        uintmax_t int_fast8_t int_fast16_t int_fast32_t int_fast64_t uint_fast8_t uint_fast16_t uint_fast32_t
        uint_fast64_t int_least8_t int_least16_t int_least32_t int_least64_t uint_least8_t uint_least16_t
        uint_least32_t uint_least64_t SIZE_MAX PTRDIFF_MAX INTPTR_MAX UINTPTR_MAX INT8_MAX INT16_MAX INT32_MAX INT64_MAX
        UINT8_MAX UINT16_MAX UINT32_MAX UINT64_MAX""",
    'limits.h': """CHAR_BIT CHAR_MAX CHAR_MIN INT_MAX INT_MIN LONG_MAX LONG_MIN SCHAR_MAX SHRT_MAX UCHAR_MAX UINT_MAX
        ULONG_MAX USHRT_MAX""",
    'time.h': """asctime clock clock_t ctime difftime gmtime localtime mktime strftime time time_t tm
        CLOCKS_PER_SEC""",
    'signal.h': 'raise signal sig_atomic_t SIGABRT SIGFPE SIGILL SIGINT SIGSEGV SIGTERM',
    'setjmp.h': 'jmp_buf longjmp setjmp',
    'assert.h': 'assert',
    'errno.h': 'errno EDOM ERANGE EILSEQ',
    'stdarg.h': 'va_list va_start va_end va_arg va_copy',
    'ctype.h': """isalnum isalpha isblank iscntrl isdigit isgraph islower isprint ispunct isspace isupper isxdigit
        tolower toupper""",
    'math.h': """acos asin atan atan2 cbrt ceil copysign cos cosh erf exp exp2 expm1 fabs fdim floor fma fmax fmin fmod
        frexp hypot ilogb ldexp lgamma log log10 log1p log2 logb lrint lround modf nan nearbyint pow remainder
        rint round scalbn sin sinh sqrt tan tanh tgamma trunc y0 y1 yn j0 j1 jn gamma signgam INFINITY NAN HUGE_VAL
        isinf isnan isfinite isnormal signbit fpclassify""",
    'complex.h': 'I complex imaginary',
    'locale.h': 'localeconv setlocale lconv',
    'stdnoreturn.h': 'noreturn',
    'unistd.h': """access alarm brk chdir close dup execl execv fork getpid isatty link lseek nice pause pipe read
        rmdir sbrk sleep sync unlink usleep write""",
    'strings.h': 'bcmp bcopy bzero ffs index rindex strcasecmp',
    'C++': 'std',
    'the socket headers': 'accept bind connect listen recv select send shutdown socket',
}
#: name -> header of the standard library (or of POSIX) that has it already.
LIBRARY = {name: header for header, names in _LIBRARY.items() for name in names.split()}

# What POSIX and Windows have besides. A container may be called so, since a program may do without these headers.
_SYSTEM = {
    '<poll.h>': 'poll pollfd ppoll nfds_t', '<sys/stat.h>': 'stat chmod fchmod fstat lstat mkdir mkfifo mknod umask',
    '<sys/wait.h>': 'wait waitid waitpid',
    '<unistd.h>': """acct chown chroot confstr crypt daemon encrypt environ fsync ftruncate getcwd getopt optarg
        optind opterr optopt setuid swab
        symlink sysconf truncate ttyname vfork""",
    '<fcntl.h>': 'creat fcntl flock open openat', '<sys/select.h>': 'fd_set', '<error.h>': 'error',
    '<err.h>': 'err errx warn warnx',
    '<sched.h>': 'clone sched_yield', '<dirent.h>': 'alphasort closedir dirent opendir readdir scandir DIR',
    '<search.h>': 'insque lfind lsearch remque tsearch',
    '<glob.h>': 'glob glob_t globfree', '<regex.h>': 'regcomp regex_t regexec', '<pwd.h>': 'passwd',
    '<netdb.h>': 'hostent netent servent',
    '<signal.h>': 'kill sigaction sigset_t sigwait stack_t', '<sys/time.h>': 'itimerval timeval timezone utimes',
    '<sys/uio.h>': 'iovec readv writev',
    '<time.h>': 'daylight itimerspec nanosleep timer_t timespec tzname tzset',
    '<sys/mman.h>': 'mlock mmap mprotect msync munmap', '<ftw.h>': 'ftw nftw FTW',
    '<syslog.h>': 'syslog openlog', '<sys/ioctl.h>': 'ioctl', '<sys/types.h>': 'gid_t mode_t off_t pid_t uid_t',
    '<termios.h>': 'termios',
    '<sys/utsname.h>': 'uname utsname', '<ucontext.h>': 'ucontext_t', '<semaphore.h>': 'sem_t',
    '<stdio.h>': 'dprintf getline getdelim pclose popen',
    '<stdlib.h>': 'mkstemp putenv setkey unsetenv', '<threads.h>': 'cnd_t mtx_t thrd_t tss_t',
    '<windows.h>': """IN OUT OPTIONAL ERROR DELETE CONST VOID STRICT THIS INTERFACE NEAR FAR ABSOLUTE RELATIVE OPAQUE
        TRANSPARENT INFINITE IGNORE TRUE FALSE
        BOOL BYTE CHAR DWORD FLOAT HANDLE INT LONG POINT RECT SHORT SIZE UINT WORD CALLBACK WINAPI PASCAL boolean byte""",
}
SYSTEM = {name: header for header, names in _SYSTEM.items() for name in names.split()}

_IDENTIFIER = re.compile(r'[A-Za-z_][A-Za-z0-9_]*\Z')


def check_identifier(text: str, *, library: bool = True, defined: bool = True) -> Optional[str]:
    """None if text can name something in emitted code, in C and in C++; otherwise what is wrong with it.

    `library=False` allows names of the standard library: for struct members, and for names that are referred to
    rather than defined (a hook may well be `free`). `defined=False` allows what is reserved for the compiler and its library,
    where emitted code only uses a name that there is.
    """
    if not text:
        return 'a name is missing'
    if text[0] == '_' and defined:
        return "names that begin with '_' are reserved for the compiler and its library"
    if not _IDENTIFIER.match(text):
        if text[0] in '0123456789':
            return 'a name cannot begin with a digit'
        if not text[0].isascii() or not text[0].isalpha() and text[0] != '_':
            return 'a name must begin with a letter (a-z, A-Z)'
        return "a name may hold only letters (a-z, A-Z), digits and '_'"
    if '__' in text and defined:
        return "names with two '_' in a row are reserved in C++"
    if len(text) > MAX_LENGTH:
        return 'a name may be at most %d characters long; this one has %d' % (MAX_LENGTH, len(text))
    taken = KEYWORDS.get(text)
    if taken == 'macro':
        return "'%s' is a macro that some compilers predefine" % text
    if taken == 'windows.h':
        return "'%s' is a macro of windows.h" % text
    if taken:
        return "'%s' is a keyword in %s" % (text, taken)
    if library and text == 'main':
        return "'main' is where the program begins"
    if library and text in LIBRARY:
        return "'%s' is taken by the standard library (%s)" % (text, LIBRARY[text])
    return None


def another_name(text: str, suffix: str = "_list") -> str:
    """What something can be called that cannot be called as in the text, as advice."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    plain = re.sub(r"[^A-Za-z0-9]+", "_", plain).strip("_")[:MAX_LENGTH // 2].strip("_")
    named = [plain, plain + suffix, f"my_{plain}"] if plain else []
    return next((name for name in named if name != text and check_identifier(name) is None), "my" + suffix)


def shout(name: str) -> str:
    """A name as the start of a macro: fleetList, fleet_list and fleet-list all give FLEET_LIST."""
    name = re.sub(r'[^A-Za-z0-9]+', '_', name)
    name = re.sub(r'([a-z0-9])([A-Z][a-z])', r'\1_\2', name)
    name = re.sub(r'([a-z])([A-Z])', r'\1_\2', name)
    name = re.sub(r'([A-Z]+)([A-Z][a-z])', r'\1_\2', name)
    return re.sub(r'_+', '_', name).strip('_').upper()


BUILT_IN = frozenset(
    "char short int long float double signed unsigned _Bool bool size_t ptrdiff_t intptr_t uintptr_t "
    "int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t".split())


def is_built_in(kind: str) -> bool:
    """Is this a type of the language or of the headers that emitted code includes anyway?"""
    words = re.findall(r"\w+", kind)
    return all(word in BUILT_IN or word in ("void", "const", "volatile") for word in words)
