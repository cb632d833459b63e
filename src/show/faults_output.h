/* faults_output.h - what outside agents did wrong, and how long they took: a line each.
 *
 * For:    `warg standings --faults`.
 * Memory: none kept.
 * Thread: any.
 * Source: docs/spec/protocol-division.md 6.3.
 */
#ifndef WARG_SHOW_FAULTS_OUTPUT_H
#define WARG_SHOW_FAULTS_OUTPUT_H

#include "results/results.h"
#include "show/text_table.h"

/* What programs read has English headings. */
void faults_write(const FaultTable *faults, TableForm form, bool japanese, Buf *out);

#endif
