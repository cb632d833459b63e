#include "replay.h"

#include "game/drive.h"
#include "prop.h"
#include "wire/aiwolf_client.h"

/* ---- a recording on both sides: what the client knows is what the game lets its seat know ---- */

typedef struct Table {
    AiwolfClient *clients[SEAT_MAX + 1];
    AiwolfCursor cursors[SEAT_MAX + 1];
    Buf again;
    Buf wanted;
    size_t packets;
    Side winner; /* that the clients found, all the same */
} Table;

static bool same_talk(const TalkLog *a, const TalkLog *b)
{
    bool same = a->count == b->count;

    for (uint32_t i = 0; same && i < a->count; i++) {
        const Talk *x = &a->items[i], *y = &b->items[i];
        same = str_eq(x->text, y->text) && x->idx == y->idx && x->turn == y->turn &&
               x->day == y->day && x->seat == y->seat && x->skip == y->skip && x->over == y->over;
    }
    return same;
}

static bool same_left(const View *a, const View *b)
{
    bool same = (a->whisper_left == NULL) == (b->whisper_left == NULL);

    for (SeatNo seat = 1; same && seat <= a->seat_count; seat++) {
        bool wolf = a->whisper_left && a->roles[seat] == ROLE_WEREWOLF;
        same = a->talk_left[seat] == b->talk_left[seat] &&
               (!wolf || a->whisper_left[seat] == b->whisper_left[seat]);
    }
    return same;
}

/* What no packet says, and what not every packet says; the rest is compared by writing it. */
static bool same_view(const View *a, const View *b)
{
    return a->seat == b->seat && a->seat_count == b->seat_count && a->role == b->role &&
           a->day == b->day && a->alive == b->alive && a->alive_at_dawn == b->alive_at_dawn &&
           memcmp(a->roles, b->roles, sizeof(a->roles)) == 0 &&
           memcmp(a->role_counts, b->role_counts, ROLE_COUNT) == 0 &&
           a->executed_today == b->executed_today && a->executed == b->executed &&
           a->over == b->over && a->winner == b->winner && same_talk(a->talk, b->talk) &&
           same_talk(a->whisper, b->whisper) && same_left(a, b);
}

static void assert_parsed(const TalkLog *log)
{
    Arena arena = arena_new(LANG_ARENA_BYTES(LANG_BYTES_MAX));

    for (uint32_t i = 0; i < log->count; i++) {
        const Sentence *sentence = NULL;
        arena_clear(&arena);
        lang_parse(log->items[i].text, &arena, &sentence, NULL);
        assert_int_equal(sentence != NULL, log->items[i].sentence != NULL);
        if (sentence)
            assert_true(lang_equal(sentence, log->items[i].sentence));
    }
    arena_done(&arena);
}

/* The packet that the client's view gives is the one that it came from, byte for byte. */
static void assert_writes(Table *table, const View *view, SeatNo seat, AiwolfRequest request,
                          const Ask *ask, Str recorded)
{
    buf_clear(&table->again);
    aiwolf_packet_write(request, ask && ask->revote, view, view ? &table->cursors[seat] : NULL,
                        &table->again);
    replay_normal(recorded, &table->wanted);
    buf_add_char(&table->wanted, '\n');
    replay_take_out(&table->again, "\"roleNumMap\":{", "}");
    replay_take_out(&table->again, "\"randomSeed\":", ",");
    assert_string_equal(buf_cstr(&table->again), buf_cstr(&table->wanted));
}

static void hear(void *user, SeatNo seat, const Message *recorded, const View *view, const Ask *ask)
{
    Table *table = user;
    AiwolfClient *client = table->clients[seat];
    AiwolfRequest request;
    Ask asked;
    Err err = {0};

    if (aiwolf_client_packet(client, recorded->line, &request, &err))
        fail_msg("%s", err.msg);
    assert_string_equal(aiwolf_request_name(request), replay_request(recorded));
    assert_int_equal(aiwolf_client_ask(client, &asked), ask != NULL);
    if (ask)
        assert_int_equal(asked.kind, ask->kind);
    if (view) {
        const View *theirs = aiwolf_client_view(client);
        assert_true(same_view(theirs, view));
        assert_writes(table, theirs, seat, request, ask ? &asked : NULL, recorded->line);
        if (request == AIWOLF_DAILY_FINISH || request == AIWOLF_ATTACK) {
            assert_parsed(theirs->talk);
            assert_parsed(theirs->whisper);
        }
        if (ask)
            assert_int_equal(asked.seat, seat);
    }
    if (request == AIWOLF_FINISH) {
        assert_int_equal(aiwolf_client_winner(client), view->winner);
        table->winner = view->winner;
    }
    table->packets++;
}

static void join_all(Table *table, SeatNo players)
{
    *table = (Table){0};
    for (SeatNo seat = 1; seat <= players; seat++)
        assert_int_equal(aiwolf_client_new(&table->clients[seat], NULL), 0);
}

static void leave_all(Table *table)
{
    for (SeatNo seat = 1; seat <= SEAT_MAX; seat++)
        aiwolf_client_free(table->clients[seat]);
    buf_done(&table->again);
    buf_done(&table->wanted);
}

static void hear_set(const char *name, SeatNo players, unsigned games)
{
    CLEANUP(buf_done) Buf file = {0};
    Replay *replay = mem_new(sizeof(*replay));
    Recording recording;
    Table table;

    buf_printf(&file, "%s.jsonl.gz", name);
    recording = recording_read(buf_cstr(&file));
    replay_start(replay, &recording);
    join_all(&table, players);
    replay->hook = hear;
    replay->user = &table;
    replay_names(replay, players);
    for (unsigned game = 1; game <= games; game++) {
        buf_clear(&file);
        buf_printf(&file, "%s", name);
        if (games > 1)
            buf_printf(&file, "-game%u", game);
        buf_printf(&file, ".log.gz");
        replay_log(replay, buf_cstr(&file));
        replay_game(replay);
        assert_int_not_equal(table.winner, SIDE_NONE);
    }
    assert_int_equal(table.packets, replay->compared);
    leave_all(&table);
    replay_done(replay);
    mem_free(replay);
    recording_done(&recording);
}

static void a_client_of_recorded_games_knows_what_its_seat_may_know(void **state)
{
    (void)state;
    hear_set("default-5p", 5, 3);
    hear_set("default-15p", 15, 3);
    hear_set("timelimit-role-5p", 5, 3);
    hear_set("timelimit-role-15p", 15, 3);
}

static void a_client_follows_other_settings(void **state)
{
    (void)state;
    hear_set("options-a-15p", 15, 1);
    hear_set("options-b-15p", 15, 1);
}

/* ---- random games on both sides ---- */

/* A game whose packets go to clients, which must then know what the game lets their seats know. */
typedef struct Village {
    Table table;
    AiwolfCursor cursors[SEAT_MAX + 1]; /* the server's */
    Drive drive;
    bool started;
    bool equal;
    Buf line;
    Buf storage;
} Village;

static void tell(Village *village, SeatNo seat, AiwolfRequest request, const Ask *ask)
{
    AiwolfClient *client = village->table.clients[seat];
    Table *table = &village->table;
    const View *view = request == AIWOLF_ROLE ? NULL : game_view(village->drive.game, seat);
    AiwolfRequest heard;
    Ask asked = {0};

    buf_clear(&village->line);
    aiwolf_packet_write(request, ask && ask->revote, view, &village->cursors[seat], &village->line);
    village->equal = village->equal &&
                     aiwolf_client_packet(client, buf_str(&village->line), &heard, NULL) == 0 &&
                     heard == request && aiwolf_client_ask(client, &asked) == (ask != NULL);
    if (!village->equal || !view)
        return;
    buf_clear(&table->again);
    aiwolf_packet_write(request, asked.revote, aiwolf_client_view(client), &table->cursors[seat],
                        &table->again);
    village->equal = str_eq(buf_str(&village->line), buf_str(&table->again)) &&
                     same_view(aiwolf_client_view(client), view) &&
                     (!ask || (asked.kind == ask->kind && asked.seat == seat));
}

static void tell_all(Village *village, AiwolfRequest request)
{
    for (SeatNo seat = 1; seat <= game_seat_count(village->drive.game); seat++)
        tell(village, seat, request, NULL);
}

static void tell_events(Village *village)
{
    Event event;

    while (game_next_event(village->drive.game, &event)) {
        if (event.kind == EVENT_DAY && !village->started)
            tell_all(village, AIWOLF_INITIALIZE);
        village->started = village->started || event.kind == EVENT_DAY;
        if (event.kind == EVENT_DAY)
            tell_all(village, AIWOLF_DAILY_INITIALIZE);
        if (event.kind == EVENT_NIGHT)
            tell_all(village, AIWOLF_DAILY_FINISH);
    }
}

/* An answer as it would come in over the wire. */
static Answer answer_by_line(Village *village, AskKind kind)
{
    Answer drawn = drive_answer(&village->drive, kind), answer;
    Str line = drawn.text;

    if (kind != ASK_TALK && kind != ASK_WHISPER)
        return drawn;
    aiwolf_answer_read(kind, str_cut(&line, '\n'), &village->storage, &answer);
    answer.in_language = drawn.in_language;
    return answer;
}

static void play_village(Village *village)
{
    Game *game = village->drive.game;
    Ask asks[2 * SEAT_MAX];

    tell_events(village);
    while (!game_over(game) && village->equal) {
        size_t count = game_asks(game, asks);
        for (size_t i = 0; i < count; i++)
            tell(village, asks[i].seat, aiwolf_request_of_ask(asks[i].kind), &asks[i]);
        for (size_t i = 0; i < count; i++) {
            Answer answer = answer_by_line(village, asks[i].kind);
            assert_int_equal(game_answer(game, asks[i].seat, &answer, NULL), 0);
        }
        tell_events(village);
    }
    tell_all(village, AIWOLF_FINISH);
}

static Ruleset random_rules(Rng *rng, unsigned size)
{
    static const char *const presets[] = {"aiwolf-2019", "aiwolf-2021", "aiwolf-server"};
    Ruleset rules;

    ruleset_preset(str_of(presets[rng_below(rng, 3)]), &rules, NULL);
    rules.players = 3 + (int32_t)rng_below(rng, size < 16 ? size : 16);
    uint8_t *counts = rules.roles.counts[rules.players];
    if (counts[ROLE_VILLAGER] > 3 && rng_below(rng, 2)) {
        counts[ROLE_VILLAGER] = (uint8_t)(counts[ROLE_VILLAGER] - 3);
        counts[ROLE_FOX]++;
        counts[ROLE_FREEMASON] = 2;
    }
    rules.talk.max_per_agent = 1 + (int32_t)rng_below(rng, 10);
    rules.talk.max_turns = 1 + (int32_t)rng_below(rng, 12);
    rules.whisper.max_turns = 1 + (int32_t)rng_below(rng, 12);
    rules.talk.max_skip = rules.whisper.max_skip = (int32_t)rng_below(rng, 3);
    rules.vote.rounds = 1 + (int32_t)rng_below(rng, 3);
    rules.vote.visible = rng_below(rng, 2);
    rules.vote.tie = (int32_t)rng_below(rng, 2);
    rules.attack.rounds = 1 + (int32_t)rng_below(rng, 3);
    rules.attack.whisper_before_revote = rng_below(rng, 2);
    if (rng_below(rng, 2)) {
        rules.attack.tie = TIE_NOBODY;
        rules.attack.no_vote = NO_VOTE_NOBODY;
    }
    return rules;
}

static bool clients_know_what_the_game_lets_their_seats_know(Rng *rng, unsigned size)
{
    Village *village = mem_new(sizeof(*village));
    Ruleset rules = random_rules(rng, size);

    village->equal = true;
    village->drive.rng = rng_new(rng_next(rng));
    village->drive.talkative = rng_below(rng, 100);
    assert_int_equal(game_new(&rules, rules.players, &village->drive.game, NULL), 0);
    game_start(village->drive.game, NULL, chance_from_seed(rng_next(rng)), NULL);
    join_all(&village->table, (SeatNo)rules.players);
    play_village(village);
    bool equal = village->equal;
    leave_all(&village->table);
    game_free(village->drive.game);
    buf_done(&village->line);
    buf_done(&village->storage);
    mem_free(village);
    return equal;
}

static void clients_of_random_games_know_what_their_seats_may_know(void **state)
{
    (void)state;
    prop_check(clients_know_what_the_game_lets_their_seats_know, 20, 16);
}

/* Seeds that once found something. The third attack ballot followed one without a valid vote. */
static void seeds_that_failed_once_hold(void **state)
{
    (void)state;
    assert_true(prop_holds(clients_know_what_the_game_lets_their_seats_know,
                           UINT64_C(14155491518108779366), 12));
}

/* ---- packets that are not quite as they should be ---- */

typedef struct Alone {
    Recording recording;
    AiwolfClient *client;
    Buf before;
    Buf after;
} Alone;

/* A client that has not heard anything yet, and a recording to take packets from. */
static int alone_setup(void **state)
{
    Alone *alone = mem_new(sizeof(*alone));

    alone->recording = recording_read("default-5p.jsonl.gz");
    assert_int_equal(aiwolf_client_new(&alone->client, NULL), 0);
    *state = alone;
    return 0;
}

static int alone_teardown(void **state)
{
    Alone *alone = *state;

    recording_done(&alone->recording);
    aiwolf_client_free(alone->client);
    buf_done(&alone->before);
    buf_done(&alone->after);
    mem_free(alone);
    return 0;
}

/* The `nth` packet of this request to agent 4, who is the seer in the first game. */
static json_t *packet_of(const Alone *alone, const char *request, size_t nth)
{
    for (size_t i = 0; i < alone->recording.count; i++) {
        const Message *message = &alone->recording.items[i];
        if (message->agent == 4 && replay_is(message, request) && nth-- == 0)
            return json_deep_copy(message->packet);
    }
    fail_msg("no such %s", request);
    return NULL;
}

static int take_text(Alone *alone, const char *line, Err *err)
{
    AiwolfRequest request;

    return aiwolf_client_packet(alone->client, str_of(line), &request, err);
}

static int take(Alone *alone, const json_t *packet)
{
    char *line = json_dumps(packet, JSON_COMPACT);
    int rc = take_text(alone, line, NULL);

    free(line);
    return rc;
}

static void take_good(Alone *alone, const char *request, size_t nth)
{
    json_t *packet = packet_of(alone, request, nth);

    assert_int_equal(take(alone, packet), 0);
    json_decref(packet);
}

/* All that the client knows, as a packet. */
static void write_knowledge(const Alone *alone, Buf *out)
{
    AiwolfCursor cursor = {0};

    buf_clear(out);
    aiwolf_packet_write(AIWOLF_INITIALIZE, false, aiwolf_client_view(alone->client), &cursor, out);
}

static void assert_refused(Alone *alone, const char *line, ErrCode code, const char *why)
{
    Err err = {0};

    write_knowledge(alone, &alone->before);
    assert_int_equal(take_text(alone, line, &err), code);
    if (!strstr(err.msg, why))
        fail_msg("'%s' does not say '%s'", err.msg, why);
    write_knowledge(alone, &alone->after);
    assert_string_equal(buf_cstr(&alone->before), buf_cstr(&alone->after));
}

/* Feeds the packet once without each key of one of its objects. Returns how many were refused. */
static size_t without_each_key(Alone *alone, const char *request, size_t nth, const char *inside)
{
    json_t *packet = packet_of(alone, request, nth);
    json_t *object = inside ? json_object_get(packet, inside) : packet;
    size_t refused = 0, keys = json_object_size(object);

    assert_true(keys >= 5);
    for (size_t k = 0; k < keys; k++) {
        json_t *less = json_deep_copy(packet);
        json_t *there = inside ? json_object_get(less, inside) : less;
        void *iter = json_object_iter(there);
        for (size_t i = 0; i < k; i++)
            iter = json_object_iter_next(there, iter);
        CLEANUP(buf_done) Buf key = {0};
        buf_printf(&key, "%s", json_object_iter_key(iter));
        json_object_del(there, buf_cstr(&key));
        refused += take(alone, less) != 0;
        json_object_set_new(there, buf_cstr(&key), json_null());
        take(alone, less);
        json_decref(less);
    }
    json_decref(packet);
    return refused;
}

static void a_missing_key_is_no_error_unless_nothing_can_do_without(void **state)
{
    Alone *alone = *state;

    assert_int_equal(without_each_key(alone, "INITIALIZE", 0, NULL), 2); /* gameInfo, request */
    assert_int_equal(without_each_key(alone, "INITIALIZE", 0, "gameInfo"), 1); /* agent */
    assert_int_equal(without_each_key(alone, "INITIALIZE", 0, "gameSetting"), 0);
    assert_int_equal(without_each_key(alone, "DAILY_INITIALIZE", 1, NULL), 1);
    assert_int_equal(without_each_key(alone, "DAILY_INITIALIZE", 1, "gameInfo"), 0);
    assert_int_equal(without_each_key(alone, "TALK", 3, NULL), 1);
    assert_int_equal(without_each_key(alone, "FINISH", 0, "gameInfo"), 0);
}

static void unknown_keys_change_nothing(void **state)
{
    Alone *alone = *state;
    json_t *packet = packet_of(alone, "INITIALIZE", 0);

    assert_int_equal(take(alone, packet), 0);
    write_knowledge(alone, &alone->before);
    json_object_set_new(packet, "new", json_pack("{s:[i]}", "a", 1));
    json_object_set_new(json_object_get(packet, "gameInfo"), "new", json_real(0.5));
    json_object_set_new(json_object_get(packet, "gameSetting"), "new", json_string("x"));
    assert_int_equal(take(alone, packet), 0);
    write_knowledge(alone, &alone->after);
    assert_string_equal(buf_cstr(&alone->before), buf_cstr(&alone->after));
    json_decref(packet);
}

static void a_packet_that_is_none_is_refused_and_changes_nothing(void **state)
{
    Alone *alone = *state;

    take_good(alone, "INITIALIZE", 0);
    take_good(alone, "DAILY_INITIALIZE", 1);
    take_good(alone, "TALK", 1);
    assert_refused(alone, "", ERR_SYNTAX, "not JSON");
    assert_refused(alone, "{\"request\":\"TALK\"", ERR_SYNTAX, "not JSON");
    assert_refused(alone, "[]", ERR_SYNTAX, "no request is called ''");
    assert_refused(alone, "{\"request\":\"SHOUT\"}", ERR_SYNTAX, "no request is called 'SHOUT'");
    assert_refused(alone, "{\"request\":7}", ERR_SYNTAX, "'request' is not a text");
    assert_refused(alone, "{\"request\":\"TALK\",\"talkHistory\":{}}", ERR_SYNTAX,
                   "'talkHistory' is not a list");
    assert_refused(alone, "{\"request\":\"TALK\",\"talkHistory\":[1]}", ERR_SYNTAX,
                   "'talk' is not an object");
    assert_refused(alone,
                   "{\"request\":\"TALK\",\"talkHistory\":[{\"agent\":1,\"day\":1,\"idx\":90,"
                   "\"text\":\"Skip\",\"turn\":0},{\"agent\":\"1\"}]}",
                   ERR_SYNTAX, "'agent' is not a whole number");
    assert_refused(alone, "{\"request\":\"VOTE\",\"gameInfo\":{\"day\":2,\"voteList\":1}}",
                   ERR_SYNTAX, "'voteList' is not a list");
    assert_refused(alone, "{\"request\":\"INITIALIZE\",\"gameInfo\":null}", ERR_SYNTAX,
                   "'gameInfo' is not an object");
}

static void what_no_game_can_have_is_refused_and_changes_nothing(void **state)
{
    Alone *alone = *state;

    take_good(alone, "INITIALIZE", 0);
    take_good(alone, "DAILY_INITIALIZE", 1);
    assert_refused(alone,
                   "{\"request\":\"TALK\",\"talkHistory\":[{\"agent\":6,\"day\":1,\"idx\":90,"
                   "\"text\":\"Skip\",\"turn\":0}]}",
                   ERR_LIMIT, "'agent' is 6; expected -1 to 5");
    assert_refused(alone, "{\"request\":\"VOTE\",\"gameInfo\":{\"day\":100000}}", ERR_LIMIT,
                   "'day' is 100000");
    assert_refused(alone, "{\"request\":\"VOTE\",\"gameInfo\":{\"statusMap\":{\"6\":\"ALIVE\"}}}",
                   ERR_LIMIT, "'6' is no agent of 1 to 5");
    assert_refused(alone,
                   "{\"request\":\"INITIALIZE\",\"gameInfo\":{\"agent\":1},"
                   "\"gameSetting\":{\"playerNum\":31}}",
                   ERR_LIMIT, "31 players");
}

static void more_talk_than_a_day_can_have_is_refused(void **state)
{
    Alone *alone = *state;
    CLEANUP(buf_done) Buf line = {0};

    take_good(alone, "INITIALIZE", 0);
    buf_printf(&line, "{\"request\":\"TALK\",\"talkHistory\":[");
    for (unsigned i = 0; i < 5000; i++)
        buf_printf(&line, "%s{\"agent\":1,\"day\":0,\"idx\":%u,\"text\":\"Skip\",\"turn\":0}",
                   i ? "," : "", i);
    buf_printf(&line, "]}");
    assert_refused(alone, buf_cstr(&line), ERR_LIMIT, "more talk than a day can have");
}

static void a_line_that_is_too_long_is_refused(void **state)
{
    Alone *alone = *state;
    CLEANUP(buf_done) Buf line = {0};

    take_good(alone, "INITIALIZE", 0);
    for (size_t i = 0; i <= AIWOLF_PACKET_BYTES_MAX; i++)
        buf_add_char(&line, ' ');
    assert_refused(alone, buf_cstr(&line), ERR_LIMIT, "bytes");
}

/* Other agents may say much; that must not stop this one. */
static void sentences_that_find_no_room_stay_unparsed(void **state)
{
    Alone *alone = *state;
    CLEANUP(buf_done) Buf line = {0};
    CLEANUP(buf_done) Buf text = {0};

    buf_printf(&text, "AND");
    while (text.len < 8000)
        buf_printf(&text, " (OR (Skip)(Skip)(Skip)(Skip)(Skip)(Skip)(Skip))");
    take_good(alone, "INITIALIZE", 0);
    for (unsigned i = 0; i < 400; i++) {
        buf_clear(&line);
        buf_printf(&line,
                   "{\"request\":\"TALK\",\"talkHistory\":[{\"agent\":2,\"day\":0,\"idx\":%u,"
                   "\"text\":\"%s\",\"turn\":0}],\"whisperHistory\":[{\"agent\":2,\"day\":0,"
                   "\"idx\":%u,\"text\":\"Over\",\"turn\":0}]}",
                   i, buf_cstr(&text), i);
        assert_int_equal(take_text(alone, buf_cstr(&line), NULL), 0);
    }
    const TalkLog *talk = aiwolf_client_view(alone->client)->talk;
    assert_int_equal(talk->count, 400);
    assert_non_null(talk->items[0].sentence);
    assert_null(talk->items[399].sentence);
    assert_int_equal(talk->items[399].text.len, text.len);
    assert_non_null(aiwolf_client_view(alone->client)->whisper->items[399].sentence);
}

static void nothing_but_name_and_role_comes_before_initialize(void **state)
{
    Alone *alone = *state;
    Ask ask;

    assert_null(aiwolf_client_view(alone->client));
    assert_int_equal(take_text(alone, "{\"request\":\"TALK\"}", NULL), ERR_SYNTAX);
    take_good(alone, "NAME", 0);
    assert_false(aiwolf_client_ask(alone->client, &ask));
    take_good(alone, "ROLE", 0);
    assert_true(aiwolf_client_ask(alone->client, &ask));
    assert_int_equal(ask.kind, ASK_ROLE);
    assert_null(aiwolf_client_view(alone->client));
}

static void talk_is_merged_by_day_and_idx(void **state)
{
    Alone *alone = *state;
    const char *line = "{\"request\":\"TALK\",\"talkHistory\":["
                       "{\"agent\":2,\"day\":1,\"idx\":0,\"text\":\"VOTE Agent[01]\",\"turn\":0},"
                       "{\"agent\":1,\"day\":1,\"idx\":1,\"text\":\"Over\",\"turn\":0},"
                       "{\"agent\":2,\"day\":1,\"idx\":1,\"text\":\"Skip\",\"turn\":0},"
                       "{\"agent\":3,\"day\":0,\"idx\":2,\"text\":\"Skip\",\"turn\":0},"
                       "{\"agent\":3,\"day\":1,\"idx\":4,\"text\":\"x\\u0000y\",\"turn\":0}]}\r";

    take_good(alone, "INITIALIZE", 0);
    take_good(alone, "DAILY_INITIALIZE", 1);
    for (int again = 0; again < 2; again++) {
        assert_int_equal(take_text(alone, line, NULL), 0);
        const View *view = aiwolf_client_view(alone->client);
        const TalkLog *talk = view->talk;
        assert_int_equal(talk->count, 3);
        assert_int_equal(talk->items[0].sentence->kind, LANG_VOTE);
        assert_true(talk->items[1].over && !talk->items[1].skip);
        assert_int_equal(talk->items[1].seat, 1);
        assert_int_equal(talk->items[2].idx, 4);
        assert_null(talk->items[2].sentence);
        assert_int_equal(talk->items[2].text.len, 3);
        assert_int_equal(view->talk_left[1], 10);
        assert_int_equal(view->talk_left[2], 9);
    }
}

/* An agent that got no daily packet, as old servers left the dead without. */
static void a_history_of_a_later_day_begins_that_day(void **state)
{
    Alone *alone = *state;
    const char *line = "{\"request\":\"TALK\",\"talkHistory\":[{\"agent\":2,\"day\":3,\"idx\":0,"
                       "\"text\":\"Skip\",\"turn\":0}]}";

    take_good(alone, "INITIALIZE", 0);
    take_good(alone, "DAILY_INITIALIZE", 1);
    take_good(alone, "TALK", 2);
    assert_true(aiwolf_client_view(alone->client)->talk->count > 1);
    assert_int_equal(take_text(alone, line, NULL), 0);
    assert_int_equal(aiwolf_client_view(alone->client)->day, 3);
    assert_int_equal(aiwolf_client_view(alone->client)->talk->count, 1);
}

static void initialize_forgets_the_game_before(void **state)
{
    Alone *alone = *state;

    take_good(alone, "INITIALIZE", 0);
    write_knowledge(alone, &alone->before);
    take_good(alone, "DAILY_INITIALIZE", 1);
    take_good(alone, "TALK", 2);
    take_good(alone, "FINISH", 0);
    assert_true(aiwolf_client_view(alone->client)->over);
    assert_int_not_equal(aiwolf_client_winner(alone->client), SIDE_NONE);
    take_good(alone, "INITIALIZE", 0);
    write_knowledge(alone, &alone->after);
    assert_string_equal(buf_cstr(&alone->before), buf_cstr(&alone->after));
    assert_false(aiwolf_client_view(alone->client)->over);
    assert_int_equal(aiwolf_client_view(alone->client)->winner, SIDE_NONE);
    assert_int_not_equal(aiwolf_client_winner(alone->client), SIDE_NONE);
}

#define ALONE(test) cmocka_unit_test_setup_teardown(test, alone_setup, alone_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_client_of_recorded_games_knows_what_its_seat_may_know),
        cmocka_unit_test(a_client_follows_other_settings),
        cmocka_unit_test(clients_of_random_games_know_what_their_seats_may_know),
        cmocka_unit_test(seeds_that_failed_once_hold),
        ALONE(a_missing_key_is_no_error_unless_nothing_can_do_without),
        ALONE(unknown_keys_change_nothing),
        ALONE(a_packet_that_is_none_is_refused_and_changes_nothing),
        ALONE(what_no_game_can_have_is_refused_and_changes_nothing),
        ALONE(more_talk_than_a_day_can_have_is_refused),
        ALONE(a_line_that_is_too_long_is_refused),
        ALONE(sentences_that_find_no_room_stay_unparsed),
        ALONE(nothing_but_name_and_role_comes_before_initialize),
        ALONE(talk_is_merged_by_day_and_idx),
        ALONE(a_history_of_a_later_day_begins_that_day),
        ALONE(initialize_forgets_the_game_before),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
