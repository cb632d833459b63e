/* mailbox.h - letters from any thread to a loop: bytes that its owner has agreed on with those who
 *             write.
 *
 * For:    loops that work together: the tables of a server on several of them.
 * Memory: a letter's bytes go from the writer to the box, and are freed when they were read. The
 *         loop's owner frees the box, or loop_free does; nobody may write any more then.
 * Thread: mailbox_put from any; all else on the loop's.
 * Source: docs/architecture.md, "Loops". No lock: a letter is put in front of a list by one
 *         exchange of a pointer, and the reader takes all of the list by another.
 */
#ifndef WARG_NET_MAILBOX_H
#define WARG_NET_MAILBOX_H

#include "base/buf.h"
#include "net/loop.h"

typedef struct Mailbox Mailbox;

/* `read` gets each letter on the loop, those of one writer in the order in which they were put; it
 * is borrowed for the call, `now` is when it is read. An open box keeps the loop running. Errors:
 * ERR_MEMORY, ERR_IO. */
int mailbox_new(Loop *loop, void (*read)(void *user, Str letter, TimeUs now), void *user,
                Mailbox **ret_box, Err *err);
/* What nobody has read is thrown away. Takes NULL, returns NULL. */
Mailbox *mailbox_free(Mailbox *box);

/* Puts a letter: the bytes of `letter`, which is empty then. An empty one is none. False when there
 * is no memory: `letter` is as it was, and may be put again. Never waits. */
bool mailbox_put(Mailbox *box, Buf *letter);

/* Reads now what is there: for who can't wait for the loop, or when it runs no more. */
void mailbox_read(Mailbox *box);

#endif
