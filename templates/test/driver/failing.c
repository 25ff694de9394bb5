#if defined(__GNUC__) || defined(__clang__)
__attribute__((__noreturn__, __format__(__printf__, 1, 2)))
#endif
static void bt_fail(const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
#ifdef BT_WITH_SPELLINGS
    bt_vsnprintf(bt_reason, sizeof bt_reason, format, arguments);
#else
    vsnprintf(bt_reason, sizeof bt_reason, format, arguments);
#endif
    va_end(arguments);
    longjmp(bt_escape, BT_FAILED);
}

#define BT_FAIL_IF(condition, ...) ((condition) ? bt_fail(__VA_ARGS__) : (void)0)

/* Did a getter of a const container return what the other form does? */
BT_SPARE static void bt_agrees(bool agrees, const char *getter)
{
    if (!agrees) {
        bt_fail("%s does not return what its form for other containers returns", getter);
    }
}

#if !BESPOKE_CHECKS
static unsigned long bt_forbidden; /* misuse that the test has made on purpose */
#endif

/* Has this call been reported as misuse if it is, and no other? */
static void bt_reported(bool forbidden, const char *call)
{
#if !BESPOKE_CHECKS
    bt_forbidden += forbidden;
    if (bt_it->reports && bt_misused != bt_forbidden) {
        bt_fail("%s_%s %s", bt_it->name, call,
                bt_misused < bt_forbidden ? "does not report misuse" : "reports misuse, and there is none");
    }
#else
    (void)forbidden;
    (void)call;
#endif
}

/* The last call may have been misuse. */
static void bt_may_report(void)
{
#if !BESPOKE_CHECKS
    bt_forbidden = bt_misused;
#endif
}

static void bt_forget_reports(void)
{
#if !BESPOKE_CHECKS
    bt_forbidden = bt_misused = 0;
#endif
}
