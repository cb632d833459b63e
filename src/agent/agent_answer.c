/* A packet becomes callbacks: what is new is told first, then the question is put. */
#include "agent/agent_game.h"

#include "base/utf8.h"
#include "wire/aiwolf_answer.h"

void agent_report(const WargAgent *agent, void *user, const char *message)
{
    if (agent->report)
        agent->report(message, user);
    else
        fprintf(stderr, "%s: %s\n", agent->name ? agent->name : "agent", message);
}

/* ---- what is new ---- */

static void tell_heard(WargGame *game, const AgentTalks *talks, uint32_t before, bool whisper)
{
    for (uint32_t i = before; game->agent->heard && i < talks->count; i++) {
        WargTalk talk = agent_game_talk(talks, i, whisper);
        game->agent->heard(game, &talk, game->user);
    }
}

static int take_news(WargGame *game, Err *err)
{
    const View *view = game->view;
    uint32_t talks = game->talks.count, whispers = game->whispers.count;
    int rc = agent_game_take_talk(&game->talks, view->day, view->talk, err);

    if (rc == 0)
        rc = agent_game_take_talk(&game->whispers, view->day, view->whisper, err);
    if (rc)
        return rc;
    tell_heard(game, &game->talks, talks, false);
    tell_heard(game, &game->whispers, whispers, true);
    return 0;
}

static void begin_game(WargGame *game, Str line)
{
    uint64_t seed = rng_derive_text(rng_derive_text(0, str_of(game->name)), line);

    game->chance_state = rng_new(seed);
    agent_game_clear_talk(game);
}

static void tell_agent(WargGame *game, AiwolfRequest request)
{
    const WargAgent *agent = game->agent;
    void (*const callback)(const WargGame *, void *) =
        request == AIWOLF_INITIALIZE         ? agent->initialize
        : request == AIWOLF_DAILY_INITIALIZE ? agent->day_start
        : request == AIWOLF_DAILY_FINISH     ? agent->day_end
        : request == AIWOLF_FINISH           ? agent->finish
                                             : NULL;

    if (callback)
        callback(game, game->user);
}

/* ---- questions ---- */

static void report_text(WargGame *game, Str text)
{
    CLEANUP(buf_done) Buf message = {0};

    buf_printf(&message, "says Skip in place of what is not in the language: ");
    utf8_add_printable(str_part(text, 0, 200), 200, &message);
    agent_report(game->agent, game->user, buf_cstr(&message));
}

static Str sentence_of(WargGame *game, const char *(*say)(const WargGame *, void *))
{
    Str text = say ? str_of(say(game, game->user)) : STR("Over");

    if (text.len == 0)
        return STR("Skip");
    if (agent_text_valid(text))
        return text;
    report_text(game, text);
    return STR("Skip");
}

static SeatNo target_of(WargGame *game, int (*name)(const WargGame *, void *))
{
    int target = name ? name(game, game->user) : warg_random_living(game);

    return target > 0 && target <= SEAT_MAX ? (SeatNo)target : SEAT_NONE;
}

static void answer_ask(WargGame *game, const Ask *ask)
{
    const WargAgent *agent = game->agent;
    Answer answer = {.kind = ask->kind};

    game->revote = ask->revote;
    switch (ask->kind) {
    case ASK_ROLE:
        answer.wish = game->wish;
        break;
    case ASK_TALK:
        answer.text = sentence_of(game, agent->talk);
        break;
    case ASK_WHISPER:
        answer.text = sentence_of(game, agent->whisper);
        break;
    case ASK_VOTE:
        answer.target = target_of(game, agent->vote);
        break;
    case ASK_DIVINE:
        answer.target = target_of(game, agent->divine);
        break;
    case ASK_GUARD:
        answer.target = target_of(game, agent->guard);
        break;
    case ASK_ATTACK:
        answer.target = target_of(game, agent->attack);
        break;
    case ASK_BID: /* never asked of agents in C */
    case ASK_COUNT:
        break;
    }
    aiwolf_answer_write(&answer, &game->out);
}

/* A line end in a name would be a second answer. */
static void answer_name(WargGame *game)
{
    for (Str rest = str_of(game->name); rest.len; rest = str_part(rest, 1, rest.len))
        buf_add_char(&game->out, (unsigned char)rest.bytes[0] < ' ' ? ' ' : rest.bytes[0]);
    buf_add_char(&game->out, '\n');
}

int agent_game_line(WargGame *game, Str line, Str *ret_answer, Err *err)
{
    AiwolfRequest request;
    Ask ask;
    int rc = aiwolf_client_packet(game->client, line, &request, err);

    if (rc)
        return rc;
    buf_clear(&game->out);
    game->finished = request == AIWOLF_FINISH;
    game->revote = false;
    game->view = aiwolf_client_view(game->client);
    if (request == AIWOLF_INITIALIZE)
        begin_game(game, line);
    if (request >= AIWOLF_INITIALIZE && (rc = take_news(game, err)) != 0)
        return rc;
    if (request == AIWOLF_NAME)
        answer_name(game);
    else if (aiwolf_client_ask(game->client, &ask))
        answer_ask(game, &ask);
    else
        tell_agent(game, request);
    if (buf_failed(&game->out))
        return err_set(err, ERR_MEMORY, "answer: out of memory");
    *ret_answer = buf_str(&game->out);
    return 0;
}
