#include "site/track_notice.h"

#include "base/date_text.h"

/* Tells whom the notice says, and organisers the same as `kind`; each once. */
static int put_with_organisers(Db *db, Notice *notice, NoticeKind kind, Buf *mark, int64_t now_ms,
                               Err *err)
{
    notice->mark = buf_cstr(mark);
    if (buf_failed(mark))
        return err_set(err, ERR_MEMORY, "notice: out of memory");
    int rc = notice->to == TO_TEAM && !notice->id ? 0 : notice_put(db, notice, now_ms, err);
    if (rc)
        return rc;
    buf_add(mark, STR(":o"));
    notice->mark = buf_cstr(mark);
    notice->kind = kind;
    notice->to = TO_ORGANISERS;
    return notice_put(db, notice, now_ms, err);
}

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
    return put_with_organisers(db, &notice, word->kind, &mark, now_ms, err);
}

int track_tell_out(const TrackTurn *turn, const Entrant *entrant, const RulesTrack *track,
                   int64_t played, Err *err)
{
    CLEANUP(buf_done) Buf why = {0};

    CLEANUP(buf_done) Buf japanese = {0};

    buf_printf(&why, "track %s: %lld of %u self matches were played to the end without an error",
               track->name, (long long)played, track->self_matches);
    buf_printf(&japanese, "トラック %s: エラーなく終わった自己対戦が %u 回中 %lld 回でした",
               track->name, track->self_matches, (long long)played);
    const NoticeWord words[] = {{"contest", turn->home.name},
                                {"team", str_of(entrant->name)},
                                {"why", buf_str(&why)},
                                {"why_ja", buf_str(&japanese)}};
    const Notice notice = {.kind = NOTICE_OUT,
                           .to = TO_TEAM,
                           .id = entrant->team,
                           .contest = turn->home.id,
                           .words = words,
                           .word_count = sizeof(words) / sizeof(words[0])};
    return notice_put(turn->db, &notice, turn->now_ms, err);
}

int track_tell_window(const TrackTurn *turn, const RulesTrack *track, const RulesWindow *window,
                      bool opens, Err *err)
{
    CLEANUP(buf_done) Buf english = {0};
    CLEANUP(buf_done) Buf japanese = {0};
    CLEANUP(buf_done) Buf mark = {0};
    char room[DATE_TEXT_ROOM];
    const Str until = date_text_write(window->to_ms, room);

    buf_printf(&english,
               opens ? "The window of track %s is open, until %.*s."
                     : "The window of track %s, until %.*s, is over.",
               track->name, STR_ARG(until));
    buf_printf(&japanese,
               opens ? "トラック%sの対戦が始まりました（%.*sまで）。"
                     : "トラック%sの対戦（%.*sまで）は終わりました。",
               track->name, STR_ARG(until));
    buf_printf(&mark, "window:%lld:%s:%lld:%d", (long long)turn->home.id, track->name,
               (long long)window->from_ms, opens);
    const NoticeWord words[] = {
        {"contest", turn->home.name}, {"text", buf_str(&english)}, {"text_ja", buf_str(&japanese)}};
    Notice notice = {.kind = NOTICE_ANNOUNCEMENT,
                     .to = TO_TEAMS,
                     .contest = turn->home.id,
                     .words = words,
                     .word_count = 3};
    return put_with_organisers(turn->db, &notice, NOTICE_ANNOUNCEMENT, &mark, turn->now_ms, err);
}

int track_tell_lack(const TrackTurn *turn, const RulesTrack *track, const TrackLack *lack, Err *err)
{
    CLEANUP(buf_done) Buf english = {0};
    CLEANUP(buf_done) Buf japanese = {0};
    CLEANUP(buf_done) Buf mark = {0};

    buf_printf(&english,
               "track %s: %u teams have qualified, and a match has %u seats. Nothing is played "
               "until there are enough: let teams in, or give the track a smaller table.",
               track->name, lack->teams, lack->seats);
    buf_printf(&japanese,
               "トラック%s: 資格を得たチームは%u、1試合の席は%uです。足りるまで対戦は始まりません。"
               "チームを加えるか、トラックの人数を減らしてください。",
               track->name, lack->teams, lack->seats);
    buf_printf(&mark, "lack:%s", track->name);
    const NoticeWord words[] = {
        {"contest", turn->home.name}, {"text", buf_str(&english)}, {"text_ja", buf_str(&japanese)}};
    if (buf_failed(&mark))
        return err_set(err, ERR_MEMORY, "notice: out of memory");
    const Notice notice = {.kind = NOTICE_AWAITED,
                           .to = TO_ORGANISERS,
                           .contest = turn->home.id,
                           .words = words,
                           .word_count = 3,
                           .mark = buf_cstr(&mark)};
    return notice_put(turn->db, &notice, turn->now_ms, err);
}

/* ---- what a server says ---- */

static int tell_one_awaited(const TrackTurn *turn, const RulesTrack *track,
                            const RulesWindow *window, Str team, Err *err)
{
    CLEANUP(buf_done) Buf mark = {0};
    CLEANUP(buf_done) Buf text = {0};
    int64_t id = 0;
    int rc = team_find(turn->db, turn->home.id, team, &id, err);

    if (rc)
        return rc;
    buf_printf(&mark, "awaited:%lld:%s:%lld:%.*s", (long long)turn->home.id, track->name,
               (long long)window->from_ms, STR_ARG(team));
    buf_printf(&text, "track %s waits for %.*s", track->name, STR_ARG(team));
    const NoticeWord words[] = {
        {"contest", turn->home.name}, {"text", buf_str(&text)}, {"team", team}};
    Notice notice = {.kind = NOTICE_MISSING,
                     .to = TO_TEAM,
                     .id = id,
                     .contest = turn->home.id,
                     .words = words,
                     .word_count = 3};
    return put_with_organisers(turn->db, &notice, NOTICE_AWAITED, &mark, turn->now_ms, err);
}

int track_tell_awaited(const TrackTurn *turn, const RulesTrack *track, const RulesWindow *window,
                       const json_t *status, Err *err)
{
    const json_t *awaited = json_get(status, "awaited");
    int rc = 0;

    for (size_t i = 0; i < json_count(awaited) && rc == 0; i++) {
        Str team;
        if (json_as_str(json_at(awaited, i), &team))
            rc = tell_one_awaited(turn, track, window, team, err);
    }
    return rc;
}

static int tell_one_quarantined(const TrackTurn *turn, const RulesTrack *track, Str name,
                                int64_t until, Err *err)
{
    CLEANUP(buf_done) Buf mark = {0};
    CLEANUP(buf_done) Buf text = {0};
    CLEANUP(buf_done) Buf japanese = {0};
    char room[DATE_TEXT_ROOM];
    int64_t team = 0;
    int rc = team_find(turn->db, turn->home.id, name, &team, err);

    if (rc || !team)
        return rc;
    const Str date = date_text_write(until * 1000, room);
    buf_printf(&mark, "quarantine:%lld:%s:%.*s:%lld", (long long)turn->home.id, track->name,
               STR_ARG(name), (long long)until);
    buf_printf(&text,
               "track %s: too many of its requests or games have failed; until %.*s its matches "
               "come behind those of the others",
               track->name, STR_ARG(date));
    buf_printf(&japanese,
               "トラック%s: %.*sへの依頼か試合で失敗が多すぎました。%.*sまで、ほかのチームより後"
               "に対戦します。",
               track->name, STR_ARG(name), STR_ARG(date));
    const TrackWord word = {NOTICE_FAILING,     team,          name, buf_str(&text),
                            buf_str(&japanese), buf_str(&mark)};
    return track_tell(turn->db, &turn->home, &word, turn->now_ms, err);
}

int track_tell_quarantined(const TrackTurn *turn, const RulesTrack *track, const json_t *status,
                           Err *err)
{
    const json_t *list = json_get(status, "quarantined");
    int rc = 0;

    for (size_t i = 0; i < json_count(list) && rc == 0; i++)
        rc = tell_one_quarantined(turn, track, json_text(json_at(list, i), "team"),
                                  json_number(json_at(list, i), "until"), err);
    return rc;
}
