#include "serve/nlp_door.h"

#include "base/utf8.h"
#include "disk/folder.h"
#include "serve/nlp_key.h"
#include "serve/nlp_replay.h"
#include "serve/room_desk.h"
#include "serve/serve_guests.h"
#include "serve/visitor.h"

#include <inttypes.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

/* Of the connections of a port that agents share with who watches: the part for these. */
#define VIEWERS_SHARE 4

struct NlpDoor {
    NlpDoorSetup setup;
    Loop *loop;
    Server *server;
    Guests *guests;   /* NULL without fill_with */
    HallMoves *moves; /* kept beside what guests decide; NULL = not */
    LivePages *pages;
    RoomDesk *rooms;
    Str *hosts; /* by which browsers find the pages */
    NlpKey key;
    Exit status;
    bool aborted;
};

/* ---- words ---- */

/* A line for people who watch: the time, the port when there are several, the text. */
static void door_say(const NlpDoor *door, const char *text, size_t bytes)
{
    const time_t now = (time_t)(door->setup.date() / 1000);
    struct tm date = {0};
    char stamp[32];
    char port[16] = "";
    CLEANUP(buf_done) Buf line = {0};

    gmtime_r(&now, &date);
    strftime(stamp, sizeof(stamp), "%Y-%m-%dT%H:%M:%SZ", &date);
    if (door->setup.several && door->server)
        snprintf(port, sizeof(port), "[%u] ", server_port(door->server));
    buf_printf(&line, "%s %s", stamp, port);
    utf8_add_printable((Str){text, bytes}, SIZE_MAX, &line); /* peers have a part in it */
    door->setup.words.say(door->setup.words.user, buf_str(&line));
}

static void say_text(const NlpDoor *door, const Buf *text)
{
    door_say(door, buf_cstr(text), text->len);
}

static void on_note(void *user, Str line)
{
    const NlpDoor *door = user;

    if (!door->setup.quiet)
        door_say(door, line.bytes, line.len);
}

/* Where the decisions of guests came from. */
static void say_guests(NlpDoor *door)
{
    CLEANUP(buf_done) Buf counted = {0};
    CLEANUP(buf_done) Buf line = {0};
    ModelCounts counts = {0};

    if (!door->guests)
        return;
    guests_count(door->guests, &counts);
    model_counts_write(&counts, &counted);
    door->status = model_counts_status(&counts);
    buf_add(&line, STR("guests: "));
    buf_add(&line, str_trim(buf_str(&counted)));
    say_text(door, &line);
}

/* With it everybody can deal the games again that were played here. */
static void publish_key(NlpDoor *door)
{
    NlpKey *key = &door->key;
    CLEANUP(buf_done) Buf line = {0};
    char hex[KEY_HEX_BYTES];
    Err err = {0};

    if (key->given)
        return;
    bool in_file = key->secret.len > 0;
    key_to_hex(&key->key, hex);
    if (nlp_key_publish(key, &err))
        buf_printf(&line, "the key stays where it is: %s", err.msg);
    else
        buf_printf(&line, "the key of all that was drawn here: %s",
                   in_file ? buf_cstr(&key->published) : hex);
    say_text(door, &line);
}

/* The last word on a server; the same sentence begins wherever a tournament is complete. */
static void on_over(void *user)
{
    NlpDoor *door = user;
    NlpCounts counts = server_counts(door->server);
    CLEANUP(buf_done) Buf line = {0};

    if (server_complete(door->server) && counts.planned)
        buf_printf(&line, "tournament complete: %" PRIu32 " of %" PRIu32 " matches played",
                   counts.ended, counts.planned);
    else if (server_complete(door->server))
        buf_printf(&line, "complete: %" PRIu64 " games decided",
                   counts.games_begun - counts.games_aborted);
    else if (door->aborted)
        buf_printf(&line, "aborted; %" PRIu64 " games without a winner", counts.games_aborted);
    else if (counts.planned)
        buf_printf(&line, "drained: %" PRIu32 " of %" PRIu32 " matches played", counts.ended,
                   counts.planned);
    else
        buf_printf(&line, "drained: %" PRIu64 " games played", counts.games_begun);
    say_guests(door);
    publish_key(door);
    say_text(door, &line);
    door->setup.over(door->setup.user);
}

static void on_guests_wanted(void *user, Str team, SeatNo count, TimeUs now)
{
    const NlpDoor *door = user;

    guests_call(door->guests, team, count, now);
}

static void on_seat(void *user, const NlpGame *game, SeatNo seat, SeatRecord *own)
{
    const NlpDoor *door = user;

    guests_record(door->guests, game, seat, own);
}

static bool goes_on(const Config *config)
{
    return config->matching.is_optimize && access(config->matching.output_path, F_OK) == 0;
}

/* One run a folder; where games are on several threads nobody knows what came first. */
static void keep_moves(NlpDoor *door)
{
    const NlpDoorSetup *setup = &door->setup;
    const HallMovesHead head = {.key = door->key.key,
                                .began = setup->now,
                                .fill = setup->fill,
                                .fill_after = setup->fill_after,
                                .games = setup->games};
    CLEANUP(buf_done) Buf path = {0};
    CLEANUP(buf_done) Buf line = {0};
    Err err = {0};

    if (!setup->record_minds || !setup->fill_with)
        return;
    buf_printf(&path, "%s/" NLP_MOVES_FILE, setup->record_minds);
    int rc = setup->loops > 1    ? err_set(&err, ERR_USAGE, "there are several loops")
             : buf_failed(&path) ? err_set(&err, ERR_MEMORY, "out of memory")
                                 : folder_make_for(buf_cstr(&path), &err);
    if (rc == 0 && goes_on(setup->config))
        rc = err_set(&err, ERR_RULE, "they go on with a schedule");
    if (rc == 0)
        rc = hall_moves_keep(buf_cstr(&path), &head, &door->moves, &err);
    if (rc == 0)
        return;
    buf_printf(&line, "these games can't be played again: %s", err.msg);
    say_text(door, &line);
}

static uint32_t on_guest_of(void *user, Str words)
{
    const NlpDoor *door = user;

    return guests_number_of(door->guests, words);
}

static int open_guests(NlpDoor *door, Loop *loop, Err *err)
{
    const KeyRoot root = key_root(&door->key.key);
    const Config *config = door->setup.config;
    const GuestsSetup setup = {.spec = door->setup.fill_with,
                               .record = door->setup.record_minds,
                               .record_prompts = door->setup.record_prompts,
                               .budget = door->setup.budget,
                               .prices = door->setup.prices,
                               .opinions = door->setup.opinions,
                               .host = config->host,
                               .secret_key = config->authentication ? config->secret_key : STR(""),
                               .key = key_derive(&root, STR("guests")),
                               .date = door->setup.date,
                               .moves = door->moves,
                               .note = on_note,
                               .user = door};

    return setup.spec ? guests_new(loop, &setup, &door->guests, err) : 0;
}

/* ---- before it runs ---- */

static void say_listening(const NlpDoor *door)
{
    const Config *config = door->setup.config;
    bool any = strcmp(config->host, "*") == 0 || strcmp(config->host, "0.0.0.0") == 0 ||
               strcmp(config->host, "::") == 0 || config->host[0] == '\0';
    bool six = !any && strchr(config->host, ':') != NULL;
    NlpCounts counts = server_counts(door->server);
    CLEANUP(buf_done) Buf line = {0};

    buf_printf(&line, "listening on %s://%s%s%s:%u/ws", door->setup.tls ? "wss" : "ws",
               six ? "[" : "", any ? "127.0.0.1" : config->host, six ? "]" : "",
               server_port(door->server));
    if (any)
        buf_printf(&line, " and every other address of this machine");
    buf_printf(&line, " (%s, %d players, ", config->path, (int)config->agent_count);
    if (door->key.given)
        buf_add(&line, buf_str(&door->key.shown));
    else
        buf_printf(&line, "drawn key%s%s", door->key.secret.len ? " in " : "",
                   buf_cstr(&door->key.secret));
    if (config->matching.is_optimize)
        buf_printf(&line, ", %" PRIu32 " of %" PRIu32 " matches played", counts.ended,
                   counts.planned);
    buf_add_char(&line, ')');
    say_text(door, &line);
}

static void say_text_of(const NlpDoor *door, const char *text)
{
    door_say(door, text, strlen(text));
}

/* Who may see the roles of running games. */
static void say_readers(const NlpDoor *door)
{
    const Config *config = door->setup.config;
    CLEANUP(buf_done) Buf line = {0};

    if (config->open)
        say_text_of(door, "WARNING: warg.open is true: everybody who reaches this port, "
                          "participants too, can read the roles of running games");
    else if (config->authentication && config->realtime_open && config->realtime.enable)
        say_text_of(door, "WARNING: warg.realtime_open is true: everybody who reaches this "
                          "port, participants too, can read the roles of running games below "
                          "/realtime/ (/realtime/masked/ has none)");
    if (config->open || config->authentication || door->setup.token_is_kept)
        return;
    buf_printf(&line,
               "operator's token: %.*s (with it, as 'Authorization: Bearer TOKEN', roles and "
               "teams of running games can be read)",
               STR_ARG(door->setup.operator_token));
    say_text(door, &line);
}

/* Given by the command, by the configuration, or drawn. */
static int choose_key(NlpDoor *door, Err *err)
{
    const Config *config = door->setup.config;
    const char *seed = door->setup.seed;
    NlpKey *key = &door->key;

    if (seed) {
        int rc = nlp_key_read(seed, key, err);
        nlp_key_number(key, door->setup.number);
        return rc;
    }
    return config->seed_set ? nlp_key_of_seed(config->seed, key, err) : nlp_key_draw(key, err);
}

/* Beside the logs: who keeps those keeps it too. A server that can't write goes on. */
static void keep_key(NlpDoor *door)
{
    const Config *config = door->setup.config;
    const ConfigLogger *logger = config->json_logger.enable   ? &config->json_logger
                                 : config->game_logger.enable ? &config->game_logger
                                                              : NULL;
    CLEANUP(buf_done) Buf line = {0};
    Err err = {0};

    if (nlp_key_keep(&door->key, logger ? logger->output_dir : NULL, door->setup.date(), &err) == 0)
        return;
    buf_printf(&line, "the key is not kept, and is lost when the server is killed: %s", err.msg);
    say_text(door, &line);
}

static int on_listening(void *user, ResultJournal **ret_results, Err *err)
{
    const NlpDoorSetup *setup = &((NlpDoor *)user)->setup;

    return setup->results(setup->user, setup->config, ret_results, err);
}

/* Those that the command makes; who is at the screen is told how to get in. */
static int make_rooms(NlpDoor *door, Err *err)
{
    int rc = 0;

    for (const char *const *words = door->setup.rooms; words && *words && rc == 0; words++) {
        CLEANUP(buf_done) Buf text = {0};
        char code[ROOM_CODE_BYTES];
        rc = room_desk_make(door->rooms, *words, door->setup.now, code, err);
        if (rc == 0)
            room_desk_invite(door->rooms, code, *words, door->setup.terminal, &text);
        door->setup.words.print(door->setup.words.user, buf_str(&text));
    }
    return rc;
}

static int begin_rooms(NlpDoor *door, Err *err)
{
    const NlpDoorSetup *setup = &door->setup;
    const Config *config = setup->config;
    const bool own_port = setup->pages.host != NULL;
    const RoomDeskSetup desk = {
        .loop = door->loop,
        .nlp = config,
        .logs = config->game_logger.enable ? config->game_logger.output_dir : NULL,
        .model = setup->fill_with,
        .host = own_port ? setup->pages.host : config->host,
        .port = own_port ? live_pages_port(door->pages) : server_port(door->server),
        .tls = !own_port && setup->tls,
        .delay_ms = setup->pages.delay / 1000,
        .date = setup->date,
        .date_of = setup->date_of,
        .note = on_note,
        .user = door};
    int rc = room_desk_begin(door->rooms, &desk, live_pages_site(door->pages),
                             live_pages_sink(door->pages), err);

    return rc ? rc : make_rooms(door, err);
}

/* Of the two folders that which has the journal. It is made: the pages look at what is there. */
static int show_folder(NlpDoor *door, Err *err)
{
    const Config *config = door->setup.config;
    const ConfigLogger *logger =
        config->game_logger.enable ? &config->game_logger : &config->json_logger;
    int rc = logger->enable ? folder_make(str_of(logger->output_dir), err) : 0;

    return rc ? rc
              : live_pages_begin(door->pages, &logger->output_dir, logger->enable, door->setup.now,
                                 err);
}

static void say_pages(const NlpDoor *door)
{
    CLEANUP(buf_done) Buf line = {0};

    if (door->setup.pages.host)
        live_pages_write_address(door->pages, true, &line);
    else
        buf_printf(&line, "pages: /web/ of port %u, too", server_port(door->server));
    if (door->setup.pages.host || !door->setup.quiet)
        say_text(door, &line);
}

/* A contest goes on without pages that nobody asked for. */
static int begin_pages(NlpDoor *door, Err *err)
{
    CLEANUP(buf_done) Buf line = {0};
    Err own = {0};

    if (show_folder(door, &own) == 0) {
        say_pages(door);
        return begin_rooms(door, err);
    }
    if (door->setup.pages.host)
        return *err = own, own.code;
    buf_printf(&line, "no pages: %s", own.msg);
    say_text(door, &line);
    return 0;
}

/* RECEIVER tokens. */
static bool on_secret(void *user, Str secret, TimeUs now)
{
    const NlpDoor *door = user;
    const Config *config = door->setup.config;
    const VisitorRules rules = {.authentication = config->authentication,
                                .secret_key = config->secret_key};

    return visitor_may_see_all(&rules, secret, door->setup.date_of(now) / 1000);
}

/* Those of --public-host, and those of the configuration. */
static int name_pages(NlpDoor *door, LivePagesSetup *setup, Err *err)
{
    const Config *config = door->setup.config;
    const size_t count = setup->name_count + config->host_count;

    if (count == 0)
        return 0;
    door->hosts = mem_new(count * sizeof(*door->hosts));
    if (!door->hosts)
        return err_set(err, ERR_MEMORY, "pages: out of memory");
    for (uint32_t i = 0; i < setup->name_count; i++)
        door->hosts[i] = setup->names[i];
    for (uint32_t i = 0; i < config->host_count; i++)
        door->hosts[setup->name_count + i] = config->hosts[i];
    setup->names = door->hosts;
    setup->name_count = (uint32_t)count;
    return 0;
}

/* They are on the server's own port always, for those who may read that. With --web they are for
 * all, and without it agents keep most of the connections. */
static void close_pages(const NlpDoor *door, LivePagesSetup *setup)
{
    const Config *config = door->setup.config;

    setup->where = config->host;
    if (setup->host)
        return;
    setup->closed = config->authentication && !config->open;
    if (door->setup.connections)
        setup->readers = door->setup.connections / VIEWERS_SHARE + 1;
    if (setup->readers > FEED_READERS_MAX)
        setup->readers = FEED_READERS_MAX;
}

static int open_pages(NlpDoor *door, Loop *loop, Err *err)
{
    LivePagesSetup setup = door->setup.pages;
    int rc = name_pages(door, &setup, err);

    close_pages(door, &setup);
    if (rc == 0)
        rc = room_desk_new(&door->rooms, err);
    if (rc)
        return rc;
    setup.rooms = room_desk_web(door->rooms);
    setup.operator_token = door->setup.operator_token;
    setup.date_of = door->setup.date_of;
    setup.sees_all = on_secret;
    setup.note = on_note;
    setup.user = door;
    return live_pages_open(loop, &setup, &door->pages, err);
}

static int open_server(NlpDoor *door, Loop *loop, Err *err)
{
    const NlpDoorSetup *setup = &door->setup;
    const ServerSetup server = {
        .config = setup->config,
        .tls = setup->tls,
        .operator_token = setup->operator_token,
        .fill = setup->fill,
        .fill_after = setup->fill_after,
        .self_per_hour = setup->self_per_hour,
        .key = door->key.key,
        .date = setup->date_of,
        .now = setup->now,
        .games = setup->games,
        .listening = on_listening,
        .connections = setup->connections,
        .loops = setup->loops,
        .pages = door->pages,
        .moves = door->moves,
        .guest_of = on_guest_of,
        .guests = setup->fill_with ? on_guests_wanted : NULL,
        .seat = setup->fill_with ? on_seat : NULL,
        .note = on_note,
        .over = on_over,
        .user = door,
    };
    int rc = server_open(loop, &server, &door->server, err);

    if (rc) {
        err_wrap(err, "config '%s': ", setup->config->path);
        return rc;
    }
    keep_key(door);
    say_listening(door);
    say_readers(door);
    if (door->guests)
        guests_set_port(door->guests, server_port(door->server));
    return 0;
}

int nlp_door_open(Loop *loop, const NlpDoorSetup *setup, NlpDoor **ret_door, Err *err)
{
    NlpDoor *door = mem_new(sizeof(*door));

    if (!door)
        return err_set(err, ERR_MEMORY, "serve: out of memory");
    door->setup = *setup;
    door->loop = loop;
    int rc = choose_key(door, err);
    if (rc == 0)
        keep_moves(door);
    if (rc == 0)
        rc = open_guests(door, loop, err);
    if (rc == 0)
        rc = open_pages(door, loop, err);
    if (rc == 0)
        rc = open_server(door, loop, err);
    if (rc == 0)
        rc = begin_pages(door, err);
    if (rc) {
        nlp_door_free(door);
        return rc;
    }
    *ret_door = door;
    return 0;
}

NlpDoor *nlp_door_free(NlpDoor *door)
{
    if (!door)
        return NULL;
    guests_free(door->guests);
    room_desk_end(door->rooms);
    live_pages_close(door->pages);
    server_free(door->server);
    live_pages_free(door->pages);
    room_desk_free(door->rooms);
    hall_moves_free(door->moves);
    nlp_key_done(&door->key);
    mem_free(door->hosts);
    return mem_free(door);
}

void nlp_door_drain(NlpDoor *door, TimeUs now)
{
    server_drain(door->server, now);
}

void nlp_door_abort(NlpDoor *door, TimeUs now)
{
    door->aborted = true;
    server_abort(door->server, now);
}

void nlp_door_written(NlpDoor *door, TimeUs now)
{
    server_written(door->server, now);
}

const char *nlp_door_path(const NlpDoor *door)
{
    return door->setup.config->path;
}

bool nlp_door_over(const NlpDoor *door)
{
    return server_over(door->server);
}

NlpCounts nlp_door_counts(const NlpDoor *door)
{
    return server_counts(door->server);
}

bool nlp_door_has_aborted(const NlpDoor *door)
{
    return door->aborted && server_counts(door->server).games_aborted > 0;
}

bool nlp_door_unsaved(const NlpDoor *door)
{
    return server_counts(door->server).unsaved;
}

Exit nlp_door_status(const NlpDoor *door)
{
    return door->status;
}
