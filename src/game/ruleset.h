/* ruleset.h - the rules of a table as data: nothing here plays, everything here decides.
 *
 * For:    the engine reads it, wires tell it to agents, `warg rules` prints it, files change it.
 *         A point on which the regulations and the old servers disagree is one named rule here.
 * Memory: a plain value of fixed size, no pointers; copy it freely.
 * Thread: constant once made.
 * Source: docs/spec/protocol-division.md 2.6, 3, 4 and 7; docs/spec/nlp-division.md 4, 5, 7 and 10;
 *         docs/spec/maw.md 1. Each preset in preset.c names its own.
 */
#ifndef WARG_GAME_RULESET_H
#define WARG_GAME_RULESET_H

#include "base/buf.h"
#include "base/err.h"
#include "game/role.h"

/* What a phase can do. VILLAGE and HIDEOUT are MAW's rooms: talk and a standing vote at once. */
typedef enum __attribute__((packed)) Action {
    ACTION_TALK,
    ACTION_WHISPER,
    ACTION_EXECUTION,
    ACTION_DIVINE,
    ACTION_GUARD,
    ACTION_ATTACK,
    ACTION_VILLAGE,
    ACTION_HIDEOUT,
    ACTION_COUNT,
} Action;

#define PHASE_MAX         16
#define PHASE_ACTIONS_MAX 6
#define PHASE_NAME_MAX    32
#define DAY_ANY           (-1)

/* One step of a day, as in the natural-language server's configuration. */
typedef struct Phase {
    char name[PHASE_NAME_MAX]; /* a label, nothing more */
    uint8_t action_count;
    uint8_t actions[PHASE_ACTIONS_MAX]; /* Action, in order */
    int32_t only_day;                   /* DAY_ANY, or the only day on which it runs */
    int32_t except_day;                 /* DAY_ANY, or the day on which it does not run */
} Phase;

/* The phases of one half of a day. */
typedef struct Section {
    uint32_t count;
    Phase phases[PHASE_MAX];
} Section;

typedef enum Exchange {
    EXCHANGE_SEQUENTIAL, /* each speaker has heard what was said before it in the turn */
    EXCHANGE_TURN,       /* what is said in a turn is revealed when the turn is over */
    EXCHANGE_ANYTIME,    /* everybody may speak at any time until the session's time is up */
} Exchange;

typedef enum Order {
    ORDER_TURN,    /* shuffled anew every turn */
    ORDER_SESSION, /* shuffled once per session */
    ORDER_BIDS,    /* talk: all say how much they want to speak, the highest speaks; a turn is one
                    * utterance. Ties: who spoke least, then chance. None wants to: it is over */
} Order;

typedef enum SkipRule {
    SKIP_AGENT,  /* an agent's Skip after max_skip in a row is recorded as Over */
    SKIP_ALL,    /* the session ends after max_skip + 1 turns in which everybody skipped */
    SKIP_BUDGET, /* an agent has max_skip Skips; the next is Over; other talk refills them */
} SkipRule;

/* What is recorded in place of something that is not there. */
typedef enum Filler {
    FILLER_SKIP,
    FILLER_OVER,
} Filler;

#define LIMIT_NONE (-1)

/* Which of several mentions in an utterance counts. */
typedef enum Mention {
    MENTION_LONGEST, /* the leftmost; of two names that start there the longer */
    MENTION_SEAT,    /* the leftmost; of two names that start there that of the lower seat */
    MENTION_LOWEST,  /* of all that are mentioned the one of the lowest seat */
} Mention;

/* How long an utterance may be; LIMIT_NONE = no limit. docs/spec/nlp-division.md 5.3. */
typedef struct LengthRules {
    bool count_in_word; /* words instead of characters */
    bool count_spaces;  /* white space counts as characters */
    int32_t per_talk;
    int32_t per_agent;
    int32_t base_length;
    int32_t mention_length;
    int32_t mention; /* Mention */
} LengthRules;

typedef struct TalkRules {
    int32_t exchange;         /* Exchange */
    int32_t order;            /* Order */
    int32_t max_per_agent;    /* utterances an agent and session; LIMIT_NONE = no limit */
    int32_t max_turns;        /* turns a session */
    bool keywords;            /* Skip and Over are commands, not words */
    int32_t max_skip;         /* see skip_rule */
    int32_t skip_rule;        /* SkipRule */
    bool skip_costs;          /* a Skip uses up one utterance */
    bool force_skip_is_free;  /* ANYTIME: an agent's own ForceSkip is a Skip that costs no Skip */
    bool over_is_final;       /* who said Over is not asked again in this session */
    bool spent_says_over;     /* who has nothing left is recorded as saying Over */
    int32_t on_empty;         /* Filler: an empty answer */
    bool empty_is_final;      /* where it is recorded as Over it ends the agent's session, too */
    int32_t on_lapse;         /* Filler: no usable answer */
    bool over_at_once;        /* ends in mid-turn once all said Over since the last other word */
    bool whisper_after_turn;  /* talk: a whisper session follows every turn */
    bool validate;            /* a sentence outside the protocol language becomes Skip */
    int32_t min_participants; /* with fewer the session is left out */
    int32_t duration_ms;      /* of an ANYTIME session */
    int32_t silence_ms;       /* ANYTIME: ends after so long without a word; 0 = never */
    int32_t max_bytes;        /* of one utterance, a guard and not a rule of play */
    int32_t max_lines;        /* of an ANYTIME session without max_per_agent, likewise */
    LengthRules length;
} TalkRules;

typedef enum InvalidVote {
    INVALID_RANDOM, /* replaced by a uniformly random other living agent */
    INVALID_DROP,   /* no vote */
} InvalidVote;

typedef enum Tie {
    TIE_RANDOM, /* one of the candidates of the last round */
    TIE_NOBODY,
} Tie;

/* From when on the executed are dead. The later two are those of old contest servers. */
typedef enum ExecutionEffect {
    EFFECT_AT_ONCE, /* before the night */
    EFFECT_MORNING, /* they live through the night, but their guard and attack vote do not count */
    EFFECT_ATTACK,  /* decided when the attack votes are in; an attack on them meets nobody */
} ExecutionEffect;

typedef struct VoteRules {
    int32_t rounds;  /* ballots at most; the regulations' one revote is 2 */
    int32_t invalid; /* InvalidVote */
    bool self_vote;
    int32_t tie;       /* Tie, after the last round */
    int32_t revote_ms; /* MAW's village: how long a revote among the tied lasts */
    bool visible;      /* agents are shown who voted for whom */
    int32_t min_votes; /* with fewer votes for the first nobody is executed */
    int32_t effect;    /* ExecutionEffect */
} VoteRules;

typedef enum NoAttackVote {
    NO_VOTE_HUMANS, /* every living human is a candidate */
    NO_VOTE_NOBODY, /* nobody is attacked */
} NoAttackVote;

typedef struct AttackRules {
    int32_t rounds;
    bool vote_for_wolf; /* such a vote is recorded, though it never counts */
    bool self_vote;     /* likewise for oneself, if vote_for_wolf */
    int32_t tie;        /* Tie, after the last round */
    int32_t no_vote;    /* NoAttackVote, when no round has a countable vote */
    bool whisper_before_revote;
} AttackRules;

typedef struct AbilityRules {
    bool divine_self;
    bool guard_dead; /* guarding the dead is recorded, though useless */
} AbilityRules;

typedef enum EndCheck {
    END_AFTER_NIGHT, /* before day 0 and after every night */
    END_AFTER_PHASE,
    END_AFTER_DEATH,
} EndCheck;

typedef enum Goal {
    GOAL_PARITY,            /* no wolf left; else as many wolves as humans */
    GOAL_PARITY_WOLF_FIRST, /* the same tests in the other order */
    GOAL_ELIMINATION,       /* one side is dead */
} Goal;

typedef enum Score {
    SCORE_NONE,
    SCORE_MAW, /* wolves: villagers at the start, each; villagers: survivors, each */
} Score;

typedef struct EndRules {
    int32_t check;           /* EndCheck */
    int32_t goal;            /* Goal */
    int32_t max_day;         /* last day played; LIMIT_NONE = none */
    int32_t max_idle_phases; /* a draw after so many phases in a row without a death; 0 = never */
    int32_t max_idle_days;   /* a draw after so many days in a row without a death; 0 = never */
    int32_t score;           /* Score */
} EndRules;

typedef enum ExecutionTold {
    TOLD_NIGHT,     /* seer, bodyguard and wolves at once, all others in the morning */
    TOLD_EVERYBODY, /* everybody at once */
} ExecutionTold;

typedef enum GhostsSee {
    GHOSTS_OWN, /* the dead see what they could see when they died */
    GHOSTS_ALL, /* the dead read every room */
} GhostsSee;

typedef struct SecrecyRules {
    int32_t execution_told; /* ExecutionTold */
    int32_t ghosts_see;     /* GhostsSee */
} SecrecyRules;

typedef enum WolfCount {
    WOLVES_TABLE,   /* the roles table says */
    WOLVES_FLOOR,   /* a third of the players, rounded down, at least 1; all others villagers */
    WOLVES_NEAREST, /* rounded to the nearest */
    WOLVES_CEIL,    /* rounded up */
} WolfCount;

typedef enum AgentIndex {
    AGENT_INDEX_SET,        /* drawn at random for each set, fixed during the set */
    AGENT_INDEX_CONNECTION, /* the order in which agents were named or connected */
} AgentIndex;

/* Limits that a referee with a clock applies; the engine knows no clock of its own. */
typedef struct ContestRules {
    bool role_request;   /* agents may wish for a role */
    int32_t agent_index; /* AgentIndex */
    int32_t games_per_set;
    int32_t time_limit_ms;
    int32_t time_limit_grace_ms;
    int32_t time_limit_told_ms; /* what agents are told; -1 = not set */
} ContestRules;

/* How many of each role, by number of players. */
typedef struct RoleTable {
    bool present[SEAT_MAX + 1];
    uint8_t counts[SEAT_MAX + 1][ROLE_COUNT];
} RoleTable;

#define RULESET_NAME_MAX  32
#define RULESET_TITLE_MAX 128
#define PLAYERS_MIN       3

struct YamlNode;

typedef struct Ruleset {
    char name[RULESET_NAME_MAX];
    char title[RULESET_TITLE_MAX];
    int32_t players;   /* the usual number of players */
    int32_t first_day; /* 0, or 1 where the first day is a full one */
    int32_t wolves;    /* WolfCount */
    int32_t seers;     /* beside a third of wolves: so many of the others are seers */
    RoleTable roles;
    Section day;
    Section night;
    TalkRules talk;
    TalkRules whisper;
    VoteRules vote;
    AttackRules attack;
    AbilityRules ability;
    SecrecyRules secrecy;
    EndRules end;
    ContestRules contest;
} Ruleset;

/* The six presets, in the order in which they are listed: aiwolf-2019, aiwolf-2021,
 * aiwolf-server, nlp-turn, nlp-anytime, maw. `index` beyond the last gives NULL. Constant. */
const char *ruleset_preset_name(size_t index);

/* Fills `ret_rules` with the preset of this name.
 * Errors: ERR_RULE with the list of names. */
int ruleset_preset(Str name, Ruleset *ret_rules, Err *err);

/* How many of each role `players` players get: the table's row or the one-third rule.
 * Errors: ERR_RULE when the ruleset has no such row; the message lists the rows. */
int ruleset_roles(const Ruleset *rules, int32_t players, uint8_t ret_counts[static ROLE_COUNT],
                  Err *err);

/* Whether a game can be played by these rules: ranges, a phase list that can end, limits that
 * fit together. Errors: ERR_RULE naming the rule. */
int ruleset_check(const Ruleset *rules, Err *err);

/* The ruleset as a file that ruleset_read accepts, with a comment for every rule. */
void ruleset_print(const Ruleset *rules, Buf *out);

/* Reads a ruleset file. `ruleset: NAME` of a preset first gives the values of all rules that
 * the file does not mention; without it they are those of aiwolf-2021.
 * Errors: ERR_SYNTAX or ERR_RULE with line and column; unknown keys are refused with the
 * nearest known one. */
int ruleset_read(Str text, Ruleset *ret_rules, Err *err);

/* The same for a map inside another file. */
int ruleset_read_node(const struct YamlNode *map, Ruleset *ret_rules, Err *err);

/* Whether anybody may speak or vote at any time for a while: such a table needs a clock. */
bool ruleset_is_timed(const Ruleset *rules);

const char *action_name(Action action);

#endif
