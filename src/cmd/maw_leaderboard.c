#include "cmd/maw_leaderboard.h"

#include "cmd/table.h"

#include <inttypes.h>

/* How many decisions came from where: a session is played to its end also when no model answers. */
static void add_figures(const LlmFigures *sum, uint64_t million_cents, Buf *out)
{
    uint32_t all = sum->lines + sum->votes + sum->listens;
    uint32_t known = sum->by_model + sum->fallbacks;
    uint64_t tokens = sum->prompt_tokens + sum->answer_tokens;

    buf_printf(out,
               "Models: %" PRIu32 " lines, %" PRIu32 " votes, %" PRIu32 " times silent; %" PRIu32
               " of %" PRIu32 " decisions were the models' own, %" PRIu32
               " a rule's in their place",
               sum->lines, sum->votes, sum->listens, sum->by_model, all, sum->fallbacks);
    if (all > known)
        buf_printf(out, ", %" PRIu32 " the demo model's", all - known);
    buf_add(out, STR(".\n"));
    if (!tokens)
        return;
    buf_printf(out, "Tokens: %" PRIu64 " read, %" PRIu64 " written", sum->prompt_tokens,
               sum->answer_tokens);
    if (million_cents) {
        uint64_t cents = (tokens * million_cents + 500000) / 1000000;
        buf_printf(out, "; about %" PRIu64 ".%02u", cents / 100, (unsigned)(cents % 100));
    }
    buf_add_char(out, '\n');
}

void maw_leaderboard_write(const MawTable *table, uint64_t cents, Buf *out)
{
    static const char *const columns[] = {"rank", "name", "points", "rounds won", "kind", NULL};
    const MawSession *session = maw_table_session(table);
    CLEANUP(table_done) Table rows = {.columns = columns};
    MawStanding standing;
    LlmFigures sum;

    buf_printf(out, "Villagers won %" PRIu32 ", werewolves %" PRIu32 ", nobody %" PRIu32 ".\n",
               maw_session_rounds_won(session, SIDE_VILLAGER),
               maw_session_rounds_won(session, SIDE_WEREWOLF),
               maw_session_rounds_won(session, SIDE_NONE));
    for (uint32_t i = 0; maw_session_standing(session, i, &standing); i++) {
        table_uint(&rows, standing.rank);
        table_text(&rows, standing.name);
        table_int(&rows, standing.points);
        table_uint(&rows, standing.rounds_won);
        table_text(&rows, str_of(maw_table_kind(table, standing.jid)));
    }
    table_write(&rows, TABLE_ALIGNED, out);
    if (maw_table_figures(table, &sum))
        add_figures(&sum, cents, out);
}
