/* maw_chats.h - people with an ordinary chat client at a MAW table: a message that is no JSON is
 *               what its sender says or commands, and what is told goes back in plain words.
 *
 * For:    the door of a session that is a component of an XMPP server.
 * Memory: a MawChats owns a player for each person who has taken a seat; the table is borrowed.
 * Thread: one at a time. Time is an argument, by alarms.
 * Source: docs/spec/models.md 4.6; docs/spec/maw.md 6.1.
 *
 *     stranger --/join NAME--> at the table --/quit, the session's end, an agent's JSON--> stranger
 *                                |      ^
 *                                bounce a message: away until then
 *
 * The session sees a player of the account's bare JID that speaks JSON as all do, so records and
 * rules know nothing of this.
 */
#ifndef WARG_PERSON_MAW_CHATS_H
#define WARG_PERSON_MAW_CHATS_H

#include "maw/maw_table.h"
#include "person/person_text.h"

typedef struct MawChats MawChats;

typedef struct MawChatsSetup {
    MawTable *table;
    Alarms *alarms; /* those of the table; borrowed */
    PersonLanguage language;
    /* A message in plain words (MawStanza.plain) to who is outside; borrowed. */
    void (*send)(void *user, const MawStanza *stanza);
    void *user;
} MawChatsSetup;

/* Errors: ERR_MEMORY. */
int maw_chats_new(const MawChatsSetup *setup, MawChats **ret_chats, Err *err);
MawChats *maw_chats_free(MawChats *chats); /* takes NULL; before the table is freed */

/* A stanza from outside to an address of the session. True: it was one of these, and is dealt with;
 * false: it is for the session, as if there were nobody here. */
bool maw_chats_receive(MawChats *chats, const MawStanza *stanza, TimeUs now);

#endif
