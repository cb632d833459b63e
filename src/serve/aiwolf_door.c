#include "serve/aiwolf_door.h"
#include "match/hall_door.h"

#include "base/metric_text.h"
#include "contest/agent_spec.h"
#include "contest/finding_watch.h"
#include "contest/out_folder.h"
#include "disk/result_folder.h"
#include "match/draw_chance.h"
#include "serve/connection_room.h"
#include "show/terminal.h"
#include "stats/team_metrics.h"

#include <inttypes.h>
#include <stdio.h>

/* The results of a set, from its first game until it is told. */
typedef struct ServedSet {
    uint64_t set;
    Standings standings;
    bool running; /* it was begun now */
    bool over;
    uint64_t written_at; /* games that must be on disk before it is told */
    struct ServedSet *next;
} ServedSet;

struct AiwolfDoor {
    AiwolfDoorSetup setup;
    Plan *plan;
    StageRun stage;
    OutFolder folder;
    HallPlan hall_plan;
    HallDoorPlan hall_door;
    HallDoor *hall;   /* NULL when it is over */
    Live *live;       /* NULL without http_host */
    LivePages *pages; /* NULL = none */
    Cell *cell;       /* of agents that we start; NULL = none */
    FindingWatch watch;
    OperatorActs *acts;
    OperatorDesk *desk; /* NULL: nobody can come to it */
    TeamMetrics *teams; /* of games that are over; NULL: nobody reads them */
    uint64_t won[3];    /* games now, by Side; [SIDE_NONE]: without a winner */
    ServedSet *sets;
    uint16_t port;
    bool fresh_key; /* the one before was published */
    bool over;
    uint64_t games; /* finished now */
    uint64_t sets_begun;
    uint64_t begun; /* 1 + the highest number of a set that was begun */
    Played now;     /* of sets that were begun now: how many games, whether it is void */
    bool has_begun; /* a set, now */
    bool cut;       /* sets were under way when it was stopped */
    Exit status;    /* what the sets that were told come to */
    Progress progress;
    Err err;
};

/* ---- while it runs ---- */

static void door_say(AiwolfDoor *door, Str text)
{
    CLEANUP(buf_done) Buf line = {0};

    if (door->setup.quiet)
        return;
    progress_end(&door->progress);
    if (door->setup.several)
        buf_printf(&line, "[%u] ", door->port);
    buf_add(&line, text);
    door->setup.words.say(door->setup.words.user, buf_str(&line));
}

static ServedSet *find_set(AiwolfDoor *door, uint64_t set)
{
    ServedSet *found = door->sets;

    while (found && found->set != set)
        found = found->next;
    return found;
}

static ServedSet *add_set(AiwolfDoor *door, uint64_t set)
{
    ServedSet *served = mem_new(sizeof(*served));

    if (!served)
        return NULL;
    served->set = set;
    served->next = door->sets;
    door->sets = served;
    return served;
}

/* Games of a set that is resumed count in its table. */
static int on_played_game(void *user, const GameRecord *record, Err *err)
{
    AiwolfDoor *door = user;
    ServedSet *served = find_set(door, record->set);

    if (!served)
        served = add_set(door, record->set);
    return served ? standings_add_record(&served->standings, record, err)
                  : err_set(err, ERR_MEMORY, "set: out of memory");
}

/* By an operator, before or now. */
static bool set_is_void(const AiwolfDoor *door, uint64_t set)
{
    const PlayedSet *before = played_set(&door->folder.played[0], set);
    const PlayedSet *now = played_set(&door->now, set);

    return (before && before->is_void) || (now && now->is_void);
}

/* Games of void sets that will never be played. */
static uint64_t count_missing(const AiwolfDoor *door)
{
    const uint64_t per_set = (uint64_t)door->plan->stages[0].games_per_set;
    uint64_t count = 0;

    for (uint64_t set = 0; set < door->begun; set++) {
        const PlayedSet *before = played_set(&door->folder.played[0], set);
        const PlayedSet *now = played_set(&door->now, set);
        if (set_is_void(door, set))
            count += per_set - (before ? before->games : 0) - (now ? now->games : 0);
    }
    return count;
}

/* Sets that are over and told, or void. */
static void forget_sets(AiwolfDoor *door, bool complete)
{
    uint64_t games = (uint64_t)door->plan->stages[0].games_per_set;

    for (ServedSet **at = &door->sets; *at;) {
        ServedSet *served = *at;
        if (!(complete && served->standings.games >= games) && !set_is_void(door, served->set)) {
            at = &served->next;
            continue;
        }
        *at = served->next;
        standings_done(&served->standings);
        mem_free(served);
    }
}

static int on_set_begins(void *user, uint64_t set, SeatNo count, const Str *names, Err *err)
{
    AiwolfDoor *door = user;
    CLEANUP(buf_done) Buf line = {0};
    ServedSet *served = find_set(door, set);

    if (!served)
        served = add_set(door, set);
    if (!served)
        return err_set(err, ERR_MEMORY, "set: out of memory");
    served->running = true;
    door->has_begun = true;
    door->sets_begun++;
    if (set >= door->begun)
        door->begun = set + 1;
    buf_printf(&line, "set %" PRIu64 " begins:", set);
    for (SeatNo seat = 1; seat <= count; seat++)
        buf_printf(&line, " %.*s", STR_ARG(names[seat]));
    door_say(door, buf_str(&line));
    return door->folder.journal ? journal_add_set(door->folder.journal, 0, set, count, names, err)
                                : 0;
}

static void count_game(AiwolfDoor *door, const GameRecord *record)
{
    const Side winner = record->result.winner;

    door->won[winner == SIDE_VILLAGER || winner == SIDE_WEREWOLF ? winner : SIDE_NONE]++;
    if (door->teams)
        team_metrics_add(door->teams, record);
}

static int on_finished(void *user, const GameRecord *record, Str log, Err *err)
{
    AiwolfDoor *door = user;
    ServedSet *served = find_set(door, record->set);
    int rc = 0;

    if (door->folder.journal)
        rc = journal_add_game(door->folder.journal, record, log, err);
    if (rc == 0 && served)
        rc = standings_add_record(&served->standings, record, err);
    if (rc == 0)
        rc = played_add_game(&door->now, record, err);
    if (rc == 0)
        count_game(door, record);
    door->games++;
    return rc;
}

static void on_set_over(void *user, uint64_t set)
{
    AiwolfDoor *door = user;
    ServedSet *served = find_set(door, set);
    if (!served)
        return;
    served->over = true;
    served->written_at = door->games;
}

static void on_fault(void *user, uint64_t set, uint64_t game, Str agent, const Fault *fault)
{
    AiwolfDoor *door = user;
    CLEANUP(buf_done) Buf line = {0};

    if (door->folder.journal)
        journal_add_fault(door->folder.journal, door->setup.date(), 0, set, game, agent, fault,
                          NULL);
    if (!fault->fatal)
        return;
    buf_printf(&line, "set %" PRIu64 ", game %" PRIu64 ": agent %.*s failed: ", set, game,
               STR_ARG(agent));
    fault_print(fault, &line);
    door_say(door, buf_str(&line));
}

static void on_finding(void *user, const FindingNote *note, TimeUs now)
{
    AiwolfDoor *door = user;
    CLEANUP(buf_done) Buf line = {0};

    (void)now;
    finding_watch_add(&door->watch, door->folder.journal, door->setup.date(), note, &line);
    if (line.len)
        door_say(door, buf_str(&line));
}

static void on_findings_over(void *user, uint64_t set, const FindingTotal *totals, size_t count)
{
    const AiwolfDoor *door = user;

    if (door->folder.journal)
        journal_end_findings(door->folder.journal, door->setup.date(), 0, set, totals, count, NULL);
}

static void on_decided(void *user, uint64_t set, Str agent, const DecisionSheet *whole,
                       const DecisionSheet *rest)
{
    AiwolfDoor *door = user;
    CLEANUP(buf_done) Buf text = {0};
    DecisionNote note = {.set = set, .agent = agent, .sheet = *rest};
    const Conduct conduct = {.decisions = rest->decisions, .own = rest->own};
    ServedSet *served = find_set(door, set);

    if (served) {
        standings_add_conduct(&served->standings, agent, &conduct, NULL);
        standings_set_model(&served->standings, agent, &whole->model, NULL);
    }
    decision_note_write(&note, &text);
    if (door->folder.journal)
        journal_add_note(door->folder.journal, buf_str(&text), NULL);
    if (decisions_are_own(whole->own, whole->decisions))
        return;
    buf_clear(&text);
    note.sheet = *whole;
    decision_note_write(&note, &text);
    door_say(door, buf_str(&text));
    door->status = exit_status_of_both(door->status, whole->own ? EXIT_NOT_OWN : EXIT_NOT_RANKED);
}

static void on_note(void *user, Str text)
{
    door_say(user, text);
}

static void on_game_begins(void *user, uint64_t game, SeatNo count, const Str *names, TimeUs now)
{
    const AiwolfDoor *door = user;

    live_begins(door->live, game, count, names, NULL, now);
}

static void on_heard(void *user, uint64_t game, const Event *event, TimeUs now)
{
    const AiwolfDoor *door = user;

    live_heard(door->live, game, event, now);
}

static void on_game_ends(void *user, const GameRecord *record, TimeUs now)
{
    const AiwolfDoor *door = user;

    live_ends(door->live, record->game, record->reason == END_ABORTED, now);
}

static void tell_set(AiwolfDoor *door, ServedSet *served)
{
    CLEANUP(buf_done) Buf out = {0};

    progress_end(&door->progress);
    standings_rank(&served->standings, 0);
    const StandingsView view = {.form = door->setup.form,
                                .color = terminal_colors(stdout, COLOR_AUTO),
                                .set = &served->set};
    if (door->setup.several && door->setup.form == STANDINGS_TABLE)
        buf_printf(&out, "[%u] ", door->port);
    standings_write(&served->standings, &view, &out);
    door->status = exit_status_of_both(door->status, standings_status(&served->standings));
    if (door->setup.form == STANDINGS_TABLE)
        buf_add_char(&out, '\n');
    door->setup.words.print(door->setup.words.user, buf_str(&out));
}

/* Sets that are over and on disk are told, in the order in which they began. */
static void tell_sets(AiwolfDoor *door, uint64_t written)
{
    while (true) {
        ServedSet **first = NULL;
        for (ServedSet **at = &door->sets; *at; at = &(*at)->next)
            if ((*at)->over && (*at)->written_at <= written)
                first = at; /* the list has the latest set in front */
        if (!first)
            return;
        ServedSet *served = *first;
        *first = served->next;
        tell_set(door, served);
        standings_done(&served->standings);
        mem_free(served);
    }
}

static bool on_progress(void *user, uint64_t done, TimeUs now)
{
    AiwolfDoor *door = user;
    CLEANUP(buf_done) Buf line = {0};
    uint64_t written = door->folder.journal ? journal_games_written(door->folder.journal) : done;

    tell_sets(door, written);
    if (door->sets) {
        buf_printf(&line, "%" PRIu64 " games played", written);
        progress_show(&door->progress, now / 1000, buf_str(&line));
    }
    return true;
}

/* Missing agents of the sets that were under way, for the person who starts them. */
static void say_expected(AiwolfDoor *door)
{
    const Played *played = &door->folder.played[0];
    CLEANUP(buf_done) Buf line = {0};
    uint32_t drawn[SEAT_MAX + 1];

    for (uint64_t set = 0; set < played->set_count; set++) {
        const PlayedSet *before = played_set(played, set);
        if (!before->seated || before->is_void ||
            before->games >= (uint64_t)door->plan->stages[0].games_per_set)
            continue;
        buf_clear(&line);
        buf_printf(&line,
                   "set %" PRIu64 " goes on behind %" PRIu32 " games, when these are back:", set,
                   before->games);
        draw_seats(&door->stage.draw, set, drawn); /* the first of the drawn are built-in */
        for (SeatNo seat = 1; seat <= before->count; seat++)
            if (!seat_in(before->failed, seat) && drawn[seat] >= door->plan->agent_count)
                buf_printf(&line, " %s", before->names[seat]);
        door_say(door, buf_str(&line));
    }
}

static void say_live(AiwolfDoor *door)
{
    const AiwolfDoorSetup *setup = &door->setup;
    CLEANUP(buf_done) Buf line = {0};

    if (!door->live || !setup->live.host)
        return;
    live_write_address(door->live, setup->token_is_kept, &line);
    if (setup->quiet) /* nobody else knows the token */
        setup->words.say(setup->words.user, buf_str(&line));
    else
        door_say(door, buf_str(&line));
}

static void say_pages(AiwolfDoor *door)
{
    const AiwolfDoorSetup *setup = &door->setup;
    CLEANUP(buf_done) Buf line = {0};

    if (!door->pages)
        return;
    live_pages_write_address(door->pages, setup->token_is_kept, &line);
    if (setup->quiet)
        setup->words.say(setup->words.user, buf_str(&line));
    else
        door_say(door, buf_str(&line));
}

static void on_listening(void *user)
{
    AiwolfDoor *door = user;
    CLEANUP(buf_done) Buf line = {0};
    CLEANUP(buf_done) Buf warning = {0};
    uint32_t wanted = (uint32_t)door->plan->stages[0].players - door->plan->agent_count;

    agent_spec_warn(door->plan, &warning);
    if (warning.len)
        door_say(door, buf_str(&warning));
    buf_printf(&line, "listening on %s:%u; a table takes %" PRIu32 " agent%s", door->setup.host,
               door->port, wanted, wanted == 1 ? "" : "s");
    door_say(door, buf_str(&line));
    say_live(door);
    say_pages(door);
    say_expected(door);
}

/* The key of what was played, once nothing of it is left to be played: with a set under way it
 * would tell the roles of the games that --resume goes on with. */
static int publish_key(AiwolfDoor *door, Err *err)
{
    uint64_t games = door->folder.games_before + door->games;

    if (door->plan->chance != PLAN_CHANCE_KEY || games == 0 ||
        (door->games == 0 && door->fresh_key))
        return 0;
    if (games + count_missing(door) == door->begun * (uint64_t)door->plan->stages[0].games_per_set)
        return out_folder_publish(&door->folder, door->plan, 0, err);
    door_say(door,
             STR("the key stays secret, because a set is not complete; --resume goes on with it"));
    return 0;
}

/* Its folder is closed at once, whatever else the process does. */
static int close_folder(AiwolfDoor *door, int rc)
{
    Err *err = rc ? NULL : &door->err;

    if (!door->folder.journal)
        return rc;
    if (rc == 0)
        rc = publish_key(door, &door->err);
    int closed = out_folder_close(&door->folder, false, door->games, rc ? NULL : err);
    return rc ? rc : closed;
}

static void on_hall_over(void *user, TimeUs now)
{
    AiwolfDoor *door = user;
    int rc = hall_result(hall_door_hall(door->hall), NULL, &door->err);

    door->hall = hall_door_free(door->hall);
    if (door->live)
        live_ends_all(door->live, now);
    live_pages_flush(door->pages, now);
    progress_end(&door->progress);
    rc = close_folder(door, rc);
    if (rc == 0)
        tell_sets(door, UINT64_MAX);
    door->over = true;
    door->setup.over(door->setup.user);
}

/* ---- before it runs ---- */

/* What the agents that we start run in. */
static int make_cell(AiwolfDoor *door, Err *err)
{
    CLEANUP(buf_done) Buf notes = {0};
    int rc =
        agent_cell_new(&door->setup.cell, door->setup.out, door->plan, &door->cell, &notes, err);

    if (rc == 0 && notes.len)
        door_say(door, str_trim(buf_str(&notes)));
    if (rc == 0 && door->folder.journal && aiwolf_door_starts(door))
        rc = finding_watch_cell(door->folder.journal, door->cell, err);
    return rc;
}

static int open_folder(AiwolfDoor *door, Err *err)
{
    const AiwolfDoorSetup *setup = &door->setup;
    int rc = 0;

    door->folder.played_game = on_played_game;
    door->folder.acts = door->acts;
    door->folder.user = door;
    if (setup->out && !setup->open_results)
        result_folder_close(setup->out);
    if (setup->out)
        rc = out_folder_open(&door->folder, setup->out, setup->resume, door->plan, err);
    if (rc == 0)
        forget_sets(door, true);
    door->fresh_key = door->folder.published[0]; /* what comes now must not be known to anybody */
    if (rc == 0 && door->fresh_key)
        rc = out_folder_next_key(&door->folder, door->plan, err);
    door->begun = door->folder.played[0].set_count;
    return rc;
}

static void fill_plan(AiwolfDoor *door)
{
    const AiwolfDoorSetup *setup = &door->setup;
    const Plan *plan = door->plan;

    door->stage = (StageRun){
        .plan = plan,
        .draw = draw_of_plan(plan, 0, door->folder.part, (uint32_t)plan->stages[0].players),
        .played = &door->folder.played[0],
        .logs = setup->out != NULL,
        .gzip = setup->gzip,
        .exchange = setup->out && setup->exchange,
        .date = setup->date,
        .finished = on_finished,
        .progress = on_progress,
        .user = door};
}

/* Which of several doors an error is of. */
static int name_error(const AiwolfDoor *door, int rc, Err *err)
{
    if (rc && door->setup.several)
        err_wrap(err, "aiwolf at %s:%u: ", door->setup.host,
                 door->port ? door->port : door->setup.port);
    return rc;
}

static void on_live_note(void *user, Str line)
{
    door_say(user, line);
}

/* ---- operators ---- */

static int check_act(void *user, const OperatorAct *act, Buf *would, Err *err)
{
    const AiwolfDoor *door = user;

    if (!door->hall)
        return err_set(err, ERR_RULE, "the server has ended");
    return hall_act_check(hall_door_hall(door->hall), act, would, err);
}

/* The standings of a void set are not told, and games of it that are watched end. */
static void drop_set(AiwolfDoor *door, uint64_t set, TimeUs now)
{
    const uint64_t per_set = (uint64_t)door->plan->stages[0].games_per_set;

    if (played_make_void(&door->now, set, NULL)) /* without memory it is told all the same */
        return;
    forget_sets(door, false);
    if (door->live)
        live_make_void(door->live, set * per_set, per_set, now);
}

static void say_act(AiwolfDoor *door, const OperatorAct *act, const Buf *would)
{
    CLEANUP(buf_done) Buf line = {0};

    buf_printf(&line, "operator %.*s: %s: %s", STR_ARG(act->by), operator_act_name(act->kind),
               buf_cstr(would));
    if (act->why.len)
        buf_printf(&line, " (%.*s)", STR_ARG(act->why));
    door_say(door, buf_str(&line));
}

/* In the journal first. */
static int do_act(void *user, const OperatorAct *act, TimeUs now, Err *err)
{
    AiwolfDoor *door = user;
    CLEANUP(buf_done) Buf would = {0};
    OperatorAct own = *act;
    int rc = check_act(door, act, &would, err);

    own.at_ms = door->setup.date();
    if (rc == 0 && door->folder.journal)
        rc = journal_add_act(door->folder.journal, &own, err);
    if (rc == 0)
        rc = operator_acts_add(door->acts, &own, err);
    if (rc)
        return rc;
    say_act(door, &own, &would);
    if (own.target == ACT_OF_SET)
        drop_set(door, own.number, now);
    hall_act(hall_door_hall(door->hall), &own, now);
    return 0;
}

static const OperatorActs *list_acts(void *user)
{
    const AiwolfDoor *door = user;

    return door->acts;
}

/* Sets that are played, and who waits. */
static void list_sets(void *user, Json *json)
{
    const AiwolfDoor *door = user;
    const Hall *hall = door->hall ? hall_door_hall(door->hall) : NULL;
    Str names[SEAT_MAX + 1];
    Str name;
    uint64_t set;
    SeatNo count;

    json_key(json, STR("sets"));
    json_open(json, '[');
    for (uint32_t i = 0; hall && hall_set_at(hall, i, &set, &count, names); i++) {
        json_open(json, '{');
        json_add_uint(json, "set", set);
        json_key(json, STR("agents"));
        json_open(json, '[');
        for (SeatNo seat = 1; seat <= count; seat++)
            json_put_str(json, names[seat]);
        json_close(json);
        json_close(json);
    }
    json_close(json);
    json_key(json, STR("waiting"));
    json_open(json, '[');
    for (uint32_t i = 0; hall && hall_waiting_at(hall, i, &name); i++)
        json_put_str(json, name);
    json_close(json);
}

static const char *journal_folder(void *user)
{
    const AiwolfDoor *door = user;

    return door->setup.out;
}

/* ---- metrics ---- */

#define PREFIX "warg_aiwolf_"

static void write_metrics(void *user, Buf *out)
{
    static const Side sides[] = {SIDE_VILLAGER, SIDE_WEREWOLF, SIDE_NONE};
    static const Metric info = {PREFIX, "info", METRIC_GAUGE, "The server; always 1."};
    static const Metric ended = {PREFIX, "games_ended_total", METRIC_COUNTER,
                                 "Games that are over, by winner."};
    static const Metric begun = {PREFIX, "sets_begun_total", METRIC_COUNTER,
                                 "Sets that have begun."};
    static const Metric held = {PREFIX, "held", METRIC_GAUGE,
                                "1 while an operator holds: no further game begins."};
    const AiwolfDoor *door = user;

    metric_head(out, &info);
    metric_value(out, &info, "version", WARG_VERSION, 1);
    metric_head(out, &ended);
    for (size_t i = 0; i < sizeof(sides) / sizeof(sides[0]); i++)
        metric_value(out, &ended, "winner", side_name(sides[i]), door->won[sides[i]]);
    metric_put(out, &begun, door->sets_begun);
    metric_put(out, &held, operator_acts_held(door->acts));
    team_metrics_print(door->teams, PREFIX, out);
}

/* For all ports of the door. */
static int open_desk(AiwolfDoor *door, Loop *loop, Err *err)
{
    static const WebGate own_pages = {0};
    const AiwolfDoorSetup *setup = &door->setup;
    const Str token = setup->live.host ? setup->live.operator_token : setup->pages.operator_token;
    const DeskSetup desk = {.loop = loop,
                            .operator_token = token,
                            .gate = &own_pages,
                            .hall = {.check = check_act,
                                     .act = do_act,
                                     .acts = list_acts,
                                     .list = list_sets,
                                     .journal = journal_folder,
                                     .user = door}};

    return setup->live.host || setup->pages.host ? operator_desk_new(&desk, &door->desk, err) : 0;
}

static int open_live(AiwolfDoor *door, Loop *loop, Err *err)
{
    LiveSetup setup = door->setup.live;
    if (!setup.host && !setup.realtime)
        return 0;
    setup.date_of = door->setup.date_of;
    setup.note = on_live_note;
    setup.user = door;
    setup.desk = door->desk;
    setup.metrics = write_metrics;
    door->teams = team_metrics_new();
    if (!door->teams)
        return err_set(err, ERR_MEMORY, "metrics: out of memory");
    door->hall_plan.game_begins = on_game_begins;
    door->hall_plan.heard = on_heard;
    door->hall_plan.game_ends = on_game_ends;
    return live_open(loop, &setup, &door->live, err);
}

static int open_pages(AiwolfDoor *door, Loop *loop, Err *err)
{
    LivePagesSetup setup = door->setup.pages;

    if (!setup.host)
        return 0;
    setup.seats_stay = true;
    setup.date_of = door->setup.date_of;
    setup.note = on_live_note;
    setup.user = door;
    int rc = live_pages_open(loop, &setup, &door->pages, err);
    door->hall_plan.live = live_pages_sink(door->pages);
    live_pages_set_desk(door->pages, door->desk);
    return rc;
}

int aiwolf_door_new(Loop *loop, const AiwolfDoorSetup *setup, AiwolfDoor **ret_door, Err *err)
{
    AiwolfDoor *door = mem_new(sizeof(*door));

    if (!door)
        return err_set(err, ERR_MEMORY, "serve: out of memory");
    int rc = operator_acts_new(&door->acts, err);
    door->setup = *setup;
    door->plan = setup->plan;
    door->progress = progress_new(setup->quiet || setup->several);
    door->hall_plan = (HallPlan){.run = &door->stage,
                                 .tables = setup->plan->tables,
                                 .serve = true,
                                 .sets = setup->sets,
                                 .out = setup->out,
                                 .prompts = setup->record_prompts,
                                 .bots = setup->plan->agents,
                                 .bot_count = setup->plan->agent_count,
                                 .acts = door->acts,
                                 .listening = on_listening,
                                 .set_begins = on_set_begins,
                                 .set_over = on_set_over,
                                 .note = on_note,
                                 .decided = on_decided,
                                 .finding = on_finding,
                                 .findings_over = on_findings_over,
                                 .fault = on_fault,
                                 .over = on_hall_over,
                                 .user = door};
    door->hall_door =
        (HallDoorPlan){.hall = &door->hall_plan, .host = setup->host, .port = setup->port};
    if (rc == 0)
        rc = open_desk(door, loop, err);
    if (rc == 0)
        rc = hall_door_new(loop, &door->hall_door, &door->hall, err);
    if (rc == 0)
        rc = open_live(door, loop, err);
    if (rc == 0)
        rc = open_pages(door, loop, err);
    if (name_error(door, rc, err)) {
        aiwolf_door_free(door);
        return rc;
    }
    door->port = hall_door_port(door->hall);
    *ret_door = door;
    return 0;
}

/* Somebody's agent that we start runs as our user, and reads what is not hidden from it. Our own
 * models read no files. */
static int check_token_file(const AiwolfDoor *door, Err *err)
{
    if (!agent_cell_wanted(door->plan, PROGRAMS_FOREIGN) ||
        (!door->setup.live.host && !door->setup.pages.host) || !door->setup.token_is_kept)
        return 0;
    return err_set(err, ERR_USAGE,
                   "agents that are started here could read the file of --operator-file, and with "
                   "it all roles: leave it out, the token is printed then");
}

int aiwolf_door_prepare(AiwolfDoor *door, Err *err)
{
    int rc = check_token_file(door, err);

    if (rc == 0)
        rc = open_folder(door, err);
    if (rc == 0)
        fill_plan(door);
    return name_error(door, rc, err);
}

bool aiwolf_door_starts(const AiwolfDoor *door)
{
    return agent_cell_wanted(door->plan, PROGRAMS_ALL);
}

int aiwolf_door_enclose(AiwolfDoor *door, const char *const *others, Err *err)
{
    door->setup.cell.others = others;
    int rc = make_cell(door, err);
    door->hall_door.cell = door->cell;
    return name_error(door, rc, err);
}

/* Where the system allows too few files, fewer connections are taken: else whoever opens enough of
 * them keeps logs from being written. */
static void make_room_for_connections(AiwolfDoor *door)
{
    CLEANUP(buf_done) Buf line = {0};
    uint32_t *connections = &door->plan->limits.connections;
    uint64_t files = 0;
    const uint32_t readers = (door->live ? LIVE_CONNECTIONS : 0) + live_pages_files(door->pages);
    uint32_t fit = connection_room_lines(*connections + readers, &files);

    fit = fit > 2 * readers ? fit - readers : fit / 2;
    if (fit >= *connections)
        return;
    buf_printf(&line,
               "at most %" PRIu32 " connections, not %" PRIu32 ": the system allows %" PRIu64
               " open files (raise 'ulimit -n')",
               fit, *connections, files);
    door_say(door, buf_str(&line));
    *connections = fit;
}

int aiwolf_door_begin(AiwolfDoor *door, TimeUs now, Err *err)
{
    int rc = 0;

    make_room_for_connections(door);
    if (door->pages)
        rc = live_pages_begin(door->pages, &door->setup.out, door->setup.out != NULL, now, err);
    if (rc == 0)
        rc = hall_door_open(door->hall, now, err);
    return name_error(door, rc, err);
}

void aiwolf_door_stop(AiwolfDoor *door)
{
    if (!door->hall)
        return;
    for (const ServedSet *set = door->sets; set; set = set->next)
        door->cut |= set->running && !set->over;
    hall_stop(hall_door_hall(door->hall));
}

AiwolfDoor *aiwolf_door_free(AiwolfDoor *door)
{
    if (!door)
        return NULL;
    hall_door_free(door->hall);
    operator_desk_free(door->desk);
    live_free(door->live);
    live_pages_free(door->pages);
    progress_end(&door->progress);
    while (door->sets) {
        ServedSet *served = door->sets;
        door->sets = served->next;
        standings_done(&served->standings);
        mem_free(served);
    }
    out_folder_done(&door->folder);
    operator_acts_free(door->acts);
    team_metrics_free(door->teams);
    played_done(&door->now);
    cell_free(door->cell);
    finding_watch_done(&door->watch);
    return mem_free(door);
}

bool aiwolf_door_over(const AiwolfDoor *door)
{
    return door->over;
}

uint16_t aiwolf_door_port(const AiwolfDoor *door)
{
    return door->port;
}

bool aiwolf_door_has_begun(const AiwolfDoor *door)
{
    return door->has_begun;
}

bool aiwolf_door_was_cut(const AiwolfDoor *door)
{
    return door->cut;
}

uint64_t aiwolf_door_games(const AiwolfDoor *door)
{
    return door->games;
}

int aiwolf_door_result(const AiwolfDoor *door, Err *err)
{
    if (!door->err.code)
        return (int)door->status;
    if (err)
        *err = door->err;
    return name_error(door, door->err.code, err);
}
