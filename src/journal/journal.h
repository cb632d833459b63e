/* journal.h - the append-only record of what was played, on disk before anybody hears of it.
 *
 * For:    all three divisions: `warg run --out`, `warg serve aiwolf --out`, `warg serve nlp`, `warg
 *         maw --out`; resume, standings, results.db, report. Journals of version 1 are read too.
 * Memory: a Journal owns its files, its thread and what waits to be written; records are copied.
 * Thread: journal_add_*, journal_games_written and journal_failed from any thread; one thread of
 *         the journal's own writes. Reading touches nothing but the file.
 * Source: guide: design, "Results are durable".
 *
 * DIR/journal.jsonl: JSON Lines. Each line ends with a member "crc", the CRC-32 of the bytes
 * before its comma, so that a torn or damaged line can't pass for a record.
 *
 *     {"record":"plan","version":2,"plan":{…},"crc":"…"}     first line: what is played
 *     {"record":"set","stage":0,"set":3,"agents":["a","b",…],"crc":"…"}
 *     {"record":"game","stage":0,"set":3,"game":312,"division":"aiwolf",
 *      "ruleset":"aiwolf-2021","began":"…Z","ended":"…Z","winner":"VILLAGER","reason":"win",…,
 *      "log":"logs/312.log.gz","log_sha256":"…","exchange_sha256":"…",
 *      "seats":[{"agent":"a","kind":"agent","role":"SEER","outside":true,"timeout":1,
 *      "times":"…","play":[3,1,…]},…],"faults_bytes":0,"crc":"…"}
 *                                                            members that say nothing are left out;
 *                                                            play: record/seat_play.h, in its
 * order, of games that somebody won
 *     {"record":"note","text":"…","crc":"…"}
 *     {"record":"key","part":0,"stage":1,"key":"…","crc":"…"}  the key of a stage: nothing is
 * played with it any more; no stage: the first, or all
 *     {"record":"key","part":1,"commitment":"…","crc":"…"}   what comes now has another
 *     {"record":"freeze","stage":0,"programs":{"a":"…"},"crc":"…"}  the programs of a stage are
 * fixed: digests of their folders
 *     {"record":"lots","stage":0,"lots":{"a":"…"},"beacon":"…","crc":"…"}  ... then what its key is
 *                                                            made of beside the secret; null: a lot
 *                                                            that was not opened
 *     {"record":"ruling","stage":0,"agent":"a","rule":"crash","decision":"eliminate","reason":"…",
 *      "at":"…Z","crc":"…"}                                  what somebody decided on how it
 * behaved
 *     {"record":"cell","level":"namespaces","layers":"…","crc":"…"}  what programs run in from here
 *                                                            on: a line for each time that it was
 *                                                            begun or gone on with
 *     {"record":"trial","challenger":"a","test":"elo0=0,elo1=20,alpha=0.05,beta=0.05","sets":40,
 *      "crc":"…"}                                            its only stage ends when this is
 *                                                            decided, looked at behind each so many
 *                                                            sets; a later line is another test
 *     {"record":"stop","stage":0,"rounds":31,"date":"…Z","at":"…Z","crc":"…"}  a stage that goes
 *                                                            on in rounds is over behind so many;
 *                                                            date: until which it was to go on, if
 *                                                            it has one
 *     {"record":"findings","stage":0,"set":3,"sha256":"…","findings_bytes":512,"crc":"…"}
 *                                                            no program of the set runs any more:
 *                                                            how long findings.jsonl is then, and
 *                                                            the SHA-256 of what it got behind the
 *                                                            line of this kind before
 *     {"record":"act","act":"void","game":312,"id":"01M8…","by":"operator","why":"…","at":"…Z",
 *      "crc":"…"}                                            what an operator did; a game, or a
 *                                                            set, that is void counts for nobody
 *     {"record":"end","games":500,"crc":"…"}                 the plan was played to its end
 *
 * What is on disk when the process or the machine dies at any moment:
 *
 *   logs and exchange records written, fsynced -> faults and findings appended, fsynced -> line
 * appended, fsynced -> reported
 *
 *   - Before the line: the game was not played. Its log may be there, whole or as a file of the
 *     name LOG.tmp; playing the game again replaces both. Its faults may be there: the line of a
 *     game says how long faults.jsonl is with that game's faults, and journal_continue cuts it to
 *     the length that the last whole line says.
 *   - In the line: it has no newline; journal_continue cuts it off. The same as before the line.
 *   - After the line, before it was reported: it counts, and nothing is played again.
 *
 * findings.jsonl goes the way of faults.jsonl: the line of a game has a member "findings_bytes" as
 * soon as there is a finding, and "findings" of a seat counts them by their rules. The file is made
 * when there is one.
 *
 * The faults of a game wait in memory until the game is added and go out in one piece before its
 * line, so that what is cut belongs to no game that counts. Lines that wait together are written
 * and fsynced together (group commit): a fast set is not slowed to one game a disk turn.
 */
#ifndef WARG_JOURNAL_JOURNAL_H
#define WARG_JOURNAL_JOURNAL_H

#include "base/key.h"
#include "journal/finding_line.h"
#include "journal/operator_act.h"
#include "record/game_record.h"
#include "record/stage_number.h"
#include "stats/sprt.h"

typedef struct Journal Journal;

#define JOURNAL_FILE        "journal.jsonl"
#define JOURNAL_FAULTS_FILE "faults.jsonl"

#define JOURNAL_LINE_MAX   ((size_t)1024 * 1024)      /* bytes of a line with its newline */
#define JOURNAL_QUEUE_MAX  ((size_t)64 * 1024 * 1024) /* bytes that wait before adding waits */
#define JOURNAL_FAULTS_MAX 4096 /* listed for one game; its line counts them all */

/* Of part `part` of what is played, counted by its keys, and a stage of it: the key itself, now
 * that nothing is played with it any more, or what a new one is committed to by. */
typedef struct JournalKey {
    uint32_t part;
    uint32_t stage;
    bool published; /* else `value` is the commitment */
    Key value;
} JournalKey;

/* What is known of a stage's key beside its secret, and before it. Borrowed. */
typedef struct JournalLots {
    uint32_t stage;
    bool frozen; /* `items` are digests of programs; else lots */
    const NamedKey *items;
    size_t count;
    Str beacon;
} JournalLots;

typedef enum RulingDecision {
    RULING_DISMISS,   /* it was nothing */
    RULING_WARN,      /* it stays, and is told */
    RULING_ELIMINATE, /* not ranked from this stage on, and plays no later one */
    RULING_COUNT,
} RulingDecision;

/* "dismiss", "warn", "eliminate"; RULING_COUNT for any other word. */
const char *ruling_name(RulingDecision decision);
RulingDecision ruling_of(Str name);

/* What was decided on a proposal. Borrowed. */
typedef struct JournalRuling {
    uint32_t stage;
    Str agent;
    Str rule; /* "crash", "late", ... */
    RulingDecision decision;
    Str reason;
    int64_t at_ms;
} JournalRuling;

/* No program of a set runs any more, and findings were noted. */
typedef struct JournalFindings {
    uint32_t stage;
    uint64_t set;
    uint64_t bytes;                /* of findings.jsonl by then */
    char sha256[SHA256_HEX_BYTES]; /* of these, behind those of the line of this kind before */
} JournalFindings;

/* What programs run in from here on. Borrowed. */
typedef struct JournalCell {
    Str level;  /* "namespaces", ... */
    Str layers; /* what it is made of, in words; may be empty */
} JournalCell;

/* What ends the stage before all its sets are played. */
typedef struct JournalTrial {
    char challenger[AGENT_NAME_MAX + 1];
    SprtTest test;
    uint64_t sets; /* so many are played between two looks; 0 = no trial */
} JournalTrial;

/* A stage that goes on in rounds (match/rounds.h) is over. */
typedef struct JournalStop {
    uint32_t stage;
    uint64_t rounds; /* so many count */
    int64_t date_ms; /* until which it was to go on; 0 = no date */
    int64_t at_ms;
} JournalStop;

/* ---- writing ---- */

/* Begins DIR/journal.jsonl, making the folder (but not those above it); `plan` is a JSON object on
 * one line that says what is played, so that resume can tell whether it is the same.
 * Errors: ERR_USAGE when there is a journal already ("--resume goes on with it"), or faults of
 * another; ERR_RULE for a plan that is no object, ERR_LIMIT, ERR_IO, ERR_MEMORY. */
int journal_begin(const char *dir, Str plan, Journal **ret_journal, Err *err);

/* True when DIR/journal.jsonl has a whole line, or can't be looked at. What a process leaves that
 * was killed before it had written one is no journal: journal_begin takes its place. */
bool journal_exists(const char *dir);
/* The same for who says why it can't be looked at. Errors: ERR_IO, ERR_MEMORY. */
int journal_find(const char *dir, bool *ret_there, Err *err);

/* Goes on with DIR/journal.jsonl behind its last whole line; a torn line behind it is cut off.
 * The caller has read it with journal_read before.
 * Errors: ERR_IO; ERR_USAGE when it is open in another process (the file is locked) or there is
 * none; ERR_SYNTAX, with the line, when one is damaged. */
int journal_continue(const char *dir, Journal **ret_journal, Err *err);

/* How long the files beside a journal are, as its lines say. */
typedef struct JournalLengths {
    uint64_t faults;
    uint64_t findings;
    uint64_t ended; /* of findings.jsonl, by the last line of a set's end */
} JournalLengths;

/* How far a journal was read: whole lines. {0}: nothing of it. */
typedef struct JournalPlace {
    uint64_t bytes;
    uint64_t lines;
    JournalLengths beside;
} JournalPlace;

/* The same for who has read it up to a place (journal/journal_more.h): only what is behind that is
 * looked at, however long it is. Errors: the same; ERR_SYNTAX when it is shorter than the place. */
int journal_continue_from(const char *dir, const JournalPlace *place, Journal **ret_journal,
                          Err *err);

/* Queues a finished game: first its log (written whole to DIR/ and record->log, fsynced; left out
 * when record->log is empty, or `log` is {0}: who played has written it), then its line. Waits
 * while JOURNAL_QUEUE_MAX bytes are queued. The log's folder is made: "logs/312.log.gz" makes
 * DIR/logs. Compressing is slower than all the rest; who has threads to spare gives the log as
 * log_file_pack made it. With record->exchange that goes into its file with the log
 * (exchange_path). Errors: of an earlier write, which has stopped the journal; ERR_MEMORY,
 * which stops it, too; ERR_RULE and ERR_LIMIT for a record that could not be read back (nothing is
 * queued): a name that is not 1 to AGENT_NAME_MAX bytes of UTF-8, a seat without a role, a path out
 * of the folder.
 */
int journal_add_game(Journal *journal, const GameRecord *record, Str log, Err *err);
/* The agents of a set, in the order of their seats: names[1..count]. */
int journal_add_set(Journal *journal, uint32_t stage, uint64_t set, SeatNo count, const Str *names,
                    Err *err);
int journal_add_note(Journal *journal, Str text, Err *err);
int journal_add_end(Journal *journal, uint64_t games, Err *err);
int journal_add_key(Journal *journal, const JournalKey *key, Err *err);
/* Errors as those of the others; ERR_RULE for a name or a reason that could not be read back. */
int journal_add_ruling(Journal *journal, const JournalRuling *ruling, Err *err);
/* ... and waits until it is on disk: nobody may hear of a program or a lot before. */
int journal_add_lots(Journal *journal, const JournalLots *lots, Err *err);

/* ... and waits until it is on disk: it takes effect behind that. Errors as those of the others;
 * ERR_RULE for what operator_act_check refuses. */
int journal_add_act(Journal *journal, const OperatorAct *act, Err *err);

/* One fault, for DIR/faults.jsonl. It is kept until its game is added and then stands there
 * before the game's line; one whose game is never added is forgotten. `at_ms`: its date, as
 * Unix time. Bytes that are no text stand as \xHH.
 * {"at":"…Z","stage":0,"set":3,"game":312,"agent":"a","seat":3,"day":1,"request":"TALK",
 *  "kind":"timeout","fatal":true,"elapsed_ms":201.4,"bytes":"\\xff…"} */
int journal_add_fault(Journal *journal, int64_t at_ms, uint32_t stage, uint64_t set, uint64_t game,
                      Str agent, const Fault *fault, Err *err);

/* One finding, for DIR/findings.jsonl: kept and forgotten with its game as a fault is. One in no
 * game waits for the end of its set. What is not listed is left out. */
int journal_add_finding(Journal *journal, int64_t at_ms, const FindingNote *note, Err *err);
/* No program of the set runs any more: findings that were in no game and the totals of those that
 * were not listed go into the file, and a line into the journal that says how long it is and what
 * its end was. Nothing happens when nothing was noted since the last such line. */
int journal_end_findings(Journal *journal, int64_t at_ms, uint32_t stage, uint64_t set,
                         const FindingTotal *totals, size_t count, Err *err);
/* Errors as those of the others; ERR_RULE for texts that are no UTF-8. */
int journal_add_cell(Journal *journal, const JournalCell *cell, Err *err);
/* Errors as those of the others; ERR_RULE for a name that could not be read back. */
int journal_add_trial(Journal *journal, const JournalTrial *trial, Err *err);
int journal_add_stop(Journal *journal, const JournalStop *stop, Err *err);

/* Games added to this Journal that are on disk (those of earlier runs are not counted); what is
 * reported must not go beyond. */
uint64_t journal_games_written(const Journal *journal);
/* The error that stopped the writing, if one did: returns its code, fills err. */
int journal_failed(Journal *journal, Err *err);

/* Called from the journal's thread whenever games have come to disk, and when writing has stopped
 * with an error. May be NULL. Must not call the journal but for the two functions above. Before the
 * next batch the thread lets games gather for 4 ms. */
void journal_on_written(Journal *journal, void (*written)(void *user), void *user);

/* Waits until all that was added is on disk. Errors: what stopped the writing. */
int journal_wait(Journal *journal, Err *err);

/* Waits until all is on disk and closes. Takes NULL. Errors: what stopped the writing. */
int journal_close(Journal *journal, Err *err);

/* ---- reading ---- */

/* Hears a journal's records in their order; any may be NULL. Names and records are borrowed for
 * the call. A negative value ends the reading with that error. */
typedef struct JournalListener {
    int (*plan)(void *user, Str plan, Err *err); /* as it was given to journal_begin */
    int (*set)(void *user, uint32_t stage, uint64_t set, SeatNo count, const Str *names, Err *err);
    int (*game)(void *user, const GameRecord *record, Err *err);
    int (*note)(void *user, Str text, Err *err);
    int (*end)(void *user, uint64_t games, Err *err);
    int (*key)(void *user, const JournalKey *key, Err *err);
    int (*lots)(void *user, const JournalLots *lots, Err *err);
    int (*ruling)(void *user, const JournalRuling *ruling, Err *err);
    int (*findings)(void *user, const JournalFindings *findings, Err *err);
    int (*cell)(void *user, const JournalCell *cell, Err *err);
    int (*trial)(void *user, const JournalTrial *trial, Err *err);
    int (*stop)(void *user, const JournalStop *stop, Err *err);
    int (*act)(void *user, const OperatorAct *act, Err *err);
    int (*line)(void *user, Str line, Err *err); /* each, as it stands there, behind what it says */
    void *user;
} JournalListener;

/* What a journal held. */
typedef struct JournalEnd {
    uint64_t bytes; /* of whole lines */
    uint64_t lines;
    bool torn; /* a line without its newline stands behind them */
} JournalEnd;

/* Reads DIR/journal.jsonl (or the file itself, when `path` is one). A torn last line is left out
 * and told by ret_end (may be NULL); damage before it is an error with its line. A journal that is
 * being written can be read; so can one that holds nothing but a torn line. A game that an act
 * further on made void is told as a void one.
 * Errors: ERR_IO, ERR_SYNTAX, ERR_LIMIT, ERR_MEMORY, those of the listener. */
int journal_read(const char *path, const JournalListener *listener, JournalEnd *ret_end, Err *err);

/* The game of this id alone, if the journal has it: other lines are passed over unread. Errors:
 * those of journal_read. */
int journal_read_game(const char *path, Str id, const JournalListener *listener, Err *err);

/* The same as journal_read over text in memory; errors name no file. */
int journal_read_text(Str text, const JournalListener *listener, JournalEnd *ret_end, Err *err);

#endif
