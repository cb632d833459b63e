#include "api/api_file.h"

#include "base/mem.h"
#include "disk/file_inside.h"

#include <unistd.h>

/* As a file that no page runs: of `file`, or of a source in its place. */
static void answer_attachment(ApiVisit *visit, int file, const WebSource *source, const char *type,
                              const char *name)
{
    CLEANUP(buf_done) Buf disposition = {0};

    buf_printf(&disposition, "attachment; filename=\"%s\"", name);
    const WebHeader headers[] = {
        {STR("Cache-Control"), STR("private, no-cache")},
        {STR("Content-Security-Policy"),
         STR("default-src 'none'; frame-ancestors 'none'; sandbox")},
        {STR("Content-Disposition"), buf_str(&disposition)},
    };
    const WebAnswer answer = {.status = 200, .type = type, .headers = headers, .header_count = 3};
    if (source)
        web_reply_source(visit->conn, source, &answer);
    else
        web_reply_file_with(visit->conn, file, &answer);
    visit->answered = true;
}

void api_file_answer_source(ApiVisit *visit, const WebSource *source, const char *type,
                            const char *name)
{
    answer_attachment(visit, -1, source, type, name);
}

int api_file_answer(ApiVisit *visit, const char *root, const char *path, const char *type,
                    const char *name)
{
    int file;

    if (file_inside_open(root, path, &file, NULL))
        return api_refuse(visit, REFUSE_NOT_FOUND, NULL, NULL);
    answer_attachment(visit, file, NULL, type, name);
    close(file);
    return 0;
}
