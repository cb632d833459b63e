/* The history file: one JSON object, as the Go server writes it (2.5). */
#include "nlp/history_state.h"

#include "base/json.h"
#include "disk/disk_call.h"
#include "disk/file_replace.h"
#include "disk/folder.h"
#include "disk/log_file.h"
#include "nlp/schedule.h"
#include "wire/json_read.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* Longer than any file's name may be with its suffix. */
#define HISTORY_STEM_MAX ((size_t)250)
/* HISTORY_MATCHES_MAX matches of 13 seats are about half of it. */
#define HISTORY_BYTES_MAX ((size_t)256 * 1024 * 1024)

/* ---- reading ---- */

static void json_donep(json_t **json)
{
    json_done(*json);
}

static int read_number(const json_t *object, const char *key, int64_t min, int64_t max,
                       uint32_t *ret_number, Err *err)
{
    int64_t number;

    if (!json_as_int(json_get(object, key), &number))
        return err_set(err, ERR_SYNTAX, "history: '%s' is no whole number", key);
    if (number < min || number > max)
        return err_set(err, ERR_LIMIT,
                       "history: '%s' is %" PRId64 "; expected %" PRId64 " to %" PRId64, key,
                       number, min, max);
    *ret_number = (uint32_t)number;
    return 0;
}

static int read_role_counts(const json_t *root, HistoryPlan *plan, Err *err)
{
    const json_t *map = json_get(root, "role_num_map");

    if (!json_is_map(map))
        return err_set(err, ERR_SYNTAX, "history: 'role_num_map' is no object");
    for (void *member = json_member(map, NULL); member; member = json_member(map, member)) {
        Role role = role_of(str_of(json_member_key(member)));
        uint32_t count;
        int rc = read_number(map, json_member_key(member), 0, SEAT_MAX, &count, err);
        if (rc)
            return rc;
        if (role == ROLE_NONE && count)
            return err_set(err, ERR_RULE, "history: 'role_num_map' has an unknown role '%.40s'",
                           json_member_key(member));
        plan->role_counts[role] = (uint8_t)count;
    }
    return 0;
}

static int read_plan(const json_t *root, HistoryPlan *plan, Err *err)
{
    const json_t *loop = json_get(root, "infinite_loop");

    if (!json_is_map(root))
        return err_set(err, ERR_SYNTAX, "history: not an object");
    if (loop && !json_as_bool(loop, &plan->infinite_loop))
        return err_set(err, ERR_SYNTAX, "history: 'infinite_loop' is not true or false");
    int rc = read_number(root, "team_count", 1, HISTORY_TEAMS_MAX, &plan->team_count, err);
    if (rc == 0)
        rc = read_number(root, "game_count", 0, HISTORY_MATCHES_MAX, &plan->game_count, err);
    return rc ? rc : read_role_counts(root, plan, err);
}

static int read_name(History *history, const char *key, const json_t *value, Err *err)
{
    uint64_t team;
    Str name;

    if (!str_to_uint(str_of(key), UINT32_MAX, &team))
        return err_set(err, ERR_SYNTAX,
                       "history: 'idx_team_map' has a key '%.40s'; expected a team's "
                       "number",
                       key);
    if (team >= history->plan.team_count)
        return err_set(err, ERR_RULE,
                       "history: 'idx_team_map' names team %" PRIu64 ", and there are only %" PRIu32
                       " (from 0)",
                       team, history->plan.team_count);
    if (!json_as_str(value, &name))
        return err_set(err, ERR_SYNTAX, "history: the name of team %" PRIu64 " is no text", team);
    if (history->teams[team].bytes)
        return err_set(err, ERR_RULE, "history: 'idx_team_map' names team %" PRIu64 " twice", team);
    int32_t same = history_find(history, name);
    if (same >= 0)
        return err_set(err, ERR_RULE,
                       "history: teams %" PRId32 " and %" PRIu64 " have the same name '%.*s'", same,
                       team, STR_ARG(str_part(name, 0, 100)));
    return history_set_name(history, (uint32_t)team, name, err);
}

static int read_names(History *history, const json_t *root, Err *err)
{
    const json_t *map = json_get(root, "idx_team_map");
    int rc = 0;

    if (map && !json_is_map(map))
        return err_set(err, ERR_SYNTAX, "history: 'idx_team_map' is no object");
    for (void *member = json_member(map, NULL); rc == 0 && member;
         member = json_member(map, member))
        rc = read_name(history, json_member_key(member), json_member_value(member), err);
    return rc;
}

/* One role's teams into the match. `seen` has a bit for each team of it. */
static int read_role(const History *history, const char *key, const json_t *teams,
                     HistoryMatch *match, Err *err)
{
    Role role = role_of(str_of(key));
    size_t count = json_count(teams); /* of null too: an empty list of the Go server */

    if (role == ROLE_NONE)
        return err_set(err, ERR_RULE, "unknown role '%.40s'", key);
    if (count != history->plan.role_counts[role])
        return err_set(err, ERR_RULE, "%s has %zu teams; expected %u", key, count,
                       history->plan.role_counts[role]);
    for (size_t i = 0; i < count && match->count < SEAT_MAX; i++) {
        int64_t team;
        if (!json_as_int(json_at(teams, i), &team))
            return err_set(err, ERR_SYNTAX, "%s has something that is no team's number", key);
        if (team < 0 || team >= history->plan.team_count)
            return err_set(err, ERR_RULE,
                           "%s has team %" PRId64 ", and there are only %" PRIu32 " (from 0)", key,
                           team, history->plan.team_count);
        for (unsigned seat = 0; seat < match->count; seat++)
            if (match->teams[seat] == team)
                return err_set(err, ERR_RULE, "team %" PRId64 " sits in it twice", team);
        match->roles[match->count] = role;
        match->teams[match->count++] = (uint16_t)team;
    }
    return 0;
}

static int read_match(const History *history, const json_t *roles, HistoryMatch *ret_match,
                      Err *err)
{
    HistoryMatch match = {.weight = 1};

    if (!json_is_map(roles))
        return err_set(err, ERR_SYNTAX, "expected an object of roles");
    for (void *member = json_member(roles, NULL); member; member = json_member(roles, member)) {
        int rc =
            read_role(history, json_member_key(member), json_member_value(member), &match, err);
        if (rc)
            return rc;
    }
    if (match.count != schedule_seats(&history->plan))
        return err_set(err, ERR_RULE, "%u seats; expected %u", match.count,
                       schedule_seats(&history->plan));
    history_match_sort(&match);
    *ret_match = match;
    return 0;
}

/* Either {"role_idxs": roles, "weight": number} or, in the older form, just the roles. */
static int read_scheduled(const History *history, const json_t *entry, HistoryMatch *ret_match,
                          Err *err)
{
    const json_t *roles = json_get(entry, "role_idxs");
    const json_t *weight = json_get(entry, "weight");
    int rc = read_match(history, roles ? roles : entry, ret_match, err);

    if (rc == 0 && roles && weight && !json_as_real(weight, &ret_match->weight))
        rc = err_set(err, ERR_SYNTAX, "'weight' is no number");
    if (rc == 0 && ret_match->weight == 0) /* so that -0 is written as 0 */
        ret_match->weight = 0;
    return rc;
}

static int read_matches(History *history, const json_t *root, const char *key, bool ended, Err *err)
{
    const json_t *list = json_get(root, key);
    size_t count = json_count(list);

    if (list && !json_is_list(list))
        return err_set(err, ERR_SYNTAX, "history: '%s' is no list", key);
    int rc = history_reserve(history, count, err);
    for (size_t i = 0; rc == 0 && i < count; i++) {
        HistoryMatch match;
        rc = ended ? read_match(history, json_at(list, i), &match, err)
                   : read_scheduled(history, json_at(list, i), &match, err);
        if (rc)
            err_wrap(err, "history: %s[%zu]: ", key, i);
        else if (ended)
            history_add_ended(history, &match);
        else
            history_add_scheduled(history, &match);
    }
    return rc;
}

/* The stem of log files: a name without a folder. */
static bool is_stem(Str text)
{
    return text.len > 0 && text.len <= HISTORY_STEM_MAX && !memchr(text.bytes, '/', text.len) &&
           !memchr(text.bytes, '\0', text.len);
}

static int read_game(History *history, const json_t *entry, Err *err)
{
    HistoryMatch match;
    Str stem;

    if (!json_as_str(json_get(entry, "files"), &stem) || !is_stem(stem))
        return err_set(err, ERR_SYNTAX, "'files' is no name of log files");
    int rc = read_match(history, json_get(entry, "role_idxs"), &match, err);
    return rc ? rc : history_note_game(history, &match, stem, err);
}

static int read_games(History *history, const json_t *root, Err *err)
{
    const json_t *list = json_get(root, "warg_playing");
    size_t count = json_count(list);
    int rc = 0;

    if (list && !json_is_list(list))
        return err_set(err, ERR_SYNTAX, "history: 'warg_playing' is no list");
    for (size_t i = 0; rc == 0 && i < count; i++) {
        rc = read_game(history, json_at(list, i), err);
        if (rc)
            err_wrap(err, "history: warg_playing[%zu]: ", i);
    }
    return rc;
}

/* Games of which a match was moved back. */
static int read_void(History *history, const json_t *root, Err *err)
{
    const json_t *list = json_get(root, "warg_void");
    size_t count = json_count(list);
    int rc = 0;

    if (list && !json_is_list(list))
        return err_set(err, ERR_SYNTAX, "history: 'warg_void' is no list");
    for (size_t i = 0; rc == 0 && i < count; i++) {
        int64_t number;
        if (!json_as_int(json_at(list, i), &number) || number < 0)
            return err_set(err, ERR_SYNTAX, "history: warg_void[%zu] is no number of a game", i);
        rc = history_reserve_void(history, err);
        if (rc == 0)
            history->void_games[history->void_count++] = (uint64_t)number;
    }
    return rc;
}

int history_read(Str json, History **ret_history, Err *err)
{
    CLEANUP(json_donep) json_t *root = NULL;
    CLEANUP(history_freep) History *history = NULL;
    HistoryPlan plan = {0};
    Err own = {0};
    int rc = json_read(json, HISTORY_BYTES_MAX, &root, &own);

    if (rc) { /* the message begins with "packet: " */
        Str text = str_of(own.msg);
        str_cut(&text, ' ');
        return err_set_at(err, own.code, own.line, own.column, "history: %.*s", STR_ARG(text));
    }
    rc = read_plan(root, &plan, err);
    if (rc == 0)
        rc = history_empty(&plan, &history, err);
    if (rc == 0)
        rc = read_names(history, root, err);
    if (rc == 0)
        rc = read_matches(history, root, "ended_matches", true, err);
    if (rc == 0)
        rc = read_matches(history, root, "scheduled_matches", false, err);
    if (rc == 0)
        rc = read_games(history, root, err);
    if (rc == 0)
        rc = read_void(history, root, err);
    if (rc == 0)
        *ret_history = TAKE(history);
    return rc;
}

int history_load(const char *path, History **ret_history, Err *err)
{
    CLEANUP(buf_done) Buf text = {0};
    int rc = log_file_read(path, HISTORY_BYTES_MAX, &text, err);

    if (rc)
        return rc;
    rc = history_read(buf_str(&text), ret_history, err);
    return rc ? err_wrap(err, "'%s': ", path), rc : 0;
}

/* ---- writing ---- */

/* Those that the Go server knows are always in role_num_map. */
static bool always_written(Role role)
{
    return role != ROLE_NONE && role != ROLE_FREEMASON && role != ROLE_FOX;
}

/* With as few digits as give the same number again: 1 and 0.1, not 1.000000. */
static void put_weight(Json *json, double weight)
{
    char text[40];
    int len = 0;

    for (int digits = 15; digits <= 17; digits++) {
        len = snprintf(text, sizeof(text), "%.*g", digits, weight);
        if (strtod(text, NULL) == weight)
            break;
    }
    json_put_raw(json, (Str){text, (size_t)len});
}

/* The seats of a role stand side by side: matches are sorted. */
static void put_match(Json *json, const HistoryMatch *match)
{
    json_open(json, '{');
    for (unsigned seat = 0; seat < match->count; seat++) {
        bool first = seat == 0 || match->roles[seat] != match->roles[seat - 1];
        bool last = seat + 1 == match->count || match->roles[seat] != match->roles[seat + 1];
        if (first) {
            json_key(json, str_of(role_name((Role)match->roles[seat])));
            json_open(json, '[');
        }
        json_put_uint(json, match->teams[seat]);
        if (last)
            json_close(json);
    }
    json_close(json);
}

static void put_plan(Json *json, const HistoryPlan *plan)
{
    json_add_bool(json, "infinite_loop", plan->infinite_loop);
    json_add_uint(json, "team_count", plan->team_count);
    json_add_uint(json, "game_count", plan->game_count);
}

static void put_maps(Json *json, const History *history)
{
    char number[16];

    json_key(json, STR("idx_team_map"));
    json_open(json, '{');
    for (uint32_t team = 0; team < history->plan.team_count; team++) {
        if (!history->teams[team].bytes)
            continue;
        snprintf(number, sizeof(number), "%" PRIu32, team);
        json_key(json, str_of(number));
        json_put_str(json, history_team_name(history, team));
    }
    json_close(json);
    json_key(json, STR("role_num_map"));
    json_open(json, '{');
    for (unsigned role = 0; role < ROLE_COUNT; role++) {
        if (!always_written((Role)role) && !history->plan.role_counts[role])
            continue;
        json_key(json, str_of(role_name((Role)role)));
        json_put_uint(json, history->plan.role_counts[role]);
    }
    json_close(json);
}

static void put_games(Json *json, const History *history)
{
    if (history->game_count == 0)
        return;
    json_key(json, STR("warg_playing"));
    json_open(json, '[');
    for (uint32_t i = 0; i < history->game_count; i++) {
        json_open(json, '{');
        json_add_str(json, "files", str_of(history->games[i].stem));
        json_key(json, STR("role_idxs"));
        put_match(json, &history->games[i].match);
        json_close(json);
    }
    json_close(json);
}

static void put_void(Json *json, const History *history)
{
    if (history->void_count == 0)
        return;
    json_key(json, STR("warg_void"));
    json_open(json, '[');
    for (uint32_t i = 0; i < history->void_count; i++)
        json_put_uint(json, history->void_games[i]);
    json_close(json);
}

void history_write(const History *history, Buf *out)
{
    Json json = json_over(out);

    json_open(&json, '{');
    put_plan(&json, &history->plan);
    put_maps(&json, history);
    json_key(&json, STR("ended_matches"));
    json_open(&json, '[');
    for (uint32_t i = 0; i < history->ended_count; i++)
        put_match(&json, &history->ended[i]);
    json_close(&json);
    json_key(&json, STR("scheduled_matches"));
    json_open(&json, '[');
    for (uint32_t i = 0; i < history->scheduled_count; i++) {
        json_open(&json, '{');
        json_key(&json, STR("role_idxs"));
        put_match(&json, &history->scheduled[i].match);
        json_key(&json, STR("weight"));
        put_weight(&json, history->scheduled[i].match.weight);
        json_close(&json);
    }
    json_close(&json);
    put_games(&json, history);
    put_void(&json, history);
    json_close(&json);
}

/* ---- saving ---- */

int history_save(const History *history, const char *path, Err *err)
{
    CLEANUP(buf_done) Buf text = {0};
    /* The Go server writes through a link; rename would put a file in its place. */
    CLEANUP(mem_freep) char *target = realpath(path, NULL);

    history_write(history, &text);
    if (buf_failed(&text))
        return err_set(err, ERR_MEMORY, "save history '%s': out of memory", path);
    int rc = target ? 0 : folder_make_for(path, err);
    if (rc == 0)
        rc = file_replace(target ? target : path, buf_str(&text), true, err);
    return rc ? err_wrap(err, "save history: ") : 0;
}

/* ---- one server for a schedule ---- */

static void lock_path(const char *path, Buf *out)
{
    buf_printf(out, "%s.lock", path);
}

/* Whether the open file is the one of this name: who locks one that was unlinked meanwhile keeps
 * nobody away. */
static bool is_that_file(int fd, const char *name)
{
    struct stat open_file, named;

    return fstat(fd, &open_file) == 0 && stat(name, &named) == 0 &&
           open_file.st_ino == named.st_ino && open_file.st_dev == named.st_dev;
}

int history_lock(const char *path, int *ret_lock, Err *err)
{
    CLEANUP(buf_done) Buf name = {0};
    int rc = folder_make_for(path, err);

    if (rc)
        return rc;
    lock_path(path, &name);
    if (buf_failed(&name))
        return err_set(err, ERR_MEMORY, "lock history '%s': out of memory", path);
    int fd = disk_open(buf_cstr(&name), O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0666);
    if (fd < 0)
        return err_set(err, ERR_IO, "lock history '%s': %s", path, strerror(errno));
    bool held = flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    if (held || !is_that_file(fd, buf_cstr(&name))) {
        close(fd);
        return err_set(err, ERR_IO, "'%s' is being played by another server", path);
    }
    *ret_lock = fd; /* file systems without locks: nobody is kept away */
    return 0;
}

void history_unlock(const char *path, int lock)
{
    CLEANUP(buf_done) Buf name = {0};

    if (lock < 0)
        return;
    lock_path(path, &name);
    if (!buf_failed(&name))
        (void)disk_remove(buf_cstr(&name));
    close(lock);
}
