#include "site/track_notice.h"

int track_tell(Db *db, const ContestHome *home, const TrackWord *word, int64_t now_ms, Err *err)
{
    CLEANUP(buf_done) Buf mark = {0};
    const NoticeWord words[] = {{"contest", home->name},
                                {"team", word->name},
                                {"text", word->text},
                                {"text_ja", word->japanese}};
    Notice notice = {.kind = word->kind,
                     .to = TO_TEAM,
                     .id = word->team,
                     .contest = home->id,
                     .words = words,
                     .word_count = 4};

    buf_add(&mark, word->mark);
    notice.mark = buf_cstr(&mark);
    if (buf_failed(&mark))
        return err_set(err, ERR_MEMORY, "notice: out of memory");
    int rc = notice_put(db, &notice, now_ms, err);
    buf_add(&mark, STR(":o"));
    notice.mark = buf_cstr(&mark);
    notice.to = TO_ORGANISERS;
    notice.id = 0;
    return rc ? rc : notice_put(db, &notice, now_ms, err);
}
