/* session_state.h - the inside of a MAW session, for the files that make it up.
 *
 * For:    the files of a session, the lowest first; each calls those before it, none behind it:
 *         session_text.c (names and lines as they may be), session_state.c (what follows from the
 *         state alone), session_record.c (the record), session_tell.c (what goes out),
 *         session_result.c (what a round came to), session_spectators.c (who watches),
 *         session_rooms.c (rooms and their lines), session_between.c (the lobby opens, the end),
 *         session_round.c (a round on the engine), session_lobby.c (who joins, leaves, is absent),
 *         session_chat.c (lines from members), session_votes.c (votes, whispers, the Seer's
 *         question), session_clock.c (clocks that stand still), session.c (making, time, looking),
 *         session_control.c (the link, the operator), session_answer.c (what comes in: the order
 *         of section 4).
 * Memory: see session.h. Texts of members stand in fixed places.
 * Thread: one at a time.
 * Source: docs/spec/maw.md 1 to 4; the states are drawn in session.h.
 *
 * All times here are milliseconds since the session began: what is recorded is what counted, so a
 * record replays exactly. The engine's clock stands still while the link is down (game_now).
 */
#ifndef WARG_MAW_SESSION_STATE_H
#define WARG_MAW_SESSION_STATE_H

#include "base/date_text.h"
#include "base/json.h"
#include "maw/session.h"
#include "maw/system_line.h"
#include "record/game_recorder.h"

#define MEMBERS_MAX      ROOM_READERS_MAX
#define NAME_CHARS_MAX   24 /* A33 */
#define NAME_BYTES_MAX   (4 * NAME_CHARS_MAX)
#define JID_BYTES_MAX    511 /* longer ones may not join */
#define ADDRESS_MAX      384 /* of our own agents */
#define ID_BYTES_MAX     64
#define REPEATS_MAX      32 /* row 12: so many messages of a member are remembered */
#define STRANGERS_MAX    32
#define MESSAGE_RATE_MS  50 /* row 13: twenty messages a second of all kinds ... */
#define MESSAGE_BURST    60 /* ... and a burst of 60 */
#define REFUSED_EXTRA_MS 50 /* what is refused counts twice ... */
#define BYTES_IN_MS      32 /* ... and long bodies as much as 32 kB a second */
#define STRANGER_RATE_MS 1000
#define STRANGER_BURST   10
#define LIMITED_EACH_MS  5000
#define WHISPER_EACH_MS  10000               /* 7.2 */
#define NEW_LINES_BYTES  ((size_t)48 * 1024) /* of one new_messages: bodies stay below 60 kB */
#define WARNING_COUNT    3

typedef enum RoomNo {
    ROOM_LOBBY,
    ROOM_VILLAGE,
    ROOM_HIDEOUT,
    ROOM_GRAVEYARD, /* only with the option */
    ROOM_COUNT,
    ROOM_NONE = ROOM_COUNT, /* as an address: the game master */
} RoomNo;

typedef enum Presence {
    PRESENT,
    ABSENT, /* a message to it came back; the seat is kept for a while */
    GONE,   /* left, or was absent for too long */
} Presence;

/* A leaky bucket; zero is a fresh one. */
typedef struct Bucket {
    TimeMs at;
    TimeMs debt;
} Bucket;

/* A message that was answered, and how: section 4, row 12. */
typedef struct Repeat {
    uint64_t id; /* hashes; 0 = none */
    uint64_t reply_with;
    Buf answer; /* a body; empty: there was no answer */
    MawAct act;
    RoomNo from;
} Repeat;

/* Somebody who joined, also after leaving: name and points belong to the bare JID (A29, A34). The
 * index in `members` is the player number of the rooms. */
typedef struct Member {
    bool used;
    bool seated;  /* has one of the seats, of this round or of the next one */
    bool banned;  /* by the operator */
    bool leaves;  /* it said so: no way back into this round */
    bool awaited; /* the session was gone on with, and nothing was heard of it since */
    Presence presence;
    TimeMs gone_at;                  /* ABSENT, GONE */
    TimeMs heard_at;                 /* its last message; nights in which it slept don't count */
    char jid[JID_BYTES_MAX + 1];     /* bare, folded */
    char address[JID_BYTES_MAX + 1]; /* of the last join or fetch: spec 3.5 */
    char lost[JID_BYTES_MAX + 1];    /* a client that lost the seat to another of the account */
    char name[NAME_BYTES_MAX + 1];
    uint32_t joined; /* order of joining */
    int64_t points;
    uint32_t rounds_won;
    uint32_t rounds_played;
    PlaySums play; /* of rounds that somebody won */
    /* The round, or the last one while the lobby is open. */
    SeatNo seat; /* SEAT_NONE: not in it */
    Role role;
    bool alive;
    SeatNo vote;        /* whom it votes for now */
    const char *cause;  /* of death; NULL */
    uint16_t asked_day; /* the Seer's last question */
    /* Floods and repeats. */
    Bucket messages;
    Bucket lines;
    bool whispered;
    TimeMs whispered_at;
    bool limited;
    TimeMs limited_at;
    uint32_t dropped; /* too many: neither answered nor recorded */
    bool away;        /* the engine was told */
    bool warned_act;
    bool warned_text;
    Repeat repeats[REPEATS_MAX];
    uint32_t repeat_next;
    /* Push: by room. */
    uint32_t subscribed;
    int64_t pushed[ROOM_COUNT];
    /* Answers: by room, the line after the last one that was sent, and what a reader who only
     * counts lines takes for it. */
    int64_t told[ROOM_COUNT];
    int64_t counted[ROOM_COUNT];
} Member;

typedef struct Stranger {
    uint64_t jid; /* hash; 0 = free */
    TimeMs seen;
    Bucket messages;
    bool warned_text;
} Stranger;

/* Somebody who watches (7.1). */
typedef struct Spectator {
    bool used;
    char jid[JID_BYTES_MAX + 1];     /* bare, folded */
    char address[JID_BYTES_MAX + 1]; /* it said `observe` from there */
} Spectator;

/* What a phase has come to, while its events come in. */
typedef struct PhaseEnd {
    bool open;
    bool night;
    VoteLog votes;
    SeatNo executed;
    SeatNo murdered;
} PhaseEnd;

struct MawSession {
    Ruleset rules;
    MawOptions options;
    MawOut out;
    MawWatcher watcher;
    char id[ID_BYTES_MAX + 1];
    char domain[ADDRESS_MAX];
    char master[ADDRESS_MAX];
    char room_jids[ROOM_COUNT][ADDRESS_MAX];
    MawChance chance;
    TimeUs began;
    int64_t began_unix_ms;
    TimeMs now;

    MawState state;
    Member members[MEMBERS_MAX];
    uint32_t joined_count;
    Stranger strangers[STRANGERS_MAX];
    ChatRoom *rooms[ROOM_COUNT];
    int64_t room_since[ROOM_COUNT]; /* the first index of this round */
    Spectator spectators[MAW_SPECTATORS_MAX];
    ChatRoom *gallery;    /* the Village's lines, until its day is over; NULL: nobody may watch */
    int64_t gallery_next; /* the first that spectators were not told */

    /* The lobby. */
    TimeMs lobby_until; /* A31; TIME_NEVER */
    TimeMs next_round_at;
    TimeMs wait_told_at; /* free seats are told then; TIME_NEVER: they were, or there are none */

    /* The round. */
    Game *game;
    uint32_t round;
    uint32_t rounds_done;
    uint32_t rounds_won[SIDE_OTHERS + 1];
    uint32_t phase_no;
    uint8_t member_of[SEAT_MAX + 1];
    SeatNo seat_count;
    bool told_start;
    bool night;
    TimeMs round_began;
    TimeMs shift;       /* added to the game's clock: phases that were ended, time without a link */
    TimeMs night_began; /* on the session's clock; 0: it is none */
    TimeMs phase_began; /* these are on the game's clock */
    TimeMs phase_until;
    TimeMs held_until; /* A15; 0 = nothing is held back */
    uint32_t warned;   /* bit w: warning w of this phase was given */
    SeatSet tied;      /* the vote is held again among these; 0 = it is the first */
    PhaseEnd end;
    SeatNo tell_executed; /* for the next room's system lines */
    SeatNo tell_murdered;
    SeatSet tell_left;
    Str vote_reason; /* of the vote that is being taken; for who watches */
    Side winner;
    EndReason reason;
    GameResult result; /* of the round so far, but names, roles and points */
    ResultDays days;
    int32_t gained[SEAT_MAX + 1];

    bool down;
    bool down_for_long; /* longer than pause_after_ms */
    bool halted;        /* by the operator */
    bool drained;       /* no further round begins */
    bool awaiting;      /* it was gone on with: those who played are to come back */
    bool paused;        /* for one of these reasons */
    TimeMs await_ms;
    TimeMs await_until; /* TIME_NEVER: the link is down, nobody can come */
    TimeMs down_at;
    TimeMs paused_at;

    uint64_t sent;
    uint64_t seq;
    Buf record;
    Buf body;
};

/* One message that is being answered. */
typedef struct Asked {
    MawSession *session;
    const MawStanza *stanza;
    const MawMessage *message;
    Member *member; /* NULL: a stranger */
    RoomNo room;    /* it was sent to */
    Repeat *repeat; /* where the answer is remembered; NULL */
} Asked;

static inline Str member_name(const Member *member)
{
    return str_of(member->name);
}

static inline unsigned member_no(const MawSession *session, const Member *member)
{
    return (unsigned)(member - session->members);
}

static inline Member *member_at(MawSession *session, SeatNo seat)
{
    return &session->members[session->member_of[seat]];
}

static inline bool in_lobby(const MawSession *session)
{
    return session->state == MAW_SETUP || session->state == MAW_END_PHASE;
}

static inline bool in_round(const MawSession *session)
{
    return !in_lobby(session) && session->state != MAW_OVER;
}

/* ---- session_text.c ---- */

/* Equal but for case. */
bool name_same(Str a, Str b);
/* How many code points of `prefix` there are, when `name` begins with it in any case; else 0. */
size_t name_prefix(Str name, Str prefix);
/* A line as one paragraph without control characters (A35), into `out`, which is cleared. */
void line_clean(Str text, Buf *out);

/* ---- session_state.c ---- */

/* The engine's time. */
TimeMs game_now(const MawSession *session);
/* The caller's, to the millisecond. */
TimeUs session_time(const MawSession *session);
/* Who watches the round is told that somebody learns of a role; `event` lacks day and time. */
void watch_learnt(const MawSession *session, const Event *event);
/* Who watches the round is told what an operator does, unless that is nothing to them. */
void watch_act(const MawSession *session, const char *act);
/* Who watches the round is told what this member says; `said` lacks the speaker. */
void watch_said(const MawSession *session, const Member *member, const DocSaid *said);
/* Time passes, and nothing else. */
void session_set_now(MawSession *session, TimeUs now);
/* Of a session time; empty when there is no date for it. */
Str tell_time(const MawSession *session, TimeMs at, char room[static DATE_TEXT_ROOM]);
const char *tell_role(Role role);
void session_note(const MawSession *session, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Floods: one in each_ms, `burst` at once. What is refused leaves no trace, so a record without it
 * replays exactly. */
bool bucket_has_room(const Bucket *bucket, TimeMs now, TimeMs each_ms, uint32_t burst);
void bucket_put(Bucket *bucket, TimeMs now, TimeMs each_ms);
const char *room_name(RoomNo room);
RoomNo room_of(const MawSession *session, Str jid);
/* The open one of lobby, village and hideout. */
RoomNo room_now(const MawSession *session);
bool room_is_wolf(const Member *member);
bool room_readable(const MawSession *session, const Member *member, RoomNo room);
/* The lines from `index` on that fit into one body, and the indices around them. They are the
 * room's until it changes. */
#define LINES_MAX 200 /* of one new_messages */
void room_take(ChatRoom *room, unsigned reader, int64_t index, TimeUs now, MawMessage *message,
               MawLine lines[static LINES_MAX]);
/* The seats this member may vote for now. */
SeatSet votes_targets(const MawSession *session, const Member *member);

/* ---- session_record.c ---- */

/* Begins an event into *json; false when nobody wants a record. */
bool record_begin(MawSession *session, Json *json, const char *event);
void record_end(MawSession *session, Json *json);
void record_session(MawSession *session);
/* A message that came in and what became of it: "accepted", "refused", "repeated" ... */
void record_message(const Asked *asked, const char *outcome, const char *code);
/* How many messages of a member were dropped since the last time this was said. Like a line of the
 * table it begins with its time: nothing follows from it, and a replay has none. */
void record_dropped(MawSession *session, Member *member);
/* An XMPP error for a message of ours. */
void record_bounce(MawSession *session, const MawStanza *stanza);
void record_member(MawSession *session, const char *event, const Member *member);
void record_start(MawSession *session);
void record_phase(MawSession *session);
/* The operator gives the phase so much longer. */
void record_extend(MawSession *session, TimeMs longer);
/* The same phase, with another deadline. */
void record_retime(MawSession *session);
/* The session is gone on with from its record. */
void record_resumed(MawSession *session, TimeMs wait_ms);
void record_revote(MawSession *session);
void record_phase_end(MawSession *session, const PhaseEnd *end, const char *status);
void record_end_game(MawSession *session);
void record_line(MawSession *session, RoomNo room, const Member *member, int64_t index, Str text);
void record_vote(MawSession *session, const Member *voter, const Member *target, Str reason);
/* Something with one text: "operator", "session_end", "link". */
void record_plain(MawSession *session, const char *event, const char *key, Str text);
/* An operator's, who watches hears of it, too. */
void record_act(MawSession *session, const char *act);

/* ---- session_tell.c ---- */

/* To one member, from the game master (ROOM_NONE) or a room; nothing to who is not there. */
void tell_one(MawSession *session, RoomNo from, const Member *member, const MawMessage *message);
/* To a client whose seat another one of its account has taken. */
void tell_replaced(MawSession *session, Str to);
/* That it has to join once more: who is awake can be heard by asking for lines, who sleeps can't.
 */
void tell_to_join(MawSession *session, const Member *member);
/* To all who watch, from the game master (ROOM_NONE) or a room. */
void tell_spectators(MawSession *session, RoomNo from, const MawMessage *message);
/* To everybody who has a seat, and to all who watch but for end_game, which has roles. */
void tell_all(MawSession *session, const MawMessage *message);
void tell_start(MawSession *session, const Member *only);
void tell_role_of(MawSession *session, const Member *member);
void tell_phase(MawSession *session, const Member *only);
void tell_kill(MawSession *session, const Member *member);
void tell_result(MawSession *session, const PhaseEnd *end, const char *status);
void tell_end_game(MawSession *session, bool last);
/* "Villagers", "None": who won, in the words of the wire. */
Str tell_team(Side winner);
/* The leaderboard into a message (A28). */
void tell_fill_scores(const MawSession *session, MawMessage *message);
/* To who asked: remembered in asked->repeat. */
void tell_answer(const Asked *asked, const MawMessage *message, MawAct act);
void tell_refusal(const Asked *asked, MawAct act, const char *code, const Str *allowed,
                  uint32_t allowed_count, const char *format, ...)
    __attribute__((format(printf, 6, 7)));
#define refuse(asked, code, ...) tell_refusal(asked, ACT_REFUSE, code, NULL, 0, __VA_ARGS__)
void tell_repeat(const Asked *asked, const Repeat *repeat);

/* ---- session_result.c ---- */

void result_tell(MawSession *session);

/* ---- session_spectators.c ---- */

void spectators_observe(const Asked *asked);
bool spectators_has(const MawSession *session, Str jid);
/* Watches no more; false: it did not. */
bool spectators_forget(MawSession *session, Str jid);
/* A message to it came back; false: it is no spectator's. */
bool spectators_bounced(MawSession *session, const MawStanza *stanza);
/* A line of the Village, for later. */
void spectators_keep(MawSession *session, const Member *member, Str text, Str time);
/* The day is over: its lines are told. */
void spectators_release(MawSession *session);

/* ---- session_rooms.c ---- */

void room_open(MawSession *session, RoomNo room);
void room_close(MawSession *session, RoomNo room);
void room_announce(MawSession *session, RoomNo room, const Member *member);
/* Appends a line, of a member or (NULL) of the system, and sends it to subscribers. */
void room_line(MawSession *session, RoomNo room, const Member *member, Str text);
void room_system_line(MawSession *session, RoomNo room, SystemLine line,
                      const Str arguments[static SYSTEM_ARGUMENTS]);
/* With up to three arguments. */
#define room_system(session, room, line, ...)                                                      \
    room_system_line((session), (room), (line), (const Str[SYSTEM_ARGUMENTS]){__VA_ARGS__})

/* What a member is answered or sent: the lines of a room from `index` on. */
void room_fill_lines(MawSession *session, RoomNo room, const Member *member, int64_t index,
                     MawMessage *message, MawLine lines[static LINES_MAX]);

/* ---- session_between.c ---- */

uint32_t lobby_seated(const MawSession *session);
/* Somebody who never played leaves nothing behind, not even the name. */
void lobby_give_up_seat(Member *member);
void lobby_open(MawSession *session);
/* Who won the round, and the points, as lines of the lobby. */
void lobby_leaderboard(MawSession *session);
/* Closes everything and says so to everybody. */
void session_end(MawSession *session, const char *why);

/* ---- session_round.c ---- */

void round_start(MawSession *session);
void round_tick(MawSession *session);
TimeMs round_deadline(const MawSession *session);
/* All events that there are now. */
void round_drain(MawSession *session);
void round_away(MawSession *session, Member *member, bool away);
/* Out of the round, dead without execution. */
void round_remove(MawSession *session, const Member *member);
/* Whether it lives and could act in the phase that is going on. */
bool round_awake(const MawSession *session, const Member *member);
/* All that a member must know who comes in the middle of it. */
void round_resume(MawSession *session, const Member *member);
/* The same phase with another deadline. */
void round_retime(MawSession *session);

/* ---- session_lobby.c ---- */

Member *lobby_find(MawSession *session, Str jid);
void lobby_tick(MawSession *session);
void lobby_join(const Asked *asked);
void lobby_leave(const Asked *asked);
/* A message came from it: it is there again, and told (unless it asks for that itself) what it has
 * missed. */
void lobby_back(MawSession *session, Member *member, Str from, bool resume);
/* It joined, or asked for lines: it is told by this address from now on, and another client of the
 * account, if that had the seat, is told so. */
void lobby_heard_from(MawSession *session, Member *member, Str from);
/* A message to it came back. */
void lobby_bounced(MawSession *session, const MawStanza *stanza);
/* It leaves its seat for good. */
void lobby_depart(MawSession *session, Member *member);
/* It is not there. */
void lobby_be_absent(MawSession *session, Member *member);
/* Who was absent for too long leaves. */
void lobby_expire(MawSession *session);
TimeMs lobby_deadline(const MawSession *session);

/* ---- session_chat.c ---- */

/* Cleans a text into `line`; false when it was refused (row 17). */
bool room_line_fits(const Asked *asked, Str text, Buf *line);
void room_chat(const Asked *asked);
void room_fetch(const Asked *asked);
void room_subscribe(const Asked *asked, bool on);

/* ---- session_votes.c ---- */

void votes_take(const Asked *asked);
void votes_whisper(const Asked *asked);
void votes_query_role(const Asked *asked);

/* ---- session_clock.c ---- */

/* Stops the clocks when the link has been down for too long. */
TimeMs clock_pause_at(const MawSession *session); /* TIME_NEVER: it needn't be looked at */
void clock_tick(MawSession *session);
void clock_stop(MawSession *session, SystemLine why);
void clock_go_on(MawSession *session);
/* Clocks stand still until those who have a seat were heard of, or for so long. */
void clock_await(MawSession *session, TimeMs wait_ms);
/* The link is another one while they are waited for. */
void clock_await_link(MawSession *session);

/* ---- session.c ---- */

/* What is due happens. */
void session_advance(MawSession *session);

#endif
