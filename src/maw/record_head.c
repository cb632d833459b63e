/* A record's first line: the options, rules and seed that its session was made of. */
#include "maw/session_replay.h"

#include "wire/json_read.h"

#include <time.h>

#define TIME_MS_MAX   ((int64_t)400 * 86400 * 1000)
#define ROUNDS_MAX    1000000
#define BURST_MAX     1000000
#define YEAR_FIRST    1970
#define YEAR_LAST     9999
#define WORDS_OF(...) ((const char *const[]){__VA_ARGS__, NULL})

/* ---- options ---- */

static TimeMs read_time(JsonReader *reader, const json_t *options, const char *key)
{
    return json_get_int(reader, options, key, 0, TIME_MS_MAX, 0);
}

/* The word's place in a list that NULL ends. */
static int read_word(JsonReader *reader, const json_t *options, const char *key,
                     const char *const *words)
{
    Str word = json_get_str(reader, options, key);

    for (int i = 0; words[i]; i++)
        if (str_eq(word, str_of(words[i])))
            return i;
    json_refuse(reader, key, "one of its words");
    return 0;
}

static void read_options(JsonReader *reader, const json_t *options, MawOptions *ret)
{
    MawOptions usual = maw_options_default();
    const char *const *reveals = WORDS_OF("none", "team", "role");

    *ret = (MawOptions){
        .players = (uint32_t)json_get_int(reader, options, "players", PLAYERS_MIN, SEAT_MAX,
                                          usual.players),
        .rounds = (uint32_t)json_get_int(reader, options, "rounds", 1, ROUNDS_MAX, usual.rounds),
        .lobby_ms = read_time(reader, options, "lobby_ms"),
        .scores_ms = read_time(reader, options, "scores_ms"),
        .night_min_ms = read_time(reader, options, "night_min_ms"),
        .rejoin_ms = read_time(reader, options, "rejoin_ms"),
        .absent_after_ms = read_time(reader, options, "absent_after_ms"),
        .pause_after_ms = read_time(reader, options, "pause_after_ms"),
        .fill = (MawFill)read_word(reader, options, "fill", WORDS_OF("none", "bots")),
        .reveal_village = (MawReveal)read_word(reader, options, "reveal_village", reveals),
        .reveal_hideout = (MawReveal)read_word(reader, options, "reveal_hideout", reveals),
        .whispers =
            (MawWhispers)read_word(reader, options, "whispers", WORDS_OF("off", "day", "always")),
        .whispers_public = json_get_bool(reader, options, "whispers_public", false),
        .score_dead = json_get_bool(reader, options, "score_dead", false),
        .push = json_get_bool(reader, options, "push", false),
        .spectators = (uint32_t)json_get_int(reader, options, "spectators", 0, MAW_SPECTATORS_MAX,
                                             usual.spectators),
        .graveyard = json_get_bool(reader, options, "graveyard", false),
        .line_rate_ms = (uint32_t)json_get_int(reader, options, "line_rate_ms", 0, 86400000, 0),
        .line_burst = (uint32_t)json_get_int(reader, options, "line_burst", 0, BURST_MAX, 0),
    };
}

/* ---- texts ---- */

bool maw_record_date(Str text, int64_t *ret_unix_ms)
{
    static const struct {
        size_t at, digits;
        uint64_t max;
    } parts[] = {{0, 4, YEAR_LAST}, {5, 2, 12},  {8, 2, 31},  {11, 2, 23},
                 {14, 2, 59},       {17, 2, 59}, {20, 3, 999}};
    uint64_t numbers[7] = {0};

    *ret_unix_ms = -1;
    if (text.len == 0)
        return true;
    if (text.len != 24)
        return false;
    for (size_t i = 0; i < 7; i++)
        if (!str_to_uint(str_part(text, parts[i].at, parts[i].digits), parts[i].max, &numbers[i]))
            return false;
    if (numbers[0] < YEAR_FIRST || numbers[1] == 0 || numbers[2] == 0)
        return false;
    struct tm date = {.tm_year = (int)numbers[0] - 1900,
                      .tm_mon = (int)numbers[1] - 1,
                      .tm_mday = (int)numbers[2],
                      .tm_hour = (int)numbers[3],
                      .tm_min = (int)numbers[4],
                      .tm_sec = (int)numbers[5]};
    *ret_unix_ms = (int64_t)timegm(&date) * 1000 + (int64_t)numbers[6];
    return true;
}

static void keep_member(JsonReader *reader, const json_t *first, const char *key, size_t max,
                        char *out)
{
    Str text = json_get_str(reader, first, key);

    if (text.len == 0 || text.len > max || memchr(text.bytes, '\0', text.len)) {
        json_refuse(reader, key, "a name");
        return;
    }
    snprintf(out, max + 1, "%.*s", STR_ARG(text));
}

/* The game master's address is "gm", the suffix, "@" and the domain. */
static void read_master(JsonReader *reader, const json_t *first, MawRecordHead *head)
{
    char master[MAW_RECORD_NAME_MAX + 1] = "";

    keep_member(reader, first, "master", MAW_RECORD_NAME_MAX, master);
    const char *at = strchr(master, '@');
    if (strncmp(master, "gm", 2) != 0 || !at || !at[1]) {
        json_refuse(reader, "master", "gm@DOMAIN");
        return;
    }
    snprintf(head->suffix, sizeof(head->suffix), "%.*s", (int)(at - master - 2), master + 2);
    snprintf(head->domain, sizeof(head->domain), "%s", at + 1);
}

static int read_head(const json_t *first, MawRecordHead *head, Err *err)
{
    JsonReader reader = {.err = err};

    if (!json_is_map(first) || !str_eq(json_get_str(&reader, first, "event"), STR("session")))
        return err_set(err, ERR_SYNTAX, "expected the event 'session', which begins a record");
    keep_member(&reader, first, "program", MAW_RECORD_WORD_MAX, head->program);
    keep_member(&reader, first, "id", MAW_RECORD_WORD_MAX, head->id);
    read_master(&reader, first, head);
    if (!maw_record_date(json_get_str(&reader, first, "began"), &head->unix_ms))
        json_refuse(&reader, "began", "a time as 2026-05-01T18:00:00.000Z");
    MawSeedOf of = MAW_SEED_OF_SESSION;
    if (json_get(first, "seed_of"))
        of = read_word(&reader, first, "seed_of", WORDS_OF("table", "key")) ? MAW_SEED_OF_KEY
                                                                            : MAW_SEED_OF_TABLE;
    if (!maw_chance_read(json_get_str(&reader, first, "seed"), of, &head->chance))
        json_refuse(&reader, "seed", "a text with a whole number, or with a key");
    const json_t *options = json_get_object(&reader, first, "options");
    if (!options)
        json_refuse(&reader, "options", "an object");
    read_options(&reader, options, &head->options);
    if (options && json_get(options, "language"))
        head->options.language =
            (LlmLanguage)read_word(&reader, options, "language", WORDS_OF("en", "ja"));
    if (options && json_get(options, "minds"))
        head->options.minds =
            (MawMinds)read_word(&reader, options, "minds", WORDS_OF("end", "operator"));
    if (options && json_get(options, "opinions"))
        head->options.opinions =
            (LlmOpinions)read_word(&reader, options, "opinions", WORDS_OF("off", "day", "line"));
    if (options && json_get(options, "wait_told_ms"))
        head->options.wait_told_ms = read_time(&reader, options, "wait_told_ms");
    Str rules = json_get_str(&reader, first, "rules");
    if (reader.rc)
        return reader.rc;
    int rc = ruleset_read(rules, &head->rules, err);
    if (rc && err)
        err_wrap(err, "its rules, line %u: ", err->line);
    return rc;
}

int maw_record_head(Str line, MawRecordHead *ret_head, Err *err)
{
    MawRecordHead head = {0};
    json_t *first = NULL;
    int rc = json_read(line, MAW_RECORD_LINE_MAX, &first, err);

    if (rc)
        return rc;
    rc = read_head(first, &head, err);
    json_done(first);
    if (rc == 0)
        *ret_head = head;
    return rc;
}
