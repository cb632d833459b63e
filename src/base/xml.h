/* xml.h - XML as it comes: a stream of elements, each a small tree; expat is behind it.
 *
 * For:    XMPP streams (net/xmpp_component.h) and their stanzas (wire/maw_stanza.h).
 * Memory: a tree is borrowed for the call; its texts are in the reader's arena.
 * Thread: one at a time.
 * Source: RFC 6120 4 and 11 (no DTD, no processing instruction, no comment in a stream);
 *         docs/spec/maw.md 3.5, 4.1.
 */
#ifndef WARG_BASE_XML_H
#define WARG_BASE_XML_H

#include "base/buf.h"
#include "base/err.h"

typedef struct XmlAttribute {
    Str space; /* "http://www.w3.org/XML/1998/namespace" for xml:lang; empty without prefix */
    Str name;
    Str value;
} XmlAttribute;

/* An element, or a text between elements (then `name` is empty). */
typedef struct XmlNode {
    Str space; /* its namespace, also when it is inherited */
    Str name;  /* without prefix */
    Str text;  /* of a text node; entities and CDATA are resolved */
    const XmlAttribute *attributes;
    uint32_t attribute_count;
    struct XmlNode *first; /* child */
    struct XmlNode *next;  /* sibling */
} XmlNode;

typedef struct XmlEvents {
    void (*opened)(void *user, const XmlNode *root); /* the stream's own start, without children */
    void (*element)(void *user, const XmlNode *element); /* one level below it, whole */
    void (*closed)(void *user);                          /* the stream's end */
    /* In place of `element` for one over a limit, when it has ended: its own name and attributes
     * (none, if they are what is too much), without children. `why`: for people. NULL: such an
     * element is ERR_LIMIT. For streams on which many speak: one of them must not end it. */
    void (*dropped)(void *user, const XmlNode *element, const char *why);
    void *user;
} XmlEvents;

#define XML_ELEMENT_BYTES ((size_t)128 * 1024) /* of an element below the root, as it is read */
#define XML_DEPTH_MAX     32                   /* of it and what is in it */
#define XML_DEPTH_DROPPED 10000 /* of one that is dropped: expat keeps each tag that is open */
#define XML_RAW_BYTES     ((size_t)4 << 20) /* of it as it is written, also of one to be dropped */

typedef struct XmlStream XmlStream;

int xml_stream_new(const XmlEvents *events, XmlStream **ret_stream, Err *err);
XmlStream *xml_stream_free(XmlStream *stream); /* takes NULL, returns NULL */
void xml_stream_freep(XmlStream **stream);

/* Takes bytes, cut anywhere. A callback may free the stream: no further one is called then, and
 * what is returned is 0. It may not feed it.
 * Errors: ERR_SYNTAX (not well-formed, not UTF-8, a DTD, a processing instruction, a comment, text
 * between the elements that is no white space), ERR_LIMIT (an element over XML_ELEMENT_BYTES or
 * deeper than XML_DEPTH_MAX when there is no `dropped`, any over XML_RAW_BYTES), ERR_MEMORY. The
 * stream is of no use from then on: each further call is the same error. */
int xml_stream_feed(XmlStream *stream, Str bytes, Err *err);

/* Reads one whole element with all that is in it, under the same limits. The tree lives until
 * xml_stream_free of *ret_stream. Errors: as xml_stream_feed; ERR_SYNTAX when it is not whole. */
int xml_read(Str text, XmlStream **ret_stream, const XmlNode **ret_root, Err *err);

/* The value of an attribute without namespace; empty with a NULL `bytes` when there is none. */
Str xml_attribute(const XmlNode *node, const char *name);
/* The first child element of this name and namespace; NULL = none. */
const XmlNode *xml_child(const XmlNode *node, const char *space, const char *name);
const XmlNode *xml_next(const XmlNode *node, const char *space, const char *name);
/* Appends all text directly below the element. */
void xml_text(const XmlNode *node, Buf *out);

/* Appends text so that it stands for itself in content and in attributes: & < > " ' are escaped,
 * what XML 1.0 has no character for is left out, bytes that are no UTF-8 become U+FFFD. */
void xml_quote(Buf *out, Str text);

#endif
