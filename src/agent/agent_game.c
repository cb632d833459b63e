#include "agent/agent_game.h"

_Static_assert((int)WARG_BODYGUARD == ROLE_BODYGUARD && (int)WARG_FREEMASON == ROLE_FREEMASON &&
                   (int)WARG_MEDIUM == ROLE_MEDIUM && (int)WARG_POSSESSED == ROLE_POSSESSED &&
                   (int)WARG_SEER == ROLE_SEER && (int)WARG_VILLAGER == ROLE_VILLAGER &&
                   (int)WARG_WEREWOLF == ROLE_WEREWOLF && (int)WARG_FOX == ROLE_FOX,
               "public roles are ours");
_Static_assert((int)WARG_SPECIES_HUMAN == SPECIES_HUMAN &&
                   (int)WARG_SPECIES_WEREWOLF == SPECIES_WEREWOLF &&
                   (int)WARG_SIDE_VILLAGER == SIDE_VILLAGER &&
                   (int)WARG_SIDE_WEREWOLF == SIDE_WEREWOLF && (int)WARG_SIDE_OTHERS == SIDE_OTHERS,
               "public species and sides are ours");
_Static_assert(WARG_AGENT_MAX == SEAT_MAX, "as many as a table has");

const char *warg_version(void)
{
    return WARG_VERSION;
}

/* ---- words ---- */

static Role role_in(WargRole role)
{
    return (int)role > 0 && (int)role < ROLE_COUNT ? (Role)role : ROLE_NONE;
}

const char *warg_role_name(WargRole role)
{
    return role_name(role_in(role));
}

WargRole warg_role_of(const char *name)
{
    return (WargRole)role_of(str_of(name));
}

WargSide warg_side_of(WargRole role)
{
    return role_in(role) == ROLE_NONE ? WARG_SIDE_NONE : (WargSide)role_side(role_in(role));
}

/* ---- the table ---- */

static bool is_agent(const WargGame *game, int agent)
{
    return game->view && agent >= 1 && agent <= game->view->seat_count;
}

int warg_day(const WargGame *game)
{
    return game->view ? game->view->day : 0;
}

int warg_me(const WargGame *game)
{
    return game->view ? game->view->seat : WARG_NOBODY;
}

WargRole warg_my_role(const WargGame *game)
{
    return game->view ? (WargRole)game->view->role : WARG_ROLE_NONE;
}

int warg_agent_count(const WargGame *game)
{
    return game->view ? game->view->seat_count : 0;
}

int warg_living_count(const WargGame *game)
{
    return game->view ? (int)seat_count_of(game->view->alive) : 0;
}

int warg_lives(const WargGame *game, int agent)
{
    return is_agent(game, agent) && seat_in(game->view->alive, (SeatNo)agent);
}

WargRole warg_role(const WargGame *game, int agent)
{
    return is_agent(game, agent) ? (WargRole)game->view->roles[agent] : WARG_ROLE_NONE;
}

int warg_role_count(const WargGame *game, WargRole role)
{
    return game->view && role_in(role) ? game->view->role_counts[role_in(role)] : 0;
}

int warg_talks_left(const WargGame *game)
{
    return game->view ? game->view->talk_left[game->view->seat] : 0;
}

int warg_whispers_left(const WargGame *game)
{
    const View *view = game->view;

    return view && view->whisper_left ? view->whisper_left[view->seat] : 0;
}

int warg_is_revote(const WargGame *game)
{
    return game->revote;
}

/* ---- the news ---- */

int warg_executed_today(const WargGame *game)
{
    return game->view ? game->view->executed_today : WARG_NOBODY;
}

int warg_executed_yesterday(const WargGame *game)
{
    return game->view ? game->view->executed : WARG_NOBODY;
}

int warg_died_last_night(const WargGame *game, int number)
{
    const View *view = game->view;

    return view && number >= 0 && number < view->last_dead_count ? view->last_dead[number]
                                                                 : WARG_NOBODY;
}

int warg_attacked_last_night(const WargGame *game)
{
    return game->view ? game->view->attacked : WARG_NOBODY;
}

int warg_guarded_last_night(const WargGame *game)
{
    return game->view ? game->view->guarded : WARG_NOBODY;
}

static int vote_of(const VoteLog *votes, int agent)
{
    for (uint8_t i = 0; i < votes->count; i++)
        if (votes->items[i].voter == agent)
            return votes->items[i].target;
    return WARG_NOBODY;
}

int warg_voted_today(const WargGame *game, int agent)
{
    return game->view ? vote_of(game->view->latest_votes, agent) : WARG_NOBODY;
}

int warg_voted_yesterday(const WargGame *game, int agent)
{
    return game->view ? vote_of(game->view->votes, agent) : WARG_NOBODY;
}

static int judged_species(const Judge *judge, WargSpecies *ret_result)
{
    if (judge->target && ret_result)
        *ret_result = (WargSpecies)judge->result;
    return judge->target;
}

int warg_divined(const WargGame *game, WargSpecies *ret_result)
{
    return game->view ? judged_species(&game->view->divined, ret_result) : WARG_NOBODY;
}

int warg_identified(const WargGame *game, WargSpecies *ret_result)
{
    return game->view ? judged_species(&game->view->identified, ret_result) : WARG_NOBODY;
}

WargSide warg_winner(const WargGame *game)
{
    return (WargSide)aiwolf_client_winner(game->client);
}

/* ---- chance ---- */

int warg_random(const WargGame *game, int count)
{
    return count < 2 ? 0 : (int)rng_below(game->chance, (uint32_t)count);
}

int warg_random_living(const WargGame *game)
{
    const View *view = game->view;

    if (!view)
        return WARG_NOBODY;
    SeatSet from = view->alive & ~seat_bit(view->seat);
    for (SeatNo seat = 1; seat <= view->seat_count; seat++)
        if (view->role == ROLE_WEREWOLF && view->roles[seat] == ROLE_WEREWOLF)
            from &= ~seat_bit(seat);
    return from ? seat_nth(from, rng_below(game->chance, seat_count_of(from))) : WARG_NOBODY;
}

/* ---- talk ---- */

static void clear_talks(AgentTalks *talks)
{
    talks->count = 0;
    talks->day = 0;
    talks->taken = 0;
    buf_clear(&talks->texts);
}

void agent_game_clear_talk(WargGame *game)
{
    clear_talks(&game->talks);
    clear_talks(&game->whispers);
}

static int add_talk(AgentTalks *talks, const Talk *talk, Err *err)
{
    if (talks->count == AGENT_TALKS_MAX || talks->texts.len + talk->text.len > AGENT_TALK_BYTES_MAX)
        return err_set(err, ERR_LIMIT, "more talk than a game can have");
    if (talks->count == talks->room) {
        uint32_t room = talks->room ? 2 * talks->room : 256;
        AgentTalk *items = mem_resize(talks->items, room, sizeof(*items));
        if (!items)
            return err_set(err, ERR_MEMORY, "talk: out of memory");
        talks->items = items;
        talks->room = room;
    }
    talks->items[talks->count++] = (AgentTalk){.day = talk->day,
                                               .seat = talk->seat,
                                               .idx = talk->idx,
                                               .turn = talk->turn,
                                               .at = talks->texts.len};
    buf_add(&talks->texts, talk->text);
    buf_add_char(&talks->texts, '\0');
    return buf_failed(&talks->texts) ? err_set(err, ERR_MEMORY, "talk: out of memory") : 0;
}

int agent_game_take_talk(AgentTalks *talks, uint16_t day, const TalkLog *log, Err *err)
{
    int rc = 0;

    if (talks->day != day || talks->taken > log->count)
        talks->taken = 0;
    talks->day = day;
    while (rc == 0 && talks->taken < log->count)
        rc = add_talk(talks, &log->items[talks->taken++], err);
    return rc;
}

WargTalk agent_game_talk(const AgentTalks *talks, uint32_t number, bool whisper)
{
    const AgentTalk *item = &talks->items[number];

    return (WargTalk){.agent = item->seat,
                      .day = item->day,
                      .id = (int)item->idx,
                      .turn = (int)item->turn,
                      .whisper = whisper,
                      .text = talks->texts.bytes + item->at};
}

static int tell_talk(const AgentTalks *talks, int number, bool whisper, WargTalk *ret_talk)
{
    if (number < 0 || (uint32_t)number >= talks->count)
        return 0;
    *ret_talk = agent_game_talk(talks, (uint32_t)number, whisper);
    return 1;
}

int warg_talk_count(const WargGame *game)
{
    return (int)game->talks.count;
}

int warg_talk(const WargGame *game, int number, WargTalk *ret_talk)
{
    return tell_talk(&game->talks, number, false, ret_talk);
}

int warg_whisper_count(const WargGame *game)
{
    return (int)game->whispers.count;
}

int warg_whisper(const WargGame *game, int number, WargTalk *ret_talk)
{
    return tell_talk(&game->whispers, number, true, ret_talk);
}

/* ---- the object ---- */

int agent_game_new(const WargAgent *agent, void *user, const char *name, Role wish,
                   WargGame **ret_game, Err *err)
{
    WargGame *game = mem_new(sizeof(*game));

    if (!game)
        return err_set(err, ERR_MEMORY, "new agent: out of memory");
    game->agent = agent;
    game->user = user;
    game->name = name;
    game->wish = wish;
    game->chance_state = rng_new(0);
    game->chance = &game->chance_state;
    int rc = aiwolf_client_new(&game->client, err);
    if (rc) {
        agent_game_free(game);
        return rc;
    }
    *ret_game = game;
    return 0;
}

static void talks_done(AgentTalks *talks)
{
    mem_free(talks->items);
    buf_done(&talks->texts);
}

WargGame *agent_game_free(WargGame *game)
{
    if (!game)
        return NULL;
    aiwolf_client_free(game->client);
    talks_done(&game->talks);
    talks_done(&game->whispers);
    buf_done(&game->out);
    return mem_free(game);
}
