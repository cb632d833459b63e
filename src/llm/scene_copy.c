#include "llm/scene_copy.h"

#include <assert.h>

/* Every text of a scene, one after the other; `each` may change it. */
static void each_text(LlmScene *scene, void (*each)(Str *text, void *user), void *user)
{
    Str *const own[] = {&scene->me,      &scene->persona, &scene->role,
                        &scene->my_vote, &scene->notes,   &scene->facts};

    for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++)
        each(own[i], user);
    for (uint32_t i = 0; i < scene->seat_count; i++) {
        each(&scene->seats[i].name, user);
        each(&scene->seats[i].cause, user);
        each(&scene->seats[i].role, user);
        each(&scene->seats[i].votes_for, user);
    }
    for (uint32_t i = 0; i < scene->target_count; i++)
        each(&scene->targets[i], user);
}

static void add_length(Str *text, void *user)
{
    size_t *sum = user;

    *sum += text->len;
}

/* There is room for all: the bytes don't move. */
static void move_text(Str *text, void *user)
{
    Buf *bytes = user;
    size_t at = bytes->len;

    buf_add(bytes, *text);
    text->bytes = bytes->bytes + at;
}

int llm_scene_copy(const LlmScene *scene, Buf *bytes, LlmScene *ret_scene, Err *err)
{
    size_t sum = 0;

    assert(scene->seat_count <= LLM_SEATS_MAX && scene->target_count <= LLM_SEATS_MAX);
    buf_clear(bytes);
    *ret_scene = *scene;
    each_text(ret_scene, add_length, &sum);
    if (!buf_reserve(bytes, sum + 1))
        return err_set(err, ERR_MEMORY, "a question to a model: out of memory");
    each_text(ret_scene, move_text, bytes);
    return 0;
}
