/* What is kept of a game that is over. */
#include "nlp/table_state.h"

static void name_seat(const NlpTable *table, SeatNo seat, GameRecord *ret)
{
    ret->result.names[seat] = game_record_name(table->seats[seat].original);
    ret->seats[seat].team = game_record_name(table->seats[seat].team);
    ret->seats[seat].kind = table->core.places[seat].kind ? SEAT_BOT : SEAT_AGENT;
}

/* In the folder of game logs, or else in that of JSON logs: where the journal is too. */
static void record_log(const NlpTable *table, GameRecord *ret)
{
    const Config *config = table->config;
    const char *suffix = config->game_logger.enable ? ".log" : ".json";
    size_t room = sizeof(ret->log);
    int bytes = snprintf(ret->log, room, "%.*s%s", STR_ARG(buf_str(&table->stem)), suffix);

    if (bytes < 0 || (size_t)bytes >= room)
        ret->log[0] = '\0';
}

void nlp_table_record(const NlpTable *table, GameRecord *ret)
{
    *ret = (GameRecord){
        .division = DIVISION_NLP,
        .is_void = nlp_table_aborted(table),
        .began_at_ms = table->began_unix_ms,
    };
    memcpy(ret->ruleset, table->config->rules.name, sizeof(ret->ruleset));
    memcpy(ret->id, table->id, sizeof(table->id));
    table_record(&table->core, ret);
    if (ret->is_void) {
        ret->reason = END_ABORTED;
        ret->result.winner = SIDE_NONE;
    }
    record_log(table, ret);
    for (SeatNo seat = 1; seat <= table->core.count; seat++)
        name_seat(table, seat, ret);
}
