#include "serve/room_chairs.h"

/* ---- what chairs tell ---- */

static void on_tell(void *user, Str json)
{
    const RoomChair *chair = user;

    chair->chairs->events.tell(chair->chairs->events.user, chair->number, json);
}

static void on_answer(void *user, const Ask *ask, const Answer *answer)
{
    const RoomChair *chair = user;

    chair->chairs->answer(chair->chairs->user, chair->number, ask, answer);
}

static void on_begun(void *user, const View *view)
{
    const RoomChair *chair = user;

    chair->chairs->events.seated(chair->chairs->events.user, chair->number, view->seat);
}

static void on_silent(void *user, TimeUs now)
{
    const RoomChair *chair = user;

    chair->chairs->events.silent(chair->chairs->events.user, chair->number, now);
}

/* ---- who sits there ---- */

/* What records say of it: a letter behind the name makes it another than all others, and no number
 * at the end is taken for a copy's. */
static void name_chair(const RoomGamePlan *plan, RoomChair *chair)
{
    char letter = (char)('a' + chair->number % 26);
    Str name = STR("seat");
    size_t bytes;

    if (!plan->options->names_hidden)
        name = chair->number < plan->people ? plan->names[chair->number] : STR("bot");
    bytes = name.len < ROOM_AGENT_BYTES - 8 ? name.len : ROOM_AGENT_BYTES - 8;
    while (bytes > 0 && bytes < name.len && ((unsigned char)name.bytes[bytes] & 0xC0) == 0x80)
        bytes--;
    snprintf(chair->name, sizeof(chair->name), "%.*s-%c%s", (int)bytes, name.bytes, letter,
             chair->number >= 26 ? "x" : "");
    for (char *at = chair->name; *at; at++)
        *at = *at == ',' ? ' ' : *at; /* names stand in lists */
}

static const BotKind *bot_of(const RoomOptions *options)
{
    Str fill = str_of(options->fill);
    const BotKind *kind =
        str_starts(fill, STR("bot:")) ? bot_kind(str_part(fill, 4, SIZE_MAX)) : NULL;

    if (kind)
        return kind;
    return bot_kind(options->division == DOC_PROTOCOL ? STR("sample")
                    : options->japanese               ? STR("talker-ja")
                                                      : STR("talker"));
}

static int make_web(RoomChair *chair, const RoomGamesSetup *setup, const RoomGamePlan *plan,
                    uint64_t seed, Err *err)
{
    const RoomOptions *options = plan->options;
    bool person = chair->number < plan->people;
    const WebSeatSetup made = {.protocol = options->division == DOC_PROTOCOL,
                               .bot = bot_of(options),
                               .seed = seed,
                               .asked_before = plan->number * ROOM_GAME_ASKS,
                               .limit = options->answer_ms * 1000,
                               .lapses = options->division == DOC_PROTOCOL,
                               .pause_min = options->pause_min_ms * 1000,
                               .pause_max = options->pause_max_ms * 1000,
                               .tell = person ? on_tell : NULL,
                               .answer = on_answer,
                               .begun = person ? on_begun : NULL,
                               .silent = person ? on_silent : NULL,
                               .user = chair};
    int rc = web_seat_new(setup->alarms, &made, &chair->web, err);

    if (rc == 0 && !person)
        web_seat_set_away(chair->web, true, 0);
    return rc;
}

/* The order in which they sit down tells nothing of who they are. */
static void shuffle_chairs(RoomChairs *chairs, Rng rng)
{
    for (uint32_t i = 0; i < chairs->count; i++)
        chairs->order[i] = (uint8_t)i;
    for (uint32_t i = chairs->count; i > 1; i--) {
        uint32_t k = rng_below(&rng, i);
        uint8_t other = chairs->order[i - 1];
        chairs->order[i - 1] = chairs->order[k];
        chairs->order[k] = other;
    }
}

int room_chairs_make(RoomChairs *chairs, const RoomGamesSetup *setup, const RoomGamePlan *plan,
                     const Key *key, Err *err)
{
    const KeyRoot root = key_root(key);
    const Key order = key_derive(&root, STR("order"));
    int rc = 0;

    chairs->events = plan->events;
    chairs->people = plan->people;
    chairs->count = (uint32_t)plan->options->players;
    shuffle_chairs(chairs, key_rng(&order));
    if (!str_starts(str_of(plan->options->fill), STR("bot:")) && setup->loop) {
        rc = model_bots_open(setup->loop, plan->options->fill, &chairs->models, err);
        chairs->has_models = true;
        chairs->models.setup.manner.opinions = OPINIONS_OFF; /* nobody would see them */
        chairs->models.setup.protocol = plan->options->division == DOC_PROTOCOL;
        chairs->models.setup.language = plan->options->japanese ? MODEL_JAPANESE : MODEL_ENGLISH;
    }
    for (uint32_t i = 0; i < chairs->count && rc == 0; i++) {
        RoomChair *chair = &chairs->items[i];
        const Key seed = key_derive_number(&root, STR("chair"), i);
        *chair = (RoomChair){.chairs = chairs, .number = i};
        name_chair(plan, chair);
        if (i >= plan->people && chairs->has_models)
            rc = model_bots_add(&chairs->models, "", key_seed(&seed), on_answer, chair,
                                &chair->model, err);
        else
            rc = make_web(chair, setup, plan, key_seed(&seed), err);
    }
    return rc;
}

void room_chairs_done(RoomChairs *chairs)
{
    for (uint32_t i = 0; i < chairs->count; i++) {
        chairs->items[i].web = web_seat_free(chairs->items[i].web);
        chairs->items[i].model = model_agent_free(chairs->items[i].model);
    }
    if (chairs->has_models)
        model_bots_done(&chairs->models);
    chairs->has_models = false;
}

const Thinker *room_chair_thinker(const RoomChair *chair, void **ret_user)
{
    *ret_user = chair->web ? (void *)chair->web : (void *)chair->model;
    return chair->web ? web_seat_thinker() : model_agent_thinker();
}

void room_chairs_begin(RoomChairs *chairs, Str game_id, TimeUs now)
{
    for (uint32_t i = 0; i < chairs->people; i++)
        web_seat_game(chairs->items[i].web, game_id);
    chairs->events.begun(chairs->events.user, game_id, now);
}

void room_chairs_hear(RoomChairs *chairs, uint32_t chair, const json_t *message, TimeUs now,
                      Buf *reply)
{
    if (chair < chairs->people)
        web_seat_hear(chairs->items[chair].web, message, now, reply);
}

void room_chairs_greet(const RoomChairs *chairs, uint32_t chair, TimeUs now,
                       void (*say)(void *user, Str json), void *user)
{
    if (chair < chairs->people)
        web_seat_greet(chairs->items[chair].web, now, say, user);
}

void room_chairs_set_away(RoomChairs *chairs, uint32_t chair, bool away, TimeUs now)
{
    if (chair < chairs->people)
        web_seat_set_away(chairs->items[chair].web, away, now);
}
