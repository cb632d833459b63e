/* api_file.h - files as answers: never shown by a browser, never one that a link leads to.
 *
 * For:    the API's handlers of logs, bundles, archives.
 * Memory: none is kept.
 * Thread: the loop's.
 * Source: docs/spec/contest-operations.md 13.1: users' files as attachments.
 */
#ifndef WARG_API_API_FILE_H
#define WARG_API_API_FILE_H

#include "api/api_visit.h"

/* Answers with a file below `root`, saved as `name`. REFUSE_NOT_FOUND when there is none. */
int api_file_answer(ApiVisit *visit, const char *root, const char *path, const char *type,
                    const char *name);
/* The same with what a source gives, piece by piece. */
void api_file_answer_source(ApiVisit *visit, const WebSource *source, const char *type,
                            const char *name);

#endif
