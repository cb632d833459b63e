/* lobby.h - a hall whose guests live in memory and whose time is an argument.
 *
 * For:    test_hall.c, test_api_games.c. A guest answers everything at once when it is its turn, as
 *         lobby_play has it, unless it is silent. With lobby_benches the hall has so many others,
 *         for which letters stand in queues.
 * Memory: lobby_new and lobby_free, for cmocka's setup and teardown.
 */
#ifndef WARG_TESTS_NLP_LOBBY_H
#define WARG_TESTS_NLP_LOBBY_H

#include "nlp/bench.h"
#include "nlp/hall.h"
#include "nlp/nlp_config.h"

#define SECOND   ((TimeUs)1000000)
#define BEGAN_MS 1795296000000

/* Beside the hall's own. */
static unsigned lobby_benches = 0;
#define LOBBY_BENCHES_MAX 3

/* Where a guest's connection is, but the number of a bench. */
#define AT_THE_HALL (-1)
#define ON_THE_WAY  (-2)

typedef struct Guest {
    struct Lobby *lobby;
    NlpAgent *agent;
    char name[160];
    char reply[192]; /* to what was asked last */
    char request[24];
    bool open;
    bool silent; /* answers nothing but its first NAME */
    bool mute;   /* not even that */
    bool owes;
    bool queued;
    int place;
    unsigned sent; /* packets, without those of NAME */
    unsigned replied;
    NlpClose code;
    char reason[160];
} Guest;

typedef struct LobbyBench {
    struct Lobby *lobby;
    Bench *bench;
    Buf tasks; /* Task */
} LobbyBench;

typedef struct Lobby {
    LobbyBench benches[LOBBY_BENCHES_MAX];
    Buf news;     /* News, each with its texts */
    bool moves;   /* nlp_hall_move is to be called */
    bool letters; /* wait until lobby_deliver */
    Config *config;
    NlpHallSetup setup;
    NlpHall *hall;
    TimeUs now;
    char folder[64];
    char path[128]; /* of the schedule */
    Guest **guests;
    size_t count;
    size_t room;
    Guest **queue; /* who owes a reply */
    size_t queue_first;
    size_t queue_last;
    size_t queue_room;
    Buf notes;
    Buf packet;
    unsigned notices[NOTICE_ALL];
    unsigned begun;
    unsigned over;
    void (*noted)(struct Lobby *lobby, Str line);
    char first_id[32];
} Lobby;

/* ---- what a hall tells ---- */

static inline void lobby_owe(Guest *guest)
{
    Lobby *lobby = guest->lobby;

    guest->owes = true;
    if (guest->queued)
        return;
    guest->queued = true;
    if (lobby->queue_last == lobby->queue_room) {
        if (lobby->queue_room)
            memmove(lobby->queue, lobby->queue + lobby->queue_first,
                    (lobby->queue_last - lobby->queue_first) * sizeof(Guest *));
        lobby->queue_last -= lobby->queue_first;
        lobby->queue_first = 0;
        if (2 * lobby->queue_last >= lobby->queue_room) {
            lobby->queue_room = 2 * lobby->queue_room + 64;
            lobby->queue = mem_resize(lobby->queue, lobby->queue_room, sizeof(Guest *));
            assert_non_null(lobby->queue);
        }
    }
    lobby->queue[lobby->queue_last++] = guest;
}

/* The first who is alive and not the guest itself, in the order of seats. */
static inline void choose_target(Guest *guest, const char *packet)
{
    char name[16];
    char alive[32];
    char self[32];

    for (unsigned seat = 1; seat <= 13; seat++) {
        snprintf(name, sizeof(name), "Agent[%02u]", seat);
        snprintf(alive, sizeof(alive), "\"%s\":\"ALIVE\"", name);
        snprintf(self, sizeof(self), "\"agent\":\"%s\",\"", name);
        snprintf(guest->reply, sizeof(guest->reply), "%s", name);
        if (strstr(packet, alive) && !strstr(packet, self))
            return;
    }
}

static inline void lobby_send(void *user, Str text)
{
    static const char *const asked[] = {"NAME",   "TALK",  "WHISPER", "VOTE",
                                        "DIVINE", "GUARD", "ATTACK"};
    Guest *guest = user;
    Buf *packet = &guest->lobby->packet;

    if (!guest->open)
        fail_msg("a packet for a closed connection");
    buf_clear(packet);
    buf_add(packet, text);
    const char *at = strstr(buf_cstr(packet), "\"request\":\"");
    assert_non_null(at);
    size_t n = strcspn(at + 11, "\"");
    snprintf(guest->request, sizeof(guest->request), "%.*s", (int)n, at + 11);
    guest->sent += strcmp(guest->request, "NAME") != 0;
    for (int i = 0; i < 7; i++)
        if (strcmp(guest->request, asked[i]) == 0) {
            if (i == 0)
                snprintf(guest->reply, sizeof(guest->reply), "%s\n", guest->name);
            else if (i < 3)
                snprintf(guest->reply, sizeof(guest->reply), "Over");
            else
                choose_target(guest, buf_cstr(packet));
            lobby_owe(guest);
        }
}

static inline void lobby_close(void *user, NlpClose code, const char *reason)
{
    Guest *guest = user;

    assert_true(guest->open && reason[0]);
    guest->open = guest->owes = false;
    guest->agent = NULL;
    guest->code = code;
    snprintf(guest->reason, sizeof(guest->reason), "%s", reason);
}

static inline void lobby_note(void *user, Str line)
{
    Lobby *lobby = user;

    assert_null(memchr(line.bytes, '\n', line.len));
    buf_add(&lobby->notes, line);
    buf_add_char(&lobby->notes, '\n');
    if (lobby->noted)
        lobby->noted(lobby, line);
}

static inline void lobby_game(void *user, Str id, bool over)
{
    Lobby *lobby = user;

    lobby->begun += !over;
    lobby->over += over;
    if (lobby->begun == 1 && !over)
        snprintf(lobby->first_id, sizeof(lobby->first_id), "%.*s", STR_ARG(id));
}

static inline void lobby_notice(void *user, ConfigNotice what, Str text)
{
    Lobby *lobby = user;

    assert_true(text.len > 0);
    lobby->notices[what]++;
}

/* ---- other benches ---- */

static inline void take_away(const Running *running)
{
    for (SeatNo seat = 1; seat <= bench_seat_count(running); seat++)
        if (bench_seated(running, seat))
            ((Guest *)bench_peer(bench_seated(running, seat)))->place = ON_THE_WAY;
}

static inline void put_down(const Running *running, int place)
{
    for (SeatNo seat = 1; seat <= bench_seat_count(running); seat++)
        if (bench_seated(running, seat))
            ((Guest *)bench_peer(bench_seated(running, seat)))->place = place;
}

static inline void lobby_moves(void *user)
{
    ((Lobby *)user)->moves = true;
}

static inline void lobby_task(void *user, unsigned bench, const Task *task)
{
    Lobby *lobby = user;

    if (task->kind == TASK_TAKE)
        take_away(task->running);
    if (task->kind == TASK_REJOIN)
        ((Guest *)bench_peer(task->agent))->place = ON_THE_WAY;
    buf_add(&lobby->benches[bench].tasks, (Str){(const char *)task, sizeof(*task)});
}

static inline bool lobby_news(void *user, const News *news)
{
    const LobbyBench *bench = user;
    Buf *letter = &bench->lobby->news;

    if (news->kind == NEWS_UTTERANCE)
        return false;
    if (news->kind == NEWS_OVER)
        take_away(news->running);
    if (news->kind == NEWS_REFUSED)
        ((Guest *)bench_peer(news->agent))->place = ON_THE_WAY;
    buf_add(letter, (Str){(const char *)news, sizeof(*news)});
    buf_add(letter, news->text);
    buf_add(letter, news->masked);
    return false;
}

static inline void deliver_tasks(LobbyBench *bench)
{
    int number = (int)(bench - bench->lobby->benches);
    CLEANUP(buf_done) Buf tasks = bench->tasks;
    Task task;

    bench->tasks = (Buf){0};
    for (size_t at = 0; at < tasks.len; at += sizeof(task)) {
        memcpy(&task, tasks.bytes + at, sizeof(task));
        if (task.kind == TASK_TAKE)
            put_down(task.running, number);
        if (task.kind == TASK_REJOIN)
            ((Guest *)bench_peer(task.agent))->place = number;
        bench_do(bench->bench, &task, bench->lobby->now);
    }
}

static inline void deliver_news(Lobby *lobby)
{
    CLEANUP(buf_done) Buf letter = lobby->news;
    Str rest = buf_str(&letter);
    News news;

    lobby->news = (Buf){0};
    while (rest.len) {
        memcpy(&news, rest.bytes, sizeof(news));
        news.text = str_part(rest, sizeof(news), news.text.len);
        news.masked = str_part(rest, sizeof(news) + news.text.len, news.masked.len);
        rest = str_part(rest, sizeof(news) + news.text.len + news.masked.len, rest.len);
        if (news.kind == NEWS_OVER)
            put_down(news.running, AT_THE_HALL);
        if (news.kind == NEWS_REFUSED)
            ((Guest *)bench_peer(news.agent))->place = AT_THE_HALL;
        nlp_hall_hear(lobby->hall, &news, lobby->now);
    }
}

/* True when something waits to be delivered; `which`: the hall's moves, news, or one bench's tasks,
 * so far as they are there now. */
static inline bool lobby_deliver(Lobby *lobby, unsigned which)
{
    if (which == 0 && lobby->moves) {
        lobby->moves = false;
        nlp_hall_move(lobby->hall, lobby->now);
    }
    if (which == 1 && lobby->news.len)
        deliver_news(lobby);
    if (which >= 2 && which - 2 < lobby_benches && lobby->benches[which - 2].tasks.len)
        deliver_tasks(&lobby->benches[which - 2]);
    bool waits = lobby->moves || lobby->news.len;
    for (unsigned i = 0; i < lobby_benches; i++)
        waits |= lobby->benches[i].tasks.len > 0;
    return waits;
}

/* All that is said goes where it belongs, unless letters take their time. Behind each call of hall
 * and benches. */
static inline void lobby_heard(Lobby *lobby)
{
    for (unsigned which = 0; !lobby->letters && lobby_deliver(lobby, which);)
        which = (which + 1) % (lobby_benches + 2);
}

static inline void open_benches(Lobby *lobby)
{
    for (unsigned i = 0; i < lobby_benches; i++) {
        LobbyBench *bench = &lobby->benches[i];
        const BenchOut out = {
            .send = lobby_send, .close = lobby_close, .tell = lobby_news, .user = bench};
        bench->lobby = lobby;
        assert_int_equal(bench_new(&out, BEGAN_MS, &bench->bench, NULL), 0);
    }
}

static inline void close_benches(Lobby *lobby)
{
    for (unsigned i = 0; i < LOBBY_BENCHES_MAX; i++) {
        lobby->benches[i].bench = bench_free(lobby->benches[i].bench);
        buf_done(&lobby->benches[i].tasks);
    }
    buf_done(&lobby->news);
    lobby->moves = false;
}

/* ---- beginning and end ---- */

static inline int lobby_new(void **state)
{
    Lobby *lobby = mem_new(sizeof(*lobby));

    make_folder(lobby->folder);
    snprintf(lobby->path, sizeof(lobby->path), "%s/schedule.json", lobby->folder);
    lobby->config = shipped_config("default_5", "", "");
    lobby->config->matching.output_path = lobby->path;
    lobby->setup = (NlpHallSetup){.config = lobby->config,
                                  .out = {.send = lobby_send,
                                          .close = lobby_close,
                                          .note = lobby_note,
                                          .game = lobby_game,
                                          .notice = lobby_notice,
                                          .moves = lobby_moves,
                                          .task = lobby_task,
                                          .user = lobby},
                                  .unix_ms_at_zero = BEGAN_MS,
                                  .key = key_of_seed(6),
                                  .fill_after = 30 * SECOND,
                                  .benches = lobby_benches};
    *state = lobby;
    return 0;
}

/* Everybody is gone, and the hall; the schedule's file stays. */
static inline void lobby_shut(Lobby *lobby)
{
    lobby->hall = nlp_hall_free(lobby->hall);
    close_benches(lobby);
    for (size_t i = 0; i < lobby->count; i++)
        mem_free(lobby->guests[i]);
    lobby->count = lobby->queue_first = lobby->queue_last = 0;
    lobby->begun = lobby->over = 0;
    lobby->now = 0;
    memset(lobby->notices, 0, sizeof(lobby->notices));
    buf_clear(&lobby->notes);
}

static inline int lobby_free(void **state)
{
    Lobby *lobby = *state;

    lobby_shut(lobby);
    mem_free(lobby->guests);
    mem_free(lobby->queue);
    buf_done(&lobby->notes);
    buf_done(&lobby->packet);
    config_free(lobby->config);
    remove_folder(lobby->folder);
    mem_free(lobby);
    return 0;
}

static inline void lobby_open(Lobby *lobby)
{
    Err err = {0};

    lobby_shut(lobby);
    open_benches(lobby);
    if (nlp_hall_new(&lobby->setup, &lobby->hall, &err))
        fail_msg("%s", err.msg);
}

/* A schedule of `games` games of as many teams as there are seats. */
static inline void lobby_open_scheduled(Lobby *lobby, int32_t games)
{
    lobby->config->matching.is_optimize = true;
    lobby->config->matching.team_count = lobby->config->agent_count;
    lobby->config->matching.game_count = games;
    lobby_open(lobby);
}

/* ---- guests ---- */

static inline void guest_answer(Guest *guest)
{
    Lobby *lobby = guest->lobby;

    guest->owes = false;
    guest->replied++;
    if (guest->place == AT_THE_HALL)
        nlp_hall_message(lobby->hall, guest->agent, str_of(guest->reply), lobby->now);
    else
        bench_message(guest->agent, str_of(guest->reply), lobby->now);
    lobby_heard(lobby);
}

/* Somebody connects from an address and, unless `mute`, says its name. */
static inline Guest *guest_knock_from(Lobby *lobby, const char *address, const char *name,
                                      const char *token, bool mute)
{
    Guest *guest = mem_new(sizeof(*guest));
    Err err = {0};

    assert_non_null(guest);
    if (lobby->count == lobby->room) {
        lobby->room = 2 * lobby->room + 64;
        lobby->guests = mem_resize(lobby->guests, lobby->room, sizeof(Guest *));
        assert_non_null(lobby->guests);
    }
    lobby->guests[lobby->count++] = guest;
    guest->lobby = lobby;
    guest->open = true;
    guest->place = AT_THE_HALL;
    guest->mute = mute;
    snprintf(guest->name, sizeof(guest->name), "%s", name);
    if (nlp_hall_opened(lobby->hall, guest, str_of(token), address, lobby->now, &guest->agent,
                        &err))
        fail_msg("%s", err.msg);
    assert_string_equal(guest->request, "NAME");
    if (!mute)
        guest_answer(guest);
    return guest;
}

static inline Guest *guest_knock(Lobby *lobby, const char *name, const char *token, bool mute)
{
    return guest_knock_from(lobby, "192.0.2.1", name, token, mute);
}

static inline Guest *guest_come(Lobby *lobby, const char *name)
{
    return guest_knock(lobby, name, "", false);
}

static inline void guest_leave(Guest *guest)
{
    Lobby *lobby = guest->lobby;
    NlpAgent *agent = guest->agent;

    assert_true(guest->open);
    guest->open = guest->owes = false;
    guest->agent = NULL;
    if (guest->place == AT_THE_HALL)
        nlp_hall_closed(lobby->hall, agent, lobby->now);
    else
        bench_lost(agent, lobby->now);
    lobby_heard(lobby);
}

/* `count` guests of teams a, b, c ...: "a1", "b1". */
static inline void teams_come(Lobby *lobby, unsigned count)
{
    char name[4];

    for (unsigned i = 0; i < count; i++) {
        snprintf(name, sizeof(name), "%c1", 'a' + (int)i);
        guest_come(lobby, name);
    }
}

/* ---- time ---- */

static inline TimeUs lobby_deadline(const Lobby *lobby)
{
    TimeUs first = nlp_hall_deadline(lobby->hall);

    for (unsigned i = 0; i < lobby_benches; i++)
        if (bench_deadline(lobby->benches[i].bench) < first)
            first = bench_deadline(lobby->benches[i].bench);
    return first;
}

static inline void lobby_tick(Lobby *lobby)
{
    nlp_hall_tick(lobby->hall, lobby->now);
    for (unsigned i = 0; i < lobby_benches; i++)
        bench_tick(lobby->benches[i].bench, lobby->now);
    lobby_heard(lobby);
}

static inline void lobby_go_to(Lobby *lobby, TimeUs end)
{
    TimeUs deadline;

    while ((deadline = lobby_deadline(lobby)) <= end) {
        assert_true(deadline >= lobby->now || lobby->letters);
        if (deadline > lobby->now)
            lobby->now = deadline;
        lobby_tick(lobby);
        assert_true(lobby_deadline(lobby) > deadline);
    }
    lobby->now = end;
    lobby_tick(lobby);
}

/* All who owe a reply give it, and so on; true when anybody did. */
static inline bool lobby_answers(Lobby *lobby)
{
    bool any = false;

    /* Who is on the way answers in the next round. */
    for (size_t left = lobby->letters ? lobby->queue_last - lobby->queue_first : SIZE_MAX;
         left && lobby->queue_first < lobby->queue_last; left--) {
        Guest *guest = lobby->queue[lobby->queue_first++];
        guest->queued = false;
        if (guest->owes && guest->place == ON_THE_WAY)
            lobby_owe(guest);
        if (!guest->owes || guest->silent || guest->mute || guest->place == ON_THE_WAY)
            continue;
        guest_answer(guest);
        any = true;
    }
    return any;
}

/* Plays until no game is running. */
static inline void lobby_play(Lobby *lobby)
{
    for (int steps = 0; nlp_hall_counts(lobby->hall).games > 0; steps++) {
        assert_true(steps < 100000);
        if (!lobby_answers(lobby) && nlp_hall_counts(lobby->hall).games > 0)
            lobby_go_to(lobby, lobby_deadline(lobby));
    }
}

/* Everybody who is still connected leaves. */
static inline void all_leave(Lobby *lobby)
{
    for (size_t i = 0; i < lobby->count; i++)
        if (lobby->guests[i]->open)
            guest_leave(lobby->guests[i]);
}

static inline bool noted(Lobby *lobby, const char *part)
{
    return strstr(buf_cstr(&lobby->notes), part) != NULL;
}

#endif
