/* report_order.c - who stands where: the scores of a stage, best first, and their strength. */
#include "results/report_sections.h"

void report_order_done(ReportOrder *order)
{
    mem_free(order->scores);
    if (order->strength)
        strength_done(order->strength);
    mem_free(order->strength);
}

int report_order_make(const ReportData *data, ReportOrder *order, Err *err)
{
    int rc = report_scores(data, false, &order->scores, &order->count, err);

    if (rc)
        return rc;
    for (uint32_t i = 0; i < order->count; i++) {
        const ReportScore *score = &order->scores[i];
        order->all.games += score->all.games;
        order->all.wins += score->all.wins;
        for (size_t role = 0; role < ROLE_COUNT; role++) {
            order->roles[role].games += score->roles[role].games;
            order->roles[role].wins += score->roles[role].wins;
        }
    }
    order->strength = mem_new(sizeof(*order->strength));
    if (!order->strength)
        return page_no_memory(err);
    rc = report_strength(data, order->strength, &order->strength_rounds, err);
    if (rc < 0)
        return rc;
    if (rc == 0) {
        strength_done(order->strength);
        order->strength = mem_free(order->strength);
    }
    return 0;
}
