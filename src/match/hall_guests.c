/* Who comes by itself, until a table has it. */
#include "base/mem.h"
#include "base/utf8.h"
#include "match/hall_state.h"

#define NAME_WHEN_NONE "anonymous"

bool hall_is_held(const Hall *hall)
{
    return hall->plan->acts && operator_acts_held(hall->plan->acts);
}

bool hall_is_left_out(const Hall *hall, const PlanAgent *agent)
{
    return hall->plan->acts && operator_acts_is_out(hall->plan->acts, str_of(agent->name));
}

void hall_remove_guest(HallGuest *gone)
{
    HallGuest **at = &gone->hall->guests;

    while (*at != gone)
        at = &(*at)->next;
    *at = gone->next;
    mem_free(gone);
}

void guest_clean_name(Str name, PlanAgent *agent)
{
    CLEANUP(buf_done) Buf clean = {0};

    utf8_add_printable(str_trim(name), AGENT_NAME_MAX, &clean);
    for (size_t i = 0; i < clean.len; i++)
        if (clean.bytes[i] == ',')
            clean.bytes[i] = '_';
    size_t bytes = clean.len;
    if (bytes > AGENT_NAME_MAX) { /* whole characters only */
        bytes = AGENT_NAME_MAX;
        while (bytes > 0 && ((unsigned char)clean.bytes[bytes] & 0xC0) == 0x80)
            bytes--;
    }
    if (buf_failed(&clean) || plan_agent_name(agent, str_part(buf_str(&clean), 0, bytes), NULL))
        plan_agent_name(agent, STR(NAME_WHEN_NONE), NULL);
}

static void on_guest_named(void *user)
{
    HallGuest *guest = user;

    guest->state = GUEST_WAITING;
    guest->hall->now = aiwolf_agent_now(guest->agent);
    guest_clean_name(aiwolf_agent_name(guest->agent), &guest->plan);
    hall_match_guest(guest->hall, guest);
}

static void on_guest_failed(void *user, const Fault *fault)
{
    HallGuest *guest = user;

    (void)fault; /* it had no seat: nobody is hurt but itself */
    aiwolf_agent_free(guest->agent);
    hall_remove_guest(guest);
}

static void on_guest_answered(void *user, const Answer *answer, TimeUs at)
{
    (void)user; /* nothing was asked yet */
    (void)answer;
    (void)at;
}

static void on_guest_counted(void *user, const Fault *fault)
{
    (void)user;
    (void)fault;
}

static const AiwolfAgentEvents guest_events = {on_guest_named, on_guest_answered, on_guest_failed,
                                               on_guest_counted};

void hall_names_due(void *user, TimeUs now)
{
    Hall *hall = user;
    TimeUs next = TIME_US_NEVER;

    hall->now = now;
    for (HallGuest *guest = hall->guests, *after; guest; guest = after) {
        after = guest->next;
        aiwolf_agent_due(guest->agent, now); /* which may be its end, or move its deadline */
    }
    for (const HallGuest *guest = hall->guests; guest; guest = guest->next)
        if (aiwolf_agent_deadline(guest->agent) < next)
            next = aiwolf_agent_deadline(guest->agent);
    alarm_at(&hall->names, next, false);
}

/* As the last of all. */
static void add_guest(Hall *hall, HallGuest *guest)
{
    HallGuest **last = &hall->guests;

    while (*last)
        last = &(*last)->next;
    *last = guest;
}

int hall_opened(Hall *hall, const HallCaller *caller, TimeUs now)
{
    HallGuest *guest = mem_new(sizeof(*guest));
    Link link = {0};

    if (!guest)
        return ERR_MEMORY;
    guest->hall = hall;
    hall->now = now;
    int rc =
        aiwolf_agent_new(&hall->limits, &guest_events, guest, &hall->scratch, &guest->agent, NULL);
    if (rc == 0)
        rc = caller->open(caller->user, &aiwolf_agent_ears, guest->agent, &link);
    if (rc) {
        aiwolf_agent_free(guest->agent);
        mem_free(guest);
        return rc;
    }
    add_guest(hall, guest);
    aiwolf_agent_open(guest->agent, link, now);
    alarm_at(&hall->names, aiwolf_agent_deadline(guest->agent), true);
    return 0;
}
