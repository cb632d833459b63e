#include "serve/maw_door.h"

#include "base/mem.h"
#include "disk/folder.h"
#include "maw/maw_xmpp.h"
#include "person/maw_chats.h"

#define PLAYERS_USUAL 6 /* with fewer the game says little: docs/spec/maw.md G1 */

typedef enum DoorState {
    DOOR_NEW,
    DOOR_STARTING,
    DOOR_PLAYING,
    DOOR_LEAVING,
    DOOR_OVER,
} DoorState;

struct MawDoor {
    MawDoorSetup setup;
    Loop *loop; /* NULL: time is simulated */
    DoorState state;
    MawPace pace;
    Alarm came; /* all agents are there: the table is opened from here, not from inside theirs */
    MawAgents *agents;
    Cell *cell; /* which they run in; NULL = none */
    LlmModels *models;
    LlmPrices *prices; /* NULL = none */
    MawTable *table;
    MawXmpp *xmpp;
    MawChats *chats;  /* NULL: no XMPP */
    Live *live;       /* NULL = none */
    LivePages *pages; /* NULL = none */
    uint32_t round;   /* that is watched; 0 = none */
    uint32_t place;   /* of the caller's own seats: behind so many others */
    uint32_t places;  /* so far */
    Exit status;
    Err err;
};

static void door_note(const MawDoor *door, Str line)
{
    door->setup.ears.note(door->setup.ears.user, line);
}

static void on_note(void *user, Str line)
{
    door_note(user, line);
}

/* ---- who watches ---- */

/* What a round is called: SESSION.ROUND, from 1. */
static Str name_round(const MawDoor *door, uint32_t round, Buf *out)
{
    buf_printf(out, "%.*s.%u", STR_ARG(door->setup.id), round);
    return buf_str(out);
}

/* What it is called behind its end: by the folder that has the session's record. */
static Str name_record(const MawDoor *door, uint32_t round, Buf *out)
{
    Str folder = str_of(door->setup.out);
    size_t slash;

    while (folder.len > 1 && folder.bytes[folder.len - 1] == '/')
        folder.len--;
    if (str_find_last(folder, '/', &slash))
        folder = str_part(folder, slash + 1, folder.len);
    buf_printf(out, "%.*s.%u", STR_ARG(folder.len ? folder : door->setup.id), round);
    return buf_str(out);
}

/* Over before the session was gone on with: it is played again, and nobody is shown it. */
static bool is_past(const MawDoor *door, uint32_t round)
{
    return door->table && round < maw_table_resumes_at(door->table);
}

static void watched_begins(MawDoor *door, uint32_t round, SeatNo count, const Str *kinds,
                           const Str *names, TimeUs now)
{
    const LiveSink *sink = live_pages_sink(door->pages);
    CLEANUP(buf_done) Buf id = {0};
    CLEANUP(buf_done) Buf record = {0};
    DocSeat seats[SEAT_MAX + 1];

    seats[0] = (DocSeat){0};
    for (SeatNo seat = 1; seat <= count; seat++)
        seats[seat] = (DocSeat){.name = names[seat], .kind = kinds[seat]};
    door->round = round;
    name_round(door, round, &id);
    sink->begins(
        sink->user,
        &(DocHead){.id = buf_str(&id),
                   .division = DOC_MAW,
                   .language = door->setup.config->options.language == LLM_JAPANESE ? "ja" : "en",
                   .rules = &door->setup.config->rules,
                   .seat_count = count,
                   .seats = seats,
                   .began_unix_ms = door->setup.date_of ? door->setup.date_of(now) : 0,
                   .form = "live",
                   .source_name = name_record(door, round, &record)},
        now);
}

static void watched_heard(const MawDoor *door, uint32_t round, const Event *event, TimeUs now)
{
    const LiveSink *sink = live_pages_sink(door->pages);
    CLEANUP(buf_done) Buf id = {0};

    sink->heard(sink->user, name_round(door, round, &id), event, now);
}

static void watched_learnt(void *user, uint32_t round, const Event *event, TimeUs now)
{
    const MawDoor *door = user;

    if (door->pages && !is_past(door, round))
        watched_heard(door, round, event, now);
}

static void watched_said(void *user, uint32_t round, const DocSaid *said, TimeUs now)
{
    const MawDoor *door = user;
    const LiveSink *sink = live_pages_sink(door->pages);
    CLEANUP(buf_done) Buf id = {0};

    if (sink && !is_past(door, round))
        sink->said(sink->user, name_round(door, round, &id), said, now);
}

static void watched_clock(void *user, uint32_t round, Action action, TimeUs until, bool paused,
                          TimeUs now)
{
    const MawDoor *door = user;
    const LiveSink *sink = live_pages_sink(door->pages);
    CLEANUP(buf_done) Buf id = {0};

    if (sink && !is_past(door, round))
        sink->clock(sink->user, name_round(door, round, &id), action, until, paused, now);
}

static void watched_fault(void *user, uint32_t round, const Fault *fault, TimeUs now)
{
    const MawDoor *door = user;
    const LiveSink *sink = live_pages_sink(door->pages);
    CLEANUP(buf_done) Buf id = {0};

    if (sink)
        sink->fault(sink->user, name_round(door, round, &id), fault, now);
}

static void watched_notice(void *user, uint32_t round, Str text, TimeUs now)
{
    const MawDoor *door = user;
    const LiveSink *sink = live_pages_sink(door->pages);
    CLEANUP(buf_done) Buf id = {0};

    if (sink)
        sink->notice(sink->user, name_round(door, round, &id), text, now);
}

/* The round that is watched, if there is one. */
static void watched_ends(MawDoor *door, bool aborted, TimeUs now)
{
    const LiveSink *sink = live_pages_sink(door->pages);
    CLEANUP(buf_done) Buf id = {0};

    if (door->round == 0)
        return;
    sink->ends(sink->user, name_round(door, door->round, &id), aborted, now);
    door->round = 0;
}

/* ---- the end ---- */

static void door_is_over(MawDoor *door)
{
    door->state = DOOR_OVER;
    door->setup.over(door->setup.user);
}

static void on_agents_gone(void *user)
{
    door_is_over(user);
}

/* Their processes have some seconds; nothing else is left to be done. */
static void door_leaves(MawDoor *door, TimeUs now)
{
    door->state = DOOR_LEAVING;
    alarm_stop(&door->came);
    door->xmpp = maw_xmpp_free(door->xmpp);
    if (!door->agents || maw_agents_dismiss(door->agents, now))
        door_is_over(door);
}

/* What stopped the session says more than that it was stopped. */
static void take_result(MawDoor *door, int rc, const Err *err)
{
    if (door->err.code)
        return;
    if (rc)
        door->err = *err;
    else if (door->agents && !maw_agents_have_played(door->agents))
        door->status = EXIT_NOT_RANKED;
    else
        door->status = maw_table_models_decide(door->table) ? EXIT_OK : EXIT_NOT_OWN;
}

static void on_table_over(void *user, TimeUs now)
{
    MawDoor *door = user;
    Err err = {0};

    take_result(door, maw_table_end(door->table, &err), &err);
    if (door->live)
        live_ends_all(door->live, now);
    watched_ends(door, true, now);
    live_pages_flush(door->pages, now);
    door->setup.ears.ended(door->setup.ears.user);
    door_leaves(door, now);
}

/* ---- who plays ---- */

/* What the programs run in; it hides the folder of the results, which has to be there for that. */
static int make_cell(MawDoor *door, Err *err)
{
    const char *out = door->setup.out;
    CLEANUP(buf_done) Buf notes = {0};
    int rc = out ? folder_make(str_of(out), err) : 0;

    if (rc == 0)
        rc = agent_cell_new(&door->setup.cell, out, door->setup.plan, &door->cell, &notes, err);
    for (Str rest = buf_str(&notes); rest.len && rc == 0;)
        door_note(door, str_cut(&rest, '\n'));
    return rc;
}

static void on_agents_came(void *user)
{
    MawDoor *door = user;

    alarm_soon(&door->came);
}

/* An answer takes at most half of the time between the last call for a vote and the phase's end: a
 * rule can still vote for who has given none. */
static int start_agents(MawDoor *door, TimeUs now, Err *err)
{
    MawAgentsSetup setup = {.loop = door->loop,
                            .now = now,
                            .limit =
                                door->setup.limit ? door->setup.limit : door->pace.last_call_us / 2,
                            .startup = door->setup.startup,
                            .out = door->setup.out,
                            .note = on_note,
                            .came = on_agents_came,
                            .gone = on_agents_gone,
                            .user = door};
    int rc = make_cell(door, err);

    setup.cell = door->cell;
    return rc ? rc : maw_agents_start(&setup, door->setup.plan, &door->agents, err);
}

/* An even share of the seats that are left, the first ones the more. */
static uint32_t share_of(uint32_t *rest, uint32_t *sharing)
{
    uint32_t count = (*rest + *sharing - 1) / *sharing;

    *rest -= count;
    *sharing -= 1;
    return count;
}

/* Seats in the game are those in which all came: where somebody sits must not tell who is a person.
 * So the caller's own come in between, at a drawn place. */
static int seat_people(MawDoor *door, Err *err)
{
    const MawDoorEars *ears = &door->setup.ears;

    return door->places++ == door->place && ears->seat ? ears->seat(ears->user, door->table, err)
                                                       : 0;
}

/* Whether some take all seats that are left. */
static bool models_share(const MawDoor *door)
{
    bool share = false;

    for (size_t i = 0; i < door->setup.model_kinds; i++)
        share |= door->setup.models[i].count == 0;
    return share;
}

/* Behind how many others. */
static uint32_t draw_place(const MawDoor *door)
{
    const MawDoorSetup *setup = &door->setup;
    uint32_t others =
        setup->bots + setup->config->asked_count + (door->agents ? setup->plan->agent_count : 0);
    const bool all = setup->bots_fill || models_share(door);

    if (setup->people == 0 || setup->chance.of != MAW_SEED_OF_KEY)
        return 0;
    for (size_t i = 0; i < setup->model_kinds; i++)
        others += setup->models[i].count;
    if (all)
        others = (uint32_t)setup->config->options.players - setup->people;
    Rng rng = maw_chance_rng(&setup->chance, STR("people"));
    return (uint32_t)rng_below(&rng, others + 1);
}

static int seat_kind(MawDoor *door, const MawModelSeats *kind, uint32_t count, uint32_t *left,
                     Err *err)
{
    MawModel model = {.language = door->setup.config->options.language,
                      .persona = str_of(kind->spec.persona),
                      .manner = kind->spec.manner};
    int rc = llm_models_endpoint(door->models, &kind->spec, &model.endpoint, err);

    for (; count > 0 && *left > 0 && rc == 0; count--, (*left)--) {
        rc = seat_people(door, err);
        if (rc == 0)
            rc = maw_table_add_model(door->table, &model, err);
    }
    return rc;
}

static int seat_models(MawDoor *door, uint32_t *left, Err *err)
{
    const MawDoorSetup *setup = &door->setup;
    uint32_t sharing = 0, rest = *left;
    int rc = setup->model_kinds ? llm_models_new(door->loop, &door->models, err) : 0;

    if (rc == 0 && door->models && setup->budget)
        rc = llm_models_budget(door->models, setup->budget, setup->prices, on_note, door, err);
    if (rc == 0 && door->models && setup->clock)
        llm_models_mute(door->models);
    for (size_t i = 0; i < setup->model_kinds; i++) {
        sharing += setup->models[i].count == 0;
        rest -= setup->models[i].count; /* they fit: who made the setup has counted */
    }
    for (size_t i = 0; i < setup->model_kinds && rc == 0; i++) {
        const MawModelSeats *kind = &setup->models[i];
        uint32_t count = kind->count;
        if (count == 0 && sharing > 0)
            count = share_of(&rest, &sharing);
        rc = seat_kind(door, kind, count, left, err);
    }
    return rc;
}

static int seat_asked(MawDoor *door, uint32_t *left, Err *err)
{
    const MawConfig *config = door->setup.config;
    int rc = 0;

    for (uint32_t i = 0; i<config->asked_count && * left> 0 && rc == 0; i++, (*left)--) {
        rc = seat_people(door, err);
        if (rc == 0)
            rc = maw_table_add_asked(door->table, config->asked[i].kind,
                                     str_of(config->asked[i].interface), err);
    }
    return rc;
}

static int seat_agents(MawDoor *door, Err *err)
{
    const MawDoorSetup *setup = &door->setup;
    const uint32_t count = door->agents ? setup->plan->agent_count : 0;
    int rc = 0;

    for (uint32_t i = 0; i < count && rc == 0; i++) {
        rc = seat_people(door, err);
        if (rc == 0)
            rc = maw_agents_seat(door->agents, door->table, &setup->config->rules, &door->pace,
                                 &setup->chance, 1, err);
    }
    return rc;
}

static int seat_bots(MawDoor *door, uint32_t count, Err *err)
{
    int rc = 0;

    for (uint32_t i = 0; i < count && rc == 0; i++) {
        rc = seat_people(door, err);
        if (rc == 0)
            rc = maw_table_add_bot(door->table, door->setup.bot, err);
    }
    return rc;
}

static int take_seats(MawDoor *door, Err *err)
{
    const MawDoorSetup *setup = &door->setup;
    uint32_t left = setup->config->options.players, bots = setup->bots;

    left -= setup->people;
    if (left < bots)
        return err_set(err, ERR_USAGE, "%u bots do not fit", bots);
    left -= bots;
    if (door->agents)
        left -= setup->plan->agent_count;
    door->place = draw_place(door);
    int rc = seat_agents(door, err);
    if (rc == 0)
        rc = seat_asked(door, &left, err);
    if (rc == 0)
        rc = seat_models(door, &left, err);
    if (rc == 0)
        rc = seat_bots(door, setup->bots_fill ? left : bots, err);
    if (rc || door->places > door->place)
        return rc;
    door->place = door->places;
    return seat_people(door, err);
}

/* ---- live data ---- */

static void on_round_begins(void *user, uint32_t round, SeatNo count, const Str *jids,
                            const Str *names, TimeUs now)
{
    MawDoor *door = user;
    Str kinds[SEAT_MAX + 1] = {{0}};

    if (is_past(door, round))
        return;
    for (SeatNo seat = 1; seat <= count; seat++)
        kinds[seat] = str_of(maw_table_kind(door->table, jids[seat]));
    if (door->live)
        live_begins(door->live, round - 1, count, kinds, names, now);
    if (door->pages)
        watched_begins(door, round, count, kinds, names, now);
}

static void on_round_heard(void *user, uint32_t round, const Event *event, TimeUs now)
{
    const MawDoor *door = user;

    if (is_past(door, round))
        return;
    if (door->live)
        live_heard(door->live, round - 1, event, now);
    if (door->pages)
        watched_heard(door, round, event, now);
}

static void on_round_over(void *user, uint32_t round, TimeUs now)
{
    MawDoor *door = user;

    if (is_past(door, round))
        return;
    if (door->live)
        live_ends(door->live, round - 1, false, now);
    if (door->pages)
        watched_ends(door, false, now);
}

static MawWatcher door_watcher(MawDoor *door)
{
    return door->live || door->pages ? (MawWatcher){.begins = on_round_begins,
                                                    .heard = on_round_heard,
                                                    .learnt = watched_learnt,
                                                    .said = watched_said,
                                                    .clock = watched_clock,
                                                    .fault = watched_fault,
                                                    .notice = watched_notice,
                                                    .over = on_round_over,
                                                    .user = door}
                                     : (MawWatcher){0};
}

static int open_live(MawDoor *door, Err *err)
{
    LiveSetup setup = door->setup.live;

    if (!setup.host && !setup.realtime)
        return 0;
    setup.date_of = door->setup.date_of;
    setup.rooms = true;
    setup.note = on_note;
    setup.user = door;
    return live_open(door->loop, &setup, &door->live, err);
}

static int open_pages(MawDoor *door, Err *err)
{
    LivePagesSetup setup = door->setup.pages;

    if (!setup.host)
        return 0;
    setup.date_of = door->setup.date_of;
    setup.note = on_note;
    setup.user = door;
    return live_pages_open(door->loop, &setup, &door->pages, err);
}

/* The folder is made: the pages look at what is there. */
static int begin_pages(MawDoor *door, TimeUs now, Err *err)
{
    const char *out = door->setup.out;
    int rc = out && door->pages ? folder_make(str_of(out), err) : 0;

    return rc == 0 && door->pages
               ? live_pages_begin(door->pages, &door->setup.out, out != NULL, now, err)
               : rc;
}

/* ---- the table ---- */

static void on_refused(void *user, const char *why, TimeUs now)
{
    MawDoor *door = user;

    err_set(&door->err, ERR_IO, "the XMPP server refuses %.*s: %s",
            STR_ARG(door->setup.component->domain), why);
    maw_table_stop(door->table, "the XMPP server refuses this component", now);
}

/* To people with a chat client. */
static void on_words(void *user, const MawStanza *stanza)
{
    const MawDoor *door = user;

    if (door->xmpp)
        maw_xmpp_send(door->xmpp, stanza);
}

static bool on_taken(void *user, const MawStanza *stanza, TimeUs now)
{
    const MawDoor *door = user;

    return maw_chats_receive(door->chats, stanza, now);
}

static int open_chats(MawDoor *door, Err *err)
{
    const bool japanese = door->setup.config->options.language == LLM_JAPANESE;
    const MawChatsSetup setup = {.table = door->table,
                                 .alarms = loop_alarms(door->loop),
                                 .language = japanese ? PERSON_JAPANESE : PERSON_ENGLISH,
                                 .send = on_words,
                                 .user = door};

    return maw_chats_new(&setup, &door->chats, err);
}

static int open_component(MawDoor *door, TimeUs now, Err *err)
{
    const MawComponent *component = door->setup.component;

    if (!component)
        return 0;
    const MawXmppSetup setup = {.host = component->host,
                                .port = component->port,
                                .component = component->domain,
                                .secret = component->secret,
                                .seed = maw_chance_seed(&door->setup.chance, STR("waits"), 0),
                                .table = door->table,
                                .note = on_note,
                                .refused = on_refused,
                                .taken = on_taken,
                                .user = door};
    int rc = open_chats(door, err);
    if (rc == 0)
        rc = maw_xmpp_new(door->loop, &setup, &door->xmpp, err);
    if (rc == 0) /* until it is up for the first time */
        maw_session_link(maw_table_session(door->table), false, now);
    return rc;
}

static void on_event(void *user, Str json)
{
    const MawDoor *door = user;

    if (door->setup.ears.event)
        door->setup.ears.event(door->setup.ears.user, json);
}

/* Behind the component: while its link is not up nobody can come back. */
static void go_on(MawDoor *door)
{
    const MawSession *session = maw_table_session(door->table);
    const uint32_t rounds = maw_session_rounds_won(session, SIDE_NONE) +
                            maw_session_rounds_won(session, SIDE_VILLAGER) +
                            maw_session_rounds_won(session, SIDE_WEREWOLF);
    char line[120];

    if (maw_table_resumes_at(door->table) == 0 && rounds == 0)
        snprintf(line, sizeof(line), "going on in the lobby: no round was begun");
    else
        snprintf(line, sizeof(line), "going on: of %u rounds %u are done%s",
                 door->setup.config->options.rounds, rounds,
                 rounds < maw_session_round(session) ? ", and one is half played" : "");
    if (door->setup.resume && !maw_session_over(session))
        door_note(door, str_of(line));
    maw_table_continue(door->table, door->setup.wait_ms);
}

/* `now`: 0 in simulated time. */
static int open_table(MawDoor *door, TimeUs now, Err *err)
{
    MawTableSetup setup = {
        .rules = &door->setup.config->rules,
        .options = door->setup.config->options,
        .id = door->setup.id,
        .domain = maw_door_name(door),
        .chance = door->setup.chance,
        .out = door->setup.out,
        .earlier = door->setup.earlier,
        .record_prompts = door->setup.record_prompts,
        .command = door->setup.command,
        .resume = door->setup.resume,
        .clock = door->setup.clock,
        .answers = door->setup.answers,
        .others = door->setup.others,
        .pace = door->pace,
        .fill = MAW_BOT_TALKER,
        .alarms = door->loop ? loop_alarms(door->loop) : NULL,
        .now = now,
        .unix_ms = door->loop ? door->setup.date_of(now) : 0,
        .watcher = door_watcher(door),
        .event = on_event,
        .note = on_note,
        .user = door,
    };

    if (setup.record_prompts)
        door_note(door, STR("prompts/ of --out keeps each request to a model as it was sent: its "
                            "role and all that its seat is told, no keys"));
    if (door->setup.component && models_share(door))
        door_note(door, STR("language models take every seat that is left: nobody can join over "
                            "XMPP; --llm 'SPEC*N' leaves seats free"));
    if (setup.options.players < PLAYERS_USUAL)
        door_note(door, STR("with fewer than 6 players there is little to find out"));
    int rc = llm_prices_load(door->setup.prices, &door->prices, err);

    setup.prices = door->prices;
    if (rc == 0)
        rc = maw_table_new(&setup, &door->table, err);
    if (rc == 0)
        rc = take_seats(door, err);
    if (rc == 0)
        rc = maw_table_resume(door->table, err);
    if (rc == 0)
        rc = open_component(door, now, err);
    if (rc == 0)
        go_on(door);
    return rc;
}

static int begin_session(MawDoor *door, TimeUs now, Err *err)
{
    int rc = open_table(door, now, err);

    if (rc)
        return rc;
    door->state = DOOR_PLAYING;
    maw_table_begin(door->table, on_table_over, door);
    return 0;
}

static void on_came(void *user, TimeUs now)
{
    MawDoor *door = user;

    if (begin_session(door, now, &door->err))
        door_leaves(door, now);
}

/* ---- interface ---- */

int maw_door_new(Loop *loop, const MawDoorSetup *setup, MawDoor **ret_door, Err *err)
{
    MawDoor *door = mem_new(sizeof(*door));

    if (!door)
        return err_set(err, ERR_MEMORY, "session: out of memory");
    door->setup = *setup;
    door->loop = loop;
    door->pace = maw_pace(&setup->config->rules, setup->people || setup->component);
    if (loop)
        alarm_init(&door->came, loop_alarms(loop), on_came, door);
    int rc = open_live(door, err);
    if (rc == 0)
        rc = open_pages(door, err);
    if (rc) {
        maw_door_free(door);
        return rc;
    }
    *ret_door = door;
    return 0;
}

MawDoor *maw_door_free(MawDoor *door)
{
    if (!door)
        return NULL;
    if (door->loop)
        alarm_stop(&door->came);
    door->xmpp = maw_xmpp_free(door->xmpp);
    maw_chats_free(door->chats);
    maw_table_free(door->table);
    maw_agents_free(door->agents);
    live_free(door->live);
    live_pages_free(door->pages);
    cell_free(door->cell);
    llm_models_free(door->models);
    llm_prices_free(door->prices);
    return mem_free(door);
}

bool maw_door_starts(const MawDoor *door)
{
    return door->setup.plan->agent_count > 0;
}

void maw_door_hide(MawDoor *door, const char *const *others)
{
    door->setup.cell.others = others;
}

int maw_door_begin(MawDoor *door, TimeUs now, Err *err)
{
    int rc = begin_pages(door, now, err);

    if (rc)
        return rc;
    if (door->setup.plan->agent_count == 0)
        return begin_session(door, now, err);
    door->state = DOOR_STARTING;
    return start_agents(door, now, err);
}

int maw_door_play(MawDoor *door, Err *err)
{
    Err ended = {0};
    int rc = open_table(door, 0, err);

    if (rc)
        return rc;
    door->state = DOOR_PLAYING;
    take_result(door, maw_table_play(door->table, &ended), &ended);
    door->state = DOOR_OVER;
    return 0;
}

void maw_door_drain(MawDoor *door, TimeUs now)
{
    if (door->state == DOOR_PLAYING)
        maw_table_drain(door->table, now);
    else if (door->state == DOOR_STARTING)
        door_leaves(door, now);
}

void maw_door_stop(MawDoor *door, const char *why, TimeUs now)
{
    if (door->state == DOOR_PLAYING) {
        maw_table_stop(door->table, why, now);
        return;
    }
    if (door->state != DOOR_STARTING)
        return;
    err_set(&door->err, ERR_INTERRUPTED, "ended before all agents had come");
    door_leaves(door, now);
}

/* ---- looking ---- */

bool maw_door_over(const MawDoor *door)
{
    return door->state == DOOR_OVER;
}

bool maw_door_has_begun(const MawDoor *door)
{
    return door->table && maw_session_round(maw_table_session(door->table)) > 0;
}

int maw_door_result(const MawDoor *door, Err *err)
{
    if (!door->err.code)
        return (int)door->status;
    if (err)
        *err = door->err;
    return door->err.code;
}

const LivePages *maw_door_pages(const MawDoor *door)
{
    return door->pages;
}

const Live *maw_door_live(const MawDoor *door)
{
    return door->live;
}

MawTable *maw_door_table(const MawDoor *door)
{
    return door->table;
}

MawAgents *maw_door_agents(const MawDoor *door)
{
    return door->agents;
}

Str maw_door_name(const MawDoor *door)
{
    return door->setup.component ? door->setup.component->domain : STR("maw.localhost");
}
