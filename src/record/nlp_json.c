#include "record/nlp_json.h"
#include "record/log_text.h"

#include "record/aiwolf_log.h"
#include "wire/json_read.h"

#define TOLD_MAX 512

/* What is known of the game while its requests are walked through. */
typedef struct Walk {
    Buf *out;
    Buf day_lines;   /* of today, up to the vote */
    Buf night_lines; /* of today, behind it */
    SeatNo seat_count;
    SeatNo named; /* seats whose INITIALIZE was seen */
    Str originals[SEAT_MAX + 1];
    Str names[SEAT_MAX + 1]; /* in the game */
    Role roles[SEAT_MAX + 1];
    SeatSet alive;
    bool begun; /* the first status lines are written */
    bool voted; /* today's vote has begun */
    bool attack_asked;
    bool ended;
    int64_t day;
    int64_t next_idx[2];        /* talk, whisper: of speak-anytime sessions */
    uint32_t told[2][TOLD_MAX]; /* hashes of today's utterances, by idx */
    uint32_t spoken[SEAT_MAX + 1];
    LogLineKind ballot; /* the kind of vote that is open */
    SeatNo choice[SEAT_MAX + 1];
    SeatNo guarded;
    SeatSet attack_voted; /* those voted for */
    Side winner;
} Walk;

bool nlp_json_is(Str text)
{
    return str_starts(str_trim(str_part(text, 0, 64)), STR("{"));
}

static Str text_of(const json_t *object, const char *key)
{
    const json_t *value = json_get(object, key);
    Str text = {0};

    if (value)
        json_as_str(value, &text);
    return text;
}

static int64_t number_of(const json_t *object, const char *key, int64_t otherwise)
{
    const json_t *value = json_get(object, key);
    int64_t number = otherwise;

    if (value)
        json_as_int(value, &number);
    return number;
}

static SeatNo seat_of(const Walk *walk, Str name)
{
    for (SeatNo seat = 1; seat <= walk->seat_count; seat++)
        if (name.len > 0 && str_eq(name, walk->names[seat]))
            return seat;
    return SEAT_NONE;
}

/* Seconds, whichever unit the log has: 8.3. */
static int64_t seconds(int64_t time)
{
    return time > INT64_C(100000000000) ? time / 1000 : time;
}

/* ---- lines ---- */

static Buf *day_text(Walk *walk)
{
    return walk->voted ? &walk->night_lines : &walk->day_lines;
}

static void add_pair(Walk *walk, Buf *out, LogLineKind kind, SeatNo seat, SeatNo target,
                     const char *more)
{
    buf_printf(out, "%lld,%s,%u,%u%s%s\n", (long long)walk->day, aiwolf_log_kind_name(kind), seat,
               target, *more ? "," : "", more);
}

static void add_utterance(Walk *walk, LogLineKind kind, int64_t idx, int64_t turn, SeatNo seat,
                          Str text, int64_t unix_s)
{
    Buf *out = day_text(walk);

    buf_printf(out, "%lld,%s,%lld,%lld,%u,", (long long)walk->day, aiwolf_log_kind_name(kind),
               (long long)idx, (long long)turn, seat);
    log_text_write(out, text);
    buf_printf(out, ",%lld\n", (long long)seconds(unix_s));
}

/* Answers come in any order; a ballot is written in seat order. */
static void close_ballot(Walk *walk)
{
    for (SeatNo seat = 1; seat <= walk->seat_count; seat++) {
        SeatNo target = walk->choice[seat];
        walk->choice[seat] = SEAT_NONE;
        if (target == SEAT_NONE)
            continue;
        add_pair(walk, walk->ballot == LOG_VOTE ? &walk->day_lines : &walk->night_lines,
                 walk->ballot, seat, target, "");
        if (walk->ballot == LOG_ATTACK_VOTE)
            walk->attack_voted |= seat_bit(target);
    }
}

static void take_vote(Walk *walk, LogLineKind kind, SeatNo seat, SeatNo target)
{
    if (walk->ballot != kind || walk->choice[seat] != SEAT_NONE)
        close_ballot(walk);
    walk->ballot = kind;
    walk->choice[seat] = target;
}

static void add_attack(Walk *walk, SeatNo killed)
{
    Buf *out = walk->out;

    if (killed != SEAT_NONE) {
        walk->alive &= ~seat_bit(killed);
        buf_printf(out, "%lld,attack,%u,true\n", (long long)walk->day, killed);
    } else if (walk->attack_asked && seat_in(walk->attack_voted, walk->guarded)) {
        buf_printf(out, "%lld,attack,%u,false\n", (long long)walk->day, walk->guarded);
    } else if (walk->attack_asked) {
        buf_printf(out, "%lld,attack,-1,true\n", (long long)walk->day);
    }
}

/* The day is over: what it led to is in the next one's packets. */
static void end_day(Walk *walk, const json_t *info)
{
    SeatNo executed = seat_of(walk, text_of(info, "executed_agent"));

    close_ballot(walk);
    buf_add(walk->out, buf_str(&walk->day_lines));
    if (executed != SEAT_NONE && walk->voted) {
        walk->alive &= ~seat_bit(executed);
        buf_printf(walk->out, "%lld,execute,%u,%s\n", (long long)walk->day, executed,
                   role_name(walk->roles[executed]));
    }
    buf_add(walk->out, buf_str(&walk->night_lines));
    add_attack(walk, seat_of(walk, text_of(info, "attacked_agent")));
    buf_clear(&walk->day_lines);
    buf_clear(&walk->night_lines);
    walk->voted = walk->attack_asked = false;
    walk->guarded = SEAT_NONE;
    walk->attack_voted = 0;
    walk->next_idx[0] = walk->next_idx[1] = 0;
    memset(walk->told, 0, sizeof(walk->told));
}

static void add_statuses(Walk *walk)
{
    for (SeatNo seat = 1; seat <= walk->seat_count; seat++)
        buf_printf(walk->out, "%lld,status,%u,%s,%s,%.*s,%.*s\n", (long long)walk->day, seat,
                   role_name(walk->roles[seat]), seat_in(walk->alive, seat) ? "ALIVE" : "DEAD",
                   STR_ARG(walk->originals[seat]), STR_ARG(walk->names[seat]));
}

static void add_result(Walk *walk)
{
    unsigned humans = 0, wolves = 0;

    for (SeatSet left = walk->alive; left; left &= left - 1)
        if (walk->roles[seat_first(left)] == ROLE_WEREWOLF)
            wolves++;
        else
            humans++;
    buf_printf(walk->out, "%lld,result,%u,%u,%s\n", (long long)walk->day, humans, wolves,
               side_name(walk->winner));
    walk->ended = true;
}

/* ---- requests ---- */

static void take_history(Walk *walk, const json_t *packet, const char *key, LogLineKind kind,
                         int64_t unix_s)
{
    const json_t *list = json_get(packet, key);
    int64_t *next = &walk->next_idx[kind == LOG_WHISPER];
    uint32_t *told = walk->told[kind == LOG_WHISPER];

    for (size_t i = 0; i < json_count(list); i++) {
        const json_t *talk = json_at(list, i);
        int64_t idx = number_of(talk, "idx", -1);
        SeatNo seat = seat_of(walk, text_of(talk, "agent"));
        if (seat == SEAT_NONE || idx < 0 || number_of(talk, "day", walk->day) != walk->day)
            continue;
        /* Everybody is told once; the older servers number each session of a day from 0. */
        uint32_t hash = str_hash(text_of(talk, "text")) ^ seat;
        if (told[idx % TOLD_MAX] == hash || idx < *next)
            continue;
        told[idx % TOLD_MAX] = hash;
        add_utterance(walk, kind, idx, number_of(talk, "turn", 0), seat, text_of(talk, "text"),
                      number_of(talk, "time", unix_s));
    }
}

/* "TALK" alone: an utterance of a speak-anytime session. */
static void take_spoken(Walk *walk, const json_t *entry, LogLineKind kind, int64_t unix_s)
{
    SeatNo seat = seat_of(walk, text_of(entry, "agent"));
    int64_t *next = &walk->next_idx[kind == LOG_WHISPER];

    if (seat == SEAT_NONE)
        return;
    add_utterance(walk, kind, *next, walk->spoken[seat], seat, text_of(entry, "response"), unix_s);
    ++*next;
    walk->spoken[seat]++;
}

/* A word in quotes, where a packet would stand. */
static void take_word(Walk *walk, const json_t *entry, Str word, int64_t unix_s)
{
    if (str_eq(word, STR("TALK")))
        take_spoken(walk, entry, LOG_TALK, unix_s);
    else if (str_eq(word, STR("WHISPER")))
        take_spoken(walk, entry, LOG_WHISPER, unix_s);
    else /* a session begins or ends */
        memset(walk->spoken, 0, sizeof(walk->spoken));
}

static void take_answer(Walk *walk, const json_t *entry, Str request)
{
    SeatNo seat = seat_of(walk, text_of(entry, "agent"));
    SeatNo target = seat_of(walk, text_of(entry, "response"));
    bool valid = seat != SEAT_NONE && seat_in(walk->alive, target);

    if (str_eq(request, STR("VOTE"))) {
        walk->voted = true;
        if (valid)
            take_vote(walk, LOG_VOTE, seat, target);
        return;
    }
    if (str_eq(request, STR("ATTACK"))) {
        walk->attack_asked = true;
        if (valid)
            take_vote(walk, LOG_ATTACK_VOTE, seat, target);
        return;
    }
    if (!valid || seat == target)
        return;
    if (str_eq(request, STR("DIVINE"))) {
        add_pair(walk, day_text(walk), LOG_DIVINE, seat, target,
                 species_name(role_species(walk->roles[target])));
    } else if (str_eq(request, STR("GUARD"))) {
        walk->guarded = target;
        add_pair(walk, day_text(walk), LOG_GUARD, seat, target, role_name(walk->roles[target]));
    }
}

static void take_packet(Walk *walk, const json_t *entry, const json_t *packet, int64_t unix_s)
{
    const json_t *info = json_get(packet, "info");
    int64_t day = number_of(info, "day", walk->day);
    Str request = text_of(packet, "request");

    if (str_eq(request, STR("INITIALIZE"))) { /* in seat order: 8.3 */
        if (walk->named < walk->seat_count)
            walk->names[++walk->named] = text_of(entry, "agent");
        return;
    }
    if (walk->ended || day < 0 || day > LOG_DAY_MAX)
        return;
    if (!walk->begun || day > walk->day) {
        if (walk->begun)
            end_day(walk, info);
        walk->begun = true;
        walk->day = day;
        add_statuses(walk);
    }
    take_history(walk, packet, "talk_history", LOG_TALK, unix_s);
    take_history(walk, packet, "whisper_history", LOG_WHISPER, unix_s);
    take_answer(walk, entry, request);
    if (str_eq(request, STR("FINISH")))
        add_result(walk);
}

static int take_entry(Walk *walk, const json_t *entry, Err *err)
{
    int64_t unix_s = number_of(entry, "response_timestamp", 0);
    json_t *packet = NULL;
    Str text = text_of(entry, "request"), word;
    Err wrong = {0};

    if (str_starts(text, STR("\""))) {
        word = str_part(text, 1, text.len < 2 ? 0 : text.len - 2);
        take_word(walk, entry, word, unix_s);
        return 0;
    }
    int rc = json_read(text, LOG_TEXT_BYTES_MAX, &packet, &wrong);
    if (rc)
        return err_set(err, (ErrCode)rc, "JSON log: a request: %s", wrong.msg);
    /* Texts in the walk that outlive the packet: none; names are the entries'. */
    take_packet(walk, entry, packet, unix_s);
    json_done(packet);
    return 0;
}

/* ---- the whole ---- */

static int take_agents(Walk *walk, const json_t *agents, Err *err)
{
    size_t count = json_count(agents);

    if (count == 0 || count > SEAT_MAX)
        return err_set(err, ERR_SYNTAX, "JSON log: 'agents' lists %zu agents; 1 to %d are expected",
                       count, SEAT_MAX);
    walk->seat_count = (SeatNo)count;
    walk->alive = seat_all(walk->seat_count);
    for (SeatNo seat = 1; seat <= walk->seat_count; seat++) {
        const json_t *agent = json_at(agents, seat - 1u);
        walk->originals[seat] = walk->names[seat] = text_of(agent, "name");
        walk->roles[seat] = role_of(text_of(agent, "role"));
        if (number_of(agent, "idx", 0) != seat || walk->roles[seat] == ROLE_NONE)
            return err_set(err, ERR_SYNTAX, "JSON log: agent %u has no idx, or no role", seat);
    }
    return 0;
}

static int convert_log(Walk *walk, const json_t *log, Err *err)
{
    const json_t *entries = json_get(log, "entries");
    int rc = take_agents(walk, json_get(log, "agents"), err);

    walk->winner = side_of(text_of(log, "win_side"));
    for (size_t i = 0; i < json_count(entries) && rc == 0; i++)
        rc = take_entry(walk, json_at(entries, i), err);
    if (rc)
        return rc;
    close_ballot(walk);
    if (!walk->begun)
        add_statuses(walk);
    if (!walk->ended) {
        buf_add(walk->out, buf_str(&walk->day_lines));
        buf_add(walk->out, buf_str(&walk->night_lines));
    }
    if (buf_failed(walk->out) || buf_failed(&walk->day_lines) || buf_failed(&walk->night_lines))
        return err_set(err, ERR_MEMORY, "read a JSON log: out of memory");
    return 0;
}

int nlp_json_to_log(Str text, Buf *out, Err *err)
{
    Walk walk = {.out = out};
    json_t *log = NULL;
    int rc = json_read(text, LOG_TEXT_BYTES_MAX, &log, err);

    if (rc)
        return rc;
    rc = convert_log(&walk, log, err);
    buf_done(&walk.day_lines);
    buf_done(&walk.night_lines);
    json_done(log);
    return rc;
}
