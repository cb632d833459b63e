#include "nlp/log_results.h"

#include "base/mem.h"
#include "nlp/history.h"

#define FIELDS_MAX 7

/* What a log says of its seats. */
typedef struct Seen {
    Str originals[SEAT_MAX + 1];
    Role roles[SEAT_MAX + 1]; /* ROLE_NONE: no such seat */
    SeatSet errored;
    Side winner;
} Seen;

void log_results_done(LogResults *results)
{
    for (uint32_t i = 0; i < results->count; i++)
        mem_free(results->teams[i].name);
    results->teams = mem_free(results->teams);
    *results = (LogResults){0};
}

/* ---- lines ---- */

static void hear_status(Seen *seen, const Str *fields, unsigned count)
{
    uint64_t seat;

    if (count < 6 || !str_to_uint(fields[2], SEAT_MAX, &seat) || seat == 0)
        return;
    if (seen->roles[seat] == ROLE_NONE && str_eq(fields[0], STR("0"))) {
        seen->roles[seat] = role_of(fields[3]);
        seen->originals[seat] = fields[5];
    }
    if (fields[4].len == 0)
        seen->errored |= seat_bit((SeatNo)seat);
}

/* The last result counts: one before it is text that an utterance with a newline left there. */
static void hear_line(Seen *seen, Str line)
{
    Str fields[FIELDS_MAX];
    unsigned count = 0;

    if (line.len && line.bytes[line.len - 1] == '\r')
        line.len--;
    while (count < FIELDS_MAX) {
        bool last = !memchr(line.bytes, ',', line.len);
        fields[count++] = str_cut(&line, ',');
        if (last)
            break;
    }
    if (count < 2)
        return;
    if (str_eq(fields[1], STR("status")))
        hear_status(seen, fields, count);
    else if (count == 5 && str_eq(fields[1], STR("result")))
        seen->winner = side_of(fields[4]);
}

/* ---- teams ---- */

/* The original name without the digits at its end (2.1). */
static Str team_of(Str original)
{
    while (original.len && original.bytes[original.len - 1] >= '0' &&
           original.bytes[original.len - 1] <= '9')
        original.len--;
    return original;
}

static int compare_name(const TeamResults *team, Str name)
{
    size_t len = team->name_len < name.len ? team->name_len : name.len;
    int order = len ? memcmp(team->name, name.bytes, len) : 0;

    return order ? order : team->name_len < name.len ? -1 : team->name_len > name.len;
}

static int insert_team(LogResults *results, uint32_t place, Str name, Err *err)
{
    if (results->count >= HISTORY_TEAMS_MAX)
        return err_set(err, ERR_LIMIT, "the game logs have more than %d teams", HISTORY_TEAMS_MAX);
    if (results->count == results->room) {
        uint32_t room = results->room ? 2 * results->room : 16;
        TeamResults *teams = mem_resize(results->teams, room, sizeof(*teams));
        if (!teams)
            return err_set(err, ERR_MEMORY, "results of logs: out of memory");
        results->teams = teams;
        results->room = room;
    }
    char *copy = mem_new(name.len + 1);
    if (!copy)
        return err_set(err, ERR_MEMORY, "results of logs: out of memory");
    if (name.len)
        memcpy(copy, name.bytes, name.len);
    memmove(&results->teams[place + 1], &results->teams[place],
            (results->count - place) * sizeof(*results->teams));
    results->teams[place] = (TeamResults){.name = copy, .name_len = name.len};
    results->count++;
    return 0;
}

static int find_or_add(LogResults *results, Str name, TeamResults **ret_team, Err *err)
{
    uint32_t low = 0;
    uint32_t high = results->count;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (compare_name(&results->teams[middle], name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    int rc = low < results->count && compare_name(&results->teams[low], name) == 0
                 ? 0
                 : insert_team(results, low, name, err);
    if (rc == 0)
        *ret_team = &results->teams[low];
    return rc;
}

/* ---- adding up ---- */

static void count_seat(RoleResults *results, Role role, Side winner, bool errored)
{
    results->games++;
    if (winner == SIDE_NONE)
        results->no_result++;
    else if (role_side(role) == winner)
        results->wins++;
    else
        results->losses++;
    results->errors += errored;
}

int log_results_add(LogResults *results, Str log, Err *err)
{
    Seen seen = {0};
    bool found = false;

    if (str_starts(log, STR("\xEF\xBB\xBF")))
        log = str_part(log, 3, log.len);
    while (log.len)
        hear_line(&seen, str_cut(&log, '\n'));
    for (SeatNo seat = 1; seat <= SEAT_MAX; seat++) {
        TeamResults *team;
        if (seen.roles[seat] == ROLE_NONE)
            continue;
        int rc = find_or_add(results, team_of(seen.originals[seat]), &team, err);
        if (rc)
            return rc;
        bool errored = seat_in(seen.errored, seat);
        count_seat(&team->roles[seen.roles[seat]], seen.roles[seat], seen.winner, errored);
        count_seat(&team->roles[ROLE_NONE], seen.roles[seat], seen.winner, errored);
        found = true;
    }
    results->games += found;
    results->skipped += !found;
    return 0;
}
