#include "judging/sheet_view.h"

#include "judging/blind_text.h"

static const char *const kind_names[SHEET_KINDS] = {
    [SHEET_TALK] = "talk",     [SHEET_WHISPER] = "whisper", [SHEET_GONE] = "gone",
    [SHEET_DIVINE] = "divine", [SHEET_MEDIUM] = "medium",   [SHEET_VOTE] = "vote",
    [SHEET_GUARD] = "guard",   [SHEET_ATTACK] = "attack",
};

const char *sheet_line_kind(SheetLineKind kind)
{
    return kind < SHEET_KINDS ? kind_names[kind] : "";
}

Str sheet_line_text(const SheetView *view, const SheetLine *line)
{
    return str_part(buf_str(&view->texts), line->at, line->len);
}

void sheet_view_done(SheetView *view)
{
    view->lines = mem_free(view->lines);
    view->count = view->room = 0;
    buf_done(&view->texts);
}

/* ---- making ---- */

/* While the log is walked through. */
typedef struct SheetWalk {
    SheetView *view;
    unsigned shows;    /* SheetShows */
    SeatSet gone;      /* by now */
    SeatSet gone_told; /* of these */
    SeatNo executed;   /* yesterday, of whom the medium has not learnt yet */
    int rc;
    Err *err;
} SheetWalk;

static void add_line(SheetWalk *walk, SheetLine line, Str text)
{
    SheetView *view = walk->view;

    if (walk->rc)
        return;
    if (view->count == view->room) {
        size_t room = view->room ? 2 * view->room : 128;
        SheetLine *more = mem_resize(view->lines, room, sizeof(*more));
        if (!more) {
            walk->rc = err_set(walk->err, ERR_MEMORY, "make a sheet: out of memory");
            return;
        }
        view->lines = more;
        view->room = room;
    }
    line.number = (uint32_t)view->count + 1;
    line.at = view->texts.len;
    blind_text(view->game, text, &view->texts);
    line.len = view->texts.len - line.at;
    view->lines[view->count++] = line;
}

static SeatNo with_role(const JudgeGame *game, Role role)
{
    for (SeatNo seat = 1; seat <= game->seat_count; seat++)
        if (game->role[seat] == role)
            return seat;
    return SEAT_NONE;
}

/* What a day's first utterance is heard behind: who is gone, what the medium learnt. Only then: of
 * the last night's deaths, which ended the game, nobody is told. */
static void tell_morning(SheetWalk *walk, uint16_t day)
{
    const JudgeGame *game = walk->view->game;
    SeatNo medium = with_role(game, ROLE_MEDIUM);

    for (SeatNo i = 0; i < game->seat_count; i++) {
        SeatNo seat = walk->view->order[i];
        if ((walk->shows & SHOWS_GONE) && seat_in(walk->gone & ~walk->gone_told, seat))
            add_line(walk, (SheetLine){.day = day, .kind = SHEET_GONE, .seat = seat}, STR(""));
    }
    walk->gone_told = walk->gone;
    if ((walk->shows & SHOWS_RESULTS) && walk->executed != SEAT_NONE && medium != SEAT_NONE &&
        !seat_in(walk->gone, medium))
        add_line(walk,
                 (SheetLine){.day = day,
                             .kind = SHEET_MEDIUM,
                             .seat = medium,
                             .target = walk->executed,
                             .species = role_species(game->role[walk->executed])},
                 STR(""));
    walk->executed = SEAT_NONE;
}

static void walk_act(SheetWalk *walk, const LogLine *line, SheetLineKind kind, unsigned shown_with)
{
    SheetLine act = {.day = line->day, .kind = kind, .seat = line->seat, .target = line->target};

    if (!(walk->shows & shown_with))
        return;
    if (kind == SHEET_DIVINE)
        act.species = (Species)line->species; /* the seer sees it, and acts by it */
    add_line(walk, act, STR(""));
}

static void walk_line(SheetWalk *walk, const LogLine *line)
{
    switch ((LogLineKind)line->kind) {
    case LOG_TALK:
        tell_morning(walk, line->day);
        add_line(walk, (SheetLine){.day = line->day, .kind = SHEET_TALK, .seat = line->seat},
                 line->text);
        break;
    case LOG_WHISPER:
        if (walk->shows & SHOWS_WHISPERS)
            add_line(walk, (SheetLine){.day = line->day, .kind = SHEET_WHISPER, .seat = line->seat},
                     line->text);
        break;
    case LOG_VOTE:
        walk_act(walk, line, SHEET_VOTE, SHOWS_VOTES);
        break;
    case LOG_DIVINE:
        walk_act(walk, line, SHEET_DIVINE, SHOWS_ACTS | SHOWS_RESULTS);
        break;
    case LOG_GUARD:
        walk_act(walk, line, SHEET_GUARD, SHOWS_ACTS);
        break;
    case LOG_ATTACK_VOTE:
        walk_act(walk, line, SHEET_ATTACK, SHOWS_ACTS);
        break;
    case LOG_EXECUTE:
        walk->gone |= seat_bit(line->seat);
        walk->executed = line->seat;
        break;
    case LOG_ATTACK:
        if (line->killed && line->target != SEAT_NONE)
            walk->gone |= seat_bit(line->target);
        break;
    case LOG_STATUS:
    case LOG_RESULT:
    case LOG_KIND_COUNT:
        break;
    }
}

static int take_order(SheetView *view, const SeatNo *order, Err *err)
{
    SeatSet seen = 0;

    for (SeatNo seat = 1; seat <= view->game->seat_count; seat++)
        if (view->game->log.lines[seat - 1].in_game.len == 0)
            return err_set(err, ERR_RULE,
                           "make a sheet: the log names no characters, only agents; judges would "
                           "know whose they are");
    for (SeatNo i = 0; i < view->game->seat_count; i++) {
        if (order[i] == SEAT_NONE || order[i] > view->game->seat_count || seat_in(seen, order[i]))
            return err_set(err, ERR_RULE, "make a sheet: its order is not of each seat once");
        seen |= seat_bit(order[i]);
        view->order[i] = order[i];
    }
    return 0;
}

int sheet_view_make(const JudgeGame *game, Criterion criterion, const SeatNo *order,
                    SheetView *ret_view, Err *err)
{
    SheetWalk walk = {.view = ret_view, .shows = criterion_shows(criterion), .err = err};

    ret_view->game = game;
    ret_view->criterion = criterion;
    int rc = take_order(ret_view, order, err);
    if (rc == 0)
        rc = quantities_measure(game, ret_view->quantities, err);
    for (size_t i = 0; i < game->log.count && rc == 0; i++) {
        walk_line(&walk, &game->log.lines[i]);
        rc = walk.rc;
    }
    if (rc == 0 && buf_failed(&ret_view->texts))
        rc = err_set(err, ERR_MEMORY, "make a sheet: out of memory");
    return rc;
}

/* ---- writing ---- */

static void add_act(const SheetView *view, const SheetLine *line, Json *json)
{
    CLEANUP(buf_done) Buf text = {0};

    if (line->target == SEAT_NONE) {
        json_add_str(json, "text", STR(""));
        return;
    }
    json_add_str(json, "target", view->game->name[line->target]);
    buf_add(&text, view->game->name[line->target]);
    if (line->species != SPECIES_NONE) {
        json_add_str(json, "species", str_of(species_name(line->species)));
        buf_printf(&text, ": %s", species_name(line->species));
    }
    json_add_str(json, "text", buf_str(&text));
}

void sheet_line_write(const SheetView *view, const SheetLine *line, Json *json)
{
    json_open(json, '{');
    json_add_uint(json, "line", line->number);
    json_add_uint(json, "day", line->day);
    json_add_str(json, "kind", str_of(sheet_line_kind(line->kind)));
    json_add_str(json, "speaker", view->game->name[line->seat]);
    if (line->kind == SHEET_TALK || line->kind == SHEET_WHISPER)
        json_add_str(json, "text", sheet_line_text(view, line));
    else
        add_act(view, line, json);
    json_close(json);
}

static void write_text(Json *json, Criterion criterion)
{
    json_key(json, STR("text"));
    json_open(json, '{');
    json_add_str(json, "en", str_of(criterion_text(criterion, false)));
    json_add_str(json, "ja", str_of(criterion_text(criterion, true)));
    json_close(json);
}

static void write_grounds(Json *json, Criterion criterion)
{
    json_key(json, STR("grounds"));
    json_open(json, '{');
    for (int japanese = 0; japanese < 2; japanese++) {
        CLEANUP(buf_done) Buf text = {0};
        const char *note = criterion_note(criterion, japanese);
        buf_printf(&text, "%s%s%s", note, *note && !japanese ? " " : "",
                   criterion_manner(japanese));
        json_add_str(json, japanese ? "ja" : "en", buf_str(&text));
    }
    json_close(json);
}

static unsigned percent_of(uint32_t part, uint32_t whole)
{
    return whole ? (unsigned)((100 * (uint64_t)part + whole / 2) / whole) : 0;
}

void sheet_each_fact(const SheetView *view, SeatNo seat, bool japanese,
                     void (*fact)(void *user, Str text), void *user)
{
    static const char *const words[][2] = {
        {"repeated lines", "同じ発話の繰り返し"},
        {"Skip or Over", "SkipまたはOver"},
        {"lines with a name that nobody has", "ゲームにいない名前を含む発話"}};
    const SeatQuantities *own = &view->quantities[seat];
    const uint32_t lines = own->utterances - own->passes;
    const unsigned shares[] = {percent_of(own->repeated, lines),
                               percent_of(own->passes, own->utterances),
                               percent_of(own->unknown, lines)};
    const unsigned shows = criterion_shows(view->criterion);

    if (shows & SHOWS_ROLES)
        fact(user, str_of(role_word(view->game->role[seat], japanese)));
    if ((shows & SHOWS_PROFILES) && view->game->profile[seat].len)
        fact(user, view->game->profile[seat]);
    for (size_t i = 0; i < sizeof(shares) / sizeof(shares[0]); i++) {
        CLEANUP(buf_done) Buf text = {0};
        buf_printf(&text, "%s: %u %%", words[i][japanese], shares[i]);
        fact(user, buf_str(&text));
    }
}

static void put_fact(void *user, Str text)
{
    json_put_str(user, text);
}

void sheet_view_write(const SheetView *view, bool japanese, Json *json)
{
    json_add_str(json, "criterion", str_of(criterion_letter(view->criterion)));
    write_text(json, view->criterion);
    write_grounds(json, view->criterion);
    json_key(json, STR("names"));
    json_open(json, '[');
    for (SeatNo i = 0; i < view->game->seat_count; i++)
        json_put_str(json, view->game->name[view->order[i]]);
    json_close(json);
    json_key(json, STR("facts"));
    json_open(json, '{');
    for (SeatNo i = 0; i < view->game->seat_count; i++) {
        json_key(json, view->game->name[view->order[i]]);
        json_open(json, '[');
        sheet_each_fact(view, view->order[i], japanese, put_fact, json);
        json_close(json);
    }
    json_close(json);
    json_key(json, STR("lines"));
    json_open(json, '[');
    for (size_t i = 0; i < view->count; i++)
        sheet_line_write(view, &view->lines[i], json);
    json_close(json);
}
