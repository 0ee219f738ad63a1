/* dump_text.h - a dump of all goroutines as text, for tests that look for something in it. */
#ifndef ANT_TESTS_DUMP_TEXT_H
#define ANT_TESTS_DUMP_TEXT_H

#include <errno.h>

#include <anthill.h>

#include "check.h"

static char text[1 << 18]; /* the last dump */

static inline void take_dump(void)
{
    FILE *f = tmpfile();
    size_t n;
    int err;

    CHECK(f);
    while ((err = ant_dump(fileno(f))) == -EAGAIN) /* the machine is busy */
        CHECK_INT(ftruncate(fileno(f), 0), 0);
    CHECK_INT(err, 0);
    rewind(f);
    n = fread(text, 1, sizeof text - 1, f);
    text[n] = '\0';
    fclose(f);
}

#endif
