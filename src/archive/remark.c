#include "archive/remark.h"

#include "base/mem.h"

#include <inttypes.h>

typedef struct RemarkWords {
    const char *name;
    const char *words[2]; /* English, Japanese: {name} is a value */
} RemarkWords;

/* One whose English is another's with a value for some of it stands in front of that. */
static const RemarkWords table[REMARK_CODES] = {
    [REMARK_NAME_NONE] = {"name-none", {"an entry has no name", "名前のない項目があります"}},
    [REMARK_NAME_UTF8] = {"name-utf8",
                          {"entry '{name}': its name is not UTF-8",
                           "「{name}」: 名前が UTF-8 ではありません"}},
    [REMARK_NUMBER_UTF8] = {"number-utf8",
                            {"entry {n}: its name is not UTF-8",
                             "{n} 番目の項目: 名前が UTF-8 ではありません"}},
    [REMARK_NAME_CONTROL] = {"name-control",
                             {"entry '{name}': its name has a control character",
                              "「{name}」: 名前に制御文字があります"}},
    [REMARK_NAME_BACKSLASH] =
        {"name-backslash",
         {"entry '{name}': its name has a '\\'; folders are told apart by '/'",
          "「{name}」: 名前に「\\」があります。フォルダは「/」で区切ってください"}},
    [REMARK_NAME_ABSOLUTE] = {"name-absolute",
                              {"entry '{name}': its path is absolute", "「{name}」: 絶対パスです"}},
    [REMARK_NAME_LONG] = {"name-long",
                          {"entry '{name}': its path has more than {n} bytes",
                           "「{name}」: パスが {n} バイトを超えています"}},
    [REMARK_PART_EMPTY] = {"part-empty",
                           {"entry '{name}': a part of its path is empty",
                            "「{name}」: パスに空の部分があります"}},
    [REMARK_PART_UP] = {"part-up",
                        {"entry '{name}': its path has a part '..'",
                         "「{name}」: パスに「..」があります"}},
    [REMARK_PART_DOT] = {"part-dot",
                         {"entry '{name}': its path has a part '.'",
                          "「{name}」: パスに「.」があります"}},
    [REMARK_PART_LONG] = {"part-long",
                          {"entry '{name}': a name in its path has more than {n} bytes",
                           "「{name}」: パスの中の名前が {n} バイトを超えています"}},
    [REMARK_DEEP] = {"deep",
                     {"entry '{name}': its path is more than {n} folders deep",
                      "「{name}」: フォルダが {n} 段を超えています"}},
    [REMARK_TWICE] = {"entry-twice",
                      {"entry '{name}': is there twice", "「{name}」: 同じものが二つあります"}},
    [REMARK_FILE_AND_FOLDER] = {"file-and-folder",
                                {"entry '{name}': is a file and a folder",
                                 "「{name}」: ファイルとフォルダの両方になっています"}},
    [REMARK_HARD_LINK] =
        {"hard-link",
         {"entry '{name}': is a link; files themselves are wanted ('tar --hard-dereference')",
          "「{name}」: ハードリンクです。ファイルそのものを入れてください（tar "
          "--hard-dereference）"}},
    [REMARK_SYMBOLIC_LINK] =
        {"symbolic-link",
         {"entry '{name}': is a link; files themselves are wanted ('zip -r', not 'zip -y')",
          "「{name}」: シンボリックリンクです。ファイルそのものを入れてください（zip -y ではなく "
          "zip -r）"}},
    [REMARK_LINK] = {"link", {"entry '{name}': is a link", "「{name}」: リンクです"}},
    [REMARK_DEVICE] = {"device",
                       {"entry '{name}': is a device, a pipe or a socket",
                        "「{name}」: デバイス、パイプまたはソケットです"}},
    [REMARK_NO_FILE] = {"no-file",
                        {"entry '{name}': is no file and no folder",
                         "「{name}」: ファイルでもフォルダでもありません"}},
    [REMARK_CACHE] = {"cache", {"entry '{name}': is a cache", "「{name}」: キャッシュです"}},
    [REMARK_ENCRYPTED] = {"encrypted",
                          {"entry '{name}': is encrypted", "「{name}」: 暗号化されています"}},
    [REMARK_DAMAGED] = {"damaged",
                        {"entry '{name}': is damaged ({what})",
                         "「{name}」: 壊れています（{what}）"}},
    [REMARK_RATIO] = {"ratio",
                      {"entry '{name}': unpacked the archive has more than {n} times its own size",
                       "「{name}」: 展開すると書庫の {n} 倍を超えます"}},
    [REMARK_BYTES] = {"bytes",
                      {"unpacked it has more than {n} bytes", "展開すると {n} バイトを超えます"}},
    [REMARK_ENTRIES] = {"entries",
                        {"it has more than {n} files and folders",
                         "ファイルとフォルダが {n} 個を超えています"}},
    [REMARK_ARCHIVE_ENCRYPTED] = {"archive-encrypted",
                                  {"the archive is encrypted", "書庫が暗号化されています"}},
    [REMARK_ARCHIVE_DAMAGED] = {"archive-damaged",
                                {"the archive is damaged ({what})",
                                 "書庫が壊れています（{what}）"}},
    [REMARK_EMPTY] = {"empty", {"there is no file in it", "書庫にファイルがありません"}},
    [REMARK_NO_ARCHIVE] = {"no-archive",
                           {"it is no zip, jar or tar file, or its end is missing",
                            "zip・jar・tar のいずれでもないか、末尾が欠けています"}},
    [REMARK_NO_ZIP] = {"no-zip",
                       {"it is no zip or jar file, or its end is missing",
                        "zip でも jar でもないか、末尾が欠けています"}},
    [REMARK_CASE] =
        {"case",
         {"{name} and {other} differ by case only: on some systems they are one file",
          "{name} と {other} は大文字と小文字が違うだけです。同じファイルになる環境があります"}},
    [REMARK_CACHES] = {"caches",
                       {"{n} files of __pycache__ are left out: interpreters make their own",
                        "__pycache__ のファイル {n} 個を除きました。実行時に作り直されます"}},
    [REMARK_PLATFORM_JAR] = {"platform-jar",
                             {"left out, since the platform's own is in front of it: {name}",
                              "大会側の jar が優先されるため除きました: {name}"}},
    [REMARK_SAME_JARS] = {"same-jars",
                          {"two jars inside of it have the same name",
                           "中に同じ名前の jar が二つあります"}},
    [REMARK_PLAYER_MISSING] =
        {"player-missing",
         {"the player class {class} is not in the jar (no entry '{path}')",
          "プレイヤークラス {class} が jar にありません（項目「{path}」がありません）"}},
    [REMARK_NO_CLASS] = {"no-class",
                         {"'{path}' is no class file", "「{path}」はクラスファイルではありません"}},
    [REMARK_JAVA] = {"java",
                     {"the player class {class} is compiled for Java {n}; here is Java {here}, "
                      "which 'javac --release' can be told",
                      "プレイヤークラス {class} は Java {n} 用です。ここの Java は {here} "
                      "です（javac --release {here}）"}},
    [REMARK_UNPACK_LATE] = {"unpack-late",
                            {"unpacking it takes more than {n} s",
                             "展開に {n} 秒を超える時間がかかります"}},
    [REMARK_UNPACK_KILLED] =
        {"unpack-killed",
         {"unpacking it was {how}: more than {mib} MiB of memory, or {n} s of the processor",
          "展開が途中で終了しました（{how}）。メモリ {mib} MiB か CPU {n} 秒を超えました"}},
    [REMARK_UNPACK_FAILED] = {"unpack-failed", {"unpacking it failed", "展開に失敗しました"}},
    [REMARK_BUILD_LATE] = {"build-late",
                           {"building what requirements.txt asks for takes more than {n} s",
                            "requirements.txt の準備に {n} 秒を超える時間がかかります"}},
    [REMARK_BUILD_KILLED] = {"build-killed",
                             {"building what requirements.txt asks for was {how}: more than {mib} "
                              "MiB of memory, or {n} s of the processor",
                              "requirements.txt の準備が途中で終了しました（{how}）。メモリ {mib} "
                              "MiB か CPU {n} 秒を超えました"}},
    [REMARK_BUILD_ERRORS] = {"build-errors",
                             {"building what requirements.txt asks for failed: {what}",
                              "requirements.txt の準備に失敗しました: {what}"}},
    [REMARK_BUILD_FAILED] = {"build-failed",
                             {"building what requirements.txt asks for failed",
                              "requirements.txt の準備に失敗しました"}},
    [REMARK_NEEDS] = {"needs",
                      {"what requirements.txt asks for: {why}",
                       "requirements.txt で準備したもの: {why}"}},
    [REMARK_ENTRY_MISSING] =
        {"entry-missing",
         {"'{entry}', at the root or in '{team}/', is not there; there is: {there}",
          "「{entry}」が直下にも「{team}/」にもありません。あるもの: {there}"}},
    [REMARK_LIBRARY_MISSING] = {"library-missing",
                                {"'{entry}' at the root is not there; there is: {there}",
                                 "「{entry}」が直下にありません。あるもの: {there}"}},
    [REMARK_JAR_MISSING] = {"jar-missing",
                            {"the jar is not there; there is: {there}",
                             "jar がありません。あるもの: {there}"}},
    [REMARK_JARS] = {"jars", {"more than {n} jars", "jar が {n} 個を超えています"}},
    [REMARK_NO_STARTER] = {"no-starter",
                           {"this contest has no starter for .NET: its file names none",
                            "この大会は .NET の .dll "
                            "に対応していません。大会ファイルに起動プログラムの指定がありません"}},
    [REMARK_UNREADABLE] = {"unreadable", {"'{path}' can't be read", "「{path}」を読めません"}},
    [REMARK_NO_PROGRAM] = {"no-program",
                           {"'{path}' is no program of Linux",
                            "「{path}」は Linux の実行ファイルではありません"}},
    [REMARK_NO_ELF] = {"no-elf",
                       {"'{path}' is no program of Linux: neither ELF nor '#!'",
                        "「{path}」は Linux の実行ファイルではありません。ELF "
                        "でも「#!」で始まるファイルでもありません"}},
    [REMARK_OTHER_KIND] =
        {"other-kind",
         {"'{path}' is a program of another kind of machine (ELF machine {n}, {bits} bits)",
          "「{path}」は別の種類の機械の実行ファイルです（ELF の機種番号 {n}、{bits} ビット）"}},
    [REMARK_LANGUAGE] =
        {"language",
         {"language: '{language}' is none of java, dotnet, python and native",
          "言語「{language}」は java、dotnet、python、native のいずれでもありません"}},
    [REMARK_COMMAND_LONG] = {"command-long",
                             {"its command has more than {n} bytes",
                              "起動コマンドが {n} バイトを超えています"}},
    [REMARK_ROUND_LOG] = {"round-log",
                          {"testing round {n}: {what} ({log})",
                           "テストラウンド {n}: {what}（{log}）"}},
    [REMARK_ROUND] = {"round", {"testing round {n}: {what}", "テストラウンド {n}: {what}"}},
};

/* ---- writing ---- */

/* A part of a template: text, or the name of a value (`is_value`). False at its end. */
static bool next_part(Str *template, Str *ret_part, bool *ret_value)
{
    size_t at = 0, end = 0;

    if (!template->len)
        return false;
    *ret_value = template->bytes[0] == '{' && str_find(*template, STR("}"), &end);
    if (*ret_value)
        *ret_part = str_part(*template, 1, end - 1);
    else if (str_find(str_part(*template, 1, template->len), STR("{"), &at))
        *ret_part = str_part(*template, 0, at + 1);
    else
        *ret_part = *template;
    *template = str_part(*template, *ret_value ? end + 1 : ret_part->len, template->len);
    return true;
}

void remark_write(RemarkCode code, const Str *values, Buf *out)
{
    Str rest = str_of(table[code].words[0]), part;
    size_t n = 0;

    for (bool value; next_part(&rest, &part, &value);)
        buf_add(out, value ? values[n++] : part);
}

void remark_fill(Err *err, ErrCode error_code, RemarkCode remark_code, const Str *values)
{
    CLEANUP(buf_done) Buf text = {0};

    remark_write(remark_code, values, &text);
    err_fill(err, error_code, 0, 0, "%s", buf_cstr(&text));
}

Str remark_number(uint64_t number, char text[static REMARK_NUMBER])
{
    snprintf(text, REMARK_NUMBER, "%" PRIu64, number);
    return str_of(text);
}

/* ---- reading ---- */

static bool ends_with(Str text, Str end)
{
    return text.len >= end.len && str_eq(str_part(text, text.len - end.len, text.len), end);
}

/* Whether the sentence is this one; its values. A value goes to where the next text begins, the
 * last text is at the end. */
static bool match_sentence(Str template, Str sentence, Str *ret_values)
{
    Str part;
    size_t n = 0;
    bool value, open = false; /* a value waits for its end */

    while (next_part(&template, &part, &value)) {
        size_t at = 0;
        if (value) {
            open = true;
            continue;
        }
        if (!open && !str_starts(sentence, part))
            return false;
        if (open && template.len == 0) {
            if (!ends_with(sentence, part))
                return false;
            at = sentence.len - part.len;
        } else if (open && !str_find(sentence, part, &at))
            return false;
        if (open)
            ret_values[n++] = str_part(sentence, 0, at);
        open = false;
        sentence = str_part(sentence, at + part.len, sentence.len);
    }
    if (open)
        ret_values[n] = sentence;
    return open || sentence.len == 0;
}

bool remark_read(Str sentence, FileRemark *ret_remark)
{
    for (RemarkCode code = 0; code < REMARK_CODES; code++) {
        *ret_remark = (FileRemark){.code = code};
        if (match_sentence(str_of(table[code].words[0]), sentence, ret_remark->values))
            return true;
    }
    return false;
}

const char *remark_code_name(RemarkCode code)
{
    return table[code].name;
}

Str remark_value_name(RemarkCode code, size_t n)
{
    Str rest = str_of(table[code].words[0]), part;

    for (bool value; next_part(&rest, &part, &value);)
        if (value && n-- == 0)
            return part;
    return (Str){0};
}

/* ---- in another language ---- */

static Str find_value(const FileRemark *remark, Str name)
{
    for (size_t n = 0; n < REMARK_VALUES; n++)
        if (str_eq(remark_value_name(remark->code, n), name))
            return remark->values[n];
    return (Str){0};
}

static void say_sentence(Str sentence, bool inside, Buf *out);

/* A value; one that is a sentence is said in the same language. */
/* NOLINTNEXTLINE(misc-no-recursion): one deep */
static void say_value(const FileRemark *remark, Str name, Buf *out)
{
    if (str_eq(name, STR("why")))
        say_sentence(find_value(remark, name), true, out);
    else
        buf_add(out, find_value(remark, name));
}

/* NOLINTNEXTLINE(misc-no-recursion): as say_value */
static void say_sentence(Str sentence, bool inside, Buf *out)
{
    FileRemark remark;
    Str part;

    if (!remark_read(sentence, &remark) || (inside && remark.code == REMARK_NEEDS)) {
        buf_add(out, sentence);
        return;
    }
    Str rest = str_of(table[remark.code].words[1]);
    for (bool value; next_part(&rest, &part, &value);)
        if (value)
            say_value(&remark, part, out);
        else
            buf_add(out, part);
}

void remark_say(Str sentence, bool japanese, Buf *out)
{
    if (japanese)
        say_sentence(sentence, false, out);
    else
        buf_add(out, sentence);
}

static void add_values(Json *json, const FileRemark *remark)
{
    json_open(json, '{');
    for (size_t n = 0; n < REMARK_VALUES && remark_value_name(remark->code, n).len; n++) {
        json_key(json, remark_value_name(remark->code, n));
        json_put_str(json, remark->values[n]);
    }
    json_close(json);
}

static void add_key(Json *json, const char *key, const char *more)
{
    CLEANUP(buf_done) Buf name = {0};

    buf_printf(&name, "%s%s", key, more);
    json_key(json, buf_str(&name));
}

void remark_add(Json *json, const char *key, Str sentence)
{
    CLEANUP(buf_done) Buf japanese = {0};
    FileRemark remark;

    json_add_str(json, key, sentence);
    if (!remark_read(sentence, &remark))
        return;
    remark_say(sentence, true, &japanese);
    add_key(json, key, "_ja");
    json_put_str(json, buf_str(&japanese));
    add_key(json, key, "_code");
    json_put_str(json, str_of(remark_code_name(remark.code)));
    add_key(json, key, "_values");
    add_values(json, &remark);
}
