/* log_long - a message that is longer than a line of the log is cut, and its line still ends.
 *
 * Catches: a message that writes beyond its buffer, or runs into the next one. */
#include "base/log.h"
#include "check.h"

enum { LONG = 5000, LINE = 1023 };

static void child(void)
{
    static char text[LONG + 1];

    memset(text, 'x', LONG);
    ant__log("%s", text);
    ant__log("next");
}

TEST(log_long)
{
    char output[2 * LONG];

    CHECK_INT(test_child(child, output, sizeof output), 0);
    CHECK_INT(strspn(output, "anthill: x"), LINE - 1);
    CHECK_STR(output + LINE - 1, "\nanthill: next\n");
    return 0;
}
