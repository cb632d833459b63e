#include "llm/manner.h"

#include "base/duration_text.h"

#define ASK_MS_MAX 600000

static const char *const filters_names[] = {
    [FILTERS_ON] = "on", [FILTERS_OFF] = "off", [FILTERS_TELL] = "tell"};

static const char *const opinions_names[] = {
    [OPINIONS_OFF] = "off", [OPINIONS_DAY] = "day", [OPINIONS_LINE] = "line"};

const char *llm_filters_name(LlmFilters filters)
{
    return filters_names[filters];
}

const char *llm_opinions_name(LlmOpinions opinions)
{
    return opinions_names[opinions];
}

static int read_opinions(Str value, LlmOpinions *ret, Err *err)
{
    for (LlmOpinions opinions = OPINIONS_OFF; opinions <= OPINIONS_LINE; opinions++)
        if (str_eq(value, str_of(opinions_names[opinions]))) {
            *ret = opinions;
            return 0;
        }
    return err_set(err, ERR_USAGE, "llm: 'opinions' is off, day or line, not '%.*s'",
                   STR_ARG(str_part(value, 0, 40)));
}

static int read_filters(Str value, LlmFilters *ret, Err *err)
{
    for (LlmFilters filters = FILTERS_ON; filters <= FILTERS_TELL; filters++)
        if (str_eq(value, str_of(filters_names[filters]))) {
            *ret = filters;
            return 0;
        }
    return err_set(err, ERR_USAGE, "llm: 'filters' is on, off or tell, not '%.*s'",
                   STR_ARG(str_part(value, 0, 40)));
}

static bool read_time(Str text, uint32_t *ret_ms)
{
    uint64_t ms;

    if (!duration_text_read(text, &ms) || ms == 0 || ms > ASK_MS_MAX)
        return false;
    *ret_ms = (uint32_t)ms;
    return true;
}

static int read_pace(Str value, LlmManner *manner, Err *err)
{
    Str most = value, least = str_cut(&most, '-');
    uint32_t from, to;

    if (least.len == value.len)
        most = least;
    if (!read_time(least, &from) || !read_time(most, &to) || from > to)
        return err_set(err, ERR_USAGE,
                       "llm: 'ask' is the time between two questions, as 8s or 4s-12s, at most "
                       "10m, not '%.*s'",
                       STR_ARG(str_part(value, 0, 40)));
    manner->ask_min_ms = from;
    manner->ask_max_ms = to;
    return 0;
}

bool llm_manner_read(Str key, Str value, LlmManner *manner, int *ret_rc, Err *err)
{
    if (str_eq(key, STR("filters")))
        *ret_rc = read_filters(value, &manner->filters, err);
    else if (str_eq(key, STR("ask")))
        *ret_rc = read_pace(value, manner, err);
    else if (str_eq(key, STR("opinions")))
        *ret_rc = read_opinions(value, &manner->opinions, err);
    else
        return false;
    return true;
}
