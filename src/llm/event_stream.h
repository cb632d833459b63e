/* event_stream.h - an answer that came in pieces, as server-sent events or a line of JSON each, put
 *                  together to what the server would have sent in one piece.
 *
 * For:    endpoint_reply.c: some servers send a stream though none was asked for.
 * Memory: appends to the caller's Buf.
 * Thread: pure.
 * Source: docs/spec/models.md 1.4; https://html.spec.whatwg.org/multipage/server-sent-events.html
 */
#ifndef WARG_LLM_EVENT_STREAM_H
#define WARG_LLM_EVENT_STREAM_H

#include "llm/endpoint.h"

/* Appends the JSON of the whole answer. False when `body` is no stream. `*ret_ended`: its end was
 * among the pieces; else the connection was cut. An error in the stream is the "error" of the
 * answer. */
bool llm_stream_join(LlmApi api, Str body, Buf *out, bool *ret_ended);

#endif
