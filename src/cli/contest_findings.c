#include "base/json.h"
#include "cli/contest_site.h"
#include "contest/rulings.h"
#include "show/text_table.h"
#include "site/contest_rules.h"

#include <stdio.h>
#include <sys/stat.h>

/* ---- of a folder, without a site ---- */

static bool is_folder(const char *path)
{
    struct stat about;

    return stat(path, &about) == 0 && S_ISDIR(about.st_mode);
}

static int list_folder(const SiteCall *call, Err *err)
{
    CLEANUP(ruling_folder_done) RulingFolder folder = {0};
    CLEANUP(buf_done) Buf out = {0};
    int rc = ruling_folder_open(&folder, call->given->arguments[0], err);

    if (rc)
        return rc;
    ruling_folder_write(&folder, options_has(call->given, SITE_JSON), &out);
    if (buf_failed(&out))
        return err_set(err, ERR_MEMORY, "contest: out of memory");
    fputs(out.len ? buf_cstr(&out) : "no finding\n", stdout);
    return 0;
}

static int rule_folder(const SiteCall *call, Str text, RulingDecision decision, Err *err)
{
    CLEANUP(ruling_folder_done) RulingFolder folder = {0};
    uint64_t number = 0;

    if (!str_to_uint(text, UINT32_MAX, &number))
        return err_set(err, ERR_USAGE, "contest rule: '%.*s' is no number of a finding",
                       STR_ARG(text));
    int rc = ruling_folder_open(&folder, call->given->arguments[0], err);
    return rc ? rc
              : ruling_folder_rule(&folder, (uint32_t)number, decision,
                                   str_trim(str_of(options_text(call->given, SITE_REASON))),
                                   call->now_ms, err);
}

/* ---- of a site ---- */

static int find_contest(SiteCall *call, const char *behind, char *path, size_t room, Str name,
                        Err *err)
{
    int rc = contest_judge_name(name, err);

    if (rc == 0)
        rc = site_call_find(call, NULL, err);
    if (rc == 0)
        rc = site_call_client(call, true, err);
    snprintf(path, room, "contests/%.*s%s", STR_ARG(str_part(name, 0, 64)), behind);
    return rc;
}

/* What nothing follows from, until somebody closes it. */
static void write_failed(const json_t *failed, Str name, Buf *out)
{
    for (size_t i = 0; i < json_count(failed); i++) {
        const json_t *ruling = json_at(failed, i);
        const Str id = json_text(ruling, "id"), team = json_text(ruling, "team"),
                  decision = json_text(ruling, "decision"), why = json_text(ruling, "why");
        buf_printf(out,
                   "ruling %.*s (%.*s, of %.*s) was not carried out: %.*s: warg contest rule %.*s "
                   "ruling:%.*s close --reason R\n",
                   STR_ARG(id), STR_ARG(decision), STR_ARG(team), STR_ARG(why), STR_ARG(name),
                   STR_ARG(id));
    }
}

int site_do_findings(SiteCall *call, Err *err)
{
    static const char *const columns[] = {"n",     "team",  "stage", "rule", "state",
                                          "count", "games", "text",  NULL};
    CLEANUP(api_reply_done) ApiReply reply = {0};
    CLEANUP(buf_done) Buf out = {0};
    TextTable table = {.columns = columns};
    char path[96];
    Str name;
    int rc = site_call_argument(call, 0, "a contest's name, or a folder", &name, err);

    if (rc == 0 && is_folder(call->given->arguments[0]))
        return list_folder(call, err);
    if (rc == 0)
        rc = find_contest(call, "/findings", path, sizeof(path), name, err);

    if (rc == 0)
        rc = site_call_ask(call, "GET", path, STR(""), &reply, err);
    const json_t *items = rc ? NULL : json_get(reply.json, "items");
    for (size_t i = 0; i < json_count(items); i++) {
        const json_t *finding = json_at(items, i);
        static const char *const texts[] = {"id", "team", "stage", "rule", "state"};
        for (size_t k = 0; k < sizeof(texts) / sizeof(texts[0]); k++)
            text_table_text(&table, json_text(finding, texts[k]));
        text_table_int(&table, json_number(finding, "count"));
        text_table_int(&table, json_number(finding, "games"));
        text_table_text(&table, json_text(finding, "text"));
    }
    if (rc == 0 && options_has(call->given, SITE_JSON))
        buf_add(&out, buf_str(&reply.body));
    else
        text_table_write(&table, TABLE_ALIGNED, &out);
    if (rc == 0 && !options_has(call->given, SITE_JSON))
        write_failed(json_get(reply.json, "failed"), name, &out);
    if (rc == 0)
        fwrite(buf_cstr(&out), 1, out.len, stdout);
    text_table_done(&table);
    return rc;
}

/* "12" is a finding, "ruling:12" a ruling that was not carried out: what it is, and its number. */
static const char *cut_object(Str *number)
{
    static const Str prefix = {"ruling:", 7};

    if (!str_starts(*number, prefix))
        return "finding";
    *number = str_part(*number, prefix.len, number->len);
    return "ruling";
}

/* The words of the command. */
typedef struct RuleWords {
    Str name, number, decision, reason;
    const char *about;
} RuleWords;

static int read_rule(const SiteCall *call, RuleWords *ret, Err *err)
{
    int rc = site_call_argument(call, 0, "a contest's name, or a folder", &ret->name, err);

    if (rc == 0)
        rc = site_call_argument(call, 1, "the number of a finding", &ret->number, err);
    if (rc == 0)
        rc = site_call_argument(call, 2, "dismiss, warn or eliminate", &ret->decision, err);
    if (rc)
        return rc;
    ret->about = cut_object(&ret->number);
    ret->reason = str_trim(str_of(options_text(call->given, SITE_REASON)));
    if (strcmp(ret->about, "ruling") == 0 && !str_eq(ret->decision, STR("close")))
        return err_set(err, ERR_USAGE, "contest rule: what is done with a ruling is 'close'");
    if (strcmp(ret->about, "finding") == 0 && ruling_of(ret->decision) == RULING_COUNT)
        return err_set(err, ERR_USAGE, "contest rule: '%.*s' is none of dismiss, warn, eliminate",
                       STR_ARG(ret->decision));
    return ret->reason.len
               ? 0
               : err_set(err, ERR_USAGE, "contest rule: give --reason, it is published");
}

int site_do_rule(SiteCall *call, Err *err)
{
    CLEANUP(api_reply_done) ApiReply reply = {0};
    CLEANUP(buf_done) Buf body = {0};
    Json json = json_over(&body);
    char path[96];
    RuleWords words = {.about = NULL};
    int rc = read_rule(call, &words, err);

    if (rc == 0 && is_folder(call->given->arguments[0]) && strcmp(words.about, "finding") != 0)
        return err_set(err, ERR_USAGE, "contest rule: a folder has findings alone");
    if (rc == 0 && is_folder(call->given->arguments[0]))
        return rule_folder(call, words.number, ruling_of(words.decision), err);
    if (rc == 0)
        rc = find_contest(call, "/rulings", path, sizeof(path), words.name, err);
    if (rc)
        return rc;
    json_open(&json, '{');
    json_add_str(&json, words.about, words.number);
    json_add_str(&json, "decision", words.decision);
    json_add_str(&json, "reason", words.reason);
    json_close(&json);
    rc = site_call_ask(call, "POST", path, buf_str(&body), &reply, err);
    if (rc == 0)
        printf("%s %.*s: %.*s\n", words.about, STR_ARG(words.number), STR_ARG(words.decision));
    return rc;
}
