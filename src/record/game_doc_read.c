/* A game document from whatever file it is. docs/spec/web.md 4. */
#include "record/game_doc_own.h"
#include "record/maw_rounds.h"

int game_doc_read(Str text, Str name, uint32_t round, GameDoc **ret_doc, Err *err)
{
    if (maw_record_is(text))
        return doc_read_maw(text, name, round, ret_doc, err);
    if (round > 0)
        return err_set(err, ERR_RULE, "a game log has one game, there is no round %u in it",
                       round + 1);
    return doc_read_log(text, name, ret_doc, err);
}

uint32_t game_doc_rounds(Str text)
{
    return maw_record_is(text) ? doc_maw_rounds(text) : 1;
}
