/* A team's own logs as one file, packed by a worker. docs/contest-api.md */
#include "api/api_file.h"
#include "api/api_handlers.h"
#include "api/api_rules.h"
#include "archive/tar_writer.h"
#include "base/mem.h"
#include "disk/disk_call.h"
#include "disk/folder.h"
#include "store/db_row.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#define LOGS_MAX 20000 /* the newest */

typedef struct LogParcel {
    WorkJob job; /* the first member: web/work.h */
    ApiVisit *visit;
    Buf archive; /* under way */
    Buf texts;   /* of all files: a path in the archive, a path on disk, each with a NUL */
    size_t count;
    int rc;
} LogParcel;

static void free_parcel(LogParcel *parcel)
{
    buf_done(&parcel->archive);
    buf_done(&parcel->texts);
    mem_free(parcel);
}

/* ---- packing ---- */

static const char *next_text(const char *text)
{
    return text + strlen(text) + 1;
}

static void pack_logs(WorkJob *work)
{
    LogParcel *parcel = (LogParcel *)work;
    CLEANUP(mem_freep) TarFile *files = mem_new((parcel->count + 1) * sizeof(*files));
    const char *text = buf_cstr(&parcel->texts);
    size_t there = 0;

    for (size_t i = 0; files && i < parcel->count; i++) {
        files[there].path = text;
        files[there].file = text = next_text(text);
        text = next_text(text);
        there += access(files[there].file, R_OK) == 0;
    }
    parcel->rc = files ? zip_write(buf_cstr(&parcel->archive), files, there, NULL) : ERR_MEMORY;
}

static int answer_parcel(ApiVisit *visit, Err *err)
{
    CLEANUP(buf_done) Buf name = {0};
    int file = open(buf_cstr(&visit->detail), O_RDONLY | O_CLOEXEC);

    (void)err;
    if (file < 0)
        return api_refuse(visit, REFUSE_UNAVAILABLE, NULL, NULL);
    disk_remove(buf_cstr(&visit->detail)); /* it is read by its descriptor */
    buf_printf(&name, "%.*s-logs.zip", STR_ARG(buf_str(&visit->contest_name)));
    api_file_answer_open(visit, file, "application/zip", buf_cstr(&name));
    close(file);
    return 0;
}

static void on_packed(WorkJob *work, TimeUs now)
{
    LogParcel *parcel = (LogParcel *)work;
    ApiVisit *visit = parcel->visit;

    visit->now = now;
    if (parcel->rc == 0)
        buf_add(&visit->detail, buf_str(&parcel->archive));
    visit->then = answer_parcel;
    free_parcel(parcel);
    visit->site->go_on(visit);
}

static void drop_parcel(WorkJob *work)
{
    LogParcel *parcel = (LogParcel *)work;
    ApiVisit *visit = parcel->visit;

    disk_remove(buf_cstr(&parcel->archive));
    free_parcel(parcel);
    api_visit_done(visit);
    mem_free(visit);
}

/* ---- what is in it ---- */

static void add_text(Buf *texts, Str a, Str b, Str c)
{
    buf_add(texts, a);
    buf_add(texts, b);
    buf_add(texts, c);
    buf_add_char(texts, '\0');
}

static int list_logs(ApiVisit *visit, LogParcel *parcel, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    CLEANUP(buf_done) Buf home = {0};
    const ContestHome place = api_home(visit);
    size_t at;
    int rc = contest_home_path(&place, "", &home, err);

    buf_add_char(&home, '/');
    if (rc == 0)
        rc = db_query_with(visit->site->db, &query, err,
                           "SELECT run.folder || '/', game.log FROM seat JOIN game ON game.id = "
                           "seat.game JOIN run ON run.id = game.run WHERE seat.team = ?1 AND "
                           "game.log IS NOT NULL AND game.log <> '' GROUP BY game.id, run.folder, "
                           "game.log ORDER BY game.id DESC LIMIT ?2",
                           "ii", visit->team, (int64_t)LOGS_MAX);
    while (rc == 0 && (rc = db_step(query, err)) > 0) {
        rc = 0;
        if (str_starts(db_text(query, 1), STR("/")) || str_find(db_text(query, 1), STR(".."), &at))
            continue;
        add_text(&parcel->texts, db_text(query, 0), db_text(query, 1), STR(""));
        add_text(&parcel->texts, buf_str(&home), db_text(query, 0), db_text(query, 1));
        parcel->count++;
    }
    return rc;
}

static int begin_parcel(ApiVisit *visit, LogParcel *parcel, Err *err)
{
    char name[32];
    int rc = list_logs(visit, parcel, err);

    snprintf(name, sizeof(name), "%llx", (unsigned long long)visit->site->calls);
    buf_printf(&parcel->archive, "%s/incoming/logs-%s.zip", visit->site->settings->data, name);
    if (rc == 0)
        rc = folder_make_for(buf_cstr(&parcel->archive), err);
    if (rc == 0 && (buf_failed(&parcel->texts) || buf_failed(&parcel->archive)))
        rc = err_set(err, ERR_MEMORY, "logs: out of memory");
    if (rc == 0)
        parcel->visit = api_visit_keep(visit);
    if (rc == 0 && !parcel->visit)
        rc = err_set(err, ERR_MEMORY, "logs: out of memory");
    return rc;
}

int api_team_logs(ApiVisit *visit, Err *err)
{
    const SiteRules *rules;
    int rc = api_rules_of(visit, &rules, err);

    if (rc == 0 && rules->publish.logs == PUBLISH_LOGS_NONE && !api_is_published(visit))
        rc = api_refuse(visit, REFUSE_NOT_FOUND, NULL, NULL);
    if (rc)
        return rc;
    LogParcel *parcel = mem_new(sizeof(*parcel));
    if (!parcel)
        return err_set(err, ERR_MEMORY, "logs: out of memory");
    rc = begin_parcel(visit, parcel, err);
    if (rc) {
        free_parcel(parcel);
        return rc;
    }
    parcel->job = (WorkJob){.run = pack_logs, .done = on_packed, .drop = drop_parcel};
    work_add_chore(parcel->visit->site->work, &parcel->job);
    return API_LATER;
}
