/* What is kept of a game that is over. */
#include "nlp/table_state.h"

static void record_seat(const Table *table, SeatNo seat, GameRecord *ret)
{
    const NlpPlace *place = &table->places[seat];
    SeatRecord *own = &ret->seats[seat];

    ret->result.names[seat] = game_record_name(table->seats[seat].original);
    ret->result.roles[seat] = game_role(table->game, seat);
    own->team = game_record_name(table->seats[seat].team);
    own->outside = place->kind == NULL;
    own->kind = place->kind ? SEAT_BOT : SEAT_AGENT;
    chair_record(&place->chair, own);
}

/* In the folder of game logs, or else in that of JSON logs: where the journal is too. */
static void record_log(const Table *table, GameRecord *ret)
{
    const Config *config = table->config;
    const char *suffix = config->game_logger.enable ? ".log" : ".json";
    size_t room = sizeof(ret->log);
    int bytes = snprintf(ret->log, room, "%.*s%s", STR_ARG(buf_str(&table->stem)), suffix);

    if (bytes < 0 || (size_t)bytes >= room)
        ret->log[0] = '\0';
}

void nlp_table_record(const Table *table, GameRecord *ret)
{
    *ret = (GameRecord){.division = DIVISION_NLP,
                        .is_void = table_aborted(table),
                        .began_at_ms = table->began_unix_ms,
                        .reason = table->reason,
                        .result = table->result};
    memcpy(ret->ruleset, table->config->rules.name, sizeof(ret->ruleset));
    memcpy(ret->id, table->id, sizeof(table->id));
    if (ret->is_void) {
        ret->reason = END_ABORTED;
        ret->result.winner = SIDE_NONE;
    }
    record_log(table, ret);
    for (SeatNo seat = 1; seat <= table->count; seat++)
        record_seat(table, seat, ret);
}
