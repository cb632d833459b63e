/* log_doc.h - `warg log doc`: a game as the document that pages are made of.
 *
 * For:    cmd_log.c.
 * Memory: constant table.
 * Thread: main thread.
 * Source: docs/spec/web.md 3, 4.
 */
#ifndef WARG_CMD_LOG_DOC_H
#define WARG_CMD_LOG_DOC_H

#include "cli/options.h"

#define LOG_DOC_OPTION_COUNT 3
extern const Option log_doc_options[LOG_DOC_OPTION_COUNT];
/* For the verb's Usage. */
#define LOG_DOC_OPTIONS log_doc_options, LOG_DOC_OPTION_COUNT

/* As cmd_log's verb; `usage` is its own. */
int log_doc(const Usage *usage, int argc, char **argv, Err *err);

#endif
