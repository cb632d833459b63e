/* cell_news.h - what the program in front of a strict cell tells whoever started it: one line of
 *               text a message (net/fd_socket.h).
 *
 * For:    warg-cell, which writes; cell/cell.h's users, who read. Pure.
 * Memory: plain values; a read text is borrowed from the message.
 * Thread: any.
 * Source: docs/spec/contest-operations.md 6.3, 6.6.
 *
 *     listens                              with the socket, of the network that is the cell's own
 *     begun                                the program is about to be executed
 *     found RULE COUNT TEXT                a finding (record/finding.h)
 *     used CPU_MS PEAK_KIB THREADS         at its end
 */
#ifndef WARG_CELL_CELL_NEWS_H
#define WARG_CELL_CELL_NEWS_H

#include "record/finding.h"

#include <stdint.h>

typedef enum CellNewsKind { NEWS_LISTENS, NEWS_BEGUN, NEWS_FOUND, NEWS_USED } CellNewsKind;

typedef struct CellUse {
    uint64_t cpu_ms;
    uint64_t peak_kib;
    uint32_t threads; /* the most that were seen */
} CellUse;

typedef struct CellNews {
    CellNewsKind kind;
    Finding finding;
    CellUse use;
} CellNews;

#define CELL_NEWS_BYTES 320

/* Returns how many bytes it wrote. A finding's text is cut at FINDING_TEXT_MAX and made printable:
 * what is no printable ASCII becomes \xHH. */
size_t cell_news_write(const CellNews *news, char ret_line[static CELL_NEWS_BYTES]);

/* False for what is no such line. */
bool cell_news_read(Str line, CellNews *ret_news);

#endif
