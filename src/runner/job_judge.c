#include "runner/job_judge.h"

#include "base/id_source.h"
#include "disk/file_replace.h"
#include "disk/folder.h"
#include "judging/judge_answer.h"
#include "judging/judge_items.h"
#include "judging/judge_prompt.h"
#include "llm/endpoint_text.h"
#include "llm/llm_arg.h"
#include "net/loop.h"
#include "runner/judge_records.h"
#include "wire/json_read.h"

#define ASKS_MAX      7 /* the first, the repair, five anew */
#define SILENT_MAX    3 /* servers that don't answer, in a row */
#define ANSWER_TOKENS 4000
#define ASK_US        ((TimeUs)300 * 1000000)

/* A model as its server was in this job. */
typedef struct AskedModel {
    Buf name;
    uint32_t silent; /* no answer so often, in a row */
    bool denied;     /* it will not answer: asking again is of no use */
} AskedModel;

typedef struct Judging {
    const JobPlace *place;
    Buf home;
    Loop *loop;
    LlmModels *models;
    JudgeRecords *records;
    int64_t budget; /* tokens; 0 = none */
    Buf loaded;     /* path of the log that `game` is of */
    JudgeGame game;
    Buf ratings;   /* out/ratings.jsonl */
    Buf addressed; /* values of the list */
    uint32_t rated, empty, left;
    AskedModel *models_asked;
    uint32_t model_count;
    Buf denied; /* what was said of them, a sentence each */
    /* of the call that is under way */
    LlmOutcome outcome;
    Buf answer, served, why;
    uint32_t prompt_tokens, answer_tokens;
} Judging;

/* A sheet being asked for. */
typedef struct Sheet {
    SheetRow row;
    SheetView view;
    bool japanese;
    Buf system, user, schema;
} Sheet;

static void sheet_done(Sheet *sheet)
{
    sheet_row_done(&sheet->row);
    sheet_view_done(&sheet->view);
    buf_done(&sheet->system);
    buf_done(&sheet->user);
    buf_done(&sheet->schema);
}

/* ---- models ---- */

/* One that is silent or denied keeps nobody from asking the others. NULL: no memory. */
static AskedModel *asked_model(Judging *own, Str name)
{
    for (uint32_t i = 0; i < own->model_count; i++)
        if (str_eq(buf_str(&own->models_asked[i].name), name))
            return &own->models_asked[i];
    AskedModel *more = mem_resize(own->models_asked, (size_t)own->model_count + 1, sizeof(*more));
    if (!more)
        return NULL;
    own->models_asked = more;
    more[own->model_count] = (AskedModel){.denied = false};
    buf_add(&more[own->model_count].name, name);
    return buf_failed(&more[own->model_count].name) ? NULL : &more[own->model_count++];
}

static bool is_given_up(const AskedModel *model)
{
    return model->denied || model->silent >= SILENT_MAX;
}

static void free_models(Judging *own)
{
    for (uint32_t i = 0; i < own->model_count; i++)
        buf_done(&own->models_asked[i].name);
    own->models_asked = mem_free(own->models_asked);
}

/* ---- the game ---- */

static int load_game(Judging *own, const SheetRow *row, Err *err)
{
    CLEANUP(buf_done) Buf log = {0};
    CLEANUP(buf_done) Buf json = {0};

    sheet_paths(row, buf_cstr(&own->home), &log, &json);
    if (str_eq(buf_str(&log), buf_str(&own->loaded)))
        return 0;
    judge_game_done(&own->game);
    own->game = (JudgeGame){0};
    buf_clear(&own->loaded);
    int rc = judge_game_load(buf_cstr(&log), buf_cstr(&json), &own->game, err);
    if (rc == 0)
        buf_add(&own->loaded, buf_str(&log));
    return rc;
}

static int write_prompt(Sheet *sheet, Err *err)
{
    IdSource ids = {0};
    char fence[ID_HEX_BYTES];
    int rc = id_source_hex(&ids, fence, err);

    buf_clear(&sheet->user);
    if (rc)
        return rc;
    judge_prompt_user(&sheet->view, sheet->japanese, str_of(fence), &sheet->user);
    return buf_failed(&sheet->user) || buf_failed(&sheet->system) || buf_failed(&sheet->schema)
               ? err_set(err, ERR_MEMORY, "a judge's prompt: out of memory")
               : 0;
}

static int open_sheet(Judging *own, const json_t *item, Sheet *sheet, Err *err)
{
    int rc = judge_item_read(item, &sheet->row, err);

    if (rc == 0)
        rc = load_game(own, &sheet->row, err);
    if (rc == 0 && own->game.seat_count != sheet->row.seat_count)
        rc = err_set(err, ERR_RULE, "sheet %lld is of a game with other seats",
                     (long long)sheet->row.id);
    if (rc == 0)
        rc = sheet_view_make(&own->game, sheet->row.criterion, sheet->row.order, &sheet->view, err);
    if (rc)
        return rc;
    sheet->japanese = judge_prompt_is_japanese(&own->game);
    judge_prompt_system(sheet->row.criterion, sheet->japanese, &sheet->system);
    judge_prompt_schema(&sheet->view, &sheet->schema);
    return 0;
}

/* ---- asking ---- */

static void on_answer(void *user, const LlmAnswer *answer, TimeUs now)
{
    Judging *own = user;

    (void)now;
    own->outcome = answer->outcome;
    own->prompt_tokens = answer->prompt_tokens + answer->lost.prompt;
    own->answer_tokens = answer->answer_tokens + answer->lost.answer;
    buf_clear(&own->answer);
    buf_add(&own->answer, answer->text);
    buf_clear(&own->served);
    buf_add(&own->served, answer->model);
    buf_clear(&own->why);
    buf_add(&own->why, answer->why);
    loop_stop(own->loop);
}

/* The second time the answer that could not be used stands before. */
static void write_messages(const Sheet *sheet, const JudgeKnown *known, Buf *out)
{
    Json json = json_over(out);

    json_open(&json, '[');
    llm_entry_write(&json, STR("system"), buf_str(&sheet->system));
    llm_entry_write(&json, STR("user"), buf_str(&sheet->user));
    if (known->asked == 1) {
        CLEANUP(buf_done) Buf repair = {0};
        judge_prompt_repair(buf_str(&known->why), sheet->japanese, &repair);
        llm_entry_write(&json, STR("assistant"), buf_str(&known->answer));
        llm_entry_write(&json, STR("user"), buf_str(&repair));
    }
    json_close(&json);
}

static int ask_model(Judging *own, const Sheet *sheet, const JudgeKnown *known, Err *err)
{
    CLEANUP(buf_done) Buf messages = {0};
    LlmEndpoint *endpoint = NULL;
    LlmCall *call = NULL;
    LlmSpec spec;
    int rc = llm_spec_read(buf_str(&sheet->row.model), &spec, err);

    if (rc)
        return rc;
    if (spec.temperature < 0)
        spec.temperature = 0;
    if (spec.max_tokens == 0)
        spec.max_tokens = ANSWER_TOKENS;
    if (spec.timeout_ms == 0)
        spec.timeout_ms = (uint32_t)(ASK_US / 1000);
    rc = llm_models_endpoint(own->models, &spec, &endpoint, err);
    if (rc)
        return rc;
    if (!endpoint) { /* the built-in one */
        own->outcome = LLM_ANSWERED;
        own->prompt_tokens = own->answer_tokens = 0;
        buf_clear(&own->answer);
        buf_clear(&own->why);
        buf_clear(&own->served);
        buf_add(&own->served, STR("demo"));
        judge_answer_demo(&sheet->view, &own->answer);
        return 0;
    }
    write_messages(sheet, known, &messages);
    const LlmAsk ask = {.messages = buf_str(&messages),
                        .schema = buf_str(&sheet->schema),
                        .deadline = own->place->now() + ASK_US};
    rc = llm_ask(endpoint, &ask, on_answer, own, &call, err);
    if (rc == 0)
        loop_run(own->loop);
    return rc;
}

/* An answer, whether it can be used or not, is kept before anything else. */
static int keep_answer(Judging *own, const Sheet *sheet, Err *err)
{
    JudgeAnswer answer = {.reasons = {0}};
    Err why = {0};
    const bool good = judge_answer_read(buf_str(&own->answer), &sheet->view, &answer, &why) == 0;
    const JudgeRecord record = {.row = &sheet->row,
                                .system = buf_str(&sheet->system),
                                .prompt = buf_str(&sheet->user),
                                .served = buf_str(&own->served),
                                .answer = buf_str(&own->answer),
                                .prompt_tokens = own->prompt_tokens,
                                .answer_tokens = own->answer_tokens,
                                .good = good,
                                .why = good           ? STR("")
                                       : own->why.len ? buf_str(&own->why)
                                                      : str_of(why.msg)};

    judge_answer_done(&answer);
    int rc = judge_records_add(own->records, &record, err);
    if (rc == 0)
        job_place_got_on(own->place);
    return rc;
}

/* Asks once; *ret_go_on is false when nothing more is to be asked for this sheet now. */
static int ask_once(Judging *own, Sheet *sheet, AskedModel *model, const JudgeKnown *known,
                    bool *ret_go_on, Err *err)
{
    int rc = write_prompt(sheet, err);

    *ret_go_on = false;
    if (rc == 0)
        rc = ask_model(own, sheet, known, err);
    if (rc)
        return rc;
    switch (own->outcome) {
    case LLM_ANSWERED:
    case LLM_BROKEN:
    case LLM_TOO_LONG: /* this game, for this model: behind as many tries its sheet stays empty */
        model->silent = 0;
        *ret_go_on = true;
        return keep_answer(own, sheet, err);
    case LLM_DENIED:
        model->denied = true;
        buf_printf(&own->denied, "%smodel '%s': %s", own->denied.len ? "; " : "",
                   buf_cstr(&sheet->row.model), buf_cstr(&own->why));
        return 0;
    case LLM_SPENT:
        return 0;
    case LLM_UNREACHABLE:
    case LLM_BUSY:
        break;
    }
    model->silent++;
    return 0;
}

static bool is_spent(const Judging *own)
{
    return own->budget > 0 && judge_records_tokens(own->records) >= (uint64_t)own->budget;
}

/* ---- what it came to ---- */

static int write_rating(Judging *own, const Sheet *sheet, const JudgeKnown *known, Err *err)
{
    JudgeAnswer answer = {.reasons = {0}};
    Json json = json_over(&own->ratings);
    int rc =
        known->good ? judge_answer_read(buf_str(&known->answer), &sheet->view, &answer, err) : 0;

    json_open(&json, '{');
    json_add_int(&json, "sheet", sheet->row.id);
    for (SeatNo seat = 1; seat <= sheet->row.seat_count && known->good; seat++) {
        if (seat == 1) {
            json_key(&json, STR("ranking"));
            json_open(&json, '[');
        }
        json_open(&json, '{');
        json_add_uint(&json, "seat", seat);
        json_add_uint(&json, "rank", answer.rank[seat]);
        if (answer.score[seat])
            json_add_uint(&json, "score", answer.score[seat]);
        json_add_str(&json, "reason", answer.reason[seat]);
        json_close(&json);
    }
    if (known->good)
        json_close(&json);
    json_close(&json);
    buf_add_char(&own->ratings, '\n');
    own->rated += known->good;
    own->empty += !known->good;
    judge_answer_done(&answer);
    return rc;
}

static void note_addressed(Judging *own, const Sheet *sheet)
{
    const SeatSet seats = judge_prompt_addressed(&sheet->view);
    Json json = json_over(&own->addressed);

    if (!seats)
        return;
    if (own->addressed.len)
        buf_add_char(&own->addressed, ',');
    json_open(&json, '{');
    json_add_int(&json, "sheet", sheet->row.id);
    json_key(&json, STR("seats"));
    json_open(&json, '[');
    for (SeatNo seat = 1; seat <= sheet->row.seat_count; seat++)
        if (seat_in(seats, seat))
            json_put_uint(&json, seat);
    json_close(&json);
    json_close(&json);
}

static int judge_sheet(Judging *own, const json_t *item, Err *err)
{
    CLEANUP(sheet_done) Sheet sheet = {.japanese = false};
    bool go_on = true;
    int rc = open_sheet(own, item, &sheet, err);
    JudgeKnown *known = rc == 0 ? judge_records_of(own->records, sheet.row.id) : NULL;
    AskedModel *model = rc == 0 ? asked_model(own, buf_str(&sheet.row.model)) : NULL;

    if (rc || !known || !model)
        return rc ? rc : err_set(err, ERR_MEMORY, "a judge's sheet: out of memory");
    while (rc == 0 && go_on && !known->good && known->asked < ASKS_MAX && !is_spent(own) &&
           !is_given_up(model) && !job_place_stopped(own->place))
        rc = ask_once(own, &sheet, model, known, &go_on, err);
    if (rc)
        return rc;
    if (!known->good && known->asked < ASKS_MAX && !is_spent(own)) {
        own->left++; /* the server is not there, or the job ends */
        return 0;
    }
    note_addressed(own, &sheet);
    return write_rating(own, &sheet, known, err);
}

static int judge_all(Judging *own, const json_t *items, Err *err)
{
    int rc = 0;

    for (size_t i = 0; i < json_count(items) && rc == 0; i++)
        if (job_place_stopped(own->place))
            own->left++;
        else
            rc = judge_sheet(own, json_at(items, i), err);
    return rc;
}

static int open_judging(Judging *own, const json_t *job, Err *err)
{
    CLEANUP(buf_done) Buf path = {0};
    const Str contest = json_text(job, "contest");

    if (contest.len == 0 || memchr(contest.bytes, '/', contest.len))
        return err_set(err, ERR_SYNTAX, "job: expected `contest`");
    own->budget = json_number(job, "budget_tokens");
    buf_printf(&own->home, "%s/contests/%.*s", own->place->data, STR_ARG(contest));
    buf_printf(&path, "%s/judging/answers.jsonl", buf_cstr(&own->home));
    int rc = folder_make_for(buf_cstr(&path), err);
    if (rc == 0)
        rc = judge_records_open(buf_cstr(&path), &own->records, err);
    if (rc == 0)
        rc = loop_new(&own->loop, err);
    return rc ? rc : llm_models_new(own->loop, &own->models, err);
}

static int end_judging(Judging *own, Json *result, Err *err)
{
    CLEANUP(buf_done) Buf path = {0};
    CLEANUP(buf_done) Buf list = {0};

    buf_printf(&path, "%s/" JUDGE_RATINGS_FILE, own->place->out);
    if (buf_failed(&own->ratings))
        return err_set(err, ERR_MEMORY, "judges' ratings: out of memory");
    int rc = file_replace(buf_cstr(&path), buf_str(&own->ratings), true, err);
    if (rc)
        return rc;
    json_add_uint(result, "rated", own->rated);
    json_add_uint(result, "empty", own->empty);
    json_add_uint(result, "left", own->left);
    json_add_uint(result, "tokens", judge_records_tokens(own->records));
    buf_printf(&list, "[%s]", buf_cstr(&own->addressed));
    json_key(result, STR("addressed"));
    json_put_raw(result, buf_str(&list));
    if (job_place_stopped(own->place))
        json_add_bool(result, "stopped", true);
    /* What the others gave is taken over, though the job has failed. */
    return own->denied.len ? err_set(err, ERR_RULE, "%s", buf_cstr(&own->denied)) : 0;
}

int job_judge(const JobPlace *place, const json_t *job, Json *result, Err *err)
{
    Judging own = {.place = place};
    int rc = open_judging(&own, job, err);

    if (rc == 0)
        rc = judge_all(&own, json_get(job, "items"), err);
    if (rc == 0)
        rc = end_judging(&own, result, err);
    judge_game_done(&own.game);
    llm_models_free(own.models);
    loop_free(own.loop);
    judge_records_free(own.records);
    free_models(&own);
    buf_done(&own.denied);
    buf_done(&own.home);
    buf_done(&own.loaded);
    buf_done(&own.ratings);
    buf_done(&own.addressed);
    buf_done(&own.answer);
    buf_done(&own.served);
    buf_done(&own.why);
    return rc;
}
