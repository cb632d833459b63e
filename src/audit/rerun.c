#include "audit/rerun.h"

#include "base/mem.h"
#include "base/suggest.h"
#include "contest/exchange_folder.h"
#include "disk/log_file.h"
#include "journal/journal.h"
#include "seat/child_program.h"

#include <inttypes.h>
#include <stdlib.h>

#define LOOK_US ((TimeUs)100 * 1000) /* how often one looks whether it is to end */

/* A game in which an agent sat. */
typedef struct Sitting {
    uint32_t agent; /* of the setup */
    uint32_t stage; /* by stage_number */
    uint64_t set;
    uint64_t game;
    size_t log_at; /* name of its log, in the texts */
    SeatNo seat;
} Sitting;

/* Those of one agent on one seat of one set: they follow each other. */
typedef struct Group {
    size_t first, end;
    uint64_t score;
} Group;

typedef struct Rerun {
    const RerunSetup *setup;
    ExchangeFolder folder;
    Sitting *sittings;
    size_t count, room;
    Buf texts;
    Buf names; /* of agents whose answers are kept, a line each */

    Loop *loop;
    ChildDoor door;
    Alarm begin, look;
    Err *err;
    int rc;

    RerunVerdict *verdict; /* of the agent at hand */
    uint64_t sets;         /* of it */
    RerunPlay *play;
    size_t next, end;  /* sittings of the set at hand that are left */
    RerunScript ready; /* of `next`, once it is made */
    bool is_ready;
    size_t at;     /* the sitting that is played */
    uint64_t told; /* answers of this play that are counted */
    Buf record;
} Rerun;

static int no_memory(Err *err)
{
    return err_set(err, ERR_MEMORY, "audit: out of memory");
}

/* ---- who sat where ---- */

static int add_sitting(Rerun *rerun, const Sitting *sitting, Err *err)
{
    if (rerun->count == rerun->room) {
        size_t room = rerun->room ? rerun->room * 2 : 256;
        Sitting *more = mem_resize(rerun->sittings, room, sizeof(*more));
        if (!more)
            return no_memory(err);
        rerun->sittings = more;
        rerun->room = room;
    }
    rerun->sittings[rerun->count++] = *sitting;
    return 0;
}

static bool has_name(const Rerun *rerun, Str name)
{
    for (Str rest = buf_str(&rerun->names); rest.len;)
        if (str_eq(str_cut(&rest, '\n'), name))
            return true;
    return false;
}

static int on_game(void *user, const GameRecord *record, Err *err)
{
    Rerun *rerun = user;
    const size_t log_at = rerun->texts.len;
    int rc = 0;

    if (!record->exchange_sha256[0])
        return 0;
    buf_add(&rerun->texts, str_of(record->log));
    buf_add_char(&rerun->texts, '\0');
    for (SeatNo seat = 1; seat <= record->result.seat_count && rc == 0; seat++) {
        const Str name = record->result.names[seat];
        if (!record->seats[seat].outside)
            continue;
        if (!has_name(rerun, name)) {
            buf_add(&rerun->names, name);
            buf_add_char(&rerun->names, '\n');
        }
        for (uint32_t agent = 0; agent < rerun->setup->count && rc == 0; agent++) {
            const Sitting sitting = {agent, record->stage, record->set, record->game, log_at, seat};
            if (str_eq(name, str_of(rerun->setup->agents[agent].name)))
                rc = add_sitting(rerun, &sitting, err);
        }
    }
    return rc || !(buf_failed(&rerun->texts) || buf_failed(&rerun->names)) ? rc : no_memory(err);
}

static int order_of(uint64_t a, uint64_t b)
{
    return a < b ? -1 : a > b;
}

static int compare_sittings(const void *a, const void *b)
{
    const Sitting *x = a, *y = b;
    int order = order_of(x->agent, y->agent);

    order = order ? order : order_of(x->stage, y->stage);
    order = order ? order : order_of(x->set, y->set);
    order = order ? order : order_of(x->seat, y->seat);
    return order ? order : order_of(x->game, y->game);
}

static int read_sittings(Rerun *rerun, Err *err)
{
    const JournalListener listener = {.game = on_game, .user = rerun};
    int rc = exchange_folder_open(&rerun->folder, rerun->setup->dir, err);

    if (rc == 0)
        rc = journal_read(rerun->setup->dir, &listener, NULL, err);
    if (rc == 0 && !rerun->folder.has_plan)
        rc = err_set(err, rerun->folder.plan_error.code, "%s", rerun->folder.plan_error.msg);
    if (rc == 0 && rerun->count)
        qsort(rerun->sittings, rerun->count, sizeof(*rerun->sittings), compare_sittings);
    return rc;
}

static int no_sitting(const Rerun *rerun, const char *name, Err *err)
{
    Suggest near = {.word = str_of(name)};

    for (Str rest = buf_str(&rerun->names); rest.len;)
        suggest_offer(&near, str_cut(&rest, '\n'));
    const Str best = suggest_best(&near);
    if (best.len)
        return err_set(err, ERR_USAGE,
                       "--rerun %s: no answers of such an agent are kept there; did you mean "
                       "'%.*s'?",
                       name, STR_ARG(best));
    return err_set(err, ERR_USAGE,
                   "--rerun %s: no answers of such an agent are kept there; built-in bots have no "
                   "program",
                   name);
}

/* ---- which sets ---- */

static bool is_one_set(const Sitting *a, const Sitting *b)
{
    return a->agent == b->agent && a->stage == b->stage && a->set == b->set && a->seat == b->seat;
}

static int compare_scores(const void *a, const void *b)
{
    const Group *x = a, *y = b;
    int order = order_of(x->score, y->score);

    return order ? order : order_of(x->first, y->first);
}

static int compare_firsts(const void *a, const void *b)
{
    const Group *x = a, *y = b;

    return order_of(x->first, y->first);
}

/* Those of sittings `first` to `end`, in their order; of many as many as were asked for. */
static size_t make_groups(const Rerun *rerun, size_t first, size_t end, Group *groups)
{
    const KeyRoot root = key_root(rerun->setup->pick);
    const uint64_t most = rerun->setup->sets;
    size_t count = 0;

    for (size_t i = first; i < end; i++) {
        const Sitting *sitting = &rerun->sittings[i];
        if (i > first && is_one_set(sitting, sitting - 1)) {
            groups[count - 1].end = i + 1;
            continue;
        }
        const Key key = key_derive_item(&root, STR("rerun"), sitting->stage,
                                        sitting->set * SEAT_MAX + sitting->seat);
        groups[count++] = (Group){i, i + 1, key_seed(&key)};
    }
    if (most == 0 || count <= most)
        return count;
    qsort(groups, count, sizeof(*groups), compare_scores);
    qsort(groups, (size_t)most, sizeof(*groups), compare_firsts);
    return (size_t)most;
}

/* ---- scripts ---- */

static void break_off(Rerun *rerun, const char *file, unsigned line, const char *why)
{
    RerunVerdict *verdict = rerun->verdict;

    verdict->state = RERUN_BROKEN;
    verdict->difference.line = line;
    snprintf(verdict->file, sizeof(verdict->file), "%s", file);
    snprintf(verdict->text, sizeof(verdict->text), "%s", why);
}

/* Reads the record, and what its header says; 0 = it is of this game. */
static int open_record(Rerun *rerun, const Sitting *sitting, const char *name, GameKey *ret_key,
                       Err *own)
{
    CLEANUP(buf_done) Buf path = {0};
    CLEANUP(exchange_close) ExchangeReader reader = {0};

    buf_clear(&rerun->record);
    buf_printf(&path, "%s/%s", rerun->setup->dir, name);
    if (buf_failed(&path))
        return no_memory(own);
    int rc = log_file_read(buf_cstr(&path), EXCHANGE_TEXT_MAX, &rerun->record, own);
    if (rc == 0)
        rc = exchange_open(buf_str(&rerun->record), &reader, own);
    if (rc)
        return rc;
    const ExchangeHeader *header = &reader.header;
    if (header->stage != sitting->stage || header->game != sitting->game ||
        header->seat_count < sitting->seat ||
        !str_eq(header->names[sitting->seat], str_of(rerun->verdict->name)))
        return err_set_at(own, ERR_RULE, 1, 0, "is the record of another game");
    if (!exchange_folder_key(&rerun->folder, header, ret_key))
        return err_set(own, ERR_RULE,
                       "the key of this game is not known yet: it is published when its stage is "
                       "over");
    return 0;
}

/* Makes the script of the next sitting. Errors: ERR_MEMORY; else the verdict says what is wrong. */
static int make_script(Rerun *rerun, Err *err)
{
    const Sitting *sitting = &rerun->sittings[rerun->next];
    char name[GAME_LOG_MAX + 1] = "";
    GameKey key;
    ExchangeFinding found = {0};
    Err own = {0};

    exchange_path(rerun->texts.bytes + sitting->log_at, name);
    int rc = open_record(rerun, sitting, name, &key, &own);
    if (rc == 0)
        rc = rerun_script_make(&rerun->ready, buf_str(&rerun->record), &rerun->folder.plan.rules,
                               &key, sitting->seat, &found, &own);
    if (rc == ERR_MEMORY)
        return no_memory(err);
    if (rc)
        break_off(rerun, name, own.line, own.msg);
    else if (!found.ok)
        break_off(rerun, name, found.line, found.reason);
    rerun->is_ready = rc == 0 && found.ok;
    return 0;
}

/* The next game in which something was asked; false when there is none in this set. */
static bool find_script(Rerun *rerun)
{
    while (rerun->rc == 0 && rerun->verdict->state != RERUN_BROKEN && rerun->next < rerun->end) {
        if (!rerun->is_ready)
            rerun->rc = make_script(rerun, rerun->err);
        if (rerun->is_ready && !rerun->ready.absent)
            return true;
        rerun->is_ready = false;
        rerun->next++;
    }
    return false;
}

/* ---- one program ---- */

static void count_answers(Rerun *rerun)
{
    const uint64_t answers = rerun_play_answers(rerun->play);

    rerun->verdict->answers += answers - rerun->told;
    rerun->told = answers;
}

/* Whose agent had failed before the game has no program any more. */
static bool on_next_game(void *user, RerunScript *script)
{
    Rerun *rerun = user;
    const size_t before = rerun->next;

    if (rerun->play)
        count_answers(rerun);
    if (!find_script(rerun) || (rerun->at < rerun->end && rerun->next != before))
        return false;
    const RerunScript spare = *script;
    *script = rerun->ready;
    rerun->ready = spare;
    rerun->is_ready = false;
    rerun->at = rerun->next++;
    rerun->verdict->games++;
    return true;
}

static void on_over(void *user)
{
    const Rerun *rerun = user;

    loop_stop(rerun->loop);
}

static void on_begin(void *user, TimeUs now)
{
    Rerun *rerun = user;
    const RerunAgent *agent = &rerun->setup->agents[rerun->sittings[rerun->next].agent];
    const RerunPlaySetup setup = {.door = child_door(&rerun->door),
                                  .alarms = loop_alarms(rerun->loop),
                                  .plan = {.name = agent->name, .command = agent->command},
                                  .next_game = on_next_game,
                                  .over = on_over,
                                  .user = rerun};

    rerun->rc = rerun_play_new(&setup, now, &rerun->play, rerun->err);
    if (rerun->rc)
        loop_stop(rerun->loop);
}

static void on_look(void *user, TimeUs now)
{
    Rerun *rerun = user;
    const RerunSetup *setup = rerun->setup;

    alarm_at(&rerun->look, now + LOOK_US, false);
    if (setup->progress && !setup->progress(setup->user, rerun->verdict->name, rerun->verdict->sets,
                                            rerun->sets, now)) {
        rerun->rc = err_set(rerun->err, ERR_INTERRUPTED, "ended early");
        loop_stop(rerun->loop);
    }
}

/* From the next sitting on as far as it goes. What differs is in *ret. */
static int play_program(Rerun *rerun, RerunDifference *ret)
{
    rerun->at = rerun->end;
    rerun->told = 0;
    alarm_soon(&rerun->begin);
    alarm_soon(&rerun->look);
    loop_run(rerun->loop);
    alarm_stop(&rerun->begin);
    alarm_stop(&rerun->look);
    if (rerun->play)
        *ret = *rerun_play_difference(rerun->play);
    if (rerun->play && !ret->found)
        count_answers(rerun);
    rerun->play = rerun_play_free(rerun->play);
    return rerun->rc;
}

/* ---- a set ---- */

static void tell_difference(Rerun *rerun, size_t at, const RerunDifference *difference)
{
    const Sitting *sitting = &rerun->sittings[at];
    RerunVerdict *verdict = rerun->verdict;

    verdict->state = RERUN_DIFFERS;
    verdict->difference = *difference;
    verdict->set = sitting->set;
    verdict->game = sitting->game;
    exchange_path(rerun->texts.bytes + sitting->log_at, verdict->file);
}

/* A difference behind the first game of a program is looked at once more with another one. */
static int play_set(Rerun *rerun, const Group *group)
{
    RerunDifference first = {0};
    size_t first_at = 0;
    int rc = 0;

    rerun->next = group->first;
    rerun->end = group->end;
    rerun->is_ready = false;
    while (rc == 0 && find_script(rerun)) {
        const size_t begun = rerun->next;
        const bool again = first.found && begun == first_at;
        RerunDifference found = {0};
        rc = play_program(rerun, &found);
        if (rc)
            return rc;
        const size_t at = found.came ? rerun->at : begun;
        if (again && !(found.found && at == first_at)) {
            rerun->verdict->anew++;
            first.found = false;
        }
        if (!found.found)
            continue;
        if (at == begun) {
            tell_difference(rerun, at, again ? &first : &found);
            return 0;
        }
        first = found;
        first_at = rerun->next = at;
        rerun->verdict->games--;
        rerun->is_ready = false;
    }
    return rc ? rc : rerun->rc;
}

/* Whether this agent's verdict is said. */
static bool is_settled(const Rerun *rerun)
{
    return rerun->verdict->state == RERUN_DIFFERS || rerun->verdict->state == RERUN_BROKEN;
}

static int play_agent(Rerun *rerun, uint32_t agent, Err *err)
{
    size_t first = 0, end;

    while (first < rerun->count && rerun->sittings[first].agent != agent)
        first++;
    for (end = first; end < rerun->count && rerun->sittings[end].agent == agent;)
        end++;
    if (first == end)
        return no_sitting(rerun, rerun->setup->agents[agent].name, err);
    CLEANUP(mem_freep) Group *groups = mem_new((end - first) * sizeof(*groups));
    if (!groups)
        return no_memory(err);
    const size_t count = make_groups(rerun, first, end, groups);
    rerun->sets = count;
    for (size_t i = 0; i < count && !is_settled(rerun); i++) {
        const uint64_t games = rerun->verdict->games;
        int rc = play_set(rerun, &groups[i]);
        if (rc)
            return rc;
        rerun->verdict->sets += rerun->verdict->games > games;
    }
    if (!is_settled(rerun) && rerun->verdict->games)
        rerun->verdict->state = RERUN_SAME;
    else if (!is_settled(rerun))
        snprintf(rerun->verdict->text, sizeof(rerun->verdict->text),
                 "it had failed before its first game, and was asked nothing");
    return 0;
}

/* ---- public ---- */

static int open_loop(Rerun *rerun, Err *err)
{
    const PlanLimits *limits = &rerun->folder.plan.limits;
    int rc = loop_new(&rerun->loop, err);

    if (rc)
        return rc;
    rerun->door = (ChildDoor){.loop = rerun->loop,
                              .host = rerun->setup->host,
                              .cell = rerun->setup->cell,
                              .limits = {limits->line_bytes, limits->queue_bytes}};
    alarm_init(&rerun->begin, loop_alarms(rerun->loop), on_begin, rerun);
    alarm_init(&rerun->look, loop_alarms(rerun->loop), on_look, rerun);
    return 0;
}

static void rerun_done(Rerun *rerun)
{
    rerun_play_free(rerun->play);
    loop_free(rerun->loop);
    exchange_folder_done(&rerun->folder);
    rerun_script_done(&rerun->ready);
    mem_free(rerun->sittings);
    buf_done(&rerun->texts);
    buf_done(&rerun->names);
    buf_done(&rerun->record);
}

int rerun_run(const RerunSetup *setup, RerunVerdict ret_verdicts[], Err *err)
{
    Rerun rerun = {.setup = setup, .err = err};
    int rc = read_sittings(&rerun, err);

    if (rc == 0)
        rc = open_loop(&rerun, err);
    for (uint32_t agent = 0; agent < setup->count && rc == 0; agent++) {
        rerun.verdict = &ret_verdicts[agent];
        *rerun.verdict = (RerunVerdict){.name = setup->agents[agent].name};
        rc = play_agent(&rerun, agent, err);
    }
    rerun_done(&rerun);
    return rc;
}

bool rerun_holds(const RerunVerdict verdicts[], uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (verdicts[i].state == RERUN_DIFFERS || verdicts[i].state == RERUN_BROKEN)
            return false;
    return true;
}
