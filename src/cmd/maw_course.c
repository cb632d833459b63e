#include "cmd/maw_course.h"

#include "base/utf8.h"
#include "maw/system_line.h"
#include "wire/json_read.h"

#define EVENT_BYTES_MAX ((size_t)1024 * 1024)
#define TEXT_CHARS_MAX  1000

/* "12:05 " since the session began. */
static void add_time(const json_t *event, Buf *out)
{
    long long seconds = (long long)json_number(event, "t_ms") / 1000;

    buf_printf(out, "%3lld:%02lld  ", seconds / 60, seconds % 60);
}

static void add_text(const json_t *event, const char *key, Buf *out)
{
    utf8_add_printable(json_text(event, key), TEXT_CHARS_MAX, out);
}

static void show_start(const json_t *event, Buf *out)
{
    const json_t *players = json_get(event, "players");

    buf_printf(out, "\nRound %lld\n", (long long)json_number(event, "round"));
    add_time(event, out);
    for (size_t i = 0; i < json_count(players); i++) {
        const json_t *player = json_at(players, i);
        if (i)
            buf_add(out, STR(", "));
        add_text(player, "name", out);
        if (!str_eq(json_text(player, "role"), STR("Villager"))) {
            buf_add(out, STR(" ("));
            add_text(player, "role", out);
            buf_add_char(out, ')');
        }
    }
    buf_add_char(out, '\n');
}

static void show_phase(const json_t *event, Buf *out)
{
    bool night = str_eq(json_text(event, "phase"), STR("night"));

    add_time(event, out);
    buf_printf(out, "-- %s %lld --\n", night ? "Night" : "Day",
               (long long)json_number(event, "day"));
}

static void show_retime(const json_t *event, Buf *out)
{
    long long left = (long long)(json_number(event, "until_ms") - json_number(event, "t_ms"));

    add_time(event, out);
    buf_printf(out, "-- %lld seconds are left --\n", left > 0 ? (left + 999) / 1000 : 0);
}

static void show_phase_end(const json_t *event, Buf *out)
{
    Str target = json_text(event, "target");

    add_time(event, out);
    if (target.len == 0) {
        bool tie = str_eq(json_text(event, "status"), STR("tie"));
        buf_printf(out, "%s\n", tie ? "A tie: nobody dies." : "Nobody dies.");
        return;
    }
    add_text(event, "target", out);
    buf_add(out, STR(" is "));
    add_text(event, "status", out);
    buf_add(out, STR(".\n"));
}

static void show_line(const json_t *event, Buf *out)
{
    if (json_text(event, "name").len == 0 || str_eq(json_text(event, "room"), STR("Lobby")))
        return; /* the system's lines say what other events say */
    add_time(event, out);
    if (!str_eq(json_text(event, "room"), STR("Village"))) {
        buf_add_char(out, '[');
        add_text(event, "room", out);
        buf_add(out, STR("] "));
    }
    add_text(event, "name", out);
    buf_add(out, STR(": "));
    add_text(event, "text", out);
    buf_add_char(out, '\n');
}

/* Of the lobby's lines those of the system that no other event says. */
static void show_lobby(const json_t *event, bool comings, Buf *out)
{
    Str arguments[SYSTEM_ARGUMENTS];
    SystemLine line = SYSTEM_LINES;

    if (json_text(event, "name").len ||
        !system_line_read(json_text(event, "text"), &line, arguments))
        return;
    bool coming = line == SYSTEM_JOINED || line == SYSTEM_LEFT_LOBBY;
    if (line != SYSTEM_WAITING && line != SYSTEM_WAITING_BOTS && line != SYSTEM_WAITING_END &&
        !(coming && comings))
        return;
    CLEANUP(buf_done) Buf text = {0};
    system_line_write(line, LLM_ENGLISH, arguments, &text);
    add_time(event, out);
    utf8_add_printable(buf_str(&text), TEXT_CHARS_MAX, out);
    buf_add_char(out, '\n');
}

static void show_vote(const json_t *event, Buf *out)
{
    add_time(event, out);
    add_text(event, "name", out);
    if (json_text(event, "target").len == 0) {
        buf_add(out, STR(" votes for nobody\n"));
        return;
    }
    buf_add(out, STR(" votes for "));
    add_text(event, "target", out);
    buf_add_char(out, '\n');
}

static void show_end(const json_t *event, Buf *out)
{
    Str winner = json_text(event, "winner");

    add_time(event, out);
    if (str_eq(winner, STR("VILLAGER")))
        buf_add(out, STR("The villagers win.\n"));
    else if (str_eq(winner, STR("WEREWOLF")))
        buf_add(out, STR("The werewolves win.\n"));
    else
        buf_add(out, STR("Nobody wins.\n"));
}

static void show_absent(const json_t *event, Buf *out)
{
    add_time(event, out);
    add_text(event, "name", out);
    buf_add(out, STR(" can't be reached.\n"));
}

static void show_back(const json_t *event, Buf *out)
{
    add_time(event, out);
    add_text(event, "name", out);
    buf_add(out, STR(" is back.\n"));
}

static void show_left(const json_t *event, Buf *out)
{
    add_time(event, out);
    add_text(event, "name", out);
    buf_add(out, STR(" has left the game.\n"));
}

static const struct {
    const char *event;
    void (*show)(const json_t *event, Buf *out);
} events[] = {
    {"start_game", show_start}, {"phase", show_phase}, {"phase_end", show_phase_end},
    {"line", show_line},        {"vote", show_vote},   {"end_game", show_end},
    {"absent", show_absent},    {"back", show_back},   {"left", show_left},
    {"retime", show_retime},
};

void maw_course(Str event, bool comings, Buf *out)
{
    json_t *json = NULL;

    if (json_read(event, EVENT_BYTES_MAX, &json, NULL))
        return;
    Str kind = json_text(json, "event");
    if (str_eq(json_text(json, "room"), STR("Lobby")))
        show_lobby(json, comings, out);
    for (size_t i = 0; i < sizeof(events) / sizeof(events[0]); i++)
        if (str_eq(kind, str_of(events[i].event)))
            events[i].show(json, out);
    json_done(json);
}
