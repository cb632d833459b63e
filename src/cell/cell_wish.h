/* cell_wish.h - how programs are to be confined, as data: `cell:` of a contest file, `--cell`.
 *
 * For:    plans (match/plan.h), who reads them, cell/cell.h.
 * Memory: a plain value; texts are borrowed.
 * Thread: any.
 * Source: docs/spec/contest-operations.md 6.2, 6.4, 3.2.
 */
#ifndef WARG_CELL_CELL_WISH_H
#define WARG_CELL_CELL_WISH_H

#include <stdbool.h>
#include <stdint.h>

#define CELL_READ_MAX 16

typedef enum CellLevel {
    CELL_LIGHT,  /* own view of processes, what is to be hidden hidden; all else as outside */
    CELL_NONE,   /* nothing of the kind */
    CELL_STRICT, /* for programs of strangers: NAMESPACES, and FILTER where these can't be had */
    CELL_NAMESPACES, /* own user, mounts, processes, network */
    CELL_FILTER,     /* system calls are refused; names of files of others can be seen */
    CELL_LEVELS,
} CellLevel;

typedef struct CellWish {
    CellLevel level;
    /* Of strict ones; of the others nothing but the level counts. */
    uint64_t memory_bytes;   /* of the program with all its threads */
    uint64_t writable_bytes; /* of /tmp, for a set; 0 = nothing can be written */
    uint32_t threads;
    uint32_t files;       /* open at once */
    uint32_t cpu_seconds; /* of all its threads, for a set */
    bool forbid_threads;  /* refused, where the runtime can do without */
    const char *root;     /* whose /usr, /bin, /lib and /etc are shown; NULL = this machine's */
    const char *read[CELL_READ_MAX]; /* further folders that are shown, to be read only */
    uint32_t read_count;
    /* A folder of its own that it may fill, shown at its own name: for what unpacks and builds,
     * never for who plays. Programs of another user fill it where we are root, so anybody must be
     * able to write there; where it lies may be closed. NULL = none. */
    const char *write;
    uint64_t write_bytes; /* of one file in it */
} CellWish;

/* LIGHT; 1 GiB, nothing writable, 64 threads, 256 files, 2 h. */
CellWish cell_wish_default(void);

/* "light", "none", "strict", "namespaces", "filter". */
const char *cell_level_name(CellLevel level);
/* Whether programs of strangers may run there. */
bool cell_level_is_strict(CellLevel level);

#endif
