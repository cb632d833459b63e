#include "scenes.h"

#include "base/rng.h"
#include "base/utf8.h"
#include "llm/decision.h"
#include "llm/guide.h"

#include <jansson.h>

typedef enum Where {
    VILLAGE,  /* speak, vote or listen */
    LAST,     /* the village's last call: vote */
    HIDEOUT,  /* Ann and Bo are wolves */
    NO_VOTE,  /* a room without targets */
    JAPANESE, /* the village in Japanese */
    TALK,     /* natural, AIWolf */
    PROTOCOL, /* talk in the protocol language */
    DIVINE,
} Where;

static LlmScene scene_of(Where where)
{
    LlmScene scene = where == HIDEOUT                     ? hideout()
                     : where == PROTOCOL || where == TALK ? table(TASK_TALK)
                     : where == DIVINE                    ? table(TASK_DIVINE)
                                                          : village();

    if (where == LAST)
        scene.task = TASK_VOTE;
    if (where == NO_VOTE)
        scene.target_count = 0;
    if (where == JAPANESE)
        scene.language = LLM_JAPANESE;
    if (where == TALK)
        scene.speech = SPEECH_NATURAL;
    return scene;
}

typedef struct Row {
    Where where;
    const char *text;
    int rc;
    LlmAction action;
    const char *said; /* message or target */
} Row;

#define SPEAK(text)  0, LLM_SPEAK, text
#define VOTE(name)   0, LLM_VOTE, name
#define LISTEN       0, LLM_LISTEN, ""
#define REFUSED(why) ERR_RULE, LLM_LISTEN, why
#define NOTHING      ERR_SYNTAX, LLM_LISTEN, ""

static const Row rows[] = {
    /* as asked */
    {VILLAGE, "{\"action\":\"speak\",\"message\":\"Hello.\"}", SPEAK("Hello.")},
    {VILLAGE, "{\"thought\":\"Bo lies\",\"action\":\"vote\",\"target\":\"Bo\",\"reason\":\"lies\"}",
     VOTE("Bo")},
    {VILLAGE, "{\"action\":\"listen\"}", LISTEN},
    {VILLAGE,
     "{\"thought\":\"x\",\"action\":\"speak\",\"message\":\"Hi.\",\"target\":null,"
     "\"reason\":null}",
     SPEAK("Hi.")},
    /* fences, byte order mark, thoughts, text around, marks of templates */
    {VILLAGE, "```json\n{\"action\":\"vote\",\"target\":\"Bo\"}\n```", VOTE("Bo")},
    {VILLAGE, "Sure! Here is my answer:\n```\n{\"action\":\"listen\"}\n```\nI hope it helps.",
     LISTEN},
    {VILLAGE, "\xEF\xBB\xBF{\"action\":\"listen\"}", LISTEN},
    {VILLAGE,
     "<think>\nBo? {\"action\":\"vote\",\"target\":\"Bo\"} no.\n</think>\n"
     "{\"action\":\"vote\",\"target\":\"Mina\"}",
     VOTE("Mina")},
    {VILLAGE, "Maybe {\"action\":\"listen\"}?</think>{\"action\":\"vote\",\"target\":\"Bo\"}",
     VOTE("Bo")},
    {VILLAGE, "<THINKING>hm</THINKING><think>hm</think>I trust Bo.", SPEAK("I trust Bo.")},
    {VILLAGE, "<think>I am a villager and I wonder", NOTHING},
    {VILLAGE, "{\"action\":\"listen\"}<|eot_id|>", LISTEN},
    {VILLAGE,
     "<|channel|>analysis<|message|>Bo?<|end|><|start|>assistant<|channel|>final"
     "<|message|>{\"action\":\"speak\",\"message\":\"Bo?\"}<|return|>",
     SPEAK("Bo?")},
    {VILLAGE, "I choose:</s>", SPEAK("I choose:")},
    /* broken JSON */
    {VILLAGE, "{\"action\":\"speak\",\"message\":\"Hello.\",}", SPEAK("Hello.")},
    {VILLAGE, "{\"action\":\"speak\",\"message\":\"Hello.\",\"tho", SPEAK("Hello.")},
    {VILLAGE, "{\"action\":\"speak\",\"message\":\"Hello.\",\"thought\"", SPEAK("Hello.")},
    {VILLAGE, "{\"action\":\"speak\",\"message\":\"Hello.\", tho", SPEAK("Hello.")},
    {VILLAGE, "{'action': 'speak', 'message': 'I don't know yet.'}", SPEAK("I don't know yet.")},
    {VILLAGE, "{action: speak, message: \"Hello there.\"}", SPEAK("Hello there.")},
    {VILLAGE, "{action: vote, reason: , target: Bo}", VOTE("Bo")},
    {VILLAGE, "{action: vote, target: Bo, reason:}", VOTE("Bo")},
    {VILLAGE, "{“action”: “vote”, “target”: “Bo”}", VOTE("Bo")},
    {VILLAGE, "{\"action\":\"speak\",\"message\":\"He said \"no\", and left.\"}",
     SPEAK("He said \"no\", and left.")},
    {VILLAGE, "{\"action\":\"speak\"\n \"message\":\"Two\nlines\"\n}", SPEAK("Two lines")},
    {VILLAGE, "{\"action\":\"speak\",, \"message\":\"\\u3053\\ud83d\\ude00\\u0000!\"}",
     SPEAK("こ😀!")},
    {VILLAGE, "{\"action\": \"vote\", // sure\n \"target\": \"Bo\" /* him */}", VOTE("Bo")},
    {VILLAGE, "{\"action\":\"vote\",\"target\":[\"Bo\",\"Mina\"]}", VOTE("Bo")},
    {VILLAGE, "[{\"action\":\"vote\",\"target\":\"Bo\"}]", VOTE("Bo")},
    {VILLAGE, "{\"action\":\"listen\"}\n{\"action\":\"vote\",\"target\":\"Bo\"}", LISTEN},
    {VILLAGE, "{\"note\":1} {\"action\":\"vote\",\"target\":\"Bo\"}", VOTE("Bo")},
    {VILLAGE, "{\"action\":\"speak\",\"message\":\"I trust Bo. But Cyril is", SPEAK("I trust Bo.")},
    {VILLAGE, "{\"action\":\"speak\",\"message\":\"I trust", NOTHING},
    {VILLAGE, "{\"action\":\"vote\",\"target\":\"Bo\",\"reason\":\"he", VOTE("Bo")},
    {VILLAGE, "{}", NOTHING},
    {VILLAGE, "{\"answer\":42}", NOTHING},
    {VILLAGE, "{{{{{{{{", NOTHING},
    {VILLAGE, "", NOTHING},
    /* synonyms, other forms, wire messages */
    {VILLAGE, "{\"Action\":\"SPEAK\",\"Speech\":\"Hello.\"}", SPEAK("Hello.")},
    {VILLAGE, "{\"decision\":\"say\",\"content\":\"Hello.\"}", SPEAK("Hello.")},
    {VILLAGE, "{\"say\":\"Hello.\"}", SPEAK("Hello.")},
    {VILLAGE, "{\"vote\":\"Bo\"}", VOTE("Bo")},
    {VILLAGE, "{\"vote\":{\"player\":\"Bo\"}}", VOTE("Bo")},
    {VILLAGE, "{\"listen\":true}", LISTEN},
    {VILLAGE, "{\"action\":\"Pass\"}", LISTEN},
    {VILLAGE, "{\"action\":\"wait\",\"message\":\"\"}", LISTEN},
    {VILLAGE, "{\"action\":\"vote: Bo\"}", VOTE("Bo")},
    {VILLAGE, "{\"action\":\"vote for Bo\"}", VOTE("Bo")},
    {VILLAGE, "{\"name\":\"vote\",\"arguments\":{\"target\":\"Bo\"}}", VOTE("Bo")},
    {VILLAGE, "{\"action\":\"vote\",\"name\":\"Bo\"}", VOTE("Bo")},
    {VILLAGE, "{\"type\":\"chat\",\"message\":\"Hello.\"}", SPEAK("Hello.")},
    {VILLAGE, "{\"type\":\"vote\",\"target\":\"bo@localhost\"}", VOTE("Bo")},
    {VILLAGE, "{\"type\":\"listen\"}", LISTEN},
    {VILLAGE, "{\"type\":\"player_action\",\"action\":\"chat\",\"message\":\"Hi.\"}", SPEAK("Hi.")},
    {VILLAGE,
     "{\"role\":\"assistant\",\"content\":\"{\\\"action\\\":\\\"vote\\\",\\\"target\\\":"
     "\\\"Bo\\\"}\"}",
     VOTE("Bo")},
    {VILLAGE, "{\"message\":\"Hello.\"}", SPEAK("Hello.")},
    {VILLAGE, "{\"message\":\"\"}", LISTEN},
    {VILLAGE, "{\"target\":\"Bo\"}", VOTE("Bo")},
    {VILLAGE, "{\"action\":\"accuse\",\"message\":\"Bo lies.\"}", SPEAK("Bo lies.")},
    {VILLAGE, "{\"action\":\"dance\"}",
     REFUSED("\"dance\" is not an action. Allowed actions: "
             "speak, vote, listen.")},
    {VILLAGE, "{\"action\":\"speak|vote|listen\"}", REFUSED("not an action")},
    {VILLAGE, "{\"action\":\"speak\",\"target\":\"Bo\"}", REFUSED("needs a message")},
    /* words without an object */
    {VILLAGE, "listen", LISTEN},
    {VILLAGE, "Listen.", LISTEN},
    {VILLAGE, "...", LISTEN},
    {VILLAGE, "speak", REFUSED("needs a message")},
    {VILLAGE, "vote", REFUSED("has no target. Choose one of: Bo, Cyril, Minato, Mina, ケイ.")},
    {VILLAGE, "Vote for Bo.", VOTE("Bo")},
    {VILLAGE, "/vote bo", VOTE("Bo")},
    {VILLAGE, "Vote for whom you like.", SPEAK("Vote for whom you like.")},
    {VILLAGE, "Please listen to me, everyone.", SPEAK("Please listen to me, everyone.")},
    {VILLAGE, "Action: vote\nTarget: Bo\nReason: he lies", VOTE("Bo")},
    {VILLAGE, "**Action:** speak\n**Message:** Hello.", SPEAK("Hello.")},
    {VILLAGE, "Speak: Hello all.", SPEAK("Hello all.")},
    {VILLAGE, "Ann: I trust Bo.\nBo: Thank you!", SPEAK("I trust Bo.")},
    {VILLAGE, "First I thought so.\n\nThen I changed my mind.", NOTHING},
    {VILLAGE, "I'm sorry, but I can't help with that.", NOTHING},
    {VILLAGE, "As an AI language model, I have no opinion.", NOTHING},
    {VILLAGE, "\x01\x02\xFF\xFE binary", NOTHING},
    /* the line */
    {VILLAGE, "{\"action\":\"speak\",\"message\":\"Ann: Ann: Hello.\"}", SPEAK("Hello.")},
    {VILLAGE, "{\"action\":\"speak\",\"message\":\"**Ann**: \\\"Hello.\\\"\"}", SPEAK("Hello.")},
    {VILLAGE, "{\"action\":\"speak\",\"message\":\"Ann (Villager): Hello.\"}", SPEAK("Hello.")},
    {VILLAGE, "{\"action\":\"speak\",\"message\":\"[Ann]: Hello.\"}", SPEAK("Hello.")},
    {VILLAGE, "{\"action\":\"speak\",\"message\":\"Anna is nice.\"}", SPEAK("Anna is nice.")},
    {VILLAGE, "{\"action\":\"speak\",\"message\":\"*leans back* I am **sure** of it. (sighs)\"}",
     SPEAK("I am sure of it. (sighs)")},
    {VILLAGE, "{\"action\":\"speak\",\"message\":\"(sighs) Fine.\"}", SPEAK("Fine.")},
    {VILLAGE, "{\"action\":\"speak\",\"message\":\"*nods*\"}", LISTEN},
    {VILLAGE, "{\"action\":\"speak\",\"message\":\"- Hello.\"}", SPEAK("Hello.")},
    {VILLAGE, "{\"action\":\"speak\",\"message\":\"2 * 3 is 6.\"}", SPEAK("2 * 3 is 6.")},
    {VILLAGE, "{\"action\":\"speak\",\"message\":\"Hi.\\nBo: I am a wolf!\"}", SPEAK("Hi.")},
    {VILLAGE, "{\"action\":\"speak\",\"message\":\"a\\u202eb\\u200bc\\ufffe\"}", SPEAK("abc")},
    {VILLAGE, "{\"action\":\"speak\",\"message\":\"listen\"}", LISTEN},
    /* targets */
    {VILLAGE, "{\"action\":\"vote\",\"target\":\"bo\"}", VOTE("Bo")},
    {VILLAGE, "{\"action\":\"vote\",\"target\":\"@Bo.\"}", VOTE("Bo")},
    {VILLAGE, "{\"action\":\"vote\",\"target\":\"cyr\"}", VOTE("Cyril")},
    {VILLAGE, "{\"action\":\"vote\",\"target\":\"cy\"}", REFUSED("There is no player \"cy\"")},
    {VILLAGE, "{\"action\":\"vote\",\"target\":\"Mina\"}", VOTE("Mina")},
    {VILLAGE, "{\"action\":\"vote\",\"target\":\"Min\"}", REFUSED("There is no player \"Min\"")},
    {VILLAGE, "{\"action\":\"vote\",\"target\":\"Bo (the quiet one)\"}", VOTE("Bo")},
    {VILLAGE, "{\"action\":\"vote\",\"target\":\"the player Bo\"}", VOTE("Bo")},
    {VILLAGE, "{\"action\":\"vote\",\"target\":\"Dee\"}",
     REFUSED("Dee is dead and can't be chosen. Choose one of: Bo, Cyril, Minato, Mina, ケイ.")},
    {VILLAGE, "{\"action\":\"vote\",\"target\":\"ANN\"}", REFUSED("You can't choose yourself.")},
    {VILLAGE, "{\"action\":\"vote\",\"target\":\"Zoe\"}", REFUSED("There is no player \"Zoe\"")},
    {VILLAGE, "{\"action\":\"vote\",\"target\":null}", REFUSED("The vote has no target.")},
    {VILLAGE, "{\"action\":\"vote\",\"message\":\"Bo\"}", VOTE("Bo")},
    {HIDEOUT, "{\"action\":\"vote\",\"target\":\"Bo\"}", REFUSED("Bo is your teammate")},
    {HIDEOUT, "{\"action\":\"vote\",\"target\":\"Cyril\"}", VOTE("Cyril")},
    {NO_VOTE, "{\"action\":\"vote\",\"target\":\"Bo\"}",
     REFUSED("No vote is possible now. Allowed actions: speak, listen.")},
    /* the last call, and other choices */
    {LAST, "Bo", VOTE("Bo")},
    {LAST, "I vote for Bo.", VOTE("Bo")},
    {LAST, "I think Minato is the wolf!", VOTE("Minato")},
    {LAST, "Not Bo.", REFUSED("Now you have to choose")},
    {LAST, "Bo or Mina", VOTE("Bo")},
    {LAST, "It is either Bo or Mina.", REFUSED("Now you have to choose")},
    {LAST, "{\"action\":\"listen\"}", REFUSED("Now you have to choose: action \"vote\"")},
    {LAST, "{\"action\":\"listen\",\"target\":\"Bo\"}", VOTE("Bo")},
    {LAST, "{\"action\":\"speak\",\"message\":\"I choose Mina.\"}", VOTE("Mina")},
    {LAST, "listen", REFUSED("Now you have to choose")},
    {LAST, "What a long text this is.\nI can't say.", REFUSED("Now you have to choose")},
    {DIVINE, "{\"action\":\"divine\",\"target\":\"Agent[03]\"}", VOTE("Agent[03]")},
    {DIVINE, "{\"action\":\"vote\",\"target\":\"agent 3\"}", VOTE("Agent[03]")},
    {DIVINE, "{\"action\":\"vote\",\"target\":3}", VOTE("Agent[03]")},
    {DIVINE, "{\"divine\":\"Agent3\"}", VOTE("Agent[03]")},
    {DIVINE, "{\"action\":\"vote\",\"target\":\"Agent[04]\"}", REFUSED("Agent[04] is dead")},
    {DIVINE, "{\"action\":\"vote\",\"target\":\"Agent[01]\"}",
     REFUSED("You can't choose yourself")},
    {DIVINE, "DIVINATION Agent[05]", VOTE("Agent[05]")},
    /* talk */
    {TALK, "{\"action\":\"vote\",\"target\":\"Agent[03]\"}", REFUSED("No vote is possible now")},
    {TALK, "{\"action\":\"vote\",\"target\":\"Agent[03]\",\"message\":\"I vote for 3.\"}",
     SPEAK("I vote for 3.")},
    {TALK, "Over", LISTEN},
    {PROTOCOL, "{\"action\":\"speak\",\"message\":\"ESTIMATE Agent[03] WEREWOLF\"}",
     SPEAK("ESTIMATE Agent[03] WEREWOLF")},
    {PROTOCOL, "{\"action\":\"speak\",\"message\":\"Skip\"}", LISTEN},
    {PROTOCOL, "VOTE Agent[03]", SPEAK("VOTE Agent[03]")},
    {PROTOCOL, "{\"action\":\"speak\",\"message\":\"Agent[01]: \\\"VOTE Agent[03]\\\"\"}",
     SPEAK("VOTE Agent[03]")},
    {PROTOCOL, "{\"action\":\"speak\",\"message\":\"BECAUSE (VOTE Agent[02]) (VOTE Agent[02])\"}",
     SPEAK("BECAUSE (VOTE Agent[02]) (VOTE Agent[02])")},
    /* Japanese */
    {JAPANESE, "{\"action\":\"speak\",\"message\":\"Ann：「ケイさんが怪しいです。」\"}",
     SPEAK("ケイさんが怪しいです。")},
    {JAPANESE, "{\"行動\":\"投票\",\"対象\":\"ケイさん\",\"理由\":\"怪しい\"}", VOTE("ケイ")},
    {JAPANESE, "{\"action\":\"発言\",\"発言\":\"おはようございます。\"}",
     SPEAK("おはようございます。")},
    {JAPANESE, "聞く。", LISTEN},
    {JAPANESE, "「沈黙」", LISTEN},
    {JAPANESE, "ボーさんは村人だと思います。", SPEAK("ボーさんは村人だと思います。")},
    {JAPANESE, "（ため息をつく）わかりました。", SPEAK("わかりました。")},
    {JAPANESE, "{\"action\":\"vote\",\"target\":\"Dee\"}",
     REFUSED("Deeはすでに死亡しているため選べません。")},
    {JAPANESE, "申し訳ありませんが、AIとしてお答えできません。", NOTHING},
};

static void bad_answers_become_decisions_or_say_what_is_wrong(void **state)
{
    unsigned wrong = 0;

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const Row *row = &rows[i];
        LlmScene scene = scene_of(row->where);
        LlmDecision decision;
        Err err = {0};

        int rc = llm_decision_read(str_of(row->text), &scene, &decision, &err);
        const char *said = rc == ERR_RULE                 ? err.msg
                           : decision.action == LLM_SPEAK ? decision.message
                                                          : decision.target;
        bool as_said =
            rc == ERR_RULE ? strstr(err.msg, row->said) != NULL : strcmp(said, row->said) == 0;
        if (rc != row->rc || decision.action != row->action || !as_said || rc != (int)err.code) {
            print_message("%s\n gave %d, action %d: %s\n", row->text, rc, (int)decision.action,
                          rc ? err.msg : said);
            wrong++;
        }
        if (rc)
            assert_true(err.msg[0] != '\0');
    }
    assert_int_equal(wrong, 0);
}

static void thoughts_and_reasons_are_kept_apart(void **state)
{
    LlmScene scene = village();
    LlmDecision decision;

    (void)state;
    assert_int_equal(llm_decision_read(STR("{\"thought\":\"Bo\\nlies.\",\"action\":\"vote\","
                                           "\"target\":\"Bo\",\"reason\":\"he lies\"}"),
                                       &scene, &decision, NULL),
                     0);
    assert_string_equal(decision.thought, "Bo lies.");
    assert_string_equal(decision.reason, "he lies");
    assert_string_equal(decision.message, "");
}

static void long_lines_end_with_a_sentence(void **state)
{
    CLEANUP(buf_done) Buf text = {0};
    LlmScene scene = village();
    LlmDecision decision;

    (void)state;
    scene.max_chars = 60;
    buf_add(&text, STR("{\"action\":\"speak\",\"message\":\"I think that 3.5 of you are right. "));
    buf_add(&text, STR("Cyril said so yesterday and the day before and before that.\"}"));
    assert_int_equal(llm_decision_read(buf_str(&text), &scene, &decision, NULL), 0);
    assert_string_equal(decision.message, "I think that 3.5 of you are right.");
    scene.max_chars = 20;
    assert_int_equal(llm_decision_read(buf_str(&text), &scene, &decision, NULL), 0);
    assert_string_equal(decision.message, "I think that 3.5 of");
    buf_clear(&text);
    buf_add(&text, STR("{\"action\":\"speak\",\"message\":\""));
    for (int i = 0; i < 200; i++)
        buf_add(&text, STR("怪しい。"));
    buf_add(&text, STR("\"}"));
    scene.max_chars = 0;
    assert_int_equal(llm_decision_read(buf_str(&text), &scene, &decision, NULL), 0);
    assert_int_equal(utf8_count(str_of(decision.message)), 300);
    scene.max_chars = 100000; /* then the bytes are the limit */
    assert_int_equal(llm_decision_read(buf_str(&text), &scene, &decision, NULL), 0);
    assert_int_equal(strlen(decision.message), 2388);
}

static void a_sentence_of_the_protocol_is_not_cut(void **state)
{
    LlmScene scene = scene_of(PROTOCOL);
    LlmDecision decision;
    Err err = {0};

    (void)state;
    scene.max_chars = 20;
    assert_int_equal(llm_decision_read(STR("{\"action\":\"speak\",\"message\":\"ESTIMATE "
                                           "Agent[03] WEREWOLF\"}"),
                                       &scene, &decision, &err),
                     ERR_RULE);
    assert_string_equal(err.msg, "The message is too long; at most 20 characters are allowed.");
}

static void huge_and_random_answers_are_read_in_time(void **state)
{
    static const char pieces[] = "{}[]\":,'`\\ \n*<>|/think\xE3\x81\x82\xFF"
                                 "0Bo";
    CLEANUP(buf_done) Buf text = {0};
    LlmScene scene = village();
    LlmDecision decision;
    Rng rng = rng_new(1);

    (void)state;
    for (int run = 0; run < 400; run++) {
        buf_clear(&text);
        uint32_t bytes = run < 4 ? 200000 : rng_below(&rng, 400);
        for (uint32_t i = 0; i < bytes; i++)
            buf_add_char(&text, run == 0   ? '{'
                                : run == 1 ? "\" "[i % 2]
                                           : pieces[rng_below(&rng, sizeof(pieces) - 1)]);
        Err err = {0};
        int rc = llm_decision_read(buf_str(&text), &scene, &decision, &err);
        assert_true(rc == 0 || rc == ERR_RULE || rc == ERR_SYNTAX);
        assert_true(utf8_valid(str_of(decision.message)));
        if (rc)
            assert_int_equal(decision.action, LLM_LISTEN);
        if (decision.action == LLM_VOTE)
            assert_true(decision.target[0] != '\0');
    }
}

/* ---- the schema ---- */

static json_t *schema_of(const LlmScene *scene, LlmSchemaMode mode)
{
    CLEANUP(buf_done) Buf text = {0};

    llm_schema_write(scene, mode, &text);
    json_t *schema = json_loadb(text.bytes, text.len, JSON_REJECT_DUPLICATES, NULL);
    assert_non_null(schema);
    assert_string_equal(json_string_value(json_object_get(schema, "type")), "object");
    assert_true(json_is_false(json_object_get(schema, "additionalProperties")));
    return schema;
}

static json_t *values_of(const json_t *schema, const char *property)
{
    return json_object_get(json_object_get(json_object_get(schema, "properties"), property),
                           "enum");
}

static bool holds(const json_t *array, const char *text)
{
    for (size_t i = 0; i < json_array_size(array); i++)
        if (json_is_string(json_array_get(array, i)) &&
            strcmp(json_string_value(json_array_get(array, i)), text) == 0)
            return true;
    return false;
}

static void the_schema_allows_exactly_the_targets(void **state)
{
    LlmScene scene = village();

    (void)state;
    scene.targets[0] = STR("Q\"uote"); /* whatever a name holds, it is JSON */
    json_t *schema = schema_of(&scene, SCHEMA_LAX);
    const json_t *targets = values_of(schema, "target");
    assert_int_equal(json_array_size(targets), scene.target_count);
    for (uint32_t i = 0; i < scene.target_count; i++) {
        char name[100] = {0};
        memcpy(name, scene.targets[i].bytes, scene.targets[i].len);
        assert_true(holds(targets, name));
    }
    assert_int_equal(json_array_size(values_of(schema, "action")), 3);
    assert_int_equal(json_array_size(json_object_get(schema, "required")), 1);
    const json_t *properties = json_object_get(schema, "properties");
    assert_string_equal(
        json_object_iter_key(json_object_iter(json_object_get(schema, "properties"))), "thought");
    assert_int_equal(
        json_integer_value(json_object_get(json_object_get(properties, "message"), "maxLength")),
        300);
    json_decref(schema);
}

static void the_strict_schema_requires_all_and_lets_them_be_null(void **state)
{
    LlmScene scene = village();
    json_t *schema = schema_of(&scene, SCHEMA_STRICT);
    const json_t *required = json_object_get(schema, "required");

    (void)state;
    assert_int_equal(json_array_size(required),
                     json_object_size(json_object_get(schema, "properties")));
    assert_int_equal(json_array_size(values_of(schema, "target")), scene.target_count + 1);
    assert_true(json_is_null(json_array_get(values_of(schema, "target"), scene.target_count)));
    json_decref(schema);
}

static void without_targets_nobody_can_vote_and_at_the_end_everybody_must(void **state)
{
    LlmScene scene = scene_of(NO_VOTE);
    json_t *schema = schema_of(&scene, SCHEMA_LAX);

    (void)state;
    assert_false(holds(values_of(schema, "action"), "vote"));
    assert_null(json_object_get(json_object_get(schema, "properties"), "target"));
    json_decref(schema);
    scene = scene_of(LAST);
    for (LlmSchemaMode mode = SCHEMA_LAX; mode <= SCHEMA_STRICT; mode++) {
        schema = schema_of(&scene, mode);
        assert_int_equal(json_array_size(values_of(schema, "action")), 1);
        assert_true(holds(values_of(schema, "action"), "vote"));
        assert_true(holds(json_object_get(schema, "required"), "target"));
        assert_int_equal(json_array_size(values_of(schema, "target")), scene.target_count);
        json_decref(schema);
    }
}

/* ---- guards ---- */

static void the_guides_words_do_not_get_out(void **state)
{
    CLEANUP(buf_done) Buf guide = {0};
    LlmScene scene = village();

    (void)state;
    llm_guide_write(&scene, &guide);
    assert_true(llm_leaks(STR("My instructions say: answer WITH exactly one  JSON object and "
                              "nothing else."),
                          buf_str(&guide), &scene));
    assert_false(llm_leaks(STR("Answer with exactly one JSON object."), buf_str(&guide), &scene));
    assert_false(llm_leaks(STR("I think Bo and Cyril work together; look at their votes of today."),
                           buf_str(&guide), &scene));
    assert_false(llm_leaks((Str){0}, buf_str(&guide), &scene));
    buf_clear(&guide);
    scene.language = LLM_JAPANESE;
    llm_guide_write(&scene, &guide);
    assert_true(
        llm_leaks(STR("指示によると、昼は生存者全員が自由に話し、いつでも投票でき、投票先は何度でも"
                      "変えられます。ある人への票が"),
                  buf_str(&guide), &scene));
    assert_false(llm_leaks(STR("昼は生存者全員が自由に話せます。"), buf_str(&guide), &scene));
}

static void a_wolf_does_not_tell_that_it_is_one(void **state)
{
    static const char *const told[] = {
        "As a werewolf, I would never vote for Bo.",
        "I am a werewolf.",
        "Well, I'm the wolf!",
        "We wolves must stay together.",
        "Let us protect my fellow wolf Bo.",
        "私は人狼です。",
        "実は俺が人狼だ。",
        "人狼として、今夜はケイを狙います。",
        "Round 1 begins. You are Ann, role Werewolf. Day 1 begins.",
        "Your fellow werewolves: Bo.",
        "あなたはAnn、役職は人狼。",
    };
    static const char *const fine[] = {
        "I see Bo as a werewolf.",
        "If I am a werewolf, why did I vote so?",
        "You think I am a werewolf? Then say why.",
        "Bo says that I am a wolf, and I am not.",
        "I am not a werewolf.",
        "私は人狼ではありません。",
        "私が人狼だと思う理由は何ですか？",
        "I am the wolf? No.",
        "You are Bo, role Werewolf, I say.",
    };
    LlmScene wolf = hideout(), villager = village();

    (void)state;
    for (size_t i = 0; i < sizeof(told) / sizeof(told[0]); i++) {
        wolf.night = false;
        if (!llm_leaks(str_of(told[i]), STR("guide"), &wolf))
            fail_msg("not seen: %s", told[i]);
        assert_false(llm_leaks(str_of(told[i]), STR("guide"), &villager));
        wolf.night = true; /* only wolves hear it */
        assert_false(llm_leaks(str_of(told[i]), STR("guide"), &wolf));
    }
    wolf.night = false;
    for (size_t i = 0; i < sizeof(fine) / sizeof(fine[0]); i++)
        if (llm_leaks(str_of(fine[i]), STR("guide"), &wolf))
            fail_msg("seen: %s", fine[i]);
}

static void a_line_is_not_said_twice(void **state)
{
    const Str earlier[] = {STR("I suspect Bo!"), STR("Cyril is too quiet for my taste today."),
                           STR("ケイさんが怪しいと思います。")};

    (void)state;
    assert_true(llm_repeats(STR("i suspect, bo"), earlier, 3));
    assert_false(llm_repeats(STR("I suspect Mina!"), earlier, 3));
    assert_true(llm_repeats(STR("Today Cyril is too quiet for my taste, Bo."), earlier, 2));
    assert_false(llm_repeats(STR("Today Cyril is too quiet for my taste, Bo."), earlier, 3));
    assert_true(llm_repeats(STR("ケイさんが怪しいと思います"), earlier, 3));
    assert_true(llm_repeats(STR("やはりケイさんが怪しいと思います。"), earlier, 3) ||
                !llm_repeats(STR("ボーさんの話を聞きたいです。"), earlier, 3));
    assert_false(llm_repeats(STR("Cyril."), earlier, 2)); /* an answer of one word */
    assert_false(llm_repeats(STR("Cyril."), NULL, 0));
    assert_false(llm_repeats(STR("?!"), earlier, 3));
}

static void the_percent_of_an_opinion_is_its_first_number(void **state)
{
    static const struct {
        const char *text;
        int percent; /* -1: none */
    } answers[] = {
        {"70", 70},
        {"about 70 %, for 3 reasons", 70},
        {"0", 0},
        {"100%", 100},
        {"0.7", 70},
        {"0.75 or so", 75},
        {"1.0", 100},
        {"0.055", 5},
        {"72.5", 72},
        {"1", 1},
        {"確信度は80", 80},
        {"", -1},
        {"very", -1},
        {"101", -1},
        {"-5", -1},
        {"1.5", -1},
        {"99999999999999999999", -1},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(answers) / sizeof(answers[0]); i++) {
        uint32_t percent = 7;
        bool found = llm_percent(str_of(answers[i].text), &percent);
        if (found != (answers[i].percent >= 0) || (found && (int)percent != answers[i].percent))
            fail_msg("%s: %u", answers[i].text, percent);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_answers_become_decisions_or_say_what_is_wrong),
        cmocka_unit_test(thoughts_and_reasons_are_kept_apart),
        cmocka_unit_test(long_lines_end_with_a_sentence),
        cmocka_unit_test(a_sentence_of_the_protocol_is_not_cut),
        cmocka_unit_test(huge_and_random_answers_are_read_in_time),
        cmocka_unit_test(the_schema_allows_exactly_the_targets),
        cmocka_unit_test(the_strict_schema_requires_all_and_lets_them_be_null),
        cmocka_unit_test(without_targets_nobody_can_vote_and_at_the_end_everybody_must),
        cmocka_unit_test(the_guides_words_do_not_get_out),
        cmocka_unit_test(a_wolf_does_not_tell_that_it_is_one),
        cmocka_unit_test(a_line_is_not_said_twice),
        cmocka_unit_test(the_percent_of_an_opinion_is_its_first_number),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
