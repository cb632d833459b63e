#include "record/log_replay.h"

#include "base/utf8.h"
#include "lang/lang.h"
#include "record/log_reason.h"

/* Divisions of attack votes among ballots that are tried, per night and in all. */
#define DIVISIONS_PER_NIGHT 200
#define DIVISIONS_MAX       600

/* One pass over the log. */
typedef struct Pass {
    const LogGame *log;
    const LogReplay *how;
    Game *game;
    AiwolfLogWriter writer;
    LogPast past;
    size_t at;             /* index of the first line that is not yet accounted for */
    uint32_t drawn[2];     /* talk, whisper: speakers that were drawn ahead of their lines, ... */
    uint32_t drawn_day[2]; /* ... all for this day */

    const uint8_t *division; /* by day: which division of attack votes; 0 = ascending runs */
    uint16_t attack_day;     /* day of the attack ballot that was opened last */
    uint32_t attack_ask;     /* its number */
    uint32_t attack_round;
    size_t attack_lines; /* of that night, all ballots together */

    Arena sentences; /* of the sentence at hand */
    Buf lines;       /* what the last event wrote */
    bool stopped;    /* `finding` is final */
    bool in_attack;  /* it stopped in an attack vote that could be divided otherwise */
    LogFinding *finding;
} Pass;

static bool is_kind(const Pass *pass, size_t index, LogLineKind kind)
{
    return index < pass->log->count && pass->log->lines[index].kind == kind;
}

/* ---- sentences ---- */

/* "INQUESTED Agent[01] HUMAN", with the subject that any sentence may have. */
static bool is_inquested(Str text)
{
    Str word = STR("INQUESTED Agent[");

    if (!str_starts(text, word))
        return false;
    Str rest = str_part(text, word.len, text.len);
    Str number = str_cut(&rest, ']');
    uint64_t agent;
    return number.len == 2 && str_to_uint(number, 99, &agent) &&
           (str_eq(rest, STR(" HUMAN")) || str_eq(rest, STR(" WEREWOLF")));
}

/* Cuts "Agent[01] " off the front of a text. */
static void cut_subject(Str *text)
{
    if (str_starts(*text, STR("Agent[")) && text->len > 10 &&
        str_starts(str_part(*text, 8, 2), STR("] ")))
        *text = str_part(*text, 10, text->len);
}

static bool in_library(Pass *pass, Str text, Err *err)
{
    const Sentence *sentence;

    arena_clear(&pass->sentences);
    return lang_parse(text, &pass->sentences, &sentence, err) == 0;
}

/* The content of "REQUEST(...)", which before 2019 had no blank in front of the parenthesis. */
static bool is_old_request(Pass *pass, Str text)
{
    if (!str_starts(text, STR("REQUEST(")) || text.bytes[text.len - 1] != ')')
        return false;
    Str content = str_part(text, 8, text.len - 9);
    if (in_library(pass, content, NULL))
        return true;
    cut_subject(&content);
    return str_eq(content, STR("Skip")) || str_eq(content, STR("Over"));
}

/* Whether the sentence counts as one; `err` says why not. */
static bool in_language(Pass *pass, Str text, Err *err)
{
    unsigned language = pass->how->language;

    return in_library(pass, text, err) ||
           ((language & LOG_LANGUAGE_INQUESTED) && is_inquested(text)) ||
           ((language & LOG_LANGUAGE_REQUEST) && is_old_request(pass, text));
}

/* ---- where the log stops or differs ---- */

static void keep_reason(Pass *pass, const Buf *reason)
{
    snprintf(pass->finding->reason, sizeof(pass->finding->reason), "%s", buf_cstr(reason));
    pass->stopped = true;
}

/* The game wants to write `expected`, but no line is left that could be read. */
static void stop_at_end(Pass *pass, const LogLine *expected)
{
    CLEANUP(buf_done) Buf reason = {0};
    const Err *broken = &pass->log->broken;

    pass->finding->line = (unsigned)pass->log->count + 1;
    if (broken->code != 0) {
        buf_printf(&reason, "column %u: %s", broken->column, broken->msg);
    } else {
        pass->finding->truncated = true;
        log_reason_truncated(&pass->past, expected, &reason);
    }
    keep_reason(pass, &reason);
}

static bool ballot_divisible(const Pass *pass, const LogLine *expected, const LogLine *found)
{
    if (pass->how->rules->attack.rounds < 2 || pass->attack_lines == 0 ||
        expected->day != pass->attack_day)
        return false;
    return expected->kind == LOG_ATTACK || expected->kind == LOG_ATTACK_VOTE ||
           found->kind == LOG_ATTACK || found->kind == LOG_ATTACK_VOTE ||
           (expected->kind == LOG_WHISPER && pass->attack_round > 0);
}

static void stop_at_line(Pass *pass, const LogLine *expected)
{
    CLEANUP(buf_done) Buf reason = {0};
    const LogLine *found = &pass->log->lines[pass->at];
    Err foreign = {0};

    bool speaks = found->kind == LOG_TALK || found->kind == LOG_WHISPER;
    if (speaks && pass->how->rules->talk.validate && in_language(pass, found->text, &foreign))
        foreign = (Err){0};
    pass->finding->line = (unsigned)pass->at + 1;
    pass->in_attack = ballot_divisible(pass, expected, found);
    log_reason_line(&pass->past, expected, found, pass->log->raws[pass->at], str_of(foreign.msg),
                    &reason);
    keep_reason(pass, &reason);
}

/* Compares what the game wrote with the log. */
static void compare_lines(Pass *pass)
{
    Str rest = buf_str(&pass->lines), written;

    while (!pass->stopped && aiwolf_log_cut_line(&rest, &written)) {
        LogLine expected;
        if (pass->at < pass->log->count && str_eq(pass->log->raws[pass->at], written)) {
            const LogLine *line = &pass->log->lines[pass->at++];
            int list = line->kind == LOG_WHISPER;
            if ((line->kind == LOG_TALK || list) && pass->drawn[list] > 0 &&
                pass->drawn_day[list] == line->day)
                pass->drawn[list]--;
            continue;
        }
        if (aiwolf_log_read_line(written, &expected, NULL))
            expected = (LogLine){.kind = LOG_RESULT, .day = game_day(pass->game)};
        if (pass->at < pass->log->count)
            stop_at_line(pass, &expected);
        else
            stop_at_end(pass, &expected);
    }
}

/* ---- chance, as the log tells ---- */

static uint32_t candidate_index(const ChanceQuestion *question, uint8_t value)
{
    for (uint32_t i = 0; i < question->count; i++)
        if (question->candidates[i] == value)
            return i;
    return 0; /* not possible: the line differs from what the game then writes */
}

/* The next line of this kind before the day's end. */
static const LogLine *next_of(const Pass *pass, LogLineKind kind)
{
    for (size_t i = pass->at; i < pass->log->count; i++) {
        if (pass->log->lines[i].kind == kind)
            return &pass->log->lines[i];
        if (pass->log->lines[i].kind == LOG_STATUS)
            break;
    }
    return NULL;
}

/* The engine draws ahead of what was read of it: lines that it will still write stand between,
 * of other kinds and of speakers that were drawn before. */
static uint32_t draw_speaker(Pass *pass, const ChanceQuestion *question, LogLineKind kind)
{
    int list = kind == LOG_WHISPER;
    size_t i = pass->at;

    if (pass->drawn_day[list] != question->day)
        pass->drawn[list] = 0;
    pass->drawn_day[list] = question->day;
    uint32_t ahead = pass->drawn[list]++;
    while (i < pass->log->count &&
           (pass->log->lines[i].kind != kind || pass->log->lines[i].day < question->day))
        i++;
    return is_kind(pass, i + ahead, kind)
               ? candidate_index(question, pass->log->lines[i + ahead].seat)
               : 0;
}

static const LogLine *vote_of(const Pass *pass, SeatNo voter)
{
    for (size_t i = pass->at; is_kind(pass, i, LOG_VOTE) && i < pass->at + SEAT_MAX; i++)
        if (pass->log->lines[i].seat == voter)
            return &pass->log->lines[i];
    return NULL;
}

static uint32_t draw_chance(void *user, const ChanceQuestion *question)
{
    Pass *pass = user;
    const LogLine *line = NULL;

    switch (question->kind) {
    case CHANCE_DEAL:
        return candidate_index(question, (uint8_t)pass->log->roles[question->seat]);
    case CHANCE_WISHER:
        return 0;
    case CHANCE_TALK_NEXT:
        return draw_speaker(pass, question, LOG_TALK);
    case CHANCE_WHISPER_NEXT:
        return draw_speaker(pass, question, LOG_WHISPER);
    case CHANCE_VOTE:
        line = vote_of(pass, question->seat);
        return line ? candidate_index(question, line->target) : 0;
    case CHANCE_EXECUTE:
        line = next_of(pass, LOG_EXECUTE);
        return line ? candidate_index(question, line->seat) : 0;
    case CHANCE_ATTACK:
        line = next_of(pass, LOG_ATTACK);
        if (line && line->target == SEAT_NONE) /* EFFECT_ATTACK: it met the executed */
            line = next_of(pass, LOG_EXECUTE);
        if (line && line->kind == LOG_EXECUTE)
            return candidate_index(question, line->seat);
        return line ? candidate_index(question, line->target) : 0;
    }
    return 0;
}

/* ---- answers, as the log tells ---- */

static Answer lapse_answer(AskKind kind)
{
    return (Answer){.kind = kind, .lapse = true};
}

static Answer answer_speech(Pass *pass, const Ask *ask)
{
    LogLineKind kind = ask->kind == ASK_TALK ? LOG_TALK : LOG_WHISPER;

    for (size_t i = pass->at; is_kind(pass, i, kind) && i < pass->at + SEAT_MAX; i++) {
        const LogLine *line = &pass->log->lines[i];
        if (line->seat == ask->seat)
            return (Answer){.kind = ask->kind,
                            .text = line->text,
                            .in_language = in_language(pass, line->text, NULL)};
    }
    return lapse_answer(ask->kind);
}

/* A target that this seat names in the lines of one kind right here. */
static Answer answer_target(const Pass *pass, const Ask *ask, LogLineKind kind, size_t from,
                            size_t count)
{
    for (size_t i = from; i < from + count && is_kind(pass, i, kind); i++)
        if (pass->log->lines[i].seat == ask->seat)
            return (Answer){.kind = ask->kind, .target = pass->log->lines[i].target};
    return lapse_answer(ask->kind);
}

/* How many attack votes stand together from here on. */
static size_t attack_votes_here(const Pass *pass)
{
    size_t n = 0;

    while (is_kind(pass, pass->at + n, LOG_ATTACK_VOTE))
        n++;
    return n;
}

/* The night's attack votes; whispers may stand between two ballots. */
static size_t attack_votes_of_night(const Pass *pass)
{
    size_t n = 0;

    for (size_t i = pass->at; is_kind(pass, i, LOG_ATTACK_VOTE) || is_kind(pass, i, LOG_WHISPER);
         i++)
        n += pass->log->lines[i].kind == LOG_ATTACK_VOTE;
    return n;
}

/* How many of the attack votes here belong to the ballot that is open. Votes come in seat order,
 * so a ballot ends at the latest where the numbers stop growing. Division 0 takes them all; the
 * others give each ballot but the last a share, counted like the digits of a number. */
static size_t votes_of_ballot(const Pass *pass)
{
    size_t here = attack_votes_here(pass), run = 0;
    uint32_t division = pass->division[pass->attack_day];
    bool last = pass->attack_round + 1 >= (uint32_t)pass->how->rules->attack.rounds;

    while (run < here && (run == 0 || pass->log->lines[pass->at + run].seat >
                                          pass->log->lines[pass->at + run - 1].seat))
        run++;
    if (division == 0 || last)
        return run;
    division--;
    for (uint32_t round = 0; round < pass->attack_round; round++)
        division /= (uint32_t)pass->attack_lines + 1;
    size_t share = division % ((uint32_t)pass->attack_lines + 1);
    return share < run ? share : run;
}

static void begin_ballot(Pass *pass, const Ask *ask)
{
    uint16_t day = game_day(pass->game);

    if (pass->attack_ask == ask->number)
        return;
    pass->attack_ask = ask->number;
    if (pass->attack_day != day) {
        pass->attack_round = 0;
        pass->attack_day = day;
        pass->attack_lines = attack_votes_of_night(pass);
    } else {
        pass->attack_round++;
    }
}

/* A log has no bids: who speaks next has wanted it most, and where nobody does nobody wanted to. */
static Answer answer_bid(const Pass *pass, const Ask *ask)
{
    bool speaks = is_kind(pass, pass->at, LOG_TALK) && pass->log->lines[pass->at].seat == ask->seat;

    return (Answer){.kind = ASK_BID, .bid = speaks ? BID_MAX : 0};
}

static Answer answer_of(Pass *pass, const Ask *ask)
{
    switch (ask->kind) {
    case ASK_TALK:
    case ASK_WHISPER:
        return answer_speech(pass, ask);
    case ASK_VOTE:
        return answer_target(pass, ask, LOG_VOTE, pass->at, SEAT_MAX);
    case ASK_DIVINE:
        return answer_target(pass, ask, LOG_DIVINE, pass->at, SEAT_MAX);
    case ASK_GUARD:
        return answer_target(pass, ask, LOG_GUARD, pass->at, SEAT_MAX);
    case ASK_ATTACK:
        begin_ballot(pass, ask);
        return answer_target(pass, ask, LOG_ATTACK_VOTE, pass->at, votes_of_ballot(pass));
    case ASK_BID:
        return answer_bid(pass, ask);
    case ASK_ROLE:
    case ASK_COUNT:
        break;
    }
    return lapse_answer(ask->kind);
}

/* ---- the pass ---- */

static void take_events(Pass *pass)
{
    Event event;

    while (!pass->stopped && game_next_event(pass->game, &event)) {
        buf_clear(&pass->lines);
        aiwolf_log_event(&pass->writer, &event, &pass->lines);
        size_t first = pass->at;
        compare_lines(pass);
        if (pass->stopped)
            break;
        log_past_event(&pass->past, &event);
        if (pass->how->listen)
            pass->how->listen(pass->how->user, &event, first, pass->at - first);
    }
}

static void after_the_end(Pass *pass)
{
    CLEANUP(buf_done) Buf reason = {0};
    const LogGame *log = pass->log;

    if (pass->at < log->count || log->broken.code != 0) {
        Str raw = pass->at < log->count ? log->raws[pass->at] : log->broken_line;
        pass->finding->line = (unsigned)pass->at + 1;
        buf_add(&reason, STR("the game is over with the line before, found '"));
        utf8_add_printable(raw, 80, &reason);
        buf_add_char(&reason, '\'');
        keep_reason(pass, &reason);
        return;
    }
    pass->finding->ok = true;
}

/* Puts the standing votes that the room closed with. Those for the seat with the most come last,
 * since a majority closes the room and nothing is put behind it. */
static void put_standing_votes(Pass *pass, AskKind ask, LogLineKind kind)
{
    uint8_t count[SEAT_MAX + 1] = {0};
    SeatNo top = SEAT_NONE;
    size_t end = pass->at;

    for (; is_kind(pass, end, kind) && end < pass->at + SEAT_MAX; end++) {
        SeatNo target = pass->log->lines[end].target;
        if (++count[target] > count[top] || top == SEAT_NONE)
            top = target;
    }
    for (int last = 0; last < 2; last++)
        for (size_t i = pass->at; i < end; i++) {
            const LogLine *line = &pass->log->lines[i];
            Answer answer = {.kind = ask, .target = line->target};
            if ((line->target == top) == (last == 1) && game_is_asked(pass->game, line->seat, ask))
                game_answer(pass->game, line->seat, &answer, NULL);
        }
}

/* In a timed room: the next utterance of the log, else the votes it closed with, else its time is
 * up. A log has no clock, so any moment that fits is as good. */
static void play_room(Pass *pass)
{
    const size_t before = pass->at;
    bool whisper = is_kind(pass, pass->at, LOG_WHISPER);

    if (whisper || is_kind(pass, pass->at, LOG_TALK)) {
        Ask ask = {.seat = pass->log->lines[pass->at].seat,
                   .kind = whisper ? ASK_WHISPER : ASK_TALK};
        Answer answer = answer_speech(pass, &ask);
        game_answer(pass->game, ask.seat, &answer, NULL);
    } else {
        put_standing_votes(pass, ASK_VOTE, LOG_VOTE);
        put_standing_votes(pass, ASK_ATTACK, LOG_ATTACK_VOTE);
    }
    take_events(pass);
    if (pass->stopped || pass->at > before)
        return; /* it spoke, or the votes closed the room */
    game_tick(pass->game, game_deadline(pass->game));
    take_events(pass);
}

static void play_log(Pass *pass)
{
    Ask ask;

    take_events(pass);
    while (!pass->stopped && !game_over(pass->game)) {
        if (game_deadline(pass->game) != TIME_NEVER) {
            play_room(pass);
            continue;
        }
        if (!game_first_ask(pass->game, &ask)) {
            CLEANUP(buf_done) Buf reason = {0};
            pass->finding->line = (unsigned)pass->at + 1;
            buf_printf(&reason, "by these rules the game waits for the clock, which no log has");
            keep_reason(pass, &reason);
            break;
        }
        Answer answer = answer_of(pass, &ask);
        if (game_answer(pass->game, ask.seat, &answer, NULL))
            break;
        take_events(pass);
    }
    if (!pass->stopped)
        after_the_end(pass);
}

/* A pass that has not begun. */
static int one_pass(Pass *pass, Err *err)
{
    const LogGame *log = pass->log;
    GameSetup setup = {0};

    *pass->finding = (LogFinding){0};
    for (SeatNo seat = 1; seat <= log->seat_count; seat++) {
        setup.fixed[seat] = log->roles[seat];
        setup.names[seat] = log->names[seat];
    }
    int rc = game_start(pass->game, &setup, chance_from_script(draw_chance, pass), err);
    if (rc)
        return rc;
    aiwolf_log_begin(&pass->writer, log->seat_count, log->names);
    pass->writer.turn_column = pass->how->turn_column;
    play_log(pass);
    bool failed = buf_failed(&pass->lines);
    buf_done(&pass->lines);
    return failed ? err_set(err, ERR_MEMORY, "replay a game log: out of memory") : 0;
}

/* Divisions of a night: every ballot but the last may take any number of the votes. */
static uint32_t divisions_of(const LogGame *log, const Ruleset *rules, uint16_t day)
{
    uint64_t votes = 0, divisions = 1;

    for (size_t i = 0; i < log->count; i++)
        votes += log->lines[i].kind == LOG_ATTACK_VOTE && log->lines[i].day == day;
    for (int32_t round = 1; round < rules->attack.rounds && divisions < DIVISIONS_PER_NIGHT;
         round++)
        divisions *= votes + 1;
    return (uint32_t)(divisions < DIVISIONS_PER_NIGHT ? divisions : DIVISIONS_PER_NIGHT);
}

/* What the attack vote of one night came to does not depend on how the votes are divided, so
 * nights are settled one after another. */
static int try_divisions(const LogGame *log, const LogReplay *how, Game *game, Arena sentences,
                         LogFinding *ret, Err *err)
{
    CLEANUP(mem_freep) uint8_t *division = mem_new(LOG_DAY_MAX + 2);
    LogFinding first_try = {0};
    uint16_t open_day = UINT16_MAX;

    if (!division)
        return err_set(err, ERR_MEMORY, "replay a game log: out of memory");
    for (uint32_t tries = 0; tries < DIVISIONS_MAX; tries++) {
        Pass pass = {.log = log,
                     .how = how,
                     .game = game,
                     .sentences = sentences,
                     .division = division,
                     .finding = ret,
                     .past.log = log,
                     .attack_ask = UINT32_MAX,
                     .attack_day = UINT16_MAX};
        int rc = one_pass(&pass, err);
        if (rc)
            return rc;
        const uint16_t day = pass.attack_day;
        if (ret->ok || (!pass.in_attack && day != open_day) || day > LOG_DAY_MAX)
            return 0;
        if (day != open_day) {
            open_day = day;
            first_try = *ret;
        } else if (!pass.in_attack) {
            return 0; /* the night is explained, what follows is not */
        }
        if (division[day] >= divisions_of(log, how->rules, day))
            break;
        division[day]++;
    }
    *ret = first_try;
    return 0;
}

int log_replay(const LogGame *log, const LogReplay *how, LogFinding *ret, Err *err)
{
    CLEANUP(game_freep) Game *game = NULL;
    LogFinding finding;
    CLEANUP(arena_done) Arena sentences = arena_new(LANG_ARENA_BYTES(LANG_BYTES_MAX));
    int rc = game_new(how->rules, log->seat_count, &game, err);

    if (rc == 0 && !sentences.block)
        rc = err_set(err, ERR_MEMORY, "replay a game log: out of memory");
    if (rc == 0)
        rc = try_divisions(log, how, game, sentences, &finding, err);
    if (rc == 0)
        *ret = finding;
    return rc;
}
