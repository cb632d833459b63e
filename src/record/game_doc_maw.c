/* A game document from one round of the record of a MAW session. */
#include "record/game_doc_own.h"

uint32_t doc_maw_rounds(Str text)
{
    (void)text;
    return 0;
}

int doc_read_maw(Str text, Str name, uint32_t round, GameDoc **ret_doc, Err *err)
{
    (void)text;
    (void)name;
    (void)ret_doc;
    return err_set(err, ERR_RULE, "round %u of a MAW record can't be read yet", round + 1);
}
