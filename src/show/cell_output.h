/* cell_output.h - what a machine has for strict cells, for an administrator: text or JSON.
 *
 * For:    `warg cell probe`.
 * Memory: appends to the caller's Buf.
 * Thread: any.
 * Source: docs/spec/contest-operations.md 6.2.
 */
#ifndef WARG_SHOW_CELL_OUTPUT_H
#define WARG_SHOW_CELL_OUTPUT_H

#include "base/buf.h"
#include "cell/cell_probe.h"

void cell_output_text(const CellProbe *probe, bool japanese, Buf *out);
void cell_output_json(const CellProbe *probe, Buf *out);

#endif
