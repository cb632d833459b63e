/* Making a table, and what can be seen of it. */
#include "nlp/table_state.h"

#include "disk/disk_call.h"

/* A program that breaks at its first packet and starts anew at once would come back without end. */
#define RETURNS_MAX 5

static void lay_place(NlpTable *table, SeatNo seat, NlpPlace *place)
{
    const NlpSeat *own = &table->seats[seat];

    *place = (NlpPlace){.table = table, .seat = seat, .bot_at = TIME_US_NEVER};
    place->speaker = (NlpSpeaker){.text = {.game_id = str_of(table->id),
                                           .setting = table->setting,
                                           .profile = own->profile,
                                           .began_unix_ms = table->began_unix_ms},
                                  .original = own->original,
                                  .names = game_view(table->core.game, seat)->names,
                                  .count = table->core.count,
                                  .strict = table->config->strict,
                                  .timed = ruleset_is_timed(&table->config->rules),
                                  .said = &table->scratch->text};
    table->core.places[seat].chair = (Chair){.manner = &nlp_manner,
                                             .self = &place->speaker,
                                             .patience = &table->patience,
                                             .request = &place->request,
                                             .scratch = &table->scratch->packet};
}

static int seat_all_of(NlpTable *table, const TableSetup *setup, Err *err)
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
        to->name = game_view(table->core.game, seat)->names[seat];
        if (from->profile) {
            to->name = from->profile->name;
            to->profile = from->profile->text;
            to->avatar = from->profile->avatar_url;
        }
        table->profiles[seat] = from->profile;
        table->fixed[seat] = from->role;
        lay_place(table, seat, place);
        if (!from->bot)
            nlp_table_seat_peer(place, from->peer);
        table->core.places[seat].chair.bids = from->bids;
        if (from->bot && table_seat_bot(&table->core, seat, from->bot, err))
            return ERR_MEMORY;
    }
    return 0;
}

static int start_game(NlpTable *table, Err *err)
{
    GameSetup setup = {0};

    for (SeatNo seat = 1; seat <= table->core.count; seat++) {
        setup.fixed[seat] = table->fixed[seat];
        setup.names[seat] = table->seats[seat].name;
    }
    return table_begin(&table->core, &setup, table->chance, err);
}

/* Where the files of its kinds go; NULL = none of this kind. */
static void log_dirs(const Config *config, const char *ret_dirs[3])
{
    ret_dirs[0] = config->game_logger.enable ? config->game_logger.output_dir : NULL;
    ret_dirs[1] = config->json_logger.enable ? config->json_logger.output_dir : NULL;
    ret_dirs[2] = config->realtime.enable ? config->realtime.output_dir : NULL;
}

static int name_logs(NlpTable *table, Err *err)
{
    const Config *config = table->config;
    const char *pattern = config->game_logger.enable   ? config->game_logger.filename
                          : config->json_logger.enable ? config->json_logger.filename
                                                       : config->realtime.filename;
    const char *dirs[3];

    log_dirs(config, dirs);
    buf_clear(&table->stem);
    nlp_file_stem(pattern ? pattern : "", str_of(table->id), table->began_unix_ms / 1000,
                  table->seats, table->core.count, &table->stem);
    return nlp_file_free_stem(dirs, &table->stem, err);
}

static int open_logs(NlpTable *table, Err *err)
{
    uint8_t roles[SEAT_MAX + 1] = {0};
    const char *dirs[3];
    int rc = table->named ? 0 : name_logs(table, err);

    log_dirs(table->config, dirs);
    for (SeatNo seat = 1; seat <= table->core.count; seat++)
        roles[seat] = (uint8_t)game_role(table->core.game, seat);
    if (rc == 0 && dirs[0])
        rc = line_file_open(dirs[0], buf_cstr(&table->stem), ".log", &table->game_log, err);
    if (rc == 0 && dirs[1])
        rc = json_log_open(&(JsonLogSetup){.dir = dirs[1],
                                           .stem = buf_cstr(&table->stem),
                                           .game_id = str_of(table->id),
                                           .seats = table->seats,
                                           .roles = roles,
                                           .seat_count = table->core.count,
                                           .milliseconds = table->config->json_milliseconds},
                           &table->json_log, err);
    if (rc && table->game_log) /* the game does not begin */
        (void)disk_remove(line_file_path(table->game_log));
    return rc;
}

void nlp_table_scratch_done(TableScratch *scratch)
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

int nlp_table_new(const TableSetup *setup, NlpTable **ret_table, Err *err)
{
    NlpTable *table = mem_new(sizeof(*table));

    if (!table)
        return err_set(err, ERR_MEMORY, "new table: out of memory");
    table->config = setup->config;
    table->setting = setup->setting;
    table->out = setup->out;
    table->scratch = setup->scratch;
    table->core.division = &nlp_division;
    table->core.user = table;
    table->chance = setup->chance;
    table->bots = key_root(&setup->bots);
    Key pauses = key_derive(&table->bots, STR("pauses"));
    table->bot_pauses = key_rng(&pauses);
    table->began = table->core.now = setup->now;
    table->flush_at = TIME_US_NEVER;
    table->began_unix_ms = setup->unix_ms;
    table->unix_ms_at_zero = setup->unix_ms_at_zero;
    snprintf(table->id, sizeof(table->id), "%.*s", STR_ARG(setup->id));

    table->patience = patience_of_config(setup->config);
    table->core.fate = (Fate){.aborts_at = FATE_NEVER,
                              .ends_at = setup->config->abort_at,
                              .needs_somebody = true,
                              .spares_dead = true};
    table->places = mem_new((setup->count + 1u) * sizeof(*table->places));
    int rc = table->places ? 0 : err_set(err, ERR_MEMORY, "new table: out of memory");
    if (rc == 0)
        rc = table_new(&table->core, &setup->config->rules, setup->count, err);
    if (rc == 0)
        rc = game_start(table->core.game, NULL, table->chance, err); /* names the seats */
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

static void begin_writer(const NlpTable *table, NlpLogWriter *writer)
{
    nlp_log_begin(writer, str_of(table->id), table->seats, table->core.count, table->began_unix_ms);
    writer->talk_time = table->config->talk_time;
    writer->errored_empty = table->config->strict;
}

/* What one bot shows of its chance says nothing of another's. */
static void start_bot(const NlpTable *table, SeatNo seat)
{
    const TablePlace *place = &table->core.places[seat];
    Key own = key_derive_number(&table->bots, STR("bot"), seat);

    if (place->kind)
        place->kind->start(place->bot, game_view(table->core.game, seat), key_seed(&own));
}

/* The first events deal the roles, which the JSON log names at its head: so it is opened behind
 * them, by the time that the first packet is written. */
void nlp_table_begin(NlpTable *table, TimeUs now)
{
    Event event;
    Err err = {0};
    bool logs_open = false;

    table->core.now = now;
    begin_writer(table, &table->writer);
    begin_writer(table, &table->masked_writer);
    table->masked_writer.masked = true;
    for (SeatNo seat = 1; seat <= table->core.count; seat++)
        start_bot(table, seat);
    while (!logs_open && game_next_event(table->core.game, &event)) {
        if (event.kind != EVENT_ROLE) {
            logs_open = true;
            if (open_logs(table, &err))
                nlp_table_log_trouble(table, &err);
        }
        table_event(&table->core, &event);
    }
    nlp_table_run(table);
}

void nlp_table_settle(NlpTable *table, TableScratch *scratch, const int64_t *unix_ms_at_zero)
{
    table->scratch = scratch;
    for (SeatNo seat = 1; seat <= table->core.count; seat++) {
        table->places[seat].speaker.said = &scratch->text;
        table->core.places[seat].chair.scratch = &scratch->packet;
    }
    table->unix_ms_at_zero = unix_ms_at_zero;
}

NlpTable *nlp_table_free(NlpTable *table)
{
    if (!table)
        return NULL;
    for (SeatNo seat = 1; table->places && seat <= table->core.count; seat++)
        buf_done(&table->places[seat].request);
    mem_free(table->places);
    json_log_close(table->json_log, SIDE_NONE, false, NULL);
    line_file_close(table->game_log, false, NULL);
    nlp_log_done(&table->writer);
    nlp_log_done(&table->masked_writer);
    table_done(&table->core);
    buf_done(&table->stem);
    buf_done(&table->names);
    return mem_free(table);
}

/* ---- looking ---- */

bool nlp_table_over(const NlpTable *table)
{
    return table->over;
}

bool nlp_table_aborted(const NlpTable *table)
{
    /* A decided game without its log is none, even if only the last line is missing */
    return table->log_failed || (table->core.aborted && game_winner(table->core.game) == SIDE_NONE);
}

bool nlp_table_day_limit(const NlpTable *table)
{
    return table->over && !table->core.aborted && game_winner(table->core.game) == SIDE_NONE;
}

bool nlp_table_log_failed(const NlpTable *table)
{
    return table->log_failed;
}

const ConfigProfile *nlp_table_profile(const NlpTable *table, SeatNo seat)
{
    return table->profiles[seat];
}

const Game *nlp_table_game(const NlpTable *table)
{
    return table->core.game;
}

void *nlp_table_peer(const NlpTable *table, SeatNo seat)
{
    return table->places[seat].peer;
}

const Chair *nlp_table_chair(const NlpTable *table, SeatNo seat)
{
    return &table->core.places[seat].chair;
}

void nlp_table_look(const NlpTable *table, NlpGame *ret)
{
    *ret = (NlpGame){.id = str_of(table->id),
                     .day = game_day(table->core.game),
                     .finished = table->over,
                     .aborted = nlp_table_aborted(table),
                     .winner = table->log_failed ? SIDE_NONE : game_winner(table->core.game),
                     .began_unix_ms = table->began_unix_ms,
                     .stem = buf_str(&table->stem),
                     .seat_count = table->core.count};
    for (SeatNo seat = 1; seat <= table->core.count; seat++)
        ret->seats[seat] =
            (NlpSeatStatus){.team = table->seats[seat].team,
                            .original = table->seats[seat].original,
                            .name = table->seats[seat].name,
                            .role = game_role(table->core.game, seat),
                            .alive = seat_in(game_alive(table->core.game), seat),
                            .told_alive = seat_in(table->masked_writer.alive, seat),
                            .errored = table->core.places[seat].chair.state == CHAIR_OUT};
}
