/* hall_moves.h - what came into a hall when, and when its models moved, so that its games can be
 * played again without connections, servers of models or a clock.
 *
 * For:    serve/server.c and serve/serve_guests.c, which keep it; serve/nlp_replay.c, which reads
 *         it.
 * Memory: a HallMoves owns its file and texts.
 * Thread: the hall's.
 * Source: docs/spec/models.md 2: the same record byte for byte; docs/logs.md.
 *
 *     {"format":"warg-hall","version":1,"key":"64 digits","began_us":123,"fill":true,
 *      "fill_after_us":30000000,"games":2}
 *     {"t_us":0,"does":"clock","unix_ms":1795372145658}     the date of TimeUs 0
 *     {"t_us":1200,"does":"came","of":1,"address":"127.0.0.1","token":"64 digits","bids":true}
 *     {"t_us":1300,"does":"said","of":1,"text":"kanolab1"}  "refused":true: for its token
 *     {"t_us":2100,"does":"came","of":2,"guest":1}          a model of the server's own
 *     {"t_us":2200,"does":"hears","guest":1}                it takes the next packet
 *     {"t_us":2300,"does":"said","of":2}                    what it says follows from its answers
 *     {"t_us":9000,"does":"thinks","guest":1}               model_agent.h: ModelMove; "decides"
 *     {"t_us":9100,"does":"leaves","guest":1}               it is forgotten
 *     {"t_us":9200,"does":"tick"}   "gone" with "of"; "drain", "abort"
 *     {"t_us":1400,"does":"game","id":"01J..."}             the id that a game has got
 *     {"t_us":9300,"does":"other"}  an operator, speech or characters of a model had a part in it
 *
 * Times are since the beginning, in the order in which these things happened. Only its owner can
 * read the file: it has the key of all chance. Of a token it has the digest.
 */
#ifndef WARG_NLP_HALL_MOVES_H
#define WARG_NLP_HALL_MOVES_H

#include "base/buf.h"
#include "base/err.h"
#include "base/key.h"
#include "base/time_us.h"

typedef struct HallMoves HallMoves;

typedef struct HallMovesHead {
    Key key;
    TimeUs began; /* as the hall's time */
    bool fill;    /* these three as in NlpHallSetup */
    TimeUs fill_after;
    uint64_t games;
} HallMovesHead;

typedef enum HallMoveKind {
    HALL_CLOCK,
    HALL_CAME,
    HALL_SAID,
    HALL_GONE,
    HALL_TICK,
    HALL_DRAIN,
    HALL_ABORT,
    HALL_GAME,
    HALL_OTHER,
    GUEST_HEARS,
    GUEST_THINKS,
    GUEST_DECIDES,
    GUEST_LEAVES,
} HallMoveKind;

/* Texts are the caller's, or borrowed until the next move is asked for. */
typedef struct HallMove {
    HallMoveKind kind;
    TimeUs at;       /* as the hall's time */
    uint32_t of;     /* CAME, SAID, GONE: the connection, from 1 */
    uint32_t guest;  /* CAME and GUEST_...: the model, from 1; 0: somebody else */
    bool bids;       /* CAME: it takes BID */
    bool refused;    /* SAID: its token did not let it in */
    int64_t unix_ms; /* CLOCK */
    Str text;        /* SAID: what, but for a guest; GAME: the id */
    Str address;     /* CAME */
    Str token;       /* CAME: as it came, when it is kept; its digest, when it is read */
    unsigned line;   /* of the file */
} HallMove;

/* Writes a new file, which only its owner can read. Errors: ERR_IO (also when it is there already),
 * ERR_MEMORY. */
int hall_moves_keep(const char *path, const HallMovesHead *head, HallMoves **ret_moves, Err *err);
/* Errors: ERR_IO; ERR_SYNTAX with file and line; ERR_MEMORY. */
int hall_moves_load(const char *path, HallMoves **ret_moves, Err *err);
/* The same of a text in memory; `name` is what errors call it. */
int hall_moves_read(Str text, const char *name, HallMoves **ret_moves, Err *err);
HallMoves *hall_moves_free(HallMoves *moves); /* takes NULL, returns NULL */

/* A disk that fails ends the file: then the games can't be played again. Takes NULL. */
void hall_moves_add(HallMoves *moves, const HallMove *move);

const HallMovesHead *hall_moves_head(const HallMoves *moves);
const char *hall_moves_name(const HallMoves *moves);
/* The ids of its games, one behind the other, as IdSource takes them; borrowed. */
Str hall_moves_ids(const HallMoves *moves);
/* Whether something had a part in its games of which nothing is here. */
bool hall_moves_others(const HallMoves *moves);
/* The next of those that were read; false behind the last. */
bool hall_moves_next(HallMoves *moves, HallMove *ret_move);

#endif
