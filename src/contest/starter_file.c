#include "contest/starter_file.h"

#include "contest/starter_agent.h"
#include "contest/starter_lib.h"
#include "contest/starter_line.h"
#include "contest/starter_settings.h"
#include "disk/log_file.h"

#define PLAYERS_OF_OLD 18 /* most in a table of those servers */
#define GAMES_MAX      1000000

typedef enum StarterKey {
    KEY_LIB,
    KEY_LOG,
    KEY_PORT,
    KEY_GAME,
    KEY_VIEW,
    KEY_SETTING,
    KEY_AGENT,
    KEY_CONSOLE_LOG,
    KEY_DELAY,
    KEY_PLAYERS,
    KEY_PLAYER_FILE,
    KEY_DEFAULT_CLASS,
    KEY_GAMES,
    KEY_LOG_FOLDER,
    KEY_COUNT,
} StarterKey;

enum { JAVA = 1 << STARTER_JAVA, DOTNET = 1 << STARTER_DOTNET, PLAYERS = 1 << STARTER_PLAYERS };

/* The keys, and the forms that know them. */
static const struct {
    const char *name;
    unsigned forms;
} key_table[KEY_COUNT] = {
    [KEY_LIB] = {"lib", JAVA},
    [KEY_LOG] = {"log", JAVA | DOTNET},
    [KEY_PORT] = {"port", JAVA | DOTNET},
    [KEY_GAME] = {"game", JAVA | DOTNET},
    [KEY_VIEW] = {"view", JAVA},
    [KEY_SETTING] = {"setting", JAVA},
    [KEY_AGENT] = {"agent", JAVA | DOTNET},
    [KEY_CONSOLE_LOG] = {"consolelog", DOTNET},
    [KEY_DELAY] = {"delay", DOTNET},
    [KEY_PLAYERS] = {"number_of_players", PLAYERS},
    [KEY_PLAYER_FILE] = {"player_file_path", PLAYERS},
    [KEY_DEFAULT_CLASS] = {"default_player_class_name", PLAYERS},
    [KEY_GAMES] = {"number_of_games", PLAYERS},
    [KEY_LOG_FOLDER] = {"log_directory_path", PLAYERS},
};

/* A file while it is read. */
typedef struct Starter {
    Plan *plan;
    StarterSettings *settings;
    const char *folder;
    bool look; /* at folders, for jars */
    Str values[KEY_COUNT];
    unsigned lines[KEY_COUNT]; /* where they stand; 0 = not given */
} Starter;

/* ---- the file ---- */

static int keep_setting(Starter *starter, Str name, Str value, unsigned line, Err *err)
{
    Suggest near = {.word = name};

    for (int key = 0; key < KEY_COUNT; key++) {
        suggest_offer(&near, str_of(key_table[key].name));
        if (!starter_same_word(name, str_of(key_table[key].name)))
            continue;
        if (starter->lines[key])
            return err_set_at(err, ERR_RULE, line, 0, "'%s' is here twice, first in line %u",
                              key_table[key].name, starter->lines[key]);
        starter->values[key] = value;
        starter->lines[key] = line;
        return 0;
    }
    return starter_unknown_setting(&near, line, err);
}

/* All settings; *ret_agents is the first line that is none, or empty. */
static int read_settings(Starter *starter, Str text, Str *ret_agents, Err *err)
{
    unsigned number = 0;
    Str line, name, value;
    int rc = 0;

    *ret_agents = (Str){0};
    while (rc == 0 && starter_next_line(&text, &number, &line))
        if (starter_split_setting(line, &name, &value))
            rc = keep_setting(starter, name, value, number, err);
        else if (!ret_agents->len)
            *ret_agents = line;
    return rc;
}

/* Which form it is: as the keys that only one form has say, else as the agents look. */
static int find_kind(Starter *starter, Str agent, Err *err)
{
    StarterSettings *settings = starter->settings;
    unsigned forms = JAVA | DOTNET | PLAYERS;

    for (int key = 0; key < KEY_COUNT; key++) {
        if (!starter->lines[key])
            continue;
        if (!(forms & key_table[key].forms))
            return err_set_at(err, ERR_RULE, starter->lines[key], 0,
                              "'%s' is a setting of another starter than the others are",
                              key_table[key].name);
        forms &= key_table[key].forms;
    }
    if ((forms & (forms - 1)) == 0) {
        settings->kind = forms == JAVA     ? STARTER_JAVA
                         : forms == DOTNET ? STARTER_DOTNET
                                           : STARTER_PLAYERS;
        return 0;
    }
    settings->kind = agent.len == 0 || starter_agent_is_java(agent) ? STARTER_JAVA : STARTER_DOTNET;
    return 0;
}

static int read_number(const Starter *starter, StarterKey key, uint64_t max, uint64_t *value,
                       Err *err)
{
    Str text = starter->values[key];

    if (!starter->lines[key] || str_to_uint(text, max, value))
        return 0;
    return err_set_at(err, ERR_RULE, starter->lines[key], 0,
                      "%s: expected a number up to %llu, found '%.*s'", key_table[key].name,
                      (unsigned long long)max, STR_ARG(str_part(text, 0, 64)));
}

static int read_path(const Starter *starter, StarterKey key, const char **path, Err *err)
{
    if (!starter->lines[key] || !starter->values[key].len)
        return 0;
    int rc =
        starter_check_text(starter->values[key], key_table[key].name, starter->lines[key], err);
    return rc ? rc
              : starter_keep_path(starter->plan, starter->folder, starter->values[key],
                                  starter->lines[key], path, err);
}

static int keep_word(const Starter *starter, StarterKey key, const char **ret_text, Err *err)
{
    CLEANUP(buf_done) Buf text = {0};

    if (!starter->lines[key] || !starter->values[key].len)
        return 0;
    int rc =
        starter_check_text(starter->values[key], key_table[key].name, starter->lines[key], err);
    buf_add(&text, starter->values[key]);
    return rc ? rc : starter_keep_text(starter->plan, &text, starter->lines[key], ret_text, err);
}

/* Where the classes of Java programs are. */
static int make_class_path(const Starter *starter, Err *err)
{
    CLEANUP(buf_done) Buf path = {0};
    Str lib = str_of(starter->settings->lib);
    int rc = 0;

    if (starter->look)
        rc = starter_lib_find(starter->folder, lib, &path, err);
    else
        starter_lib_add(lib, &path);
    return rc ? rc
              : starter_keep_text(starter->plan, &path, starter->lines[KEY_LIB],
                                  &starter->settings->class_path, err);
}

static int take_settings(Starter *starter, Err *err)
{
    StarterSettings *settings = starter->settings;
    uint64_t port = 0, delay = 0, games = 1, players = 0;
    bool third = settings->kind == STARTER_PLAYERS;
    int rc = read_number(starter, KEY_PORT, UINT16_MAX, &port, err);

    if (rc == 0)
        rc = read_number(starter, KEY_DELAY, 3600000, &delay, err);
    if (rc == 0)
        rc = read_number(starter, third ? KEY_GAMES : KEY_GAME, GAMES_MAX, &games, err);
    if (rc == 0)
        rc = read_number(starter, third ? KEY_PLAYERS : KEY_AGENT, PLAYERS_OF_OLD, &players, err);
    if (rc == 0)
        rc = keep_word(starter, KEY_LIB, &settings->lib, err);
    if (rc == 0)
        rc = make_class_path(starter, err);
    if (rc == 0)
        rc = keep_word(starter, KEY_DEFAULT_CLASS, &settings->other_class, err);
    if (rc == 0)
        rc = read_path(starter, third ? KEY_LOG_FOLDER : KEY_LOG, &settings->log_folder, err);
    if (rc == 0)
        rc = read_path(starter, KEY_SETTING, &settings->setting_path, err);
    if (rc == 0)
        rc = read_path(starter, KEY_PLAYER_FILE, &settings->player_path, err);
    settings->port = (uint16_t)port;
    settings->delay_ms = (uint32_t)delay;
    settings->games = games ? games : 1;
    settings->players = (int32_t)players;
    return rc;
}

static StarterPlace place_of(const Starter *starter)
{
    return (StarterPlace){starter->plan, starter->folder, starter->settings->class_path};
}

static int read_agents(const Starter *starter, Str text, Err *err)
{
    StarterPlace place = place_of(starter);
    unsigned number = 0;
    Str line, name, value;
    int rc = 0;

    while (rc == 0 && starter_next_line(&text, &number, &line)) {
        if (starter_split_setting(line, &name, &value))
            continue;
        if (starter->settings->kind == STARTER_JAVA)
            rc = starter_agent_java(&place, line, number, err);
        else if (starter->settings->kind == STARTER_DOTNET)
            rc = starter_agent_dotnet(&place, line, number, err);
        else
            rc = err_set_at(err, ERR_RULE, number, 0,
                            "expected 'setting=value', found '%.*s'; players stand in the file "
                            "that player_file_path names",
                            STR_ARG(str_part(line, 0, 100)));
    }
    return rc;
}

/* As many agents as seats: missing ones are sample bots (spec 8.2: sample agents fill up). */
static int add_stage(const Starter *starter, Err *err)
{
    StarterSettings *settings = starter->settings;
    Plan *plan = starter->plan;
    PlanStage stage = plan_default_stage(plan);
    PlanAgent filler = {.name = "sample", .bot = bot_kind(STR("sample"))};
    int rc = 0;

    if (settings->players == 0)
        settings->players =
            plan->agent_count < PLAYERS_OF_OLD ? (int32_t)plan->agent_count : PLAYERS_OF_OLD;
    while (rc == 0 && plan->agent_count < (uint32_t)settings->players)
        rc = plan_add_agent(plan, &filler, err);
    stage.players = settings->players;
    stage.sets = 0;
    stage.games = settings->games;
    /* The third starter makes new players for every game, the others keep them for all. */
    stage.games_per_set = settings->kind == STARTER_PLAYERS ? 1 : (int32_t)settings->games;
    plan->stage_count = 0;
    return rc ? rc : plan_add_stage(plan, &stage, err);
}

static int load_text(Str text, const char *folder, bool look, Plan *plan,
                     StarterSettings *ret_settings, Err *err)
{
    StarterSettings settings = {.lib = "."};
    Starter starter = {.plan = plan, .settings = &settings, .folder = folder, .look = look};
    Str agent;

    if (text.len > STARTER_BYTES_MAX)
        return err_set(err, ERR_LIMIT, "a starter's file has at most %zu bytes", STARTER_BYTES_MAX);
    int rc = ruleset_preset(STR("aiwolf-server"), &plan->rules, err);
    if (rc == 0)
        rc = read_settings(&starter, text, &agent, err);
    if (rc == 0)
        rc = find_kind(&starter, agent, err);
    if (rc == 0)
        rc = take_settings(&starter, err);
    if (rc == 0)
        rc = read_agents(&starter, text, err);
    if (rc == 0 && settings.kind != STARTER_PLAYERS)
        rc = add_stage(&starter, err);
    if (rc == 0)
        *ret_settings = settings;
    return rc;
}

int starter_text_load(Str text, const char *folder, Plan *plan, StarterSettings *ret_settings,
                      Err *err)
{
    return load_text(text, folder, false, plan, ret_settings, err);
}

int starter_players_load(Str text, const char *folder, const StarterSettings *settings, Plan *plan,
                         Err *err)
{
    StarterSettings own = *settings;
    Starter starter = {.plan = plan, .settings = &own, .folder = folder};
    StarterPlace place = place_of(&starter);
    unsigned number = 0;
    Str line;
    int rc = 0;

    if (text.len > STARTER_BYTES_MAX)
        return err_set(err, ERR_LIMIT, "a player file has at most %zu bytes", STARTER_BYTES_MAX);
    while (rc == 0 && starter_next_line(&text, &number, &line))
        rc = starter_agent_class(&place, line, number, err);
    while (rc == 0 && own.other_class && plan->agent_count < (uint32_t)own.players)
        rc = starter_agent_class(&place, str_of(own.other_class), 0, err);
    return rc ? rc : add_stage(&starter, err);
}

/* ---- files ---- */

static int read_file(const char *path, Buf *out, Err *err)
{
    return log_file_read(path, STARTER_BYTES_MAX, out, err);
}

static int load_settings(const char *path, Plan *plan, Err *err)
{
    CLEANUP(buf_done) Buf text = {0};
    int rc = read_file(path, &text, err);

    if (rc)
        return rc;
    rc = starter_settings_load(buf_str(&text), &plan->rules, err);
    if (rc)
        err_wrap(err, "'%s': ", path);
    return rc;
}

static int load_players(const char *folder, StarterSettings *settings, Plan *plan, Err *err)
{
    CLEANUP(buf_done) Buf text = {0};
    int rc = settings->player_path ? read_file(settings->player_path, &text, err) : 0;

    if (rc)
        return rc;
    rc = starter_players_load(buf_str(&text), folder, settings, plan, err);
    if (rc)
        err_wrap(err, "'%s': ", settings->player_path ? settings->player_path : "no player file");
    else
        settings->players = plan->stages[0].players;
    return rc;
}

int starter_file_load(const char *path, Plan *plan, StarterSettings *ret_settings, Err *err)
{
    CLEANUP(buf_done) Buf text = {0};
    CLEANUP(buf_done) Buf folder = {0};
    StarterSettings settings;
    Str whole = str_of(path);
    size_t end = whole.len;
    int rc = read_file(path, &text, err);

    if (rc)
        return rc;
    while (end > 0 && path[end - 1] != '/')
        end--;
    buf_add(&folder, str_part(whole, 0, end > 1 ? end - 1 : end));
    if (buf_failed(&folder))
        return err_set(err, ERR_MEMORY, "starter: out of memory");
    rc = load_text(buf_str(&text), buf_cstr(&folder), true, plan, &settings, err);
    if (rc) {
        err_wrap(err, "'%s': ", path);
        return rc;
    }
    if (settings.setting_path)
        rc = load_settings(settings.setting_path, plan, err);
    if (rc == 0 && settings.kind == STARTER_PLAYERS)
        rc = load_players(buf_cstr(&folder), &settings, plan, err);
    if (rc == 0 && ret_settings)
        *ret_settings = settings;
    return rc;
}
