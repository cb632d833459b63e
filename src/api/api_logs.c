/* A team's own logs as one file, which is made while its reader takes it. docs/contest-api.md
 *
 *   SELECT a few games --> their logs, piece by piece --> SELECT the next few --> ... --> the end
 *
 * A piece is made when the peer has taken the last one: nothing waits but one piece, nothing is on
 * disk, no worker is held, and the loop is held for a piece at a time. */
#include "api/api_file.h"
#include "api/api_handlers.h"
#include "api/api_rules.h"
#include "archive/zip_stream.h"
#include "base/mem.h"
#include "store/db_row.h"

#define LOGS_MAX       20000 /* the newest */
#define LOGS_AT_A_TIME 32    /* are asked of the store, and looked at in one piece */
#define LOGS_TIME      ((TimeUs)3600 * 1000000)
#define PIECE_BYTES    ((size_t)64 * 1024)

typedef struct LogStream {
    struct LogStream *next; /* of the site */
    ApiSite *site;
    int64_t team;
    int64_t before;      /* games that were listed are not */
    uint32_t left;       /* games that may still be */
    Buf home;            /* the contest's folder, with a '/' */
    Buf listed;          /* paths below it, each with a NUL */
    size_t listed_count; /* of which so many are still to come, */
    size_t at;           /* from here on */
    bool is_over;
    bool in_file;
    TimeUs ends; /* who takes longer does not take it */
    ZipStream *zip;
} LogStream;

static LogStream *free_stream(LogStream *stream)
{
    if (!stream)
        return NULL;
    for (LogStream **at = &stream->site->log_streams; *at; at = &(*at)->next)
        if (*at == stream) {
            *at = stream->next;
            break;
        }
    zip_stream_free(stream->zip);
    buf_done(&stream->home);
    buf_done(&stream->listed);
    return mem_free(stream);
}

static void free_streamp(LogStream **stream)
{
    *stream = free_stream(*stream);
}

/* ---- what is in it ---- */

/* The next games of the team that have a log, newest first; as fast with a million of them. */
static int list_games(LogStream *stream, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    uint32_t count = 0;
    size_t at;
    int rc = db_query_with(
        stream->site->db, &query, err,
        "SELECT game.id, run.folder || '/' || game.log, game.log FROM seat JOIN "
        "game ON game.id = seat.game JOIN run ON run.id = game.run WHERE "
        "seat.team = ?1 AND seat.game < ?2 AND game.log <> '' AND NOT EXISTS(SELECT 1 FROM seat "
        "lower WHERE lower.game = seat.game AND lower.team = ?1 AND lower.seat "
        "< seat.seat) ORDER BY seat.game DESC LIMIT ?3",
        "iii", stream->team, stream->before, (int64_t)LOGS_AT_A_TIME);

    buf_clear(&stream->listed);
    stream->at = 0;
    while (rc == 0 && (rc = db_step(query, err)) > 0) {
        rc = 0;
        stream->before = db_int(query, 0);
        count++;
        const Str log = db_text(query, 2);
        if (!log.len || log.bytes[0] == '/' || str_find(log, STR(".."), &at))
            continue;
        buf_add(&stream->listed, db_text(query, 1));
        buf_add_char(&stream->listed, '\0');
        stream->listed_count++;
    }
    stream->left -= count < stream->left ? count : stream->left;
    if (count < LOGS_AT_A_TIME)
        stream->left = 0;
    return buf_failed(&stream->listed) ? err_set(err, ERR_MEMORY, "logs: out of memory") : rc;
}

/* ---- a piece of it ---- */

/* One that is not there any more, or is no file, is left out. */
static int begin_log(LogStream *stream, Buf *out, Err *err)
{
    CLEANUP(buf_done) Buf file = {0};
    const char *path = buf_cstr(&stream->listed) + stream->at;

    stream->at += strlen(path) + 1;
    stream->listed_count--;
    buf_printf(&file, "%s%s", buf_cstr(&stream->home), path);
    if (buf_failed(&file))
        return err_set(err, ERR_MEMORY, "logs: out of memory");
    int rc = zip_stream_file(stream->zip, path, buf_cstr(&file), out, NULL);
    stream->in_file = rc == 0;
    return rc == 0 || rc == ERR_IO ? 0 : err_set(err, (ErrCode)rc, "logs: they can't be packed");
}

static int make_step(LogStream *stream, Buf *out, Err *err)
{
    int rc = 0;

    if (stream->in_file) {
        rc = zip_stream_more(stream->zip, out, err);
        stream->in_file = rc > 0;
        return rc < 0 ? rc : 0;
    }
    if (stream->listed_count)
        return begin_log(stream, out, err);
    if (stream->left)
        return list_games(stream, err);
    rc = zip_stream_end(stream->zip, out, err);
    stream->is_over = true;
    return rc;
}

static bool next_piece(void *user, Buf *out, TimeUs now)
{
    LogStream *stream = user;
    int rc = now > stream->ends ? ERR_LIMIT : 0;

    /* A step reads a piece of a file at most; a list of games that have no logs may be empty. */
    for (unsigned i = 0; rc == 0 && !stream->is_over &&
                         (out->len == 0 || (i < LOGS_AT_A_TIME && out->len < PIECE_BYTES / 2));
         i++)
        rc = make_step(stream, out, NULL);
    return rc == 0;
}

static void end_stream(void *user)
{
    free_stream(user);
}

/* ---- beginning ---- */

/* Whether there is room for one more: of the team, and at all. */
static bool has_room(const ApiVisit *visit)
{
    unsigned all = 0, own = 0;

    for (const LogStream *at = visit->site->log_streams; at; at = at->next) {
        all++;
        own += at->team == visit->team;
    }
    return all < API_LOG_STREAMS && own < API_LOG_STREAMS_EACH;
}

static int begin_stream(ApiVisit *visit, LogStream *stream, Err *err)
{
    const ContestHome home = api_home(visit);
    int rc = contest_home_path(&home, "", &stream->home, err);

    buf_add_char(&stream->home, '/');
    stream->team = visit->team;
    stream->before = INT64_MAX;
    stream->left = LOGS_MAX;
    stream->ends = visit->now + LOGS_TIME;
    stream->zip = zip_stream_new();
    if (rc == 0 && (!stream->zip || buf_failed(&stream->home)))
        rc = err_set(err, ERR_MEMORY, "logs: out of memory");
    return rc;
}

static void answer_stream(ApiVisit *visit, LogStream *take_stream)
{
    CLEANUP(buf_done) Buf name = {0};
    const WebSource source = {next_piece, end_stream, take_stream};

    take_stream->next = visit->site->log_streams;
    visit->site->log_streams = take_stream;
    buf_printf(&name, "%.*s-logs.zip", STR_ARG(buf_str(&visit->contest_name)));
    api_file_answer_source(visit, &source, "application/zip", buf_cstr(&name));
}

int api_team_logs(ApiVisit *visit, Err *err)
{
    CLEANUP(free_streamp) LogStream *stream = NULL;
    const SiteRules *rules;
    int rc = api_rules_of(visit, &rules, err);

    if (rc == 0 && rules->publish.logs == PUBLISH_LOGS_NONE && !api_is_published(visit))
        rc = api_refuse(visit, REFUSE_NOT_FOUND, NULL, NULL);
    if (rc == 0 && !has_room(visit)) {
        visit->retry_s = 10;
        rc = api_refuse(visit, REFUSE_TOO_MANY, NULL,
                        "logs of this team, or of many, are on their way already: try again when "
                        "they have come");
    }
    if (rc)
        return rc;
    stream = mem_new(sizeof(*stream));
    if (!stream)
        return err_set(err, ERR_MEMORY, "logs: out of memory");
    stream->site = visit->site;
    rc = begin_stream(visit, stream, err);
    if (rc == 0)
        answer_stream(visit, TAKE(stream));
    return rc;
}
