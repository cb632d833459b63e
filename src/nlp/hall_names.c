/* Who comes in: names and tokens, the waiting room, and the way back to a seat that was lost. */
#include "base/digest.h"
#include "base/utf8.h"
#include "net/web_room.h"
#include "nlp/hall_state.h"
#include "wire/jwt.h"
#include "wire/nlp_packet.h"

#define NAME_BYTES_MAX 128
#define MINUTE_US      ((TimeUs)60 * 1000000)

static bool good_name(Str name)
{
    for (Str rest = name; rest.len;) {
        uint32_t code = utf8_next(&rest);
        if (code < 0x20 || (code >= 0x7F && code < 0xA0)) /* C0, C1: terminals obey both */
            return false;
    }
    return name.len > 0 && name.len <= NAME_BYTES_MAX;
}

static int check_token(const NlpHall *hall, const NlpAgent *agent, TimeUs now, Err *err)
{
    const Config *config = hall->setup.config;
    JwtClaims claims;

    if (!config->authentication)
        return 0;
    if (!agent->token[0])
        return err_set(err, ERR_RULE, "there is none; give Authorization: Bearer TOKEN or ?token=");
    int rc = jwt_check(str_of(agent->token), config->secret_key, hall_unix_ms(hall, now) / 1000,
                       &claims, err);
    if (rc)
        return rc;
    if (strcmp(claims.role, "PLAYER") != 0)
        return err_set(err, ERR_RULE, "it is for role %s; expected PLAYER", claims.role);
    if (!str_eq(str_of(claims.team), agent->team))
        return err_set(err, ERR_RULE, "it is for another team");
    return 0;
}

/* The seats that wait for somebody to come back, but those to which somebody is on the way. */
static SeatSet shown_away(const Running *running)
{
    return atomic_load_explicit(&running->shown.away, memory_order_relaxed) & ~running->returning;
}

/* Without a token anybody can say a name: then the machine from which the seat was held counts. */
static bool may_take(const Running *running, SeatNo seat, const NlpAgent *agent)
{
    const char *token = running->tokens[seat];
    const char *lost = running->lost[seat];

    if (!token || !digest_equal(str_of(token), str_of(agent->token)))
        return false;
    return token[0] || (lost && str_eq(web_room_address(lost), web_room_address(agent->address)));
}

/* The seat at this table that waits for this agent: of the same name, and the same token or, where
 * there is none, the same address. */
static SeatNo seat_for(const Running *running, const NlpAgent *agent)
{
    SeatSet away = shown_away(running);

    for (SeatNo seat = 1; seat <= running->count; seat++)
        if (seat_in(away, seat) &&
            str_eq(running->look.seats[seat].original, str_of(agent->name)) &&
            may_take(running, seat, agent))
            return seat;
    return SEAT_NONE;
}

void hall_send_back(NlpHall *hall, NlpAgent *agent, TimeUs now)
{
    const Task task = {
        .kind = TASK_REJOIN, .running = agent->running, .agent = agent, .seat = agent->seat};

    agent->state = AGENT_SEATED;
    hall_give_task(hall, &task, now);
}

static void take_seat(NlpHall *hall, NlpAgent *agent, Running *running, SeatNo seat, TimeUs now)
{
    agent_list_drop(hall_list_of(hall, agent), agent);
    agent->running = running;
    agent->seat = seat;
    hall->counts.rejoined++;
    running->returning |= seat_bit(seat);
    if (running->away_at < 0) {
        hall_send_back(hall, agent, now);
        return;
    }
    agent->state = AGENT_RETURNING;
    agent_list_add(&hall->returning, agent);
    hall_call_moves(hall);
}

static bool rejoin_seat(NlpHall *hall, NlpAgent *agent, TimeUs now)
{
    for (Running *running = hall->running; running; running = running->next) {
        SeatNo seat = seat_for(running, agent);
        if (seat == SEAT_NONE)
            continue;
        take_seat(hall, agent, running, seat, now);
        return true;
    }
    return false;
}

/* Who came back before the old connection was known to be lost waits in the waiting room. Without a
 * token it could be one who waits there for somebody's loss, and it has to connect anew. The game
 * may be gone behind it. */
void hall_take_back(NlpHall *hall, Running *running, TimeUs now)
{
    const AgentList *lists[] = {&hall->waiting, &hall->left_out};

    for (size_t i = 0; i < 2; i++)
        for (NlpAgent *agent = lists[i]->first; agent; agent = agent->next) {
            SeatNo seat = agent->token[0] ? seat_for(running, agent) : SEAT_NONE;
            if (seat == SEAT_NONE)
                continue;
            take_seat(hall, agent, running, seat, now);
            return; /* if there is another one, the bench tells again */
        }
}

bool nlp_hall_has_away(const NlpHall *hall)
{
    for (const Running *running = hall->running; running; running = running->next)
        if (shown_away(running))
            return true;
    return false;
}

/* The other connection that waits under this name, when names have to be unique. */
static void take_over(NlpHall *hall, const NlpAgent *agent)
{
    if (!hall->setup.config->unique_names)
        return;
    for (NlpAgent *other = hall_list_of(hall, agent)->first; other; other = other->next)
        if (other != agent && strcmp(other->name, agent->name) == 0) {
            hall_refuse(hall, other, CLOSE_NAME_IN_USE, "a newer connection has the same name");
            return;
        }
}

static bool of_this_contest(NlpHall *hall, NlpAgent *agent, TimeUs now)
{
    bool is_new = false;

    if (!hall->history)
        return true;
    agent->team_index = history_team(hall->history, agent->team, &is_new);
    if (is_new)
        hall_save_history(hall, now);
    if (is_new)
        hall_skip_matches(hall);
    return agent->team_index >= 0;
}

/* Teams that wait beside each other where each plays itself only: nobody would tell them that they
 * wait for more of their own, for ever. */
static void note_apart(NlpHall *hall)
{
    const Config *config = hall->setup.config;
    const NlpAgent *first = hall->waiting.first;
    CLEANUP(buf_done) Buf line = {0};

    if (!config->matching.self_match || config->matching.is_optimize || hall->setup.fill || !first)
        return;
    for (const NlpAgent *other = first->next; other; other = other->next) {
        if (str_eq(other->team, first->team))
            continue;
        buf_printf(&line,
                   "teams %.*s and %.*s wait, each for more of its own: with "
                   "matching.self_match: true a team plays itself; false lets them play each "
                   "other, --fill gives the free seats to bots",
                   STR_ARG(first->team), STR_ARG(other->team));
        hall_note(hall, buf_str(&line));
        return;
    }
}

/* Where a team plays itself it may have had its matches of this hour. */
static bool has_matches_left(NlpHall *hall, NlpAgent *agent, TimeUs now)
{
    const ConfigMatching *matching = &hall->setup.config->matching;
    const TimeUs wait = self_quota_wait(hall->quota, agent->team, now);
    char why[128];

    if (wait == 0 || !matching->self_match || matching->is_optimize)
        return true;
    snprintf(why, sizeof(why),
             "the team has played its %u self matches of this hour; come again in %u min",
             self_quota_most(hall->quota), (unsigned)((wait + MINUTE_US - 1) / MINUTE_US));
    hall_refuse(hall, agent, CLOSE_LATER, why);
    return false;
}

/* Its name and token are good, and it is on the list of who has said none. */
static void admit_agent(NlpHall *hall, NlpAgent *agent, TimeUs now)
{
    CLEANUP(buf_done) Buf line = {0};

    if (rejoin_seat(hall, agent, now))
        return;
    if (hall->draining) {
        hall_refuse(hall, agent, CLOSE_GOING_AWAY, "server is shutting down");
        return;
    }
    if (!of_this_contest(hall, agent, now)) {
        hall_refuse(hall, agent, CLOSE_UNKNOWN_TEAM,
                    "the schedule has its teams already, and this is none of them");
        return;
    }
    if (!has_matches_left(hall, agent, now))
        return;
    agent_list_drop(&hall->naming, agent);
    agent->since = now;
    hall_queue(hall, agent);
    take_over(hall, agent);
    team_health_seen(hall->health, agent->team, hall_unix_ms(hall, now));
    buf_printf(&line, "%s name=%s address=%s waiting=%u",
               agent->state == AGENT_LEFT_OUT ? "left-out" : "waiting", agent->name, agent->address,
               hall->waiting.count);
    hall_note(hall, buf_str(&line));
    hall_match(hall, now);
    note_apart(hall);
}

/* It was on its way to a seat that is none any more: as if it had just said its name. */
void hall_readmit(NlpHall *hall, NlpAgent *agent, TimeUs now)
{
    agent->running = NULL;
    hall->counts.rejoined--;
    agent->state = AGENT_NAMING;
    agent_list_add(&hall->naming, agent);
    admit_agent(hall, agent, now);
}

void hall_take_name(NlpHall *hall, NlpAgent *agent, Str text, TimeUs now)
{
    Str name = nlp_name_text(text);
    char why[ERR_TEXT_MAX + 16];
    Err err = {0};

    if (!good_name(name)) {
        hall_refuse(hall, agent, CLOSE_NO_NAME,
                    "a name has 1 to 128 bytes and no control characters");
        return;
    }
    agent->name = agent_text(name);
    if (!agent->name) {
        hall_refuse(hall, agent, CLOSE_GOING_AWAY, "out of memory");
        return;
    }
    agent->team = nlp_team_of(str_of(agent->name));
    if (check_token(hall, agent, now, &err)) {
        bool said = strncmp(err.msg, "token: ", 7) == 0;
        snprintf(why, sizeof(why), "token: %.100s", err.msg + (said ? 7 : 0));
        hall_refuse(hall, agent, CLOSE_BAD_TOKEN, why);
        return;
    }
    admit_agent(hall, agent, now);
}
