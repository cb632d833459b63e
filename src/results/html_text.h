/* html_text.h - writes text that somebody else chose into HTML or SVG, so that it stays text.
 *
 * For:    the report and its plots: names of agents, rules and logs come from outside.
 * Memory: appends to the caller's Buf.
 * Thread: any.
 * Source: HTML Living Standard 13.1 (text, attribute values); Unicode 15, UAX #9 (the characters
 *         that turn the direction of text, which could make a name show as another).
 */
#ifndef WARG_RESULTS_HTML_TEXT_H
#define WARG_RESULTS_HTML_TEXT_H

#include "base/buf.h"

/* Appends `text` for an element or for an attribute value in quotes. Characters that mean something
 * to HTML become references; control characters, invisible characters that change the direction or
 * the order of text, and invalid UTF-8 become U+FFFD. */
void html_text(Str text, Buf *out);

/* The same, at most `columns` wide as utf8_width counts; what is left out shows as "…". */
void html_text_cut(Str text, size_t columns, Buf *out);

#endif
