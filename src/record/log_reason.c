#include "record/log_reason.h"

#include "base/utf8.h"

void log_past_event(LogPast *past, const Event *event)
{
    switch (event->kind) {
    case EVENT_EXECUTE:
    case EVENT_DEATH:
        if (event->seat == SEAT_NONE || seat_in(past->dead, event->seat))
            break;
        past->dead |= seat_bit(event->seat);
        past->death[event->seat] = event->kind == EVENT_EXECUTE ? DEATH_EXECUTED : DEATH_NIGHT;
        /* The deaths of a night are told in the morning, but belong to the day before. */
        past->died_on[event->seat] = event->day;
        break;
    case EVENT_PHASE:
        if (event->action == ACTION_TALK || event->action == ACTION_WHISPER) {
            int list = event->action == ACTION_WHISPER;
            memset(past->said[list], 0, sizeof(past->said[list]));
            memset(past->skips[list], 0, sizeof(past->skips[list]));
        }
        break;
    case EVENT_TALK:
    case EVENT_WHISPER: {
        int list = event->kind == EVENT_WHISPER;
        SeatNo seat = event->talk->seat;
        if (event->talk->skip) {
            past->skips[list][seat]++;
        } else if (!event->talk->over) {
            past->said[list][seat]++;
            past->skips[list][seat] = 0;
        }
        break;
    }
    case EVENT_DAY:
        past->day = event->day;
        break;
    case EVENT_ROLE:
    case EVENT_PHASE_END:
    case EVENT_STANDING:
    case EVENT_VOTE:
    case EVENT_NIGHT:
    case EVENT_DIVINE:
    case EVENT_GUARD:
    case EVENT_ATTACK_VOTE:
    case EVENT_ATTACK:
    case EVENT_IDENTIFY:
    case EVENT_END:
    case EVENT_REVEAL:
    case EVENT_SCORE:
    case EVENT_BID:
        break;
    }
}

/* ---- words ---- */

static const char *verb_of(const LogLine *line)
{
    static const char *const verbs[LOG_KIND_COUNT] = {
        [LOG_STATUS] = "is listed",    [LOG_TALK] = "talks",
        [LOG_WHISPER] = "whispers",    [LOG_VOTE] = "votes",
        [LOG_EXECUTE] = "is executed", [LOG_DIVINE] = "divines",
        [LOG_GUARD] = "guards",        [LOG_ATTACK_VOTE] = "votes for an attack",
        [LOG_ATTACK] = "is attacked",  [LOG_RESULT] = "",
    };
    return line->kind < LOG_KIND_COUNT ? verbs[line->kind] : "";
}

static const char *phase_of(LogLineKind kind)
{
    static const char *const phases[LOG_KIND_COUNT] = {
        [LOG_STATUS] = "among the status lines", [LOG_TALK] = "in the talk phase",
        [LOG_WHISPER] = "in the whisper phase",  [LOG_VOTE] = "in the vote",
        [LOG_EXECUTE] = "before the execution",  [LOG_DIVINE] = "before the divination",
        [LOG_GUARD] = "before the guard",        [LOG_ATTACK_VOTE] = "in the attack vote",
        [LOG_ATTACK] = "before the attack",      [LOG_RESULT] = "before the result",
    };
    return phases[kind];
}

/* What the game wants to see next, as a noun. */
static void add_expected(const LogLine *line, Buf *out)
{
    switch ((LogLineKind)line->kind) {
    case LOG_STATUS:
        buf_printf(out, "the status line of seat %u on day %u", line->seat, line->day);
        break;
    case LOG_TALK:
    case LOG_WHISPER:
        buf_printf(out, "%s number %u of day %u", aiwolf_log_kind_name((LogLineKind)line->kind),
                   line->idx, line->day);
        break;
    case LOG_VOTE:
        buf_printf(out, "the vote of seat %u", line->seat);
        break;
    case LOG_EXECUTE:
        buf_printf(out, "the execution of seat %u", line->seat);
        break;
    case LOG_DIVINE:
        buf_printf(out, "the divination of seat %u", line->seat);
        break;
    case LOG_GUARD:
        buf_printf(out, "the guard of seat %u", line->seat);
        break;
    case LOG_ATTACK_VOTE:
        buf_printf(out, "the attack vote of seat %u", line->seat);
        break;
    case LOG_ATTACK:
        if (line->target == SEAT_NONE)
            buf_printf(out, "an attack on nobody");
        else
            buf_printf(out, "the attack on seat %u (%s)", line->target,
                       line->killed ? "killed" : "not killed");
        break;
    case LOG_RESULT:
        buf_printf(out, "the result of the game on day %u", line->day);
        break;
    case LOG_KIND_COUNT:
        break;
    }
}

static void add_quoted(Str text, Buf *out)
{
    buf_add_char(out, '\'');
    utf8_add_printable(text, 80, out);
    buf_add_char(out, '\'');
}

/* Where two texts begin to differ, a little before it, and at a character. */
static size_t difference_of(Str a, Str b)
{
    size_t at = 0;

    while (at < a.len && at < b.len && a.bytes[at] == b.bytes[at])
        at++;
    at = at > 40 ? at - 40 : 0;
    while (at > 0 && ((unsigned char)a.bytes[at] & 0xC0) == 0x80)
        at--;
    return at;
}

static void add_found(Str raw, Buf *out)
{
    buf_add(out, STR("found "));
    add_quoted(raw, out);
}

static void add_death(const LogPast *past, SeatNo seat, Buf *out)
{
    buf_printf(out,
               past->death[seat] == DEATH_EXECUTED ? "it was executed on day %u"
                                                   : "it died in the night of day %u",
               past->died_on[seat]);
}

/* ---- reasons that need only the line and the past ---- */

static bool line_acts(const LogLine *line)
{
    return line->kind != LOG_STATUS && line->kind != LOG_ATTACK && line->kind != LOG_RESULT;
}

static bool line_targets(const LogLine *line)
{
    return line->kind == LOG_VOTE || line->kind == LOG_DIVINE || line->kind == LOG_ATTACK_VOTE ||
           line->kind == LOG_ATTACK;
}

static Role role_needed(LogLineKind kind)
{
    switch (kind) {
    case LOG_WHISPER:
    case LOG_ATTACK_VOTE:
        return ROLE_WEREWOLF;
    case LOG_DIVINE:
        return ROLE_SEER;
    case LOG_GUARD:
        return ROLE_BODYGUARD;
    case LOG_STATUS:
    case LOG_TALK:
    case LOG_VOTE:
    case LOG_EXECUTE:
    case LOG_ATTACK:
    case LOG_RESULT:
    case LOG_KIND_COUNT:
        break;
    }
    return ROLE_NONE;
}

/* Somebody who can't do that at all: dead, no seat, another role. True when it said something. */
static bool impossible_actor(const LogPast *past, const LogLine *found, Buf *out)
{
    const LogGame *log = past->log;
    SeatNo seat = found->seat;
    Role needed = role_needed((LogLineKind)found->kind);

    if (!line_acts(found))
        return false;
    if (seat > log->seat_count)
        buf_printf(out, "seat %u %s, but there are only %u seats", seat, verb_of(found),
                   log->seat_count);
    else if (seat_in(past->dead, seat)) {
        buf_printf(out, "seat %u %s after ", seat, verb_of(found));
        add_death(past, seat, out);
    } else if (needed != ROLE_NONE && log->roles[seat] != needed)
        buf_printf(out, "seat %u %s, but it is a %s", seat, verb_of(found),
                   role_name(log->roles[seat]));
    else
        return false;
    return true;
}

/* "seat 3 votes for seat 5, but " */
static void add_action(const LogLine *found, Buf *out)
{
    if (found->kind == LOG_ATTACK)
        buf_printf(out, "seat %u is attacked, but ", found->target);
    else
        buf_printf(out, "seat %u %s %sseat %u, but ", found->seat, verb_of(found),
                   found->kind == LOG_DIVINE        ? ""
                   : found->kind == LOG_ATTACK_VOTE ? "on "
                                                    : "for ",
                   found->target);
}

/* A target that nobody may have there. True when it said something. */
static bool impossible_target(const LogPast *past, const LogLine *found, Buf *out)
{
    const LogGame *log = past->log;
    SeatNo target = found->target;
    bool attack = found->kind == LOG_ATTACK_VOTE || found->kind == LOG_ATTACK;

    if (!line_targets(found) || target == SEAT_NONE)
        return false;
    bool unknown = target > log->seat_count;
    bool own = found->kind == LOG_VOTE && target == found->seat;
    bool wolf = attack && !unknown && log->roles[target] == ROLE_WEREWOLF;
    if (!unknown && !own && !wolf && !seat_in(past->dead, target))
        return false;
    add_action(found, out);
    if (unknown)
        buf_printf(out, "there are only %u seats", log->seat_count);
    else if (seat_in(past->dead, target))
        add_death(past, target, out);
    else
        buf_add(out, own ? STR("nobody may vote for itself") : STR("that is a wolf"));
    return true;
}

/* ---- reasons that compare two lines of one kind ---- */

static void differing_status(const LogPast *past, const LogLine *expected, const LogLine *found,
                             Buf *out)
{
    SeatNo seat = found->seat;

    if (seat != expected->seat)
        buf_printf(out, "the status line of seat %u is expected, found that of seat %u",
                   expected->seat, seat);
    else if (found->role != expected->role)
        buf_printf(out, "seat %u is listed as %s, but its role is %s", seat,
                   role_name((Role)found->role), role_name((Role)expected->role));
    else if (found->alive != expected->alive && found->alive) {
        buf_printf(out, "seat %u is listed as ALIVE, but ", seat);
        add_death(past, seat, out);
    } else if (found->alive != expected->alive)
        buf_printf(out, "seat %u is listed as DEAD, but nothing has killed it", seat);
    else {
        buf_printf(out, "seat %u is named ", seat);
        add_quoted(found->text, out);
        buf_add(out, STR(", but was "));
        add_quoted(expected->text, out);
    }
}

static void differing_text(const LogPast *past, const LogLine *expected, const LogLine *found,
                           Str foreign, Buf *out)
{
    int list = found->kind == LOG_WHISPER;
    SeatNo seat = found->seat;

    if (str_eq(expected->text, STR("Over")) && str_eq(found->text, STR("Skip")))
        buf_printf(out, "Skip number %u in a row of seat %u would have been recorded as Over",
                   past->skips[list][seat] + 1, seat);
    else if (str_eq(expected->text, STR("Over"))) {
        buf_printf(out, "seat %u says ", seat);
        add_quoted(found->text, out);
        buf_printf(out, ", but has used up its %u utterances: Over is expected",
                   past->said[list][seat]);
    } else if (foreign.len > 0) {
        buf_add(out, STR("sentence outside the language: "));
        add_quoted(found->text, out);
        buf_add(out, STR(": "));
        utf8_add_printable(foreign, 200, out);
    } else {
        size_t at = difference_of(expected->text, found->text);
        buf_printf(out, "from byte %zu of the text on ", at + 1);
        add_quoted(str_part(expected->text, at, expected->text.len), out);
        buf_add(out, STR(" is expected, found "));
        add_quoted(str_part(found->text, at, found->text.len), out);
    }
}

static void differing_talk(const LogPast *past, const LogLine *expected, const LogLine *found,
                           Str foreign, Buf *out)
{
    const char *kind = aiwolf_log_kind_name((LogLineKind)found->kind);

    if (found->turnless != expected->turnless)
        buf_printf(out,
                   found->turnless ? "the %s has no turn number"
                                   : "the %s has a turn number, those before it have none",
                   kind);
    else if (found->idx != expected->idx)
        buf_printf(out, "%s number %u is expected, found number %u", kind, expected->idx,
                   found->idx);
    else if (found->turn != expected->turn)
        buf_printf(out, "turn %u is expected, found turn %u", expected->turn, found->turn);
    else if (found->seat != expected->seat)
        buf_printf(out, "seat %u %s, but it has already had its place in turn %u", found->seat,
                   verb_of(found), found->turn);
    else
        differing_text(past, expected, found, foreign, out);
}

static void add_difference(const LogPast *past, const LogLine *expected, const LogLine *found,
                           Str raw, Str foreign, Buf *out)
{
    switch ((LogLineKind)found->kind) {
    case LOG_STATUS:
        differing_status(past, expected, found, out);
        return;
    case LOG_TALK:
    case LOG_WHISPER:
        differing_talk(past, expected, found, foreign, out);
        return;
    case LOG_EXECUTE:
        if (found->seat != expected->seat)
            buf_printf(out, "seat %u is executed, but does not have the most votes", found->seat);
        else
            buf_printf(out, "seat %u is executed as %s, but its role is %s", found->seat,
                       role_name((Role)found->role), role_name((Role)expected->role));
        return;
    case LOG_DIVINE:
        if (found->seat == expected->seat && found->target == expected->target) {
            buf_printf(out, "seat %u is divined as %s, but its role is %s", found->target,
                       species_name((Species)found->species),
                       role_name(past->log->roles[found->target]));
            return;
        }
        break;
    case LOG_GUARD:
        if (found->seat == expected->seat && found->target == expected->target) {
            buf_printf(out, "seat %u is guarded as %s, but its role is %s", found->target,
                       role_name((Role)found->role), role_name((Role)expected->role));
            return;
        }
        break;
    case LOG_ATTACK:
        if (found->target == expected->target) {
            buf_printf(out,
                       found->killed ? "seat %u is killed, but it was guarded or can't be killed"
                                     : "seat %u survives the attack, but nobody guarded it",
                       found->target);
            return;
        }
        if (found->target != SEAT_NONE) {
            buf_printf(out, "seat %u is attacked, but does not have the most attack votes",
                       found->target);
            return;
        }
        break;
    case LOG_RESULT:
        if (found->humans != expected->humans || found->wolves != expected->wolves)
            buf_printf(out,
                       "the result counts humans and wolves as %u and %u, but %u and %u "
                       "are alive",
                       found->humans, found->wolves, expected->humans, expected->wolves);
        else
            buf_printf(out, "the winner is %s, found %s", side_name((Side)expected->winner),
                       side_name((Side)found->winner));
        return;
    case LOG_VOTE:
    case LOG_ATTACK_VOTE:
    case LOG_KIND_COUNT:
        break;
    }
    add_expected(expected, out);
    buf_printf(out, " is expected, ");
    add_found(raw, out);
}

void log_reason_line(const LogPast *past, const LogLine *expected, const LogLine *found, Str raw,
                     Str foreign, Buf *out)
{
    if (found->day == past->day &&
        (impossible_actor(past, found, out) || impossible_target(past, found, out)))
        return;
    if (found->day == expected->day && found->kind == expected->kind) {
        add_difference(past, expected, found, raw, foreign, out);
        return;
    }
    add_expected(expected, out);
    buf_add(out, STR(" is expected, "));
    add_found(raw, out);
}

void log_reason_truncated(const LogPast *past, const LogLine *next, Buf *out)
{
    const LogGame *log = past->log;
    const LogLine *last = log->count ? &log->lines[log->count - 1] : next;

    buf_printf(out, "truncated: the log stops on day %u %s, without a result line", last->day,
               phase_of((LogLineKind)(next->day == last->day ? next->kind : LOG_STATUS)));
}
