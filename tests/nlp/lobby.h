/* lobby.h - a hall whose guests live in memory and whose time is an argument.
 *
 * For:    test_hall.c, test_api_games.c. A guest answers everything at once when it is its turn, as
 *         lobby_play has it, unless it is silent.
 * Memory: lobby_new and lobby_free, for cmocka's setup and teardown.
 */
#ifndef WARG_TESTS_NLP_LOBBY_H
#define WARG_TESTS_NLP_LOBBY_H

#include "nlp/hall.h"
#include "nlp/nlp_config.h"

#define SECOND   ((TimeUs)1000000)
#define BEGAN_MS 1795296000000

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
    unsigned sent; /* packets, without those of NAME */
    unsigned replied;
    NlpClose code;
    char reason[160];
} Guest;

typedef struct Lobby {
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
                                          .user = lobby},
                                  .unix_ms_at_zero = BEGAN_MS,
                                  .key = key_of_seed(6),
                                  .fill_after = 30 * SECOND};
    *state = lobby;
    return 0;
}

/* Everybody is gone, and the hall; the schedule's file stays. */
static inline void lobby_shut(Lobby *lobby)
{
    lobby->hall = nlp_hall_free(lobby->hall);
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
    nlp_hall_message(lobby->hall, guest->agent, str_of(guest->reply), lobby->now);
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
    nlp_hall_closed(lobby->hall, agent, lobby->now);
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

static inline void lobby_go_to(Lobby *lobby, TimeUs end)
{
    TimeUs deadline;

    while ((deadline = nlp_hall_deadline(lobby->hall)) <= end) {
        assert_true(deadline >= lobby->now);
        lobby->now = deadline;
        nlp_hall_tick(lobby->hall, deadline);
        assert_true(nlp_hall_deadline(lobby->hall) > deadline);
    }
    lobby->now = end;
    nlp_hall_tick(lobby->hall, end);
}

/* All who owe a reply give it, and so on; true when anybody did. */
static inline bool lobby_answers(Lobby *lobby)
{
    bool any = false;

    while (lobby->queue_first < lobby->queue_last) {
        Guest *guest = lobby->queue[lobby->queue_first++];
        guest->queued = false;
        if (!guest->owes || guest->silent || guest->mute)
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
            lobby_go_to(lobby, nlp_hall_deadline(lobby->hall));
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
