/* mind_swing.h - whose words move the models that listen: over all games of some paths.
 *
 * For:    `warg log minds --swing`.
 * Memory: a MindSwings is the caller's struct; mind_swings_done frees its rows. Inputs are lent.
 * Thread: one at a time.
 * Source: docs/statistics.md, "Vote swing"; docs/models.md, "Opinions".
 *
 *     log, record --> document (all lines, roles)      \
 *     minds/, record --> document of minds (opinions)  / --> vote_swing_add --> agent and role
 *
 * Both documents name lines and listeners in the same way for all three kinds of games. Opinions of
 * werewolves are left out: they know who is who, and in MAW theirs count the lines of the hideout,
 * too.
 */
#ifndef WARG_WEB_MIND_SWING_H
#define WARG_WEB_MIND_SWING_H

#include "show/text_table.h"
#include "stats/vote_swing.h"
#include "web/catalogue.h"

/* What came of the lines of an agent in a role. */
typedef struct SwingRow {
    char agent[AGENT_NAME_MAX + 1];
    Role role;
    VoteSwing swing;
} SwingRow;

typedef struct MindSwings {
    SwingRow *rows; /* with one pair at least; sorted by agent and role */
    size_t count, room;
    uint64_t left_out; /* games that could not be read */
    /* One of them: "NAME: line 3: why". May be NULL. */
    void (*on_left_out)(void *user, Str why);
    void *user;
} MindSwings;

void mind_swings_done(MindSwings *swings); /* also for CLEANUP */

/* Adds a game: its document (game_doc_write, view all, with names), and that of its minds
 * (mind_doc_write). Who speaks is called by the document's agent, else by the model, else by its
 * kind, or the name in the game. Nothing of a game whose document does not say that it is over.
 * Errors: ERR_SYNTAX for a document that is none; ERR_MEMORY. */
int mind_swing_add(MindSwings *swings, Str document, Str minds, Err *err);

/* Adds all games that are over and have minds. `now_ms`: Unix time. Errors: those of
 * catalogue_check and catalogue_scan; ERR_MEMORY. */
int mind_swing_collect(MindSwings *swings, const CatalogueSetup *paths, int64_t now_ms, Err *err);

/* Appends the table. */
void mind_swing_write(const MindSwings *swings, TableForm form, Buf *out);

#endif
