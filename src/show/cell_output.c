#include "show/cell_output.h"

#include "base/json.h"

/* A word in both languages. */
typedef struct Words {
    const char *en;
    const char *ja;
} Words;

static const char *word_of(Words words, bool japanese)
{
    return japanese ? words.ja : words.en;
}

static bool has_any(const CellProbe *probe)
{
    return probe->namespaces.works || probe->filter.works;
}

/* ---- text ---- */

static void add_level(const char *name, const LevelProbe *level, bool japanese, Buf *out)
{
    static const Words yes = {"yes", "可"}, no = {"NO", "不可"};

    buf_printf(out, "%-11s %s", name, word_of(level->works ? yes : no, japanese));
    if (!level->works)
        buf_printf(out, ": %s", level->why);
    buf_add_char(out, '\n');
}

static void add_what(const char *name, const char *en, const char *ja, bool japanese, Buf *out)
{
    buf_printf(out, "%-11s %s\n", name, japanese ? ja : en);
}

static void add_taken(const CellProbe *probe, bool japanese, Buf *out)
{
    static const Words ours = {"namespaces (of one's own users)", "namespaces (ユーザー名前空間)"},
                       root = {"namespaces (by the rights of root)", "namespaces (root の権限)"},
                       none = {"none: `cell: strict` ends a run before its first game",
                               "なし: `cell: strict` の対戦は最初のゲームの前に終わります"};
    Words words = {"filter", "filter"};

    if (!has_any(probe))
        words = none;
    else if (probe->namespaces.works)
        words = probe->user_spaces ? ours : root;
    buf_printf(out, "%-11s %s\n", word_of((Words){"strict is", "strict ="}, japanese),
               word_of(words, japanese));
}

static void add_guards(const CellProbe *probe, bool japanese, Buf *out)
{
    if (probe->namespaces.works) {
        add_what("network", "own: agents reach their game and nothing else",
                 "専用: エージェントは自分のゲームにしか届きません", japanese, out);
        add_what("files", "a read-only view of /usr and their own folder; nothing to write",
                 "/usr と自分のフォルダーだけの読み取り専用の視界。書き込み不可", japanese, out);
        add_what("processes", "only their own are seen; starting programs is refused and seen",
                 "自分のものだけが見え、プログラムの起動は拒否され記録されます", japanese, out);
    } else {
        add_what("network", "refused but for the game, which the host connects",
                 "ゲーム以外は拒否。接続はホストが行います", japanese, out);
        add_what("files", "writing is refused, and reading others; names can be seen",
                 "書き込みと他人の読み取りは拒否。名前は見えます", japanese, out);
        add_what("processes", "others can't be reached; starting programs is refused and seen",
                 "他のプロセスには届かず、プログラムの起動は拒否され記録されます", japanese, out);
    }
}

static void add_limit(const char *name, bool by_group, bool version_two, const char *en,
                      const char *ja, bool japanese, Buf *out)
{
    if (by_group)
        buf_printf(out, "%-11s %s (v%d)\n", name,
                   japanese ? "正確: control group" : "exact: control group", version_two ? 2 : 1);
    else
        add_what(name, en, ja, japanese, out);
}

void cell_output_text(const CellProbe *probe, bool japanese, Buf *out)
{
    const GroupPlaces *groups = &probe->groups;

    add_level("namespaces", &probe->namespaces, japanese, out);
    add_level("filter", &probe->filter, japanese, out);
    add_taken(probe, japanese, out);
    if (!has_any(probe)) {
        add_what(
            "more",
            "allow user namespaces (sysctl kernel.unprivileged_userns_clone=1, "
            "user.max_user_namespaces above 0), or run as root, or have Landlock (Linux 6.2); "
            "in a container allow unshare and mount: docs/cells.md",
            "ユーザー名前空間を許可するか (kernel.unprivileged_userns_clone=1, "
            "user.max_user_namespaces)、root で動かすか、Landlock (Linux 6.2) を使ってください: "
            "docs/cells.md",
            japanese, out);
        return;
    }
    add_guards(probe, japanese, out);
    add_limit("memory", groups->memory[0], groups->one,
              "NOT EXACT: no writable control group; looked at 20 times a second. More: run in a "
              "unit with Delegate=yes",
              "正確ではない: 書けるコントロールグループがないため毎秒 20 回見ます。Delegate=yes "
              "のユニットで"
              "正確になります",
              japanese, out);
    add_limit("threads", groups->processes[0], groups->one,
              "by RLIMIT_NPROC where users are one's own, else looked at",
              "ユーザーが専用なら RLIMIT_NPROC、そうでなければ観測", japanese, out);
    add_what("witness", "seccomp notification: works", "seccomp 通知: 動作", japanese, out);
    if (probe->landlock)
        buf_printf(out, "%-11s %d\n", "landlock", probe->landlock);
    else
        add_what("landlock", "none", "なし", japanese, out);
}

/* ---- JSON ---- */

static void add_level_json(const char *name, const LevelProbe *level, Json *json)
{
    json_key(json, str_of(name));
    json_open(json, '{');
    json_add_bool(json, "works", level->works);
    if (!level->works)
        json_add_str(json, "why", str_of(level->why));
    json_close(json);
}

static Str limit_name(bool by_group, bool version_two)
{
    if (!by_group)
        return STR("looked at");
    return version_two ? STR("group v2") : STR("group v1");
}

void cell_output_json(const CellProbe *probe, Buf *out)
{
    const GroupPlaces *groups = &probe->groups;
    CellLevel taken = CELL_NONE;
    Json json = json_over(out);

    json_open(&json, '{');
    add_level_json("namespaces", &probe->namespaces, &json);
    add_level_json("filter", &probe->filter, &json);
    json_key(&json, STR("strict"));
    if (cell_probe_has(probe, CELL_STRICT, &taken))
        json_put_str(&json, str_of(cell_level_name(taken)));
    else
        json_put_null(&json);
    json_add_str(&json, "memory", limit_name(groups->memory[0], groups->one));
    json_add_str(&json, "threads", limit_name(groups->processes[0], groups->one));
    json_add_int(&json, "landlock", probe->landlock);
    json_close(&json);
    buf_add_char(out, '\n');
}
