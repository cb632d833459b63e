/* cell.h - what the programs that we start are put into: light ones see neither what is hidden from
 *         them nor each other; strict ones are for programs of strangers, who reach their game and
 *         nothing else.
 *
 * For:    agents (match/agent_cell.h); net/child.h starts them so. Knows no agent.
 * Memory: a Cell is freed by cell_free; it must outlive the children that are started in it.
 * Thread: any; constant once made.
 * Source: docs/spec/contest-operations.md 6. Light: own mount and pid namespace (and user
 *         namespace, unless we are root), all else as outside; cell/cell_start.h does it. Strict:
 *         cell/strict_front.h.
 */
#ifndef WARG_CELL_CELL_H
#define WARG_CELL_CELL_H

#include "cell/cell_probe.h"
#include "cell/profile.h"
#include "net/child.h"

#define CELL_HIDDEN_MAX 64

/* Whether this is built for a sanitizer; as tests/sanitized.h has it. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#    define CELL_SANITIZED 1
#elif defined(__has_feature)
#    if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) ||                     \
        __has_feature(memory_sanitizer)
#        define CELL_SANITIZED 1
#    endif
#endif
#ifndef CELL_SANITIZED
#    define CELL_SANITIZED 0
#endif

typedef struct Cell Cell;

/* Looks for the program that makes cells: warg-cell beside the running one or in ../libexec; else,
 * with `own_verb`, the running one itself with this word as its first argument. Then tries it once,
 * which takes some milliseconds. `hidden` (NULL-terminated, at most CELL_HIDDEN_MAX): folders that
 * are there, empty in the cell; one that lies in another counts once. `mask`: the umask in it.
 * Where cells can't be had the Cell is a plain one, and cell_lack says why. Errors: ERR_IO (a
 * folder that isn't there), ERR_LIMIT, ERR_MEMORY. */
int cell_new(const char *const *hidden, unsigned mask, const char *own_verb, Cell **ret_cell,
             Err *err);
Cell *cell_free(Cell *cell); /* takes NULL, returns NULL */
void cell_freep(Cell **cell);

/* Why there is none: one line without its end, borrowed; empty when there is one. */
Str cell_lack(const Cell *cell);

/* Whether `path` lies in what is hidden, or is it. */
bool cell_hides(const Cell *cell, const char *path);

/* What stands in front of a command that is started in a light cell; borrowed. NULL = the program
 * was not found: commands are started directly. */
const ChildFront *cell_front(const Cell *cell);

/* ---- strict ---- */

/* Tries what this machine has. Errors: ERR_IO (the program warg-cell is missing, or the filter
 * can't be made), ERR_MEMORY. */
int cell_try_levels(const char *own_verb, CellProbe *ret_probe, Err *err);

/* A strict cell as the wish wants it; `own_verb` as in cell_new. `take_light` (may be NULL) is a
 * light one for programs that are ours. Never a lighter one than wished: errors are ERR_IO, with
 * what lacks and what to do; ERR_USAGE for a wish that the level can't have; ERR_MEMORY. */
int cell_new_strict(const CellWish *wish, const char *own_verb, Cell *take_light, Cell **ret_cell,
                    Err *err);

/* For programs that are ours and need more of the machine: of a strict cell the light one that was
 * given to it (NULL = none), else the same. */
const Cell *cell_for_own(const Cell *cell);

/* LIGHT, NAMESPACES or FILTER; NONE for a light one that can't be had. */
CellLevel cell_level(const Cell *cell);
/* What a strict one gives of memory, in bytes. */
uint64_t cell_memory(const Cell *cell);
/* How its limits are held, for journals and reports: "memory by group (v1), threads by group (v1)";
 * empty for a light one. Borrowed. */
Str cell_layers(const Cell *cell);

/* Who comes into a cell. */
typedef struct CellTenant {
    const char *folder; /* its own */
    uint16_t port;      /* of its game, at the level FILTER; else it is ORDER_PORT */
    const CellProfile *profile;
} CellTenant;

/* What stands in front of its command. On the heap. */
typedef struct CellFront {
    ChildFront front;
    Buf text;           /* of all words, each with its NUL */
    const char **words; /* NULL: those of a light cell, which are the cell's */
} CellFront;

/* For a light cell, too, which asks for no tenant. `front.program` is NULL where there is no
 * program for it. Errors: ERR_IO (its folder), ERR_MEMORY. */
int cell_front_for(const Cell *cell, const CellTenant *tenant, CellFront *ret_front, Err *err);
void cell_front_done(CellFront *front); /* also for CLEANUP; a zeroed one is fine */

/* From now on no process of our user may look into our memory, trace us or read our environment;
 * and there are no core dumps. Does nothing in a build for a sanitizer, whose leak checker traces
 * its own process. */
void cell_guard_self(void);

#endif
