#include "maw/agent_view.h"

#include "base/mem.h"

#define LINES_MAX  2000 /* of a day, kept for the agent: the guard of the rules' timed rooms */
#define NAME_BYTES 128

/* The utterances of one room. */
typedef struct Heard {
    TalkLog log;
    Talk *items;
    char **texts;  /* of each, in memory of its own */
    uint32_t room; /* of `items` and `texts` */
} Heard;

struct AgentView {
    Ruleset maw;
    Ruleset told; /* what the agent is told of the rules */
    View view;
    uint8_t role_counts[ROLE_COUNT];
    char names[SEAT_MAX + 1][NAME_BYTES];
    Str shown_names[SEAT_MAX + 1]; /* Agent[01] */
    char shown_texts[SEAT_MAX + 1][12];
    Heard talk;
    Heard whisper;
    uint16_t talk_left[SEAT_MAX + 1];
    uint16_t whisper_left[SEAT_MAX + 1];
    VoteLog latest_votes;
    VoteLog votes;
    VoteLog latest_attack_votes;
    VoteLog attack_votes;
    SeatNo murdered; /* tonight */
    Judge divined;   /* for the next day */
};

/* ---- life ---- */

/* The rules of the last contests, with what is different at this table. */
static int make_told(AgentView *view, int32_t limit_ms, Err *err)
{
    Ruleset *told = &view->told;
    int rc = ruleset_preset(STR("aiwolf-2021"), told, err);

    if (rc)
        return rc;
    told->talk.max_per_agent = told->whisper.max_per_agent = AGENT_LINES_MAX;
    told->talk.max_skip = told->whisper.max_skip = AGENT_SKIPS_MAX;
    told->talk.validate = told->whisper.validate = false;
    told->vote.visible = view->maw.vote.visible;
    told->vote.tie = told->attack.tie = TIE_NOBODY;
    told->vote.rounds = 2;
    told->attack.rounds = AGENT_REVOTES_MAX + 1;
    told->contest.role_request = false;
    told->contest.time_limit_told_ms = limit_ms;
    return 0;
}

int agent_view_new(const Ruleset *rules, int32_t limit_ms, AgentView **ret_view, Err *err)
{
    AgentView *view = mem_new(sizeof(*view));

    if (!view)
        return err_set(err, ERR_MEMORY, "agent's view: out of memory");
    view->maw = *rules;
    int rc = make_told(view, limit_ms, err);
    if (rc) {
        agent_view_free(view);
        return rc;
    }
    view->view = (View){
        .rules = &view->told,
        .role_counts = view->role_counts,
        .names = view->shown_names,
        .talk = &view->talk.log,
        .whisper = &view->whisper.log,
        .talk_left = view->talk_left,
        .latest_votes = &view->latest_votes,
        .votes = &view->votes,
        .latest_attack_votes = &view->latest_attack_votes,
        .attack_votes = &view->attack_votes,
    };
    *ret_view = view;
    return 0;
}

static void forget_heard(Heard *heard)
{
    for (uint32_t i = 0; i < heard->log.count; i++)
        mem_free(heard->texts[i]);
    heard->log.count = 0;
}

static void heard_done(Heard *heard)
{
    forget_heard(heard);
    mem_free(heard->items);
    mem_free(heard->texts);
}

AgentView *agent_view_free(AgentView *view)
{
    if (!view)
        return NULL;
    heard_done(&view->talk);
    heard_done(&view->whisper);
    return mem_free(view);
}

/* ---- names ---- */

Str agent_view_name(const AgentView *view, SeatNo seat)
{
    if (seat == SEAT_NONE || seat > view->view.seat_count || seat > SEAT_MAX)
        return (Str){0};
    return str_of(view->names[seat]);
}

SeatNo agent_view_seat(const AgentView *view, Str name)
{
    for (SeatNo seat = 1; name.len && seat <= view->view.seat_count; seat++)
        if (str_eq(name, str_of(view->names[seat])))
            return seat;
    return SEAT_NONE;
}

/* What may be part of a name of Latin letters. In languages without blanks anything may follow. */
static bool is_word_byte(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-';
}

/* Whether `name` stands at `at` and is no part of a longer word. */
static bool is_name_at(Str text, size_t at, Str name)
{
    size_t end = at + name.len;

    if (name.len == 0 || !str_starts(str_part(text, at, text.len), name))
        return false;
    if (at > 0 && is_word_byte(text.bytes[at - 1]) && is_word_byte(name.bytes[0]))
        return false;
    return end == text.len || !is_word_byte(text.bytes[end]) ||
           !is_word_byte(name.bytes[name.len - 1]);
}

void agent_text_in(const AgentView *view, Str text, Buf *out)
{
    size_t at = 0;

    while (at < text.len) {
        SeatNo best = SEAT_NONE;
        for (SeatNo seat = 1; seat <= view->view.seat_count; seat++) {
            Str name = agent_view_name(view, seat);
            if (is_name_at(text, at, name) && name.len > agent_view_name(view, best).len)
                best = seat;
        }
        if (best == SEAT_NONE) {
            buf_add_char(out, text.bytes[at++]);
            continue;
        }
        buf_add(out, view->shown_names[best]);
        at += agent_view_name(view, best).len;
    }
}

/* The seat of the Agent[NN] that `text` begins with, and its length; SEAT_NONE without one. */
static SeatNo agent_at(const AgentView *view, Str text, size_t *ret_len)
{
    static const Str open = {"Agent[", 6};
    uint64_t seat = 0;

    if (!str_starts(text, open))
        return SEAT_NONE;
    Str rest = str_part(text, open.len, 3); /* two digits and the bracket */
    size_t whole = rest.len;
    Str number = str_cut(&rest, ']');
    if (number.len == whole || !str_to_uint(number, view->view.seat_count, &seat) ||
        seat == SEAT_NONE)
        return SEAT_NONE;
    *ret_len = open.len + number.len + 1;
    return (SeatNo)seat;
}

void agent_text_out(const AgentView *view, Str text, Buf *out)
{
    while (text.len) {
        size_t taken = 1;
        SeatNo seat = agent_at(view, text, &taken);
        buf_add(out, seat == SEAT_NONE ? str_part(text, 0, 1) : agent_view_name(view, seat));
        text = str_part(text, taken, text.len);
    }
}

/* ---- rounds and days ---- */

static Role role_told(Str role)
{
    if (str_eq(role, STR("Werewolf")))
        return ROLE_WEREWOLF;
    if (str_eq(role, STR("Seer")))
        return ROLE_SEER;
    return role.len ? ROLE_VILLAGER : ROLE_NONE;
}

static void take_names(AgentView *view, const MawKnown *known)
{
    view->view.seat_count = (SeatNo)known->player_count;
    for (SeatNo seat = 1; seat <= known->player_count; seat++) {
        Str name = known->players[seat - 1].name;
        snprintf(view->names[seat], NAME_BYTES, "%.*s", STR_ARG(name));
        snprintf(view->shown_texts[seat], sizeof(view->shown_texts[seat]), "Agent[%02u]", seat);
        view->shown_names[seat] = str_of(view->shown_texts[seat]);
    }
}

static void count_roles(AgentView *view, const MawKnown *known)
{
    int32_t players = (int32_t)known->player_count;

    memset(view->role_counts, 0, sizeof(view->role_counts));
    if (ruleset_roles(&view->maw, players, view->role_counts, NULL) == 0)
        return;
    view->role_counts[ROLE_WEREWOLF] = (uint8_t)known->wolves;
    view->role_counts[ROLE_VILLAGER] = (uint8_t)(known->player_count - known->wolves);
}

static void refill_talks(uint16_t left[static SEAT_MAX + 1])
{
    for (SeatNo seat = 1; seat <= SEAT_MAX; seat++)
        left[seat] = AGENT_LINES_MAX;
}

static void clear_votes(VoteLog *votes, uint16_t day)
{
    *votes = (VoteLog){.day = day};
}

static void begin_day(AgentView *view, const MawKnown *known, uint16_t day)
{
    forget_heard(&view->talk);
    forget_heard(&view->whisper);
    refill_talks(view->talk_left);
    refill_talks(view->whisper_left);
    clear_votes(&view->latest_votes, day);
    clear_votes(&view->latest_attack_votes, day);
    view->view.day = day;
    view->view.executed_today = SEAT_NONE;
    view->murdered = SEAT_NONE;
    agent_view_look(view, known);
    view->view.alive_at_dawn = view->view.alive;
}

bool agent_view_round(AgentView *view, const MawKnown *known)
{
    View *shown = &view->view;

    shown->seat = SEAT_NONE;
    shown->seat_count = 0;
    if (known->player_count > SEAT_MAX || known->player_count < 1)
        return false;
    take_names(view, known);
    count_roles(view, known);
    shown->seat = agent_view_seat(view, known->me);
    shown->role = role_told(known->role);
    if (shown->seat == SEAT_NONE || shown->role == ROLE_NONE)
        return false;
    shown->whisper_left = shown->role == ROLE_WEREWOLF ? view->whisper_left : NULL;
    shown->executed = SEAT_NONE;
    shown->last_dead_count = 0;
    shown->attacked = SEAT_NONE;
    shown->divined = (Judge){0};
    shown->winner = SIDE_NONE;
    shown->over = false;
    view->divined = (Judge){0};
    clear_votes(&view->votes, 0);
    clear_votes(&view->attack_votes, 0);
    begin_day(view, known, 0);
    return true;
}

void agent_view_day(AgentView *view, const MawKnown *known)
{
    View *shown = &view->view;
    uint16_t day = known->day < UINT16_MAX ? (uint16_t)known->day : UINT16_MAX;

    view->votes = view->latest_votes;
    view->attack_votes = view->latest_attack_votes;
    shown->executed = shown->executed_today;
    shown->last_dead_count = view->murdered != SEAT_NONE;
    shown->last_dead[0] = view->murdered;
    shown->attacked = shown->role == ROLE_WEREWOLF ? view->murdered : SEAT_NONE;
    shown->divined = view->divined;
    shown->divined.day = day;
    view->divined = (Judge){0};
    begin_day(view, known, day);
}

/* ---- what is heard ---- */

static bool make_room(Heard *heard)
{
    if (heard->log.count < heard->room)
        return true;
    uint32_t room = heard->room ? heard->room * 2 : 64;
    Talk *items = mem_resize(heard->items, room, sizeof(*items));

    if (items)
        heard->log.items = heard->items = items;
    char **texts = items ? mem_resize(heard->texts, room, sizeof(*texts)) : NULL;
    if (!texts)
        return false;
    heard->texts = texts;
    heard->room = room;
    return true;
}

/* Without memory the line is not heard, as in a noisy room. */
static void add_line(AgentView *view, Heard *heard, uint16_t *left, SeatNo seat, Str text)
{
    CLEANUP(buf_done) Buf shown = {0};
    uint32_t turn = 0;

    if (heard->log.count >= LINES_MAX || !make_room(heard))
        return;
    agent_text_in(view, text, &shown);
    char *copy = buf_failed(&shown) ? NULL : mem_new(shown.len + 1);
    if (!copy)
        return;
    if (shown.len)
        memcpy(copy, shown.bytes, shown.len);
    for (uint32_t i = 0; i < heard->log.count; i++)
        turn += heard->items[i].seat == seat;
    heard->items[heard->log.count] = (Talk){
        .text = {copy, shown.len},
        .idx = heard->log.count,
        .turn = turn,
        .day = view->view.day,
        .seat = seat,
    };
    heard->texts[heard->log.count++] = copy;
    if (left[seat] > 0)
        left[seat]--;
}

void agent_view_line(AgentView *view, const MawNews *news)
{
    SeatNo seat = agent_view_seat(view, news->name);

    if (seat == SEAT_NONE)
        return;
    if (str_eq(news->room, STR("Village")))
        add_line(view, &view->talk, view->talk_left, seat, news->text);
    else if (str_eq(news->room, STR("Hideout")) && view->view.role == ROLE_WEREWOLF)
        add_line(view, &view->whisper, view->whisper_left, seat, news->text);
}

static void take_votes(const AgentView *view, const MawKnown *known, VoteLog *votes)
{
    votes->count = 0;
    for (SeatNo seat = 1; seat <= view->view.seat_count && seat <= known->player_count; seat++) {
        SeatNo target = agent_view_seat(view, known->players[seat - 1].votes_for);
        if (target != SEAT_NONE)
            votes->items[votes->count++] = (Vote){seat, target};
    }
}

void agent_view_look(AgentView *view, const MawKnown *known)
{
    View *shown = &view->view;

    shown->alive = 0;
    memset(shown->roles, ROLE_NONE, sizeof(shown->roles));
    for (SeatNo seat = 1; seat <= shown->seat_count && seat <= known->player_count; seat++) {
        const MawKnownPlayer *person = &known->players[seat - 1];
        if (person->alive)
            shown->alive |= seat_bit(seat);
        if (seat == shown->seat)
            shown->roles[seat] = shown->role;
        else if (person->mate && shown->role == ROLE_WEREWOLF)
            shown->roles[seat] = ROLE_WEREWOLF;
    }
    if (known->phase_no == 0)
        return;
    if (!known->night)
        take_votes(view, known, &view->latest_votes);
    else if (shown->role == ROLE_WEREWOLF)
        take_votes(view, known, &view->latest_attack_votes);
}

void agent_view_result(AgentView *view, const MawKnown *known, const MawNews *news)
{
    SeatNo seat = agent_view_seat(view, news->name);
    bool dies = str_eq(news->text, STR("executed")) || str_eq(news->text, STR("murdered"));

    agent_view_look(view, known);
    if (!dies)
        return;
    if (known->night)
        view->murdered = seat;
    else
        view->view.executed_today = seat;
}

void agent_view_divined(AgentView *view, Str name, Str role)
{
    Role told = role_told(role);

    if (told == ROLE_NONE)
        return;
    view->divined = (Judge){
        .agent = view->view.seat,
        .target = agent_view_seat(view, name),
        .result = role_species(told),
    };
}

/* ---- the end ---- */

void agent_view_end(AgentView *view, const MawKnown *known)
{
    View *shown = &view->view;

    agent_view_look(view, known);
    for (SeatNo seat = 1; seat <= shown->seat_count && seat <= known->player_count; seat++) {
        Role role = role_told(known->players[seat - 1].role);
        if (role != ROLE_NONE)
            shown->roles[seat] = (uint8_t)role;
    }
    shown->over = true;
    shown->winner = str_eq(known->winner, STR("Villagers"))    ? SIDE_VILLAGER
                    : str_eq(known->winner, STR("Werewolves")) ? SIDE_WEREWOLF
                                                               : SIDE_NONE;
}

const View *agent_view(const AgentView *view)
{
    return &view->view;
}
