#include "results/results_paired.h"

void pair_table_done(PairTable *table)
{
    mem_free(table->names);
    mem_free(table->pairs);
    *table = (PairTable){0};
}

/* ---- one deal ---- */

/* What each agent has won in it, seat by seat: several games when several have one name. */
typedef struct Deal {
    int64_t stage, players, number;
    Role roles[SEAT_MAX + 1]; /* the same in all of its games */
    Tally won[PAIRED_AGENTS_MAX][SEAT_MAX + 1];
} Deal;

static bool is_part(PairedPart part, Role role)
{
    return part == PAIRED_ALL || (part == PAIRED_WOLVES) == (role_side(role) == SIDE_WEREWOLF);
}

/* What two of them have won of the seats that both had. */
static void add_deal(const Deal *deal, ResultsPair *pair, PairedPart part)
{
    double a = 0, b = 0;
    uint32_t seats = 0;

    for (SeatNo seat = 1; seat <= SEAT_MAX; seat++) {
        const Tally *of_a = &deal->won[pair->a][seat], *of_b = &deal->won[pair->b][seat];
        if (!of_a->games || !of_b->games || !is_part(part, deal->roles[seat]))
            continue;
        a += (double)of_a->wins / (double)of_a->games;
        b += (double)of_b->wins / (double)of_b->games;
        seats++;
    }
    if (seats)
        paired_add(&pair->parts[part], a / seats, b / seats);
}

static void end_deal(Deal *deal, PairTable *table)
{
    for (size_t i = 0; i < table->count; i++)
        for (PairedPart part = PAIRED_ALL; part < PAIRED_PARTS; part++)
            add_deal(deal, &table->pairs[i], part);
    *deal = (Deal){0};
}

/* ---- reading ---- */

static const char seats_sql[] =
    "SELECT stage, players, deal, agent, seat, role, won FROM game JOIN seat ON game_id = id"
    " WHERE counts AND deal IS NOT NULL AND (?1 < 0 OR stage = ?1)"
    " ORDER BY stage, players, deal";

static int no_memory(Err *err)
{
    return err_set(err, ERR_MEMORY, "results: out of memory");
}

static uint32_t find_name(const PairTable *table, Str name)
{
    for (uint32_t i = 0; i < table->name_count; i++)
        if (str_eq(str_of(table->names[i]), name))
            return i;
    return UINT32_MAX;
}

/* The agents of the standings, and each two of them. */
static int begin_table(Db *db, int64_t stage, PairTable *table, Err *err)
{
    CLEANUP(standings_done) Standings standings = {0};
    int rc = results_standings(db, stage, &standings, err);

    if (rc)
        return rc;
    standings_rank(&standings, 0);
    const uint32_t count = standings.count;
    if (count > PAIRED_AGENTS_MAX)
        return err_set(err, ERR_LIMIT, "%u agents; at most %d are compared in pairs",
                       (unsigned)count, PAIRED_AGENTS_MAX);
    table->names = mem_new((count + 1) * sizeof(*table->names));
    table->pairs = mem_new(((size_t)count * count + 1) * sizeof(*table->pairs));
    if (!table->names || !table->pairs)
        return no_memory(err);
    for (uint32_t i = 0; i < count; i++)
        memcpy(table->names[table->name_count++], standings.agents[i].name,
               sizeof(table->names[0]));
    for (uint32_t a = 0; a < count; a++)
        for (uint32_t b = a + 1; b < count; b++)
            table->pairs[table->count++] = (ResultsPair){.a = a, .b = b};
    return 0;
}

static int add_seat(Deal *deal, PairTable *table, const DbQuery *row, Err *err)
{
    const int64_t stage = db_int(row, 0), players = db_int(row, 1), number = db_int(row, 2);
    const int64_t seat = db_int(row, 4);
    const uint32_t agent = find_name(table, db_text(row, 3));
    const Role role = role_of(db_text(row, 5));

    if (stage != deal->stage || players != deal->players || number != deal->number)
        end_deal(deal, table);
    if (agent == UINT32_MAX || seat < 1 || seat > SEAT_MAX || role == ROLE_NONE)
        return results_damaged(err);
    deal->stage = stage;
    deal->players = players;
    deal->number = number;
    deal->roles[seat] = role;
    deal->won[agent][seat].games++;
    deal->won[agent][seat].wins += db_int(row, 6) != 0;
    return 0;
}

/* Leaves out who has played no deal that another has played. */
static void drop_empty(PairTable *table)
{
    size_t kept = 0;

    for (size_t i = 0; i < table->count; i++)
        if (table->pairs[i].parts[PAIRED_ALL].deals)
            table->pairs[kept++] = table->pairs[i];
    table->count = kept;
}

int results_paired(Db *db, int64_t stage, PairTable *ret_table, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    CLEANUP(pair_table_done) PairTable table = {0};
    CLEANUP(mem_freep) Deal *deal = mem_new(sizeof(*deal));
    int rc = deal ? begin_table(db, stage, &table, err) : no_memory(err);

    if (rc == 0)
        rc = db_query(db, seats_sql, &query, err);
    if (rc)
        return rc;
    db_bind_int(query, 1, stage);
    while ((rc = db_step(query, err)) > 0) {
        rc = add_seat(deal, &table, query, err);
        if (rc)
            return rc;
    }
    if (rc)
        return rc;
    end_deal(deal, &table);
    drop_empty(&table);
    *ret_table = table;
    table = (PairTable){0};
    return 0;
}
