#include "contest/finding_watch.h"

#include "record/finding_text.h"

#include <inttypes.h>

void finding_watch_done(FindingWatch *watch)
{
    buf_done(&watch->told);
}

/* Names hold no newline. */
static bool is_first(FindingWatch *watch, const FindingNote *note)
{
    CLEANUP(buf_done) Buf own = {0};

    buf_printf(&own, "%s %.*s", finding_rule_name(note->finding.rule), STR_ARG(note->agent));
    for (Str rest = buf_str(&watch->told); rest.len;)
        if (str_eq(str_cut(&rest, '\n'), buf_str(&own)))
            return false;
    buf_add(&watch->told, buf_str(&own));
    buf_add_char(&watch->told, '\n');
    return !buf_failed(&own) && !buf_failed(&watch->told);
}

void finding_watch_add(FindingWatch *watch, Journal *journal, int64_t at_ms,
                       const FindingNote *note, Buf *ret_line)
{
    if (journal)
        journal_add_finding(journal, at_ms, note, NULL);
    if (!is_first(watch, note))
        return;
    buf_printf(ret_line, "set %" PRIu64 ", ", note->set);
    if (note->in_game)
        buf_printf(ret_line, "game %" PRIu64 ": ", note->game);
    else
        buf_add(ret_line, STR("behind its games: "));
    finding_print(note->agent, &note->finding, ret_line);
}

int finding_watch_cell(Journal *journal, const Cell *cell, Err *err)
{
    const JournalCell told = {.level = str_of(cell_level_name(cell ? cell_level(cell) : CELL_NONE)),
                              .layers = cell ? cell_layers(cell) : STR("")};

    return journal_add_cell(journal, &told, err);
}
