#include "site/version_rules.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>

static int whole_path(const char *path, const char *what, Buf *out, Err *err)
{
    char whole[PATH_MAX];

    if (!path)
        return 0;
    if (!realpath(path, whole))
        return err_set(err, ERR_IO, "runtimes: %s: '%s': %s", what, path, strerror(errno));
    buf_add(out, str_of(whole));
    return buf_failed(out) ? err_set(err, ERR_MEMORY, "contest: out of memory") : 0;
}

int version_rules_terms(const SiteRules *rules, CellLevel require, VersionTerms *ret_terms,
                        Err *err)
{
    VersionTerms terms;

    version_terms_init(&terms);
    terms.file_bytes = (uint64_t)rules->submit.file_bytes;
    terms.tree_bytes = (uint64_t)rules->submit.tree_bytes;
    terms.entries = rules->submit.entries;
    terms.games = rules->check.games;
    terms.name_refuses = rules->check.refuse_name;
    terms.cell = rules->plan.cell;
    terms.cell.read_count = 0;
    terms.cell.root = NULL;
    if (!cell_level_is_strict(terms.cell.level) || require != CELL_STRICT)
        terms.cell.level = cell_level_is_strict(require) ? require : CELL_STRICT;
    terms.output_bytes = rules->plan.limits.output_bytes;
    terms.startup_ms = rules->plan.limits.startup_ms;
    terms.answer_ms = (uint32_t)rules->plan.rules.contest.time_limit_ms;
    int rc = whole_path(rules->runtimes.java_lib, "java", &terms.java_lib, err);
    if (rc == 0)
        rc = whole_path(rules->runtimes.dotnet_starter, "dotnet", &terms.dotnet_starter, err);
    if (rc == 0)
        rc = whole_path(rules->runtimes.python_wheels, "python", &terms.python_wheels, err);
    if (rc) {
        version_terms_done(&terms);
        return rc;
    }
    version_terms_done(ret_terms);
    *ret_terms = terms;
    return 0;
}

void version_rules_submit(const SiteRules *rules, char languages[static VERSION_LANGUAGES_BYTES],
                          VersionRules *ret_rules)
{
    static const char *const names[SUBMIT_LANGUAGES] = {[SUBMIT_JAVA] = "java",
                                                        [SUBMIT_DOTNET] = "dotnet",
                                                        [SUBMIT_PYTHON] = "python",
                                                        [SUBMIT_NATIVE] = "native"};
    size_t used = 0;

    languages[0] = '\0';
    for (SubmitLanguage language = 0; language < SUBMIT_LANGUAGES; language++)
        if (rules->submit.languages >> language & 1)
            used += (size_t)snprintf(languages + used, VERSION_LANGUAGES_BYTES - used, "%s%s",
                                     used ? " " : "", names[language]);
    *ret_rules = (VersionRules){.languages = str_of(languages),
                                .versions_per_day = rules->submit.versions_per_day,
                                .keep = rules->submit.keep};
}
