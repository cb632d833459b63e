#include "base/json.h"
#include "cli/contest_site.h"
#include "show/text_table.h"
#include "site/status.h"

#include <stdio.h>

static StatusPlace place_of(const SiteCall *call)
{
    return (StatusPlace){.db = call->db,
                         .data = buf_cstr(&call->file.data),
                         .folder = call->folder,
                         .cell_require = call->file.cell_require,
                         .disk = server_file_room(&call->file)};
}

static int print_text(Buf *out, Err *err)
{
    if (buf_failed(out))
        return err_set(err, ERR_MEMORY, "contest: out of memory");
    fwrite(buf_cstr(out), 1, out->len, stdout);
    return 0;
}

int site_do_status(SiteCall *call, Err *err)
{
    CLEANUP(contest_done) Contest contest = {0};
    CLEANUP(site_status_done) SiteStatus status = {0};
    CLEANUP(buf_done) Buf out = {0};
    Str name;
    int rc = site_call_argument(call, 0, "the contest's name", &name, err);

    if (rc == 0)
        rc = site_call_store(call, err);
    if (rc == 0)
        rc = contest_find(call->db, name, &contest, err);
    if (rc == 0 && !contest.id)
        rc = err_set(err, ERR_RULE, "there is no contest '%.*s'", STR_ARG(name));
    const StatusPlace place = place_of(call);
    if (rc == 0)
        rc = site_status_read(&place, &contest, call->now_ms, &status, err);
    if (rc)
        return rc;
    if (options_has(call->given, SITE_JSON))
        site_status_json(&status, call->now_ms, &out);
    else
        site_status_print(&status, call->now_ms, options_number(call->given, SITE_LANGUAGE) == 1,
                          &out);
    return print_text(&out, err);
}

/* ---- list ---- */

typedef struct ListOut {
    const SiteCall *call;
    TextTable table;
} ListOut;

static int list_contest(void *user, const Contest *contest, Err *err)
{
    ListOut *list = user;
    CLEANUP(site_status_done) SiteStatus status = {0};
    CLEANUP(buf_done) Buf sentence = {0};
    const StatusPlace place = place_of(list->call);
    int rc = site_status_read(&place, contest, list->call->now_ms, &status, err);

    if (rc)
        return rc;
    life_sentence(&status.step, list->call->now_ms,
                  options_number(list->call->given, SITE_LANGUAGE) == 1, &sentence);
    text_table_text(&list->table, buf_str(&contest->name));
    text_table_text(&list->table, str_of(life_state_name(contest->state)));
    text_table_uint(&list->table, status.teams);
    text_table_uint(&list->table, status.games);
    text_table_text(&list->table, buf_str(&sentence));
    return 0;
}

int site_do_list(SiteCall *call, Err *err)
{
    static const char *const columns[] = {"contest", "state", "teams", "games", "what", NULL};
    ListOut list = {.call = call, .table = {.columns = columns}};
    CLEANUP(buf_done) Buf out = {0};
    int rc = site_call_store(call, err);

    if (rc == 0)
        rc = contest_each(call->db, list_contest, &list, err);
    if (rc == 0) {
        text_table_write(&list.table,
                         options_has(call->given, SITE_JSON) ? TABLE_JSON : TABLE_ALIGNED, &out);
        rc = print_text(&out, err);
    }
    text_table_done(&list.table);
    return rc;
}
