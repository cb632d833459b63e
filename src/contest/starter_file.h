/* starter_file.h - configurations of the old AIWolf starters, read as a plan.
 *
 * For:    `warg run --starter FILE`.
 * Memory: fills the caller's Plan, which then owns the texts of the settings too.
 * Thread: any, each with its own plan.
 * Source: docs/spec/protocol-division.md 1.6 (the three forms), 2.6 (settings file of the Java
 *         server).
 *
 * Three forms are told apart by their keys, see docs/contest.md. All of them give a plan with one
 * stage, rules aiwolf-server (those of the servers that these files are for), and missing agents
 * filled up with copies of bot:sample.
 *
 * A role behind an agent is a wish, as it was then: it goes to the agent's command line, and the
 * server grants it when the rules allow role requests.
 */
#ifndef WARG_CONTEST_STARTER_FILE_H
#define WARG_CONTEST_STARTER_FILE_H

#include "match/plan.h"

#define STARTER_BYTES_MAX ((size_t)256 * 1024)

typedef enum StarterKind {
    STARTER_JAVA, /* lib, log, port, game, view, setting, agent; NAME,CLASS or NAME,LANGUAGE,... */
    STARTER_DOTNET,  /* agent, game, log, port, consolelog, delay; PROGRAM,ARGUMENTS,FOLDER */
    STARTER_PLAYERS, /* number_of_players, player_file_path, ...; CLASS:ROLE in a second file */
} StarterKind;

/* What the file says beside the plan. Texts live as long as the plan. */
typedef struct StarterSettings {
    StarterKind kind;
    uint16_t port;            /* 0 = the file names none */
    uint32_t delay_ms;        /* between two starts of a program */
    uint64_t games;           /* also in the plan's stage */
    int32_t players;          /* also in the plan's stage */
    const char *lib;          /* folder of the Java libraries, as in the file; "." without one */
    const char *class_path;   /* all jars of it; of a file also those of folders under it */
    const char *log_folder;   /* where logs go, seen from the current folder; NULL = none named */
    const char *setting_path; /* game settings file, likewise */
    const char *player_path;  /* player file of the third form, likewise */
    const char *other_class;  /* the third form's class for players that are not in the file */
} StarterSettings;

/* Reads the file, and the files it names, into `plan`, made by plan_init. `ret_settings` may be
 * NULL. The caller asks plan_check afterwards.
 * Errors: ERR_IO; ERR_RULE, ERR_LIMIT with the file's name in front and the line. */
int starter_file_load(const char *path, Plan *plan, StarterSettings *ret_settings, Err *err);

/* The parts, for texts. `folder` is what relative names start from, "" = the current folder; the
 * commands run there too. starter_text_load looks at no folder and leaves other files to the
 * caller: starter_settings_load for setting_path, and starter_players_load for player_path (third
 * form; an empty text when there is no such file). Errors: ERR_RULE with the line, ERR_LIMIT,
 * ERR_MEMORY. */
int starter_text_load(Str text, const char *folder, Plan *plan, StarterSettings *ret_settings,
                      Err *err);
int starter_players_load(Str text, const char *folder, const StarterSettings *settings, Plan *plan,
                         Err *err);

#endif
