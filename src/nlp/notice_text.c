#include "nlp/notice_text.h"

/* Slack cuts long texts. */
#define NAMES_MAX 50

void notice_totals(const NlpHall *hall, Buf *out)
{
    NlpCounts counts = nlp_hall_counts(hall);

    if (counts.planned)
        buf_printf(out, "; %u of %u scheduled matches are played", counts.ended, counts.planned);
    buf_printf(out, "; won by the village %llu, by the werewolves %llu, by nobody %llu",
               (unsigned long long)counts.games_won[SIDE_VILLAGER],
               (unsigned long long)counts.games_won[SIDE_WEREWOLF],
               (unsigned long long)counts.games_won[SIDE_NONE]);
    if (counts.games_aborted)
        buf_printf(out, "; %llu aborted", (unsigned long long)counts.games_aborted);
}

void notice_unknown(const NlpHall *hall, Buf *out)
{
    const History *history = nlp_hall_history(hall);
    uint32_t count = history ? history_plan(history)->team_count - history_team_known(history) : 0;

    if (count)
        buf_printf(out, "; never came: %u of %u teams", count, history_plan(history)->team_count);
}

void notice_waiting(const NlpHall *hall, Buf *out)
{
    NlpWaiting waiting;
    Str team;

    if (nlp_hall_draining(hall) || nlp_hall_complete(hall))
        return;
    buf_add(out, STR("connected:"));
    for (uint32_t i = 0; nlp_hall_waiting_at(hall, i, &waiting) && i < NAMES_MAX; i++)
        buf_printf(out, " %.*s", STR_ARG(waiting.name));
    buf_add(out, STR("; missing:"));
    for (uint32_t i = 0; nlp_hall_awaited_at(hall, i, &team) && i < NAMES_MAX; i++)
        buf_printf(out, " %.*s", STR_ARG(team));
    notice_unknown(hall, out);
}
