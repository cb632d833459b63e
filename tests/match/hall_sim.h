/* hall_sim.h - a hall of the protocol division in simulated time: agents that come by themselves
 * and programs that it starts, none of which has a socket or a process.
 *
 * For:    test_hall.c, test_hall_week.c.
 * Memory: sim_open and sim_close; a Sim owns all between them. Its journal (`played`) outlives its
 *         halls.
 * Thread: the test's.
 * Source: docs/spec/protocol-division.md 1.1, 1.3, 6.3.
 *
 * Who is called good does nothing wrong; the others do, so often as `trouble` says, and what they
 * say is told by `word`. Nobody who is good may ever have a fault. Every game is played again from
 * its exchange record and key, and gives its log byte for byte.
 */
#ifndef WARG_TESTS_MATCH_HALL_SIM_H
#define WARG_TESTS_MATCH_HALL_SIM_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <inttypes.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/rng.h"
#include "base/utf8.h"
#include "match/draw_chance.h"
#include "match/hall.h"
#include "net/loop.h"
#include "record/exchange_replay.h"

#define SIM_VISITORS 24
#define SIM_SECOND   ((TimeUs)1000 * 1000)
#define SIM_MS       ((TimeUs)1000)

typedef struct Sim Sim;

/* The agent's end of a link. */
typedef struct Mouth {
    Sim *sim;
    const char *name;
    AiwolfAgent *ears; /* who hears what is said */
    bool open;
    bool good;
    bool goes;  /* instead of saying something */
    bool dead;  /* it says nothing any more */
    bool twice; /* and once more, which nobody has asked for */
    char word[64];
    Buf asked; /* packets of this game */
    Alarm alarm;
} Mouth;

/* Somebody who comes by itself, and again when it was sent away. */
typedef struct Visitor {
    Mouth mouth;
    char name[24];
    bool stays_away;
    Alarm alarm; /* comes */
} Visitor;

/* What was told of a game's findings, until its record comes. */
typedef struct SimNote {
    uint64_t game;
    SeatNo seat;
    FindingRule rule;
    uint32_t count;
} SimNote;

/* A program that the hall has started. */
typedef struct SimProgram {
    Mouth mouth;
    const ProgramEars *ears;
    void *user;
    bool shut;    /* its port */
    bool ends;    /* next; else it connects */
    bool ended;   /* and that was told */
    bool asked;   /* to end */
    bool foreign; /* somebody else connects before it */
    Alarm alarm;
    Alarm finds; /* it is found at something */
    struct SimProgram *next;
} SimProgram;

struct Sim {
    Alarms alarms;
    TimeUs now;
    Rng rng;
    uint32_t trouble; /* of 1000 occasions so many go wrong */
    uint32_t full;    /* of 1000 games so many can't be kept */
    bool finds;       /* programs are found at something at random moments, drawn by `finder` */
    Rng finder;
    Plan plan;
    StageRun run;
    HallPlan hall_plan;
    const OperatorActs *acts; /* what the hall goes by */
    uint64_t wanted;          /* sets of a hall that serves; 0: those of the stage */
    Hall *hall;               /* NULL: nobody is there */
    Played played;
    Visitor visitors[SIM_VISITORS];
    unsigned visitor_count;
    SimProgram *programs;
    unsigned links;
    bool over;
    TimeUs kept_at; /* the last game */
    uint64_t games;
    uint64_t lost; /* could not be kept */
    uint64_t started;
    uint64_t connected;
    uint64_t named;    /* programs, with the name that they say */
    uint64_t answered; /* by programs and guests, as who judges answers hears it */
    uint64_t faults[FAULT_COUNT];
    uint64_t fatal;
    uint64_t strangers;
    uint64_t lapses[EXCHANGE_ENDED + 1]; /* in exchange records, by what became of asks */
    uint64_t not_text;                   /* answers there */
    uint64_t packets;                    /* of good visitors, made again from records */
    SimNote *notes;                      /* told, of games that are not over */
    size_t note_count;
    size_t note_room;
    uint64_t found;        /* by programs, in all */
    uint64_t found_told;   /* of these, to who plays the hall */
    uint64_t found_kept;   /* of these, in records */
    uint64_t found_behind; /* of these, in no game */
    uint64_t found_lines;  /* told one by one */
    uint64_t found_totals; /* told at the ends of sets */
    Buf told;              /* "begins 0: ann bo; game 0; " as far as `tells` */
    bool tells;
};

static inline TimeUs sim_time(Sim *sim, TimeUs from, TimeUs to)
{
    return from + (TimeUs)(rng_next(&sim->rng) % (uint64_t)(to - from + 1));
}

static inline bool sim_fault(Mouth *mouth)
{
    return !mouth->good && rng_below(&mouth->sim->rng, 1000) < mouth->sim->trouble;
}

/* ---- what agents say ---- */

static inline void mouth_says(Mouth *mouth, const char *word, TimeUs delay)
{
    snprintf(mouth->word, sizeof(mouth->word), "%s", word);
    alarm_at(&mouth->alarm, mouth->sim->now + delay, false);
}

static inline const char *mouth_nonsense(Mouth *mouth)
{
    static const char *const words[] = {"what nobody can read",
                                        "",
                                        "\"\\\b\f\t\x7f",
                                        "no \xff text \xc3",
                                        "VOTE Agent[01]\rand more",
                                        "ESTIMATE Agent[02] SEER",
                                        "\xe5\x8d\xa0\xe3\x81\x84\xc2\x85 \xf0\x9f\x90\xba",
                                        "{\"agentIdx\":99}"};

    return words[rng_below(&mouth->sim->rng, 8)];
}

/* Instead of the answer: `word` at a wrong time, or nothing, or nonsense in its place. Under
 * another name it would be somebody else, for whom a set that goes on would wait for ever. */
static inline void mouth_errs(Mouth *mouth, const char *word, TimeUs delay)
{
    switch (rng_below(&mouth->sim->rng, 6)) {
    case 0:
        mouth->dead = true;
        break;
    case 1:
        mouth->goes = true;
        mouth_says(mouth, "", delay);
        break;
    case 2:
        mouth->twice = true;
        mouth_says(mouth, word, delay);
        break;
    case 3:
        mouth_says(mouth, word == mouth->name ? word : mouth_nonsense(mouth), delay);
        break;
    case 4:
        mouth_says(mouth, word, delay + 10 * SIM_SECOND);
        break;
    default: /* within the grace, or not */
        mouth_says(mouth, word, 9500 * SIM_MS + sim_time(mouth->sim, 0, 2 * SIM_SECOND));
        break;
    }
}

static inline void mouth_send(void *peer, Str packet)
{
    static const char start[] = "\"request\":\"";
    Mouth *mouth = peer;
    Sim *sim = mouth->sim;
    CLEANUP(buf_done) Buf text = {0};
    TimeUs delay = sim_time(sim, 100 * SIM_MS, 3 * SIM_SECOND);

    assert_true(mouth->open);
    buf_add(&text, packet);
    const char *at = strstr(buf_cstr(&text), start);
    assert_non_null(at);
    Str rest = str_of(at + sizeof(start) - 1);
    Str request = str_cut(&rest, '"');
    if (str_starts(request, STR("INITIALIZE")))
        buf_clear(&mouth->asked);
    const bool name = str_eq(request, STR("NAME"));
    buf_add(&mouth->asked, name ? STR("") : packet);
    if (str_starts(request, STR("INITIALIZE")) || str_starts(request, STR("DAILY_")) ||
        str_starts(request, STR("FINISH")) || mouth->dead)
        return;
    if (sim_fault(mouth))
        mouth_errs(mouth, name ? mouth->name : "Over", delay);
    else if (name)
        mouth_says(mouth, mouth->name, delay);
    else if (str_eq(request, STR("TALK")) || str_eq(request, STR("WHISPER")))
        mouth_says(mouth, rng_below(&sim->rng, 3) ? "Over" : "Skip", delay);
    else
        mouth_says(mouth, "{\"agentIdx\":2}", delay);
}

static inline void mouth_close(void *peer)
{
    Mouth *mouth = peer;

    assert_true(mouth->open);
    mouth->open = false;
    mouth->ears = NULL;
    mouth->sim->links--;
    alarm_stop(&mouth->alarm);
}

static const LinkKind mouth_link = {.send = mouth_send, .close = mouth_close};

static inline void mouth_speaks(void *user, TimeUs now)
{
    Mouth *mouth = user;

    mouth->sim->now = now;
    if (mouth->goes) {
        aiwolf_agent_ears.lost(mouth->ears, FAULT_DISCONNECT, STR(""), now);
        return;
    }
    const bool twice = mouth->twice;
    mouth->twice = false;
    aiwolf_agent_ears.heard(mouth->ears, str_of(mouth->word), now, now);
    if (twice && mouth->open)
        aiwolf_agent_ears.heard(mouth->ears, STR("and more"), now, now);
}

static inline bool name_is_good(const char *name)
{
    return strncmp(name, "good", 4) == 0;
}

static inline Link mouth_open(Mouth *mouth, AiwolfAgent *agent)
{
    mouth->open = true;
    mouth->goes = mouth->dead = mouth->twice = false;
    mouth->ears = agent;
    mouth->sim->links++;
    mouth->sim->connected++;
    return (Link){&mouth_link, mouth};
}

static inline void mouth_init(Mouth *mouth, Sim *sim, const char *name)
{
    *mouth = (Mouth){.sim = sim, .name = name, .good = name_is_good(name)};
    alarm_init(&mouth->alarm, &sim->alarms, mouth_speaks, mouth);
}

/* ---- who comes by itself ---- */

static inline int visitor_opens(void *user, const LinkEars *ears, AiwolfAgent *agent,
                                Link *ret_link)
{
    Visitor *visitor = user;

    assert_ptr_equal(ears, &aiwolf_agent_ears);
    *ret_link = mouth_open(&visitor->mouth, agent);
    return 0;
}

/* Looks whether it is still there, now and then. */
static inline void visitor_comes(void *user, TimeUs now)
{
    Visitor *visitor = user;
    Sim *sim = visitor->mouth.sim;
    const HallCaller caller = {visitor_opens, visitor};

    sim->now = now;
    alarm_at(&visitor->alarm, now + sim_time(sim, SIM_SECOND, 60 * SIM_SECOND), false);
    if (sim->hall && !sim->over && !visitor->mouth.open && !visitor->stays_away)
        assert_int_equal(hall_opened(sim->hall, &caller, now), 0);
}

static inline Visitor *sim_visitor(Sim *sim, const char *name)
{
    Visitor *visitor = &sim->visitors[sim->visitor_count++];

    assert_true(sim->visitor_count <= SIM_VISITORS);
    snprintf(visitor->name, sizeof(visitor->name), "%s", name);
    mouth_init(&visitor->mouth, sim, visitor->name);
    alarm_init(&visitor->alarm, &sim->alarms, visitor_comes, visitor);
    alarm_at(&visitor->alarm, sim->now + sim_time(sim, 0, 10 * SIM_SECOND), false);
    return visitor;
}

/* ---- programs ---- */

static inline void call_describe(const ProgramCall *call, Buf *out)
{
    (void)call;
    buf_add(out, STR("somebody else"));
}

static inline void program_ends_at(SimProgram *program, TimeUs at)
{
    program->ends = true;
    alarm_at(&program->alarm, at, false);
}

/* One thing, several of it, or so many that not all are told one by one. */
static inline void program_finds(SimProgram *program)
{
    Sim *sim = program->mouth.sim;
    const uint32_t many = rng_below(&sim->finder, 20) == 0 ? 150 : 1 + rng_below(&sim->finder, 3);
    const FindingRule rule = (FindingRule)rng_below(&sim->finder, FINDING_NAME);

    for (uint32_t i = 0; i < many; i++) {
        const uint32_t count = rng_below(&sim->finder, 8) ? 1 : 5;
        const Finding finding = {rule, count == 1 ? STR("what it tried") : STR(""), count};
        sim->found += count;
        program->ears->found(program->user, &finding, sim->now);
    }
}

static inline void program_is_found(void *user, TimeUs now)
{
    SimProgram *program = user;
    Sim *sim = program->mouth.sim;

    sim->now = now;
    program_finds(program);
    alarm_at(&program->finds, now + (TimeUs)rng_below(&sim->finder, 400) * SIM_SECOND, false);
}

static inline void program_ends(SimProgram *program)
{
    const ChildEnd how = {.status = program->mouth.good ? 0 : 1, .asked = program->asked};
    Sim *sim = program->mouth.sim;

    program->ended = true;
    alarm_stop(&program->finds);
    if (sim->finds && rng_below(&sim->finder, 2)) /* it saves what it has learnt */
        program_finds(program);
    if (program->mouth.open)
        aiwolf_agent_ears.lost(program->mouth.ears, FAULT_DISCONNECT, STR("gone"), sim->now);
    program->ears->ended(program->user, how, sim->now); /* which may free it */
}

static inline void program_calls(SimProgram *program)
{
    Sim *sim = program->mouth.sim;
    const ProgramCall call = {.ours = !program->foreign, .describe = call_describe};

    if (program->shut) { /* it was too late */
        program_ends_at(program, sim->now + SIM_SECOND);
        return;
    }
    AiwolfAgent *agent = program->ears->called(program->user, &call, sim->now);
    assert_true(program->foreign == !agent);
    if (program->foreign) {
        program->foreign = false;
        sim->strangers++;
        alarm_at(&program->alarm, sim->now + SIM_SECOND, false);
        return;
    }
    aiwolf_agent_open(agent, mouth_open(&program->mouth, agent), sim->now);
    program_ends_at(program, sim->now + 10 * SIM_SECOND); /* as soon as its connection is gone */
}

static inline void program_lives(void *user, TimeUs now)
{
    SimProgram *program = user;

    program->mouth.sim->now = now;
    if (!program->ends)
        program_calls(program);
    else if (!program->mouth.open || program->asked)
        program_ends(program);
    else
        alarm_at(&program->alarm, now + 10 * SIM_SECOND, false);
}

static inline int program_start(void *door, const ProgramPlan *plan, const ProgramEars *ears,
                                void *user, void **ret_program, Err *err)
{
    Sim *sim = door;
    SimProgram *program = mem_new(sizeof(*program));

    (void)err;
    mouth_init(&program->mouth, sim, plan->name);
    program->ears = ears;
    program->user = user;
    program->next = sim->programs;
    sim->programs = program;
    sim->started++;
    alarm_init(&program->alarm, &sim->alarms, program_lives, program);
    alarm_init(&program->finds, &sim->alarms, program_is_found, program);
    if (sim->finds)
        alarm_at(&program->finds, sim->now + (TimeUs)rng_below(&sim->finder, 60) * SIM_SECOND,
                 false);
    TimeUs delay = sim_time(sim, SIM_SECOND, 20 * SIM_SECOND);
    if (!program->mouth.good && rng_below(&sim->rng, 100) < sim->trouble) {
        program->ends = rng_below(&sim->rng, 2);
        program->foreign = rng_below(&sim->rng, 2);
        delay = sim_time(sim, SIM_SECOND, 120 * SIM_SECOND);
    }
    alarm_at(&program->alarm, sim->now + delay, false);
    *ret_program = program;
    return 0;
}

static inline void program_shut(void *own)
{
    ((SimProgram *)own)->shut = true;
}

static inline void program_stop(void *own)
{
    SimProgram *program = own;

    if (program->ended)
        return;
    program->asked = true;
    program_ends_at(program, program->mouth.sim->now + 100 * SIM_MS);
}

static inline void program_watch(void *own)
{
    (void)own;
}

static inline bool program_look(void *own, RunQueueLook *ret_look)
{
    (void)own, (void)ret_look;
    return false;
}

static inline Str program_last_lines(const void *own)
{
    (void)own;
    return STR("a last line");
}

static inline void program_free(void *own)
{
    SimProgram *program = own;
    SimProgram **at = &program->mouth.sim->programs;

    while (*at != program)
        at = &(*at)->next;
    *at = program->next;
    alarm_stop(&program->alarm);
    alarm_stop(&program->finds);
    alarm_stop(&program->mouth.alarm);
    if (program->mouth.open)
        aiwolf_agent_ears.lost(program->mouth.ears, FAULT_DISCONNECT, STR(""),
                               program->mouth.sim->now);
    buf_done(&program->mouth.asked);
    mem_free(program);
}

static const ProgramKind sim_programs = {.start = program_start,
                                         .shut = program_shut,
                                         .stop = program_stop,
                                         .watch = program_watch,
                                         .look = program_look,
                                         .last_lines = program_last_lines,
                                         .free = program_free};

/* ---- what the hall says ---- */

static inline int sim_set_begins(void *user, uint64_t set, SeatNo count, const Str *names, Err *err)
{
    Sim *sim = user;
    const PlayedSet *before = played_set(&sim->played, set);

    assert_int_equal(count, sim->plan.stages[0].players);
    if (sim->tells) {
        buf_printf(&sim->told, "begins %" PRIu64 ":", set);
        for (SeatNo seat = 1; seat <= count; seat++)
            buf_printf(&sim->told, " %.*s", STR_ARG(names[seat]));
        buf_add(&sim->told, STR("; "));
    }
    return before && before->seated ? 0 : played_add_set(&sim->played, set, count, names, err);
}

static inline void sim_count_lapses(Sim *sim, Str record)
{
    CLEANUP(exchange_close) ExchangeReader reader = {0};
    ExchangeEntry entry;

    assert_int_equal(exchange_open(record, &reader, NULL), 0);
    while (exchange_next(&reader, &entry, NULL) == 1) {
        sim->lapses[entry.lapse]++;
        sim->not_text += entry.lapse == EXCHANGE_ANSWERED && !utf8_valid(entry.text);
    }
    assert_true(reader.over);
}

/* What good visitors were sent, which is not in the record. */
typedef struct SimSent {
    Sim *sim;
    Str left[SEAT_MAX + 1];
} SimSent;

static inline void sim_told(void *user, SeatNo seat, Str packet)
{
    SimSent *sent = user;
    Str *left = &sent->left[seat];

    assert_true(packet.len > 0);
    if (!left->bytes)
        return;
    assert_true(str_eq(str_cut(left, '\n'), packet));
    sent->sim->packets++;
}

static inline void sim_sent(void *user, const ExchangeAsked *asked)
{
    const SeatNo seat = asked->entry->seat;

    assert_int_equal(asked->request.len == 0,
                     asked->entry->lapse == EXCHANGE_OUT || seat_in(asked->header->bots, seat));
    if (asked->request.len)
        sim_told(user, seat, asked->request);
}

static inline void sim_send_again(Sim *sim, const GameRecord *record, Str log, const GameKey *key)
{
    CLEANUP(buf_done) Buf again = {0};
    SimSent sent = {.sim = sim};
    const ExchangeListener listener = {.entry = sim_sent, .told = sim_told, .user = &sent};
    ExchangeFinding finding;
    size_t at;

    /* A game that was given up before anybody was asked began for nobody. */
    const bool begun = !str_find(record->exchange, STR(",\"asks\":0}"), &at);
    for (SeatNo seat = 1; begun && seat <= record->result.seat_count; seat++)
        for (unsigned i = 0; i < sim->visitor_count; i++)
            if (sim->visitors[i].mouth.good &&
                str_eq(record->result.names[seat], str_of(sim->visitors[i].name)))
                sent.left[seat] = buf_str(&sim->visitors[i].mouth.asked);
    assert_int_equal(
        exchange_replay(record->exchange, &sim->plan.rules, key, &listener, &again, &finding, NULL),
        0);
    assert_true(finding.ok && str_eq(buf_str(&again), log));
    for (SeatNo seat = 1; seat <= record->result.seat_count; seat++)
        assert_int_equal(sent.left[seat].len, 0);
}

/* The game again, from its record and its key. */
static inline void sim_play_again(Sim *sim, const GameRecord *record, Str log)
{
    const GameKey key = draw_game_key(&sim->run.draw, record->game);
    ExchangeFinding finding;
    char digest[SHA256_HEX_BYTES];

    assert_int_equal(exchange_check(record->exchange, log, &sim->plan.rules, &key, &finding, NULL),
                     0);
    if (!finding.ok)
        fail_msg("game %" PRIu64 ", %s, line %u: %s\n%.*s\n%.*s", record->game,
                 finding.file == EXCHANGE_FILE_LOG ? "log" : "exchange", finding.line,
                 finding.reason, STR_ARG(record->exchange), STR_ARG(log));
    assert_int_equal(sha256_hex(log, digest, NULL), 0);
    assert_string_equal(digest, record->log_sha256);
    sim_count_lapses(sim, record->exchange);
    sim_send_again(sim, record, log, &key);
}

static inline void sim_finding(void *user, const FindingNote *note, TimeUs now)
{
    Sim *sim = user;

    assert_int_equal(now, sim->now);
    assert_true(note->agent.len > 0 && note->seat >= 1);
    sim->found_told += note->finding.count;
    sim->found_lines += note->listed;
    if (!note->in_game) {
        sim->found_behind += note->finding.count;
        assert_int_equal(note->day, 0);
        return;
    }
    assert_int_equal(note->game / (uint64_t)sim->plan.stages[0].games_per_set, note->set);
    if (sim->note_count == sim->note_room) {
        sim->note_room = sim->note_room ? 2 * sim->note_room : 64;
        sim->notes = mem_resize(sim->notes, sim->note_room, sizeof(*sim->notes));
        assert_non_null(sim->notes);
    }
    sim->notes[sim->note_count++] =
        (SimNote){note->game, note->seat, note->finding.rule, note->finding.count};
}

/* The record of a game counts what was told of it, seat by seat, and nothing else. */
static inline void sim_check_findings(Sim *sim, const GameRecord *record)
{
    uint32_t told[SEAT_MAX + 1][FINDING_RULES] = {{0}};
    size_t left = 0;

    for (size_t i = 0; i < sim->note_count; i++) {
        const SimNote *note = &sim->notes[i];
        if (note->game == record->game)
            told[note->seat][note->rule] += note->count;
        else
            sim->notes[left++] = *note;
    }
    sim->note_count = left;
    for (SeatNo seat = 1; seat <= SEAT_MAX; seat++)
        for (FindingRule rule = FINDING_NETWORK; rule < FINDING_RULES; rule++) {
            assert_int_equal(record->seats[seat].findings[rule], told[seat][rule]);
            sim->found_kept += told[seat][rule];
        }
}

static inline void sim_findings_over(void *user, uint64_t set, const FindingTotal *totals,
                                     size_t count)
{
    Sim *sim = user;

    (void)set;
    for (size_t i = 0; i < count; i++)
        assert_true(totals[i].seen > FINDINGS_KEPT && totals[i].agent.len > 0);
    sim->found_totals += count;
    if (sim->tells)
        buf_printf(&sim->told, "found of set %" PRIu64 "; ", set);
}

/* Nobody is blamed who did nothing wrong, and no game is kept twice. */
static inline int sim_finished(void *user, const GameRecord *record, Str log, Err *err)
{
    Sim *sim = user;

    sim_play_again(sim, record, log);
    sim_check_findings(sim, record);
    for (SeatNo seat = 1; seat <= record->result.seat_count; seat++) {
        if (!str_starts(record->result.names[seat], STR("good")))
            continue;
        assert_false(record->seats[seat].failed);
        for (FaultKind kind = 0; kind < FAULT_COUNT; kind++)
            assert_int_equal(record->seats[seat].faults[kind], 0);
    }
    if (rng_below(&sim->rng, 1000) < sim->full) {
        sim->lost++;
        return err_set(err, ERR_IO, "the disk is full");
    }
    sim->games++;
    sim->kept_at = sim->now;
    if (sim->tells)
        buf_printf(&sim->told, "game %" PRIu64 "; ", record->game);
    return played_add_game(&sim->played, record, err);
}

static inline void sim_told_fault(void *user, uint64_t set, uint64_t game, Str agent,
                                  const Fault *fault)
{
    Sim *sim = user;

    (void)set, (void)game;
    if (str_starts(agent, STR("good")))
        fail_msg("%.*s: %s at %s, and it did nothing wrong", STR_ARG(agent),
                 fault_kind_name(fault->kind), fault->request);
    sim->faults[fault->kind]++;
    sim->fatal += fault->fatal;
    if (sim->tells)
        buf_printf(&sim->told, "%.*s: %s at %s; ", STR_ARG(agent), fault_kind_name(fault->kind),
                   fault->request);
}

static inline void sim_named(void *user, uint64_t set, Str agent, Str said, TimeUs now)
{
    Sim *sim = user;

    (void)set;
    assert_int_equal(now, sim->now);
    sim->named += str_eq(agent, said);
}

static inline void sim_answered(void *user, uint64_t game, Str agent, const Answer *answer,
                                const View *view)
{
    Sim *sim = user;

    (void)game;
    assert_true(agent.len > 0 && !answer->lapse);
    assert_true(view->seat >= 1 && view->seat <= view->seat_count);
    sim->answered++;
}

static inline void sim_set_over(void *user, uint64_t set)
{
    Sim *sim = user;

    if (sim->tells)
        buf_printf(&sim->told, "over %" PRIu64 "; ", set);
}

static inline void sim_note(void *user, Str text)
{
    Sim *sim = user;

    assert_true(text.len > 0);
    if (sim->tells)
        buf_printf(&sim->told, "[%.*s] ", STR_ARG(text));
}

static inline void sim_over(void *user, TimeUs now)
{
    (void)now;
    ((Sim *)user)->over = true;
}

/* ---- surroundings ---- */

/* A stage of so many sets of two games. */
static inline void sim_open(Sim *sim, uint64_t seed, int32_t players, uint64_t sets)
{
    *sim = (Sim){.now = SIM_SECOND, .rng = rng_new(seed), .finder = rng_new(seed + 1)};
    assert_int_equal(plan_init(&sim->plan, NULL), 0);
    sim->plan.rules.contest.time_limit_ms = 10000;
    sim->plan.rules.contest.time_limit_grace_ms = 1000;
    sim->plan.limits.startup_ms = 60000;
    PlanStage stage = plan_default_stage(&sim->plan);
    stage.players = players;
    stage.games_per_set = 2;
    stage.sets = sets;
    assert_int_equal(plan_add_stage(&sim->plan, &stage, NULL), 0);
}

/* An agent that is started (`command`), or else a bot. */
static inline void sim_agent(Sim *sim, const char *name, bool command)
{
    PlanAgent agent = {.bot = command ? NULL : bot_kind(STR("sample")),
                       .command = command ? "started" : NULL};

    assert_int_equal(plan_agent_name(&agent, str_of(name), NULL), 0);
    assert_int_equal(plan_add_agent(&sim->plan, &agent, NULL), 0);
}

/* The hall that goes on with what is played already. */
static inline void sim_begin(Sim *sim, bool serve)
{
    const HallDoors doors = {&sim->alarms, {&sim_programs, sim}};
    const PlanStage *stage = &sim->plan.stages[0];
    uint32_t agents = serve ? (uint32_t)stage->players : sim->plan.agent_count;

    sim->run = (StageRun){.plan = &sim->plan,
                          .date = loop_date_ms,
                          .logs = true,
                          .exchange = true,
                          .agents = serve ? NULL : sim->plan.agents,
                          .draw = draw_of_seed(stage, &sim->plan.rules, agents, 1),
                          .played = &sim->played,
                          .finished = sim_finished,
                          .user = sim};
    sim->hall_plan = (HallPlan){.run = &sim->run,
                                .tables = 2,
                                .serve = serve,
                                .sets = !serve        ? 0
                                        : sim->wanted ? sim->wanted
                                                      : stage->sets,
                                .acts = sim->acts,
                                .bots = serve ? sim->plan.agents : NULL,
                                .bot_count = serve ? sim->plan.agent_count : 0,
                                .set_begins = sim_set_begins,
                                .set_over = sim_set_over,
                                .fault = sim_told_fault,
                                .finding = sim_finding,
                                .findings_over = sim_findings_over,
                                .named = sim_named,
                                .answered = sim_answered,
                                .note = sim_note,
                                .over = sim_over,
                                .user = sim};
    sim->over = false;
    sim->note_count = 0; /* those of games that were given up */
    assert_int_equal(hall_new(&sim->hall_plan, &doors, &sim->hall, NULL), 0);
    assert_int_equal(hall_open(sim->hall, sim->now, NULL), 0);
}

/* As it is: nothing may be left of it. */
static inline void sim_kill(Sim *sim)
{
    sim->hall = hall_free(sim->hall);
    assert_null(sim->programs);
    assert_int_equal(sim->links, 0);
}

static inline void sim_step(Sim *sim)
{
    assert_true(alarms_play(&sim->alarms, &sim->now));
}

static inline void sim_play_to_end(Sim *sim)
{
    while (!sim->over)
        sim_step(sim);
}

static inline bool sim_play_until(Sim *sim, const char *told)
{
    while (!sim->over && !strstr(buf_cstr(&sim->told), told))
        sim_step(sim);
    return strstr(buf_cstr(&sim->told), told) != NULL;
}

static inline unsigned sim_times(const Sim *sim, const char *told)
{
    unsigned count = 0;

    for (const char *at = buf_cstr(&sim->told); (at = strstr(at, told)); at++)
        count++;
    return count;
}

static inline void sim_close(Sim *sim)
{
    sim_kill(sim);
    for (unsigned i = 0; i < sim->visitor_count; i++) {
        alarm_stop(&sim->visitors[i].alarm);
        buf_done(&sim->visitors[i].mouth.asked);
    }
    assert_int_equal(alarms_next(&sim->alarms), TIME_US_NEVER);
    played_done(&sim->played);
    plan_done(&sim->plan);
    buf_done(&sim->told);
    mem_free(sim->notes);
}

#endif
