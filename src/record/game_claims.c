#include "record/game_claims.h"

#include "lang/lang.h"

#define CLAIMS_MAX 64 /* of one utterance */

typedef struct Claim {
    LangKind kind;
    SeatNo target;
    Role role;
    Species species;
    int32_t day; /* -1 = not said */
    LangTalk talk;
    int32_t talk_day;
    int32_t talk_id;
} Claim;

typedef struct Claims {
    SeatNo speaker;
    SeatNo seat_count;
    unsigned count;
    Claim items[CLAIMS_MAX];
} Claims;

/* ---- the protocol language ---- */

static bool is_speaker(const Claims *claims, LangAgent agent)
{
    return agent == LANG_UNSPEC || agent == claims->speaker;
}

/* One for each thing that is said of a target. */
static bool claim_known(const Claims *claims, const Claim *claim)
{
    for (unsigned i = 0; i < claims->count; i++) {
        const Claim *other = &claims->items[i];
        bool same = claim->kind == LANG_AGREE || claim->kind == LANG_DISAGREE
                        ? other->talk == claim->talk && other->talk_day == claim->talk_day &&
                              other->talk_id == claim->talk_id
                        : other->target == claim->target && other->day == claim->day;
        if (other->kind == claim->kind && same)
            return true;
    }
    return false;
}

static void add_claim(Claims *claims, const Claim *claim)
{
    if (claims->count < CLAIMS_MAX && !claim_known(claims, claim))
        claims->items[claims->count++] = *claim;
}

/* A verb whose subject is the speaker. */
static void take_verb(Claims *claims, const Sentence *node, int32_t day)
{
    Claim claim = {.kind = node->kind, .day = day, .role = node->role, .species = node->species};
    bool on_seat = node->target >= 1 && node->target <= claims->seat_count;

    claim.target = on_seat ? (SeatNo)node->target : SEAT_NONE;
    switch (node->kind) {
    case LANG_COMINGOUT:
        if (on_seat && node->role != LANG_ROLE_ANY)
            add_claim(claims, &claim);
        break;
    case LANG_ESTIMATE:
        if (on_seat && (node->role == ROLE_WEREWOLF || node->role == ROLE_POSSESSED))
            add_claim(claims, &claim);
        break;
    case LANG_DIVINED:
    case LANG_IDENTIFIED:
        if (on_seat && node->species != LANG_SPECIES_ANY)
            add_claim(claims, &claim);
        break;
    case LANG_GUARDED:
    case LANG_VOTE:
    case LANG_VOTED:
        if (on_seat)
            add_claim(claims, &claim);
        break;
    case LANG_AGREE:
    case LANG_DISAGREE:
        claim.talk = node->talk;
        claim.talk_day = node->day;
        claim.talk_id = node->talk_id;
        add_claim(claims, &claim);
        break;
    case LANG_DIVINATION:
    case LANG_GUARD:
    case LANG_ATTACK:
    case LANG_ATTACKED:
    case LANG_SKIP:
    case LANG_OVER:
    case LANG_REQUEST:
    case LANG_INQUIRE:
    case LANG_BECAUSE:
    case LANG_DAY:
    case LANG_NOT:
    case LANG_AND:
    case LANG_OR:
    case LANG_XOR:
    case LANG_KIND_COUNT:
        break;
    }
}

/* What the speaker says to hold: reasons and actions, all of an AND, what was on a day. Goes down
 * at most LANG_DEPTH_MAX levels: no sentence is higher. */
static void take_sentence(Claims *claims, const Sentence *node, int32_t day)
{
    if (!is_speaker(claims, node->subject))
        return;
    switch (node->kind) {
    case LANG_DAY:
        day = node->day;
        break;
    case LANG_BECAUSE:
    case LANG_AND:
        break;
    case LANG_REQUEST:
    case LANG_INQUIRE:
    case LANG_NOT:
    case LANG_OR:
    case LANG_XOR:
        return;
    case LANG_ESTIMATE:
    case LANG_COMINGOUT:
    case LANG_DIVINATION:
    case LANG_GUARD:
    case LANG_VOTE:
    case LANG_ATTACK:
    case LANG_GUARDED:
    case LANG_VOTED:
    case LANG_ATTACKED:
    case LANG_DIVINED:
    case LANG_IDENTIFIED:
    case LANG_AGREE:
    case LANG_DISAGREE:
    case LANG_SKIP:
    case LANG_OVER:
    case LANG_KIND_COUNT:
        take_verb(claims, node, day);
        return;
    }
    for (const Sentence *content = node->child; content; content = content->next)
        take_sentence(claims, content, day);
}

static void put_claim(const Claim *claim, Json *json)
{
    bool reference = claim->kind == LANG_AGREE || claim->kind == LANG_DISAGREE;

    json_open(json, '{');
    json_add_str(json, "kind", str_of(lang_kind_name(claim->kind)));
    if (claim->target != SEAT_NONE)
        json_add_uint(json, "target", claim->target);
    if (claim->kind == LANG_COMINGOUT || claim->kind == LANG_ESTIMATE)
        json_add_str(json, "role", str_of(role_name(claim->role)));
    if (claim->kind == LANG_DIVINED || claim->kind == LANG_IDENTIFIED)
        json_add_str(json, "species", str_of(species_name(claim->species)));
    if (claim->day >= 0)
        json_add_int(json, "day", claim->day);
    if (reference) {
        char about[48]; /* the anchor of the utterance */
        snprintf(about, sizeof(about), "d%d%c%d", (int)claim->talk_day,
                 claim->talk == LANG_WHISPER ? 'w' : 't', (int)claim->talk_id);
        json_add_str(json, "about", str_of(about));
    }
    json_close(json);
}

/* Of what one says of oneself, and has found out. */
static void keep_fact(const Claim *claim, SeatNo speaker, BeliefFacts *facts)
{
    if (claim->kind == LANG_COMINGOUT && claim->target == speaker)
        belief_fact_claim(facts, speaker, claim->role);
    else if (claim->kind == LANG_DIVINED || claim->kind == LANG_IDENTIFIED)
        belief_fact_judge(facts, speaker, claim->kind == LANG_IDENTIFIED, claim->target,
                          claim->species);
}

static void put_plain(const Sentence *sentence, SeatNo speaker, Json *json)
{
    CLEANUP(buf_done) Buf text = {0};

    json_key(json, STR("plain"));
    json_open(json, '{');
    lang_plain(sentence, speaker, LANG_ENGLISH, &text);
    json_add_str(json, "en", buf_str(&text));
    buf_clear(&text);
    lang_plain(sentence, speaker, LANG_JAPANESE, &text);
    json_add_str(json, "ja", buf_str(&text));
    json_close(json);
    if (buf_failed(&text))
        buf_fail(json->out);
}

void claims_put_sentence(Str text, SeatNo speaker, SeatNo seat_count, Arena *arena,
                         BeliefFacts *facts, Json *json)
{
    Claims claims = {.speaker = speaker, .seat_count = seat_count};
    const Sentence *sentence;

    arena_clear(arena);
    if (lang_parse(text, arena, &sentence, NULL))
        return;
    take_sentence(&claims, sentence, -1);
    if (claims.count > 0) {
        json_key(json, STR("says"));
        json_open(json, '[');
        for (unsigned i = 0; i < claims.count; i++)
            put_claim(&claims.items[i], json);
        json_close(json);
    }
    for (unsigned i = 0; facts && i < claims.count; i++)
        keep_fact(&claims.items[i], speaker, facts);
    put_plain(sentence, speaker, json);
}

#define OWN_CLAIM_BYTES 1024 /* of an utterance */

/* Most that is said has none: from one C to the next. */
static bool has_comingout(Str text)
{
    const Str word = STR("COMINGOUT");
    const char *at;

    while (text.len >= word.len && (at = memchr(text.bytes, 'C', text.len))) {
        text = str_part(text, (size_t)(at - text.bytes), text.len);
        if (str_starts(text, word))
            return true;
        text = str_part(text, 1, text.len);
    }
    return false;
}

/* Of a text that may have some. */
static RoleSet read_own_roles(Str text, SeatNo speaker, SeatNo seat_count)
{
    Claims claims = {.speaker = speaker, .seat_count = seat_count};
    char room[LANG_ARENA_BYTES(OWN_CLAIM_BYTES)];
    Arena arena = arena_over(room, sizeof(room));
    const Sentence *sentence;
    RoleSet roles = 0;

    if (lang_parse(text, &arena, &sentence, NULL))
        return 0;
    take_sentence(&claims, sentence, -1);
    for (unsigned i = 0; i < claims.count; i++)
        if (claims.items[i].kind == LANG_COMINGOUT && claims.items[i].target == speaker)
            roles |= (RoleSet)1 << claims.items[i].role;
    return roles;
}

RoleSet claims_own_roles(Str text, SeatNo speaker, SeatNo seat_count)
{
    return text.len <= OWN_CLAIM_BYTES && has_comingout(text)
               ? read_own_roles(text, speaker, seat_count)
               : 0;
}

/* ---- natural language ---- */

/* The sentence that announces a vote: bot/talker_words.c, LINE_VOTE. */
static const struct {
    const char *before;
    const char *behind;
} announcements[] = {{"I will vote for ", "."}, {"", "さんに投票します。"}};

static bool announces_vote(Str text, Str name)
{
    for (size_t i = 0; i < sizeof(announcements) / sizeof(announcements[0]); i++) {
        Str before = str_of(announcements[i].before), behind = str_of(announcements[i].behind);
        if (text.len == before.len + name.len + behind.len && str_starts(text, before) &&
            str_eq(str_part(text, before.len, name.len), name) &&
            str_eq(str_part(text, before.len + name.len, behind.len), behind))
            return true;
    }
    return false;
}

void claims_put_vote(Str text, SeatNo speaker, const DocSeat *seats, SeatNo seat_count, Json *json)
{
    for (SeatNo seat = 1; seat <= seat_count; seat++) {
        if (seat == speaker || seats[seat].name.len == 0 || !announces_vote(text, seats[seat].name))
            continue;
        json_key(json, STR("says"));
        json_open(json, '[');
        put_claim(&(Claim){.kind = LANG_VOTE, .target = seat, .day = -1}, json);
        json_close(json);
        return;
    }
}
