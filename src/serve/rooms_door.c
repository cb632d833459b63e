#include "serve/rooms_door.h"

#include "serve/live_pages.h"
#include "serve/operator_token.h"
#include "serve/room_desk.h"

#include <signal.h>

typedef struct RoomsDoor {
    const WebDoorSetup *setup;
    Loop *loop;
    LivePages *pages;
    RoomDesk *desk;
    Buf token;
} RoomsDoor;

static void rooms_door_done(RoomsDoor *door)
{
    room_desk_end(door->desk);
    live_pages_free(door->pages);
    room_desk_free(door->desk);
    loop_free(door->loop);
    buf_done(&door->token);
}

static void on_signal(void *user, int signal_number, TimeUs now)
{
    RoomsDoor *door = user;

    (void)signal_number, (void)now;
    loop_stop(door->loop);
}

static int open_pages(RoomsDoor *door, TimeUs now, Err *err)
{
    const WebSiteSetup *site = &door->setup->site;
    LivePagesSetup pages = {.host = site->host,
                            .prices = site->prices,
                            .port = door->setup->port,
                            .names = site->public_hosts,
                            .name_count = site->public_host_count,
                            .operator_token = buf_str(&door->token),
                            .who = site->names_hidden ? LIVE_NAMES_HIDDEN : LIVE_NAMES_AT_END,
                            .assets = site->assets,
                            .date_of = site->date_of,
                            .note = site->note,
                            .user = site->user};
    int rc = room_desk_new(&door->desk, err);

    if (rc)
        return rc;
    pages.rooms = room_desk_web(door->desk);
    rc = live_pages_open(door->loop, &pages, &door->pages, err);
    return rc ? rc : live_pages_begin(door->pages, site->paths.paths, site->paths.count, now, err);
}

static int open_desk(RoomsDoor *door, Err *err)
{
    const WebDoorSetup *setup = door->setup;
    const RoomDeskSetup desk = {.loop = door->loop,
                                .model = setup->model,
                                .host = setup->site.host,
                                .port = live_pages_port(door->pages),
                                .date = loop_date_ms,
                                .date_of = setup->site.date_of,
                                .note = setup->site.note,
                                .user = setup->site.user};

    return room_desk_begin(door->desk, &desk, live_pages_site(door->pages),
                           live_pages_sink(door->pages), err);
}

static int make_rooms(RoomsDoor *door, TimeUs now, Buf *words, Err *err)
{
    int rc = 0;

    for (const char *const *room = door->setup->rooms; *room && rc == 0; room++) {
        char code[ROOM_CODE_BYTES];
        rc = room_desk_make(door->desk, *room, now, code, err);
        if (rc == 0)
            room_desk_invite(door->desk, code, *room, door->setup->terminal, words);
    }
    return rc;
}

static int watch_signals(RoomsDoor *door, Err *err)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    int rc = 0;

    for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]) && rc == 0; i++)
        rc = loop_signal(door->loop, signals[i], on_signal, door, err);
    return rc;
}

int rooms_door_serve(const WebDoorSetup *setup, TimeUs now, Err *err)
{
    CLEANUP(rooms_door_done) RoomsDoor door = {.setup = setup};
    CLEANUP(buf_done) Buf words = {0};
    int rc = operator_token(setup->operator_file, &door.token, err);

    if (rc == 0)
        rc = loop_new(&door.loop, err);
    if (rc == 0)
        rc = open_pages(&door, now, err);
    if (rc == 0)
        rc = open_desk(&door, err);
    if (rc)
        return rc;
    live_pages_write_address(door.pages, setup->operator_file || !setup->terminal, &words);
    buf_add_char(&words, '\n');
    rc = make_rooms(&door, now, &words, err);
    if (rc == 0)
        rc = watch_signals(&door, err);
    if (rc)
        return rc;
    setup->words(setup->site.user, buf_str(&words));
    loop_run(door.loop);
    return 0;
}
