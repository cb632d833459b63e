/* Who plays with whom: self match, free match, the schedule (docs/spec/nlp-division.md 2.3), and
 * bots for empty seats. Then seats and characters are dealt. */
#include "nlp/hall_state.h"

#include "wire/nlp_packet.h"

#include <inttypes.h>

/* ---- choosing ---- */

/* The agent of a team that waits longest. */
static NlpAgent *first_of_team(const NlpHall *hall, Str team)
{
    for (NlpAgent *agent = hall->waiting.first; agent; agent = agent->next)
        if (str_eq(agent->team, team))
            return agent;
    return NULL;
}

/* The first `most` agents of a team; returns how many there are. */
static SeatNo take_team(const NlpHall *hall, Str team, SeatNo most, Party *party)
{
    party->count = 0;
    for (NlpAgent *agent = hall->waiting.first; agent && party->count < most; agent = agent->next)
        if (str_eq(agent->team, team))
            party->agents[++party->count] = agent;
    return party->count;
}

/* Only who came last can have made a team complete; when games were held back all are looked at. */
static bool choose_self(NlpHall *hall, SeatNo seats, Party *party)
{
    const NlpAgent *agent = hall->waiting.last;

    if (hall->waiting.count < seats)
        return false;
    for (; agent; agent = hall->held_back ? agent->prev : NULL)
        if (self_quota_wait(hall->quota, agent->team, hall->matched_at) == 0 &&
            take_team(hall, agent->team, seats, party) == seats) {
            self_quota_note(hall->quota, agent->team, hall->matched_at);
            return true;
        }
    hall->held_back = false;
    return false;
}

/* One agent of each team that waits, the longest waiting first; returns how many teams. */
static uint32_t waiting_teams(const NlpHall *hall, NlpAgent **ret_agents, uint32_t most)
{
    uint32_t count = 0;

    for (NlpAgent *agent = hall->waiting.first; agent && count < most; agent = agent->next)
        if (first_of_team(hall, agent->team) == agent)
            ret_agents[count++] = agent;
    return count;
}

#define FREE_TEAMS_MAX 256

static bool choose_free(NlpHall *hall, SeatNo seats, Party *party)
{
    NlpAgent *agents[FREE_TEAMS_MAX];
    uint32_t count = waiting_teams(hall, agents, FREE_TEAMS_MAX);

    if (count < seats)
        return false;
    for (party->count = 0; party->count < seats; count--) {
        uint32_t chosen = rng_below(&hall->chance.matching, count);
        party->agents[++party->count] = agents[chosen];
        agents[chosen] = agents[count - 1];
    }
    return true;
}

static bool choose_scheduled(NlpHall *hall, Party *party)
{
    bool present[HISTORY_TEAMS_MAX] = {false};
    bool quarantined[HISTORY_TEAMS_MAX] = {false};
    double weights[HISTORY_TEAMS_MAX];
    uint32_t known = history_team_known(hall->history);
    int64_t now_ms = hall->setup.unix_ms_at_zero + hall->matched_at / 1000;

    for (uint32_t team = 0; team < HISTORY_TEAMS_MAX; team++)
        weights[team] = 1;
    for (uint32_t team = 0; team < known; team++) {
        Str name = history_team_name(hall->history, team);
        weights[team] = team_health_weight(hall->health, name);
        quarantined[team] = team_health_quarantined(hall->health, name, now_ms);
    }
    for (const NlpAgent *agent = hall->waiting.first; agent; agent = agent->next)
        present[agent->team_index] = true;
    if (history_is_used_up(hall->history)) {
        Rng rng = hall_chance_schedule(&hall->chance);
        history_extend(hall->history, &rng);
    }
    int64_t index = history_choose(hall->history, present, weights, quarantined);
    if (index < 0)
        return false;
    const HistoryMatch *match = history_scheduled(hall->history, (uint32_t)index);
    party->scheduled = true;
    party->match = *match;
    party->count = match->count;
    for (SeatNo i = 0; i < match->count; i++) {
        party->agents[i + 1u] =
            first_of_team(hall, history_team_name(hall->history, match->teams[i]));
        party->roles[i + 1u] = (Role)match->roles[i];
    }
    history_begin(hall->history, (uint32_t)index);
    return true;
}

/* Once for each who waits: guests that don't come are not called again for it. */
static void call_guests(const NlpHall *hall, SeatNo seats, Party *party)
{
    const NlpHallOut *out = &hall->setup.out;
    NlpAgent *first = hall->waiting.first;
    bool self = hall->setup.config->matching.self_match;

    if (!first->called_guests)
        out->guests(out->user, self ? first->team : STR(""), (SeatNo)(seats - party->count));
    for (SeatNo i = 1; i <= party->count; i++)
        party->agents[i]->called_guests = true;
    first->called_guests = true;
}

/* --fill: who waits longest plays now, with all that may sit at the table with it, and bots. */
static bool choose_filled(const NlpHall *hall, SeatNo seats, Party *party)
{
    const NlpAgent *first = hall->waiting.first;

    if (!hall->setup.fill || !first || first->since + hall->setup.fill_after > hall->matched_at)
        return false;
    if (hall->setup.config->matching.self_match)
        take_team(hall, first->team, seats, party);
    else
        party->count = (SeatNo)waiting_teams(hall, party->agents + 1, seats);
    if (hall->setup.out.guests) {
        call_guests(hall, seats, party);
        return false;
    }
    while (party->count < seats)
        party->agents[++party->count] = NULL;
    return true;
}

static bool choose_party(NlpHall *hall, Party *party)
{
    const ConfigMatching *matching = &hall->setup.config->matching;
    SeatNo seats = (SeatNo)hall->setup.config->agent_count;

    *party = (Party){0};
    for (SeatNo seat = 1; seat <= seats; seat++)
        party->roles[seat] = ROLE_NONE;
    if (hall->history)
        return choose_scheduled(hall, party);
    if (matching->self_match ? choose_self(hall, seats, party) : choose_free(hall, seats, party))
        return true;
    return choose_filled(hall, seats, party);
}

/* ---- beginning ---- */

/* A uniform permutation of seats: roles are dealt first, seats say nothing of them (2.4). */
static void shuffle_seats(NlpHall *hall, Party *party)
{
    party->number = ++hall->drawn;
    Rng rng = hall_chance_game(&hall->chance, party->number).seats;
    for (SeatNo seat = party->count; seat > 1; seat--) {
        SeatNo other = (SeatNo)(1 + rng_below(&rng, seat));
        NlpAgent *agent = party->agents[seat];
        Role role = party->roles[seat];
        party->agents[seat] = party->agents[other];
        party->roles[seat] = party->roles[other];
        party->agents[other] = agent;
        party->roles[other] = role;
    }
}

/* Characters are dealt without regard to seat and role. */
static void deal_profiles(const Config *config, Rng *rng, SeatNo count, TableSeat *seats)
{
    uint32_t left[1024];
    uint32_t n = config->profile_count < 1024 ? config->profile_count : 1024;

    if (!config->profiles_enable || n < count)
        return;
    for (uint32_t i = 0; i < n; i++)
        left[i] = i;
    for (SeatNo seat = 1; seat <= count; seat++, n--) {
        uint32_t chosen = rng_below(rng, n);
        seats[seat].profile = &config->profiles[left[chosen]];
        left[chosen] = left[n - 1];
    }
}

static int compare_names(const TableSeat *a, const TableSeat *b)
{
    const Str one = a->profile->name, other = b->profile->name;
    const size_t common = one.len < other.len ? one.len : other.len;
    const int order = common ? memcmp(one.bytes, other.bytes, common) : 0;

    return order || one.len == other.len ? order : one.len < other.len ? -1 : 1;
}

/* Seats 1.., whose characters are dealt; who plays them stays with them. */
static void order_by_name(Party *party, TableSeat *seats)
{
    for (SeatNo seat = 2; seat <= party->count; seat++)
        for (SeatNo at = seat; at > 1 && compare_names(&seats[at - 1], &seats[at]) > 0; at--) {
            const TableSeat held = seats[at];
            NlpAgent *agent = party->agents[at];
            const Role role = party->roles[at];
            seats[at] = seats[at - 1];
            seats[at - 1] = held;
            party->agents[at] = party->agents[at - 1];
            party->agents[at - 1] = agent;
            party->roles[at] = party->roles[at - 1];
            party->roles[at - 1] = role;
        }
}

static int make_table(NlpHall *hall, Running *running, Party *party, const ConfigProfile *profiles,
                      TimeUs now, Err *err)
{
    TableSeat seats[SEAT_MAX + 1] = {0};
    char bot_names[SEAT_MAX + 1][16];
    HallGameChance chance = hall_chance_game(&hall->chance, party->number);

    if (hall->setup.results)
        running->result = result_journal_number(hall->setup.results);
    deal_profiles(hall->setup.config, &chance.characters, party->count, seats);
    for (SeatNo seat = 1; profiles && seat <= party->count; seat++)
        seats[seat].profile = &profiles[seat - 1];
    if (hall->setup.seats_by_name && seats[1].profile)
        order_by_name(party, seats);
    for (SeatNo seat = 1; seat <= party->count; seat++) {
        const NlpAgent *agent = party->agents[seat];
        snprintf(bot_names[seat], sizeof(bot_names[seat]), "warg-bot%u", seat);
        seats[seat].role = party->roles[seat];
        seats[seat].peer = party->agents[seat];
        seats[seat].bids = agent && agent->bids;
        seats[seat].bot = agent ? NULL : bot_kind(STR("talker"));
        seats[seat].original = str_of(agent ? agent->name : bot_names[seat]);
    }
    TableSetup setup = {
        .config = hall->setup.config,
        .setting = buf_str(&hall->setting),
        .seats = seats,
        .count = party->count,
        .id = str_of(running->id),
        .chance = chance.chance,
        .bots = chance.bots,
        .now = now,
        .unix_ms = hall->setup.unix_ms_at_zero + now / 1000,
        .unix_ms_at_zero = bench_clock(hall->bench),
        .out = bench_table_out(running),
        .scratch = bench_scratch(hall->bench),
    };
    int rc = nlp_table_new(&setup, &running->table, err);
    if (rc == 0)
        nlp_table_look(running->table, &running->look);
    return rc;
}

/* Kana and kanji begin with these bytes. */
static bool is_japanese(Str text)
{
    for (size_t i = 0; i < text.len; i++)
        if ((unsigned char)text.bytes[i] >= 0xE3 && (unsigned char)text.bytes[i] <= 0xE9)
            return true;
    return false;
}

static void tell_live(const NlpHall *hall, const Running *running, const Party *party, TimeUs now)
{
    const LiveSink *live = hall->setup.live;
    const NlpGame *look = &running->look;
    DocSeat seats[SEAT_MAX + 1];
    bool japanese = false;

    if (!live)
        return;
    seats[0] = (DocSeat){0};
    for (SeatNo seat = 1; seat <= party->count; seat++) {
        const ConfigProfile *profile = nlp_table_profile(running->table, seat);
        seats[seat] = (DocSeat){.name = look->seats[seat].name,
                                .agent = look->seats[seat].original,
                                .team = look->seats[seat].team,
                                .kind = str_of(party->agents[seat] ? "agent" : "bot:talker"),
                                .profile = profile ? profile->text : STR("")};
        japanese |= is_japanese(seats[seat].name) || is_japanese(seats[seat].profile);
    }
    live->begins(live->user,
                 &(DocHead){.id = str_of(running->id),
                            .division = DOC_NLP,
                            .language = japanese ? "ja" : "en",
                            .rules = &hall->setup.config->rules,
                            .seat_count = party->count,
                            .seats = seats,
                            .began_unix_ms = hall->setup.unix_ms_at_zero + now / 1000,
                            .form = "live",
                            .source_name = look->stem},
                 now);
}

static void link_running(NlpHall *hall, Running *running)
{
    running->next = hall->running;
    if (running->next)
        running->next->prev = running;
    hall->running = running;
}

static void tell_begun(NlpHall *hall, const Running *running, const Party *party)
{
    CLEANUP(buf_done) Buf line = {0};

    buf_printf(&line, "game-begun game=%s number=%u draw=%" PRIu64 " names=", running->id,
               running->number, party->number);
    for (SeatNo seat = 1; seat <= party->count; seat++)
        buf_printf(&line, "%s%s", seat > 1 ? "," : "",
                   party->agents[seat] ? party->agents[seat]->name : "(bot)");
    hall_note(hall, buf_str(&line));
    if (hall->setup.out.game)
        hall->setup.out.game(hall->setup.out.user, str_of(running->id), false);
}

static void seat_agents(NlpHall *hall, Running *running, const Party *party)
{
    for (SeatNo seat = 1; seat <= party->count; seat++) {
        NlpAgent *agent = party->agents[seat];
        if (!agent)
            continue;
        agent->state = AGENT_SEATED;
        agent->running = running;
        agent->seat = seat;
        running->tokens[seat] = agent->token;
        agent->token = NULL;
        team_health_begin(hall->health, agent->team);
    }
}

/* No game comes of it now: its match and its agents wait again. */
static void give_up(NlpHall *hall, const Party *party)
{
    if (party->scheduled)
        history_abort(hall->history, &party->match, 1);
    for (SeatNo seat = 1; seat <= party->count; seat++)
        if (party->agents[seat])
            hall_queue(hall, party->agents[seat]);
}

/* A scheduled game is in the schedule's file before there is a log of it: after a kill each log
 * belongs to a match. */
static int note_game(NlpHall *hall, const Running *running, TimeUs now, Err *err)
{
    NlpGame game;

    if (!running->scheduled)
        return 0;
    nlp_table_look(running->table, &game);
    int rc = history_note_game(hall->history, &running->match, game.stem, err);
    if (rc)
        return rc;
    hall_save_history(hall, now);
    if (!hall->unsaved)
        return 0;
    history_drop_game(hall->history, game.stem);
    return err_set(err, ERR_IO, "no game begins while the schedule can't be written");
}

/* Its agents have left the waiting room; NULL when there is no memory for it, or no log. */
static Running *begin_game(NlpHall *hall, Party *party, const ConfigProfile *profiles, TimeUs now)
{
    Running *running = mem_new(sizeof(*running));
    Err err = {0};

    if (!running || !bench_add(hall->bench, running)) {
        mem_free(running);
        hall_note(hall, STR("no memory for another game"));
        hall->hold_until = now + HALL_HOLD_US;
        return NULL;
    }
    running->hall = hall;
    running->away_at = -1;
    running->count = party->count;
    running->number = (uint32_t)hall->counts.games_begun + 1;
    running->scheduled = party->scheduled;
    running->match = party->match;
    uint64_t unix_ms = (uint64_t)(hall->setup.unix_ms_at_zero + now / 1000);
    if (id_source_ulid(&hall->setup.ids, unix_ms, running->id, &err) ||
        make_table(hall, running, party, profiles, now, &err) ||
        note_game(hall, running, now, &err)) {
        hall_note(hall, str_of(err.msg));
        hall->hold_until = now + HALL_HOLD_US;
        bench_drop(running);
        running_free(running);
        return NULL;
    }
    hall->counts.games_begun++;
    hall->counts.games++;
    seat_agents(hall, running, party);
    link_running(hall, running);
    tell_begun(hall, running, party);
    return running;
}

static void begin_or_give_up(NlpHall *hall, const Party *party, const ConfigProfile *profiles,
                             TimeUs now, char ret_id[static ID_ULID_BYTES])
{
    Party seated = *party;
    Running *running = begin_game(hall, &seated, profiles, now);

    ret_id[0] = '\0';
    if (!running) {
        give_up(hall, party);
        return;
    }
    memcpy(ret_id, running->id, ID_ULID_BYTES);
    tell_live(hall, running, &seated, now);
    nlp_table_begin(running->table, now);
    nlp_table_look(running->table, &running->look);
    hall_hand_over(hall, running);
    bench_touch(running, now);
}

/* ---- characters made up for a game (9.3) ---- */

/* True when the party waits for its characters now. */
static bool ask_characters(NlpHall *hall, const Party *party)
{
    const NlpHallOut *out = &hall->setup.out;
    Matched *matched;

    if (!hall->setup.config->dynamic.enable || !out->characters)
        return false;
    matched = mem_new(sizeof(*matched));
    if (!matched)
        return false;
    *matched = (Matched){.next = hall->matched, .number = ++hall->matched_number, .party = *party};
    if (!out->characters(out->user, matched->number, party->count)) {
        mem_free(matched);
        return false;
    }
    for (SeatNo seat = 1; seat <= party->count; seat++)
        if (party->agents[seat])
            party->agents[seat]->state = AGENT_MATCHED;
    hall->matched = matched;
    return true;
}

static bool is_of_party(const Party *party, const NlpAgent *agent)
{
    for (SeatNo seat = 1; seat <= party->count; seat++)
        if (party->agents[seat] == agent)
            return true;
    return false;
}

void hall_unmatch(NlpHall *hall, const NlpAgent *gone)
{
    for (Matched **at = &hall->matched; *at;) {
        Matched *matched = *at;
        if (gone && !is_of_party(&matched->party, gone)) {
            at = &matched->next;
            continue;
        }
        *at = matched->next;
        for (SeatNo seat = 1; seat <= matched->party.count; seat++)
            if (matched->party.agents[seat] == gone)
                matched->party.agents[seat] = NULL;
        give_up(hall, &matched->party);
        mem_free(matched);
    }
}

void nlp_hall_characters(NlpHall *hall, uint32_t number, const ConfigProfile *profiles, TimeUs now,
                         char ret_id[static ID_ULID_BYTES])
{
    Matched **at = &hall->matched;

    ret_id[0] = '\0';
    while (*at && (*at)->number != number)
        at = &(*at)->next;
    Matched *matched = *at;
    if (!matched)
        return;
    *at = matched->next;
    if (hall->draining || operator_acts_held(hall->acts))
        give_up(hall, &matched->party);
    else
        begin_or_give_up(hall, &matched->party, profiles, now, ret_id);
    mem_free(matched);
}

static bool may_begin(const NlpHall *hall)
{
    const NlpCounts *counts = &hall->counts;
    uint64_t matched = 0;

    if (hall->draining || hall->hold_until || !hall->waiting.first ||
        operator_acts_held(hall->acts))
        return false;
    for (const Matched *at = hall->matched; at; at = at->next)
        matched++;
    return !hall->setup.games ||
           counts->games_begun + matched - counts->games_aborted - counts->games_void <
               hall->setup.games;
}

void hall_match(NlpHall *hall, TimeUs now)
{
    Party party;

    if (hall->matching) /* a game that ended at once came back here: the loop below goes on */
        return;
    hall->matching = true;
    hall->matched_at = now;
    while (may_begin(hall) && choose_party(hall, &party)) {
        char id[ID_ULID_BYTES];
        for (SeatNo seat = 1; seat <= party.count; seat++)
            if (party.agents[seat])
                hall_unqueue(hall, party.agents[seat]);
        shuffle_seats(hall, &party);
        if (!ask_characters(hall, &party))
            begin_or_give_up(hall, &party, NULL, now, id);
    }
    hall->held_back |= !may_begin(hall);
    hall->matching = false;
}
