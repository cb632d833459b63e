#include "audit/ranking_text.h"

#include <inttypes.h>

/* Names have no commas; a quote is doubled. */
static void add_field(Str text, Buf *out)
{
    const bool quoted = memchr(text.bytes, '"', text.len) || memchr(text.bytes, ',', text.len);

    if (!quoted) {
        buf_add(out, text);
        return;
    }
    buf_add_char(out, '"');
    for (size_t i = 0; i < text.len; i++) {
        if (text.bytes[i] == '"')
            buf_add_char(out, '"');
        buf_add_char(out, text.bytes[i]);
    }
    buf_add_char(out, '"');
}

void ranking_text_add(const PlanStage *stage, const Standings *standings, Buf *out)
{
    if (!out->len)
        buf_add(out, STR("stage,rank,agent,games,wins,points,substituted,violations,faults\n"));
    for (uint32_t i = 0; i < standings->count; i++) {
        const Standing *agent = &standings->agents[i];
        add_field(str_of(stage->name), out);
        buf_printf(out, ",%" PRIu32 ",", agent->rank);
        add_field(str_of(agent->name), out);
        buf_printf(out, ",%" PRIu64 ",%" PRIu64 ",%" PRId64, agent->all.games, agent->all.wins,
                   agent->points);
        buf_printf(out, ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 "\n", agent->conduct.substituted,
                   agent->conduct.violations, agent->conduct.faults);
    }
}

unsigned ranking_text_difference(Str a, Str b)
{
    unsigned line = 1;

    for (size_t i = 0; i < a.len && i < b.len && a.bytes[i] == b.bytes[i]; i++)
        line += a.bytes[i] == '\n';
    return line;
}
