/* What can be seen of a hall: for the API, metrics and the log. */
#include "nlp/hall_state.h"

NlpCounts nlp_hall_counts_ended(const NlpHall *hall)
{
    NlpCounts counts = hall->counts;

    counts.waiting = hall->waiting.count;
    counts.left_out = hall->left_out.count;
    counts.unsaved = hall->unsaved;
    if (hall->history) {
        counts.scheduled = history_scheduled_count(hall->history);
        counts.ended = history_ended_count(hall->history);
        counts.planned = counts.scheduled + counts.ended;
        counts.skipped = history_skipped_count(hall->history);
    }
    return counts;
}

NlpCounts nlp_hall_counts(const NlpHall *hall)
{
    NlpCounts counts = nlp_hall_counts_ended(hall);

    for (const Running *running = hall->running; running; running = running->next) {
        const Shown *shown = &running->shown;
        counts.requests += atomic_load_explicit(&shown->requests, memory_order_relaxed);
        counts.replies += atomic_load_explicit(&shown->replies, memory_order_relaxed);
        counts.request_errors += atomic_load_explicit(&shown->failures, memory_order_relaxed);
        counts.late_replies += atomic_load_explicit(&shown->late, memory_order_relaxed);
    }
    return counts;
}

bool nlp_hall_waiting_at(const NlpHall *hall, uint32_t index, NlpWaiting *ret)
{
    const bool out = index >= hall->waiting.count;
    const NlpAgent *agent = out ? hall->left_out.first : hall->waiting.first;

    for (index -= out ? hall->waiting.count : 0; agent && index > 0; index--)
        agent = agent->next;
    if (!agent)
        return false;
    *ret = (NlpWaiting){.name = str_of(agent->name),
                        .team = agent->team,
                        .address = agent->address,
                        .left_out = out,
                        .since_unix_ms = hall->setup.unix_ms_at_zero + agent->since / 1000};
    return true;
}

/* One of the team has a seat there, and is there. */
static bool sits_at(const Running *running, Str team)
{
    SeatSet gone = atomic_load_explicit(&running->shown.away, memory_order_relaxed) |
                   atomic_load_explicit(&running->shown.errored, memory_order_relaxed);

    for (SeatNo seat = 1; seat <= running->count; seat++)
        if (running->tokens[seat] && !seat_in(gone, seat) &&
            str_eq(running->look.seats[seat].team, team))
            return true;
    return false;
}

static bool is_present(const NlpHall *hall, Str team)
{
    for (const NlpAgent *agent = hall->waiting.first; agent; agent = agent->next)
        if (str_eq(agent->team, team))
            return true;
    for (const Running *running = hall->running; running; running = running->next)
        if (sits_at(running, team))
            return true;
    return false;
}

/* The teams of the schedule that are nowhere to be seen while matches of theirs are to be played.
 */
bool nlp_hall_awaited_at(const NlpHall *hall, uint32_t index, Str *ret_team)
{
    bool needed[HISTORY_TEAMS_MAX] = {false};

    if (!hall->history)
        return false;
    uint32_t known = history_team_known(hall->history);
    for (uint32_t i = 0; i < history_scheduled_count(hall->history); i++) {
        const HistoryMatch *match = history_scheduled(hall->history, i);
        for (unsigned k = 0; k < match->count && !history_is_skipped(hall->history, match); k++)
            needed[match->teams[k]] = true;
    }
    for (uint32_t team = 0; team < known; team++) {
        Str name = history_team_name(hall->history, team);
        if (needed[team] && !is_present(hall, name) && index-- == 0) {
            *ret_team = name;
            return true;
        }
    }
    return false;
}

/* On another bench it is as that shows it. */
static void look_at_shown(const Running *running, NlpGame *ret)
{
    const Shown *shown = &running->shown;
    SeatSet errored = atomic_load_explicit(&shown->errored, memory_order_relaxed);
    SeatSet alive = atomic_load_explicit(&shown->alive, memory_order_relaxed);
    SeatSet told_alive = atomic_load_explicit(&shown->told_alive, memory_order_relaxed);

    *ret = running->look;
    ret->day = atomic_load_explicit(&shown->day, memory_order_relaxed);
    ret->aborted = atomic_load_explicit(&shown->aborted, memory_order_relaxed);
    for (SeatNo seat = 1; seat <= ret->seat_count; seat++) {
        ret->seats[seat].errored = seat_in(errored, seat);
        ret->seats[seat].alive = seat_in(alive, seat);
        ret->seats[seat].told_alive = seat_in(told_alive, seat);
    }
}

static void look_at_game(const Running *running, NlpGame *ret)
{
    if (running->away_at < 0)
        nlp_table_look(running->table, ret);
    else
        look_at_shown(running, ret);
    ret->number = running->number;
}

static const NlpGame *remembered_at(const NlpHall *hall, uint32_t index)
{
    if (index >= hall->remembered_count)
        return NULL;
    return hall
        ->remembered[(hall->remembered_next + HALL_REMEMBERED - 1 - index) % HALL_REMEMBERED];
}

/* How much of a NlpGame there is for so many seats. */
static size_t game_bytes(SeatNo seat_count)
{
    return offsetof(NlpGame, seats) + (seat_count + 1u) * sizeof(NlpSeatStatus);
}

bool nlp_hall_game_at(const NlpHall *hall, uint32_t index, NlpGame *ret)
{
    for (const Running *running = hall->running; running; running = running->next)
        if (index-- == 0) {
            look_at_game(running, ret);
            return true;
        }
    const NlpGame *remembered = remembered_at(hall, index);
    if (!remembered)
        return false;
    memcpy(ret, remembered, game_bytes(remembered->seat_count));
    return true;
}

static const Running *find_running(const NlpHall *hall, Str id)
{
    for (const Running *running = hall->running; running; running = running->next)
        if (str_eq(str_of(running->id), id))
            return running;
    return NULL;
}

bool nlp_hall_game_find(const NlpHall *hall, Str id, NlpGame *ret)
{
    const Running *running = find_running(hall, id);
    const NlpGame *remembered;

    if (running) {
        look_at_game(running, ret);
        return true;
    }
    for (uint32_t i = 0; (remembered = remembered_at(hall, i)); i++)
        if (str_eq(remembered->id, id)) {
            memcpy(ret, remembered, game_bytes(remembered->seat_count));
            return true;
        }
    return false;
}

Str nlp_hall_last_broadcast(const NlpHall *hall, Str id, bool masked)
{
    const Running *running = find_running(hall, id);

    if (!running)
        return STR("");
    return buf_str(masked ? &running->last_masked : &running->last);
}

const TeamHealth *nlp_hall_health(const NlpHall *hall)
{
    return hall->health;
}

const History *nlp_hall_history(const NlpHall *hall)
{
    return hall->history;
}

/* ---- finished games ---- */

/* Copies a text to *at and lets it point there. */
static void keep_text(Str *text, char **at)
{
    if (text->len)
        memcpy(*at, text->bytes, text->len);
    text->bytes = *at;
    *at += text->len;
}

void hall_remember(NlpHall *hall, const Running *running, int64_t ended_unix_ms)
{
    NlpGame game;

    if (!hall->remembered)
        hall->remembered = mem_new(sizeof(NlpGame *[HALL_REMEMBERED]));
    if (!hall->remembered)
        return;
    look_at_game(running, &game);
    game.ended_unix_ms = ended_unix_ms;
    size_t bytes = game_bytes(game.seat_count);
    size_t text_bytes = game.id.len + game.stem.len;
    for (SeatNo seat = 1; seat <= game.seat_count; seat++)
        text_bytes +=
            game.seats[seat].team.len + game.seats[seat].original.len + game.seats[seat].name.len;
    NlpGame *kept = mem_new(bytes + text_bytes); /* the texts stand behind the seats */
    if (!kept)
        return;
    char *at = (char *)kept + bytes;
    keep_text(&game.id, &at);
    keep_text(&game.stem, &at);
    for (SeatNo seat = 1; seat <= game.seat_count; seat++) {
        keep_text(&game.seats[seat].team, &at);
        keep_text(&game.seats[seat].original, &at);
        keep_text(&game.seats[seat].name, &at);
    }
    memcpy(kept, &game, bytes);
    mem_free(hall->remembered[hall->remembered_next]);
    hall->remembered[hall->remembered_next] = kept;
    hall->remembered_next = (hall->remembered_next + 1) % HALL_REMEMBERED;
    if (hall->remembered_count < HALL_REMEMBERED)
        hall->remembered_count++;
}

bool hall_remember_void(NlpHall *hall, Str id)
{
    for (uint32_t i = 0; i < hall->remembered_count; i++)
        if (str_eq(hall->remembered[i]->id, id)) {
            hall->remembered[i]->made_void = true;
            return true;
        }
    return false;
}

void hall_forget(NlpHall *hall)
{
    for (uint32_t i = 0; i < hall->remembered_count; i++)
        mem_free(hall->remembered[i]);
    hall->remembered = mem_free(hall->remembered);
}
