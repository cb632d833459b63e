#include "llm/answers.h"

#include "base/json.h"
#include "base/mem.h"
#include "disk/disk_call.h"
#include "disk/log_file.h"
#include "wire/json_read.h"

#include <fcntl.h>
#include <unistd.h>

#define FILE_BYTES_MAX ((size_t)256 * 1024 * 1024)
#define LINE_BYTES_MAX ((size_t)16 * 1024 * 1024)

static const char late[] = "late";
static const char unanswered[] = "unanswered";
static const char *const outcome_names[] = {
    [LLM_ANSWERED] = "answered", [LLM_UNREACHABLE] = "unreachable", [LLM_BUSY] = "busy",
    [LLM_DENIED] = "denied",     [LLM_TOO_LONG] = "too_long",       [LLM_BROKEN] = "broken",
    [LLM_SPENT] = "spent",
};
#define OUTCOMES (sizeof(outcome_names) / sizeof(outcome_names[0]))

/* A line that is to be given; the texts are the JSON's. */
typedef struct GivenAnswer {
    json_t *json;
    LlmAnswer answer;
    bool is_late;
    uint32_t question;
    Str task;
    unsigned line;
} GivenAnswer;

/* What came of them, in order. */
typedef struct GivenDecision {
    json_t *json;
    unsigned line;
} GivenDecision;

/* Requests without an answer. */
typedef struct Unanswered {
    uint32_t question, sent;
} Unanswered;

struct LlmAnswers {
    Buf name;
    int file; /* -1: they are given, or the disk has failed */
    bool are_given;
    GivenAnswer *items;
    size_t count, room, next;
    GivenDecision *decisions;
    size_t decision_count, decision_room, decided;
    Unanswered *unanswered;
    size_t unanswered_count, unanswered_room, unanswered_next;
    bool seeded;
    uint64_t seed;
    LlmOpinions opinions;
    Err failed;
};

/* ---- kept ---- */

static void put_tokens(Json *json, const char *key, const LlmTokens *tokens)
{
    json_key(json, str_of(key));
    json_open(json, '[');
    json_put_uint(json, tokens->prompt);
    json_put_uint(json, tokens->cached);
    json_put_uint(json, tokens->answer);
    json_put_uint(json, tokens->reasoning);
    json_close(json);
}

static void put_texts(Json *json, const LlmAnswer *answer)
{
    const struct {
        const char *key;
        Str text;
    } texts[] = {{"text", answer->text},
                 {"reasoning", answer->reasoning},
                 {"finish", answer->finish},
                 {"model", answer->model},
                 {"why", answer->why}};

    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
        if (texts[i].text.len)
            json_add_str(json, texts[i].key, texts[i].text);
}

static void put_answer(Json *json, const LlmAnswer *answer)
{
    const LlmTokens tokens = {.prompt = answer->prompt_tokens,
                              .cached = answer->cached_tokens,
                              .answer = answer->answer_tokens,
                              .reasoning = answer->reasoning_tokens};

    json_add_str(json, "outcome", str_of(outcome_names[answer->outcome]));
    json_add_int(json, "latency_us", answer->latency);
    json_add_uint(json, "retries", answer->retries);
    if (answer->sent != 1 + answer->retries)
        json_add_uint(json, "sent", answer->sent);
    put_tokens(json, "tokens", &tokens);
    put_tokens(json, "lost", &answer->lost);
    put_texts(json, answer);
}

static void keep_line(LlmAnswers *answers, const Buf *line)
{
    const off_t before = lseek(answers->file, 0, SEEK_END); /* -1 for a pipe, which has no end */

    if (buf_failed(line))
        err_set(&answers->failed, ERR_MEMORY, "answers: out of memory");
    else if (disk_write(answers->file, buf_str(line)) == 0)
        return;
    else
        disk_error(&answers->failed, "write", buf_cstr(&answers->name));
    if (before >= 0)
        disk_cut(answers->file, before);
    close(answers->file);
    answers->file = -1;
}

void llm_answers_note(LlmAnswers *answers, Str json)
{
    CLEANUP(buf_done) Buf line = {0};

    if (answers->file < 0)
        return;
    buf_add(&line, json);
    buf_add_char(&line, '\n');
    keep_line(answers, &line);
}

void llm_answers_add_unanswered(LlmAnswers *answers, uint32_t question, uint32_t sent)
{
    CLEANUP(buf_done) Buf line = {0};
    Json json = json_over(&line);

    json_open(&json, '{');
    json_add_str(&json, "type", str_of(unanswered));
    json_add_uint(&json, "question", question);
    json_add_uint(&json, "sent", sent);
    json_close(&json);
    if (!buf_failed(&line))
        llm_answers_note(answers, buf_str(&line));
}

void llm_answers_add(LlmAnswers *answers, uint32_t question, Str task, const LlmAnswer *answer)
{
    CLEANUP(buf_done) Buf line = {0};
    Json json = json_over(&line);

    if (answers->file < 0)
        return;
    json_open(&json, '{');
    json_add_uint(&json, "question", question);
    json_add_str(&json, "task", task);
    if (answer)
        put_answer(&json, answer);
    else
        json_add_str(&json, "outcome", str_of(late));
    json_close(&json);
    buf_add_char(&line, '\n');
    keep_line(answers, &line);
}

static int new_answers(const char *name, LlmAnswers **ret_answers, Err *err)
{
    LlmAnswers *answers = mem_new(sizeof(*answers));

    if (!answers)
        return err_set(err, ERR_MEMORY, "answers: out of memory");
    answers->file = -1;
    buf_add(&answers->name, str_of(name));
    if (buf_failed(&answers->name)) {
        llm_answers_free(answers);
        return err_set(err, ERR_MEMORY, "answers: out of memory");
    }
    *ret_answers = answers;
    return 0;
}

int llm_answers_keep_in(int take_file, const char *name, LlmAnswers **ret_answers, Err *err)
{
    int rc = new_answers(name, ret_answers, err);

    if (rc)
        close(take_file);
    else
        (*ret_answers)->file = take_file;
    return rc;
}

int llm_answers_keep(const char *path, LlmAnswers **ret_answers, Err *err)
{
    int file = disk_open(path, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0600);

    return file < 0 ? disk_error(err, "open", path)
                    : llm_answers_keep_in(file, path, ret_answers, err);
}

LlmAnswers *llm_answers_free(LlmAnswers *answers)
{
    if (!answers)
        return NULL;
    for (size_t i = 0; i < answers->count; i++)
        json_done(answers->items[i].json);
    mem_free(answers->items);
    for (size_t i = 0; i < answers->decision_count; i++)
        json_done(answers->decisions[i].json);
    mem_free(answers->decisions);
    mem_free(answers->unanswered);
    if (answers->file >= 0)
        close(answers->file);
    buf_done(&answers->name);
    return mem_free(answers);
}

bool llm_answers_are_given(const LlmAnswers *answers)
{
    return answers->are_given;
}

bool llm_answers_replays(const LlmAnswers *answers)
{
    return answers && answers->are_given;
}

int llm_answers_failed(const LlmAnswers *answers, Err *err)
{
    return answers->failed.code ? err_set(err, answers->failed.code, "%s", answers->failed.msg) : 0;
}

/* ---- read ---- */

static void read_tokens(JsonReader *reader, const json_t *json, const char *key, LlmTokens *ret)
{
    const json_t *list = json_get_list(reader, json, key);
    int64_t numbers[4] = {0};

    for (size_t i = 0; i < 4; i++)
        if (!list || !json_as_int(json_at(list, i), &numbers[i]) || numbers[i] < 0 ||
            numbers[i] > UINT32_MAX) {
            json_refuse(reader, key, "a list of four numbers");
            return;
        }
    *ret = (LlmTokens){.prompt = (uint32_t)numbers[0],
                       .cached = (uint32_t)numbers[1],
                       .answer = (uint32_t)numbers[2],
                       .reasoning = (uint32_t)numbers[3]};
}

static void read_outcome(JsonReader *reader, const json_t *json, GivenAnswer *given)
{
    Str word = json_get_str(reader, json, "outcome");

    given->is_late = str_eq(word, str_of(late));
    for (size_t i = 0; i < OUTCOMES; i++)
        if (str_eq(word, str_of(outcome_names[i]))) {
            given->answer.outcome = (LlmOutcome)i;
            return;
        }
    if (!given->is_late)
        json_refuse(reader, "outcome", "one of its words");
}

static void read_answer(JsonReader *reader, const json_t *json, GivenAnswer *given)
{
    LlmAnswer *answer = &given->answer;
    LlmTokens tokens = {0};

    read_tokens(reader, json, "tokens", &tokens);
    read_tokens(reader, json, "lost", &answer->lost);
    answer->prompt_tokens = tokens.prompt;
    answer->cached_tokens = tokens.cached;
    answer->answer_tokens = tokens.answer;
    answer->reasoning_tokens = tokens.reasoning;
    answer->latency = json_get_int(reader, json, "latency_us", 0, INT64_MAX / 2, 0);
    answer->retries = (uint32_t)json_get_int(reader, json, "retries", 0, UINT32_MAX, 0);
    answer->sent =
        (uint32_t)json_get_int(reader, json, "sent", 0, UINT32_MAX, 1 + (int64_t)answer->retries);
    answer->text = json_get_str(reader, json, "text");
    answer->reasoning = json_get_str(reader, json, "reasoning");
    answer->finish = json_get_str(reader, json, "finish");
    answer->model = json_get_str(reader, json, "model");
    answer->why = json_get_str(reader, json, "why");
}

bool llm_answers_seed(const LlmAnswers *answers, uint64_t *ret_seed)
{
    *ret_seed = answers->seed;
    return answers->seeded;
}

LlmOpinions llm_answers_opinions(const LlmAnswers *answers)
{
    return answers->opinions;
}

static void take_opinions(LlmAnswers *answers, Str word)
{
    for (LlmOpinions opinions = OPINIONS_OFF; opinions <= OPINIONS_LINE; opinions++)
        if (str_eq(word, str_of(llm_opinions_name(opinions))))
            answers->opinions = opinions;
}

static int add_decision(LlmAnswers *answers, json_t *take_json, unsigned line, Err *err)
{
    if (answers->decision_count == answers->decision_room) {
        const size_t room = answers->decision_room ? answers->decision_room * 2 : 64;
        GivenDecision *grown = mem_resize(answers->decisions, room, sizeof(*grown));
        if (!grown) {
            json_done(take_json);
            return err_set(err, ERR_MEMORY, "out of memory");
        }
        answers->decisions = grown;
        answers->decision_room = room;
    }
    answers->decisions[answers->decision_count++] = (GivenDecision){take_json, line};
    return 0;
}

static int add_unanswered(LlmAnswers *answers, const json_t *json, Err *err)
{
    JsonReader reader = {.err = err};
    Unanswered one = {.question =
                          (uint32_t)json_get_int(&reader, json, "question", 1, UINT32_MAX, 1),
                      .sent = (uint32_t)json_get_int(&reader, json, "sent", 0, UINT32_MAX, 0)};

    if (answers->unanswered_count == answers->unanswered_room) {
        const size_t room = answers->unanswered_room ? answers->unanswered_room * 2 : 16;
        Unanswered *grown = mem_resize(answers->unanswered, room, sizeof(*grown));
        if (!grown)
            return err_set(err, ERR_MEMORY, "out of memory");
        answers->unanswered = grown;
        answers->unanswered_room = room;
    }
    answers->unanswered[answers->unanswered_count++] = one;
    return reader.rc;
}

/* Something else that stands beside the answers: what its type is; empty: it is an answer. */
static Str type_of(LlmAnswers *answers, const json_t *json)
{
    const Str type = json_text(json, "type");

    if (str_eq(type, STR("seat")) && !answers->seeded) {
        answers->seeded = str_to_uint(json_text(json, "seed"), UINT64_MAX, &answers->seed);
        take_opinions(answers, json_text(json, "opinions"));
    }
    return type;
}

static int read_given(LlmAnswers *answers, Str line, GivenAnswer *given, Err *err)
{
    int rc = json_read(line, LINE_BYTES_MAX, &given->json, err);
    JsonReader reader = {.err = err};

    if (rc)
        return rc;
    if (!json_is_map(given->json))
        return err_set(err, ERR_SYNTAX, "expected an object");
    const Str type = type_of(answers, given->json);
    if (str_eq(type, STR("decision")))
        return add_decision(answers, TAKE(given->json), given->line, err);
    if (str_eq(type, str_of(unanswered)))
        return add_unanswered(answers, given->json, err);
    if (type.len)
        return 0;
    given->question = (uint32_t)json_get_int(&reader, given->json, "question", 1, UINT32_MAX, 0);
    given->task = json_get_str(&reader, given->json, "task");
    if (!given->question)
        json_refuse(&reader, "question", "there");
    read_outcome(&reader, given->json, given);
    if (!given->is_late)
        read_answer(&reader, given->json, given);
    return reader.rc;
}

static GivenAnswer *add_given(LlmAnswers *answers)
{
    if (answers->count == answers->room) {
        const size_t room = answers->room ? answers->room * 2 : 64;
        GivenAnswer *items = mem_resize(answers->items, room, sizeof(*items));
        if (!items)
            return NULL;
        answers->items = items;
        answers->room = room;
    }
    answers->items[answers->count] = (GivenAnswer){0};
    return &answers->items[answers->count++];
}

static int read_lines(LlmAnswers *answers, Str text, Err *err)
{
    int rc = 0;

    for (unsigned line = 1; text.len && rc == 0; line++) {
        const bool is_whole = memchr(text.bytes, '\n', text.len) != NULL;
        const Str one = str_cut(&text, '\n');
        GivenAnswer *given = add_given(answers);
        Err wrong = {0};
        if (!given)
            return err_set(err, ERR_MEMORY, "answers: out of memory");
        given->line = line;
        rc = is_whole ? read_given(answers, one, given, &wrong)
                      : err_set(&wrong, ERR_SYNTAX, "the line is cut off");
        if (rc == 0 && given->question == 0) { /* it was something else */
            json_done(given->json);
            answers->count--;
        }
        if (rc)
            err_set(err, rc, "%s:%u: no kept answer: %s", buf_cstr(&answers->name), line,
                    wrong.msg);
    }
    return rc;
}

int llm_answers_read(Str text, const char *name, LlmAnswers **ret_answers, Err *err)
{
    LlmAnswers *answers = NULL;
    int rc = new_answers(name, &answers, err);

    if (rc)
        return rc;
    answers->are_given = true;
    rc = read_lines(answers, text, err);
    if (rc)
        llm_answers_free(answers);
    else
        *ret_answers = answers;
    return rc;
}

int llm_answers_load_from(int file, const char *name, LlmAnswers **ret_answers, Err *err)
{
    CLEANUP(buf_done) Buf text = {0};
    int rc = log_file_read_from(file, name, FILE_BYTES_MAX, &text, err);

    return rc ? rc : llm_answers_read(buf_str(&text), name, ret_answers, err);
}

int llm_answers_load(const char *path, LlmAnswers **ret_answers, Err *err)
{
    CLEANUP(buf_done) Buf text = {0};
    int rc = log_file_read(path, FILE_BYTES_MAX, &text, err);

    return rc ? rc : llm_answers_read(buf_str(&text), path, ret_answers, err);
}

/* ---- given ---- */

uint32_t llm_answers_take_unanswered(LlmAnswers *answers, uint32_t question)
{
    uint32_t sent = 0;

    for (; answers->unanswered_next < answers->unanswered_count &&
           answers->unanswered[answers->unanswered_next].question <= question;
         answers->unanswered_next++)
        sent += answers->unanswered[answers->unanswered_next].sent;
    return sent;
}

bool llm_answers_has(const LlmAnswers *answers, uint32_t question)
{
    /* One for a question that is over is a mistake, which the taking tells. */
    return answers->next < answers->count && answers->items[answers->next].question <= question;
}

bool llm_answers_has_for(const LlmAnswers *answers, uint32_t question)
{
    return llm_answers_has(answers, question) && answers->items[answers->next].question == question;
}

int llm_answers_take(LlmAnswers *answers, uint32_t question, Str task, const LlmAnswer **ret,
                     Err *err)
{
    const char *name = buf_cstr(&answers->name);

    if (answers->failed.code)
        return llm_answers_failed(answers, err);
    if (answers->next == answers->count) {
        err_set(&answers->failed, ERR_RULE,
                "%s: ends after %zu answers, but question %u (%.*s) is asked", name, answers->count,
                question, STR_ARG(task));
        return llm_answers_failed(answers, err);
    }
    const GivenAnswer *given = &answers->items[answers->next];
    if (given->question != question || !str_eq(given->task, task)) {
        err_set(&answers->failed, ERR_RULE,
                "%s:%u: the answer to question %u (%.*s), but question %u (%.*s) is asked: "
                "this is not the same game",
                name, given->line, given->question, STR_ARG(str_part(given->task, 0, 32)), question,
                STR_ARG(task));
        return llm_answers_failed(answers, err);
    }
    answers->next++;
    *ret = given->is_late ? NULL : &given->answer;
    return 0;
}

/* What a decision is; what it took to get there may be another time. */
static const char *const decision_parts[] = {"task",   "source", "action",     "message",
                                             "target", "reason", "suppressed", "flagged"};

static void tell_difference(LlmAnswers *answers, const GivenDecision *then, Str part, Str was,
                            Str is)
{
    err_set(&answers->failed, ERR_RULE,
            "%s:%u: decision %zu (%.*s) is another one: its %.*s was '%.*s' and is '%.*s' now: "
            "this is not the same game",
            buf_cstr(&answers->name), then->line, answers->decided,
            STR_ARG(str_part(json_text(then->json, "task"), 0, 32)), STR_ARG(part),
            STR_ARG(str_part(was, 0, 60)), STR_ARG(str_part(is, 0, 60)));
}

void llm_answers_compare(LlmAnswers *answers, Str decision)
{
    json_t *now = NULL;

    if (answers->failed.code || answers->decided == answers->decision_count ||
        json_read(decision, LINE_BYTES_MAX, &now, NULL))
        return;
    const GivenDecision *then = &answers->decisions[answers->decided++];
    for (size_t i = 0; i < sizeof(decision_parts) / sizeof(decision_parts[0]); i++) {
        const Str was = json_text(then->json, decision_parts[i]),
                  is = json_text(now, decision_parts[i]);
        if (str_eq(was, is))
            continue;
        tell_difference(answers, then, str_of(decision_parts[i]), was, is);
        break;
    }
    json_done(now);
}

int llm_answers_end(const LlmAnswers *answers, Err *err)
{
    if (answers->failed.code || answers->next == answers->count)
        return llm_answers_failed(answers, err);
    const GivenAnswer *given = &answers->items[answers->next];
    return err_set(err, ERR_RULE,
                   "%s:%u: the answer to question %u (%.*s), but it is not asked: this is not "
                   "the same game",
                   buf_cstr(&answers->name), given->line, given->question,
                   STR_ARG(str_part(given->task, 0, 32)));
}
