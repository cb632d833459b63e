/* Who plays with whom: sets of a draw, sets of who has come, sets that go on. */
#include "match/hall_state.h"
#include "match/table_room.h"

#include <inttypes.h>

#define ROOM_US (1000 * 1000)

/* ---- whether a set is to be played now ---- */

/* Whether all games of the set are on disk. */
static bool set_is_played(const Hall *hall, uint64_t set)
{
    const StageRun *run = hall->run;
    const PlayedSet *before = run->played ? played_set(run->played, set) : NULL;
    uint64_t per_set = (uint64_t)run->draw.stage->games_per_set;
    uint64_t games = draw_games(&run->draw) - set * per_set;

    if (before && before->failed && run->plan->on_fault == ON_FAULT_FORFEIT_SET)
        return true;
    return before && before->games >= (games < per_set ? games : per_set);
}

/* Whether every open table has its agents, which then have their memory. */
static bool all_started(const Hall *hall)
{
    for (const HallTable *at = hall->tables; at; at = at->next)
        if (at->table && !at->started)
            return false;
    return true;
}

/* With PLAN_TABLES_AUTO the machine is asked before each further table. */
static bool has_room(Hall *hall)
{
    if (hall->open_tables == 0 || hall->plan->tables != PLAN_TABLES_AUTO)
        return hall->open_tables < hall->most_tables;
    if (hall->open_tables >= hall->most_tables || hall->now < hall->room_at || !all_started(hall))
        return false;
    hall->room_at = hall->now + ROOM_US;
    const TableRoomLook look = table_room_look(hall->open_tables);
    return table_room_has(&look);
}

/* ---- sets whose agents are started ---- */

/* The agents of the next set, each started on a port of its own. */
static int open_set(Hall *hall, uint64_t set, Err *err)
{
    const StageRun *run = hall->run;
    const PlanAgent *agents[SEAT_MAX + 1] = {0};
    uint32_t drawn[SEAT_MAX + 1];
    HallTable *at = NULL;

    draw_seats(&run->draw, set, drawn);
    for (int32_t seat = 1; seat <= run->draw.stage->players; seat++)
        agents[seat] = &run->agents[drawn[seat]];
    int rc = hall_add_table(hall, set, agents, &at, err);
    if (rc)
        return rc;
    return hall_start_programs(at, err);
}

/* ---- sets of who has come ---- */

static uint32_t waiting_count(const Hall *hall)
{
    uint32_t count = 0;

    for (const HallGuest *guest = hall->guests; guest; guest = guest->next)
        count += guest->state == GUEST_WAITING && !hall_is_left_out(hall, &guest->plan);
    return count;
}

/* The first who came and the built-in bots, in a drawn order. */
static int open_party(Hall *hall, uint64_t set, Err *err)
{
    const StageRun *run = hall->run;
    const int32_t players = run->draw.stage->players;
    const PlanAgent *agents[SEAT_MAX + 1] = {0};
    HallGuest *comers[SEAT_MAX + 1] = {0};
    uint32_t drawn[SEAT_MAX + 1];
    HallTable *at = NULL;
    uint32_t count = hall->plan->bot_count;

    for (HallGuest *guest = hall->guests; guest && count < (uint32_t)players; guest = guest->next)
        if (guest->state == GUEST_WAITING && !hall_is_left_out(hall, &guest->plan))
            comers[count++] = guest;
    draw_seats(&run->draw, set, drawn);
    for (int32_t seat = 1; seat <= players; seat++)
        agents[seat] = drawn[seat] < hall->plan->bot_count ? &hall->plan->bots[drawn[seat]]
                                                           : &comers[drawn[seat]]->plan;
    int rc = hall_add_table(hall, set, agents, &at, err);
    if (rc)
        return rc;
    for (int32_t seat = 1; seat <= players; seat++) {
        HallGuest *guest = comers[drawn[seat]];
        if (!guest)
            continue;
        set_table_seat(at->table, (SeatNo)seat, TAKE(guest->agent));
        hall_remove_guest(guest);
    }
    return hall_start_programs(at, err);
}

static void seat_guests(Hall *hall)
{
    const HallPlan *plan = hall->plan;
    uint32_t wanted = (uint32_t)hall->run->draw.stage->players - plan->bot_count;
    Err err = {0};

    while (!hall->stopping && !hall_is_held(hall) && waiting_count(hall) >= wanted &&
           (plan->sets == 0 || hall->sets_over + hall->open_tables < plan->sets) &&
           has_room(hall)) {
        if (open_party(hall, hall->next_set++, &err))
            hall_fail(hall, &err);
    }
}

/* A seat of an unfinished set that waits for an agent of this name. */
static bool seat_returned(Hall *hall, HallGuest *guest)
{
    for (HallTable *at = hall->tables; at; at = at->next) {
        SeatSet left = at->table ? set_table_missing(at->table) : 0;
        for (; left; left &= left - 1) {
            SeatNo seat = seat_first(left);
            if (at->places[seat].plan.command || /* it comes by a port of its own */
                !str_eq(set_table_name(at->table, seat), str_of(guest->plan.name)))
                continue;
            set_table_seat(at->table, seat, TAKE(guest->agent));
            hall_remove_guest(guest);
            hall_start_when_complete(at);
            return true;
        }
    }
    return false;
}

void hall_match_guest(Hall *hall, HallGuest *guest)
{
    if (!seat_returned(hall, guest))
        seat_guests(hall);
}

int hall_expect_back(Hall *hall, Err *err)
{
    const StageRun *run = hall->run;
    const Played *played = run->played;
    int rc = 0;

    for (uint64_t set = 0; played && set < played->set_count && rc == 0; set++) {
        const PlayedSet *before = played_set(played, set);
        const PlanAgent *agents[SEAT_MAX + 1] = {0};
        PlanAgent named[SEAT_MAX + 1] = {0};
        uint32_t drawn[SEAT_MAX + 1];
        HallTable *at = NULL;

        hall->next_set = set + 1;
        if (before->is_void) /* another one is played in its place */
            continue;
        if (!before->seated || set_is_played(hall, set)) {
            hall->sets_over++;
            continue;
        }
        if (before->count != run->draw.stage->players)
            return err_set(err, ERR_USAGE, "set %" PRIu64 " has %u seats, not %d", set,
                           before->count, (int)run->draw.stage->players);
        draw_seats(&run->draw, set, drawn); /* as open_party: an agent may bear a bot's name */
        for (SeatNo seat = 1; seat <= before->count; seat++) {
            guest_clean_name(str_of(before->names[seat]), &named[seat]);
            agents[seat] =
                drawn[seat] < hall->plan->bot_count ? &hall->plan->bots[drawn[seat]] : &named[seat];
        }
        rc = hall_add_table(hall, set, agents, &at, err);
        if (rc == 0)
            rc = hall_start_programs(at, err);
    }
    return rc;
}

/* ---- all of them ---- */

void hall_open_tables(Hall *hall)
{
    Err err = {0};

    if (hall->plan->serve) {
        seat_guests(hall);
        return;
    }
    while (!hall->stopping && hall->next_set < stage_run_end_set(hall->run) && has_room(hall)) {
        uint64_t set = hall->next_set++;
        if (!set_is_played(hall, set) && open_set(hall, set, &err))
            hall_fail(hall, &err);
    }
}
