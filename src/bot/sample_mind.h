/* sample_mind.h - what one sample player remembers, and the jobs its files share.
 *
 * For:    sample.c and sample_*.c only:
 *             sample.c        answers asks, turns remarks into talk one at a time
 *             sample_hear.c   reads new talk and the morning's news into tallies
 *             sample_judge.c  suspicion, votes, divinations, guards
 *             sample_lie.c    what wolves and possessed pretend, whisper and attack
 *             sample_say.c    words a remark in the protocol language
 * Memory: one plain struct per seat, about 2 KB, in the caller's block.
 * Thread: the game's.
 * Source: behaviour of the public AIWolf sample players; language: docs/spec/language.md.
 *
 * Everything heard goes into sets of seats, so that a decision costs a few operations on words
 * and not a look through what was said.
 */
#ifndef WARG_BOT_SAMPLE_MIND_H
#define WARG_BOT_SAMPLE_MIND_H

#include "bot/bot.h"
#include "bot/pick.h"
#include "lang/lang.h"

#define SAMPLE_REPORTS_MAX  64 /* claims of results that are remembered with their day */
#define SAMPLE_FINDINGS_MAX 32 /* own results, true or invented */
#define SAMPLE_TELL_MAX     8  /* own results told in one utterance */
#define SAMPLE_QUEUE_MAX    8  /* remarks waiting to be said */
#define SAMPLE_TEXT_MAX     512

/* Somebody says that a divination or the medium's sight showed this. */
typedef struct Report {
    SeatNo judge;
    SeatNo target;
    uint16_t day; /* on which it was told */
    bool identified;
    bool wolf;
} Report;

/* A result of this seat's own: learnt, or invented to be told. */
typedef struct OwnResult {
    SeatNo target;
    uint16_t day;
    bool wolf;
} OwnResult;

/* Why a seat is thought to be a wolf or possessed. */
typedef enum CaseKind {
    CASE_NONE,
    CASE_RIVAL,         /* it claims the role that this seat has claimed */
    CASE_CONTRADICTS,   /* its result is the opposite of an own one */
    CASE_ACCUSES_ME,    /* it called this seat a wolf */
    CASE_ACCUSES_VICTIM /* it called somebody a wolf whom the wolves killed */
} CaseKind;

typedef struct Case {
    CaseKind kind;
    SeatNo seat;       /* whom it is against */
    Report report;     /* its words; unless RIVAL */
    OwnResult finding; /* CONTRADICTS: the own result */
} Case;

/* Something worth saying. */
typedef enum RemarkKind {
    REMARK_COME_OUT,  /* I am `role` */
    REMARK_FINDINGS,  /* own results first..first+count-1 */
    REMARK_SUSPECT,   /* `seat` is a wolf or possessed, because of `cause` */
    REMARK_POSSESSED, /* `seat` is possessed: `cause`, and the own result `white` says human */
    REMARK_DEMAND,    /* all vote for `seat`, because of the own result `white` (a wolf) */
    REMARK_VOTE,      /* I vote for `seat`, do likewise; with `grounds` */
    REMARK_PLAN,      /* whisper: I shall claim `role` */
    REMARK_LIAR,      /* whisper: `cause.report` is false, so its judge is possessed */
    REMARK_ATTACK,    /* whisper: I attack `seat`; if `role` because it claims that */
} RemarkKind;

/* What a vote is put down to. */
typedef enum Grounds {
    GROUNDS_NONE,
    GROUNDS_SUSPECT, /* seat is a wolf or possessed */
    GROUNDS_FINDING, /* the own result against it */
} Grounds;

typedef struct Remark {
    RemarkKind kind;
    Grounds grounds;
    SeatNo seat;
    Role role;
    uint8_t first;
    uint8_t count;
    OwnResult white;
    Case cause;
} Remark;

typedef struct RemarkQueue {
    uint8_t head;
    uint8_t count;
    Remark items[SAMPLE_QUEUE_MAX];
} RemarkQueue;

/* How much it says today, in talk or in whisper. */
typedef struct Quiet {
    uint32_t said;
    uint32_t turns; /* in a row without a word */
} Quiet;

typedef struct Sample {
    Rng rng;
    SeatNo me;
    SeatNo seat_count;
    Role role;
    Role stance;        /* SEER or MEDIUM: argues as one, truly or not; else VILLAGER */
    bool liar;          /* stance is pretended, or would be */
    bool out;           /* has claimed its stance */
    uint16_t out_day;   /* on which it comes out at the latest */
    uint16_t first_day; /* of the ruleset */
    uint8_t wolf_count; /* in this game */
    SeatSet mates;      /* known to be on the same side: fellow wolves, freemasons */
    SeatSet friends;    /* wolves: humans who spoke falsely, so surely possessed */
    SeatSet victims;    /* killed by the wolves */
    SeatSet proven;     /* bodyguard: guarded on a night without a death */
    SeatNo guarded;     /* bodyguard: last night */

    /* heard; indexed by target or role, sets of speakers */
    SeatSet divined_wolf[SEAT_MAX + 1];
    SeatSet divined_human[SEAT_MAX + 1];
    SeatSet identified_wolf[SEAT_MAX + 1];
    SeatSet identified_human[SEAT_MAX + 1];
    SeatSet claimants[ROLE_COUNT];
    uint8_t claim[SEAT_MAX + 1]; /* Role */
    SeatSet false_accusers;      /* called this seat or a victim a wolf */
    SeatSet contradicting;       /* told the opposite of an own finding */
    uint8_t report_count;
    Report reports[SAMPLE_REPORTS_MAX];

    /* own results */
    SeatSet found_wolf;
    SeatSet found_human;
    uint8_t finding_count;
    uint8_t told_count;
    OwnResult findings[SAMPLE_FINDINGS_MAX];
    SeatNo named_possessed; /* the last one told */

    /* today */
    bool open_room; /* asks stand open: nobody takes turns */
    bool awake;     /* has seen the morning of `day` */
    uint16_t day;
    uint32_t talk_heard;
    uint32_t whisper_heard;
    uint32_t talk_turn; /* times asked to talk today */
    bool vote_put_off;  /* where the ballot stays open */
    Quiet talk_quiet;
    Quiet whisper_quiet;
    uint8_t request[SEAT_MAX + 1]; /* by speaker: for whom it asked votes */
    SeatSet requesters;
    bool request_news;          /* since the vote was last considered */
    SeatNo candidate;           /* whom it would vote for */
    SeatNo declared;            /* whom it said it votes for */
    Grounds grounds;            /* of the candidate */
    SeatNo prey;                /* wolves: declared target of the attack */
    SeatNo standing[ASK_COUNT]; /* MAW: the answer that stands */

    uint8_t plan[SEAT_MAX + 1]; /* wolves: Role a mate said it will claim */
    RemarkQueue talk;
    RemarkQueue whisper;
    char text[SAMPLE_TEXT_MAX];
} Sample;

/* ---- sample_mind.c ---- */

/* Remembers a result of one's own. Ignored when there is no room left. */
void sample_find(Sample *self, SeatNo target, uint16_t day, bool wolf);

/* The own result about this seat, the latest first; target is SEAT_NONE when there is none. */
OwnResult sample_finding_on(const Sample *self, SeatNo target);

/* `from` without `spared`, unless nothing would be left. */
SeatSet sample_prefer(SeatSet from, SeatSet spared);

/* ---- sample_hear.c ---- */

/* Takes in whatever the view holds that is new: the morning, and talk since the last time. */
void sample_notice(Sample *self, const View *view);

/* ---- sample_judge.c ---- */

/* Makes up its mind whom to vote for, and queues what there is to say about it. */
void sample_choose(Sample *self, const View *view, bool revote);
SeatNo sample_divine(Sample *self, const View *view);
SeatNo sample_guard(Sample *self, const View *view);

/* ---- sample_lie.c ---- */

/* A wolf's plan when the game begins. */
void sample_plan_claim(Sample *self, const View *view);
/* In the morning: today's invented result, if any. */
void sample_invent(Sample *self, const View *view);
/* A possessed comes out against a seer, with an invented past. */
void sample_counter_claim(Sample *self, const View *view, SeatNo seer);
/* A wolf among wolves: notes that this report is false. */
void sample_note_liar(Sample *self, Report report);
/* Whispering: avoids two wolves with the same claim; names the prey. */
void sample_conspire(Sample *self, const View *view);
SeatNo sample_attack(Sample *self, const View *view, bool standing);

/* ---- sample_say.c ---- */

/* Queues a remark; the oldest wait, a remark too many is dropped. */
void sample_queue(RemarkQueue *queue, Remark remark);

/* Words the next remark into self->text. Empty when there is none. */
Str sample_say(Sample *self, RemarkQueue *queue);

#endif
