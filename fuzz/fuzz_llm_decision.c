/* fuzz_llm_decision.c - whatever a model says becomes a decision that the game can take, or an
 * error that names what is allowed. Input: a byte that chooses the scene, then the answer. */
#include "base/utf8.h"
#include "llm/decision.h"
#include "llm/guide.h"

#include <assert.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static LlmScene scene_of(uint8_t choice)
{
    static const char *const names[] = {"Ann", "Bo", "Agent[03]", "Mina", "Minato", "ケイ"};
    LlmScene scene = {.me = STR("Ann"),
                      .task = (LlmTask)(choice % (TASK_ATTACK + 1)),
                      .speech = choice & 8 ? SPEECH_PROTOCOL : SPEECH_NATURAL,
                      .language = choice & 16 ? LLM_JAPANESE : LLM_ENGLISH,
                      .role = choice & 32 ? STR("Werewolf") : STR("Villager"),
                      .max_chars = choice & 64 ? 40 : 0,
                      .maw = true,
                      .seconds_left = 10};

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        LlmSeatSeen *seat = &scene.seats[scene.seat_count++];
        seat->name = str_of(names[i]);
        seat->alive = i != 3;
        seat->mate = i == 1 && choice & 32;
        if (seat->alive && i > 0 && !seat->mate && !(choice & 128))
            scene.targets[scene.target_count++] = seat->name;
    }
    return scene;
}

static void check_decision(const LlmScene *scene, const LlmDecision *decision, int rc)
{
    Str message = str_of(decision->message);
    bool valid = false;

    assert(utf8_valid(message) && !strchr(decision->message, '\n'));
    assert(utf8_count(message) <= (scene->max_chars ? scene->max_chars : 300));
    assert(utf8_valid(str_of(decision->reason)) && utf8_valid(str_of(decision->thought)));
    assert((decision->action == LLM_SPEAK) == (message.len > 0));
    for (uint32_t i = 0; i < scene->target_count; i++)
        valid |= str_eq(scene->targets[i], str_of(decision->target));
    assert(valid == (decision->action == LLM_VOTE) && (valid || !decision->target[0]));
    assert(!rc || decision->action == LLM_LISTEN);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    CLEANUP(buf_done) Buf guide = {0};
    LlmDecision decision;
    Err err = {0};

    if (!size)
        return 0;
    LlmScene scene = scene_of(data[0]);
    Str text = {(const char *)data + 1, size - 1};
    int rc = llm_decision_read(text, &scene, &decision, &err);
    assert(rc == 0 || ((rc == ERR_RULE || rc == ERR_SYNTAX) && rc == (int)err.code && err.msg[0]));
    assert(utf8_valid(str_of(err.msg)));
    check_decision(&scene, &decision, rc);
    llm_guide_write(&scene, &guide);
    llm_leaks(text, buf_str(&guide), &scene);
    const Str earlier[] = {STR("I suspect Bo."), text};
    assert(!text.len || llm_repeats(text, earlier, 2));
    return 0;
}
