/* Agents that the hall starts: how they come to their seats, what is told of them. */
#include "disk/disk_call.h"
#include "disk/folder.h"
#include "match/hall_state.h"
#include "seat/agent_command.h"

#include <errno.h>
#include <inttypes.h>

bool place_runs(const Place *place)
{
    return place->started && started_agent_runs(place->started);
}

/* ---- findings ---- */

/* How many of the agent's findings were told in this set, and how many of these one by one. */
static void count_found(const Place *place, FindingRule rule, uint64_t *ret_found,
                        uint32_t *ret_listed)
{
    *ret_found = *ret_listed = 0;
    for (SeatNo seat = 1; seat <= SEAT_MAX; seat++) {
        const Place *other = &place->at->places[seat];
        if (strcmp(other->plan.name, place->plan.name) != 0)
            continue;
        *ret_found += other->found[rule];
        *ret_listed += other->listed[rule];
    }
}

static void tell_finding(Place *place, const Finding *finding)
{
    HallTable *at = place->at;
    const HallPlan *plan = at->hall->plan;
    FindingNote note = {.finding = *finding,
                        .agent = str_of(place->plan.name),
                        .stage = at->hall->run->stage,
                        .set = hall_set_number(at),
                        .seat = place->seat};
    uint64_t found;
    uint32_t listed;

    if (!plan->finding)
        return;
    note.in_game =
        at->table && set_table_found(at->table, place->seat, finding, &note.game, &note.day);
    count_found(place, finding->rule, &found, &listed);
    note.listed = listed < FINDINGS_KEPT;
    place->found[finding->rule] += finding->count;
    place->listed[finding->rule] += note.listed;
    at->found = true;
    plan->finding(plan->user, &note, at->hall->now);
}

static void on_place_found(void *user, const Finding *finding, TimeUs now)
{
    Place *place = user;

    place->at->hall->now = now;
    tell_finding(place, finding);
}

/* Whether the agent has no seat before this one. */
static bool is_first_of_name(const Place *place)
{
    for (SeatNo seat = 1; seat < place->seat; seat++)
        if (strcmp(place->at->places[seat].plan.name, place->plan.name) == 0)
            return false;
    return true;
}

void hall_tell_findings_over(HallTable *at)
{
    const HallPlan *plan = at->hall->plan;
    FindingTotal totals[SEAT_MAX * FINDING_RULES];
    size_t count = 0;

    if (!at->found || !plan->findings_over)
        return;
    for (SeatNo seat = 1; seat <= SEAT_MAX; seat++) {
        const Place *place = &at->places[seat];
        if (!place->at || !is_first_of_name(place))
            continue;
        for (FindingRule rule = FINDING_NETWORK; rule < FINDING_RULES; rule++) {
            uint64_t found;
            uint32_t listed;
            count_found(place, rule, &found, &listed);
            if (listed >= FINDINGS_KEPT && found > listed)
                totals[count++] = (FindingTotal){rule, str_of(place->plan.name), found};
        }
    }
    at->found = false;
    plan->findings_over(plan->user, hall_set_number(at), totals, count);
}

/* ---- what started agents report ---- */

/* Its rules forbid it where the contest has rules of conduct. */
static void check_name(Place *place, Str said)
{
    while (said.len && (said.bytes[said.len - 1] == '\r' || said.bytes[said.len - 1] == '\n'))
        said.len--;
    const Finding finding = {FINDING_NAME, said, 1};
    if (place->at->hall->run->plan->conduct.given && !str_eq(said, str_of(place->plan.name)))
        tell_finding(place, &finding);
}

static void on_place_named(void *user, AiwolfAgent *take_agent)
{
    Place *place = user;
    const HallPlan *plan = place->at->hall->plan;

    place->at->hall->now = aiwolf_agent_now(take_agent);
    if (plan->named)
        plan->named(plan->user, hall_set_number(place->at), str_of(place->plan.name),
                    aiwolf_agent_name(take_agent), place->at->hall->now);
    check_name(place, aiwolf_agent_name(take_agent));
    set_table_seat(place->at->table, place->seat, take_agent);
    hall_start_when_complete(place->at);
}

static void on_place_failed(void *user, const Fault *fault, TimeUs now)
{
    const Place *place = user;

    place->at->hall->now = now;
    set_table_fail_seat(place->at->table, place->seat, fault, now);
    hall_start_when_complete(place->at);
}

/* A game is over. All its decisions were printed before they were sent. */
void hall_take_decisions(Place *place, SeatRecord *own)
{
    DecisionSheet whole;

    if (!place->plan.tells || !place_runs(place) ||
        !decision_sheet_find(started_agent_last_lines(place->started), &whole))
        return;
    const DecisionSheet game = decision_sheet_beyond(&whole, &place->told);
    own->decisions = game.decisions;
    own->own = game.own;
    own->figures = game.figures;
    place->told = whole;
}

static void on_place_ended(void *user, TimeUs now)
{
    Place *place = user;
    const HallPlan *plan = place->at->hall->plan;
    DecisionSheet whole;

    (void)now;
    if (place->plan.tells && plan->decided &&
        decision_sheet_find(started_agent_last_lines(place->started), &whole)) {
        const DecisionSheet rest = decision_sheet_beyond(&whole, &place->told);
        plan->decided(plan->user, hall_set_number(place->at), str_of(place->plan.name), &whole,
                      &rest);
    }
    place->told = (DecisionSheet){0};
}

static void on_place_gone(void *user, TimeUs now)
{
    HallTable *at = ((Place *)user)->at;

    at->hall->now = now;
    hall_leave_table(at);
}

/* For the organiser. */
static void on_place_note(void *user, StartedNote what, Str note)
{
    const Place *place = user;
    CLEANUP(buf_done) Buf text = {0};

    if (what == STARTED_NOTE_STRANGER)
        buf_printf(&text, "set %" PRIu64 ": ", place->at->set);
    else
        buf_printf(&text, "set %" PRIu64 ", ", hall_set_number(place->at));
    buf_add(&text, note);
    hall_say(place->at->hall, &text);
}

static void on_place_broken(void *user, const Err *err)
{
    hall_fail(((Place *)user)->at->hall, err);
}

static const StartedAgentEvents place_events = {.named = on_place_named,
                                                .failed = on_place_failed,
                                                .found = on_place_found,
                                                .ended = on_place_ended,
                                                .gone = on_place_gone,
                                                .note = on_place_note,
                                                .broken = on_place_broken};

/* OUT/agents/NAME/SET-SEAT.txt; as a folder's name see agent_command_add_file_name. */
static int output_path(const Hall *hall, const Place *place, Buf *out, Err *err)
{
    const char *name = place->plan.name;

    buf_printf(out, "%s/agents", hall->plan->out);
    if (disk_make_folder(buf_cstr(out), 0777) && errno != EEXIST)
        return disk_error(err, "can't make the folder", buf_cstr(out));
    buf_add_char(out, '/');
    agent_command_add_file_name(name, out);
    if (disk_make_folder(buf_cstr(out), 0777) && errno != EEXIST)
        return disk_error(err, "can't make the folder", buf_cstr(out));
    buf_printf(out, "/%" PRIu32 "-%04" PRIu64 "-%02u.txt", hall->run->stage,
               hall_set_number(place->at), place->seat);
    return buf_failed(out) ? err_set(err, ERR_MEMORY, "output path: out of memory") : 0;
}

/* OUT/minds/NAME/SET-SEAT.jsonl: what a model decided, and its server answered. It gets a
 * descriptor and not the name: its cell hides the folder. */
static int minds_path(const Hall *hall, const Place *place, Buf *out, Err *err)
{
    const char *folder = hall->plan->answers ? hall->plan->answers : hall->plan->out;

    buf_printf(out, "%s/minds/", folder);
    agent_command_add_file_name(place->plan.name, out);
    buf_printf(out, "/%" PRIu32 "-%04" PRIu64 "-%02u.jsonl", hall->run->stage,
               hall_set_number(place->at), place->seat);
    if (buf_failed(out))
        return err_set(err, ERR_MEMORY, "minds path: out of memory");
    return hall->plan->answers ? 0 : folder_make_for(buf_cstr(out), err);
}

/* What it prints goes to a file of its own. */
static int start_place(Place *place, Err *err)
{
    Hall *hall = place->at->hall;
    CLEANUP(buf_done) Buf path = {0};
    CLEANUP(buf_done) Buf minds = {0};
    const bool replays = hall->plan->answers != NULL;
    const bool has_minds = place->plan.tells && (replays || hall->plan->out);
    int rc = hall->plan->out ? output_path(hall, place, &path, err) : 0;

    if (rc == 0 && has_minds)
        rc = minds_path(hall, place, &minds, err);

    if (rc)
        return rc;
    const StartedAgentSetup setup = {
        .door = hall->doors.programs,
        .alarms = hall->doors.alarms,
        .limits = &hall->limits,
        .scratch = &hall->scratch,
        .plan = {.name = place->plan.name,
                 .command = place->plan.command,
                 .folder = place->plan.folder,
                 .env = place->plan.env,
                 .profile = place->plan.profile,
                 .own = place->plan.tells,
                 .output = hall->plan->out ? buf_cstr(&path) : NULL,
                 .output_limit = hall->run->plan->limits.output_bytes,
                 .input = has_minds ? buf_cstr(&minds) : NULL,
                 .input_written = !replays,
                 .words = !has_minds            ? NULL
                          : replays             ? " --answers-from -"
                          : hall->plan->prompts ? " --record-minds - --record-prompts"
                                                : " --record-minds -"},
        .events = place_events,
        .user = place,
        .hinted = &hall->hinted,
        .strict = cell_level_is_strict(hall->run->plan->cell.level) && !place->plan.tells};
    return started_agent_new(&setup, hall->now, &place->started, err);
}

int hall_start_programs(HallTable *at, Err *err)
{
    int rc = 0;

    for (SeatSet left = set_table_missing(at->table); left && rc == 0; left &= left - 1) {
        Place *place = &at->places[seat_first(left)];
        if (place->plan.command)
            rc = start_place(place, err);
    }
    if (rc == 0)
        hall_start_when_complete(at);
    return rc;
}
