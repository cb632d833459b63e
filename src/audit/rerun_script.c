#include "audit/rerun_script.h"

void rerun_script_done(RerunScript *script)
{
    buf_done(&script->texts);
    buf_done(&script->steps);
}

static void add_step(RerunScript *script, RerunStep step, Str packet, Str answer)
{
    step.at = script->texts.len;
    step.bytes = packet.len + 1;
    step.answer_bytes = answer.len;
    buf_add(&script->texts, packet);
    buf_add_char(&script->texts, '\n');
    buf_add(&script->texts, answer);
    buf_add(&script->steps, (Str){(const char *)&step, sizeof(step)});
}

static void on_told(void *user, SeatNo seat, Str packet)
{
    RerunScript *script = user;

    if (seat == script->seat && !script->closed)
        add_step(script, (RerunStep){0}, packet, STR(""));
}

/* Who had failed is sent nothing; whose failure this is may have sent something, too late. */
static void close_script(RerunScript *script, bool asked_before)
{
    script->closed = true;
    script->breaks = asked_before;
    script->absent = !asked_before;
    if (script->absent)
        buf_clear(&script->steps);
}

static bool has_asked(const RerunScript *script)
{
    const RerunStep *step;

    for (size_t i = 0; (step = rerun_script_step(script, i)); i++)
        if (step->asks)
            return true;
    return false;
}

/* The answers that count, and what came too late. That a program crashed, said what nobody had
 * asked for, or was cut off by the end of the game is not compared: its time decides. */
static void on_entry(void *user, const ExchangeAsked *asked)
{
    RerunScript *script = user;
    const ExchangeEntry *entry = asked->entry;
    const bool late =
        entry->lapse == EXCHANGE_FAULT && entry->fault == FAULT_TIMEOUT && entry->text.len;

    if (entry->seat != script->seat || script->closed)
        return;
    if (entry->lapse == EXCHANGE_OUT) {
        close_script(script, has_asked(script));
        return;
    }
    if (entry->lapse != EXCHANGE_FAULT || late)
        add_step(script,
                 (RerunStep){.asks = true,
                             .compared = late || entry->lapse == EXCHANGE_ANSWERED,
                             .kind = entry->kind,
                             .day = asked->day,
                             .line = asked->line},
                 asked->request, entry->text);
    if (entry->fault != FAULT_COUNT)
        close_script(script, true);
}

int rerun_script_make(RerunScript *script, Str record, const Ruleset *rules, const GameKey *key,
                      SeatNo seat, ExchangeFinding *ret, Err *err)
{
    const ExchangeListener listener = {on_entry, on_told, seat, script};
    CLEANUP(buf_done) Buf log = {0};

    buf_clear(&script->texts);
    buf_clear(&script->steps);
    script->absent = script->breaks = script->closed = false;
    script->seat = seat;
    int rc = exchange_replay(record, rules, key, &listener, &log, ret, err);
    if (rc == 0 && (buf_failed(&script->texts) || buf_failed(&script->steps)))
        return err_set(err, ERR_MEMORY, "audit: out of memory");
    return rc;
}

const RerunStep *rerun_script_step(const RerunScript *script, size_t number)
{
    if (number >= script->steps.len / sizeof(RerunStep))
        return NULL;
    return (const RerunStep *)(const void *)script->steps.bytes + number;
}

Str rerun_script_packet(const RerunScript *script, const RerunStep *step)
{
    return str_part(buf_str(&script->texts), step->at, step->bytes);
}

Str rerun_script_answer(const RerunScript *script, const RerunStep *step)
{
    return str_part(buf_str(&script->texts), step->at + step->bytes, step->answer_bytes);
}
