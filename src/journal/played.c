#include "journal/played.h"

#include "base/mem.h"

void played_done(Played *played)
{
    mem_free(played->games);
    mem_free(played->sets);
    *played = (Played){0};
}

bool played_has_game(const Played *played, uint64_t game)
{
    return game < played->game_room && ((played->games[game / 8] >> (game % 8)) & 1);
}

const PlayedSet *played_set(const Played *played, uint64_t set)
{
    return set < played->set_count ? &played->sets[set] : NULL;
}

/* Room for bits 0..game, the new ones 0. */
static int make_game_room(Played *played, uint64_t game, Err *err)
{
    uint64_t room = played->game_room ? played->game_room : 1024;

    if (game < played->game_room)
        return 0;
    while (room <= game)
        room *= 2;
    uint8_t *games = mem_resize(played->games, room / 8, 1);
    if (!games)
        return err_set(err, ERR_MEMORY, "games played: out of memory");
    memset(games + played->game_room / 8, 0, (room - played->game_room) / 8);
    played->games = games;
    played->game_room = room;
    return 0;
}

static int make_set_room(Played *played, uint64_t set, Err *err)
{
    uint64_t room = played->set_room ? played->set_room : 16;

    while (room <= set)
        room *= 2;
    if (room > played->set_room) {
        PlayedSet *sets = mem_resize(played->sets, room, sizeof(*sets));
        if (!sets)
            return err_set(err, ERR_MEMORY, "sets played: out of memory");
        memset(sets + played->set_room, 0, (room - played->set_room) * sizeof(*sets));
        played->sets = sets;
        played->set_room = room;
    }
    if (set >= played->set_count)
        played->set_count = set + 1;
    return 0;
}

static void copy_names(PlayedSet *set, SeatNo count, const Str *names)
{
    set->seated = true;
    set->count = count;
    for (SeatNo seat = 1; seat <= count; seat++) {
        Str name = str_part(names[seat], 0, AGENT_NAME_MAX);
        memcpy(set->names[seat], name.bytes, name.len);
        set->names[seat][name.len] = '\0';
    }
}

int played_add_set(Played *played, uint64_t set, SeatNo count, const Str *names, Err *err)
{
    if (set > UINT32_MAX || count > SEAT_MAX)
        return err_set(err, ERR_RULE, "no set has number %llu", (unsigned long long)set);
    int rc = make_set_room(played, set, err);
    if (rc == 0)
        copy_names(&played->sets[set], count, names);
    return rc;
}

int played_add_game(Played *played, const GameRecord *record, Err *err)
{
    if (record->game >= STAGE_GAMES_MAX || record->set > record->game)
        return err_set(err, ERR_RULE, "no game has number %llu", (unsigned long long)record->game);
    if (played_has_game(played, record->game))
        return err_set(err, ERR_RULE, "game %llu is there twice", (unsigned long long)record->game);
    int rc = make_game_room(played, record->game, err);
    if (rc == 0)
        rc = make_set_room(played, record->set, err);
    if (rc)
        return rc;
    PlayedSet *set = &played->sets[record->set];
    played->games[record->game / 8] |= (uint8_t)(1u << (record->game % 8));
    played->game_count++;
    if (!set->seated)
        copy_names(set, record->result.seat_count, record->result.names);
    set->games++;
    for (SeatNo seat = 1; seat <= record->result.seat_count; seat++)
        if (record->seats[seat].failed)
            set->failed |= seat_bit(seat);
    if (record->ended_at_ms > set->ended_ms)
        set->ended_ms = record->ended_at_ms;
    if (record->game > set->last)
        set->last = record->game;
    return 0;
}

int played_make_void(Played *played, uint64_t set, Err *err)
{
    if (set > UINT32_MAX)
        return err_set(err, ERR_RULE, "no set has number %llu", (unsigned long long)set);
    int rc = make_set_room(played, set, err);
    if (rc == 0)
        played->sets[set].is_void = true;
    return rc;
}

int played_part(const Played *from, uint64_t first_set, uint64_t sets, uint64_t first_game,
                uint64_t games, Played *ret_played, Err *err)
{
    int rc = 0;

    for (uint64_t game = 0; game < games && first_game + game < from->game_room && rc == 0;
         game++) {
        if (!played_has_game(from, first_game + game))
            continue;
        rc = make_game_room(ret_played, game, err);
        if (rc)
            return rc;
        ret_played->games[game / 8] |= (uint8_t)(1u << (game % 8));
        ret_played->game_count++;
    }
    for (uint64_t set = 0; set < sets && first_set + set < from->set_count && rc == 0; set++) {
        rc = make_set_room(ret_played, set, err);
        if (rc)
            return rc;
        ret_played->sets[set] = from->sets[first_set + set];
        if (ret_played->sets[set].last >= first_game)
            ret_played->sets[set].last -= first_game;
    }
    return rc;
}
