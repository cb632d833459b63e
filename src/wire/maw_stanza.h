/* maw_stanza.h - MAW's envelope: a FIPA message as SPADE writes and reads it in an XMPP stanza.
 *
 * For:    the XMPP links of MAW; in one process the same struct travels without XML.
 * Memory: a MawStanza borrows its texts; maw_stanza_read puts them into the caller's Buf.
 * Thread: pure.
 * Source: docs/spec/maw.md 3.1, 3.5; data/maw/maw-messages.jsonl, receive-vectors.jsonl.
 */
#ifndef WARG_WIRE_MAW_STANZA_H
#define WARG_WIRE_MAW_STANZA_H

#include "base/xml.h"

#define MAW_BODY_BYTES_MAX ((size_t)128 * 1024)
#define MAW_METADATA_MAX   16

typedef enum MawStanzaType {
    STANZA_CHAT,
    STANZA_NORMAL, /* also when there is no type */
    STANZA_ERROR,
    STANZA_OTHER, /* groupchat, headline: never for us */
} MawStanzaType;

/* FIPA SC00037; ACT_OTHER: any of the acts MAW does not use, and query, inform-ref ... */
typedef enum MawAct {
    ACT_NONE, /* no performative */
    ACT_REQUEST,
    ACT_QUERY_REF, /* also query, query-if when read */
    ACT_INFORM,
    ACT_AGREE,
    ACT_REFUSE,
    ACT_FAILURE,
    ACT_NOT_UNDERSTOOD,
    ACT_OTHER,
} MawAct;

const char *maw_act_name(MawAct act); /* "query-ref"; "" for NONE and OTHER */
MawAct maw_act_of(Str name);

typedef struct MawMetadata {
    Str key;
    Str value;
} MawMetadata;

typedef struct MawStanza {
    Str from; /* as the server stamped it: may have a resource */
    Str to;
    Str id; /* empty = none */
    MawStanzaType type;
    MawAct act;
    Str conversation_id; /* these three: empty = none */
    Str reply_with;
    Str in_reply_to;
    Str thread; /* of the form's _thread_node */
    bool plain; /* written without metadata, for people: the body is all */
    bool has_body;
    Str body;
    Str error_condition;                 /* of STANZA_ERROR: "service-unavailable" */
    MawMetadata other[MAW_METADATA_MAX]; /* all further keys, each once; ontology too */
    uint32_t other_count;
} MawStanza;

/* Reads a <message>. Texts are put behind each other into `texts`, which must not change while the
 * stanza is used. False when the element is no message or there is no memory. Judges nothing: odd
 * forms are read as SPADE reads them, those on which it breaks too. */
bool maw_stanza_read(const XmlNode *message, Buf *texts, MawStanza *ret_stanza);

/* Appends the stanza, always of type chat, with one form unless it is plain; ontology and language
 * are added. A metadata entry without a value is left out. The namespace is the stream's own. */
void maw_stanza_write(const MawStanza *stanza, Buf *out);

/* Appends an XMPP error for a message to an address that does not exist (item-not-found). */
void maw_stanza_write_error(Str from, Str to, Str id, const char *condition, Buf *out);

/* "name@domain/resource" -> "name@domain"; the part in front of the @. */
Str jid_bare(Str jid);
Str jid_local(Str jid);
Str jid_domain(Str jid); /* without resource */
/* Node and domain in lower case (ASCII), the resource cut: the identity of an account. Appends. */
void jid_fold(Str jid, Buf *out);

#endif
