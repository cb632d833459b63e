/* driver_own.h - the inside of a MawDriver, for the driver*.c files only.
 *
 * For:    driver.c (when to decide, and acting), driver_*.c (what).
 * Memory: see driver.h.
 * Thread: one at a time.
 * Source: docs/spec/maw.md 5.1.
 *
 * To add a kind of driver: a DriverKind, and a maw_NAME_driver_new that calls driver_new with it.
 */
#ifndef WARG_MAW_DRIVER_OWN_H
#define WARG_MAW_DRIVER_OWN_H

#include "base/rng.h"
#include "maw/driver.h"

/* What was heard since the last question, and how much it wants an answer. */
typedef enum DriverHeard {
    HEARD_NOTHING,
    HEARD_LINE,    /* somebody spoke, or a phase began */
    HEARD_ADDRESS, /* it was spoken to, whispered to, voted for or answered */
} DriverHeard;

typedef struct DriverKind {
    /* One decision about driver->scene. A kind that has it at once calls driver_decided; one that
     * must wait does so later. */
    void (*decide)(MawDriver *driver, TimeUs now);
    void (*news)(MawDriver *driver, const MawNews *news, TimeUs now); /* may be NULL */
    void (*cancel)(MawDriver *driver);                                /* may be NULL */
    bool (*busy)(const MawDriver *driver);                            /* may be NULL */
    void (*done)(MawDriver *driver); /* frees what is its own; may be NULL */
    /* An opinion about driver->scene, for the record alone; may be NULL. */
    void (*opine)(MawDriver *driver, TimeUs now);
    bool costly; /* it is asked only when something was heard: docs/spec/models.md 1.8 */
} DriverKind;

typedef struct TalkerSeat TalkerSeat; /* driver_talker.c */
typedef struct AgentNotes AgentNotes; /* driver_agent.c */

struct MawDriver {
    const DriverKind *kind;
    MawPlayer *player;
    MawPace pace;
    Rng rng;
    LlmLanguage language;
    /* The phase it is in. */
    uint32_t round;
    uint32_t phase_no;
    TimeUs phase_began;
    bool follows; /* see maw_driver_follow */
    bool waits;   /* the game is paused, since ... */
    TimeUs waits_since;
    uint32_t last_calls; /* how often it was asked for a vote because time runs out */
    /* Algorithm 1. */
    TimeUs next;       /* no decision before */
    TimeUs decided_at; /* the last one */
    bool news;         /* M is not empty: somebody else has said or done something */
    DriverHeard heard; /* of a costly one */
    bool spoke_last;
    LlmOpinions opinions;
    bool opinion_due;
    bool opines;     /* one is asked for: it gives way to every decision */
    Rng opinion_rng; /* of its own: the game goes as without them */
    bool opined;     /* in this phase */
    LlmScene scene;  /* of the decision under way */
    TalkerSeat *talker;
    LlmSeat *seat;
    AgentNotes *agent;
    MawAsked *asked;
    bool refused; /* its interface is not for such a player: not asked again in this phase */
};

int driver_new(const DriverKind *kind, const MawPace *pace, uint64_t seed, MawDriver **ret,
               Err *err);
int random_driver_new(const MawPace *pace, uint64_t seed, MawDriver **ret, Err *err);
/* One of the targets of driver->scene by chance; empty: there is none. */
Str driver_random_target(MawDriver *driver);
/* The whole decision of a random bot. */
void driver_random_decide(MawDriver *driver, TimeUs now);
/* A decision has come: it is acted on. */
void driver_decided(MawDriver *driver, const LlmDecision *decision, TimeUs now);

#endif
