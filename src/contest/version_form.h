/* version_form.h - which program of an unpacked version is started, and how.
 *
 * For:    checks of what teams hand in (runner/version_work.h), and stages that play it.
 * Memory: fills the caller's agent; texts are the plan's.
 * Thread: any.
 * Source: docs/spec/contest-operations.md 5.1, 5.4 (R19 3.2, R21 3.2).
 *
 *     language   its tree                           what is started
 *     java       agent.jar, lib/NAME.jar            ENTRY, a class: platform's jars, agent.jar,
 * lib/ by name dotnet     TEAM.dll (or another one) ...      by the platform's starter ENTRY ...
 * itself, where the entry names a file python     TEAM/ENTRY, else ENTRY             in the folder
 * of the script native     ENTRY, else TEAM/ENTRY             itself: ELF of this machine, or "#!"
 *
 * What requirements.txt asked for lies in .deps.
 */
#ifndef WARG_CONTEST_VERSION_FORM_H
#define WARG_CONTEST_VERSION_FORM_H

#include "match/plan.h"

#define VERSION_JAR          "agent.jar"
#define VERSION_LIBRARIES    "lib"
#define VERSION_DEPS         ".deps"
#define VERSION_REQUIREMENTS "requirements.txt"

/* What the contest brings along. Whole paths; NULL = none. */
typedef struct VersionPlatform {
    const char *java_lib;       /* a folder of jars */
    const char *dotnet_starter; /* a program that loads a dll; NAME.exe is mono's */
    const char *python_wheels;  /* a folder of wheels */
} VersionPlatform;

typedef struct VersionForm {
    const char *tree; /* the folder; what is not in it is not there for the program */
    Str team, language, entry;
    const VersionPlatform *platform;
} VersionForm;

/* Makes it an agent of the plan: name, folder, runtime and command. Errors: ERR_RULE for what the
 * team has to change: what is asked for is not there, with a list of what is, or can't be started
 * here; ERR_IO, ERR_LIMIT, ERR_MEMORY. */
int version_form_agent(const VersionForm *form, Plan *plan, PlanAgent *ret_agent, Err *err);

/* What of the platform the programs of this language see in their cells besides: added to the
 * plan's wish. Errors: ERR_LIMIT. */
int version_form_show(const VersionPlatform *platform, Str language, Plan *plan, Err *err);

/* Whether the name of a jar is one of the platform's, which versions bring along in vain: R21's
 * warning. Pure. */
bool version_form_is_platform_jar(Str name);

#endif
