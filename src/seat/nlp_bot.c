#include "seat/nlp_bot.h"

#include "game/bid.h"

#include "base/rng.h"

/* Asks that are let pass while its last utterance has not come back: a server that does not accept
 * it never sends it. */
#define ECHO_ASKS 20

struct NlpBot {
    NlpBotPlan plan;
    NlpClient *client;
    Bot *bot;
    Buf reply; /* the last one */
    NlpRequest last;
    bool in_game;     /* behind an INITIALIZE of this connection */
    bool closed;      /* said Over in the open session */
    unsigned unheard; /* asks left to wait for its own utterance; 0 = it has come back */
    uint64_t games;
    uint64_t decided;
    uint64_t wins;
};

int nlp_bot_new(const NlpBotPlan *plan, NlpBot **ret_bot, Err *err)
{
    CLEANUP(nlp_bot_freep) NlpBot *bot = mem_new(sizeof(*bot));

    if (bot && !plan->thinker)
        bot->bot = mem_new(plan->kind->bytes);
    if (!bot || (!bot->bot && !plan->thinker))
        return err_set(err, ERR_MEMORY, "new bot: out of memory");
    bot->plan = *plan;
    bot->last = NLP_REQUEST_COUNT;
    int rc = nlp_client_new(&bot->client, err);
    if (rc)
        return rc;
    *ret_bot = TAKE(bot);
    return 0;
}

NlpBot *nlp_bot_free(NlpBot *bot)
{
    if (!bot)
        return NULL;
    nlp_client_free(bot->client);
    mem_free(bot->bot);
    buf_done(&bot->reply);
    return mem_free(bot);
}

void nlp_bot_freep(NlpBot **bot)
{
    *bot = nlp_bot_free(*bot);
}

void nlp_bot_connected(NlpBot *bot)
{
    bot->last = NLP_REQUEST_COUNT;
    bot->in_game = bot->closed = false;
    bot->unheard = 0;
    nlp_bot_lost(bot);
}

void nlp_bot_lost(NlpBot *bot)
{
    if (bot->plan.thinker)
        bot->plan.thinker->unask(bot->plan.thinker_user);
}

/* ---- answers ---- */

static Answer answer_of(NlpBot *bot, const Ask *ask)
{
    Answer answer = {.kind = ask->kind};

    bot->plan.kind->answer(bot->bot, ask, nlp_client_view(bot->client), &answer);
    return answer;
}

static bool is_talk(const Ask *ask)
{
    return ask->kind == ASK_TALK || ask->kind == ASK_WHISPER;
}

/* Every request gets a reply: a silent agent holds up the table. */
static void write_reply(NlpBot *bot, const Ask *ask, const Answer *answer)
{
    const View *view = nlp_client_view(bot->client);

    if (is_talk(ask))
        buf_add(&bot->reply, answer->lapse || !answer->text.len ? STR("Skip") : answer->text);
    else if (ask->kind == ASK_BID)
        buf_add_uint(&bot->reply, bid_of(answer));
    else if (!answer->lapse && answer->target >= 1 && answer->target <= view->seat_count)
        buf_add(&bot->reply, view->names[answer->target]);
    if (bot->reply.len == 0) /* nobody to name */
        buf_add_char(&bot->reply, '\n');
}

Str nlp_bot_reply(NlpBot *bot, const Ask *ask, const Answer *answer)
{
    buf_clear(&bot->reply);
    write_reply(bot, ask, answer);
    return buf_str(&bot->reply);
}

/* True when the thinker took it. */
static bool ask_thinker(NlpBot *bot, NlpRequest request, TimeUs now)
{
    const Thinker *thinker = bot->plan.thinker;
    const View *view = nlp_client_view(bot->client);
    bool opens = request == NLP_TALK_PHASE_START || request == NLP_WHISPER_PHASE_START;
    bool news = request == NLP_TALK_BROADCAST || request == NLP_WHISPER_BROADCAST;
    void *user = bot->plan.thinker_user;
    Ask ask;

    if (!thinker || request == NLP_NAME)
        return false;
    if (request == NLP_INITIALIZE && thinker->profile)
        thinker->profile(user, nlp_client_profile(bot->client));
    if (request == NLP_INITIALIZE && thinker->game)
        thinker->game(user, nlp_client_game(bot->client));
    if (request == NLP_INITIALIZE)
        thinker->begin(user, view);
    else if (request == NLP_FINISH)
        thinker->end(user, view, nlp_client_winner(bot->client));
    else if ((opens || nlp_request_has_reply(request)) && nlp_client_ask(bot->client, &ask))
        thinker->ask(user, &ask, view, now);
    else {
        if (!news)
            thinker->unask(user);
        thinker->look(user, view);
    }
    return true;
}

static void count_game(NlpBot *bot)
{
    Side winner = nlp_client_winner(bot->client);

    bot->games++;
    bot->decided += winner != SIDE_NONE;
    bot->wins += winner != SIDE_NONE && winner == role_side(nlp_client_view(bot->client)->role);
}

/* Its own utterance has come back. */
static void note_echo(NlpBot *bot, NlpRequest request)
{
    const View *view = nlp_client_view(bot->client);
    const TalkLog *log = request == NLP_WHISPER_BROADCAST ? view->whisper : view->talk;

    if (log->count && log->items[log->count - 1].seat == view->seat)
        bot->unheard = 0;
}

/* Of its name and the number of its game, not of the packet: that has the game's id, and so the
 * time of day, and a game that is dealt again could not be played again. */
static uint64_t game_seed(const NlpBot *bot)
{
    return rng_derive(rng_derive_text(bot->plan.seed, str_of(bot->plan.name)), bot->games);
}

static void follow_request(NlpBot *bot, NlpRequest request)
{
    Ask ask;

    switch (request) {
    case NLP_NAME:
        buf_add(&bot->reply, str_of(bot->plan.name));
        return;
    case NLP_INITIALIZE:
        bot->plan.kind->start(bot->bot, nlp_client_view(bot->client), game_seed(bot));
        return;
    case NLP_TALK_PHASE_START:
    case NLP_WHISPER_PHASE_START:
        bot->closed = false;
        bot->unheard = 0;
        return;
    case NLP_TALK_BROADCAST:
    case NLP_WHISPER_BROADCAST:
        note_echo(bot, request);
        return;
    case NLP_TALK:
    case NLP_WHISPER:
    case NLP_VOTE:
    case NLP_DIVINE:
    case NLP_GUARD:
    case NLP_ATTACK:
    case NLP_BID:
        if (nlp_client_ask(bot->client, &ask)) {
            Answer answer = answer_of(bot, &ask);
            write_reply(bot, &ask, &answer);
        }
        return;
    case NLP_DAILY_INITIALIZE:
    case NLP_DAILY_FINISH:
    case NLP_TALK_PHASE_END:
    case NLP_WHISPER_PHASE_END:
    case NLP_FINISH:
    case NLP_REQUEST_COUNT:
        return;
    }
}

int nlp_bot_packet(NlpBot *bot, Str packet, TimeUs now, Str *ret_reply, Err *err)
{
    NlpRequest request;
    int rc = nlp_client_packet(bot->client, packet, &request, err);

    if (rc)
        return rc;
    /* The client remembers the games of earlier connections, the server does not. */
    if (request > NLP_INITIALIZE && !bot->in_game)
        return err_set(err, ERR_SYNTAX, "packet: %s before any INITIALIZE",
                       nlp_request_name(request));
    buf_clear(&bot->reply);
    bot->in_game |= request == NLP_INITIALIZE;
    if (request == NLP_FINISH)
        count_game(bot);
    if (!ask_thinker(bot, request, now))
        follow_request(bot, request);
    bot->in_game &= request != NLP_FINISH;
    bot->last = request;
    if (buf_failed(&bot->reply))
        return err_set(err, ERR_MEMORY, "reply: out of memory");
    *ret_reply = buf_str(&bot->reply);
    return 0;
}

bool nlp_bot_may_speak(const NlpBot *bot)
{
    Ask ask;

    return bot->in_game && !bot->closed && !bot->plan.thinker &&
           nlp_client_ask(bot->client, &ask) && ask.standing;
}

Str nlp_bot_speak(NlpBot *bot)
{
    Ask ask;

    if (!nlp_bot_may_speak(bot) || !nlp_client_ask(bot->client, &ask))
        return STR("");
    if (bot->unheard) {
        bot->unheard--;
        return STR("");
    }
    Answer answer = answer_of(bot, &ask);
    if (answer.lapse || !answer.text.len)
        return STR("");
    bot->closed = str_eq(answer.text, STR("Over"));
    bot->unheard = ECHO_ASKS;
    buf_clear(&bot->reply);
    buf_add(&bot->reply, answer.text);
    return buf_str(&bot->reply);
}

/* ---- looking ---- */

NlpRequest nlp_bot_last(const NlpBot *bot)
{
    return bot->last;
}

const View *nlp_bot_view(const NlpBot *bot)
{
    return nlp_client_view(bot->client);
}

uint64_t nlp_bot_games(const NlpBot *bot)
{
    return bot->games;
}

uint64_t nlp_bot_decided(const NlpBot *bot)
{
    return bot->decided;
}

uint64_t nlp_bot_wins(const NlpBot *bot)
{
    return bot->wins;
}
