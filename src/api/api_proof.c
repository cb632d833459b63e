/* What anybody can check over the API: ledger, checkpoint, proofs, bundle. docs/contest-api.md */
#include "api/api_file.h"
#include "api/api_handlers.h"
#include "api/api_rules.h"
#include "base/mem.h"
#include "site/publication.h"
#include "site/site_ledger.h"

#define CLOSING_S   60                /* until the bundle is packed once more, about */
#define LINES_BYTES ((size_t)1 << 20) /* in one answer */

int api_ledger_lines(ApiVisit *visit, Err *err)
{
    int64_t from = api_query_number(visit, "from", 0),
            to = api_query_number(visit, "to", INT64_MAX);

    if (from < 0 || to < from)
        return api_refuse(visit, REFUSE_BAD_REQUEST, "from", NULL);
    visit->type = "application/jsonl; charset=utf-8";
    return site_ledger_lines(visit->site->db, visit->contest, (uint64_t)from, (uint64_t)to,
                             LINES_BYTES, &visit->out, err);
}

int api_ledger_checkpoint(ApiVisit *visit, Err *err)
{
    int64_t size = api_query_number(visit, "size", 0);
    int rc = site_ledger_checkpoint(visit->site->db, visit->contest, size > 0 ? (uint64_t)size : 0,
                                    &visit->out, err);

    visit->type = "text/plain; charset=utf-8";
    if (rc == 0 && !visit->out.len)
        rc = api_refuse(visit, REFUSE_NOT_FOUND, NULL, NULL);
    return rc;
}

int api_ledger_key(ApiVisit *visit, Err *err)
{
    int rc = site_ledger_begun(visit->site->db, visit->contest, err);

    visit->type = "text/plain; charset=utf-8";
    if (rc == 0)
        return api_refuse(visit, REFUSE_NOT_FOUND, NULL, NULL);
    return rc > 0 ? site_ledger_key(visit->site->db, visit->contest, &visit->out, err) : rc;
}

int api_ledger_proof(ApiVisit *visit, Err *err)
{
    Json json = json_over(&visit->out);
    int64_t n = api_query_number(visit, "n", -1), size = api_query_number(visit, "size", -1);

    if (n < 0 || size <= n)
        return api_refuse(visit, REFUSE_BAD_REQUEST, n < 0 ? "n" : "size", NULL);
    return site_ledger_put_inclusion(visit->site->ledger, visit->site->db, visit->contest,
                                     (uint64_t)n, (uint64_t)size, &json, err);
}

int api_ledger_consistency(ApiVisit *visit, Err *err)
{
    Json json = json_over(&visit->out);
    int64_t from = api_query_number(visit, "from", -1), to = api_query_number(visit, "to", -1);

    if (from < 0 || to < from)
        return api_refuse(visit, REFUSE_BAD_REQUEST, from < 0 ? "from" : "to", NULL);
    return site_ledger_put_consistency(visit->site->ledger, visit->site->db, visit->contest,
                                       (uint64_t)from, (uint64_t)to, &json, err);
}

int api_bundle(ApiVisit *visit, Err *err)
{
    CLEANUP(buf_done) Buf root = {0};
    CLEANUP(buf_done) Buf name = {0};
    const ContestHome home = api_home(visit);
    bool closing = false;
    int rc = contest_home_path(&home, "", &root, err);

    if (rc == 0 && !api_is_published(visit) && !api_is_organiser(visit))
        rc = api_refuse(visit, REFUSE_NOT_FOUND, NULL, NULL);
    if (rc == 0)
        rc = publication_closing(visit->site->db, visit->contest, &closing, err);
    if (rc == 0 && closing) {
        visit->retry_s = CLOSING_S;
        rc = api_refuse(visit, REFUSE_UNAVAILABLE, NULL,
                        "the bundle gets the end of the ledger: try again in a minute");
    }
    buf_printf(&name, "%.*s.tar.gz", STR_ARG(home.name));
    return rc == 0 ? api_file_answer(visit, buf_cstr(&root), "bundle.tar.gz", "application/gzip",
                                     buf_cstr(&name))
                   : rc;
}
