#include "llm/llm_check.h"

#include "base/json.h"
#include "llm/endpoint_text.h"
#include "llm/guide.h"

#define ABOUT_BYTES ((size_t)1 << 20)
#define ABOUT_MS    5000

/* What is open while it runs. */
typedef struct Trial {
    LlmCheck *check;
    Loop *loop;
    HttpClient *http;
    LlmEndpoint *endpoint;
    LlmSeat *seat;
    Buf messages;
    Buf schema;
    LlmScene scene;
    LlmOutcome outcome; /* of the last question */
    bool readable;
    TimeUs now;   /* when it was begun, or the last answer came */
    TimeUs asked; /* for a decision */
} Trial;

/* ---- the scene: a wolf is being looked for ---- */

static void make_scene(Trial *trial)
{
    static const char *const names[] = {"Ann", "Bo", "Cy", "Di", "Ed", "Flo"};
    LlmScene *scene = &trial->scene;

    *scene = (LlmScene){.language = trial->check->language,
                        .task = TASK_ROOM,
                        .me = STR("Ann"),
                        .role = STR("Villager"),
                        .side = SIDE_VILLAGER,
                        .maw = true,
                        .wolves = 2,
                        .day = 2,
                        .seconds_left = 100,
                        .max_chars = 300,
                        .seed = trial->check->setup.seed};
    for (uint32_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        LlmSeatSeen *seat = &scene->seats[scene->seat_count++];
        seat->name = str_of(names[i]);
        seat->alive = i != 3;
        seat->cause = i == 3 ? STR("murdered") : (Str){"", 0};
        if (i != 0 && seat->alive)
            scene->targets[scene->target_count++] = seat->name;
    }
    scene->seats[4].votes_for = STR("Bo");
    scene->seats[1].votes = 1;
}

static const char *const talk[][2] = {
    {"Bo: Cy, you were silent all day. Why?", "Bo: Cyは昨日ずっと黙っていた。なぜ？"},
    {"Cy: I wait for facts. Ed was the first to blame somebody.",
     "Cy: 事実を待っているだけ。最初に人を疑ったのはEdだ。"},
    {"Ed: I vote Bo. He asks and asks and says nothing of himself.",
     "Ed: Boに投票する。質問ばかりで自分のことを言わない。"},
};

static void write_messages(Trial *trial)
{
    CLEANUP(buf_done) Buf guide = {0};
    CLEANUP(buf_done) Buf news = {0};
    Json json = json_over(&trial->messages);

    llm_guide_write(&trial->scene, &guide);
    for (size_t i = 0; i < sizeof(talk) / sizeof(talk[0]); i++) {
        buf_add(&news, i ? STR("\n") : STR(""));
        buf_add(&news, str_of(talk[i][trial->scene.language]));
    }
    json_open(&json, '[');
    llm_entry_write(&json, STR("system"), buf_str(&guide));
    llm_entry_write(&json, STR("user"), buf_str(&news));
    json_close(&json);
    llm_schema_write(&trial->scene, trial->check->setup.strict_schema ? SCHEMA_STRICT : SCHEMA_LAX,
                     &trial->schema);
}

/* ---- questions ---- */

static int open_endpoint(Trial *trial, LlmJson json, Err *err)
{
    LlmEndpointSetup setup = trial->check->setup;

    setup.json = json;
    trial->endpoint = llm_endpoint_free(trial->endpoint);
    return llm_endpoint_new(loop_alarms(trial->loop), http_client_carrier(trial->http), &setup,
                            &trial->endpoint, err);
}

static void on_answer(void *user, const LlmAnswer *answer, TimeUs now)
{
    Trial *trial = user;
    LlmDecision decision = {0};

    trial->now = now;
    trial->outcome = answer->outcome;
    trial->readable = answer->outcome == LLM_ANSWERED &&
                      llm_decision_read(answer->text, &trial->scene, &decision, NULL) == 0;
    buf_clear(&trial->check->why);
    buf_add(&trial->check->why, answer->why);
    loop_stop(trial->loop);
}

static void tell_trial(const Trial *trial)
{
    if (trial->check->tell)
        trial->check->tell(trial->check, trial->check->user);
}

static int try_mode(Trial *trial, LlmJson json, Err *err)
{
    LlmAsk ask = {.messages = buf_str(&trial->messages),
                  .schema = buf_str(&trial->schema),
                  .deadline = trial->now + (TimeUs)trial->check->limit_ms * 1000};
    LlmCheckMode *mode = &trial->check->modes[json];
    LlmCall *call;
    int rc = open_endpoint(trial, json, err);

    if (rc == 0)
        rc = llm_ask(trial->endpoint, &ask, on_answer, trial, &call, err);
    if (rc)
        return rc;
    loop_run(trial->loop);
    if (llm_endpoint_json(trial->endpoint) != json)
        *mode = MODE_REFUSED;
    else if (trial->outcome != LLM_ANSWERED)
        *mode = MODE_SILENT;
    else
        *mode = trial->readable ? MODE_DECISION : MODE_USELESS;
    return 0;
}

/* ---- what it tells of itself ---- */

static void on_about(void *user, const HttpAnswer *answer)
{
    Trial *trial = user;
    LlmCheck *check = trial->check;

    trial->now = answer->at;
    if (answer->status == 200)
        check->context =
            llm_about_context(check->setup.api, answer->body, str_of(check->setup.model));
    loop_stop(trial->loop);
}

/* Nothing hangs on it: a server that does not tell is no worse. */
static int ask_about(Trial *trial, Err *err)
{
    const LlmEndpointSetup *setup = &trial->check->setup;
    CLEANUP(buf_done) Buf url = {0};
    CLEANUP(buf_done) Buf key = {0};
    CLEANUP(buf_done) Buf body = {0};
    Json json = json_over(&body);
    HttpCall *call;
    int rc = llm_url_write(setup->api, str_of(setup->url), LLM_PATH_ABOUT, &url, err);

    if (rc)
        return rc;
    if (setup->key)
        buf_printf(&key, "Authorization: Bearer %s", setup->key);
    if (setup->api == LLM_OLLAMA) {
        json_open(&json, '{');
        json_add_str(&json, "model", str_of(setup->model));
        json_close(&json);
    }
    const char *const headers[] = {"Content-Type: application/json",
                                   key.len ? buf_cstr(&key) : NULL, NULL};
    HttpAsk ask = {.method = setup->api == LLM_OLLAMA ? "POST" : "GET",
                   .url = buf_cstr(&url),
                   .headers = headers,
                   .body = buf_str(&body),
                   .timeout_ms = ABOUT_MS,
                   .connect_ms = 2000,
                   .direct = llm_url_is_local(buf_str(&url)),
                   .answer_bytes = ABOUT_BYTES};
    rc = http_call(trial->http, &ask, on_about, trial, &call, err);
    if (rc == 0)
        loop_run(trial->loop);
    return rc;
}

/* ---- decisions ---- */

static void on_decided(void *user, const LlmDecision *decision, LlmSource source, TimeUs now)
{
    Trial *trial = user;
    LlmCheckDecision *slot = &trial->check->decisions[trial->check->decision_count];

    slot->decision = *decision;
    slot->source = source;
    slot->took = now - trial->asked;
    trial->now = now;
    loop_stop(trial->loop);
}

/* The same scene for a player who talks, one who must vote, and one who talks again. */
static int ask_decision(Trial *trial, Err *err)
{
    LlmCheck *check = trial->check;
    uint32_t number = check->decision_count;
    /* a seat keeps a tenth of the time to itself */
    TimeUs wait = (TimeUs)check->limit_ms * 1100;

    trial->asked = trial->now;
    trial->scene.task = number == 1 ? TASK_VOTE : TASK_ROOM;
    llm_seat_hear(trial->seat, str_of(talk[number][trial->scene.language]), false);
    int rc = llm_seat_ask(trial->seat, &trial->scene, trial->asked, trial->asked + wait, on_decided,
                          trial, err);
    if (rc)
        return rc;
    loop_run(trial->loop);
    LlmCheckDecision *slot = &check->decisions[check->decision_count++];
    check->by_model += slot->source == SOURCE_MODEL || slot->source == SOURCE_REPAIRED;
    return 0;
}

static int decide_all(Trial *trial, Err *err)
{
    LlmCheck *check = trial->check;
    LlmSeatSetup setup = {.leak_guard = true, .window = check->context, .seed = check->setup.seed};
    int rc = open_endpoint(trial, check->best, err);

    setup.endpoint = trial->endpoint;
    if (rc == 0)
        rc = llm_seat_new(loop_alarms(trial->loop), &setup, &trial->seat, err);
    while (rc == 0 && check->decision_count < LLM_CHECK_DECISIONS) {
        rc = ask_decision(trial, err);
        tell_trial(trial);
    }
    if (rc == 0)
        llm_seat_figures(trial->seat, &check->figures);
    return rc;
}

/* ---- all of it ---- */

static LlmJson best_mode(const LlmCheck *check)
{
    for (LlmJson json = LLM_JSON_SCHEMA; json < LLM_JSON_NONE; json++)
        if (check->modes[json] == MODE_DECISION)
            return json;
    return LLM_JSON_NONE;
}

/* The plainest first: whether anything answers at all. */
static int try_all(Trial *trial, Err *err)
{
    LlmCheck *check = trial->check;
    int rc = try_mode(trial, LLM_JSON_NONE, err);

    if (rc)
        return rc;
    check->outcome = trial->outcome;
    tell_trial(trial);
    if (check->outcome != LLM_ANSWERED)
        return 0;
    rc = ask_about(trial, err);
    for (LlmJson json = LLM_JSON_SCHEMA; rc == 0 && json < LLM_JSON_NONE; json++)
        rc = try_mode(trial, json, err);
    check->best = best_mode(check);
    buf_clear(&check->why);
    tell_trial(trial);
    return rc ? rc : decide_all(trial, err);
}

int llm_check_run(LlmCheck *check, TimeUs now, Err *err)
{
    Trial trial = {.check = check, .now = now};
    int rc = loop_new(&trial.loop, err);

    if (rc == 0)
        rc = http_client_new(trial.loop, &trial.http, err);
    if (rc == 0) {
        make_scene(&trial);
        write_messages(&trial);
        rc = buf_failed(&trial.messages) || buf_failed(&trial.schema)
                 ? err_set(err, ERR_MEMORY, "llm check: out of memory")
                 : try_all(&trial, err);
    }
    llm_seat_free(trial.seat);
    llm_endpoint_free(trial.endpoint);
    loop_free(trial.loop);
    buf_done(&trial.messages);
    buf_done(&trial.schema);
    return rc;
}

void llm_check_done(LlmCheck *check)
{
    buf_done(&check->why);
}

/* ---- what it means ---- */

bool llm_check_usable(const LlmCheck *check)
{
    return check->outcome == LLM_ANSWERED && check->by_model > 0;
}

static const char *advice_of_denial(const LlmCheck *check)
{
    if (!str_starts(buf_str(&check->why), STR("status 404")))
        return "give the key of this server: --key-env NAME or --key-file FILE";
    return check->setup.api == LLM_OLLAMA
               ? "get the model with 'ollama pull MODEL', or name one that 'ollama list' shows"
               : "see whether the URL ends as the server wants it (mostly in /v1), and whether it "
                 "has a model of this name";
}

const char *llm_check_advice(const LlmCheck *check)
{
    switch (check->outcome) {
    case LLM_ANSWERED:
        break;
    case LLM_UNREACHABLE:
        if (str_starts(buf_str(&check->why), STR("status 5")))
            return "the server is there and has failed: see what its log says of this request";
        return "see whether the server runs and listens at this address; a model that is loaded "
               "first may need a longer --timeout";
    case LLM_BUSY:
        return "the server has too much to do, or the key's limit is reached: try again later";
    case LLM_DENIED:
        return advice_of_denial(check);
    case LLM_TOO_LONG:
        return "give the model a context of at least 4096 tokens";
    case LLM_BROKEN:
        if (strstr(buf_cstr(&check->why), "finish_reason: length"))
            return "the model thinks for longer than it may write: --think off, or more tokens as "
                   "--think 16000 (think= where a model is named)";
        return "see whether the URL is that of a model's server, and whether --api is right";
    }
    if (check->by_model == 0)
        return "take a larger model, or one that was trained to follow instructions";
    if (check->by_model < check->decision_count)
        return "rules decide in its place now and then: give it more time or take a larger model";
    return "";
}
