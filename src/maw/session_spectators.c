/* Who watches: told what is public, the Village's lines only when its day is over.
 * docs/spec/maw.md 3.4 (observe), 7.1: "a second, public spectator feed is delayed and shows no
 * roles, no hideout".
 *
 *   observe -> agree observe, then start_game and phase_change of what is going on
 *   then: start_game, phase_change, new_messages of a day at its end, vote_result, end_game without
 *   roles, session_end */
#include "maw/session_state.h"

#define READER 0u /* of the gallery, which has one */

static Spectator *find_spectator(MawSession *session, Str jid)
{
    CLEANUP(buf_done) Buf folded = {0};

    jid_fold(jid, &folded);
    for (uint32_t i = 0; i < session->options.spectators && !buf_failed(&folded); i++) {
        Spectator *spectator = &session->spectators[i];
        if (spectator->used && str_eq(buf_str(&folded), str_of(spectator->jid)))
            return spectator;
    }
    return NULL;
}

bool spectators_has(const MawSession *session, Str jid)
{
    CLEANUP(buf_done) Buf folded = {0};

    jid_fold(jid, &folded);
    for (uint32_t i = 0; i < session->options.spectators && !buf_failed(&folded); i++)
        if (session->spectators[i].used &&
            str_eq(buf_str(&folded), str_of(session->spectators[i].jid)))
            return true;
    return false;
}

bool spectators_forget(MawSession *session, Str jid)
{
    Spectator *spectator = find_spectator(session, jid);

    if (spectator)
        *spectator = (Spectator){0};
    return spectator;
}

bool spectators_bounced(MawSession *session, const MawStanza *stanza)
{
    Spectator *spectator = find_spectator(session, stanza->from);

    if (!spectator || !str_eq(stanza->from, str_of(spectator->address)))
        return false;
    record_bounce(session, stanza);
    *spectator = (Spectator){0};
    return true;
}

/* ---- observe ---- */

static Spectator *free_place(MawSession *session)
{
    for (uint32_t i = 0; i < session->options.spectators; i++)
        if (!session->spectators[i].used)
            return &session->spectators[i];
    return NULL;
}

/* False when it was refused. */
static bool may_watch(const Asked *asked, const Spectator *place)
{
    const MawSession *session = asked->session;

    if (session->options.spectators == 0)
        refuse(asked, "not-authorised", "This session has no seats for spectators.");
    else if (asked->member && asked->member->banned)
        refuse(asked, "not-authorised", "You can't watch this session.");
    else if (asked->member && asked->member->seated)
        refuse(asked, "not-authorised", "You have a seat: who plays can't watch as well.");
    else if (session->state == MAW_OVER)
        refuse(asked, "running", "The session is over.");
    else if (!place)
        refuse(asked, "full", "All %u seats for spectators are taken.",
               session->options.spectators);
    else
        return true;
    return false;
}

/* What is going on, as far as everybody knows it. */
static void catch_up(MawSession *session, const Spectator *spectator)
{
    Member guest = {.used = true, .presence = PRESENT};

    if (!in_round(session) || session->phase_no == 0)
        return;
    snprintf(guest.address, sizeof(guest.address), "%s", spectator->address);
    tell_start(session, &guest);
    tell_phase(session, &guest);
}

void spectators_observe(const Asked *asked)
{
    MawSession *session = asked->session;
    MawMessage message = maw_message(MAW_OBSERVE);
    Spectator *spectator = find_spectator(session, asked->stanza->from);
    CLEANUP(buf_done) Buf jid = {0};

    if (!spectator)
        spectator = free_place(session);
    if (!may_watch(asked, spectator))
        return;
    jid_fold(asked->stanza->from, &jid);
    spectator->used = true;
    snprintf(spectator->jid, sizeof(spectator->jid), "%s", buf_cstr(&jid));
    snprintf(spectator->address, sizeof(spectator->address), "%.*s", STR_ARG(asked->stanza->from));
    record_message(asked, "accepted", NULL);
    tell_answer(asked, &message, ACT_AGREE);
    catch_up(session, spectator);
}

/* ---- the Village's lines ---- */

void spectators_keep(MawSession *session, const Member *member, Str text, Str time)
{
    Str name = member ? member_name(member) : STR("");
    Str jid = member ? str_of(member->jid) : STR("");

    if (session->gallery &&
        chat_room_add(session->gallery, member ? (int)member_no(session, member) : -1, jid, name,
                      text, time) < 0)
        session_note(session, "a line for spectators was lost: out of memory");
}

void spectators_release(MawSession *session)
{
    TimeUs now = session_time(session);

    while (session->gallery && session->gallery_next < chat_room_next(session->gallery)) {
        MawMessage message = maw_message(MAW_NEW_MESSAGES);
        MawLine lines[LINES_MAX];
        room_take(session->gallery, READER, session->gallery_next, now, &message, lines);
        message.open = false;
        session->gallery_next = message.next;
        tell_spectators(session, ROOM_VILLAGE, &message);
    }
}
