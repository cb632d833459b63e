#include "web/room_options.h"

#include "bot/bot.h"

#define USUAL_PEOPLE   5
#define MS_OF_A_SECOND 1000

static const struct {
    const char *name;
    const char *rules;
    int32_t players;
} divisions[] = {[DOC_PROTOCOL] = {"protocol", "aiwolf-2021", 5},
                 [DOC_NLP] = {"nlp", "nlp-turn", 5},
                 [DOC_MAW] = {"maw", "maw", 6}};

const char *room_division_name(DocDivision division)
{
    return divisions[division].name;
}

void room_options_default(RoomOptions *ret_options)
{
    *ret_options = (RoomOptions){.division = DOC_NLP,
                                 .rounds = 1,
                                 .start = ROOM_START_FULL,
                                 .answer_ms = 60 * MS_OF_A_SECOND,
                                 .pause_min_ms = 3 * MS_OF_A_SECOND,
                                 .pause_max_ms = 12 * MS_OF_A_SECOND,
                                 .names_hidden = true,
                                 .listed = true,
                                 .publish = true};
}

/* ---- single values ---- */

static int set_division(RoomOptions *options, Str value, Err *err)
{
    for (size_t i = 0; i < sizeof(divisions) / sizeof(divisions[0]); i++)
        if (str_eq(value, str_of(divisions[i].name))) {
            options->division = (DocDivision)i;
            return 0;
        }
    return err_set(err, ERR_RULE, "division is 'nlp', 'protocol' or 'maw', not '%.*s'",
                   STR_ARG(str_part(value, 0, 40)));
}

static int set_text(char room[static ROOM_TEXT_BYTES], const char *key, Str value, Err *err)
{
    if (value.len >= ROOM_TEXT_BYTES || (value.len && memchr(value.bytes, 0, value.len)))
        return err_set(err, ERR_RULE, "%s has at most %d bytes", key, ROOM_TEXT_BYTES - 1);
    snprintf(room, ROOM_TEXT_BYTES, "%.*s", STR_ARG(value));
    return 0;
}

static int set_language(RoomOptions *options, Str value, Err *err)
{
    if (!str_eq(value, STR("en")) && !str_eq(value, STR("ja")))
        return err_set(err, ERR_RULE, "language is 'en' or 'ja'");
    options->japanese = str_eq(value, STR("ja"));
    return 0;
}

/* "full", "hand", "60s". */
static int set_start(RoomOptions *options, Str value, Err *err)
{
    uint64_t seconds = 0;

    if (str_starts(value, STR("after ")))
        value = str_part(value, 6, SIZE_MAX);
    if (str_eq(value, STR("full"))) {
        options->start = ROOM_START_FULL;
    } else if (str_eq(value, STR("hand")) || str_eq(value, STR("by hand"))) {
        options->start = ROOM_START_HAND;
    } else if (value.len > 1 && value.bytes[value.len - 1] == 's' &&
               str_to_uint(str_part(value, 0, value.len - 1), 86400, &seconds)) {
        options->start = ROOM_START_AFTER;
        options->start_after_ms = (int64_t)seconds * MS_OF_A_SECOND;
    } else {
        return err_set(err, ERR_RULE, "start is 'full', 'hand' or a time such as '60s'");
    }
    return 0;
}

/* Those whose values are texts; `*ret_known` says whether it is one. */
static int set_word(RoomOptions *options, Str key, Str value, bool *ret_known, Err *err)
{
    *ret_known = true;
    if (str_eq(key, STR("division")))
        return set_division(options, value, err);
    if (str_eq(key, STR("rules"))) {
        options->rules_given = value.len > 0;
        return set_text(options->rules, "rules", value, err);
    }
    if (str_eq(key, STR("title")))
        return set_text(options->title, "title", value, err);
    if (str_eq(key, STR("fill")))
        return set_text(options->fill, "fill", value, err);
    if (str_eq(key, STR("language")))
        return set_language(options, value, err);
    if (str_eq(key, STR("start")))
        return set_start(options, value, err);
    *ret_known = false;
    return 0;
}

/* ---- numbers ---- */

typedef struct Number {
    const char *key;
    int64_t min, max;
    int64_t factor;
    size_t offset;
    bool wide; /* int64_t */
} Number;

#define NUMBER(key, min, max, factor, field)                                                       \
    {                                                                                              \
        key, min, max, factor, offsetof(RoomOptions, field),                                       \
            sizeof(((RoomOptions *)0)->field) == sizeof(int64_t)                                   \
    }

/* To add one: a row here. */
static const Number numbers[] = {
    NUMBER("players", 3, ROOM_PLAYERS_MAX, 1, players),
    NUMBER("people", 1, ROOM_PLAYERS_MAX, 1, people),
    NUMBER("rounds", 1, 20, 1, rounds),
    NUMBER("answer_s", 1, 3600, MS_OF_A_SECOND, answer_ms),
    NUMBER("talk_s", 1, 3600, MS_OF_A_SECOND, talk_ms),
    NUMBER("delay_s", 0, 86400, MS_OF_A_SECOND, delay_ms),
    NUMBER("pause_min_ms", 0, 60000, 1, pause_min_ms),
    NUMBER("pause_max_ms", 0, 60000, 1, pause_max_ms),
};

static const Number *find_number(Str key)
{
    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
        if (str_eq(key, str_of(numbers[i].key)))
            return &numbers[i];
    return NULL;
}

static int set_number(RoomOptions *options, const Number *number, int64_t value, Err *err)
{
    char *at = (char *)options + number->offset;

    if (value < number->min || value > number->max)
        return err_set(err, ERR_RULE, "%s is %lld to %lld", number->key, (long long)number->min,
                       (long long)number->max);
    value *= number->factor;
    if (number->wide)
        memcpy(at, &value, sizeof(value));
    else
        memcpy(at, &(int32_t){(int32_t)value}, sizeof(int32_t));
    return 0;
}

/* ---- switches ---- */

static bool *find_switch(RoomOptions *options, Str key)
{
    const struct {
        const char *key;
        bool *at;
    } switches[] = {{"names_hidden", &options->names_hidden},
                    {"listed", &options->listed},
                    {"kept", &options->kept},
                    {"publish", &options->publish}};

    for (size_t i = 0; i < sizeof(switches) / sizeof(switches[0]); i++)
        if (str_eq(key, str_of(switches[i].key)))
            return switches[i].at;
    return NULL;
}

/* ---- from JSON ---- */

static int refuse_key(Str key, Err *err)
{
    return err_set(err, ERR_RULE, "no option of a room is called '%.*s'",
                   STR_ARG(str_part(key, 0, 40)));
}

static int read_member(RoomOptions *options, Str key, const json_t *value, Err *err)
{
    const Number *number = find_number(key);
    bool *at = find_switch(options, key);
    int64_t count;
    bool known, on;
    Str text;

    if (number && json_as_int(value, &count))
        return set_number(options, number, count, err);
    if (at && json_as_bool(value, &on)) {
        *at = on;
        return 0;
    }
    if (!number && !at && json_as_str(value, &text)) {
        int rc = set_word(options, key, text, &known, err);
        return rc == 0 && !known ? refuse_key(key, err) : rc;
    }
    return number || at ? err_set(err, ERR_RULE, "%.*s is %s", STR_ARG(key),
                                  number ? "a whole number" : "true or false")
                        : refuse_key(key, err);
}

int room_options_read(const json_t *object, RoomOptions *options, Err *err)
{
    RoomOptions read = *options;
    int rc = 0;

    if (!json_is_map(object))
        return err_set(err, ERR_SYNTAX, "the options of a room are a JSON object");
    for (void *member = json_member(object, NULL); member && rc == 0;
         member = json_member(object, member))
        rc = read_member(&read, str_of(json_member_key(member)), json_member_value(member), err);
    if (rc)
        return rc;
    *options = read;
    return 0;
}

/* ---- from words ---- */

static int read_word(RoomOptions *options, Str word, Err *err)
{
    Str value = word, key = str_cut(&value, '=');
    const Number *number = find_number(key);
    bool *at = find_switch(options, key);
    uint64_t count;
    bool known;

    if (number && str_to_uint(value, INT32_MAX, &count))
        return set_number(options, number, (int64_t)count, err);
    if (at && (value.len == 0 || str_eq(value, STR("yes")) || str_eq(value, STR("no")))) {
        *at = !str_eq(value, STR("no"));
        return 0;
    }
    if (number || at)
        return err_set(err, ERR_RULE, "%.*s=%.*s: %s is expected", STR_ARG(key), STR_ARG(value),
                       number ? "a whole number" : "yes or no");
    int rc = set_word(options, key, value, &known, err);
    return rc == 0 && !known ? refuse_key(key, err) : rc;
}

int room_options_read_words(Str words, RoomOptions *options, Err *err)
{
    RoomOptions read = *options;
    char text[4096];

    if (words.len >= sizeof(text))
        return err_set(err, ERR_USAGE, "--room: too long");
    for (size_t i = 0; i < words.len; i++)
        text[i] = words.bytes[i] == ',' ? ' ' : words.bytes[i];
    Err why = {0};
    for (Str rest = {text, words.len}; rest.len;) {
        Str word = str_cut(&rest, ' ');
        if (word.len && read_word(&read, word, &why))
            return err_set(err, ERR_USAGE, "--room: %s", why.msg);
    }
    for (char *at = read.title; *at; at++)
        *at = *at == '_' ? ' ' : *at;
    *options = read;
    return 0;
}

/* ---- what fits ---- */

int room_options_rules(const RoomOptions *options, Ruleset *ret_rules, Err *err)
{
    int rc = ruleset_preset(str_of(options->rules), ret_rules, err);

    if (rc)
        return rc;
    bool nlp = str_starts(str_of(options->rules), STR("nlp-"));
    bool maw = str_eq(str_of(options->rules), STR("maw"));
    if (nlp != (options->division == DOC_NLP) || maw != (options->division == DOC_MAW))
        return err_set(err, ERR_RULE, "%s is not a ruleset of the division %s", options->rules,
                       divisions[options->division].name);
    return 0;
}

static int check_fill(const RoomOptions *options, Err *err)
{
    Str fill = str_of(options->fill);

    if (!str_starts(fill, STR("bot:")))
        return 0; /* who makes the room knows what else there is */
    if (options->division == DOC_MAW)
        return str_eq(fill, STR("bot:talker")) || str_eq(fill, STR("bot:random"))
                   ? 0
                   : err_set(err, ERR_RULE, "in MAW there are bot:talker and bot:random");
    return bot_kind(str_part(fill, 4, SIZE_MAX))
               ? 0
               : err_set(err, ERR_RULE, "there is no %.*s", STR_ARG(fill));
}

int room_options_check(RoomOptions *options, Err *err)
{
    RoomOptions checked = *options;
    uint8_t counts[ROLE_COUNT];
    Ruleset rules;

    if (!checked.rules[0])
        snprintf(checked.rules, ROOM_TEXT_BYTES, "%s", divisions[checked.division].rules);
    if (!checked.players)
        checked.players = divisions[checked.division].players;
    if (!checked.people)
        checked.people = checked.players - 1 < USUAL_PEOPLE ? checked.players - 1 : USUAL_PEOPLE;
    if (!checked.fill[0])
        snprintf(checked.fill, ROOM_TEXT_BYTES, "%s",
                 checked.division == DOC_PROTOCOL ? "bot:sample" : "bot:talker");
    int rc = room_options_rules(&checked, &rules, err);
    if (rc == 0 && checked.division != DOC_MAW)
        rc = ruleset_roles(&rules, checked.players, counts, err);
    if (rc == 0)
        rc = check_fill(&checked, err);
    if (rc)
        return rc;
    if (checked.people > checked.players)
        return err_set(err, ERR_RULE, "%d people do not fit on %d seats: at most %d",
                       checked.people, checked.players, checked.players);
    if (checked.pause_max_ms < checked.pause_min_ms)
        return err_set(err, ERR_RULE, "pause_max_ms is less than pause_min_ms");
    *options = checked;
    return 0;
}
