/* live_script.h - a game by hand: a few events for tests that look at what readers are told.
 *
 * For:    tests/web/test_live_view.c, test_feed.c.
 * Memory: nothing is kept.
 * Thread: the test's.
 */
#ifndef WARG_TESTS_LIVE_SCRIPT_H
#define WARG_TESTS_LIVE_SCRIPT_H

#include "record/live_sink.h"

#define SCRIPT_SEATS 5

/* Roles by seat: 1 seer, 2 villager, 3 villager, 4 possessed, 5 werewolf. */
static const Role script_roles[SCRIPT_SEATS + 1] = {ROLE_NONE,     ROLE_SEER,      ROLE_VILLAGER,
                                                    ROLE_VILLAGER, ROLE_POSSESSED, ROLE_WEREWOLF};

static inline void script_tell(const LiveSink *sink, const char *id, const Event *event, TimeUs now)
{
    sink->heard(sink->user, str_of(id), event, now);
}

static inline void script_talk(const LiveSink *sink, const char *id, SeatNo seat, uint32_t idx,
                               const char *text, TimeUs now)
{
    const Talk talk = {.text = str_of(text), .seat = seat, .idx = idx, .day = 1};

    script_tell(sink, id,
                &(Event){.kind = EVENT_TALK,
                         .seat = seat,
                         .day = 1,
                         .known_to = seat_all(SCRIPT_SEATS),
                         .talk = &talk,
                         .time = now / 1000},
                now);
}

/* Day 1 of a game with five seats: roles are dealt, talk begins. */
static inline void script_begin(const LiveSink *sink, const char *id, DocDivision division,
                                TimeUs now)
{
    static const char *const names[] = {"", "Ann", "Bo", "Cy", "Di", "Ed"};
    static const char *const agents[] = {"", "zzann", "zzbo", "zzcy", "zzdi", "zzed"};
    DocSeat seats[SCRIPT_SEATS + 1];
    Ruleset rules;

    ruleset_preset(STR("nlp-turn"), &rules, NULL);
    for (SeatNo seat = 0; seat <= SCRIPT_SEATS; seat++)
        seats[seat] = (DocSeat){.name = str_of(names[seat]),
                                .agent = str_of(agents[seat]),
                                .team = STR("zzteam"),
                                .kind = STR("agent")};
    sink->begins(sink->user,
                 &(DocHead){.id = str_of(id),
                            .division = division,
                            .language = "en",
                            .rules = &rules,
                            .seat_count = SCRIPT_SEATS,
                            .seats = seats,
                            .began_unix_ms = 1790000000000,
                            .form = "live",
                            .source_name = str_of(id)},
                 now);
    for (SeatNo seat = 1; seat <= SCRIPT_SEATS; seat++)
        script_tell(sink, id,
                    &(Event){.kind = EVENT_ROLE,
                             .seat = seat,
                             .role = script_roles[seat],
                             .known_to = seat_bit(seat)},
                    now);
    script_tell(sink, id, &(Event){.kind = EVENT_DAY, .day = 1, .known_to = seat_all(SCRIPT_SEATS)},
                now);
    script_tell(sink, id,
                &(Event){.kind = EVENT_PHASE,
                         .action = ACTION_TALK,
                         .day = 1,
                         .until = TIME_NEVER,
                         .known_to = seat_all(SCRIPT_SEATS)},
                now);
}

static inline void script_night(const LiveSink *sink, const char *id, TimeUs now)
{
    script_tell(sink, id,
                &(Event){.kind = EVENT_NIGHT, .day = 1, .known_to = seat_all(SCRIPT_SEATS)}, now);
    script_tell(sink, id,
                &(Event){.kind = EVENT_PHASE,
                         .action = ACTION_DIVINE,
                         .day = 1,
                         .time = now / 1000,
                         .until = now / 1000 + 9000,
                         .known_to = seat_all(SCRIPT_SEATS)},
                now);
    script_tell(sink, id,
                &(Event){.kind = EVENT_DIVINE,
                         .seat = 1,
                         .target = 5,
                         .species = SPECIES_WEREWOLF,
                         .day = 1,
                         .known_to = seat_bit(1)},
                now);
}

static inline void script_end(const LiveSink *sink, const char *id, TimeUs now)
{
    script_tell(sink, id,
                &(Event){.kind = EVENT_END,
                         .day = 1,
                         .winner = SIDE_WEREWOLF,
                         .reason = END_WIN,
                         .humans = 1,
                         .wolves = 1,
                         .known_to = seat_all(SCRIPT_SEATS)},
                now);
    for (SeatNo seat = 1; seat <= SCRIPT_SEATS; seat++)
        script_tell(sink, id,
                    &(Event){.kind = EVENT_REVEAL,
                             .seat = seat,
                             .role = script_roles[seat],
                             .day = 1,
                             .known_to = seat_all(SCRIPT_SEATS)},
                    now);
    sink->ends(sink->user, str_of(id), false, now);
}

#endif
