/* strict_rules.h - Landlock: which files a program may read where it has no namespaces.
 *
 * For:    warg-cell, in the process that becomes the program. Needs nothing but libc.
 * Memory: none.
 * Thread: one.
 * Source: docs/spec/contest-operations.md 6.2; landlock(7).
 *
 * Reading and executing what stands in the list, writing nothing but /dev/null; no signal and no
 * abstract socket out of it where the kernel can. Names, sizes and times of other files can be
 * seen: Landlock looks at opening only.
 */
#ifndef WARG_CELL_STRICT_RULES_H
#define WARG_CELL_STRICT_RULES_H

#include "cell/cell_why.h"
#include "cell/strict_order.h"

/* The version that the kernel has; 0 = none. */
int strict_rules_version(void);

/* From now on, for good. no_new_privs is set before. */
bool strict_rules_enter(const StrictOrder *order, Why *why);

#endif
