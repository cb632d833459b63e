/* Random sessions, with valid, invalid and hostile messages and simulated time: what
 * docs/spec/maw.md 1.3 promises holds in all of them. Looks inside (maw/session_state.h), because
 * there are many. */
#include "prop.h"
#include "sanitized.h"

#include "maw/session_state.h"
#include "record/maw_rounds.h"

#include <jansson.h>

#define SESSIONS (SANITIZED ? 1000 : 10000)
#define PEOPLE   10

#define ROUNDS_KEPT 3

typedef struct Run {
    MawSession *session;
    Rng rng;
    TimeUs now;
    uint64_t output; /* a hash of all that was sent */
    uint64_t stanzas;
    unsigned deaths;  /* in this round, as the record tells them */
    unsigned alive;   /* as it was counted last */
    unsigned rounds;  /* over */
    bool keep_record; /* for a replay */
    Buf record;
    const char *broken;              /* what does not hold */
    GameResult results[ROUNDS_KEPT]; /* of its first rounds, as they were told */
    unsigned told;
} Run;

/* ---- what is sent ---- */

static void breaks(Run *run, const char *what)
{
    if (!run->broken)
        run->broken = what;
}

static bool contains(Str text, const char *part)
{
    return text.len && strstr(text.bytes, part); /* all that goes out is terminated */
}

/* A living villager learns nothing of the hideout, and of roles nothing but his own. */
static void check_secrets(Run *run, const Member *to, const MawStanza *stanza)
{
    bool secret = in_round(run->session) && to->seat != SEAT_NONE && to->alive &&
                  to->role != ROLE_WEREWOLF && to->role != ROLE_NONE;

    if (!secret)
        return;
    if (contains(stanza->body, "hush"))
        breaks(run, "a villager was sent a line of the hideout");
    if (str_eq(stanza->from, str_of(run->session->room_jids[ROOM_HIDEOUT])) &&
        (contains(stanza->body, "\"type\":\"new_messages\"") ||
         contains(stanza->body, "\"type\":\"announce_open\"")))
        breaks(run, "the hideout said something to a villager");
    if (contains(stanza->body, "wrong-team") || contains(stanza->body, "teammates"))
        breaks(run, "a villager was told who is a wolf");
    if (contains(stanza->body, "Werewolf") && !contains(stanza->body, "\"type\":\"end_game\"") &&
        !contains(stanza->body, "\"type\":\"role_answer\"") &&
        !str_eq(stanza->from, str_of(run->session->room_jids[ROOM_LOBBY])))
        breaks(run, "a villager was told a role");
}

/* Who watches learns of no hideout and of no role. */
static void check_spectator(Run *run, const MawStanza *stanza)
{
    if (contains(stanza->body, "hush") || contains(stanza->body, "\"type\":\"announce_open\"") ||
        contains(stanza->body, "\"type\":\"assign_role\"") || contains(stanza->body, "\"roles\"") ||
        contains(stanza->body, "\"Werewolf\""))
        breaks(run, "a spectator was told a secret");
    if (run->session->night && contains(stanza->body, "\"type\":\"new_messages\""))
        breaks(run, "a spectator was told lines by night");
}

static void catch_stanza(void *user, const MawStanza *stanza)
{
    Run *run = user;
    const Member *to = lobby_find(run->session, stanza->to);

    run->output = rng_derive_text(run->output, stanza->from);
    run->output = rng_derive_text(run->output, stanza->to);
    run->output = rng_derive_text(run->output, stanza->id);
    run->output = rng_derive_text(run->output, stanza->thread);
    run->output = rng_derive_text(run->output, stanza->in_reply_to);
    run->output = rng_derive_text(run->output, stanza->body) + (uint64_t)stanza->act;
    run->stanzas++;
    if (to)
        check_secrets(run, to, stanza);
    if (spectators_has(run->session, stanza->to))
        check_spectator(run, stanza);
}

/* ---- the record ---- */

static void check_points(Run *run)
{
    const MawSession *session = run->session;
    int64_t sum = 0, wolves = 0, survivors = 0, villagers;

    for (SeatNo seat = 1; seat <= session->seat_count; seat++) {
        const Member *member = &session->members[session->member_of[seat]];
        bool wolf = member->role == ROLE_WEREWOLF;
        sum += session->gained[seat];
        wolves += wolf;
        survivors += !wolf && member->alive;
    }
    villagers = session->seat_count - wolves;
    if (session->winner == SIDE_WEREWOLF && sum != wolves * villagers)
        breaks(run, "the wolves' points are not wolves by villagers");
    if (session->winner == SIDE_VILLAGER && sum != villagers * survivors)
        breaks(run, "the village's points are not villagers by survivors");
    if (session->winner == SIDE_NONE && sum != 0)
        breaks(run, "a draw with points");
}

static void catch_record(void *user, Str json)
{
    Run *run = user;

    if (run->keep_record) {
        buf_add(&run->record, json);
        buf_add_char(&run->record, '\n');
    }
    if (contains(json, "\"event\":\"phase_end\"") && contains(json, "\"target\":"))
        run->deaths++;
    else if (contains(json, "\"event\":\"left\""))
        run->deaths++;
    else if (contains(json, "\"event\":\"start_game\""))
        run->deaths = 0;
    else if (contains(json, "\"event\":\"end_game\"")) {
        run->rounds++;
        if (run->session->options.score_dead)
            check_points(run);
    }
}

static void catch_fill(void *user, unsigned missing)
{
    (void)user;
    (void)missing;
}

static void catch_result(void *user, GameRecord *record, const Str *jids)
{
    Run *run = user;

    (void)jids;
    if (run->told < ROUNDS_KEPT)
        run->results[run->told] = record->result;
    run->told++;
}

/* ---- doing ---- */

static const MawOut outs = {
    .send = catch_stanza, .record = catch_record, .fill = catch_fill, .result = catch_result};

static void open_run(Run *run, const Ruleset *rules, const MawOptions *options, uint64_t seed)
{
    Err err = {0};
    MawSessionSetup setup = {.rules = rules,
                             .options = *options,
                             .id = STR("r"),
                             .domain = STR("maw.test"),
                             .chance = maw_chance_of_seed(seed),
                             .now = 5,
                             .unix_ms = 1700000000000,
                             .out = outs};

    setup.out.user = run;
    run->now = 5;
    if (maw_session_new(&setup, &run->session, &err))
        fail_msg("%s", err.msg);
}

static void close_run(Run *run)
{
    run->session = maw_session_free(run->session);
    buf_done(&run->record);
}

static uint32_t draw(Run *run, uint32_t count)
{
    return rng_below(&run->rng, count);
}

static const char *pick_text(Run *run, const char *const *texts, uint32_t count)
{
    return texts[draw(run, count)];
}

#define PICK(run, texts) pick_text(run, texts, (uint32_t)(sizeof(texts) / sizeof((texts)[0])))

/* What nobody should send. */
static const char *const odd_bodies[] = {
    "",
    "x",
    "{}",
    "[]",
    "7",
    "-1",
    "null",
    "{\"type\":\"vote\"}",
    "{\"type\":\"vote\",\"target\":[]}",
    "{\"type\":\"vote\",\"target\":\"\"}",
    "{\"type\":\"vote\",\"target\":\"p99@maw.test\"}",
    "{\"type\":\"chat\",\"message\":\"\"}",
    "{\"type\":\"chat\",\"message\":\"say \\u202e\\u0007 x\\ny\"}",
    "{\"type\":\"join_lobby\",\"player_name\":\"a b\"}",
    "{\"type\":\"join_lobby\",\"player_name\":\"System\"}",
    "{\"type\":\"kill\"}",
    "{\"type\":\"assign_role\",\"role\":\"Villager\"}",
    "{\"type\":\"open_room\",\"room_name\":\"Village\",\"players\":[]}",
    "{\"type\":\"close_room\"}",
    "{\"type\":\"phase_change\",\"new_phase\":\"day\"}",
    "{\"type\":\"end_game\",\"winning_team\":\"Villagers\"}",
    "{\"type\":\"error\",\"of\":null,\"code\":\"x\",\"text\":\"y\"}",
    "{\"type\":\"get_new_messages\",\"index\":9007199254740992}",
    "{\"type\":\"get_new_messages\",\"index\":-3}",
    "{\"type\":\"observe\"}",
    "{\"type\":\"listen\"}",
    "{\"type\":\"query_role\",\"target\":\"P1\"}",
    "{\"type\":\"whisper\",\"to\":\"P1\",\"text\":\"psst\"}",
    "{\"type\":\"subscribe\",\"index\":2}",
    "{\"type\":\"chat\",\"type\":\"vote\",\"target\":null}",
    "\xFF\xFE",
};

static const char *const addresses[] = {"gm@maw.test",       "gm@maw.test",      "village@maw.test",
                                        "village@maw.test",  "hideout@maw.test", "lobby@maw.test",
                                        "graveyard@maw.test"};

static void name_jid(uint32_t person, char *text, size_t room)
{
    if (person == PEOPLE)
        snprintf(text, room, "watcher@elsewhere/y");
    else if (person == PEOPLE - 1)
        snprintf(text, room, "stranger@elsewhere/x");
    else
        snprintf(text, room, "p%u@%s%s", person, person % 2 ? "else.test" : "maw.test",
                 person % 3 == 2 ? "/a" : "");
}

/* Most of the time something sensible. */
static void draw_body(Run *run, const char *to, bool wolf_at_night, char *body, size_t room)
{
    uint32_t other = draw(run, PEOPLE);
    bool hideout = strcmp(to, "hideout@maw.test") == 0;

    switch (draw(run, 12)) {
    case 0:
    case 1:
    case 2:
    case 3:
    case 4:
        snprintf(body, room, "{\"type\":\"vote\",\"target\":\"P%u\"}", other);
        break;
    case 5:
        snprintf(body, room, "{\"type\":\"vote\",\"target\":null}");
        break;
    case 6:
    case 7:
        snprintf(body, room, "{\"type\":\"chat\",\"message\":\"%s %u\"}",
                 hideout || wolf_at_night ? "hush"
                 : other % 3              ? "say"
                                          : "I am the Seer. Say",
                 other);
        break;
    case 8:
        snprintf(body, room, "{\"type\":\"get_new_messages\",\"index\":%u}", draw(run, 20));
        break;
    case 9:
        snprintf(body, room, "{\"type\":\"%s\"}",
                 draw(run, 4)   ? "subscribe"
                 : draw(run, 2) ? "unsubscribe"
                                : "show_score");
        break;
    case 10:
        snprintf(body, room, "{\"type\":\"%s\",\"%s\":\"P%u\",\"text\":\"psst\"}",
                 draw(run, 2) ? "whisper" : "query_role", draw(run, 2) ? "to" : "target", other);
        break;
    default:
        snprintf(body, room, "%s", PICK(run, odd_bodies));
        break;
    }
}

/* What a dead player could change if it could. */
typedef struct Trace {
    MawState state;
    uint32_t phase_no;
    SeatNo votes[SEAT_MAX + 1];
    SeatSet alive;
    int64_t next[3];
} Trace;

static Trace trace_of(const MawSession *session)
{
    Trace trace = {
        .state = session->state, .phase_no = session->phase_no, .alive = game_alive(session->game)};

    for (SeatNo seat = 1; seat <= session->seat_count; seat++)
        trace.votes[seat] = session->members[session->member_of[seat]].vote;
    for (RoomNo room = ROOM_LOBBY; room <= ROOM_HIDEOUT; room++)
        trace.next[room] = chat_room_next(session->rooms[room]);
    return trace;
}

static void do_message(Run *run)
{
    static const char *const threads[] = {"", "", "", "", "", "maw-r-1", "maw-r-2", "maw-q-1"};
    uint32_t person = draw(run, PEOPLE);
    char from[64], body[256], id[24], reply_with[24] = "";
    const char *to = PICK(run, addresses);

    name_jid(person, from, sizeof(from));
    const Member *member = lobby_find(run->session, str_of(from));
    bool wolf_at_night =
        in_round(run->session) && run->session->night && member && room_is_wolf(member);
    bool joins = !member || !member->seated ? draw(run, 3) > 0 : draw(run, 60) == 0;
    if (joins)
        snprintf(body, sizeof(body), "{\"type\":\"join_lobby\",\"player_name\":\"P%u\"}", person);
    else
        draw_body(run, to, wolf_at_night, body, sizeof(body));
    snprintf(id, sizeof(id), "i%u", draw(run, 100000));
    if (draw(run, 10) == 0)
        snprintf(reply_with, sizeof(reply_with), "q%u", draw(run, 50));
    MawStanza stanza = {.from = str_of(from),
                        .to = str_of(to),
                        .id = str_of(id),
                        .type = STANZA_CHAT,
                        .act = draw(run, 20) ? ACT_REQUEST : (MawAct)draw(run, ACT_OTHER + 1),
                        .reply_with = str_of(reply_with),
                        .thread = str_of(PICK(run, threads)),
                        .has_body = true,
                        .body = str_of(body)};
    bool dead = in_round(run->session) && member && member->seated && !member->alive &&
                !run->session->held_until;
    maw_session_tick(run->session, run->now);
    bool waits = run->session->paused && in_round(run->session);
    Trace before = trace_of(run->session);
    maw_session_receive(run->session, &stanza, run->now);
    Trace after = trace_of(run->session);
    if (dead && memcmp(&before, &after, sizeof(before)) != 0)
        breaks(run, "a dead player changed something");
    if (waits && memcmp(&before, &after, sizeof(before)) != 0)
        breaks(run, "somebody changed something in a pause");
}

/* An error for a message of ours comes back. */
static void do_bounce(Run *run)
{
    char from[64], id[24];

    name_jid(draw(run, PEOPLE + 1), from, sizeof(from));
    snprintf(id, sizeof(id), "m%u", draw(run, 3));
    MawStanza stanza = {.from = str_of(from),
                        .to = STR("gm@maw.test"),
                        .id = str_of(id),
                        .type = STANZA_ERROR,
                        .error_condition = STR("service-unavailable")};
    maw_session_receive(run->session, &stanza, run->now);
}

static void do_leave(Run *run)
{
    char from[64];

    name_jid(draw(run, PEOPLE), from, sizeof(from));
    MawStanza stanza = {.from = str_of(from),
                        .to = STR("gm@maw.test"),
                        .act = ACT_REQUEST,
                        .has_body = true,
                        .body = STR("{\"type\":\"leave\"}")};
    maw_session_receive(run->session, &stanza, run->now);
}

static void do_watch(Run *run)
{
    char from[64];

    name_jid(PEOPLE - draw(run, 2), from, sizeof(from));
    MawStanza stanza = {.from = str_of(from),
                        .to = STR("gm@maw.test"),
                        .act = ACT_REQUEST,
                        .has_body = true,
                        .body = draw(run, 4) ? STR("{\"type\":\"observe\"}")
                                             : STR("{\"type\":\"leave\"}")};
    maw_session_receive(run->session, &stanza, run->now);
}

static void do_operator(Run *run)
{
    char name[8];

    switch (draw(run, 8)) {
    case 5:
        maw_session_pause(run->session, run->now);
        break;
    case 6:
        maw_session_resume(run->session, run->now);
        break;
    case 7:
        maw_session_extend(run->session, 1 + (TimeMs)draw(run, 60000), run->now);
        break;
    case 0:
        maw_session_end_phase(run->session, run->now);
        break;
    case 1:
        snprintf(name, sizeof(name), "P%u", draw(run, PEOPLE));
        if (draw(run, 3) == 0)
            maw_session_kick(run->session, str_of(name), run->now);
        break;
    case 2:
        maw_session_link(run->session, false, run->now);
        break;
    case 3:
        maw_session_link(run->session, true, run->now);
        break;
    default:
        if (draw(run, 30) == 0)
            maw_session_stop(run->session, "Enough.", run->now);
        break;
    }
}

static void pass_time(Run *run)
{
    TimeUs due = maw_session_deadline(run->session);

    switch (draw(run, 8)) {
    case 0: /* exactly at the deadline */
        if (due != TIME_US_NEVER && due > run->now)
            run->now = due;
        break;
    case 1:
        run->now += (TimeUs)draw(run, 100000000);
        break;
    default:
        run->now += (TimeUs)draw(run, 3000000);
        break;
    }
    maw_session_tick(run->session, run->now);
}

static void check_deaths(Run *run)
{
    const MawSession *session = run->session;
    unsigned alive = 0;

    if (!in_round(session))
        return;
    for (SeatNo seat = 1; seat <= session->seat_count; seat++)
        alive += session->members[session->member_of[seat]].alive;
    if (alive + run->deaths != session->seat_count)
        breaks(run, "the living and the recorded deaths do not add up");
}

static void do_something(Run *run)
{
    uint32_t what = draw(run, 100);

    pass_time(run);
    if (what < 92)
        do_message(run);
    else if (what < 95)
        do_bounce(run);
    else if (what < 96)
        do_leave(run);
    else if (what < 99)
        do_operator(run);
    else
        do_watch(run);
    maw_session_tick(run->session, run->now);
    maw_session_check(run->session);
    check_deaths(run);
}

static void draw_table(Rng *rng, Ruleset *rules, MawOptions *options)
{
    assert_int_equal(ruleset_preset(STR("maw"), rules, NULL), 0);
    *options = maw_options_default();
    options->players = 3 + rng_below(rng, 5);
    options->rounds = 1 + rng_below(rng, 3);
    options->scores_ms = rng_below(rng, 2) ? 5000 : 0;
    options->lobby_ms = rng_below(rng, 4) ? 0 : 60000;
    options->fill = rng_below(rng, 2) ? FILL_BOTS : FILL_NONE;
    options->night_min_ms = rng_below(rng, 3) ? 0 : 20000;
    options->rejoin_ms = rng_below(rng, 2) ? 60000 : 5000;
    options->whispers = (MawWhispers)rng_below(rng, 3);
    options->score_dead = rng_below(rng, 4) > 0;
    options->graveyard = rng_below(rng, 3) == 0;
    options->spectators = rng_below(rng, 3);
    options->absent_after_ms = rng_below(rng, 2) ? 30000 : 0;
    options->line_rate_ms = rng_below(rng, 2) ? 1000 : 0;
    rules->talk.duration_ms = rng_below(rng, 2) ? 300000 : 20000;
    rules->whisper.duration_ms = rng_below(rng, 2) ? 120000 : 15000;
    rules->vote.visible = rng_below(rng, 3) > 0;
    rules->vote.self_vote = rng_below(rng, 5) == 0;
    rules->vote.tie = rng_below(rng, 2) ? TIE_RANDOM : TIE_NOBODY;
    rules->vote.rounds = 1 + (int32_t)rng_below(rng, 2);
    rules->vote.revote_ms = 10000;
    rules->secrecy.ghosts_see = rng_below(rng, 2) ? GHOSTS_ALL : GHOSTS_OWN;
    rules->end.goal = rng_below(rng, 4) ? GOAL_ELIMINATION : GOAL_PARITY;
    if (rng_below(rng, 4) == 0) {
        rules->wolves = WOLVES_TABLE;
        rules->roles.present[options->players] = true;
        rules->roles.counts[options->players][ROLE_WEREWOLF] = 1;
        rules->roles.counts[options->players][ROLE_SEER] = 1;
        rules->roles.counts[options->players][ROLE_VILLAGER] = (uint8_t)(options->players - 2);
    }
}

static void play(Run *run, Rng rng, unsigned size)
{
    Ruleset rules;
    MawOptions options;

    draw_table(&rng, &rules, &options);
    run->rng = rng;
    open_run(run, &rules, &options, rng_next(&run->rng));
    for (unsigned step = 0; step < 20 + 2 * size && !run->broken; step++)
        do_something(run);
}

/* ---- properties ---- */

static bool every_session_keeps_its_promises(Rng *rng, unsigned size)
{
    Run run = {0};

    play(&run, *rng, size);
    if (run.broken)
        print_error("%s\n", run.broken);
    close_run(&run);
    return !run.broken;
}

static bool the_same_inputs_give_the_same_bytes(Rng *rng, unsigned size)
{
    Run first = {0}, second = {0};

    play(&first, *rng, size);
    play(&second, *rng, size);
    bool same = first.output == second.output && first.stanzas == second.stanzas;
    close_run(&first);
    close_run(&second);
    return same;
}

static Str text_of(const json_t *event, const char *key)
{
    const json_t *value = json_object_get(event, key);

    return json_is_string(value) ? (Str){json_string_value(value), json_string_length(value)}
                                 : (Str){"", 0};
}

static MawAct act_named(Str name)
{
    for (MawAct act = ACT_NONE; act <= ACT_OTHER; act++)
        if (str_eq(name, str_of(maw_act_name(act))))
            return act;
    return ACT_OTHER;
}

/* What the record says was done, done once more. */
static void redo(Run *run, const json_t *event)
{
    Str kind = text_of(event, "event");
    MawStanza stanza = {.from = text_of(event, "from"),
                        .to = text_of(event, "to"),
                        .id = text_of(event, "id"),
                        .reply_with = text_of(event, "reply_with"),
                        .thread = text_of(event, "thread"),
                        .error_condition = text_of(event, "condition"),
                        .act = act_named(text_of(event, "act")),
                        .has_body = true,
                        .body = text_of(event, "body")};

    run->now = 5 + 1000 * json_integer_value(json_object_get(event, "t_ms"));
    if (str_eq(kind, STR("bounce")))
        stanza.type = STANZA_ERROR;
    if (str_eq(kind, STR("message")) || str_eq(kind, STR("bounce")))
        maw_session_receive(run->session, &stanza, run->now);
    else if (str_eq(kind, STR("kick")))
        maw_session_kick(run->session, text_of(event, "name"), run->now);
    else if (str_eq(text_of(event, "act"), STR("end_phase")))
        maw_session_end_phase(run->session, run->now);
    else if (str_eq(text_of(event, "act"), STR("pause")))
        maw_session_pause(run->session, run->now);
    else if (str_eq(text_of(event, "act"), STR("resume")))
        maw_session_resume(run->session, run->now);
    else if (str_eq(text_of(event, "act"), STR("extend")))
        maw_session_extend(run->session, json_integer_value(json_object_get(event, "ms")),
                           run->now);
    else if (str_eq(text_of(event, "act"), STR("stop")))
        maw_session_stop(run->session, "Enough.", run->now);
    else if (str_eq(text_of(event, "state"), STR("down")))
        maw_session_link(run->session, false, run->now);
    else if (str_eq(text_of(event, "state"), STR("up")))
        maw_session_link(run->session, true, run->now);
    else
        maw_session_tick(run->session, run->now);
}

static bool a_record_replays_exactly(Rng *rng, unsigned size)
{
    Run run = {.keep_record = true}, again = {.keep_record = true};
    Ruleset rules;
    MawOptions options;
    Rng table = *rng;

    play(&run, *rng, size);
    draw_table(&table, &rules, &options);
    open_run(&again, &rules, &options, rng_next(&table));
    for (Str rest = buf_str(&run.record); rest.len;) {
        Str line = str_cut(&rest, '\n');
        json_t *event = json_loadb(line.bytes, line.len, 0, NULL);
        assert_non_null(event);
        redo(&again, event);
        json_decref(event);
    }
    bool same = str_eq(buf_str(&run.record), buf_str(&again.record)) &&
                run.output == again.output && run.stanzas == again.stanzas;
    if (!same && getenv("WARG_PROP_SHOW"))
        fprintf(stderr, "%s\n---- again:\n%s\n", buf_cstr(&run.record), buf_cstr(&again.record));
    close_run(&run);
    close_run(&again);
    return same;
}

/* What seats did, as the record tells it, is what was counted while they played. */
static int compare_play(void *user, const GameRecord *round, Err *err)
{
    Run *run = user;
    const GameResult *told = &run->results[round->game < ROUNDS_KEPT ? round->game : 0];

    (void)err;
    if (round->game >= ROUNDS_KEPT)
        return 0;
    if (told->has_play != round->result.has_play)
        breaks(run, "the record tells of play where nothing was counted, or the other way");
    for (SeatNo seat = 1; seat <= told->seat_count; seat++)
        if (memcmp(&told->play[seat], &round->result.play[seat], sizeof(SeatPlay)) != 0)
            breaks(run, "the record tells of another play");
    run->rounds++;
    return 0;
}

static bool a_record_tells_how_seats_played(Rng *rng, unsigned size)
{
    Run run = {.keep_record = true};
    Err err = {0};

    play(&run, *rng, size);
    run.rounds = 0;
    if (maw_rounds_read(buf_str(&run.record), compare_play, &run, &err))
        breaks(&run, err.msg);
    if (run.rounds != (run.told < ROUNDS_KEPT ? run.told : ROUNDS_KEPT))
        breaks(&run, "the record has other rounds");
    if (run.broken)
        print_error("%s\n", run.broken);
    close_run(&run);
    return !run.broken;
}

static void invariants_hold_over_ten_thousand_sessions(void **state)
{
    (void)state;
    prop_check(every_session_keeps_its_promises, SESSIONS, 40);
}

static void records_tell_how_seats_played(void **state)
{
    (void)state;
    prop_check(a_record_tells_how_seats_played, SESSIONS / 10, 60);
}

static void sessions_are_deterministic(void **state)
{
    (void)state;
    prop_check(the_same_inputs_give_the_same_bytes, SESSIONS / 20, 40);
}

static void records_replay(void **state)
{
    (void)state;
    prop_check(a_record_replays_exactly, SESSIONS / 20, 40);
}

/* ---- 1.3, 9: random play ---- */

/* All who may vote for one of those they may vote for, drawn uniformly. */
static void vote_at_random(Run *run)
{
    MawSession *session = run->session;
    uint32_t phase_no = session->phase_no, round = session->round;
    SeatSet targets = 0;
    char from[64], body[64];

    for (SeatNo seat = 1; seat <= session->seat_count; seat++)
        targets |= votes_targets(session, member_at(session, seat));
    SeatNo target = seat_nth(targets, draw(run, seat_count_of(targets)));
    snprintf(body, sizeof(body), "{\"type\":\"vote\",\"target\":\"%s\"}",
             member_at(session, target)->name);
    for (SeatNo seat = 1; seat <= session->seat_count; seat++) {
        if (session->phase_no != phase_no || session->round != round)
            return;
        if (seat == target)
            continue;
        snprintf(from, sizeof(from), "%s", member_at(session, seat)->jid);
        MawStanza stanza = {.from = str_of(from),
                            .to = STR("gm@maw.test"),
                            .act = ACT_REQUEST,
                            .has_body = true,
                            .body = str_of(body)};
        maw_session_receive(session, &stanza, run->now);
    }
    /* Two are left, and there is no majority: time decides. */
    while (session->phase_no == phase_no && session->round == round && in_round(session)) {
        run->now = maw_session_deadline(session);
        maw_session_tick(session, run->now);
    }
}

static void random_play_wins_as_often_as_it_must(void **state)
{
    /* Exact chances of the village under elimination and floor. */
    static const struct {
        uint32_t players;
        double chance;
    } rows[] = {{3, 1.0 / 3}, {6, 3.0 / 8}};
    const uint32_t rounds = 1500;

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        Run run = {.rng = rng_new(i)};
        Ruleset rules;
        MawOptions options = maw_options_default();
        assert_int_equal(ruleset_preset(STR("maw"), &rules, NULL), 0);
        options.players = rows[i].players;
        options.rounds = rounds;
        options.scores_ms = 0;
        open_run(&run, &rules, &options, 7 + i);
        for (uint32_t p = 0; p < rows[i].players; p++) {
            char from[64], body[64];
            snprintf(from, sizeof(from), "p%u@maw.test", p);
            snprintf(body, sizeof(body), "{\"type\":\"join_lobby\",\"player_name\":\"P%u\"}", p);
            MawStanza stanza = {.from = str_of(from),
                                .to = STR("gm@maw.test"),
                                .has_body = true,
                                .body = str_of(body)};
            maw_session_receive(run.session, &stanza, run.now);
        }
        while (!maw_session_over(run.session)) {
            run.now += 2000000;
            maw_session_tick(run.session, run.now);
            if (in_round(run.session))
                vote_at_random(&run);
        }
        double wins = (double)maw_session_rounds_won(run.session, SIDE_VILLAGER) / rounds;
        double error2 = rows[i].chance * (1 - rows[i].chance) / rounds;
        double off = wins - rows[i].chance;
        if (off * off > 16 * error2)
            fail_msg("%u players: the village has won %f of the rounds; expected %f",
                     rows[i].players, wins, rows[i].chance);
        close_run(&run);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(invariants_hold_over_ten_thousand_sessions),
        cmocka_unit_test(records_tell_how_seats_played),
        cmocka_unit_test(sessions_are_deterministic),
        cmocka_unit_test(records_replay),
        cmocka_unit_test(random_play_wins_as_often_as_it_must),
    };

    return cmocka_run_group_tests_name("random sessions", tests, NULL, NULL);
}
