#include "cmd/log_doc.h"

#include "disk/log_file.h"
#include "record/game_doc.h"
#include "record/maw_rounds.h"

#include <stdio.h>

enum { VIEW, NAMES, ROUND };
const Option log_doc_options[LOG_DOC_OPTION_COUNT] = {
    [VIEW] = {"view", 'v', OPTION_TEXT, "VIEW",
              "what is in it: public, all, or seat:N for what seat N was told", "all", 0, 0},
    [NAMES] = {"names", 0, OPTION_CHOICE, "shown|hidden", "who sits where: the agents' own names",
               "shown", 0, 0},
    [ROUND] = {"round", 0, OPTION_UINT, "N", "of a MAW session: which round, from 1", "1", 1,
               100000},
};

static int view_of(const Options *given, DocView *ret, Err *err)
{
    const char *text = options_text(given, VIEW);

    if (!game_doc_view_of(str_of(text), ret))
        return err_set(err, ERR_USAGE, "--view %s: public, all or seat:N is expected", text);
    ret->names = options_number(given, NAMES) == 0;
    return 0;
}

int log_doc(const Usage *usage, int argc, char **argv, Err *err)
{
    CLEANUP(options_done) Options given = {0};
    CLEANUP(game_doc_freep) GameDoc *doc = NULL;
    CLEANUP(buf_done) Buf text = {0};
    CLEANUP(buf_done) Buf out = {0};
    DocView view = {0};
    int rc = options_parse(usage, argc, argv, &given, err);

    if (rc <= 0)
        return rc;
    if (given.argument_count != 1)
        return err_set(err, ERR_USAGE, "log doc: name one file");
    const char *path = given.arguments[0];
    rc = view_of(&given, &view, err);
    if (rc == 0)
        rc = log_file_read(path, MAW_RECORD_BYTES_MAX, &text, err);
    if (rc)
        return rc;
    rc = game_doc_read(buf_str(&text), str_of(path), (uint32_t)options_number(&given, ROUND) - 1,
                       &doc, err);
    if (rc)
        return err_wrap(err, "%s: ", path);
    if (view.kind == DOC_VIEW_SEAT && view.seat > game_doc_seats(doc))
        return err_set(err, ERR_USAGE, "--view seat:%u: the game has the seats 1 to %u", view.seat,
                       game_doc_seats(doc));
    if (!view.names) /* files of natural-language games may be called by their teams */
        game_doc_set_id(doc, STR("game"));
    game_doc_write(doc, &view, &out);
    buf_add_char(&out, '\n');
    if (buf_failed(&out))
        return err_set(err, ERR_MEMORY, "no memory for the document");
    fwrite(buf_cstr(&out), 1, out.len, stdout);
    return 0;
}
