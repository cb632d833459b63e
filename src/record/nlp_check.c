#include "record/nlp_check.h"

#include "record/nlp_ballots.h"

#include <stdarg.h>

/* Why utterances can't be numbered in a certain way; line 0: so far they can. */
typedef struct Objection {
    unsigned line;
    char reason[128];
} Objection;

typedef enum Numbering {
    BY_TURN,    /* 5.1: rounds, in each of which a participant speaks at most once */
    BY_SPEAKER, /* 10.2: each speaker counts for itself */
    NUMBERING_COUNT,
} Numbering;

/* Today's utterances of one kind. */
typedef struct Session {
    uint32_t next_idx;
    uint32_t turn;
    SeatSet spoke;                /* in this turn */
    SeatSet over;                 /* said Over */
    uint32_t first_round;         /* how many spoke in turn 0 */
    uint32_t place[SEAT_MAX + 1]; /* as which of them; 0 = not */
    uint32_t last_place;          /* in this turn */
    uint32_t said[SEAT_MAX + 1];
} Session;

/* The walk through a log: `at` is the next line. */
typedef struct Check {
    const LogGame *log;
    const Ruleset *rules; /* NULL = any */
    NlpFinding *finding;
    size_t at;
    uint16_t day;
    SeatSet alive;
    SeatSet wolves;
    SeatSet errored;
    SeatNo guarded;    /* tonight */
    SeatSet idle;      /* wolves of a night without an attack line */
    bool reordered;    /* some session: a later turn has another order of speakers than the first */
    bool whole_nights; /* the servers of 2024 test who has won in the morning only */
    Objection objections[2][NUMBERING_COUNT]; /* talk, whisper */
} Check;

/* ---- what all steps use ---- */

/* The finding, at a line; always false. */
__attribute__((format(printf, 3, 4))) static bool fail(Check *check, const LogLine *line,
                                                       const char *format, ...)
{
    va_list args;

    check->finding->line = line->number;
    va_start(args, format);
    vsnprintf(check->finding->reason, sizeof(check->finding->reason), format, args);
    va_end(args);
    return false;
}

static const LogLine *line_at(const Check *check)
{
    return &check->log->lines[check->at];
}

static bool at_end(const Check *check)
{
    return check->at == check->log->count;
}

/* The lines are at an end too early; always false. */
static bool stop_check(Check *check)
{
    const Err *broken = &check->log->broken;
    NlpFinding *finding = check->finding;

    if (broken->code) {
        finding->line = broken->line;
        snprintf(finding->reason, sizeof(finding->reason), "%s", broken->msg);
        return false;
    }
    finding->truncated = true;
    finding->line = check->log->lines[check->log->count - 1].number + 1;
    snprintf(finding->reason, sizeof(finding->reason),
             "truncated: the log stops on day %u, without a result line", check->day);
    return false;
}

/* Whether the next line is one of this kind and of today. */
static bool next_is(const Check *check, LogLineKind kind)
{
    return !at_end(check) && line_at(check)->kind == kind && line_at(check)->day == check->day;
}

static Role role_at(const Check *check, SeatNo seat)
{
    return seat <= check->log->seat_count ? check->log->roles[seat] : ROLE_NONE;
}

static bool seat_lives(Check *check, const LogLine *line, SeatNo seat, const char *does)
{
    if (seat > check->log->seat_count || seat == SEAT_NONE)
        return fail(check, line, "there is no seat %u", seat);
    if (!seat_in(check->alive, seat))
        return fail(check, line, "seat %u is dead and %s", seat, does);
    return true;
}

/* 4.4. */
static Side winner_now(const Check *check)
{
    unsigned wolves = seat_count_of(check->alive & check->wolves);
    unsigned humans = seat_count_of(check->alive & ~check->wolves);

    if (humans <= wolves)
        return SIDE_WEREWOLF;
    return wolves == 0 ? SIDE_VILLAGER : SIDE_NONE;
}

/* ---- talk and whisper ---- */

__attribute__((format(printf, 3, 4))) static void object(Objection *objection, const LogLine *line,
                                                         const char *format, ...)
{
    va_list args;

    if (objection->line)
        return;
    objection->line = line->number;
    va_start(args, format);
    vsnprintf(objection->reason, sizeof(objection->reason), format, args);
    va_end(args);
}

/* 5.1: the order of a session in turns is drawn once. */
static bool keeps_order(Session *session, const LogLine *line)
{
    if (line->turn == 0)
        session->place[line->seat] = ++session->first_round;
    uint32_t place = session->place[line->seat];
    bool kept = place == 0 || place > session->last_place;
    if (place)
        session->last_place = place;
    return kept;
}

static void number_by_turn(Session *session, const LogLine *line, Objection *objection)
{
    bool again = seat_in(session->spoke, line->seat);

    if (line->turn == session->turn + 1 && session->spoke) {
        session->turn++;
        session->last_place = 0;
        session->spoke = 0;
    } else if (line->turn != session->turn) {
        object(objection, line, "turn %u follows turn %u", line->turn, session->turn);
    } else if (again) {
        object(objection, line, "seat %u speaks twice in turn %u", line->seat, line->turn);
    }
    session->spoke |= seat_bit(line->seat);
}

static void number_by_speaker(const Session *session, const LogLine *line, Objection *objection)
{
    if (line->turn != session->said[line->seat])
        object(objection, line, "utterance %u of seat %u has turn %u", session->said[line->seat],
               line->seat, line->turn);
    else if (seat_in(session->over, line->seat) && !str_eq(line->text, STR("Over")))
        object(objection, line, "seat %u speaks after its Over", line->seat);
}

/* What a ruleset says about who has spoken so often. In a speak-anytime session Over may follow the
 * last utterance: 10.3. */
static bool within_limits(Check *check, const TalkRules *rules, const Session *session,
                          const LogLine *line)
{
    bool anytime = rules->exchange == EXCHANGE_ANYTIME;
    uint32_t said = session->said[line->seat];

    if (anytime && str_eq(line->text, STR("Over")))
        said--;
    if (rules->max_per_agent != LIMIT_NONE && said > (uint32_t)rules->max_per_agent)
        return fail(check, line, "seat %u speaks more than %d times", line->seat,
                    rules->max_per_agent);
    if (!anytime && line->turn >= (uint32_t)rules->max_turns)
        return fail(check, line, "turn %u of at most %d", line->turn, rules->max_turns);
    return true;
}

static bool number_it(Check *check, Session *session, const LogLine *line)
{
    Objection *objections = check->objections[line->kind == LOG_WHISPER];
    const TalkRules *rules = !check->rules               ? NULL
                             : line->kind == LOG_WHISPER ? &check->rules->whisper
                                                         : &check->rules->talk;

    if (line->idx != session->next_idx)
        return fail(check, line, "idx %u instead of %u", line->idx, session->next_idx);
    session->next_idx++;
    if (!rules || rules->exchange != EXCHANGE_ANYTIME)
        number_by_turn(session, line, &objections[BY_TURN]);
    else
        object(&objections[BY_TURN], line, "%s", "");
    if (!rules || rules->exchange == EXCHANGE_ANYTIME)
        number_by_speaker(session, line, &objections[BY_SPEAKER]);
    else
        object(&objections[BY_SPEAKER], line, "%s", "");
    check->reordered |= !keeps_order(session, line);
    session->said[line->seat]++;
    if (str_eq(line->text, STR("Over")))
        session->over |= seat_bit(line->seat);
    if (rules && !within_limits(check, rules, session, line))
        return false;
    const Objection *turn = &objections[BY_TURN], *speaker = &objections[BY_SPEAKER];
    if (!turn->line || !speaker->line)
        return true;
    const Objection *better =
        !speaker->reason[0] || (turn->reason[0] && turn->line >= speaker->line) ? turn : speaker;
    return fail(check, line, "%s", better->reason);
}

/* A session of the kind, if one is held here. */
static bool check_speech(Check *check, LogLineKind kind, Session *session)
{
    bool whisper = kind == LOG_WHISPER;
    SeatSet may = whisper ? check->alive & check->wolves : check->alive;
    uint32_t idx = session->next_idx;

    *session = (Session){.next_idx = idx};
    if (next_is(check, kind) && line_at(check)->idx == 0)
        session->next_idx = 0; /* [V] the servers up to 2025 number each session from 0 */
    for (; next_is(check, kind); check->at++) {
        const LogLine *line = line_at(check);
        if (!seat_lives(check, line, line->seat, "speaks"))
            return false;
        if (!seat_in(may, line->seat))
            return fail(check, line, "seat %u is no werewolf and whispers", line->seat);
        if (seat_count_of(may) < 2)
            return fail(check, line, "seat %u has nobody to talk to", line->seat);
        if (line->turn == 0 && session->said[line->seat] > 0) /* evening follows morning: 4.2 */
            *session = (Session){.next_idx = line->idx == 0 ? 0 : session->next_idx};
        if (!number_it(check, session, line))
            return false;
    }
    return true;
}

/* ---- ballots ---- */

/* The votes that stand next, each judged on its own. */
static bool read_votes(Check *check, LogLineKind kind, bool self_vote, NlpBallots *ret)
{
    size_t first = check->at;
    bool attack = kind == LOG_ATTACK_VOTE;

    for (; next_is(check, kind); check->at++) {
        const LogLine *line = line_at(check);
        if (!seat_lives(check, line, line->seat, "votes") ||
            !seat_lives(check, line, line->target, "is voted for"))
            return false;
        if (attack && !seat_in(check->wolves, line->seat))
            return fail(check, line, "seat %u is no werewolf and votes for an attack", line->seat);
        if (!self_vote && line->seat == line->target)
            return fail(check, line, "seat %u votes for itself", line->seat);
        if (check->at - first == NLP_VOTES_MAX)
            return fail(check, line, "more than %d votes on one day", NLP_VOTES_MAX);
    }
    *ret = (NlpBallots){.lines = &check->log->lines[first],
                        .count = check->at - first,
                        .countable = attack ? check->alive & ~check->wolves : check->alive,
                        .max = NLP_BALLOTS_ANY};
    return true;
}

static bool not_explained(Check *check, const LogLine *line, const NlpBallots *ballots, SeatNo seat,
                          const char *what)
{
    SeatSet top = nlp_ballots_top(ballots);
    char seats[4 * SEAT_MAX + 1] = "nobody";
    size_t at = 0;

    for (SeatSet left = top; left; left &= left - 1)
        at += (size_t)snprintf(seats + at, sizeof(seats) - at, "%s%u", at ? ", " : "",
                               seat_first(left));
    if (seat == SEAT_NONE)
        return fail(check, line, "nobody is %s; most votes: %s", what, seats);
    return fail(check, line, "seat %u is %s; most votes: %s", seat, what, seats);
}

/* Whether the game was aborted here, in the middle of something: what follows is its end without a
 * winner (6.4). */
static bool aborted_here(const Check *check)
{
    const LogGame *log = check->log;
    size_t end = check->at + log->seat_count;

    return end < log->count && line_at(check)->kind == LOG_STATUS &&
           log->lines[end].kind == LOG_RESULT && log->lines[end].winner == SIDE_NONE;
}

/* ---- the phases ---- */

static bool check_execution(Check *check)
{
    NlpBallots ballots = {0};
    bool self_vote = !check->rules || check->rules->vote.self_vote;

    if (!read_votes(check, LOG_VOTE, self_vote, &ballots))
        return false;
    if (check->rules)
        ballots.max = (uint16_t)check->rules->vote.rounds;
    if (at_end(check) || aborted_here(check))
        return true;
    const LogLine *line = line_at(check);
    SeatNo executed = next_is(check, LOG_EXECUTE) ? line->seat : SEAT_NONE;
    if (executed != SEAT_NONE && !seat_lives(check, line, executed, "is executed"))
        return false;
    if (executed != SEAT_NONE && line->role != role_at(check, executed))
        return fail(check, line, "seat %u is no %s", executed, role_name((Role)line->role));
    if (!nlp_ballots_explain(&ballots, executed))
        return not_explained(check, line, &ballots, executed, "executed");
    check->alive &= ~seat_bit(executed);
    check->at += executed != SEAT_NONE;
    return true;
}

/* An ability: one line, by one who has it, of a living target that is another. */
static bool check_ability(Check *check, LogLineKind kind, Role role, const char *does)
{
    if (!next_is(check, kind))
        return true;
    const LogLine *line = line_at(check);
    if (!seat_lives(check, line, line->seat, does) ||
        !seat_lives(check, line, line->target, "is a target"))
        return false;
    if (role_at(check, line->seat) != role)
        return fail(check, line, "seat %u is no %s", line->seat, role_name(role));
    if (line->seat == line->target)
        return fail(check, line, "seat %u %s itself", line->seat, does);
    check->at++;
    if (next_is(check, kind))
        return fail(check, line_at(check), "a second %s line tonight", aiwolf_log_kind_name(kind));
    return true;
}

static bool check_divination(Check *check)
{
    const LogLine *line = at_end(check) ? NULL : line_at(check);

    if (!next_is(check, LOG_DIVINE))
        return true;
    if (!check_ability(check, LOG_DIVINE, ROLE_SEER, "divines"))
        return false;
    if (line->species != role_species(role_at(check, line->target)))
        return fail(check, line, "seat %u is no %s", line->target,
                    species_name((Species)line->species));
    return true;
}

static bool check_guard(Check *check)
{
    const LogLine *line = at_end(check) ? NULL : line_at(check);

    check->guarded = SEAT_NONE;
    if (!next_is(check, LOG_GUARD))
        return true;
    if (!check_ability(check, LOG_GUARD, ROLE_BODYGUARD, "guards"))
        return false;
    if (line->role != role_at(check, line->target))
        return fail(check, line, "seat %u is no %s", line->target, role_name((Role)line->role));
    check->guarded = line->target;
    return true;
}

/* The server of 2024, whose logs have no names in the game: it chose when no wolf named anybody. */
static bool attacked_by_chance(const Check *check, const LogLine *line, const NlpBallots *ballots)
{
    return check->whole_nights && !check->rules && ballots->count == 0 &&
           line->target != SEAT_NONE && !seat_in(check->wolves, line->target);
}

static bool check_attack(Check *check)
{
    NlpBallots ballots = {0};
    bool self_vote = !check->rules || check->rules->attack.self_vote;

    if (!read_votes(check, LOG_ATTACK_VOTE, self_vote, &ballots))
        return false;
    if (check->rules)
        ballots.max = (uint16_t)check->rules->attack.rounds;
    if (!next_is(check, LOG_ATTACK)) {
        if (ballots.count > 0 && !at_end(check) && !aborted_here(check))
            return fail(check, line_at(check), "attack votes without an attack line behind them");
        check->idle = check->day > 0 ? check->alive & check->wolves : 0;
        return true;
    }
    const LogLine *line = line_at(check);
    if (!(check->alive & check->wolves))
        return fail(check, line, "no werewolf is alive to attack");
    if (line->target != SEAT_NONE && !seat_lives(check, line, line->target, "is attacked"))
        return false;
    if (attacked_by_chance(check, line, &ballots))
        check->finding->no_attack_votes = true;
    else if (!nlp_ballots_explain(&ballots, line->target))
        return not_explained(check, line, &ballots, line->target, "attacked");
    bool saved = line->target != SEAT_NONE && line->target == check->guarded;
    if (line->killed == saved)
        return fail(check, line, saved ? "seat %u is guarded" : "seat %u is not guarded",
                    line->target);
    if (line->killed)
        check->alive &= ~seat_bit(line->target);
    check->at++;
    return true;
}

/* ---- days ---- */

/* One status line for every seat. */
static bool check_statuses(Check *check)
{
    const LogGame *log = check->log;

    for (SeatNo seat = 1; seat <= log->seat_count; seat++, check->at++) {
        if (at_end(check))
            return stop_check(check);
        const LogLine *line = line_at(check);
        if (!next_is(check, LOG_STATUS) || line->seat != seat)
            return fail(check, line, "the status of seat %u on day %u is expected", seat,
                        check->day);
        if (line->role != log->roles[seat] || !str_eq(line->text, log->names[seat]) ||
            (line->in_game.len > 0 && !str_eq(line->in_game, log->in_game[seat])))
            return fail(check, line, "seat %u has another role or name than before", seat);
        if (!line->errored && line->alive != seat_in(check->alive, seat))
            return fail(check, line, "seat %u is %s", seat, line->alive ? "dead" : "alive");
        if (line->errored)
            check->errored |= seat_bit(seat);
    }
    return true;
}

/* A day up to the next one's status lines: 4.2. */
static bool whole_day(Check *check)
{
    Session talk = {0}, whisper = {0};

    check->idle = 0;
    if (!check_speech(check, LOG_WHISPER, &whisper) || !check_speech(check, LOG_TALK, &talk) ||
        !check_speech(check, LOG_WHISPER, &whisper) || !check_execution(check))
        return false;
    /* Decided by the execution: no phase follows. Logs of `warg run` have no names in the game, as
     * those of 2024, but end here by their rules: nothing of a night stands in them. */
    bool by_rules = check->rules && check->rules->end.check == END_AFTER_PHASE && !at_end(check) &&
                    line_at(check)->day == check->day + 1;
    bool over =
        check->day > 0 && (!check->whole_nights || by_rules) && winner_now(check) != SIDE_NONE;
    if (!over && (!check_divination(check) || !check_speech(check, LOG_WHISPER, &whisper) ||
                  !check_guard(check) || !check_attack(check)))
        return false;
    if (at_end(check))
        return stop_check(check);
    const LogLine *line = line_at(check);
    if (line->day == check->day + 1 && line->kind == LOG_STATUS)
        return true;
    if (over && line->day == check->day)
        return fail(check, line, "the game is over after the execution; a status line is expected");
    if (line->day == check->day)
        return fail(check, line, "a %s line can't stand here",
                    aiwolf_log_kind_name((LogLineKind)line->kind));
    return fail(check, line, "a status line of day %u is expected", check->day + 1);
}

/* The night just over had wolves that could attack, and no attack. In the reference an errored
 * wolf counts as living and is not asked: 4.5. */
static bool no_attack(const Check *check)
{
    return (check->idle & ~check->errored) != 0;
}

/* The last line. */
static bool check_result(Check *check)
{
    const LogLine *line = line_at(check);
    unsigned wolves = seat_count_of(check->alive & check->wolves);
    unsigned humans = seat_count_of(check->alive & ~check->wolves);
    Side winner = winner_now(check);

    if (line->day != check->day)
        return fail(check, line, "a result of day %u on day %u", line->day, check->day);
    if (line->humans != humans || line->wolves != wolves)
        return fail(check, line, "%u humans and %u werewolves live", humans, wolves);
    /* 4.4: an abort comes before a decision. Its reason, errored seats, is not to be seen in a log
     * whose statuses are truthful (4.5, target). */
    if (line->winner != winner && line->winner != SIDE_NONE)
        return fail(check, line, "with %u humans and %u werewolves the winner is %s", humans,
                    wolves, side_name(winner));
    if (no_attack(check) && line->winner != SIDE_NONE)
        return fail(check, line, "the last night has no attack line");
    check->at++;
    if (!at_end(check))
        return fail(check, line_at(check), "nothing stands behind the result");
    return check->log->broken.code ? stop_check(check) : true;
}

static bool day_allowed(Check *check)
{
    int32_t max_day = check->rules ? check->rules->end.max_day : LIMIT_NONE;

    if (max_day != LIMIT_NONE && check->day > max_day)
        return fail(check, line_at(check), "the last day is day %d", max_day);
    if (no_attack(check))
        return fail(check, line_at(check), "the night of day %u has no attack line",
                    check->day - 1);
    /* Before day 1 nobody dies: a table that is decided when it sits down plays its first day. */
    if (check->day > 0 && winner_now(check) != SIDE_NONE)
        return fail(check, line_at(check), "%s has won; a result line is expected",
                    side_name(winner_now(check)));
    return true;
}

static bool whole_game(Check *check)
{
    if (line_at(check)->day != 0)
        return fail(check, line_at(check), "the first day is day 0");
    for (;; check->day++) {
        if (!check_statuses(check))
            return false;
        if (at_end(check))
            return stop_check(check);
        if (line_at(check)->kind == LOG_RESULT)
            return check_result(check);
        if (!day_allowed(check) || !whole_day(check))
            return false;
    }
}

/* Short sessions may be numbered either way; then the order of speakers tells. */
static bool was_anytime(const Check *check)
{
    bool by_speaker =
        !check->objections[0][BY_SPEAKER].line && !check->objections[1][BY_SPEAKER].line;

    return check->objections[0][BY_TURN].line || check->objections[1][BY_TURN].line ||
           (check->reordered && by_speaker);
}

void nlp_check(const LogGame *log, const Ruleset *rules, NlpFinding *ret)
{
    NlpFinding finding = {0};
    Check check = {
        .log = log,
        .rules = rules,
        .finding = &finding,
        .alive = seat_all(log->seat_count),
        .whole_nights = log->lines[0].in_game.len == 0,
    };

    for (SeatNo seat = 1; seat <= log->seat_count; seat++)
        if (log->roles[seat] == ROLE_WEREWOLF)
            check.wolves |= seat_bit(seat);
    finding.ok = whole_game(&check);
    finding.anytime = was_anytime(&check);
    *ret = finding;
}
