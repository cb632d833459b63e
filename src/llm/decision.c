#include "llm/decision.h"

#include "base/json.h"
#include "base/utf8.h"
#include "llm/decision_clean.h"
#include "llm/decision_object.h"
#include "llm/decision_target.h"
#include "llm/wording.h"

#define ALLOWED_BYTES 300 /* of a list of names in an error */
#define REASON_CHARS  120
#define THOUGHT_CHARS 400

/* ---- the schema ---- */

static void put_type(Json *json, bool nullable)
{
    json_key(json, STR("type"));
    if (!nullable) {
        json_put_str(json, STR("string"));
        return;
    }
    json_open(json, '[');
    json_put_str(json, STR("string"));
    json_put_str(json, STR("null"));
    json_close(json);
}

/* The strict mode of the original interface knows no maxLength and refuses a schema with one. */
static void put_text(Json *json, Str key, uint32_t chars, bool strict)
{
    json_key(json, key);
    json_open(json, '{');
    put_type(json, strict);
    if (!strict) {
        json_add_uint(json, "maxLength", chars);
    }
    json_close(json);
}

static void put_actions(Json *json, const LlmScene *scene)
{
    json_key(json, STR("action"));
    json_open(json, '{');
    put_type(json, false);
    json_key(json, STR("enum"));
    json_open(json, '[');
    if (!wording_only_target(scene->task))
        json_put_str(json, STR("speak"));
    if (wording_only_target(scene->task) || (scene->task == TASK_ROOM && scene->target_count))
        json_put_str(json, STR("vote"));
    if (!wording_only_target(scene->task))
        json_put_str(json, STR("listen"));
    json_close(json);
    json_close(json);
}

static void put_targets(Json *json, const LlmScene *scene, bool nullable)
{
    uint32_t order[LLM_SEATS_MAX];

    wording_shuffle(scene->seed, SALT_NAMES, scene->target_count, order);
    json_key(json, STR("target"));
    json_open(json, '{');
    put_type(json, nullable);
    json_key(json, STR("enum"));
    json_open(json, '[');
    for (uint32_t i = 0; i < scene->target_count; i++)
        json_put_str(json, scene->targets[order[i]]);
    if (nullable)
        json_put_null(json);
    json_close(json);
    json_close(json);
}

static bool votes_now(const LlmScene *scene)
{
    return scene->target_count && scene->task != TASK_TALK && scene->task != TASK_WHISPER;
}

void llm_schema_write(const LlmScene *scene, LlmSchemaMode mode, Buf *out)
{
    bool strict = mode == SCHEMA_STRICT, only_target = wording_only_target(scene->task);
    bool target = votes_now(scene);
    Json json = json_over(out);

    json_open(&json, '{');
    json_add_str(&json, "type", STR("object"));
    json_add_bool(&json, "additionalProperties", false);
    json_key(&json, STR("required"));
    json_open(&json, '[');
    if (strict)
        json_put_str(&json, STR("thought"));
    json_put_str(&json, STR("action"));
    if (strict && !only_target)
        json_put_str(&json, STR("message"));
    if (target && (strict || only_target))
        json_put_str(&json, STR("target"));
    if (strict)
        json_put_str(&json, STR("reason"));
    json_close(&json);
    json_key(&json, STR("properties"));
    json_open(&json, '{');
    put_text(&json, STR("thought"), THOUGHT_CHARS, strict); /* first: it thinks, then decides */
    put_actions(&json, scene);
    if (!only_target)
        put_text(&json, STR("message"), llm_max_chars(scene), strict);
    if (target)
        put_targets(&json, scene, strict && !only_target);
    put_text(&json, STR("reason"), REASON_CHARS, strict);
    json_close(&json);
    json_close(&json);
}

/* ---- errors: what is wrong and what is allowed, for the model to read ---- */

typedef enum Mistake {
    MISTAKE_DEAD,
    MISTAKE_SELF,
    MISTAKE_MATE,
    MISTAKE_NOT_NOW,
    MISTAKE_UNKNOWN,
    MISTAKE_NO_TARGET,
    MISTAKE_NO_VOTE,
    MISTAKE_ONLY_VOTE,
    MISTAKE_ACTION,
    MISTAKE_NO_MESSAGE,
    MISTAKE_LONG,
    MISTAKE_SYNTAX,
} Mistake;

static const char *const mistakes[][2] = {
    [MISTAKE_DEAD] =
        {"{name} is dead and can't be chosen. Choose one of: {names}.",
         "{name}はすでに死亡しているため選べません。次の中から選んでください: {names}"},
    [MISTAKE_SELF] = {"You can't choose yourself. Choose one of: {names}.",
                      "自分自身は選べません。次の中から選んでください: {names}"},
    [MISTAKE_MATE] = {"{name} is your teammate and can't be chosen. Choose one of: {names}.",
                      "{name}は仲間なので選べません。次の中から選んでください: {names}"},
    [MISTAKE_NOT_NOW] = {"{name} can't be chosen now. Choose one of: {names}.",
                         "{name}は今は選べません。次の中から選んでください: {names}"},
    [MISTAKE_UNKNOWN] = {"There is no player \"{name}\". Choose one of: {names}.",
                         "「{name}」というプレイヤーはいません。次の中から選んでください: {names}"},
    [MISTAKE_NO_TARGET] = {"The vote has no target. Choose one of: {names}.",
                           "target がありません。次の中から選んでください: {names}"},
    [MISTAKE_NO_VOTE] = {"No vote is possible now. Allowed actions: {actions}.",
                         "今は投票できません。選べる行動: {actions}"},
    [MISTAKE_ONLY_VOTE] = {"Now you have to choose: action \"vote\" and as target one of: {names}.",
                           "今は対象を選ぶ場面です。action は \"vote\"、target "
                           "は次の中から選んでください: {names}"},
    [MISTAKE_ACTION] = {"\"{name}\" is not an action. Allowed actions: {actions}.",
                        "「{name}」という行動はありません。選べる行動: {actions}"},
    [MISTAKE_NO_MESSAGE] = {"\"speak\" needs a message. Allowed actions: {actions}.",
                            "speak には message が必要です。選べる行動: {actions}"},
    [MISTAKE_LONG] = {"The message is too long; at most {chars} characters are allowed.",
                      "message が長すぎます。{chars}文字以内にしてください。"},
    [MISTAKE_SYNTAX] = {"The answer is not one JSON object with an action. Allowed actions: "
                        "{actions}.",
                        "回答が action を含む1つのJSONオブジェクトになっていません。選べる行動: "
                        "{actions}"},
};

static void add_allowed(const LlmScene *scene, Buf *out)
{
    for (uint32_t i = 0; i < scene->target_count; i++) {
        if (out->len + scene->targets[i].len > ALLOWED_BYTES) {
            buf_add(out, STR(", ..."));
            return;
        }
        if (i)
            buf_add(out, STR(", "));
        wording_add_line(scene->targets[i], out);
    }
}

static int refuse_decision(const LlmScene *scene, Mistake mistake, Str name, Err *err)
{
    CLEANUP(buf_done) Buf names = {0};
    CLEANUP(buf_done) Buf shown = {0};
    CLEANUP(buf_done) Buf chars = {0};
    CLEANUP(buf_done) Buf text = {0};
    bool japanese = scene->language == LLM_JAPANESE;
    bool only = wording_only_target(scene->task);

    add_allowed(scene, &names);
    utf8_add_printable(name, 24, &shown);
    buf_add_uint(&chars, llm_max_chars(scene));
    const Slot slots[] = {
        {"name", buf_str(&shown)},
        {"names", buf_str(&names)},
        {"chars", buf_str(&chars)},
        {"actions", only               ? STR("vote")
                    : votes_now(scene) ? STR("speak, vote, listen")
                                       : STR("speak, listen")},
    };
    wording_fill(mistakes[mistake][japanese], slots, 4, &text);
    return err_set(err, mistake == MISTAKE_SYNTAX ? ERR_SYNTAX : ERR_RULE, "%s", buf_cstr(&text));
}

/* ---- words ---- */

#define ACTION_NONE ((LlmAction)3) /* a word that is no action */

static const struct {
    const char *word;
    LlmAction action;
} actions[] = {
    {"speak", LLM_SPEAK},       {"speaking", LLM_SPEAK},    {"say", LLM_SPEAK},
    {"talk", LLM_SPEAK},        {"chat", LLM_SPEAK},        {"speech", LLM_SPEAK},
    {"message", LLM_SPEAK},     {"reply", LLM_SPEAK},       {"respond", LLM_SPEAK},
    {"discuss", LLM_SPEAK},     {"whisper", LLM_SPEAK},     {"send_message", LLM_SPEAK},
    {"発言", LLM_SPEAK},        {"話す", LLM_SPEAK},        {"発言する", LLM_SPEAK},
    {"会話", LLM_SPEAK},        {"vote", LLM_VOTE},         {"voting", LLM_VOTE},
    {"bid", LLM_VOTE},          {"vote_for", LLM_VOTE},     {"execute", LLM_VOTE},
    {"eliminate", LLM_VOTE},    {"divine", LLM_VOTE},       {"guard", LLM_VOTE},
    {"protect", LLM_VOTE},      {"attack", LLM_VOTE},       {"kill", LLM_VOTE},
    {"murder", LLM_VOTE},       {"投票", LLM_VOTE},         {"投票する", LLM_VOTE},
    {"占い", LLM_VOTE},         {"占う", LLM_VOTE},         {"護衛", LLM_VOTE},
    {"護衛する", LLM_VOTE},     {"襲撃", LLM_VOTE},         {"襲撃する", LLM_VOTE},
    {"listen", LLM_LISTEN},     {"listening", LLM_LISTEN},  {"pass", LLM_LISTEN},
    {"wait", LLM_LISTEN},       {"silent", LLM_LISTEN},     {"silence", LLM_LISTEN},
    {"skip", LLM_LISTEN},       {"over", LLM_LISTEN},       {"nothing", LLM_LISTEN},
    {"do nothing", LLM_LISTEN}, {"do_nothing", LLM_LISTEN}, {"stay silent", LLM_LISTEN},
    {"observe", LLM_LISTEN},    {"idle", LLM_LISTEN},       {"none", LLM_LISTEN},
    {"no action", LLM_LISTEN},  {"聞く", LLM_LISTEN},       {"聴く", LLM_LISTEN},
    {"沈黙", LLM_LISTEN},       {"黙る", LLM_LISTEN},       {"様子見", LLM_LISTEN},
    {"待つ", LLM_LISTEN},       {"待機", LLM_LISTEN},       {"スキップ", LLM_LISTEN},
    {"何もしない", LLM_LISTEN}, {"傾聴", LLM_LISTEN},       {"パス", LLM_LISTEN},
};

static LlmAction action_of(Str word)
{
    word = clean_around(word);
    for (size_t i = 0; word.len && i < sizeof(actions) / sizeof(actions[0]); i++)
        if (wording_same(word, str_of(actions[i].word)))
            return actions[i].action;
    return ACTION_NONE;
}

/* "vote Bo", "vote: Bo", "Vote for Bo": the word in front, and what is left behind it. */
static LlmAction action_before(Str text, Str *ret_rest)
{
    size_t n = 0;

    text = clean_around(text);
    while (n < text.len && !memchr(" :\t\n", text.bytes[n], 4))
        n++;
    if (n == text.len)
        return ACTION_NONE;
    LlmAction action = action_of(str_part(text, 0, n));
    Str rest = clean_around(str_part(text, n, text.len));
    if (wording_start(rest, STR("for ")))
        rest = str_trim(str_part(rest, 4, rest.len));
    *ret_rest = rest;
    return action;
}

/* ---- filling the decision ---- */

static void store_text(Str text, size_t chars, char *to, size_t room)
{
    CLEANUP(buf_done) Buf line = {0};

    clean_paragraph(text, &line);
    Str kept = clean_cut(buf_str(&line), chars, room - 1);
    if (kept.len)
        memcpy(to, kept.bytes, kept.len);
    to[kept.len] = '\0';
}

/* What a text of the model means, whether it came as an object or as words. */
typedef struct Meant {
    LlmAction action;
    Str said_action; /* the word, if it is no action */
    Str message;
    bool message_cut;
    Str target;
} Meant;

static int choose_target(const LlmScene *scene, const Meant *meant, LlmDecision *ret, Err *err)
{
    static const Mistake mistake_of[] = {
        [TARGET_DEAD] = MISTAKE_DEAD,       [TARGET_SELF] = MISTAKE_SELF,
        [TARGET_MATE] = MISTAKE_MATE,       [TARGET_NOT_NOW] = MISTAKE_NOT_NOW,
        [TARGET_UNKNOWN] = MISTAKE_UNKNOWN,
    };
    bool only = wording_only_target(scene->task);
    Str text = meant->target.len ? meant->target : meant->message, name = text;

    if (!votes_now(scene))
        return refuse_decision(scene, MISTAKE_NO_VOTE, (Str){0}, err);
    TargetFound found = text.len ? target_of(text, scene, &name) : TARGET_UNKNOWN;
    if (found == TARGET_UNKNOWN && target_in(text, scene, &name))
        found = TARGET_VALID;
    if (found == TARGET_UNKNOWN && !meant->target.len)
        return refuse_decision(scene, only ? MISTAKE_ONLY_VOTE : MISTAKE_NO_TARGET, (Str){0}, err);
    if (found != TARGET_VALID)
        return refuse_decision(scene, mistake_of[found], name, err);
    if (name.len >= sizeof(ret->target))
        return refuse_decision(scene, MISTAKE_NOT_NOW, name, err);
    memcpy(ret->target, name.bytes, name.len);
    ret->target[name.len] = '\0';
    ret->action = LLM_VOTE;
    return 0;
}

/* An answer that the limit of tokens cut: what ended before that counts. */
static Str whole_sentences(Str line)
{
    size_t end = 0;

    for (size_t at = 0; at < line.len; at++) {
        size_t n = clean_sentence_end(str_part(line, at, line.len));
        if (n)
            end = at + n;
    }
    return str_part(line, 0, end);
}

/* What the model plays for others behind its own line is not said. */
static Str own_lines(Str text, const LlmScene *scene)
{
    for (size_t at = 0; at < text.len; at++) {
        if (text.bytes[at] != '\n')
            continue;
        Str rest = str_trim(str_part(text, at, text.len));
        for (uint32_t i = 0; i < scene->seat_count; i++) {
            Str name = scene->seats[i].name;
            if (name.len && wording_start(rest, name) && !str_eq(name, scene->me) &&
                rest.len > name.len && rest.bytes[name.len] == ':')
                return str_trim(str_part(text, 0, at));
        }
    }
    return text;
}

static int speak_text(const LlmScene *scene, const Meant *meant, LlmDecision *ret, Err *err)
{
    CLEANUP(buf_done) Buf line = {0};

    clean_own_line(own_lines(meant->message, scene), scene, &line);
    Str said = buf_str(&line);
    if (meant->message_cut) {
        said = whole_sentences(said);
        if (!said.len)
            return refuse_decision(scene, MISTAKE_SYNTAX, (Str){0}, err);
    }
    if (scene->speech == SPEECH_PROTOCOL &&
        (utf8_count(said) > llm_max_chars(scene) || said.len >= sizeof(ret->message)))
        return refuse_decision(scene, MISTAKE_LONG, (Str){0}, err);
    said = clean_cut(said, llm_max_chars(scene), sizeof(ret->message) - 1);
    if (!clean_around(said).len || action_of(said) == LLM_LISTEN)
        return 0;
    memcpy(ret->message, said.bytes, said.len);
    ret->message[said.len] = '\0';
    ret->cleaned = !str_eq(said, str_trim(meant->message));
    ret->action = LLM_SPEAK;
    return 0;
}

static int carry_out(const LlmScene *scene, const Meant *meant, LlmDecision *ret, Err *err)
{
    LlmAction action = meant->action;

    if (wording_only_target(scene->task))
        return choose_target(scene, meant, ret, err);
    if (action == LLM_VOTE && scene->task != TASK_ROOM && meant->message.len)
        action = LLM_SPEAK;
    if (action == ACTION_NONE && meant->message.len)
        action = LLM_SPEAK;
    if (action == ACTION_NONE && meant->target.len)
        action = LLM_VOTE;
    switch (action) {
    case LLM_VOTE:
        return choose_target(scene, meant, ret, err);
    case LLM_SPEAK:
        if (!meant->message.len && meant->target.len)
            return refuse_decision(scene, MISTAKE_NO_MESSAGE, (Str){0}, err);
        return speak_text(scene, meant, ret, err);
    case LLM_LISTEN:
        return 0;
    }
    if (meant->said_action.len)
        return refuse_decision(scene, MISTAKE_ACTION, meant->said_action, err);
    return refuse_decision(scene, MISTAKE_SYNTAX, (Str){0}, err);
}

/* ---- objects ---- */

static LlmAction object_action(const Object *object, Meant *meant)
{
    static const FieldName places[] = {FIELD_ACTION, FIELD_TYPE, FIELD_NAME};
    Str rest = {0};

    for (size_t i = 0; i < 3; i++) {
        Str word = object_text(object, places[i]);
        LlmAction action = action_of(word);

        if (action == ACTION_NONE && places[i] == FIELD_ACTION)
            action = action_before(word, &rest);
        if (action == LLM_VOTE && !meant->target.len)
            meant->target = rest;
        if (action == LLM_SPEAK && !meant->message.len)
            meant->message = rest;
        if (action != ACTION_NONE)
            return action;
    }
    if (object_has(object, FIELD_VOTE) && object_text(object, FIELD_VOTE).len)
        return LLM_VOTE;
    if (object_has(object, FIELD_SPEAK))
        return LLM_SPEAK;
    if (object_has(object, FIELD_LISTEN) && !object->fields[FIELD_LISTEN].null)
        return LLM_LISTEN;
    return object_has(object, FIELD_VOTE) && meant->target.len ? LLM_VOTE : ACTION_NONE;
}

/* The first of two fields that says something. */
static Str either_field(const Object *object, FieldName first, FieldName second, bool *ret_cut)
{
    FieldName name = object_text(object, first).len ? first : second;

    *ret_cut = object->fields[name].cut;
    return str_trim(object_text(object, name));
}

/* True when the object says something at all. */
static bool object_meaning(const Object *object, Meant *ret)
{
    bool cut;
    Meant meant = {.action = ACTION_NONE};

    meant.message = either_field(object, FIELD_MESSAGE, FIELD_SPEAK, &meant.message_cut);
    meant.target = either_field(object, FIELD_TARGET, FIELD_VOTE, &cut);
    if (wording_same(meant.target, STR("true")))
        meant.target = (Str){0};
    if (wording_same(meant.message, STR("true")))
        meant.message = (Str){0};
    Str name = object_text(object, FIELD_NAME);
    if (!meant.target.len && action_of(name) == ACTION_NONE)
        meant.target = either_field(object, FIELD_NAME, FIELD_NAME, &cut);
    meant.action = object_action(object, &meant);
    if (meant.action == ACTION_NONE)
        meant.said_action = object_text(object, FIELD_ACTION);
    *ret = meant;
    return meant.action != ACTION_NONE || meant.said_action.len || meant.message.len ||
           meant.target.len || object_has(object, FIELD_MESSAGE);
}

static void store_thoughts(const Object *object, LlmDecision *ret)
{
    store_text(object_text(object, FIELD_THOUGHT), SIZE_MAX, ret->thought, sizeof(ret->thought));
    store_text(object_text(object, FIELD_REASON), REASON_CHARS, ret->reason, sizeof(ret->reason));
}

static int read_meaning(const Object *object, const LlmScene *scene, LlmDecision *ret, Err *err)
{
    CLEANUP(object_done) Object inner = {0};
    Meant meant;

    if (!object_meaning(object, &meant))
        return refuse_decision(scene, MISTAKE_SYNTAX, (Str){0}, err);
    store_thoughts(object, ret);
    /* {"role":"assistant","content":"{\"action\": ...}"}, or a tool's arguments as text. */
    if (str_starts(meant.message, STR("{")) && object_read(meant.message, &inner) &&
        object_meaning(&inner, &meant))
        store_thoughts(&inner, ret);
    /* {"message": ""} alone is silence. */
    if (meant.action == ACTION_NONE && !meant.said_action.len && !meant.target.len &&
        !meant.message.len)
        meant.action = LLM_LISTEN;
    return carry_out(scene, &meant, ret, err);
}

/* ---- words without an object ---- */

/* "Action: vote" and "Target: Bo" in lines of their own. */
static bool read_lines(Str text, Object *object)
{
    bool action = false;

    for (unsigned lines = 0; text.len && lines < 20; lines++) {
        Str value = str_cut(&text, '\n');
        Str key = clean_around(str_cut(&value, ':'));
        FieldName name = field_of(key);

        value = str_trim(value);
        while (value.len && value.bytes[0] == '*') /* **Action:** vote */
            value = str_trim(str_part(value, 1, value.len));
        if (name == FIELD_COUNT || !value.len)
            continue;
        buf_clear(&object->fields[name].text);
        buf_add(&object->fields[name].text, str_part(value, 0, FIELD_BYTES_MAX));
        object->fields[name].depth = 1;
        action |= name == FIELD_ACTION && action_of(value) != ACTION_NONE;
    }
    return action;
}

/* Lines that no player says: a model that steps out of its part. */
static bool steps_out(Str line)
{
    static const char *const phrases[] = {
        "as an ai",        "language model",       "i cannot assist",
        "i can't assist",  "i'm sorry, but i can", "i cannot fulfill",
        "i can't fulfill", "i cannot participate", "AIとして",
        "言語モデル",      "お手伝いできません",   "お答えできません",
    };

    for (size_t i = 0; i < sizeof(phrases) / sizeof(phrases[0]); i++)
        if (wording_have(line, str_of(phrases[i])))
            return true;
    return false;
}

static bool plausible_text(Str text, const LlmScene *scene)
{
    static const char *const marks[] = {"{", "}", "```", "\n", "<think", "</", "<|"};

    for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++)
        if (wording_have(text, str_of(marks[i])))
            return false;
    return utf8_valid(text) && !memchr(text.bytes, '\0', text.len) &&
           utf8_count(text) <= llm_max_chars(scene) && !steps_out(text);
}

/* "Vote for Bo" and "Speak: hello", which are no lines of a player. In the protocol language VOTE
 * is a sentence. */
static Meant word_before(Str text, const LlmScene *scene)
{
    Str rest = {0}, name;
    LlmAction action = action_before(text, &rest);
    bool natural = scene->speech == SPEECH_NATURAL;

    if (wording_only_target(scene->task))
        return (Meant){.action = LLM_VOTE, .message = action == ACTION_NONE ? text : rest};
    if (action == LLM_VOTE && natural && scene->task == TASK_ROOM && utf8_count(rest) <= 40 &&
        target_of(rest, scene, &name) != TARGET_UNKNOWN)
        return (Meant){.action = LLM_VOTE, .target = rest};
    Str line = text;
    if (action == LLM_SPEAK && field_of(clean_around(str_cut(&line, ':'))) != FIELD_COUNT &&
        line.len)
        text = str_trim(line);
    return (Meant){.action = LLM_SPEAK, .message = text};
}

static int read_plain(Str text, const LlmScene *scene, LlmDecision *ret, Err *err)
{
    CLEANUP(object_done) Object object = {0};
    bool only = wording_only_target(scene->task);
    Meant meant = {.action = action_of(text)};

    if (!text.len)
        return refuse_decision(scene, MISTAKE_SYNTAX, (Str){0}, err);
    if (read_lines(text, &object))
        return read_meaning(&object, scene, ret, err);
    if (!clean_around(text).len && !wording_have(text, STR("{")) && !only) /* "..." */
        return 0;
    if (meant.action == LLM_SPEAK && !only)
        return refuse_decision(scene, MISTAKE_NO_MESSAGE, (Str){0}, err);
    if (meant.action == ACTION_NONE) {
        text = own_lines(text, scene);
        if (!plausible_text(text, scene))
            return refuse_decision(scene, only ? MISTAKE_ONLY_VOTE : MISTAKE_SYNTAX, (Str){0}, err);
        meant = word_before(text, scene);
    }
    return carry_out(scene, &meant, ret, err);
}

int llm_decision_read(Str text, const LlmScene *scene, LlmDecision *ret, Err *err)
{
    CLEANUP(object_done) Object object = {0};

    ret->action = LLM_LISTEN;
    ret->message[0] = ret->target[0] = ret->reason[0] = ret->thought[0] = '\0';
    Str answer = clean_answer(str_part(text, 0, OBJECT_BYTES_MAX));
    if (object_read(answer, &object))
        return read_meaning(&object, scene, ret, err);
    return read_plain(answer, scene, ret, err);
}

/* ---- opinions ---- */

static size_t digits_from(Str text, size_t at)
{
    size_t n = 0;

    while (at + n < text.len && text.bytes[at + n] >= '0' && text.bytes[at + n] <= '9')
        n++;
    return n;
}

/* "0.75": what stands behind the point is hundredths of one. */
static uint32_t percent_of_fraction(Str digits)
{
    char two[] = "00";

    for (size_t i = 0; i < 2 && i < digits.len; i++)
        two[i] = digits.bytes[i];
    return (uint32_t)(10 * (two[0] - '0') + two[1] - '0');
}

bool llm_percent(Str text, uint32_t *ret_percent)
{
    uint64_t number = 0;
    size_t at = 0, count, behind;

    while (at < text.len && digits_from(text, at) == 0)
        at++;
    count = digits_from(text, at);
    if (!str_to_uint(str_part(text, at, count), 100, &number) ||
        (at > 0 && text.bytes[at - 1] == '-'))
        return false;
    bool point = at + count < text.len && text.bytes[at + count] == '.';
    behind = point ? digits_from(text, at + count + 1) : 0;
    if (number <= 1 && behind)
        number = number * 100 + percent_of_fraction(str_part(text, at + count + 1, behind));
    if (number > 100)
        return false;
    *ret_percent = (uint32_t)number;
    return true;
}
