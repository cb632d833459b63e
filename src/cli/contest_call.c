#include "cli/contest_call.h"

#include "site/site_store.h"

#include <stdlib.h>
#include <unistd.h>

/* ---- options ---- */

#define FOLDER_ROW                                                                                 \
    {                                                                                              \
        "site", 0, OPTION_TEXT, "DIR",                                                             \
            "the folder of server.yml; else $" SITE_FOLDER_ENV ", else the current one", NULL, 0,  \
            0                                                                                      \
    }

const Option site_options[1] = {FOLDER_ROW};
const Option site_reason_options[2] = {
    [SITE_FOLDER] = FOLDER_ROW,
    [SITE_REASON] = {"reason", 'r', OPTION_TEXT, "TEXT", "why; it is published", NULL, 0, 0},
};
const Option site_look_options[3] = {
    [SITE_FOLDER] = FOLDER_ROW,
    [SITE_JSON] = {"json", 0, OPTION_FLAG, NULL, "print JSON", NULL, 0, 0},
    [SITE_LANGUAGE] = {"language", 0, OPTION_CHOICE, "en|ja", "of the text", "en", 0, 0},
};
const Option site_check_options[2] = {
    [SITE_FOLDER] = FOLDER_ROW,
    [1] = {"check", 0, OPTION_FLAG, NULL, "only say what is to be done", NULL, 0, 0},
};
const Option site_announce_options[2] = {
    [SITE_FOLDER] = FOLDER_ROW,
    [1] = {"japanese", 0, OPTION_TEXT, "TEXT", "the same in Japanese", NULL, 0, 0},
};

const Option site_bundle_options[2] = {
    [SITE_FOLDER] = FOLDER_ROW,
    [1] = {"out", 'o', OPTION_TEXT, "DIR", "the folder to make; without it NAME-bundle", NULL, 0,
           0},
};

/* ---- a call ---- */

void site_call_done(SiteCall *call)
{
    api_client_free(call->client);
    db_close(call->db);
    server_file_done(&call->file);
}

int site_call_argument(const SiteCall *call, int number, const char *name, Str *ret_text, Err *err)
{
    if (number >= call->given->argument_count)
        return err_set(err, ERR_USAGE, "%s: %s is missing", call->given->usage->command, name);
    *ret_text = str_of(call->given->arguments[number]);
    return 0;
}

int site_call_find(SiteCall *call, const char *folder, Err *err)
{
    const char *given = folder ? folder : options_text(call->given, SITE_FOLDER);

    call->folder = given ? given : getenv(SITE_FOLDER_ENV);
    if (!call->folder || !call->folder[0])
        call->folder = ".";
    CLEANUP(buf_done) Buf name = {0};
    buf_printf(&name, "%s/server.yml", call->folder);
    if (!buf_failed(&name) && access(buf_cstr(&name), F_OK) != 0)
        return err_set(err, ERR_IO,
                       "'%s' is no contest site, it has no server.yml: name the site's folder with"
                       " --site, or in " SITE_FOLDER_ENV,
                       call->folder);
    return server_file_load(call->folder, &call->file, err);
}

int site_call_client(SiteCall *call, bool must, Err *err)
{
    bool there = false;
    int rc = api_client_open_folder(buf_cstr(&call->file.data), &call->client, &there, err);

    if (rc || there || !must)
        return rc;
    return err_set(err, ERR_RULE, "no server runs over '%s': start `warg contest serve %s`",
                   buf_cstr(&call->file.data), call->folder);
}

int site_call_store(SiteCall *call, Err *err)
{
    if (call->db)
        return 0;
    if (!call->client)
        return site_store_open(buf_cstr(&call->file.store), &call->db, err);
    if (call->file.postgresql)
        return db_open_server(buf_cstr(&call->file.store), &call->db, err);
    return db_open(buf_cstr(&call->file.store), false, &call->db, err);
}

int site_call_ask(SiteCall *call, const char *method, const char *path, Str body, ApiReply *reply,
                  Err *err)
{
    int rc = call->client ? 0 : site_call_client(call, true, err);

    return rc ? rc : api_ask(call->client, method, path, body, reply, err);
}
