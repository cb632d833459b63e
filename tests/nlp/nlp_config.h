/* nlp_config.h - the configuration that is shipped for five players, for tests to change.
 *
 * For:    test_table.c, test_hall.c, test_api_games.c.
 * Memory: config_free; the folder's files are removed by folder_remove.
 */
#ifndef WARG_TESTS_NLP_CONFIG_H
#define WARG_TESTS_NLP_CONFIG_H

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "nlp/config.h"

static inline void text_of_file(const char *path, Buf *out)
{
    FILE *file = fopen(path, "re");
    char bytes[65536];
    size_t n;

    if (!file)
        fail_msg("%s is not there", path);
    while ((n = fread(bytes, 1, sizeof(bytes), file)) > 0)
        buf_add(out, (Str){bytes, n});
    fclose(file);
}

static inline void make_folder(char folder[static 64])
{
    /* In memory where that is at hand: schedules are synced to disk after every game. */
    snprintf(folder, 64, "%s/warg-nlp-XXXXXX", access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
    assert_non_null(mkdtemp(folder));
}

/* With its files, which lie in no folder of their own. */
static inline void remove_folder(const char *folder)
{
    DIR *dir = opendir(folder);

    for (struct dirent *entry; dir && (entry = readdir(dir));) {
        char path[512];
        snprintf(path, sizeof(path), "%s/%s", folder, entry->d_name);
        unlink(path);
    }
    if (dir)
        closedir(dir);
    rmdir(folder);
}

/* config/nlp/NAME.yml with `extra` put in front of its `server.timeout`; logs go to `folder` (""
 * = none), characters are Agent[01] and so on. */
static inline Config *shipped_config(const char *name, const char *extra, const char *folder)
{
    CLEANUP(buf_done) Buf file = {0};
    CLEANUP(buf_done) Buf text = {0};
    char path[512];
    Config *config;
    Err err = {0};

    snprintf(path, sizeof(path), "%s/config/nlp/%s.yml", getenv("WARG_SOURCE"), name);
    text_of_file(path, &file);
    const char *place = strstr(buf_cstr(&file), "  timeout:\n");
    assert_non_null(place);
    size_t at = (size_t)(place - file.bytes);
    buf_add(&text, str_part(buf_str(&file), 0, at));
    buf_add(&text, str_of(extra));
    buf_add(&text, str_part(buf_str(&file), at, SIZE_MAX));
    if (config_read(path, buf_str(&text), NULL, NULL, NULL, &config, &err))
        fail_msg("%s, line %u: %s", path, err.line, err.msg);
    config->profiles_enable = false;
    config->game_logger = config->json_logger =
        (ConfigLogger){folder[0] != '\0', folder, "{game_id}"};
    config->realtime.enable = false;
    return config;
}

#endif
