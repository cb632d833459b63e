#include "seat/aiwolf_bot.h"

#include "base/rng.h"
#include "wire/aiwolf_answer.h"

struct AiwolfBot {
    AiwolfBotPlan plan;
    AiwolfClient *client;
    Bot *bot;
    Buf out; /* the last answer */
    AiwolfRequest last;
    uint64_t games;
    uint64_t wins;
};

int aiwolf_bot_new(const AiwolfBotPlan *plan, AiwolfBot **ret_bot, Err *err)
{
    CLEANUP(aiwolf_bot_freep) AiwolfBot *bot = mem_new(sizeof(*bot));

    if (bot && !plan->thinker)
        bot->bot = mem_new(plan->kind->bytes);
    if (!bot || (!bot->bot && !plan->thinker))
        return err_set(err, ERR_MEMORY, "new bot: out of memory");
    bot->plan = *plan;
    bot->last = AIWOLF_REQUEST_COUNT;
    int rc = aiwolf_client_new(&bot->client, err);
    if (rc)
        return rc;
    *ret_bot = TAKE(bot);
    return 0;
}

AiwolfBot *aiwolf_bot_free(AiwolfBot *bot)
{
    if (!bot)
        return NULL;
    aiwolf_client_free(bot->client);
    mem_free(bot->bot);
    buf_done(&bot->out);
    return mem_free(bot);
}

void aiwolf_bot_freep(AiwolfBot **bot)
{
    *bot = aiwolf_bot_free(*bot);
}

/* A line end in a name would be a second answer. */
static void write_name(AiwolfBot *bot)
{
    for (Str rest = str_of(bot->plan.name); rest.len; rest = str_part(rest, 1, rest.len))
        buf_add_char(&bot->out,
                     rest.bytes[0] == '\n' || rest.bytes[0] == '\r' ? ' ' : rest.bytes[0]);
    buf_add_char(&bot->out, '\n');
}

static void write_answer(AiwolfBot *bot, const Ask *ask)
{
    Answer answer = {.kind = ask->kind};

    if (ask->kind == ASK_ROLE) /* comes before there is a view */
        answer.wish = bot->plan.wish;
    else
        bot->plan.kind->answer(bot->bot, ask, aiwolf_client_view(bot->client), &answer);
    aiwolf_answer_write(&answer, &bot->out);
}

/* All that is not for the bot's owner: true when the thinker took it. */
static bool ask_thinker(AiwolfBot *bot, AiwolfRequest request, TimeUs now)
{
    const Thinker *thinker = bot->plan.thinker;
    const View *view = aiwolf_client_view(bot->client);
    void *user = bot->plan.thinker_user;
    Ask ask;

    if (!thinker || request == AIWOLF_NAME || request == AIWOLF_ROLE)
        return false;
    if (request == AIWOLF_INITIALIZE)
        thinker->begin(user, view);
    else if (request == AIWOLF_FINISH)
        thinker->end(user, view, aiwolf_client_winner(bot->client));
    else if (aiwolf_client_ask(bot->client, &ask))
        thinker->ask(user, &ask, view, now);
    else {
        thinker->unask(user);
        thinker->look(user, view);
    }
    return true;
}

static void count_game(AiwolfBot *bot)
{
    Side winner = aiwolf_client_winner(bot->client);

    bot->games++;
    bot->wins += winner != SIDE_NONE && winner == role_side(aiwolf_client_view(bot->client)->role);
}

int aiwolf_bot_line(AiwolfBot *bot, Str line, TimeUs now, Str *ret_answer, Err *err)
{
    AiwolfRequest request;
    Ask ask;
    int rc = aiwolf_client_packet(bot->client, line, &request, err);

    if (rc)
        return rc;
    bot->last = request;
    buf_clear(&bot->out);
    if (request == AIWOLF_FINISH)
        count_game(bot);
    if (ask_thinker(bot, request, now)) {
        *ret_answer = STR("");
        return 0;
    }
    if (request == AIWOLF_INITIALIZE)
        bot->plan.kind->start(bot->bot, aiwolf_client_view(bot->client),
                              rng_derive_text(bot->plan.seed, line));
    else if (request == AIWOLF_NAME)
        write_name(bot);
    else if (aiwolf_client_ask(bot->client, &ask))
        write_answer(bot, &ask);
    if (buf_failed(&bot->out))
        return err_set(err, ERR_MEMORY, "answer: out of memory");
    *ret_answer = buf_str(&bot->out);
    return 0;
}

void aiwolf_bot_lost(AiwolfBot *bot)
{
    if (bot->plan.thinker)
        bot->plan.thinker->unask(bot->plan.thinker_user);
}

bool aiwolf_bot_finished(const AiwolfBot *bot)
{
    return bot->last == AIWOLF_FINISH;
}

AiwolfRequest aiwolf_bot_last(const AiwolfBot *bot)
{
    return bot->last;
}

uint64_t aiwolf_bot_games(const AiwolfBot *bot)
{
    return bot->games;
}

uint64_t aiwolf_bot_wins(const AiwolfBot *bot)
{
    return bot->wins;
}
