#include "web/contest_ask.h"

#include "base/words.h"
#include "record/stage_number.h"

static const char *const page_words[CONTEST_PAGES] = {
    [CONTEST_OVERVIEW] = "",     [CONTEST_STANDINGS] = "standings", [CONTEST_ROLES] = "roles",
    [CONTEST_VERSUS] = "versus", [CONTEST_SCHEDULE] = "schedule",   [CONTEST_FAULTS] = "faults",
    [CONTEST_GAMES] = "games",   [CONTEST_TEAM] = "team",
};

const char *contest_page_word(ContestPage page)
{
    return page < CONTEST_PAGES ? page_words[page] : "";
}

ContestPage contest_page_of(Str word)
{
    return (ContestPage)words_find(page_words, CONTEST_PAGES, word);
}

/* ---- reading ---- */

/* "ja;q=0.8": how much it is wanted, in thousandths. */
static unsigned quality_of(Str rest)
{
    Str q = str_trim(rest);
    unsigned value = 0, unit = 1000;
    bool behind_point = false;

    if (!str_starts(q, STR("q=")) && !str_starts(q, STR("Q=")))
        return 1000;
    for (size_t i = 2; i < q.len && unit > 0; i++) {
        if (q.bytes[i] == '.') {
            behind_point = true;
            continue;
        }
        if (q.bytes[i] < '0' || q.bytes[i] > '9')
            break;
        unit = behind_point ? unit / 10 : unit;
        value += unit * (unsigned)(q.bytes[i] - '0');
    }
    return value > 1000 ? 1000 : value;
}

/* "ja", "ja-JP"; in any case. */
static bool is_language(Str tag, const char *code)
{
    return tag.len >= 2 && str_lower_char(tag.bytes[0]) == code[0] &&
           str_lower_char(tag.bytes[1]) == code[1] && (tag.len == 2 || tag.bytes[2] == '-');
}

ReportLanguage contest_language_of(Str accepted)
{
    unsigned english = 0, japanese = 0;

    while (accepted.len) {
        Str rest = str_cut(&accepted, ',');
        Str tag = str_trim(str_cut(&rest, ';'));
        unsigned quality = quality_of(rest);
        if (is_language(tag, "ja") && quality > japanese)
            japanese = quality;
        if (is_language(tag, "en") && quality > english)
            english = quality;
        /* Of two that are wanted as much the first one counts. */
        if (japanese && japanese == english)
            is_language(tag, "ja") ? (japanese -= 1) : (english -= 1);
    }
    return japanese > english ? REPORT_JAPANESE : REPORT_ENGLISH;
}

static bool read_uint(const WebRequest *request, const char *name, uint64_t max, uint64_t *ret,
                      Buf *room)
{
    return str_to_uint(web_query(request, name, room), max, ret);
}

/* A text that fits whole; else it is as if there were none. */
static void read_text(const WebRequest *request, const char *name, char *ret, size_t max, Buf *room)
{
    Str text = web_query(request, name, room);

    if (text.len > max || (text.len && memchr(text.bytes, '\0', text.len)))
        text.len = 0;
    if (text.len)
        memcpy(ret, text.bytes, text.len);
    ret[text.len] = '\0';
}

/* "3", "3-", "-5", "3-5". */
static void read_days(Str text, ContestAsk *ask)
{
    uint64_t from = 0, to = 0;
    bool range = text.len && memchr(text.bytes, '-', text.len);
    Str first = range ? str_cut(&text, '-') : text;

    if ((first.len && !str_to_uint(first, UINT16_MAX, &from)) ||
        (range && text.len && !str_to_uint(text, UINT16_MAX, &to)))
        return;
    ask->days_from = (uint16_t)from;
    ask->days_to = (uint16_t)(range ? to : from);
}

static void read_faults(Str text, ContestAsk *ask)
{
    ask->faults = str_eq(text, STR("any"))      ? FAULTS_ANY
                  : str_eq(text, STR("failed")) ? FAULTS_FAILED
                                                : FAULTS_ALL_GAMES;
    if (ask->faults == FAULTS_ALL_GAMES && fault_kind_of(text) != FAULT_COUNT) {
        ask->faults = FAULTS_OF_A_KIND;
        ask->kind = fault_kind_of(text);
    }
}

static void read_language(const WebRequest *request, ContestAsk *ask, Buf *room)
{
    Str chosen = web_query(request, "lang", room);

    ask->language_chosen = str_eq(chosen, STR("en")) || str_eq(chosen, STR("ja"));
    if (ask->language_chosen)
        ask->language = chosen.bytes[0] == 'j' ? REPORT_JAPANESE : REPORT_ENGLISH;
    else
        ask->language = contest_language_of(web_header(request, "Accept-Language"));
}

static void read_filters(const WebRequest *request, ContestAsk *ask, Buf *room)
{
    uint64_t number;
    Str text;

    read_text(request, "team", ask->team, AGENT_NAME_MAX, room);
    read_text(request, "against", ask->against, AGENT_NAME_MAX, room);
    ask->role = role_of(web_query(request, "role", room));
    text = web_query(request, "winner", room);
    ask->has_winner = str_eq(text, STR("NONE")) || side_of(text) != SIDE_NONE;
    ask->winner = side_of(text);
    read_days(web_query(request, "days", room), ask);
    read_faults(web_query(request, "faults", room), ask);
    text = web_query(request, "kind", room);
    if (fault_kind_of(text) != FAULT_COUNT)
        ask->kind = fault_kind_of(text);
    if (read_uint(request, "set", INT64_MAX, &number, room))
        ask->set = (int64_t)number;
}

void contest_ask_read(const WebRequest *request, ContestAsk *ret_ask)
{
    CLEANUP(buf_done) Buf room = {0};
    uint64_t number;

    *ret_ask = (ContestAsk){.stage = -1, .set = -1, .kind = FAULT_COUNT};
    read_language(request, ret_ask, &room);
    Str stage = web_query(request, "stage", &room);
    if (str_to_uint(stage, STAGE_NUMBERS_MAX - 1, &number))
        ret_ask->stage = (int64_t)number;
    else
        ret_ask->stage_is_wrong = stage.len > 0;
    if (read_uint(request, "from", UINT32_MAX, &number, &room))
        ret_ask->from = (uint32_t)number;
    if (read_uint(request, "refresh", UINT32_MAX, &number, &room) && number > 0)
        ret_ask->refresh = (uint32_t)(number < CONTEST_REFRESH_MIN   ? CONTEST_REFRESH_MIN
                                      : number > CONTEST_REFRESH_MAX ? CONTEST_REFRESH_MAX
                                                                     : number);
    read_text(request, "sort", ret_ask->sort, CONTEST_SORT_MAX, &room);
    read_text(request, "file", ret_ask->file, CONTEST_FILE_MAX, &room);
    ret_ask->results = str_eq(web_query(request, "results", &room), STR("1"));
    Str form = web_query(request, "format", &room);
    ret_ask->form = str_eq(form, STR("csv"))    ? CONTEST_CSV
                    : str_eq(form, STR("json")) ? CONTEST_JSON
                                                : CONTEST_HTML;
    read_filters(request, ret_ask, &room);
}

/* ---- writing ---- */

void contest_link_text(Str text, Buf *out)
{
    static const char plain[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";

    for (size_t i = 0; i < text.len; i++) {
        if (memchr(plain, text.bytes[i], sizeof(plain) - 1))
            buf_add_char(out, text.bytes[i]);
        else
            buf_printf(out, "%%%02X", (unsigned char)text.bytes[i]);
    }
}

/* A link whose parameters are being written. */
typedef struct LinkWriter {
    Buf *out;
    const char *separator;
    bool begun;
} LinkWriter;

static void put_name(LinkWriter *link, const char *name)
{
    buf_printf(link->out, "%s%s=", link->begun ? link->separator : "?", name);
    link->begun = true;
}

static void put_word(LinkWriter *link, const char *name, const char *value)
{
    if (!value[0])
        return;
    put_name(link, name);
    contest_link_text(str_of(value), link->out);
}

static void put_number(LinkWriter *link, const char *name, int64_t value)
{
    put_name(link, name);
    buf_add_int(link->out, value);
}

static const char *faults_word(const ContestAsk *ask)
{
    switch (ask->faults) {
    case FAULTS_ANY:
        return "any";
    case FAULTS_FAILED:
        return "failed";
    case FAULTS_OF_A_KIND:
        return fault_kind_name(ask->kind);
    case FAULTS_ALL_GAMES:
        break;
    }
    return "";
}

static void put_days(LinkWriter *link, const ContestAsk *ask)
{
    if (ask->days_from == 0 && ask->days_to == 0)
        return;
    put_name(link, "days");
    buf_add_uint(link->out, ask->days_from);
    if (ask->days_to != ask->days_from) {
        buf_add_char(link->out, '-');
        if (ask->days_to)
            buf_add_uint(link->out, ask->days_to);
    }
}

/* What only the list of games asks for. */
static void put_games(LinkWriter *link, const ContestAsk *ask)
{
    put_word(link, "team", ask->team);
    put_word(link, "against", ask->against);
    if (ask->role != ROLE_NONE)
        put_word(link, "role", role_name(ask->role));
    if (ask->has_winner)
        put_word(link, "winner", side_name(ask->winner));
    put_days(link, ask);
    put_word(link, "faults", faults_word(ask));
    if (ask->set >= 0)
        put_number(link, "set", ask->set);
}

static void put_page(LinkWriter *link, const ContestAsk *ask)
{
    if (ask->page == CONTEST_GAMES)
        put_games(link, ask);
    if (ask->page == CONTEST_FAULTS) {
        put_word(link, "team", ask->team);
        put_word(link, "kind", fault_kind_name(ask->kind));
    }
    if (ask->page == CONTEST_TEAM)
        put_word(link, "file", ask->file);
    put_word(link, "sort", ask->sort);
    if (ask->from)
        put_number(link, "from", ask->from);
}

/* Whether a name can be a part of a path: others are parameters. */
static bool is_segment(const char *name)
{
    return name[0] && !strchr(name, '/') && strcmp(name, ".") != 0 && strcmp(name, "..") != 0;
}

void contest_ask_link(const ContestAsk *ask, const char *separator, Buf *out)
{
    LinkWriter link = {out, separator, false};

    buf_add(out, ask->form == CONTEST_JSON ? STR("/web/api/contests/") : STR("/web/c/"));
    contest_link_text(str_of(ask->id), out);
    if (ask->page != CONTEST_OVERVIEW)
        buf_printf(out, "/%s", contest_page_word(ask->page));
    bool in_path = ask->page == CONTEST_TEAM && is_segment(ask->team);
    if (in_path) {
        buf_add_char(out, '/');
        contest_link_text(str_of(ask->team), out);
    } else if (ask->page == CONTEST_TEAM) {
        put_word(&link, "team", ask->team);
    }
    if (ask->stage >= 0)
        put_number(&link, "stage", ask->stage);
    put_page(&link, ask);
    if (ask->results)
        put_number(&link, "results", 1);
    if (ask->language_chosen)
        put_word(&link, "lang", ask->language == REPORT_JAPANESE ? "ja" : "en");
    if (ask->refresh)
        put_number(&link, "refresh", ask->refresh);
    if (ask->form == CONTEST_CSV)
        put_word(&link, "format", "csv");
}
