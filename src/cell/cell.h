/* cell.h - what the programs that we start are put into: they see neither what is hidden from them
 *         nor each other.
 *
 * For:    agents (match/agent_cell.h); net/child.h starts them so. Knows no agent.
 * Memory: a Cell is freed by cell_free; it must outlive the children that are started in it.
 * Thread: any; constant once made.
 * Source: docs/spec/contest-operations.md 6, its light part: own mount and pid namespace (and user
 *         namespace, unless we are root), all else as outside. cell/cell_start.h does it.
 */
#ifndef WARG_CELL_CELL_H
#define WARG_CELL_CELL_H

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

/* What stands in front of a command that is started in the cell; borrowed. NULL = the program was
 * not found: commands are started directly. */
const ChildFront *cell_front(const Cell *cell);

/* From now on no process of our user may look into our memory, trace us or read our environment;
 * and there are no core dumps. Does nothing in a build for a sanitizer, whose leak checker traces
 * its own process. */
void cell_guard_self(void);

#endif
