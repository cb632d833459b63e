#include "judging/track_rates.h"

#include "base/mem.h"
#include "stats/agreement.h"

#include <stdlib.h>

void track_rates_done(TrackRates *rates)
{
    rates->rows = mem_free(rates->rows);
    rates->count = 0;
}

Str track_rates_family(Str name)
{
    const size_t len = name.len;

    return len > 2 && name.bytes[len - 2] == '-' &&
                   (name.bytes[len - 1] == 'A' || name.bytes[len - 1] == 'B')
               ? str_part(name, 0, len - 2)
               : name;
}

static TrackRate *row_of(TrackRates *rates, Str name, Err *err)
{
    name = str_part(name, 0, AGENT_NAME_MAX);
    for (uint32_t i = 0; i < rates->count; i++)
        if (str_eq(str_of(rates->rows[i].name), name))
            return &rates->rows[i];
    TrackRate *rows = mem_resize(rates->rows, (size_t)rates->count + 1, sizeof(*rows));
    if (!rows) {
        err_set(err, ERR_MEMORY, "win rates: out of memory");
        return NULL;
    }
    rates->rows = rows;
    TrackRate *own = &rows[rates->count++];
    *own = (TrackRate){.name = ""};
    memcpy(own->name, name.bytes, name.len);
    return own;
}

int track_rates_add(TrackRates *rates, Str name, Role role, Tally tally, bool together, Err *err)
{
    TrackRate *own = row_of(rates, together ? track_rates_family(name) : name, err);

    if (!own)
        return ERR_MEMORY;
    own->roles[role].games += tally.games;
    own->roles[role].wins += tally.wins;
    own->all.games += tally.games;
    own->all.wins += tally.wins;
    return 0;
}

static int add_tally(TrackRates *rates, const DbQuery *query, bool together, Err *err)
{
    return track_rates_add(rates, db_text(query, 0), role_of(db_text(query, 1)),
                           (Tally){(uint64_t)db_int(query, 2), (uint64_t)db_int(query, 3)},
                           together, err);
}

static int compare_rows(const void *a, const void *b)
{
    const TrackRate *x = a, *y = b;

    if (x->rates.overall > y->rates.overall || x->rates.overall < y->rates.overall)
        return x->rates.overall > y->rates.overall ? -1 : 1;
    return strcmp(x->name, y->name);
}

int track_rates_work_out(TrackRates *rates, Err *err)
{
    CLEANUP(mem_freep) double *values = mem_new(2 * ((size_t)rates->count + 1) * sizeof(*values));
    RoleSeats seats = {{0}};

    if (!values)
        return err_set(err, ERR_MEMORY, "win rates: out of memory");
    for (uint32_t i = 0; i < rates->count; i++)
        role_seats_add(&seats, rates->rows[i].roles);
    for (uint32_t i = 0; i < rates->count; i++)
        rates->rows[i].rates = win_rates(rates->rows[i].roles, &seats);
    if (rates->count)
        qsort(rates->rows, rates->count, sizeof(*rates->rows), compare_rows);
    for (uint32_t i = 0; i < rates->count; i++)
        values[i] = -rates->rows[i].rates.overall;
    mean_ranks(values, rates->count, values + rates->count);
    for (uint32_t i = 0; i < rates->count; i++)
        rates->rows[i].place = values[rates->count + i];
    return 0;
}

int track_rates_read(Db *db, int64_t contest, Str track, bool together, TrackRates *ret_rates,
                     Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = db_query(db,
                      "SELECT team.name, seat.role, count(*), sum(seat.won) FROM run"
                      " JOIN game ON game.run = run.id JOIN seat ON seat.game = game.id"
                      " JOIN team ON team.id = seat.team WHERE run.contest = ?1 AND run.stage = ?2"
                      " AND game.counted = 1 AND game.winner IN ('VILLAGER', 'WEREWOLF')"
                      " GROUP BY team.name, seat.role ORDER BY team.name, seat.role",
                      &query, err);

    if (rc)
        return rc;
    db_bind_int(query, 1, contest);
    db_bind_text(query, 2, track);
    while ((rc = db_step(query, err)) == 1 &&
           (rc = add_tally(ret_rates, query, together, err)) == 0)
        ;
    return rc ? rc : track_rates_work_out(ret_rates, err);
}

/* ---- writing ---- */

static bool is_played(const TrackRates *rates, unsigned role)
{
    for (uint32_t i = 0; i < rates->count; i++)
        if (rates->rows[i].roles[role].games)
            return true;
    return false;
}

void track_rates_write(const TrackRates *rates, Json *json)
{
    for (uint32_t i = 0; i < rates->count; i++) {
        const TrackRate *own = &rates->rows[i];
        json_open(json, '{');
        json_add_str(json, "team", str_of(own->name));
        json_add_uint(json, "games", own->all.games);
        json_add_uint(json, "wins", own->all.wins);
        json_add_real(json, "overall", own->rates.overall, 6);
        json_add_real(json, "role_mean", own->rates.role_mean, 6);
        json_add_real(json, "role_weighted", own->rates.weighted, 6);
        json_add_real(json, "place", own->place, 1);
        json_key(json, STR("roles"));
        json_open(json, '[');
        for (unsigned role = 0; role < ROLE_COUNT; role++)
            if (own->roles[role].games) {
                json_open(json, '{');
                json_add_str(json, "role", str_of(role_name((Role)role)));
                json_add_uint(json, "games", own->roles[role].games);
                json_add_uint(json, "wins", own->roles[role].wins);
                json_close(json);
            }
        json_close(json);
        json_close(json);
    }
}

/* Names of teams have neither commas nor quotes: team_judge_name. */
static void write_row(const TrackRates *rates, const TrackRate *own, Buf *out)
{
    buf_add(out, str_of(own->name));
    for (unsigned role = 0; role < ROLE_COUNT; role++)
        if (is_played(rates, role))
            buf_printf(out, ",%llu", (unsigned long long)own->roles[role].games);
    for (unsigned role = 0; role < ROLE_COUNT; role++)
        if (is_played(rates, role)) {
            const Tally *tally = &own->roles[role];
            buf_printf(out, ",%.2f",
                       tally->games ? 100 * (double)tally->wins / (double)tally->games : 0);
        }
    buf_printf(out, ",%llu,%.2f,%.2f,%.2f\n", (unsigned long long)own->all.games,
               100 * own->rates.overall, 100 * own->rates.role_mean, 100 * own->rates.weighted);
}

void track_rates_csv(const TrackRates *rates, Buf *out)
{
    buf_add(out, STR("Team"));
    for (int percent = 0; percent < 2; percent++)
        for (unsigned role = 0; role < ROLE_COUNT; role++)
            if (is_played(rates, role))
                buf_printf(out, ",%s%s", role_name((Role)role), percent ? " (%)" : "");
    buf_add(out, STR(",TOTAL,Macro (%),Micro (%),Weighted Micro (%)\n"));
    for (uint32_t i = 0; i < rates->count; i++)
        write_row(rates, &rates->rows[i], out);
}
