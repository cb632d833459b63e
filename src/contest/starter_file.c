#include "contest/starter_file.h"

#include "contest/starter_agent.h"
#include "contest/starter_lib.h"
#include "contest/starter_line.h"
#include "contest/starter_settings.h"
#include "disk/log_file.h"

#define PLAYERS_OF_OLD 18 /* most in a table of those servers */
#define GAMES_MAX      1000000

enum { JAVA = 1 << STARTER_JAVA, DOTNET = 1 << STARTER_DOTNET, PLAYERS = 1 << STARTER_PLAYERS };

/* A file while it is read. */
typedef struct Starter {
    Plan *plan;
    StarterSettings settings;
    const char *folder;
    bool look; /* at folders, for jars */
} Starter;

static KeyRead read_word, read_path;

/* A table reads as a table; marks are the forms that know a key. */
/* clang-format off */
#define NUMBER(name, forms, member, high)                                                         \
    {.path = name, .kind = KEY_NUMBER, KEY_AT(Starter, settings.member), .max = high, .marks = forms}
#define OWN(name, forms, member, read_it)                                                         \
    {.path = name, KEY_AT(Starter, settings.member), .read = read_it, .marks = forms}
#define UNUSED(name, forms) {.path = name, .marks = forms}

static const KeyRow keys[] = {
    OWN("lib", JAVA, lib, read_word),
    OWN("log", JAVA | DOTNET, log_folder, read_path),
    NUMBER("port", JAVA | DOTNET, port, UINT16_MAX),
    NUMBER("game", JAVA | DOTNET, games, GAMES_MAX),
    UNUSED("view", JAVA),
    OWN("setting", JAVA, setting_path, read_path),
    NUMBER("agent", JAVA | DOTNET, players, PLAYERS_OF_OLD),
    UNUSED("consolelog", DOTNET),
    NUMBER("delay", DOTNET, delay_ms, 3600000),
    NUMBER("number_of_players", PLAYERS, players, PLAYERS_OF_OLD),
    OWN("player_file_path", PLAYERS, player_path, read_path),
    OWN("default_player_class_name", PLAYERS, other_class, read_word),
    NUMBER("number_of_games", PLAYERS, games, GAMES_MAX),
    OWN("log_directory_path", PLAYERS, log_folder, read_path),
};
/* clang-format on */

enum { KEY_TOTAL = sizeof(keys) / sizeof(keys[0]) };

static const KeyTable table = KEY_TABLE(keys, &starter_manner);

/* ---- the file ---- */

static int read_word(const KeyReading *reading, const KeyRow *key, const YamlNode *node, Err *err)
{
    const Starter *starter = reading->target;
    CLEANUP(buf_done) Buf text = {0};

    if (!node->text.len)
        return 0;
    int rc = starter_check_text(node->text, key->path, node->line, err);
    buf_add(&text, node->text);
    return rc ? rc
              : starter_keep_text(starter->plan, &text, node->line, key_place(reading, key), err);
}

static int read_path(const KeyReading *reading, const KeyRow *key, const YamlNode *node, Err *err)
{
    const Starter *starter = reading->target;

    if (!node->text.len)
        return 0;
    int rc = starter_check_text(node->text, key->path, node->line, err);
    return rc ? rc
              : starter_keep_path(starter->plan, starter->folder, node->text, node->line,
                                  key_place(reading, key), err);
}

/* Which form it is: as the keys that only one form has say, else as the agents look. */
static int find_kind(const unsigned lines[static KEY_TOTAL], Str agent, StarterKind *ret_kind,
                     Err *err)
{
    unsigned forms = JAVA | DOTNET | PLAYERS;

    for (int i = 0; i < KEY_TOTAL; i++) {
        if (!lines[i])
            continue;
        if (!(forms & keys[i].marks))
            return err_set_at(err, ERR_RULE, lines[i], 0,
                              "'%s' is a setting of another starter than the others are",
                              keys[i].path);
        forms &= keys[i].marks;
    }
    if ((forms & (forms - 1)) == 0)
        *ret_kind = forms == JAVA     ? STARTER_JAVA
                    : forms == DOTNET ? STARTER_DOTNET
                                      : STARTER_PLAYERS;
    else
        *ret_kind = agent.len == 0 || starter_agent_is_java(agent) ? STARTER_JAVA : STARTER_DOTNET;
    return 0;
}

/* All settings; the first line that is none tells the form where they do not. */
static int read_settings(Starter *starter, Str text, Err *err)
{
    const KeyReading reading = {.table = &table, .target = starter};
    unsigned lines[KEY_TOTAL] = {0};
    unsigned number = 0;
    Str line, name, value;
    Str agent = {0};
    int rc = 0;

    while (rc == 0 && starter_next_line(&text, &number, &line))
        if (starter_split_setting(line, &name, &value))
            rc = starter_read_setting(&reading, name, value, number, lines, err);
        else if (!agent.len)
            agent = line;
    if (starter->settings.games == 0)
        starter->settings.games = 1;
    return rc ? rc : find_kind(lines, agent, &starter->settings.kind, err);
}

/* Where the classes of Java programs are. */
static int make_class_path(Starter *starter, Err *err)
{
    CLEANUP(buf_done) Buf path = {0};
    Str lib = str_of(starter->settings.lib);
    int rc = 0;

    if (starter->look)
        rc = starter_lib_find(starter->folder, lib, &path, err);
    else
        starter_lib_add(lib, &path);
    return rc ? rc : starter_keep_text(starter->plan, &path, 0, &starter->settings.class_path, err);
}

static StarterPlace place_of(const Starter *starter)
{
    return (StarterPlace){starter->plan, starter->folder, starter->settings.class_path};
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
        if (starter->settings.kind == STARTER_JAVA)
            rc = starter_agent_java(&place, line, number, err);
        else if (starter->settings.kind == STARTER_DOTNET)
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
static int add_stage(Starter *starter, Err *err)
{
    StarterSettings *settings = &starter->settings;
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
    Starter starter = {
        .plan = plan, .settings = {.lib = ".", .games = 1}, .folder = folder, .look = look};

    if (text.len > STARTER_BYTES_MAX)
        return err_set(err, ERR_LIMIT, "a starter's file has at most %zu bytes", STARTER_BYTES_MAX);
    int rc = ruleset_preset(STR("aiwolf-server"), &plan->rules, err);
    if (rc == 0)
        rc = read_settings(&starter, text, err);
    if (rc == 0)
        rc = make_class_path(&starter, err);
    if (rc == 0)
        rc = read_agents(&starter, text, err);
    if (rc == 0 && starter.settings.kind != STARTER_PLAYERS)
        rc = add_stage(&starter, err);
    if (rc == 0)
        *ret_settings = starter.settings;
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
    Starter starter = {.plan = plan, .settings = *settings, .folder = folder};
    const StarterSettings *own = &starter.settings;
    StarterPlace place = place_of(&starter);
    unsigned number = 0;
    Str line;
    int rc = 0;

    if (text.len > STARTER_BYTES_MAX)
        return err_set(err, ERR_LIMIT, "a player file has at most %zu bytes", STARTER_BYTES_MAX);
    while (rc == 0 && starter_next_line(&text, &number, &line))
        rc = starter_agent_class(&place, line, number, err);
    while (rc == 0 && own->other_class && plan->agent_count < (uint32_t)own->players)
        rc = starter_agent_class(&place, str_of(own->other_class), 0, err);
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
