/* plan.h - what is to be played: agents, rules, stages, limits. Data, filled by a command line, a
 *         contest file or a starter's configuration.
 *
 * For:    whoever plays sets (match/threads.h: bots, match/hall.h: outside agents), the
 *         journal's first line, resume.
 * Memory: a Plan owns its agents and an arena with all its texts; plan_done frees both.
 * Thread: constant once made.
 * Source: docs/spec/protocol-division.md 8 (contest structure), 1.6 (starter configurations).
 */
#ifndef WARG_MATCH_PLAN_H
#define WARG_MATCH_PLAN_H

#include "base/arena.h"
#include "base/key.h"
#include "bot/bot.h"
#include "cell/cell_wish.h"
#include "record/stage_number.h"
#include "stats/standings.h"

#define PLAN_NAME_MAX    64 /* bytes, of a contest and of a stage */
#define PLAN_AGENTS_MAX  STANDINGS_AGENTS_MAX
#define PLAN_TEXT_MAX    4096 /* bytes, of a command and of a folder */
#define PLAN_TABLES_MAX  256
#define PLAN_TABLES_AUTO UINT32_MAX

/* One who plays. Agents with the same name are one line of the standings. */
typedef struct PlanAgent {
    char name[AGENT_NAME_MAX + 1];
    const BotKind *bot;     /* a built-in bot; NULL = an outside agent */
    const char *command;    /* starts it: {host}, {port}, {name} are filled in; NULL = it comes by
                               itself */
    const char *folder;     /* where the command runs; NULL = here */
    bool own_folder;        /* ... and nothing else is in there */
    const char *env;        /* variables of ours that the command gets besides the usual, blanks
                             * between; "*" = all; NULL = none (seat/agent_environment.h) */
    const char *profile;    /* the runtime that it needs: "java", ...; NULL = not said */
    const char *entry;      /* what of its folder that starts; NULL = the command says it */
    bool version;           /* of a contest site: what plays under this name may change from stage
                             * to stage, so that none of it is part of the plan */
    const char *tree;       /* ... digest of the folder's files, 64 digits; NULL = a bot plays */
    const char *model_name; /* as it is asked for; NULL = no language model */
    bool model;             /* behind the command is a language model, which needs seconds */
    bool tells;             /* the command is ours: at its end it prints a DecisionSheet */
    Role fixed;             /* the role it gets in every game; ROLE_NONE = drawn */
} PlanAgent;

/* Who sits together, and who gets which role. match/pairing.h */
typedef enum Pairing {
    PAIRING_RANDOM,    /* drawn at random, everybody equally often */
    PAIRING_ROTATE,    /* as random, and everybody gets every role equally often */
    PAIRING_ALL_PAIRS, /* every ordered pair: copies of one are the village, of the other the
                          wolves */
} Pairing;

/* What is done when several share the last place that goes on. docs/spec/contest-operations.md 8.4
 */
typedef enum CutTie {
    CUT_EXTRA, /* extra rounds among them, at most STAGE_ROUNDS_MAX; then a lot */
    CUT_ALL,   /* all of them go on */
    CUT_LOT,   /* a lot */
} CutTie;

/* What an agent gives to the chance of a stage. docs/spec/contest-operations.md 11.1 */
typedef struct PlanLot {
    NamedKey value; /* there: it is opened */
    Key entry;      /* known before */
} PlanLot;

#define PLAN_SIZES_MAX 4 /* of tables in one stage */

typedef struct PlanStage {
    char name[PLAN_NAME_MAX + 1];
    int32_t players;                          /* at a table */
    int32_t more_players[PLAN_SIZES_MAX - 1]; /* further sizes, each once; 0 = no more of them */
    int32_t games_per_set;
    uint64_t sets;      /* 0 = as many as min_games needs */
    uint64_t games;     /* in all, not beyond the sets; 0 = all of every set */
    uint64_t min_games; /* every agent plays at least so many, of each size */
    uint64_t more_min_games[PLAN_SIZES_MAX - 1]; /* of the further sizes; 0 = as of the first */
    Pairing pairing;
    bool blocks;        /* ROTATE: every agent plays every deal, from every seat: match/pairing.h */
    bool rounds;        /* whole rounds of all sizes, one behind the other: match/rounds.h */
    int64_t stop_at_ms; /* with `rounds`: the date behind which no further one begins, as Unix
                         * time; 0 = no more than min_games needs. It is not part of the plan */
    bool late_lots;     /* its lots are told when it begins, and the plan has none */
    uint32_t advance;   /* the best so many go on to the next stage; 0 = all */
    CutTie tie;         /* with `advance` */
    Key secret;         /* PLAN_CHANCE_KEY; as secret as the games to come */
    char commitment[KEY_HEX_BYTES]; /* PLAN_CHANCE_KEY: what that was committed to by */
    const NamedKey *lots;           /* in the byte order of their agents; of the plan's texts */
    const Key *lot_entries;
    uint32_t lot_count;
    bool lots_closed;        /* what is not opened counts as zeros */
    const char *beacon_what; /* a public value of a later moment, in words; NULL = none */
    const char *beacon;      /* ... that value; NULL = not known yet */
} PlanStage;

/* What becomes of the game and the set in which an agent fails. spec 6.3 */
typedef enum OnFault {
    ON_FAULT_SUBSTITUTE,  /* a substitute plays on for the rest of the set */
    ON_FAULT_FORFEIT_SET, /* the game is aborted, the set's remaining games are not played */
    ON_FAULT_ABORT_GAME,  /* the game is aborted, a substitute plays the rest of the set */
    ON_FAULT_RESTART,     /* a substitute plays on in this game; the program is started anew for the
                           * next one. Who came by itself is substituted for the rest of the set */
    ON_FAULT_COUNT,
} OnFault;

/* Guards against hostile and broken peers. */
typedef struct PlanLimits {
    uint32_t startup_ms;          /* from start or connection to NAME, and for the first answer */
    uint32_t first_game_grace_ms; /* in place of the rules' grace, if it is more, in the first game
                                   * of a set and of a program that was started again */
    uint32_t line_bytes;          /* longest line taken from an agent */
    uint32_t queue_bytes;         /* most that waits for an agent that does not read */
    uint32_t connections;         /* open at once, those of no table included */
    uint64_t output_bytes;        /* kept of an agent's stdout and stderr, per set */
} PlanLimits;

/* What all chance comes from: match/draw_chance.h */
typedef enum PlanChance {
    PLAN_CHANCE_SEED,     /* a number, from which a key is made */
    PLAN_CHANCE_KEY,      /* 256 drawn bits for each stage */
    PLAN_CHANCE_OLD_SEED, /* a number, as builds used it that had no keys */
} PlanChance;

/* What is noticed of an agent. docs/spec/contest-operations.md 8.5 */
typedef enum ConductRule {
    CONDUCT_LATE,     /* timeouts, and answers over the limit that are not excused */
    CONDUCT_SENTENCE, /* sentences outside the protocol language */
    CONDUCT_CRASH,    /* its connection ended */
    CONDUCT_ERROR,    /* lines that nobody asked for, or that are no answer */
    /* What record/finding.h has, in its order. */
    CONDUCT_NETWORK,
    CONDUCT_WRITE,
    CONDUCT_PROCESS,
    CONDUCT_THREAD,
    CONDUCT_MEMORY,
    CONDUCT_OUTPUT,
    CONDUCT_NAME, /* it said another name than its own */
    CONDUCT_RULES,
} ConductRule;

typedef enum ConductAction {
    CONDUCT_NOTE,
    CONDUCT_STRIKE,
    CONDUCT_ELIMINATE,
} ConductAction;

typedef struct PlanConduct {
    bool given;   /* the contest has such rules; without them all is noted and nothing follows */
    bool confirm; /* elimination is proposed, and ruled by somebody; else it is done at once */
    uint32_t strikes; /* so many in a stage eliminate */
    struct {
        ConductAction action;
        uint32_t after; /* more than so many in 100 games; 0 = any */
    } rules[CONDUCT_RULES];
} PlanConduct;

typedef struct Plan {
    char name[PLAN_NAME_MAX + 1];
    Ruleset rules; /* rules.contest has time limit, grace, role requests */
    PlanAgent *agents;
    uint32_t agent_count;
    uint32_t agent_room;
    PlanStage stages[STAGES_MAX];
    uint32_t stage_count;
    PlanChance chance;
    uint64_t seed;   /* unless it is a key */
    bool seed_given; /* by a person: everybody may guess it */
    bool one_key;    /* PLAN_CHANCE_KEY: all stages have the same secret, committed to
                      * for the first: of earlier builds, or given by a person */
    OnFault on_fault;
    PlanConduct conduct;
    uint32_t own_share; /* percent of its decisions that a model player has to make itself, else
                         * it is warned of; 0 = OWN_SHARE_USUAL */
    bool own_sets;      /* a set in which a model decided nothing itself counts for nobody; plans
                         * of earlier builds have none */
    PlanLimits limits;
    CellWish cell;   /* of the programs that are started */
    uint32_t tables; /* played at once, up to PLAN_TABLES_MAX; 0 = one; PLAN_TABLES_AUTO = what the
                      * machine has room for (match/table_room.h) */
    Arena texts;
} Plan;

/* An empty plan: no agents, no stages, rules aiwolf-2021, seed 0, the default limits: startup 5 s,
 * 1 s of grace in first games, * lines of 64 KiB, 1 MiB waiting, 2048 connections, 1 MiB of output.
 * ERR_MEMORY. */
int plan_init(Plan *plan, Err *err);
void plan_done(Plan *plan); /* also for CLEANUP; a zeroed plan is fine */

/* Gives the agent a name: 1 to AGENT_NAME_MAX bytes of UTF-8 without commas and control
 * characters, for it stands in logs and tables. Errors: ERR_USAGE. */
int plan_agent_name(PlanAgent *agent, Str name, Err *err);

/* The same for the name of a stage or of the plan (at most PLAN_NAME_MAX bytes, commas allowed).
 * `what` stands in the message: "stage". Errors: ERR_USAGE. */
int plan_name(char ret_name[static PLAN_NAME_MAX + 1], const char *what, Str name, Err *err);

/* A copy of `text` that lives as long as the plan: for commands and folders. NULL when there is
 * no room for it or it is longer than PLAN_TEXT_MAX. */
const char *plan_text(Plan *plan, Str text);

/* Gives the stage lots, which are sorted; their names are the plan's texts, with a NUL. Errors:
 * ERR_LIMIT; ERR_USAGE for a lot that is not that of its entry. */
int plan_stage_lots(Plan *plan, PlanStage *stage, PlanLot *lots, uint32_t count, Err *err);

/* Adds a copy of `agent`, `command`, `folder`, `env`, `profile` and `entry` included (texts that
 * plan_text gave are taken as they are). Errors: ERR_LIMIT beyond PLAN_AGENTS_MAX or PLAN_TEXT_MAX,
 * ERR_USAGE for a name that is no name, ERR_MEMORY. */
int plan_add_agent(Plan *plan, const PlanAgent *agent, Err *err);

/* Puts agents into the order in which a draw counts them: by the bytes of their names, so that who
 * is listed where decides nothing; those of one name stay as they are.
 * docs/spec/contest-operations.md 11.2 */
void plan_order_agents(PlanAgent *agents, uint32_t count);

/* A stage with the rules' usual players and games per set, drawn at random, one set. */
PlanStage plan_default_stage(const Plan *plan);

/* How many sizes of tables the stage has, and one of them as a stage of its own: sets, games and
 * min_games hold for each size. */
uint32_t plan_stage_parts(const PlanStage *stage);
PlanStage plan_stage_part(const PlanStage *stage, uint32_t part);

/* Games of its own that an agent plays to be ranked in the stage: min_games of every size. */
uint64_t plan_stage_min_games(const PlanStage *stage);

/* Errors: ERR_LIMIT beyond STAGES_MAX. */
int plan_add_stage(Plan *plan, const PlanStage *stage, Err *err);

/* How many agents play in a stage: all in the first, then as many as went on. */
uint32_t plan_stage_agents(const Plan *plan, uint32_t stage);

/* Whether it can be played: names, players that the rules have a table for, enough agents for
 * each stage, roles that fit, sets that the pairing can be held with and that give everybody
 * min_games, in strict cells a folder of its own for each program. Errors: ERR_USAGE that says what
 * to change; ERR_RULE of ruleset_check. */
int plan_check(const Plan *plan, Err *err);

/* Whether all who play a stage in blocks remember nothing from game to game: built-in bots, and
 * language models that we start. A plan of a journal does not tell that of its agents. Errors:
 * ERR_USAGE. */
int plan_check_memory(const Plan *plan, Err *err);

/* "random", "rotate", "all-pairs". */
const char *pairing_name(Pairing pairing);
/* "extra", "all", "lot". */
const char *cut_tie_name(CutTie tie);
/* "late", "sentence", ... */
const char *conduct_rule_name(ConductRule rule);
/* "note", "strike", "eliminate". */
const char *conduct_action_name(ConductAction action);

/* "substitute", "forfeit-set", "abort-game", "restart". */
const char *on_fault_name(OnFault on_fault);

/* The plan as one JSON object: all that decides the games (name, seed or commitment, on_fault,
 * rules, agents, stages) and nothing else, so that two runs are the same contest exactly when these
 * texts are equal. Folders, limits and tables are not in it: the contest goes on when it was moved,
 * or is played on more tables. Keys are not in it, their commitments are. */
void plan_json(const Plan *plan, Buf *out);

/* Whether two such texts say the same: `before` may be of an earlier build, which lacks rules that
 * came later; one that is not there is off. Where this program is, which the commands of language
 * models begin with, says nothing. */
bool plan_same(Str before, Str now);

/* Takes over whether such a text has own_sets: what was begun goes on as it began. */
void plan_take_own_sets(Plan *plan, Str json);

/* Takes over what such a text says of chance: the derivation; when the plan was given no seed, the
 * seed or commitments too. False when the text says nothing of it. */
bool plan_take_chance(Plan *plan, Str json);

#endif
