/* Making a table, and what can be seen of it. */
#include "nlp/table_state.h"

#include "disk/disk_call.h"

/* A program that breaks at its first packet and starts anew at once would come back without end. */
#define RETURNS_MAX 5

static void lay_place(Table *table, SeatNo seat, NlpPlace *place)
{
    const NlpSeat *own = &table->seats[seat];

    *place = (NlpPlace){.table = table, .seat = seat, .bot_at = TIME_US_NEVER};
    place->speaker = (NlpSpeaker){.text = {.game_id = str_of(table->id),
                                           .setting = table->setting,
                                           .profile = own->profile,
                                           .began_unix_ms = table->began_unix_ms},
                                  .original = own->original,
                                  .names = game_view(table->game, seat)->names,
                                  .count = table->count,
                                  .strict = table->config->strict,
                                  .timed = ruleset_is_timed(&table->config->rules),
                                  .said = &table->scratch->text};
    place->chair = (Chair){.manner = &nlp_manner,
                           .self = &place->speaker,
                           .patience = &table->patience,
                           .request = &place->request,
                           .scratch = &table->scratch->packet};
}

static int seat_all_of(Table *table, const TableSetup *setup, Err *err)
{
    size_t at[SEAT_MAX + 2];

    for (SeatNo seat = 1; seat <= setup->count; seat++) {
        at[seat] = table->names.len;
        buf_add(&table->names, setup->seats[seat].original);
    }
    at[setup->count + 1] = table->names.len;
    if (buf_failed(&table->names))
        return err_set(err, ERR_MEMORY, "new table: out of memory");
    for (SeatNo seat = 1; seat <= setup->count; seat++) {
        const TableSeat *from = &setup->seats[seat];
        NlpSeat *to = &table->seats[seat];
        NlpPlace *place = &table->places[seat];

        to->original = str_part(buf_str(&table->names), at[seat], at[seat + 1u] - at[seat]);
        to->team = nlp_team_of(to->original);
        to->name = game_view(table->game, seat)->names[seat];
        if (from->profile) {
            to->name = from->profile->name;
            to->profile = from->profile->text;
            to->avatar = from->profile->avatar_url;
        }
        table->profiles[seat] = from->profile;
        table->fixed[seat] = from->role;
        lay_place(table, seat, place);
        place->kind = from->bot;
        if (!from->bot)
            table_seat_peer(place, from->peer);
        if (from->bot && !(place->bot = mem_new(from->bot->bytes)))
            return err_set(err, ERR_MEMORY, "new table: out of memory");
    }
    return 0;
}

static int start_game(Table *table, Err *err)
{
    GameSetup setup = {0};

    for (SeatNo seat = 1; seat <= table->count; seat++) {
        setup.fixed[seat] = table->fixed[seat];
        setup.names[seat] = table->seats[seat].name;
    }
    return game_start(table->game, &setup, table->chance, err);
}

/* Where the files of its kinds go; NULL = none of this kind. */
static void log_dirs(const Config *config, const char *ret_dirs[3])
{
    ret_dirs[0] = config->game_logger.enable ? config->game_logger.output_dir : NULL;
    ret_dirs[1] = config->json_logger.enable ? config->json_logger.output_dir : NULL;
    ret_dirs[2] = config->realtime.enable ? config->realtime.output_dir : NULL;
}

static int name_logs(Table *table, Err *err)
{
    const Config *config = table->config;
    const char *pattern = config->game_logger.enable   ? config->game_logger.filename
                          : config->json_logger.enable ? config->json_logger.filename
                                                       : config->realtime.filename;
    const char *dirs[3];

    log_dirs(config, dirs);
    buf_clear(&table->stem);
    nlp_file_stem(pattern ? pattern : "", str_of(table->id), table->began_unix_ms / 1000,
                  table->seats, table->count, &table->stem);
    return nlp_file_free_stem(dirs, &table->stem, err);
}

static int open_logs(Table *table, Err *err)
{
    uint8_t roles[SEAT_MAX + 1] = {0};
    const char *dirs[3];
    int rc = table->named ? 0 : name_logs(table, err);

    log_dirs(table->config, dirs);
    for (SeatNo seat = 1; seat <= table->count; seat++)
        roles[seat] = (uint8_t)game_role(table->game, seat);
    if (rc == 0 && dirs[0])
        rc = line_file_open(dirs[0], buf_cstr(&table->stem), ".log", &table->game_log, err);
    if (rc == 0 && dirs[1])
        rc = json_log_open(&(JsonLogSetup){.dir = dirs[1],
                                           .stem = buf_cstr(&table->stem),
                                           .game_id = str_of(table->id),
                                           .seats = table->seats,
                                           .roles = roles,
                                           .seat_count = table->count,
                                           .milliseconds = table->config->json_milliseconds},
                           &table->json_log, err);
    if (rc && table->game_log) /* the game does not begin */
        (void)disk_remove(line_file_path(table->game_log));
    return rc;
}

void table_scratch_done(TableScratch *scratch)
{
    buf_done(&scratch->packet);
    buf_done(&scratch->masked);
    buf_done(&scratch->lines);
    buf_done(&scratch->text);
}

static Patience patience_of_config(const Config *config)
{
    return (Patience){.answer = 1000 * (TimeUs)config->action_ms,
                      .grace = 1000 * (TimeUs)config->acceptable_ms,
                      .probe = 1000 * (TimeUs)config->response_ms,
                      .back = 1000 * config->rejoin_ms,
                      .returns = RETURNS_MAX};
}

int nlp_table_new(const TableSetup *setup, Table **ret_table, Err *err)
{
    Table *table = mem_new(sizeof(*table));

    if (!table)
        return err_set(err, ERR_MEMORY, "new table: out of memory");
    table->config = setup->config;
    table->setting = setup->setting;
    table->out = setup->out;
    table->scratch = setup->scratch;
    table->count = setup->count;
    table->chance = setup->chance;
    table->bots = key_root(&setup->bots);
    Key pauses = key_derive(&table->bots, STR("pauses"));
    table->bot_pauses = key_rng(&pauses);
    table->began = table->now = setup->now;
    table->flush_at = TIME_US_NEVER;
    table->began_unix_ms = setup->unix_ms;
    table->unix_ms_at_zero = setup->unix_ms_at_zero;
    table->result.seat_count = setup->count;
    table->reason = END_ABORTED;
    table->days = RESULT_DAYS_NONE;
    snprintf(table->id, sizeof(table->id), "%.*s", STR_ARG(setup->id));

    table->patience = patience_of_config(setup->config);
    table->fate =
        (Fate){.aborts_at = FATE_NEVER, .ends_at = setup->config->abort_at, .needs_somebody = true};
    table->places = mem_new((setup->count + 1u) * sizeof(*table->places));
    int rc = table->places ? 0 : err_set(err, ERR_MEMORY, "new table: out of memory");
    if (rc == 0)
        rc = game_new(&setup->config->rules, setup->count, &table->game, err);
    if (rc == 0)
        rc = game_start(table->game, NULL, table->chance, err); /* names the seats */
    if (rc == 0)
        rc = seat_all_of(table, setup, err);
    if (rc == 0)
        rc = start_game(table, err);
    if (rc) {
        nlp_table_free(table);
        return rc;
    }
    table->named = name_logs(table, NULL) == 0; /* else it is tried, and told, at the beginning */
    *ret_table = table;
    return 0;
}

static void begin_writer(const Table *table, NlpLogWriter *writer)
{
    nlp_log_begin(writer, str_of(table->id), table->seats, table->count, table->began_unix_ms);
    writer->talk_time = table->config->talk_time;
    writer->errored_empty = table->config->strict;
}

/* What one bot shows of its chance says nothing of another's. */
static void start_bot(const Table *table, SeatNo seat)
{
    const NlpPlace *place = &table->places[seat];
    Key own = key_derive_number(&table->bots, STR("bot"), seat);

    if (place->kind)
        place->kind->start(place->bot, game_view(table->game, seat), key_seed(&own));
}

/* The first events deal the roles, which the JSON log names at its head: so it is opened behind
 * them, by the time that the first packet is written. */
void table_begin(Table *table, TimeUs now)
{
    Event event;
    Err err = {0};
    bool logs_open = false;

    table->now = now;
    begin_writer(table, &table->writer);
    begin_writer(table, &table->masked_writer);
    table->masked_writer.masked = true;
    for (SeatNo seat = 1; seat <= table->count; seat++)
        start_bot(table, seat);
    while (!logs_open && game_next_event(table->game, &event)) {
        if (event.kind != EVENT_ROLE) {
            logs_open = true;
            if (open_logs(table, &err))
                table_log_trouble(table, &err);
        }
        table_hear(table, &event);
    }
    table_run(table);
}

void table_settle(Table *table, TableScratch *scratch, const int64_t *unix_ms_at_zero)
{
    table->scratch = scratch;
    table->unix_ms_at_zero = unix_ms_at_zero;
}

Table *nlp_table_free(Table *table)
{
    if (!table)
        return NULL;
    for (SeatNo seat = 1; table->places && seat <= table->count; seat++) {
        buf_done(&table->places[seat].request);
        mem_free(table->places[seat].bot);
    }
    mem_free(table->places);
    json_log_close(table->json_log, SIDE_NONE, false, NULL);
    line_file_close(table->game_log, false, NULL);
    nlp_log_done(&table->writer);
    nlp_log_done(&table->masked_writer);
    game_free(table->game);
    buf_done(&table->stem);
    buf_done(&table->names);
    return mem_free(table);
}

/* ---- looking ---- */

bool table_over(const Table *table)
{
    return table->over;
}

bool table_aborted(const Table *table)
{
    /* A decided game without its log is none, even if only the last line is missing */
    return table->log_failed || (table->aborted && game_winner(table->game) == SIDE_NONE);
}

bool table_day_limit(const Table *table)
{
    return table->over && !table->aborted && game_winner(table->game) == SIDE_NONE;
}

bool table_log_failed(const Table *table)
{
    return table->log_failed;
}

const ConfigProfile *table_profile(const Table *table, SeatNo seat)
{
    return table->profiles[seat];
}

const Game *table_game(const Table *table)
{
    return table->game;
}

void *table_peer(const Table *table, SeatNo seat)
{
    return table->places[seat].peer;
}

const Chair *table_chair(const Table *table, SeatNo seat)
{
    return &table->places[seat].chair;
}

void table_look(const Table *table, NlpGame *ret)
{
    *ret = (NlpGame){.id = str_of(table->id),
                     .day = game_day(table->game),
                     .finished = table->over,
                     .aborted = table_aborted(table),
                     .winner = table->log_failed ? SIDE_NONE : game_winner(table->game),
                     .began_unix_ms = table->began_unix_ms,
                     .stem = buf_str(&table->stem),
                     .seat_count = table->count};
    for (SeatNo seat = 1; seat <= table->count; seat++)
        ret->seats[seat] = (NlpSeatStatus){.team = table->seats[seat].team,
                                           .original = table->seats[seat].original,
                                           .name = table->seats[seat].name,
                                           .role = game_role(table->game, seat),
                                           .alive = seat_in(game_alive(table->game), seat),
                                           .told_alive = seat_in(table->masked_writer.alive, seat),
                                           .errored = table->places[seat].chair.state == CHAIR_OUT};
}
