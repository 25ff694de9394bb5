/* What Eva starts from: the generated test TEST, RUNS of its random runs from the run FIRST on, each cut to OPERATIONS (eva.py). */

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* Frama-C has no body of snprintf; what generated tests need of it. */
static int printed(char *buffer, size_t size, const char *format, ...)
{
    size_t length = 0;
    va_list arguments;

    va_start(arguments, format);
    for (; *format != 0; format++) {
        char digits[24] = {0};
        const char *text = &digits[22];

        if (*format != '%' || *++format == '%') {
            digits[22] = *format;
        } else if (*format == 'c') {
            digits[22] = (char)va_arg(arguments, int);
        } else if (*format == 's') {
            text = va_arg(arguments, const char *);
        } else {
            unsigned long number = *format == 'l' ? va_arg(arguments, unsigned long) : va_arg(arguments, unsigned);
            size_t at = 23;

            format += *format == 'l';
            do {
                digits[--at] = (char)('0' + number % 10);
                number /= 10;
            } while (number != 0);
            text = &digits[at];
        }
        for (; *text != 0; text++, length++) {
            if (length + 1 < size) {
                buffer[length] = *text;
            }
        }
    }
    va_end(arguments);
    if (size > 0) {
        buffer[length < size ? length : size - 1] = 0;
    }
    return (int)length;
}

/* The offset of an address in an array, or (uintptr_t)-1: the emitted code subtracts integers, which Eva does not follow. */
static uintptr_t offset_of_(const void *address, const void *items, size_t size, size_t step)
{
    for (size_t at = 0; at < size; at += step) {
        if (address == (const char *)items + at) {
            return at;
        }
    }
    return (uintptr_t)-1;
}

/* The number of an address, which is a key of a hash index. */
static uint64_t number_of_(const void *address)
{
    static const void *seen[256];
    static size_t count;
    size_t at = 0;

    while (at < count && seen[at] != address) {
        at++;
    }
    if (at == count) {
        seen[count++] = address;
    }
    return 64 * (at + 1);
}

void Frama_C_show_each_passed(unsigned long operations);
void Frama_C_show_each_failed(const char *format);

/* What fails is shown, and ends there: Eva would follow both ways out of setjmp. bt_fail has a parameter of this name. */
static const char *const format = "one of several equal rows is removed, and it is open which";
#undef setjmp
#define setjmp(buffer) 0
#define longjmp(buffer, value) (Frama_C_show_each_failed(format), abort())
#define snprintf printed
#define main unused_main
#include TEST
#undef main

static bt_op ops[BT_LENGTH];

static void play(unsigned run, size_t number)
{
    bt_set.refuse = run;
    if (!bt_survives(ops, number < OPERATIONS ? number : (size_t)OPERATIONS)) {
        abort();
    }
}

/* That of the run in the generated test. */
static uint64_t seed_of(unsigned run)
{
    return 1 + run * 0x2545f4914f6cdd1du;
}

int main(void)
{
    for (size_t i = 0; bt_subject_at(i) != NULL; i++) {
        bt_it = bt_subject_at(i);
        if (bt_it->ready() != NULL) {
            return 1;
        }
        bt_top_label = bt_labels - 1;
        for (unsigned run = FIRST; run < FIRST + RUNS; run++) {
            play(run, bt_draw_run(ops, seed_of(run), true));
        }
    }
#if LAYERED
    for (size_t i = 0; bl_subject_at(i) != NULL; i++) {
        bl_enter_test(bl_subject_at(i));
        for (unsigned run = FIRST; run < FIRST + RUNS; run++) {
            play(run, bl_draw_run(ops, seed_of(run)));
        }
    }
#endif
    Frama_C_show_each_passed(bt_operations);
    return 0;
}
