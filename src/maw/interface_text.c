#include "maw/interface_text.h"

#include "llm/decision_clean.h"
#include "llm/decision_object.h"
#include "maw/maw_names.h"

#define LINE_CHARS 300 /* A35: what a model says is kept shorter than the rules allow */

void interface_text_done(InterfaceText *text)
{
    buf_done(&text->text);
}

void interface_scene(const MawQuestion *question, LlmLanguage language, LlmScene *ret_scene)
{
    *ret_scene = (LlmScene){.language = language,
                            .task = TASK_ROOM,
                            .maw = true,
                            .night = str_eq(question->phase, STR("night")),
                            .seconds_left = -1,
                            .max_chars = LINE_CHARS};
    for (uint32_t i = 0; i < question->target_count && i < LLM_SEATS_MAX; i++) {
        ret_scene->seats[i] = (LlmSeatSeen){.name = question->targets[i], .alive = true};
        ret_scene->targets[i] = question->targets[i];
        ret_scene->seat_count = ret_scene->target_count = i + 1;
    }
}

MawMessage interface_answer_of(const LlmDecision *decision)
{
    MawMessage answer = maw_message(MAW_LISTEN);

    if (decision->action == LLM_SPEAK) {
        answer = maw_message(MAW_CHAT);
        answer.message = str_of(decision->message);
    } else if (decision->action == LLM_VOTE) {
        answer = maw_message(MAW_VOTE);
        answer.target = str_of(decision->target);
        if (decision->reason[0])
            answer.reason = str_of(decision->reason);
    }
    return answer;
}

static int read_name(Str said, InterfaceText *text, MawMessage *ret_answer, Err *err)
{
    CLEANUP(object_done) Object object = {0};
    static const FieldName fields[] = {FIELD_NAME, FIELD_MESSAGE, FIELD_SPEAK, FIELD_TARGET};

    if (object_read(said, &object))
        for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++)
            if (object_has(&object, fields[i])) {
                said = object_text(&object, fields[i]);
                break;
            }
    buf_clear(&text->text);
    *ret_answer = maw_message(MAW_NAME);
    ret_answer->player_name = maw_name_in(said, &text->text);
    return ret_answer->player_name.len ? 0 : err_set(err, ERR_SYNTAX, "no name is in the answer");
}

static bool is_vote(const Object *object)
{
    return object_has(object, FIELD_VOTE) ||
           str_eq(object_text(object, FIELD_ACTION), STR("vote")) ||
           str_eq(object_text(object, FIELD_TYPE), STR("vote"));
}

/* A vote where nobody told for whom there may be one. */
static bool read_any_vote(Str said, InterfaceText *text, MawMessage *ret_answer)
{
    CLEANUP(object_done) Object object = {0};
    bool read = object_read(said, &object) && is_vote(&object);
    FieldName field = object_has(&object, FIELD_TARGET) ? FIELD_TARGET
                      : object_has(&object, FIELD_NAME) ? FIELD_NAME
                                                        : FIELD_VOTE;
    Str target = clean_around(object_text(&object, field));

    if (!read || target.len == 0 || target.len >= LLM_TARGET_BYTES)
        return false;
    buf_clear(&text->text);
    clean_paragraph(target, &text->text);
    *ret_answer = maw_message(MAW_VOTE);
    ret_answer->target = buf_str(&text->text);
    return text->text.len > 0;
}

int interface_text_read(Str said, const MawQuestion *question, LlmLanguage language,
                        InterfaceText *text, MawMessage *ret_answer, Err *err)
{
    LlmScene scene;

    said = clean_answer(str_part(said, 0, OBJECT_BYTES_MAX));
    if (question->name && question->named)
        return read_name(said, text, ret_answer, err);
    if (question->target_count == 0 && read_any_vote(said, text, ret_answer))
        return 0;
    interface_scene(question, language, &scene);
    int rc = llm_decision_read(said, &scene, &text->decision, err);
    if (rc == 0)
        *ret_answer = interface_answer_of(&text->decision);
    return rc;
}
