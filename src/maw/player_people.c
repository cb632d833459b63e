#include "maw/player_own.h"

/* ---- who is who ---- */

/* Accounts are the same whatever the case and the resource. */
static bool same_jid(Str a, Str b)
{
    return a.len && b.len && player_same_word(jid_bare(a), jid_bare(b));
}

bool player_is_me(const MawPlayer *player, Str jid_or_name)
{
    return same_jid(jid_or_name, str_of(player->bare)) ||
           player_same_word(jid_or_name, str_of(player->me));
}

MawKnownPlayer *player_find(MawPlayer *player, Str jid_or_name)
{
    if (jid_or_name.len == 0)
        return NULL;
    for (uint32_t i = 0; i < player->known.player_count; i++)
        if (same_jid(jid_or_name, player->people[i].jid))
            return &player->people[i];
    for (uint32_t i = 0; i < player->known.player_count; i++)
        if (str_eq(jid_or_name, player->people[i].name))
            return &player->people[i];
    for (uint32_t i = 0; i < player->known.player_count; i++)
        if (player_same_word(jid_or_name, player->people[i].name))
            return &player->people[i];
    return NULL;
}

static PersonTexts *texts_of(MawPlayer *player, const MawKnownPlayer *person)
{
    return &player->texts[person - player->people];
}

/* The JID's node stands for a name until one is told. */
static void name_person(MawPlayer *player, MawKnownPlayer *person, Str name)
{
    PersonTexts *texts = texts_of(player, person);

    if (name.len == 0 && person->name.len)
        return;
    texts->name_is_jid = name.len == 0;
    if (name.len == 0)
        name = player_is_me(player, person->jid) ? str_of(player->me) : jid_local(person->jid);
    if (name.len == 0)
        name = person->jid;
    if (!player_keep(texts->name, sizeof(texts->name), name))
        player_keep(texts->name, sizeof(texts->name), STR("?"));
    person->name = str_of(texts->name);
}

MawKnownPlayer *player_meet(MawPlayer *player, Str jid, Str name)
{
    MawKnownPlayer *person = player_find(player, jid);

    jid = jid_bare(jid);
    if (!person && name.len) {
        person = player_find(player, name);
        if (person && person->jid.len && jid.len)
            person = NULL; /* another one, of the same node or name */
    }
    if (!person) {
        if (player->known.player_count == MAW_LIST_MAX || (jid.len == 0 && name.len == 0))
            return NULL;
        person = &player->people[player->known.player_count++];
        *person = (MawKnownPlayer){.alive = true};
        *texts_of(player, person) = (PersonTexts){0};
    }
    PersonTexts *texts = texts_of(player, person);
    if (jid.len && person->jid.len == 0 && player_keep(texts->jid, sizeof(texts->jid), jid)) {
        person->jid = str_of(texts->jid);
        player->people_have_jids = true;
    }
    if (person->name.len == 0 || (name.len && texts->name_is_jid))
        name_person(player, person, name);
    return person;
}

void player_seat_people(MawPlayer *player, const MawPerson *people, uint32_t count)
{
    char names[MAW_LIST_MAX][NAME_BYTES];
    int64_t points[MAW_LIST_MAX];
    uint32_t before = player->known.player_count;

    for (uint32_t i = 0; i < before; i++) {
        memcpy(names[i], player->texts[i].name, NAME_BYTES);
        points[i] = player->people[i].points;
    }
    player->known.player_count = 0;
    player->people_have_jids = false;
    for (uint32_t i = 0; i < count; i++)
        player_meet(player, people[i].jid, people[i].name);
    for (uint32_t i = 0; i < before; i++) {
        MawKnownPlayer *person = player_find(player, str_of(names[i]));
        if (person)
            person->points = points[i];
    }
}

Str player_name_of(MawPlayer *player, Str jid_or_name)
{
    const MawKnownPlayer *person = player_find(player, jid_or_name);

    if (person)
        return person->name;
    if (player_is_me(player, jid_or_name))
        return str_of(player->me);
    Str local = jid_local(jid_or_name);
    return local.len ? local : jid_or_name;
}

/* ---- what is known of them ---- */

void player_clear_votes(MawPlayer *player)
{
    for (uint32_t i = 0; i < player->known.player_count; i++) {
        player->people[i].votes = 0;
        player->people[i].votes_for = (Str){0};
    }
}

void player_revive(MawPlayer *player)
{
    player_clear_votes(player);
    for (uint32_t i = 0; i < player->known.player_count; i++) {
        MawKnownPlayer *person = &player->people[i];
        person->alive = true;
        person->mate = false;
        person->cause = (Str){0};
        person->role = (Str){0};
        person->lines = 0;
    }
}

void player_set_role(MawPlayer *player, MawKnownPlayer *person, Str role)
{
    PersonTexts *texts = texts_of(player, person);

    if (player_keep(texts->role, sizeof(texts->role), role))
        person->role = str_of(texts->role);
}

void player_set_dead(MawPlayer *player, MawKnownPlayer *person, Str cause)
{
    PersonTexts *texts = texts_of(player, person);

    if (!person->alive && person->cause.len)
        return;
    person->alive = false;
    player_keep(texts->cause, sizeof(texts->cause), cause);
    person->cause = str_of(texts->cause);
}

void player_set_vote(MawPlayer *player, MawKnownPlayer *who, const MawKnownPlayer *whom)
{
    MawKnownPlayer *before = player_find(player, who->votes_for);

    if (before && before->votes > 0)
        before->votes--;
    who->votes_for = whom ? whom->name : (Str){0};
    if (whom)
        player->people[whom - player->people].votes++;
}
