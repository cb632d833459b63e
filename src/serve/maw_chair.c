#include "serve/maw_chair.h"

#include "base/json.h"
#include "base/mem.h"

#define NAME_BYTES   128
#define SILENT_AFTER 2

struct MawChair {
    MawChairSetup setup;
    WebDesk desk;
    MawPlayer *player;
    MawDriver *driver;
    Alarm alarm; /* of the driver, while nobody is there; of what is asked anew */
    bool away;
    bool could_act, has_acted;     /* in this phase */
    unsigned silent_phases;        /* in a row, in which it could act and did not */
    uint32_t asked[WEB_ASK_COUNT]; /* numbers at the desk; 0 = not asked */
    WebAsk shown[WEB_ASK_COUNT];
    SeatNo count;
    char names[SEAT_MAX + 1][NAME_BYTES];
};

/* ---- names and seats ---- */

static SeatNo seat_of_name(const MawChair *chair, Str name)
{
    for (SeatNo seat = 1; seat <= chair->count; seat++)
        if (str_eq(str_of(chair->names[seat]), name))
            return seat;
    return SEAT_NONE;
}

static SeatSet vote_targets(const MawChair *chair)
{
    Str names[MAW_LIST_MAX];
    uint32_t count = maw_player_targets(chair->player, names);
    SeatSet set = 0;

    for (uint32_t i = 0; i < count; i++) {
        SeatNo seat = seat_of_name(chair, names[i]);
        set |= seat != SEAT_NONE ? seat_bit(seat) : 0;
    }
    return set;
}

/* The others who live. */
static SeatSet others(const MawChair *chair)
{
    const MawKnown *known = maw_player_known(chair->player);
    SeatSet set = 0;

    for (uint32_t i = 0; i < known->player_count; i++) {
        SeatNo seat = seat_of_name(chair, known->players[i].name);
        if (known->players[i].alive && seat != SEAT_NONE &&
            !str_eq(known->players[i].name, known->me))
            set |= seat_bit(seat);
    }
    return set;
}

/* ---- what may be done now ---- */

static bool may_act(const MawKnown *known)
{
    return known->state == PLAYER_AWAKE && known->room_open && known->alive && known->linked &&
           !known->paused;
}

static bool in_round(const MawKnown *known)
{
    return known->alive && known->linked && !known->paused &&
           (known->state == PLAYER_AWAKE || known->state == PLAYER_ASLEEP);
}

static bool is_asked(const MawChair *chair, WebAskKind kind)
{
    const MawKnown *known = maw_player_known(chair->player);
    bool awake = may_act(known);

    switch (kind) {
    case WEB_TALK:
        return (awake && !known->night) || (known->graveyard && known->linked);
    case WEB_WHISPER:
        return awake && known->night;
    case WEB_VOTE:
        return awake;
    case WEB_QUERY_ROLE:
        return in_round(known) && str_eq(known->role, STR("Seer"));
    case WEB_WHISPER_TO:
        return chair->setup.whispers && (awake || (chair->setup.always && in_round(known)));
    case WEB_DIVINE:
    case WEB_GUARD:
    case WEB_ATTACK:
    case WEB_ROLE_WISH:
    case WEB_ASK_COUNT:
        break;
    }
    return false;
}

static WebAsk describe_ask(const MawChair *chair, WebAskKind kind)
{
    const MawKnown *known = maw_player_known(chair->player);
    bool speech = kind == WEB_TALK || kind == WEB_WHISPER || kind == WEB_WHISPER_TO;

    return (WebAsk){.kind = kind,
                    .standing = true,
                    .may_withdraw = kind == WEB_VOTE,
                    .targets = kind == WEB_VOTE ? vote_targets(chair) : others(chair),
                    .until = known->phase_ends,
                    .max_chars =
                        speech && known->max_chars ? (int32_t)known->max_chars : WEB_NO_LIMIT,
                    .turns_left = WEB_NO_LIMIT,
                    .skips_left = WEB_NO_LIMIT};
}

static bool is_same_ask(const WebAsk *a, const WebAsk *b)
{
    return a->targets == b->targets && a->until == b->until && a->max_chars == b->max_chars;
}

static void show_ask(MawChair *chair, WebAskKind kind, TimeUs now)
{
    if (!is_asked(chair, kind)) {
        web_desk_unask(&chair->desk, chair->asked[kind]);
        chair->asked[kind] = 0;
        return;
    }
    const WebAsk ask = describe_ask(chair, kind);
    chair->could_act |= kind == WEB_VOTE;
    if (!chair->asked[kind])
        chair->asked[kind] = web_desk_ask(&chair->desk, &ask, now);
    else if (!is_same_ask(&ask, &chair->shown[kind]))
        web_desk_change(&chair->desk, chair->asked[kind], &ask, now);
    chair->shown[kind] = ask;
}

static void show_asks(MawChair *chair, TimeUs now)
{
    for (int kind = 0; kind < WEB_ASK_COUNT && chair->player; kind++)
        show_ask(chair, (WebAskKind)kind, now);
}

static void forget_asks(MawChair *chair)
{
    web_desk_unask_all(&chair->desk);
    memset(chair->asked, 0, sizeof(chair->asked));
}

/* ---- answers ---- */

static bool act_as_answered(MawChair *chair, const SeatAnswer *answer, TimeUs now)
{
    Str name = str_of(chair->names[answer->target]);

    switch (answer->kind) {
    case WEB_TALK:
    case WEB_WHISPER:
        return maw_player_say(chair->player, answer->text, now);
    case WEB_VOTE:
        return maw_player_vote(chair->player, name, answer->text, now);
    case WEB_QUERY_ROLE:
        return maw_player_ask_role(chair->player, name, now);
    case WEB_WHISPER_TO:
        return maw_player_whisper(chair->player, name, answer->text, now);
    case WEB_DIVINE:
    case WEB_GUARD:
    case WEB_ATTACK:
    case WEB_ROLE_WISH:
    case WEB_ASK_COUNT:
        break;
    }
    return false;
}

static void on_judge(void *user, const SeatAnswer *answer, TimeUs now, WebVerdict *verdict)
{
    MawChair *chair = user;

    if (!act_as_answered(chair, answer, now)) {
        verdict->code = "not-now";
        snprintf(verdict->error, sizeof(verdict->error), "%s",
                 "the game master takes nothing from you at this moment");
        return;
    }
    chair->has_acted = true;
    buf_add(&verdict->text, answer->text);
}

static void on_take(void *user, const SeatAnswer *answer, TimeUs now)
{
    const MawChair *chair = user;

    (void)answer;
    (void)now;
    chair->setup.acted(chair->setup.user);
}

static void on_tell(void *user, Str json)
{
    const MawChair *chair = user;

    chair->setup.tell(chair->setup.user, json);
}

/* What the game master thinks of an act, when it does not take it. */
static void tell_refused(MawChair *chair, const MawNews *news)
{
    CLEANUP(buf_done) Buf text = {0};
    Json json = json_over(&text);

    json_open(&json, '{');
    json_add_str(&json, "type", STR("refused"));
    json_add_str(&json, "game", str_of(chair->desk.game));
    json_add_uint(&json, "ask", 0);
    json_add_str(&json, "code", news->name.len ? news->name : STR("refused"));
    json_add_str(&json, "error", news->text);
    json_close(&json);
    if (!buf_failed(&text))
        on_tell(chair, buf_str(&text));
}

/* ---- time ---- */

static void watch_driver(MawChair *chair)
{
    if (chair->away)
        alarm_at(&chair->alarm, maw_driver_deadline(chair->driver), true);
}

static void on_alarm(void *user, TimeUs now)
{
    MawChair *chair = user;

    show_asks(chair, now);
    if (!chair->away)
        return;
    maw_driver_tick(chair->driver, now);
    chair->setup.acted(chair->setup.user);
    watch_driver(chair);
}

/* ---- interface ---- */

int maw_chair_new(Alarms *alarms, const MawChairSetup *setup, MawChair **ret_chair, Err *err)
{
    MawChair *chair = mem_new(sizeof(*chair));

    if (!chair)
        return err_set(err, ERR_MEMORY, "seat: out of memory");
    chair->setup = *setup;
    chair->desk.last = setup->asked_before;
    chair->desk.out = (WebDeskOut){on_tell, on_judge, on_take, chair};
    alarm_init(&chair->alarm, alarms, on_alarm, chair);
    int rc = maw_bot_driver_new(setup->bot, setup->language, &setup->pace, setup->seed,
                                &chair->driver, err);
    if (rc) {
        maw_chair_free(chair);
        return rc;
    }
    *ret_chair = chair;
    return 0;
}

MawChair *maw_chair_free(MawChair *chair)
{
    if (!chair)
        return NULL;
    alarm_stop(&chair->alarm);
    maw_driver_free(chair->driver);
    web_desk_done(&chair->desk);
    return mem_free(chair);
}

void maw_chair_take(MawChair *chair, MawPlayer *player)
{
    chair->player = player;
    maw_driver_take(chair->driver, player);
}

SeatNo maw_chair_round(MawChair *chair, Str game_id, SeatNo count, const Str *jids,
                       const Str *names)
{
    const MawKnown *known = maw_player_known(chair->player);
    SeatNo own = SEAT_NONE;

    forget_asks(chair);
    web_desk_game(&chair->desk, game_id);
    chair->count = count;
    for (SeatNo seat = 1; seat <= count; seat++) {
        snprintf(chair->names[seat], NAME_BYTES, "%.*s", STR_ARG(names[seat]));
        if (str_eq(jids[seat], known->jid))
            own = seat;
    }
    return own;
}

static void end_phase(MawChair *chair, TimeUs now)
{
    bool silent = chair->could_act && !chair->has_acted && !chair->away;

    forget_asks(chair);
    if (chair->could_act)
        chair->silent_phases = silent ? chair->silent_phases + 1 : 0;
    chair->could_act = chair->has_acted = false;
    if (chair->silent_phases < SILENT_AFTER)
        return;
    chair->silent_phases = 0;
    chair->setup.silent(chair->setup.user, now);
}

void maw_chair_news(MawChair *chair, const MawNews *news, TimeUs now)
{
    maw_driver_news(chair->driver, news, now);
    if (news->kind == NEWS_PHASE || news->kind == NEWS_ROUND_END || news->kind == NEWS_OVER)
        end_phase(chair, now);
    if (news->kind == NEWS_REFUSED)
        tell_refused(chair, news);
    alarm_soon(&chair->alarm); /* the player is in the middle of something */
}

void maw_chair_set_away(MawChair *chair, bool away, TimeUs now)
{
    (void)now;
    chair->away = away;
    if (away)
        alarm_soon(&chair->alarm);
}

void maw_chair_hear(MawChair *chair, const json_t *message, TimeUs now, Buf *reply)
{
    web_desk_hear(&chair->desk, message, now, reply);
    alarm_soon(&chair->alarm);
}

void maw_chair_greet(const MawChair *chair, TimeUs now, void (*say)(void *user, Str json),
                     void *user)
{
    web_desk_greet(&chair->desk, now, say, user);
}
