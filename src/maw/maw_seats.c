/* maw_seats.c - the seats of a table: players, and who decides for them. */
#include "base/utf8.h"
#include "disk/folder.h"
#include "maw/maw_table_own.h"
#include "record/maw_told.h"
#include "stats/decision_sheet.h"

#include <unistd.h>

#define POLL_US            ((TimeUs)1000 * 1000)
#define DECISION_BYTES_MAX ((size_t)1024 * 1024)

static const char client[] = "warg " WARG_VERSION;

Seat *seat_free(Seat *seat)
{
    if (!seat)
        return NULL;
    maw_driver_free(seat->driver);
    if (seat->model)
        llm_seat_free(seat->model);
    maw_asked_free(seat->asked);
    prompt_log_free(seat->prompts);
    llm_answers_free(seat->answers);
    maw_player_free(seat->player);
    return mem_free(seat);
}

void seats_shuffle(MawTable *table)
{
    Rng rng = maw_chance_rng(&table->setup.chance, STR("seats"));
    uint32_t players = table->setup.options.players;

    for (unsigned i = 0; i < SEATS_MAX; i++)
        table->numbers[i] = i + 1;
    for (unsigned i = 0; i < MAW_NAMES; i++)
        table->names[i] = maw_name(i);
    for (uint32_t i = MAW_NAMES; i > 1; i--) {
        uint32_t other = rng_below(&rng, i);
        const char *name = table->names[i - 1];
        table->names[i - 1] = table->names[other];
        table->names[other] = name;
    }
    for (uint32_t i = players < SEATS_MAX ? players : SEATS_MAX; i > 1; i--) {
        uint32_t other = rng_below(&rng, i);
        unsigned number = table->numbers[i - 1];
        table->numbers[i - 1] = table->numbers[other];
        table->numbers[other] = number;
    }
}

/* ---- seats ---- */

static void on_seat_stanza(void *user, const MawStanza *stanza, TimeUs now)
{
    const Seat *seat = user;

    if (!seat->asked || !maw_asked_receive(seat->asked, stanza, now))
        maw_player_receive(seat->player, stanza, now);
}

static void on_seat_send(void *user, const MawStanza *stanza)
{
    const Seat *seat = user;

    if (seat->table->replay) /* it stands in the record already */
        return;
    maw_house_post(seat->table->house, stanza);
    maw_table_stir(seat->table);
}

/* An event that the session knows nothing of, for its record. */
static Json begin_event(const Seat *seat, const char *event, TimeUs now)
{
    MawTable *table = seat->table;

    buf_clear(&table->text);
    Json json = json_over(&table->text);
    json_open(&json, '{');
    json_add_uint(&json, "t_ms", (uint64_t)(now - table->began) / 1000);
    json_add_str(&json, "event", str_of(event));
    json_add_str(&json, "jid", str_of(seat->jid));
    json_add_str(&json, "name", maw_player_known(seat->player)->me);
    return json;
}

static void end_event(MawTable *table, Json *json)
{
    json_close(json);
    if (!buf_failed(&table->text))
        maw_table_record(table, buf_str(&table->text));
}

/* Which model it is, and where it was asked: without it no result says what was tried. */
static void write_model(const Seat *seat, Json *json)
{
    if (!seat->endpoint)
        return;
    json_add_str(json, "model", str_of(llm_endpoint_model(seat->endpoint)));
    json_add_str(json, "server", str_of(llm_endpoint_url(seat->endpoint)));
}

/* Who is what stands in the record alone (A39). */
static void record_seat(Seat *seat, TimeUs now)
{
    Json json = begin_event(seat, "seat", now);

    json_add_str(&json, "kind", str_of(seat->kind));
    if (seat->model)
        llm_seat_about(seat->model, &json);
    end_event(seat->table, &json);
}

static void on_seat_news(void *user, const MawNews *news, TimeUs now)
{
    Seat *seat = user;
    const MawTable *table = seat->table;

    if (table->replay && maw_session_round(table->session) < table->resumes_at)
        return; /* of rounds that are over only the points count */
    if (news->kind == NEWS_JOINED && !table->replay)
        record_seat(seat, now);
    if (seat->driver)
        maw_driver_news(seat->driver, news, now);
    else if (seat->news)
        seat->news(seat->user, news, now);
}

static void on_seat_heard(void *user, const MawStanza *stanza, MawType type, TimeUs now)
{
    const Seat *seat = user;

    if (seat->asked)
        maw_asked_heard(seat->asked, stanza, type, now);
}

static int new_player(MawTable *table, Seat *seat, Str name, Err *err)
{
    char master[DOMAIN_BYTES + 16];
    size_t at = table->seat_count;

    snprintf(seat->jid, sizeof(seat->jid), "p%02u@%.*s", table->numbers[at],
             STR_ARG(table->setup.domain));
    snprintf(master, sizeof(master), "gm@%.*s", STR_ARG(table->setup.domain));
    MawPlayerSetup setup = {
        .jid = str_of(seat->jid),
        .game_master = str_of(master),
        .name = name.len ? name : str_of(table->names[at]),
        .other_names = &table->names[SEATS_MAX < MAW_NAMES ? SEATS_MAX : 0],
        .client = str_of(client),
        .poll_us = POLL_US,
        .reader = &table->reader,
        .out = {.send = on_seat_send, .news = on_seat_news, .heard = on_seat_heard, .user = seat},
        .now = table->now,
    };

    return maw_player_new(&setup, &seat->player, err);
}

static int add_seat(MawTable *table, const char *kind, Str name, Seat **ret_seat, Err *err)
{
    if (table->seat_count == SEATS_MAX)
        return err_set(err, ERR_LIMIT, "the table has %d seats already", SEATS_MAX);
    Seat *seat = mem_new(sizeof(*seat));
    if (!seat)
        return err_set(err, ERR_MEMORY, "seat: out of memory");
    seat->table = table;
    seat->kind = kind;
    int rc = new_player(table, seat, name, err);
    if (rc == 0)
        rc = maw_house_add(table->house, str_of(seat->jid), on_seat_stanza, seat, err);
    if (rc) {
        seat_free(seat);
        return rc;
    }
    table->seats[table->seat_count++] = seat;
    maw_table_stir(table);
    *ret_seat = seat;
    return 0;
}

static uint64_t seat_seed(const MawTable *table)
{
    /* Another one in each life: what it chooses is not what it chose before, once more. */
    return maw_chance_seed(&table->setup.chance, STR("driver"),
                           table->seat_count + table->life * SEATS_MAX);
}

/* Gives the last seat its driver. */
static int drive_seat(Seat *seat, MawDriver *driver)
{
    seat->driver = driver;
    maw_driver_opinions(driver, seat->table->setup.options.opinions);
    maw_driver_take(driver, seat->player);
    maw_driver_follow(driver, seat->table->replay != NULL);
    return 0;
}

int maw_table_add_driver(MawTable *table, const char *kind, MawDriver *take_driver,
                         MawPlayer **ret_player, Err *err)
{
    Seat *seat = NULL;
    int rc = add_seat(table, kind, (Str){0}, &seat, err);

    if (rc) {
        maw_driver_free(take_driver);
        return rc;
    }
    *ret_player = seat->player;
    return drive_seat(seat, take_driver);
}

int maw_table_add_bot(MawTable *table, MawBot bot, Err *err)
{
    const char *kind = bot == MAW_BOT_RANDOM ? "bot:random" : "bot:talker";
    MawDriver *driver = NULL;
    MawPlayer *player = NULL;
    int rc = maw_bot_driver_new(bot, table->setup.options.language, &table->setup.pace,
                                seat_seed(table), &driver, err);

    return rc ? rc : maw_table_add_driver(table, kind, driver, &player, err);
}

/* A server that is wrong is told of when it first fails, and once (section 5.4): the game goes on
 * without it. */
static void tell_model_trouble(MawTable *table, const json_t *decision)
{
    const Str source = json_text(decision, "source"), outcome = json_text(decision, "outcome"),
              why = json_text(decision, "why");
    char line[300];

    if (table->model_trouble_told || !table->setup.note)
        return;
    if (str_eq(source, STR("fallback")) && outcome.len && !str_eq(outcome, STR("answered"))) {
        CLEANUP(buf_done) Buf shown = {0};
        utf8_add_printable(why.len ? why : outcome, 120, &shown);
        snprintf(line, sizeof(line), "a model does not answer (%s): rules decide in its place",
                 buf_cstr(&shown));
        table->model_trouble_told = true;
        table->setup.note(table->setup.user, str_of(line));
    }
}

static void tell_fault(const Seat *seat, const Fault *fault, TimeUs now)
{
    maw_session_fault(seat->table->session, str_of(seat->jid), fault, now);
}

/* For who watches: what a model did not decide itself, or must not say. */
static void tell_decision(const Seat *seat, const json_t *decision, TimeUs now)
{
    Fault faults[MAW_FAULTS_MAX];
    const unsigned count = maw_fault_of_decision(decision, faults);

    for (unsigned i = 0; i < count; i++)
        tell_fault(seat, &faults[i], now);
}

/* Every decision of a model with where it came from (section 9). Of an opinion nobody is told. */
static void on_model_record(void *user, Str decision, TimeUs now)
{
    Seat *seat = user;
    json_t *told = NULL;
    int rc = json_read(decision, DECISION_BYTES_MAX, &told, NULL);
    bool opinion = str_eq(json_text(told, "task"), STR("opinion"));
    Json json = begin_event(seat, opinion ? "opinion" : "decision", now);

    if (opinion)
        seats_hear_opinion(seat, told);
    json_key(&json, STR("decision"));
    json_put_raw(&json, decision);
    end_event(seat->table, &json);
    if (opinion)
        maw_table_stir(seat->table); /* its driver has time again */
    else if (rc == 0) {
        tell_model_trouble(seat->table, told);
        tell_decision(seat, told, now);
    }
    json_done(told);
}

static int load_context(LlmContext *context, const char *folder, Str node, Err *err)
{
    CLEANUP(buf_done) Buf path = {0};

    buf_printf(&path, "%s/contexts/%.*s.jsonl", folder, STR_ARG(node));
    return access(buf_cstr(&path), F_OK) ? 0 : llm_context_load(context, buf_cstr(&path), err);
}

/* What a model remembers is kept in OUT/contexts, a file for each seat, and may be gone on with:
 * seed 002 table 20, docs/spec/maw.md 5.5. */
static int keep_context(Seat *seat, Err *err)
{
    const MawTableSetup *setup = &seat->table->setup;
    LlmContext *context = llm_seat_context(seat->model);
    Str node = jid_local(str_of(seat->jid));
    CLEANUP(buf_done) Buf path = {0};
    int rc = 0;

    if (setup->earlier)
        rc = load_context(context, setup->earlier, node, err);
    if (rc == 0 && seat->table->resumed)
        rc = load_context(context, setup->out, node, err);
    if (rc || !setup->out)
        return rc;
    buf_printf(&path, "%s/contexts", setup->out);
    rc = folder_make(buf_str(&path), err);
    buf_printf(&path, "/%.*s.jsonl", STR_ARG(node));
    if (rc == 0 && buf_failed(&path))
        rc = err_set(err, ERR_MEMORY, "contexts: out of memory");
    return rc ? rc : llm_context_save(context, buf_cstr(&path), err);
}

/* OUT/prompts, a file for each seat: docs/spec/web.md 8. */
static int keep_prompts(Seat *seat, Err *err)
{
    const MawTableSetup *setup = &seat->table->setup;
    CLEANUP(buf_done) Buf path = {0};

    if (!setup->record_prompts || !setup->out || !seat->endpoint)
        return 0;
    buf_printf(&path, "%s/prompts", setup->out);
    int rc = folder_make(buf_str(&path), err);
    buf_printf(&path, "/%.*s.jsonl", STR_ARG(jid_local(str_of(seat->jid))));
    if (rc == 0 && buf_failed(&path))
        rc = err_set(err, ERR_MEMORY, "prompts: out of memory");
    return rc ? rc
              : prompt_log_open(buf_cstr(&path), str_of(llm_endpoint_model(seat->endpoint)),
                                &seat->prompts, err);
}

static void on_model_moves(void *user, TimeUs now)
{
    const Seat *seat = user;
    const MawTable *table = seat->table;

    if (table->clock && !table->over)
        maw_clock_add(table->clock, MOVE_SEAT, jid_local(str_of(seat->jid)), now);
}

/* With the first model: among bots alone a seed is enough. */
static int keep_clock(MawTable *table, Err *err)
{
    CLEANUP(buf_done) Buf path = {0};
    MawClockHead head = {
        .began = table->began, .unix_ms = table->setup.unix_ms, .others = table->setup.others};

    snprintf(head.id, sizeof(head.id), "%s", table->id);
    snprintf(head.seed, sizeof(head.seed), "%s", table->setup.chance.seed);
    buf_printf(&path, "%s/answers/clock.jsonl", table->setup.out);
    if (!buf_failed(&path) && access(buf_cstr(&path), F_OK) == 0)
        return 0; /* a session that is gone on with begins at no beginning */
    return buf_failed(&path) ? err_set(err, ERR_MEMORY, "clock: out of memory")
                             : maw_clock_keep(buf_cstr(&path), &head, &table->clock, err);
}

static int open_answers(Seat *seat, const char *path, Err *err)
{
    MawTable *table = seat->table;
    int rc = 0;

    if (table->setup.clock)
        return seat->endpoint ? llm_answers_load(path, &seat->answers, err) : 0;
    if (!table->clock)
        rc = keep_clock(table, err);
    return rc || !seat->endpoint ? rc : llm_answers_keep(path, &seat->answers, err);
}

/* OUT/answers, a file for each seat; or those of a session that is played again. */
static int find_answers(Seat *seat, Err *err)
{
    const MawTableSetup *setup = &seat->table->setup;
    const char *folder = setup->clock ? setup->answers : setup->out;
    CLEANUP(buf_done) Buf path = {0};

    /* The clock of a session that is gone on with would begin in its middle: it is not kept on. */
    if (!folder || seat->table->resumed)
        return 0;
    buf_printf(&path, "%s/answers", folder);
    int rc = setup->clock ? 0 : folder_make(buf_str(&path), err);
    buf_printf(&path, "/%.*s.jsonl", STR_ARG(jid_local(str_of(seat->jid))));
    if (rc == 0 && buf_failed(&path))
        rc = err_set(err, ERR_MEMORY, "answers: out of memory");
    return rc ? rc : open_answers(seat, buf_cstr(&path), err);
}

static int give_model(Seat *seat, const MawModel *model, uint64_t seed, Err *err)
{
    MawTable *table = seat->table;
    MawDriver *driver = NULL;
    const MawPace pace = maw_model_pace(&table->setup.pace, &model->manner, !model->endpoint);

    seat->endpoint = model->endpoint;
    int rc = keep_prompts(seat, err);
    if (rc == 0)
        rc = find_answers(seat, err);
    LlmSeatSetup setup = {
        .endpoint = model->endpoint,
        .persona = model->persona,
        .filters = model->manner.filters,
        .seed = seed,
        .unix_ms_at_zero = table->setup.unix_ms - table->began / 1000,
        .record = on_model_record,
        .user = seat,
        .prompts = seat->prompts,
        .answers = seat->answers,
        .moves = on_model_moves,
        .moves_user = seat,
    };

    if (rc == 0)
        rc = llm_seat_new(table->alarm.alarms, &setup, &seat->model, err);
    if (rc == 0)
        rc = keep_context(seat, err);
    if (rc == 0)
        rc = maw_model_driver_new(seat->model, model->language, &pace, seed, &driver, err);
    return rc ? rc : drive_seat(seat, driver);
}

int maw_table_add_model(MawTable *table, const MawModel *model, Err *err)
{
    uint64_t seed = seat_seed(table);
    Seat *seat = NULL;

    int rc = add_seat(table, model->endpoint ? "model" : "model:demo", (Str){0}, &seat, err);
    return rc ? rc : give_model(seat, model, seed, err);
}

static void on_asked_note(void *user, Str line)
{
    const Seat *seat = user;
    CLEANUP(buf_done) Buf text = {0};

    buf_printf(&text, "%s: %.*s", seat->jid, STR_ARG(line));
    if (seat->table->setup.note && !buf_failed(&text))
        seat->table->setup.note(seat->table->setup.user, buf_str(&text));
}

static int give_asked(Seat *seat, MawAsks kind, Str interface, uint64_t seed, Err *err)
{
    MawTable *table = seat->table;
    MawDriver *driver = NULL;
    int rc = maw_asked_new(&(MawAskedSetup){.alarms = table->alarm.alarms,
                                            .jid = str_of(seat->jid),
                                            .interface = interface,
                                            .kind = kind,
                                            .seed = (uint64_t)table->now,
                                            .send = on_seat_send,
                                            .note = on_asked_note,
                                            .user = seat},
                           &seat->asked, err);
    const MawModel model = {.endpoint = seat->asked ? maw_asked_endpoint(seat->asked) : NULL,
                            .language = table->setup.options.language};

    if (rc)
        return rc;
    maw_asked_take(seat->asked, seat->player);
    if (kind == ASKS_MODEL)
        return give_model(seat, &model, seed, err);
    rc = maw_user_driver_new(seat->asked, seed, &driver, err);
    return rc ? rc : drive_seat(seat, driver);
}

int maw_table_add_asked(MawTable *table, MawAsks kind, Str interface, Err *err)
{
    static const char *const kinds[] = {"interface:user", "interface:model"};
    uint64_t seed = seat_seed(table);
    Seat *seat = NULL;
    int rc = add_seat(table, kinds[kind], (Str){0}, &seat, err);

    if (rc == 0)
        rc = give_asked(seat, kind, interface, seed, err);
    if (rc)
        return rc;
    CLEANUP(buf_done) Buf line = {0};
    buf_printf(&line, "decided by %.*s", STR_ARG(interface));
    on_asked_note(seat, buf_str(&line));
    return 0;
}

int maw_table_add_player(MawTable *table, Str name,
                         void (*news)(void *user, const MawNews *news, TimeUs now), void *user,
                         MawPlayer **ret_player, Err *err)
{
    Seat *seat = NULL;
    int rc = add_seat(table, "player", name, &seat, err);

    if (rc)
        return rc;
    seat->news = news;
    seat->user = user;
    *ret_player = seat->player;
    return 0;
}

void maw_table_record_fault(MawTable *table, const MawPlayer *player, const char *fault,
                            const char *at)
{
    for (size_t i = 0; i < table->seat_count; i++) {
        Seat *seat = table->seats[i];
        FaultKind kind = fault_kind_of(str_of(fault));
        if (seat->player != player)
            continue;
        if (kind < FAULT_COUNT)
            seat->faults[kind]++;
        seat->fault = fault;
        seat->fault_at = at;
    }
    maw_table_stir(table);
}

void seats_record_faults(MawTable *table, TimeUs now)
{
    for (size_t i = 0; i < table->seat_count; i++) {
        Seat *seat = table->seats[i];
        if (!seat->fault)
            continue;
        Json json = begin_event(seat, "fault", now);
        json_add_str(&json, "fault", str_of(seat->fault));
        json_add_str(&json, "request", str_of(seat->fault_at));
        end_event(table, &json);
        const Fault fault = {.kind = fault_kind_of(str_of(seat->fault)), .request = seat->fault_at};
        if (fault.kind != FAULT_COUNT)
            tell_fault(seat, &fault, now);
        seat->fault = NULL;
    }
}

/* ---- a recorded session ---- */

int seats_replay(MawTable *table, const MawMove *move, Err *err)
{
    for (size_t i = 0; i < table->seat_count; i++) {
        const Seat *seat = table->seats[i];
        if (!seat->model || !str_eq(jid_local(str_of(seat->jid)), move->text))
            continue;
        if (!llm_seat_busy(seat->model))
            break;
        llm_seat_move(seat->model, move->at);
        return seat->answers ? llm_answers_failed(seat->answers, err) : 0;
    }
    return err_set(err, ERR_RULE,
                   "%s:%u: %.*s was answered here, but it is asked nothing: this is not the "
                   "same session; give the options that it was played with",
                   maw_clock_name(table->setup.clock), move->line,
                   STR_ARG(str_part(move->text, 0, 32)));
}

int seats_end_replay(const MawTable *table, Err *err)
{
    int rc = 0;

    for (size_t i = 0; i < table->seat_count && rc == 0; i++)
        if (table->seats[i]->answers)
            rc = llm_answers_end(table->seats[i]->answers, err);
    return rc;
}

/* ---- a session that is gone on with ---- */

static Seat *seat_of(const MawTable *table, Str jid)
{
    for (size_t i = 0; i < table->seat_count; i++)
        if (str_eq(str_of(table->seats[i]->jid), jid))
            return table->seats[i];
    return NULL;
}

/* With others on the seats the points would be somebody else's. */
static int check_seat(const Seat *seat, const json_t *event, Err *err)
{
    Str kind = json_text(event, "kind"), name = json_text(event, "name");

    if (seat && str_eq(str_of(seat->kind), kind))
        return 0;
    return err_set(err, ERR_USAGE,
                   "the seat of %.*s was %.*s, and is %s now: the session is gone on with by those "
                   "who sat there",
                   STR_ARG(str_part(name, 0, 96)), STR_ARG(str_part(kind, 0, 96)),
                   seat ? seat->kind : "none");
}

static uint32_t count_in(const json_t *json, const char *key)
{
    int64_t number = json_number(json, key);

    return number > 0 && number <= UINT32_MAX ? (uint32_t)number : 0;
}

/* What was asked up to here has been answered: what the seat has heard since then is news. */
static void hear_decision(Seat *seat, const json_t *decision)
{
    Str source = json_text(decision, "source"), action = json_text(decision, "action");
    const json_t *tokens = json_get(decision, "tokens");
    const LlmFigures one = {
        .requests = count_in(decision, "requests"),
        .sent = count_in(decision, "requests") + count_in(decision, "retries"), /* about */
        .retries = count_in(decision, "retries"),
        .repairs = str_eq(source, STR("repaired")),
        .fallbacks = str_eq(source, STR("fallback")),
        .by_model = str_eq(source, STR("model")) || str_eq(source, STR("repaired")),
        .lines = str_eq(action, STR("speak")),
        .votes = str_eq(action, STR("vote")),
        .listens = str_eq(action, STR("listen")),
        .prompt_tokens = count_in(tokens ? tokens : decision, tokens ? "prompt" : "prompt_tokens"),
        .answer_tokens = count_in(tokens ? tokens : decision, tokens ? "answer" : "answer_tokens"),
        .cached_tokens = tokens ? count_in(tokens, "cached") : 0,
        .reasoning_tokens = tokens ? count_in(tokens, "reasoning") : 0,
    };

    seats_add_figures(&seat->before, &one);
    llm_seat_forget_news(seat->model);
}

int seats_hear_record(MawTable *table, Str line, Err *err)
{
    json_t *event = NULL;
    int rc = json_read(line, MAW_RECORD_LINE_MAX, &event, err);
    Str what = json_text(event, "event");
    Seat *seat = seat_of(table, json_text(event, "jid"));

    if (rc == 0 && str_eq(what, STR("seat")))
        rc = check_seat(seat, event, err);
    else if (rc == 0 && seat && seat->model && str_eq(what, STR("decision")))
        hear_decision(seat, json_get(event, "decision"));
    else if (rc == 0 && seat && str_eq(what, STR("opinion")))
        seats_hear_opinion(seat, json_get(event, "decision"));
    else if (rc == 0 && seat && str_eq(what, STR("figures")))
        seat->figures_told = true;
    FaultKind fault = fault_kind_of(json_text(event, "fault"));
    if (rc == 0 && seat && str_eq(what, STR("fault")) && fault < FAULT_COUNT)
        seat->faults[fault]++;
    json_done(event);
    return rc;
}

void seats_wake(MawTable *table)
{
    for (size_t i = 0; i < table->seat_count; i++) {
        if (table->seats[i]->driver)
            maw_driver_follow(table->seats[i]->driver, false);
        maw_player_again(table->seats[i]->player, table->life, table->now);
    }
}

/* ---- looking ---- */

const char *maw_table_kind(const MawTable *table, Str jid)
{
    const Seat *seat = seat_of(table, jid);

    return seat ? seat->kind : "guest";
}

void seats_write_model(const MawTable *table, Str jid, Json *json)
{
    const Seat *seat = seat_of(table, jid);

    if (seat)
        write_model(seat, json);
}

void maw_table_describe(const MawTable *table, Str jid, Buf *out)
{
    const Seat *seat = seat_of(table, jid);

    buf_add(out, str_of(seat ? seat->kind : "guest"));
    if (!seat || !seat->endpoint)
        return;
    Str server = str_of(llm_endpoint_url(seat->endpoint)), scheme = STR("://");
    size_t at = 0;
    while (at + scheme.len < server.len && memcmp(server.bytes + at, scheme.bytes, scheme.len) != 0)
        at++;
    if (at + scheme.len < server.len)
        server = str_part(server, at + scheme.len, server.len);
    Str host = str_cut(&server, '/');
    buf_printf(out, ":%s at %.*s", llm_endpoint_model(seat->endpoint), STR_ARG(host));
}

bool maw_table_figures(const MawTable *table, LlmFigures *ret_sum)
{
    bool any = false;

    *ret_sum = (LlmFigures){0};
    for (size_t i = 0; i < table->seat_count; i++) {
        LlmFigures one;
        if (!table->seats[i]->model)
            continue;
        seats_figures(table->seats[i], &one);
        seats_add_figures(ret_sum, &one);
        any = true;
    }
    return any;
}

bool maw_table_models_decide(const MawTable *table)
{
    for (size_t i = 0; i < table->seat_count; i++) {
        LlmFigures one;
        if (!table->seats[i]->model)
            continue;
        seats_figures(table->seats[i], &one);
        if (!decisions_are_own(one.by_model,
                               one.by_model + one.fallbacks)) /* phrases are neither */
            return false;
    }
    return true;
}

/* docs/spec/maw.md 5.8 */
static void record_figures(Seat *seat)
{
    LlmFigures figures;

    seats_figures(seat, &figures);
    Json json = begin_event(seat, "figures", seat->table->now);
    json_add_uint(&json, "requests", figures.requests);
    json_add_uint(&json, "retries", figures.retries);
    json_add_uint(&json, "repairs", figures.repairs);
    json_add_uint(&json, "fallbacks", figures.fallbacks);
    json_add_uint(&json, "refused", figures.refused);
    json_add_uint(&json, "suppressed", figures.suppressed);
    json_add_uint(&json, "leaks", figures.leaks);
    json_add_uint(&json, "lines", figures.lines);
    json_add_uint(&json, "votes", figures.votes);
    json_add_uint(&json, "listens", figures.listens);
    json_add_uint(&json, "by_model", figures.by_model);
    json_add_uint(&json, "prompt_tokens", figures.prompt_tokens);
    json_add_uint(&json, "answer_tokens", figures.answer_tokens);
    json_add_uint(&json, "latency_p50_ms", figures.latency_p50_ms);
    json_add_uint(&json, "latency_p95_ms", figures.latency_p95_ms);
    end_event(seat->table, &json);
}

void seats_record_figures(MawTable *table)
{
    for (size_t i = 0; i < table->seat_count; i++)
        if (table->seats[i]->model && !table->seats[i]->figures_told)
            record_figures(table->seats[i]);
}
