/* version_rules.h - what a contest file says of versions, in the words of who takes and tries them.
 *
 * For:    the site's doors and jobs; `warg contest check` with a contest file.
 * Memory: fills the caller's.
 * Thread: any.
 * Source: docs/spec/contest-operations.md 3.2.
 */
#ifndef WARG_SITE_VERSION_RULES_H
#define WARG_SITE_VERSION_RULES_H

#include "contest/version_terms.h"
#include "site/contest_rules.h"
#include "site/version.h"

/* `submit`, `runtimes`, `cell` and `check`, with folders by their whole paths. `require`: the level
 * of cells that the server asks for (CELL_STRICT = either). Errors: ERR_IO for a folder of
 * `runtimes` that is not there, ERR_MEMORY. */
int version_rules_terms(const SiteRules *rules, CellLevel require, VersionTerms *ret_terms,
                        Err *err);

/* Room for the names of languages. */
#define VERSION_LANGUAGES_BYTES 40
/* `submit`: `languages` has the names that `ret_rules` borrows. */
void version_rules_submit(const SiteRules *rules, char languages[static VERSION_LANGUAGES_BYTES],
                          VersionRules *ret_rules);

#endif
