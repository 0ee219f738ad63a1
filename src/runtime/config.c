/* config.c - settings: the caller's struct, overridden by the environment variable ANTHILL,
 * completed by defaults. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "runtime/preempt.h"

enum { MAX_THREADS = 10000, MIN_HOGS = 32, HOGS_PER_PROC = 4, DEFAULT_STOP_SECONDS = 3 };

enum kind { NUMBER, SIZE, SECONDS, SWITCH, SIGNAL };

static const struct setting {
    const char *name;
    enum kind kind;
    uint64_t min, max;
    size_t offset;
    size_t size; /* of the field */
    const char *help;
} settings[] = {
#define FIELD(member) offsetof(ant_config, member), sizeof(((ant_config *)0)->member)
    {"procs", NUMBER, 1, ANT__MAX_PROCS, FIELD(procs), "a number from 1 to 1024"},
    {"stack", SIZE, 2048, (uint64_t)1 << 30, FIELD(stack_size), "a size from 2k to 1g, like 64k"},
    {"threads", NUMBER, 1, 1000000, FIELD(max_threads), "a number from 1 to 1000000"},
    {"hogs", NUMBER, 1, 1000000, FIELD(max_hogs), "a number from 1 to 1000000"},
    {"presignal", SIGNAL, 0, 64, FIELD(preempt_signal),
     "the number of a signal that others can do without, or 0 for none"},
    {"schedtrace", NUMBER, 1, 3600000, FIELD(schedtrace), "milliseconds from 1 to 3600000"},
    {"seed", NUMBER, 1, UINT64_MAX, FIELD(seed), "a number from 1 up"},
    {"stop", SECONDS, 1, INT64_MAX, FIELD(stop_timeout), "a time like 500ms or 3s"},
    {"faults", SWITCH, 0, 1, FIELD(fault_panics), "0 or 1"},
    {"sigquit", SWITCH, 0, 1, FIELD(dump_on_quit), "0 or 1"},
    {"deadlock", SWITCH, 0, 1, FIELD(no_deadlock_report), "0 or 1"},
#undef FIELD
};

enum { SETTINGS = sizeof settings / sizeof settings[0] };

/* What a number may be followed by. */
static const struct suffix {
    enum kind kind;
    const char *text;
    uint64_t factor;
} suffixes[] = {
    {SIZE, "", 1},
    {SIZE, "k", 1 << 10},
    {SIZE, "m", 1 << 20},
    {SIZE, "g", 1 << 30},
    {NUMBER, "", 1},
    {SWITCH, "", 1},
    {SIGNAL, "", 1},
    {SECONDS, "ns", 1},
    {SECONDS, "us", ANT_MICROSECOND},
    {SECONDS, "ms", ANT_MILLISECOND},
    {SECONDS, "s", ANT_SECOND},
};

static bool parse_value(const struct setting *s, const char *text, uint64_t *ret_value)
{
    char *end;
    unsigned long long n;

    if (*text < '0' || *text > '9')
        return false;
    ant__errno_set(0);
    n = strtoull(text, &end, 10);
    if (ant__errno())
        return false;
    for (size_t i = 0; i < sizeof suffixes / sizeof suffixes[0]; i++) {
        if (suffixes[i].kind != s->kind || strcmp(suffixes[i].text, end) != 0)
            continue;
        if (__builtin_mul_overflow(n, suffixes[i].factor, ret_value))
            return false;
        return *ret_value >= s->min && *ret_value <= s->max &&
               (s->kind != SIGNAL || n == 0 || ant__preempt_usable((int)n));
    }
    return false;
}

static void store(ant_config *config, const struct setting *s, uint64_t value)
{
    char *field = (char *)config + s->offset;

    if (strcmp(s->name, "deadlock") == 0)
        value = !value;
    if (s->kind == SIGNAL && value == 0)
        value = (uint64_t)-1; /* in the struct 0 is the default */
    if (s->size == sizeof(bool))
        *(bool *)field = value != 0;
    else if (s->size == sizeof(int))
        *(int *)field = (int)value;
    else
        *(uint64_t *)field = value;
}

static const struct setting *find(const char *name)
{
    for (int i = 0; i < SETTINGS; i++) {
        if (strcmp(settings[i].name, name) == 0)
            return &settings[i];
    }
    return NULL;
}

/* One "name=value"; the text is cut in place. */
static int parse_setting(ant_config *config, char *text)
{
    char *equals = strchr(text, '=');
    const struct setting *s;
    uint64_t value;

    if (equals)
        *equals = '\0';
    s = find(text);
    if (!s) {
        ant__log(
            "the variable ANTHILL names a setting \"%s\" that does not exist; there are procs, "
            "stack, threads, hogs, presignal, schedtrace, seed, stop, faults, sigquit, deadlock",
            text);
        return ANT_ECONFIG;
    }
    if (!equals || !parse_value(s, equals + 1, &value)) {
        ant__log("the variable ANTHILL sets %s to \"%s\", but it must be %s", s->name,
                 equals ? equals + 1 : "", s->help);
        return ANT_ECONFIG;
    }
    store(config, s, value);
    return 0;
}

static int from_environment(ant_config *config)
{
    const char *variable = secure_getenv("ANTHILL");
    char text[512];
    char *at = NULL;
    int err = 0;

    if (!variable)
        return 0;
    if (strlen(variable) >= sizeof text) {
        ant__log("the variable ANTHILL is longer than %zu characters", sizeof text - 1);
        return ANT_ECONFIG;
    }
    strcpy(text, variable);
    for (char *word = strtok_r(text, ",", &at); word && !err; word = strtok_r(NULL, ",", &at))
        err = parse_setting(config, word);
    return err;
}

static uint64_t random_seed(void)
{
    uint64_t seed = 0;

    if (getrandom(&seed, sizeof seed, GRND_NONBLOCK) != sizeof seed)
        seed = (uint64_t)ant__now();
    return seed ? seed : 1;
}

int ant__config_resolve(ant_config *config, const ant_config *given)
{
    int saved = ant__errno();
    int err;

    *config = given ? *given : (ant_config){0};
    if (config->procs < 0 || config->procs > ANT__MAX_PROCS || config->max_threads < 0 ||
        config->max_hogs < 0 || config->schedtrace < 0 || config->stop_timeout < 0 ||
        (config->stack_size && ant__stack_class(config->stack_size) < 0) ||
        (config->preempt_signal != 0 && config->preempt_signal != -1 &&
         !ant__preempt_usable(config->preempt_signal)))
        return -EINVAL;
    err = from_environment(config);
    if (!config->procs)
        config->procs = ant__procs_default();
    if (!config->stack_size)
        config->stack_size = (size_t)1 << ANT__STACK_DEFAULT_CLASS;
    if (!config->max_threads)
        config->max_threads = MAX_THREADS;
    if (!config->max_hogs)
        config->max_hogs =
            config->procs * HOGS_PER_PROC > MIN_HOGS ? config->procs * HOGS_PER_PROC : MIN_HOGS;
    if (!config->preempt_signal)
        config->preempt_signal = SIGURG;
    if (!config->stop_timeout)
        config->stop_timeout = DEFAULT_STOP_SECONDS * ANT_SECOND;
    if (!config->seed)
        config->seed = random_seed();
    ant__errno_set(saved);
    return err;
}
