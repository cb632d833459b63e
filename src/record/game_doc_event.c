/* From events to entries: who is told what, when, and under which anchor. docs/spec/web.md 4.1 to
 * 4.3.
 *
 * What everybody is told keeps its place among what few are told, so that a view with less is never
 * in another order. Of a night the village knows that it begins and that it ends. */
#include "base/utf8.h"
#include "record/game_doc_own.h"

#define PAIR_MAX    1000 /* whispers of one to another a day; no table lets anybody say so many */
#define FAULTS_TOLD 100  /* of one seat a day; an agent may commit any number */

static bool is_open(const GameDoc *doc, SeatSet known_to)
{
    SeatSet all = seat_all(doc->seat_count);

    return (known_to & all) == all;
}

static unsigned count_role(const GameDoc *doc, Role role)
{
    unsigned count = 0;

    for (SeatNo seat = 1; seat <= doc->seat_count; seat++)
        count += doc->roles[seat] == role;
    return count;
}

static SeatSet seats_of_role(const GameDoc *doc, Role role)
{
    SeatSet seats = 0;

    for (SeatNo seat = 1; seat <= doc->seat_count; seat++)
        seats |= doc->roles[seat] == role ? seat_bit(seat) : 0;
    return seats;
}

/* ---- writing one entry ---- */

static DocPlace place_here(const GameDoc *doc, DocAction action, TimeMs time)
{
    return (DocPlace){
        .day = doc->follow.day, .night = doc->follow.night, .action = action, .time = time};
}

/* What was told to everybody, as far as the clock goes. */
static void close_told(GameDoc *doc, Json *json, SeatSet known_to, TimeMs time)
{
    bool open = is_open(doc, known_to);

    if (open && time > doc->follow.told)
        doc->follow.told = time;
    doc_entry_close(doc, json, open, known_to);
}

/* "d2div", or "d2div.4" where the game has several of the role: all know how many it has. */
static void actor_anchor(const GameDoc *doc, const char *word, SeatNo seat, Role role, char *out)
{
    if (count_role(doc, role) > 1)
        snprintf(out, DOC_ANCHOR_MAX + 1, "d%u%s.%u", doc->follow.day, word, seat);
    else
        snprintf(out, DOC_ANCHOR_MAX + 1, "d%u%s", doc->follow.day, word);
}

/* ---- dawn ---- */

static void tell_night(GameDoc *doc)
{
    DocFollow *follow = &doc->follow;
    char anchor[DOC_ANCHOR_MAX + 1];
    Json json;

    if (!follow->night_due)
        return;
    follow->night_due = false;
    follow->night = true;
    snprintf(anchor, sizeof(anchor), "d%un", follow->day);
    const DocPlace place = place_here(doc, DOC_NIGHT, follow->told);
    doc_entry_open(doc, &place, "night", anchor, &json);
    doc_entry_close(doc, &json, true, 0);
}

/* What everybody learns of an execution that some were told of at once. */
static void tell_executed(GameDoc *doc, DocAction action, TimeMs time)
{
    DocFollow *follow = &doc->follow;
    const DocPlace place = place_here(doc, action, time);
    char anchor[DOC_ANCHOR_MAX + 1];
    Json json;

    if (!follow->execution)
        return;
    follow->execution = false;
    snprintf(anchor, sizeof(anchor), "d%um%u", follow->day, follow->executed);
    doc_entry_open(doc, &place, "execute", anchor, &json);
    if (follow->executed != SEAT_NONE)
        json_add_uint(&json, "seat", follow->executed);
    doc_entry_close(doc, &json, true, 0);
}

/* By what somebody died in the night is known where there is only one way. */
static void tell_death(GameDoc *doc, SeatNo seat, const char *letter, const char *cause,
                       DocAction action, TimeMs time)
{
    const DocPlace place = place_here(doc, action, time);
    char anchor[DOC_ANCHOR_MAX + 1];
    Json json;

    snprintf(anchor, sizeof(anchor), "d%u%s%u", doc->follow.day, letter, seat);
    doc_entry_open(doc, &place, "death", anchor, &json);
    json_add_uint(&json, "seat", seat);
    if (cause)
        json_add_str(&json, "cause", str_of(cause));
    doc_entry_close(doc, &json, true, 0);
    if (letter[0] == 'm') /* by the wolves, or a seer's look: no wolf */
        belief_fact_killed(&doc->facts, seat);
}

/* Of who leaves in a night of rooms, those in the wolves' room are told at once. */
static void tell_left(GameDoc *doc, SeatNo seat, SeatSet to, TimeMs time)
{
    const DocPlace place = place_here(doc, DOC_ROOM, time);
    char anchor[DOC_ANCHOR_MAX + 1];
    Json json;

    snprintf(anchor, sizeof(anchor), "d%ul%u.w", doc->follow.day, seat);
    doc_entry_open(doc, &place, "death", anchor, &json);
    json_add_uint(&json, "seat", seat);
    json_add_str(&json, "cause", STR("left"));
    doc_entry_close(doc, &json, false, to);
}

static void tell_identified(GameDoc *doc, SeatNo medium, DocAction action, TimeMs time)
{
    const DocPlace place = place_here(doc, action, time);
    char anchor[DOC_ANCHOR_MAX + 1];
    Json json;

    actor_anchor(doc, "id", medium, ROLE_MEDIUM, anchor);
    doc_entry_open(doc, &place, "identify", anchor, &json);
    json_add_uint(&json, "seat", medium);
    json_add_uint(&json, "target", doc->follow.identified);
    json_add_str(&json, "species", str_of(species_name(doc->follow.species)));
    doc_entry_close(doc, &json, false, seat_bit(medium));
}

/* What the night has brought. */
static void tell_dawn(GameDoc *doc, DocAction action, TimeMs time)
{
    DocFollow *follow = &doc->follow;
    const char *cause = count_role(doc, ROLE_FOX) == 0 ? "attacked" : NULL;

    tell_executed(doc, action, time);
    for (SeatSet left = follow->deaths; left; left &= left - 1)
        tell_death(doc, seat_first(left), "m", cause, action, time);
    for (SeatSet left = follow->left; left; left &= left - 1)
        tell_death(doc, seat_first(left), "l", "left", action, time);
    for (SeatSet left = follow->mediums; left; left &= left - 1)
        tell_identified(doc, seat_first(left), action, time);
    follow->deaths = follow->left = follow->mediums = follow->killed = 0;
    follow->executed = SEAT_NONE;
}

static void begin_day(GameDoc *doc, uint16_t day, TimeMs time)
{
    DocFollow *follow = &doc->follow;
    char anchor[DOC_ANCHOR_MAX + 1];
    Json json;

    tell_night(doc); /* of the day before */
    follow->day = day;
    follow->begun = true;
    follow->night = follow->room = false;
    follow->base = follow->dead;
    follow->ghosts = follow->whispers = follow->notices = 0;
    follow->graves = follow->told_whispers = 0;
    follow->standing[0] = follow->standing[1] = 0;
    memset(follow->own_standing, 0, sizeof(follow->own_standing));
    doc->errored_told |= doc->errored;
    snprintf(anchor, sizeof(anchor), "d%u", day);
    const DocPlace place = place_here(doc, DOC_DAWN, time);
    doc_entry_open(doc, &place, "day", anchor, &json);
    close_told(doc, &json, seat_all(doc->seat_count), time);
    tell_dawn(doc, DOC_DAWN, time);
    belief_fact_moment(&doc->facts, anchor);
}

/* ---- talk ---- */

static const char *quiet_word(Str text)
{
    if (str_eq(text, STR("Skip")))
        return "skip";
    if (str_eq(text, STR("Over")))
        return "over";
    return str_eq(text, STR("ForceSkip")) ? "forced" : NULL;
}

/* What the text says, and what it means in plain words. */
static void put_meaning(GameDoc *doc, SeatNo seat, Str text, BeliefFacts *facts, Json *json)
{
    const char *quiet = doc->division == DOC_MAW ? NULL : quiet_word(text);

    if (quiet)
        json_add_str(json, "quiet", str_of(quiet));
    else if (doc->division == DOC_PROTOCOL)
        claims_put_sentence(text, seat, doc->seat_count, &doc->sentences, facts, json);
    else
        claims_put_vote(text, seat, doc->seats, doc->seat_count, json);
}

/* `facts`: of what everybody hears. */
static void put_speech(GameDoc *doc, const Talk *talk, bool numbered, BeliefFacts *facts,
                       Json *json)
{
    json_add_uint(json, "seat", talk->seat);
    if (numbered) {
        if (talk->turn != DOC_NO_TURN)
            json_add_uint(json, "turn", talk->turn);
        json_add_uint(json, "idx", talk->idx);
    }
    json_add_str(json, "text", talk->text);
    if (doc->follow.room)
        json_add_str(json, "room", doc->follow.night ? STR("hideout") : STR("village"));
    put_meaning(doc, talk->seat, talk->text, facts, json);
}

static void hear_talk(GameDoc *doc, const Event *event)
{
    const DocPlace place = place_here(doc, doc->follow.room ? DOC_ROOM : DOC_TALK, event->time);
    char anchor[DOC_ANCHOR_MAX + 1];
    Json json;

    snprintf(anchor, sizeof(anchor), "d%ut%u", doc->follow.day, event->talk->idx);
    doc_entry_open(doc, &place, "talk", anchor, &json);
    put_speech(doc, event->talk, true, is_open(doc, event->known_to) ? &doc->facts : NULL, &json);
    close_told(doc, &json, event->known_to, event->time);
}

/* Of those who hear the wolves, how many have died since all of them were counted. */
static unsigned new_ghosts(const GameDoc *doc, SeatSet known_to)
{
    return seat_count_of(known_to & ~seats_of_role(doc, ROLE_WEREWOLF) & ~doc->follow.base);
}

/* Ghosts that hear the wolves must not see how often they whispered before: from then on whispers
 * are counted anew, and neither number nor turn of the session is told. */
static void count_ghosts(GameDoc *doc, SeatSet known_to)
{
    unsigned ghosts = new_ghosts(doc, known_to);

    if (ghosts == doc->follow.ghosts)
        return;
    doc->follow.ghosts = ghosts;
    doc->follow.whispers = doc->follow.standing[1] = 0;
}

static void hear_whisper(GameDoc *doc, const Event *event)
{
    DocFollow *follow = &doc->follow;
    const DocPlace place = place_here(doc, follow->room ? DOC_ROOM : DOC_WHISPER, event->time);
    char anchor[DOC_ANCHOR_MAX + 1];
    Json json;

    count_ghosts(doc, event->known_to);
    if (follow->ghosts > 0)
        snprintf(anchor, sizeof(anchor), "d%uw%u.g%u", follow->day, follow->whispers++,
                 follow->ghosts);
    else
        snprintf(anchor, sizeof(anchor), "d%uw%u", follow->day, event->talk->idx);
    doc_entry_open(doc, &place, "whisper", anchor, &json);
    put_speech(doc, event->talk, follow->ghosts == 0, NULL, &json);
    close_told(doc, &json, event->known_to, event->time);
}

/* ---- votes ---- */

/* Of everybody's, the wolves' and one seat's own votes each are counted for themselves. */
static void standing_anchor(GameDoc *doc, const Event *event, char *out)
{
    DocFollow *follow = &doc->follow;

    if (is_open(doc, event->known_to))
        snprintf(out, DOC_ANCHOR_MAX + 1, "d%us%u", follow->day, ++follow->standing[0]);
    else if (event->known_to == seat_bit(event->seat) && !follow->night)
        snprintf(out, DOC_ANCHOR_MAX + 1, "d%us.%u.%u", follow->day, event->seat,
                 ++follow->own_standing[event->seat]);
    else {
        count_ghosts(doc, event->known_to);
        snprintf(out, DOC_ANCHOR_MAX + 1, "d%uas%u.g%u", follow->day, ++follow->standing[1],
                 follow->ghosts);
    }
}

static void hear_standing(GameDoc *doc, const Event *event)
{
    const DocPlace place = place_here(doc, DOC_ROOM, event->time);
    char anchor[DOC_ANCHOR_MAX + 1];
    Json json;

    standing_anchor(doc, event, anchor);
    doc_entry_open(doc, &place, "standing", anchor, &json);
    json_add_uint(&json, "seat", event->seat);
    json_add_uint(&json, "target", event->target);
    if (event->talk && event->talk->text.len > 0)
        json_add_str(&json, "text", event->talk->text);
    close_told(doc, &json, event->known_to, event->time);
}

static void hear_vote(GameDoc *doc, const Event *event)
{
    bool attack = event->kind == EVENT_ATTACK_VOTE;
    const DocPlace place = place_here(doc, attack ? DOC_ATTACK : DOC_VOTE, event->time);
    char anchor[DOC_ANCHOR_MAX + 1];
    Json json;

    snprintf(anchor, sizeof(anchor), "d%u%s%u.%u", doc->follow.day, attack ? "av" : "v",
             event->round, event->seat);
    doc_entry_open(doc, &place, attack ? "attack_vote" : "vote", anchor, &json);
    json_add_uint(&json, "seat", event->seat);
    json_add_uint(&json, "target", event->target);
    json_add_uint(&json, "round", event->round);
    close_told(doc, &json, event->known_to, event->time);
}

static void hear_execute(GameDoc *doc, const Event *event)
{
    DocFollow *follow = &doc->follow;
    const DocPlace place = place_here(doc, DOC_VOTE, event->time);
    char anchor[DOC_ANCHOR_MAX + 1];
    Json json;

    snprintf(anchor, sizeof(anchor), "d%ux", follow->day);
    doc_entry_open(doc, &place, "execute", anchor, &json);
    if (event->seat != SEAT_NONE)
        json_add_uint(&json, "seat", event->seat);
    close_told(doc, &json, event->known_to, event->time);
    if (is_open(doc, event->known_to))
        belief_fact_moment(&doc->facts, anchor);
    follow->execution = !is_open(doc, event->known_to);
    follow->executed = event->seat;
    if (event->seat != SEAT_NONE)
        follow->dead |= seat_bit(event->seat);
}

/* ---- the night ---- */

static void hear_look(GameDoc *doc, const Event *event)
{
    bool divine = event->kind == EVENT_DIVINE;
    const DocPlace place = place_here(doc, divine ? DOC_DIVINE : DOC_GUARD, event->time);
    char anchor[DOC_ANCHOR_MAX + 1];
    Json json;

    if (divine)
        actor_anchor(doc, "div", event->seat, ROLE_SEER, anchor);
    else
        actor_anchor(doc, "g", event->seat, ROLE_BODYGUARD, anchor);
    doc_entry_open(doc, &place, divine ? "divine" : "guard", anchor, &json);
    json_add_uint(&json, "seat", event->seat);
    json_add_uint(&json, "target", event->target);
    if (divine)
        json_add_str(&json, "species", str_of(species_name(event->species)));
    close_told(doc, &json, event->known_to, event->time);
    if (divine && doc->roles[event->target] == ROLE_FOX)
        doc->follow.killed |= seat_bit(event->target);
}

static void hear_attack(GameDoc *doc, const Event *event)
{
    const DocPlace place = place_here(doc, DOC_ATTACK, event->time);
    char anchor[DOC_ANCHOR_MAX + 1];
    Json json;

    snprintf(anchor, sizeof(anchor), "d%uk", doc->follow.day);
    doc_entry_open(doc, &place, "attack", anchor, &json);
    json_add_uint(&json, "target", event->target);
    json_add_bool(&json, "killed", event->killed);
    close_told(doc, &json, event->known_to, event->time);
    if (event->killed)
        doc->follow.killed |= seat_bit(event->target);
}

/* Of who leaves by day everybody is told at once; of the night's dead, at dawn. */
static void hear_death(GameDoc *doc, const Event *event)
{
    DocFollow *follow = &doc->follow;
    SeatSet ghosts = doc->ghosts_see ? follow->dead : 0;

    if (seat_in(follow->killed, event->seat)) {
        follow->deaths |= seat_bit(event->seat);
    } else if (follow->room && follow->night) {
        follow->left |= seat_bit(event->seat);
        tell_left(doc, event->seat, seats_of_role(doc, ROLE_WEREWOLF) | ghosts, event->time);
    } else {
        tell_death(doc, event->seat, "l", "left", follow->room ? DOC_ROOM : DOC_ANY, event->time);
    }
    follow->dead |= seat_bit(event->seat);
}

/* ---- who is what, and the end ---- */

/* Several may learn of one seat, each for itself. */
static void role_anchor(const GameDoc *doc, const Event *event, char *out)
{
    SeatSet to = event->known_to;
    unsigned day = doc->follow.day;

    if (seat_count_of(to) == 1)
        snprintf(out, DOC_ANCHOR_MAX + 1, "d%ur%u.%u", day, event->seat, seat_first(to));
    else
        snprintf(out, DOC_ANCHOR_MAX + 1, "d%ur%u%s", day, event->seat,
                 is_open(doc, to) ? "" : ".w");
}

static void hear_role(GameDoc *doc, const Event *event)
{
    char anchor[DOC_ANCHOR_MAX + 1];
    Json json;

    if (!doc->follow.begun) {
        doc->roles[event->seat] = (uint8_t)event->role;
        doc->role_to[event->seat] = event->known_to;
        return;
    }
    const DocPlace place = place_here(doc, doc->follow.room ? DOC_ROOM : DOC_ANY, event->time);
    role_anchor(doc, event, anchor);
    doc_entry_open(doc, &place, "role", anchor, &json);
    json_add_uint(&json, "seat", event->seat);
    if (event->role != ROLE_NONE)
        json_add_str(&json, "role", str_of(role_name(event->role)));
    else
        json_add_str(&json, "species", str_of(species_name(event->species)));
    close_told(doc, &json, event->known_to, event->time);
}

static void hear_end(GameDoc *doc, const Event *event)
{
    static const char *const reasons[] = {"win", "max_day", "idle", "aborted"};
    Json json;

    if (!doc->follow.begun || event->day != doc->follow.day)
        begin_day(doc, event->day, event->time);
    else
        tell_dawn(doc, DOC_END, event->time);
    doc->over = true;
    doc->winner = event->winner;
    doc->follow.ended = true;
    const DocPlace place = place_here(doc, DOC_END, event->time);
    doc_entry_open(doc, &place, "end", "end", &json);
    json_add_str(&json, "winner",
                 event->winner == SIDE_OTHERS ? STR("FOX") : str_of(side_name(event->winner)));
    if (event->reason != END_WIN)
        json_add_str(&json, "reason", str_of(reasons[event->reason]));
    json_add_uint(&json, "humans", event->humans);
    json_add_uint(&json, "wolves", event->wolves);
    close_told(doc, &json, seat_all(doc->seat_count), event->time);
}

/* The entry just made is told when the game is over. */
static void mark_after(GameDoc *doc)
{
    if (!game_doc_failed(doc))
        doc->entries[doc->count - 1].after = true;
}

/* Who was what, and what it gets for it. */
static void hear_result(GameDoc *doc, const Event *event)
{
    bool reveal = event->kind == EVENT_REVEAL;
    const DocPlace place = place_here(doc, DOC_END, event->time);
    char anchor[DOC_ANCHOR_MAX + 1];
    Json json;

    if (reveal)
        doc->roles[event->seat] = (uint8_t)event->role;
    snprintf(anchor, sizeof(anchor), "%s%u", reveal ? "r" : "p", event->seat);
    doc_entry_open(doc, &place, reveal ? "reveal" : "score", anchor, &json);
    json_add_uint(&json, "seat", event->seat);
    if (reveal)
        json_add_str(&json, "role", str_of(role_name(event->role)));
    else
        json_add_int(&json, "points", event->points);
    close_told(doc, &json, event->known_to, event->time);
    mark_after(doc);
}

/* ---- every event ---- */

/* The ballot still belongs to the day; what comes behind it, to the night. */
static bool night_waits(const Event *event)
{
    return event->kind == EVENT_VOTE || event->kind == EVENT_EXECUTE || event->kind == EVENT_ROLE ||
           (event->kind == EVENT_PHASE && event->action == ACTION_EXECUTION);
}

static void hear_phase(GameDoc *doc, const Event *event)
{
    doc->follow.room = event->action == ACTION_VILLAGE || event->action == ACTION_HIDEOUT;
}

static void hear_night(GameDoc *doc)
{
    DocFollow *follow = &doc->follow;

    follow->night_due = true;
    if (doc->night_whispers) /* so none was counted */
        follow->base = follow->dead;
}

void game_doc_heard(GameDoc *doc, const Event *event)
{
    if (doc->follow.night_due && !night_waits(event))
        tell_night(doc);
    switch (event->kind) {
    case EVENT_ROLE:
        hear_role(doc, event);
        break;
    case EVENT_DAY:
        begin_day(doc, event->day, event->time);
        break;
    case EVENT_PHASE:
        hear_phase(doc, event);
        break;
    case EVENT_PHASE_END:
    case EVENT_BID:
        break;
    case EVENT_TALK:
        hear_talk(doc, event);
        break;
    case EVENT_WHISPER:
        hear_whisper(doc, event);
        break;
    case EVENT_STANDING:
        hear_standing(doc, event);
        break;
    case EVENT_VOTE:
    case EVENT_ATTACK_VOTE:
        hear_vote(doc, event);
        break;
    case EVENT_EXECUTE:
        hear_execute(doc, event);
        break;
    case EVENT_NIGHT:
        hear_night(doc);
        break;
    case EVENT_DIVINE:
    case EVENT_GUARD:
        hear_look(doc, event);
        break;
    case EVENT_ATTACK:
        hear_attack(doc, event);
        break;
    case EVENT_IDENTIFY:
        doc->follow.mediums |= seat_bit(event->seat);
        doc->follow.identified = event->target;
        doc->follow.species = event->species;
        break;
    case EVENT_DEATH:
        hear_death(doc, event);
        break;
    case EVENT_END:
        hear_end(doc, event);
        break;
    case EVENT_REVEAL:
    case EVENT_SCORE:
        hear_result(doc, event);
        break;
    }
}

/* ---- what is no event of the game ---- */

/* What the dead say to each other is counted anew when one more hears it. */
static void grave_anchor(GameDoc *doc, char *out)
{
    DocFollow *follow = &doc->follow;
    unsigned buried = seat_count_of(follow->dead);

    if (buried != follow->buried)
        follow->graves = 0;
    follow->buried = buried;
    snprintf(out, DOC_ANCHOR_MAX + 1, "d%uy%u.%u", follow->day, buried, ++follow->graves);
}

/* Whispers are counted for each pair. */
static bool pair_anchor(const GameDoc *doc, const DocSaid *said, char *out)
{
    for (unsigned i = 1; i <= PAIR_MAX; i++) {
        snprintf(out, DOC_ANCHOR_MAX + 1, "d%up%u.%u.%u", doc->follow.day, said->seat, said->target,
                 i);
        if (!doc_anchor_taken(doc, str_of(out)))
            return true;
    }
    return false;
}

/* That somebody whispered to somebody, without a word of it. */
static void tell_whispering(GameDoc *doc, const DocSaid *said, TimeMs time)
{
    const DocPlace place = place_here(doc, DOC_ROOM, time);
    char anchor[DOC_ANCHOR_MAX + 1];
    Json json;

    snprintf(anchor, sizeof(anchor), "d%uq%u", doc->follow.day, ++doc->follow.told_whispers);
    doc_entry_open(doc, &place, "whisper", anchor, &json);
    json_add_uint(&json, "seat", said->seat);
    json_add_uint(&json, "target", said->target);
    json_add_str(&json, "room", STR("private"));
    close_told(doc, &json, seat_all(doc->seat_count), time);
}

void game_doc_said(GameDoc *doc, const DocSaid *said, TimeMs time)
{
    const DocPlace place = place_here(doc, DOC_ROOM, time);
    bool private = said->target != SEAT_NONE;
    char anchor[DOC_ANCHOR_MAX + 1];
    Json json;

    if (said->seen_by_all)
        tell_whispering(doc, said, time);
    if (!private)
        grave_anchor(doc, anchor);
    else if (!pair_anchor(doc, said, anchor))
        return;
    doc_entry_open(doc, &place, "whisper", anchor, &json);
    json_add_uint(&json, "seat", said->seat);
    if (private)
        json_add_uint(&json, "target", said->target);
    json_add_str(&json, "text", said->text);
    json_add_str(&json, "room", private ? STR("private") : STR("graveyard"));
    doc_entry_close(doc, &json, false, said->to);
}

void game_doc_notice(GameDoc *doc, Str text, TimeMs time)
{
    const DocPlace place = place_here(doc, DOC_ANY, time);
    char anchor[DOC_ANCHOR_MAX + 1];
    Json json;

    snprintf(anchor, sizeof(anchor), "d%uo%u", doc->follow.day, ++doc->follow.notices);
    doc_entry_open(doc, &place, "notice", anchor, &json);
    json_add_str(&json, "text", text);
    close_told(doc, &json, seat_all(doc->seat_count), time);
}

/* Everybody knows of the asks of the day; one of the night would tell who was asked. In MAW nobody
 * is asked: a fault would tell who is a model, and who a program. */
static bool ask_is_public(const GameDoc *doc, const char *request)
{
    return doc->division != DOC_MAW &&
           (strcmp(request, "TALK") == 0 || strcmp(request, "VOTE") == 0);
}

static void put_fault(FaultKind kind, const char *at, int64_t after_us, Str detail, Json *json)
{
    json_key(json, STR("fault"));
    json_open(json, '{');
    json_add_str(json, "kind", str_of(fault_kind_name(kind)));
    if (at[0])
        json_add_str(json, "at", str_of(at));
    if (after_us > 0)
        json_add_real(json, "after_ms", (double)after_us / 1000, 1);
    if (detail.len > 0)
        json_add_str(json, "detail", detail);
    json_close(json);
}

/* The anchor of a seat's next fault: public ones are counted for all, others for each seat. False
 * when there are too many. */
static bool fault_anchor(const GameDoc *doc, const Fault *fault, bool open, char *out)
{
    unsigned most = open ? FAULTS_TOLD * SEAT_MAX : FAULTS_TOLD;

    for (unsigned i = 1; i <= most; i++) {
        if (open)
            snprintf(out, DOC_ANCHOR_MAX + 1, "d%uf%u", fault->day, i);
        else
            snprintf(out, DOC_ANCHOR_MAX + 1, "d%uf.%u.%u", fault->day, fault->seat, i);
        if (!doc_anchor_taken(doc, str_of(out)))
            return true;
    }
    return false;
}

/* Kept for the end, when all are told. */
static bool keep_fault(GameDoc *doc, const Fault *fault)
{
    if (doc->hidden_count == doc->hidden_room) {
        size_t room = doc->hidden_room ? 2 * doc->hidden_room : 16;
        DocFault *hidden = mem_resize(doc->hidden, room, sizeof(*hidden));
        if (!hidden)
            return false;
        doc->hidden = hidden;
        doc->hidden_room = room;
    }
    DocFault *kept = &doc->hidden[doc->hidden_count++];
    *kept = (DocFault){.kind = fault->kind,
                       .seat = fault->seat,
                       .day = fault->day,
                       .after_us = fault->elapsed_us,
                       .detail = doc->details.len};
    snprintf(kept->at, sizeof(kept->at), "%s", fault->request ? fault->request : "");
    utf8_add_printable(str_part(fault->bytes, 0, FAULT_BYTES_MAX), FAULT_BYTES_MAX, &doc->details);
    kept->detail_len = doc->details.len - kept->detail;
    return !buf_failed(&doc->details);
}

/* At the end everybody is told of this one. */
static void tell_hidden(GameDoc *doc, const DocFault *fault, size_t index, TimeMs time)
{
    const DocPlace place = place_here(doc, DOC_END, time);
    CLEANUP(buf_done) Buf detail = {0};
    char anchor[DOC_ANCHOR_MAX + 1];
    Json json;

    buf_printf(&detail, "day %u", fault->day);
    if (fault->detail_len > 0)
        buf_add(&detail, STR(": "));
    buf_add(&detail, str_part(buf_str(&doc->details), fault->detail, fault->detail_len));
    snprintf(anchor, sizeof(anchor), "f%zu", index + 1);
    doc_entry_open(doc, &place, "fault", anchor, &json);
    json_add_uint(&json, "seat", fault->seat);
    put_fault(fault->kind, fault->at, fault->after_us, buf_str(&detail), &json);
    if (buf_failed(&detail))
        doc->failed = true;
    doc_entry_close(doc, &json, true, 0);
    mark_after(doc);
}

/* In what phase this was asked. */
static DocAction action_of(const char *request)
{
    static const struct {
        const char *request;
        DocAction action;
    } asks[] = {{"TALK", DOC_TALK},     {"WHISPER", DOC_WHISPER}, {"VOTE", DOC_VOTE},
                {"DIVINE", DOC_DIVINE}, {"GUARD", DOC_GUARD},     {"ATTACK", DOC_ATTACK}};

    for (size_t i = 0; i < sizeof(asks) / sizeof(asks[0]); i++)
        if (strcmp(request, asks[i].request) == 0)
            return asks[i].action;
    return DOC_ANY;
}

/* Where a fault belongs in a game that is told already: behind what its phase of that day has, else
 * behind what that day has. */
static size_t fault_place(const GameDoc *doc, const Fault *fault, DocAction action)
{
    size_t day = 0, phase = 0;

    for (size_t i = 0; i < doc->count; i++) {
        const DocEntry *entry = &doc->entries[i];
        if (entry->day != fault->day || entry->action == DOC_END)
            continue;
        day = i + 1;
        if (entry->action == (uint8_t)action || (action == DOC_TALK && entry->action == DOC_ROOM))
            phase = i + 1;
    }
    size_t at = phase ? phase : day ? day : doc->count;
    while (at < doc->count && doc->entries[at].aside) /* behind those that came before it */
        at++;
    return at;
}

void game_doc_fault(GameDoc *doc, const Fault *fault, TimeMs time)
{
    const char *request = fault->request ? fault->request : "";
    bool open = ask_is_public(doc, request), late = doc->closed;
    size_t count = doc->count, at = count;
    DocPlace place = place_here(doc, DOC_ANY, time);
    char anchor[DOC_ANCHOR_MAX + 1];
    Json json;

    if (fault->seat == SEAT_NONE || fault->seat > doc->seat_count)
        return;
    if (fault->fatal)
        doc->errored |= seat_bit(fault->seat);
    if (!fault_anchor(doc, fault, open, anchor))
        return;
    if (late) {
        at = fault_place(doc, fault, action_of(request));
        place.day = fault->day;
    }
    doc_entry_open(doc, &place, "fault", anchor, &json);
    json_add_uint(&json, "seat", fault->seat);
    put_fault(fault->kind, request, fault->elapsed_us, (Str){0}, &json);
    doc_entry_close(doc, &json, open, seat_bit(fault->seat));
    doc_entry_move(doc, count, at);
    if (!open && !keep_fault(doc, fault))
        doc->failed = true;
    if (!open && late && !game_doc_failed(doc))
        tell_hidden(doc, &doc->hidden[doc->hidden_count - 1], doc->hidden_count - 1, doc->ended);
}

void game_doc_close(GameDoc *doc, DocStatus status, TimeMs time)
{
    if (doc->closed)
        return;
    doc->status = status;
    doc->ended = time;
    for (size_t i = 0; i < doc->hidden_count && doc->over; i++)
        tell_hidden(doc, &doc->hidden[i], i, time);
    doc->closed = true;
}
