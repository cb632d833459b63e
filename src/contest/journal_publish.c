#include "contest/journal_publish.h"

#include "stats/decision_sheet.h"

#include <jansson.h>
#include <stdlib.h>

static int on_plan(void *user, Str plan, Err *err)
{
    json_t *root = json_loadb(plan.bytes, plan.len, JSON_REJECT_DUPLICATES, NULL);
    json_t *agents = json_object_get(root, "agents");

    /* Commands may hold what is nobody's business: paths, keys of models. Who they are is enough.
     */
    for (size_t agent = 0; agent < json_array_size(agents); agent++) {
        json_object_del(json_array_get(agents, agent), "command");
        json_object_del(json_array_get(agents, agent), "entry");
    }
    char *text = root ? json_dumps(root, JSON_COMPACT) : NULL;
    json_decref(root);
    if (!text)
        return err_set(err, ERR_MEMORY, "journal: out of memory");
    CLEANUP(buf_done) Buf line = {0};
    int rc = journal_line_plan(str_of(text), &line, err);
    free(text); /* jansson's */
    if (rc == 0)
        rc = journal_line_seal(&line, err);
    buf_add(user, buf_str(&line));
    return rc;
}

/* Notes of this machine name its addresses and what programs printed; two kinds are the contest's.
 */
static int on_note(void *user, Str text, Err *err)
{
    bool *public = user;
    DecisionNote decided;

    (void)err;
    *public = str_starts(text, STR("cut behind stage ")) || decision_note_read(text, &decided);
    return 0;
}

int journal_publish_line(Str line, unsigned number, GameRecord *scratch, Buf *out, Err *err)
{
    bool public = true;
    const JournalListener plan_listener = {.plan = on_plan, .user = out};
    const JournalListener note_listener = {.note = on_note, .user = &public};

    if (number == 1)
        return journal_line_hear(line, number, &plan_listener, scratch, err);
    int rc = journal_line_hear(line, number, &note_listener, scratch, err);
    if (rc) /* what can't be read may hold anything */
        return rc;
    if (public) {
        buf_add(out, line);
        buf_add_char(out, '\n');
    }
    return buf_failed(out) ? err_set(err, ERR_MEMORY, "journal: out of memory") : 0;
}
