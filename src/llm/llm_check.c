#include "llm/llm_check.h"

#include "base/json.h"
#include "llm/endpoint_text.h"
#include "llm/guide.h"
#include "llm/llm_trouble.h"

#define POLL_US ((TimeUs)10 * 1000)
#define LATE_US ((TimeUs)10 * 1000000) /* a decision that takes longer is late at a table */

/* What is open while it runs. */
typedef struct Trial {
    LlmCheck *check;
    Loop *loop;
    LlmModels *models;
    LlmEndpoint *endpoint; /* the last one that was asked */
    LlmSeat *seat;
    Buf messages;
    Buf schema;
    LlmScene scene;
    LlmOutcome outcome; /* of the last question */
    LlmTrouble trouble;
    bool readable;
    Alarm poll;
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
                        .seed = 1};
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
    CLEANUP(buf_done) Buf now = {0};
    Json json = json_over(&trial->messages);

    llm_guide_write(&trial->scene, &guide);
    for (size_t i = 0; i < sizeof(talk) / sizeof(talk[0]); i++) {
        buf_add(&news, i ? STR("\n") : STR(""));
        buf_add(&news, str_of(talk[i][trial->scene.language]));
    }
    llm_guide_now(&trial->scene, &now);
    buf_printf(&news, "\n\n%.*s", STR_ARG(str_trim(buf_str(&now))));
    json_open(&json, '[');
    llm_entry_write(&json, STR("system"), buf_str(&guide));
    llm_entry_write(&json, STR("user"), buf_str(&news));
    json_close(&json);
    llm_schema_write(&trial->scene, SCHEMA_LAX, &trial->schema);
}

/* ---- questions ---- */

static int open_endpoint(Trial *trial, LlmJson json, Err *err)
{
    LlmSpec spec = trial->check->spec;

    spec.json = json;
    return llm_models_endpoint(trial->models, &spec, &trial->endpoint, err);
}

/* The endpoint asks that by itself; what it is told is wanted before anything else. */
static void wait_for_about(void *user, TimeUs now)
{
    Trial *trial = user;

    trial->now = now;
    if (llm_endpoint_about(trial->endpoint))
        loop_stop(trial->loop);
    else
        alarm_at(&trial->poll, now + POLL_US, false);
}

static bool has_part(Str text, const char *const *parts)
{
    CLEANUP(buf_done) Buf low = {0};

    for (size_t i = 0; i < text.len; i++)
        buf_add_char(&low, str_lower_char(text.bytes[i]));
    for (; *parts; parts++)
        if (strstr(buf_cstr(&low), *parts))
            return true;
    return false;
}

/* What an answer shows of the model, whether it is a decision or not. */
static LlmTrouble trouble_in(Str text, bool readable)
{
    static const char *const orders[] = {"ignore all previous", "ignore previous instructions",
                                         "<|im_start|>",        "<|im_end|>",
                                         "<|eot_id|>",          "[inst]",
                                         "<start_of_turn>",     "<end_of_turn>",
                                         "以前の指示を無視",    NULL};
    static const char *const refusals[] = {"i can't help",
                                           "i cannot help",
                                           "i can't assist",
                                           "i cannot assist",
                                           "i'm sorry, but",
                                           "i can't take part",
                                           "i'm unable to",
                                           "as an ai",
                                           "お手伝いできません",
                                           "申し訳ありませんが",
                                           NULL};

    if (has_part(text, orders))
        return TROUBLE_ORDERS;
    if (readable)
        return TROUBLE_NONE;
    return has_part(text, refusals) ? TROUBLE_REFUSAL : TROUBLE_NONSENSE;
}

static void on_answer(void *user, const LlmAnswer *answer, TimeUs now)
{
    Trial *trial = user;
    LlmDecision decision = {0};

    trial->now = now;
    trial->outcome = answer->outcome;
    trial->readable = answer->outcome == LLM_ANSWERED &&
                      llm_decision_read(answer->text, &trial->scene, &decision, NULL) == 0;
    trial->trouble = answer->outcome == LLM_ANSWERED ? trouble_in(answer->text, trial->readable)
                                                     : answer->trouble;
    buf_clear(&trial->check->why);
    buf_add(&trial->check->why, answer->why);
    loop_stop(trial->loop);
}

/* What was found out at all of its questions so far. */
static void keep_habits(const Trial *trial)
{
    LlmCheck *check = trial->check;
    const char *texts[LLM_CHECK_HABITS];
    size_t count = llm_endpoint_habits(trial->endpoint, check->language == LLM_JAPANESE, texts,
                                       LLM_CHECK_HABITS);

    for (size_t i = 0; i < count && i < LLM_CHECK_HABITS; i++) {
        bool known = false;
        for (uint32_t k = 0; k < check->habit_count; k++)
            known = known || check->habits[k] == texts[i];
        if (!known && check->habit_count < LLM_CHECK_HABITS)
            check->habits[check->habit_count++] = texts[i];
    }
}

static void tell_trial(const Trial *trial)
{
    if (trial->check->tell)
        trial->check->tell(trial->check, trial->check->user);
}

static int try_mode(Trial *trial, LlmJson json, Err *err)
{
    LlmAsk ask = {.messages = buf_str(&trial->messages), .schema = buf_str(&trial->schema)};
    LlmCheckMode *mode = &trial->check->modes[json];
    LlmCall *call;
    int rc = open_endpoint(trial, json, err);

    if (rc)
        return rc;
    if (!llm_endpoint_about(trial->endpoint)) {
        alarm_soon(&trial->poll);
        loop_run(trial->loop);
    }
    ask.deadline = trial->now + (TimeUs)trial->check->limit_ms * 1000;
    if (rc == 0)
        rc = llm_ask(trial->endpoint, &ask, on_answer, trial, &call, err);
    if (rc)
        return rc;
    loop_run(trial->loop);
    keep_habits(trial);
    if (llm_endpoint_json(trial->endpoint) != json)
        *mode = MODE_REFUSED;
    else if (trial->outcome != LLM_ANSWERED)
        *mode = MODE_SILENT;
    else
        *mode = trial->readable ? MODE_DECISION : MODE_USELESS;
    return 0;
}

/* ---- what it tells of itself ---- */

static void keep_about(const Trial *trial)
{
    LlmCheck *check = trial->check;
    const LlmAbout *about = llm_endpoint_about(trial->endpoint);

    if (!about)
        return;
    check->context = llm_endpoint_window(trial->endpoint);
    if (about->context && (!check->context || check->spec.api == LLM_OLLAMA))
        check->context = about->context;
    buf_clear(&check->names);
    buf_add(&check->names, buf_str(&about->names));
    buf_clear(&check->served);
    buf_add(&check->served, str_of(llm_endpoint_served_model(trial->endpoint)));
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
    LlmSeatSetup setup = {.seed = 1};
    int rc = open_endpoint(trial, check->best, err);

    setup.endpoint = trial->endpoint;
    if (rc == 0)
        rc = llm_seat_new(loop_alarms(trial->loop), &setup, &trial->seat, err);
    while (rc == 0 && check->decision_count < LLM_CHECK_DECISIONS) {
        rc = ask_decision(trial, err);
        tell_trial(trial);
    }
    if (rc)
        return rc;
    llm_seat_figures(trial->seat, &check->figures);
    keep_habits(trial);
    return 0;
}

/* ---- all of it ---- */

static LlmJson best_mode(const LlmCheck *check)
{
    for (LlmJson json = LLM_JSON_SCHEMA; json < LLM_JSON_NONE; json++)
        if (check->modes[json] == MODE_DECISION)
            return json;
    return LLM_JSON_NONE;
}

/* What the decisions say of the trouble that the first answer showed. */
static void weigh_decisions(LlmCheck *check)
{
    TimeUs took = 0;

    for (uint32_t i = 0; i < check->decision_count; i++)
        took += check->decisions[i].took;
    if (check->by_model == 0) {
        buf_add(&check->why, str_of(check->figures.trouble));
        if (check->trouble == TROUBLE_NONE)
            check->trouble = TROUBLE_NONSENSE;
    } else if (check->trouble == TROUBLE_NONSENSE) {
        check->trouble = TROUBLE_NONE; /* it only wants to be told the form */
    }
    if (check->trouble == TROUBLE_NONE && took > LATE_US * check->decision_count)
        check->trouble = TROUBLE_LATE;
}

/* The plainest first: whether anything answers at all. */
static int try_all(Trial *trial, Err *err)
{
    LlmCheck *check = trial->check;
    int rc = try_mode(trial, LLM_JSON_NONE, err);

    if (rc)
        return rc;
    check->outcome = trial->outcome;
    check->trouble = trial->trouble;
    keep_about(trial);
    tell_trial(trial);
    if (check->outcome != LLM_ANSWERED)
        return 0;
    for (LlmJson json = LLM_JSON_SCHEMA; rc == 0 && json < LLM_JSON_NONE; json++)
        if (json != LLM_JSON_OBJECT || check->spec.api != LLM_ANTHROPIC) /* it has no such mode */
            rc = try_mode(trial, json, err);
    check->best = best_mode(check);
    buf_clear(&check->why);
    tell_trial(trial);
    if (rc == 0)
        rc = decide_all(trial, err);
    if (rc == 0)
        weigh_decisions(check);
    return rc;
}

int llm_check_run(LlmCheck *check, TimeUs now, Err *err)
{
    Trial trial = {.check = check, .now = now};
    int rc = loop_new(&trial.loop, err);

    if (rc == 0)
        rc = llm_models_new(trial.loop, &trial.models, err);
    if (rc == 0) {
        alarm_init(&trial.poll, loop_alarms(trial.loop), wait_for_about, &trial);
        make_scene(&trial);
        write_messages(&trial);
        rc = buf_failed(&trial.messages) || buf_failed(&trial.schema)
                 ? err_set(err, ERR_MEMORY, "llm check: out of memory")
                 : try_all(&trial, err);
    }
    llm_seat_free(trial.seat);
    llm_models_free(trial.models);
    loop_free(trial.loop);
    buf_done(&trial.messages);
    buf_done(&trial.schema);
    return rc;
}

void llm_check_done(LlmCheck *check)
{
    buf_done(&check->why);
    buf_done(&check->names);
    buf_done(&check->served);
}

/* ---- what it means ---- */

bool llm_check_usable(const LlmCheck *check)
{
    return check->outcome == LLM_ANSWERED && check->by_model > 0;
}

const char *llm_check_advice(const LlmCheck *check)
{
    bool japanese = check->language == LLM_JAPANESE;

    if (check->trouble != TROUBLE_NONE)
        return llm_trouble_advice(check->trouble, check->spec.api, japanese);
    if (check->by_model == check->decision_count)
        return "";
    return japanese ? "ときどき規則が代わりに判断する。時間を長くするか、より大きいモデルを使う"
                    : "rules decide in its place now and then: give it more time or take a larger "
                      "model";
}
