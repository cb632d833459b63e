#include "serve/room_desk.h"

#include "base/mem.h"
#include "net/own_address.h"
#include "show/qr_text.h"

struct RoomDesk {
    RoomDeskSetup setup;
    RoomWeb *web;
    RoomGames *games; /* NULL: not begun, or ended */
    Buf address;      /* "http://192.0.2.5:8090" */
    bool only_here;   /* nobody else reaches it */
    bool here_told;   /* that was said */
};

int room_desk_new(RoomDesk **ret_desk, Err *err)
{
    RoomDesk *desk = mem_new(sizeof(*desk));

    if (!desk)
        return err_set(err, ERR_MEMORY, "rooms: out of memory");
    int rc = room_web_new(&desk->web, err);
    if (rc) {
        mem_free(desk);
        return rc;
    }
    *ret_desk = desk;
    return 0;
}

RoomWeb *room_desk_web(const RoomDesk *desk)
{
    return desk->web;
}

/* Where telephones find it: of a server at every address, one of the machine's. */
static void write_address(RoomDesk *desk)
{
    const char *host = desk->setup.host;
    char own[OWN_ADDRESS_BYTES] = "127.0.0.1";

    if (own_address_is_any(host)) {
        desk->only_here = !own_address(own);
        host = own;
    } else {
        desk->only_here = str_starts(str_of(host), STR("127.")) ||
                          str_eq(str_of(host), STR("localhost")) ||
                          str_eq(str_of(host), STR("::1"));
    }
    bool six = strchr(host, ':') != NULL;
    buf_printf(&desk->address, "%s://%s%s%s:%u", desk->setup.tls ? "https" : "http", six ? "[" : "",
               host, six ? "]" : "", desk->setup.port);
}

int room_desk_begin(RoomDesk *desk, const RoomDeskSetup *setup, WebSite *site, const LiveSink *live,
                    Err *err)
{
    desk->setup = *setup;
    write_address(desk);
    const RoomGamesSetup games = {.loop = setup->loop,
                                  .alarms = loop_alarms(setup->loop),
                                  .nlp = setup->nlp,
                                  .live = live,
                                  .logs = setup->logs,
                                  .model = setup->model,
                                  .delay_ms = setup->delay_ms,
                                  .date = setup->date,
                                  .unix_ms_at_zero = setup->date_of(0),
                                  .note = setup->note,
                                  .user = setup->user};
    int rc = room_games_new(&games, &desk->games, err);
    if (rc)
        return rc;
    const RoomWebSetup web = {.alarms = games.alarms,
                              .stage = room_games_stage(desk->games),
                              .port = setup->port,
                              .tls = setup->tls,
                              .address = buf_cstr(&desk->address),
                              .model = setup->model,
                              .nlp = setup->nlp ? setup->nlp->path : NULL,
                              .delay_ms = setup->delay_ms,
                              .live = live,
                              .note = setup->note,
                              .user = setup->user};
    return room_web_begin(desk->web, &web, site, err);
}

int room_desk_make(RoomDesk *desk, const char *words, TimeUs now,
                   char ret_code[static ROOM_CODE_BYTES], Err *err)
{
    RoomOptions options;

    room_options_default(&options);
    options.kept = true;
    int rc = room_options_read_words(str_of(words), &options, err);
    if (rc == 0)
        rc = rooms_make(room_web_rooms(desk->web), &options, now, ret_code, err);
    if (rc == ERR_RULE)
        err_wrap(err, "--room '%s': ", words);
    return rc;
}

void room_desk_invite(RoomDesk *desk, const char *code, const char *words, bool terminal, Buf *out)
{
    CLEANUP(buf_done) Buf link = {0};
    CLEANUP(buf_done) Buf picture = {0};

    room_web_write_link(desk->web, code, NULL, &link);
    buf_add(out, STR("room: "));
    buf_add(out, buf_str(&link));
    if (words[0])
        buf_printf(out, " (%s)", words);
    buf_add_char(out, '\n');
    if (desk->only_here && !desk->here_told)
        buf_add(out, STR("only this machine reaches it: listen at 0.0.0.0 to let telephones of the "
                         "same network in\n"));
    desk->here_told = true;
    if (terminal && !desk->only_here && qr_text_write(buf_str(&link), true, 2, &picture, NULL) == 0)
        buf_add(out, buf_str(&picture));
}

void room_desk_end(RoomDesk *desk)
{
    if (!desk)
        return;
    room_web_end(desk->web);
    desk->games = room_games_free(desk->games);
}

RoomDesk *room_desk_free(RoomDesk *desk)
{
    if (!desk)
        return NULL;
    room_desk_end(desk);
    room_web_free(desk->web);
    buf_done(&desk->address);
    return mem_free(desk);
}
