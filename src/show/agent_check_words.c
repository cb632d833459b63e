#include "show/agent_check_words.h"

typedef struct BothWords {
    const char *english;
    const char *japanese;
} BothWords;

static const BothWords words[CHECK_WORDS] = {
    [CHECK_SAY_PASSED] = {"agent {0}: passed", "エージェント {0}: 合格"},
    [CHECK_SAY_REFUSED] = {"agent {0}: refused", "エージェント {0}: 不合格"},
    [CHECK_SAY_START] = {"connected and said its name after {0} ms",
                         "{0} ミリ秒で接続し、名前を答えました"},
    [CHECK_SAY_NAME] = {"says {0}", "{0} と名乗ります"},
    [CHECK_SAY_DIALOGUE] = {"{0} games at tables of 5 and 15, in every role; {1} talks, {2} "
                            "whispers, {3} votes, {4} of them in revotes",
                            "5 人と 15 人の村で全役職 {0} ゲーム。会話 {1}、囁き {2}、投票 {3} "
                            "(うち再投票 {4})"},
    [CHECK_SAY_SET] = {"{0} games among built-in bots, at tables of 5 and 15",
                       "内蔵ボットとの {0} ゲーム (5 人村と 15 人村)"},
    [CHECK_SAY_TIME] = {"median {0} ms, 99 % within {1}, longest {2}, waited for a processor {3}; "
                        "limit {4}",
                        "中央値 {0} ミリ秒、99 % が {1} 以内、最長 {2}、CPU 待ち {3}、制限 {4}"},
    [CHECK_SAY_LATE] = {"; {0} answers over the limit", "。制限を超えた回答 {0}"},
    [CHECK_SAY_FINDINGS] = {"{0} findings", "違反 {0} 件"},
    [CHECK_SAY_NOTHING] = {"nothing found", "違反なし"},
    [CHECK_SAY_RESOURCES] = {"at most {0} of {1} MiB of memory, {2} of {3} threads, {4} of {5} "
                             "descriptors, {6} of {7} KiB printed",
                             "最大でメモリ {0}/{1} MiB、スレッド {2}/{3}、記述子 {4}/{5}、出力 "
                             "{6}/{7} KiB"},
    [CHECK_SAY_REPEAT] = {"{0} games with another process", "別のプロセスで {0} ゲーム"},
    [CHECK_SAY_SKIPPED] = {"not tried", "実施せず"},
    [CHECK_SAY_CHANGE] = {"what to change: ", "直すこと: "},
    [CHECK_SAY_LAST_LINES] = {"its last lines:", "最後の出力:"},
    [CHECK_SAY_LIGHT] =
        {"level light: connections, files and processes are looked for at moments, "
         "and what is short may not be seen",
         "レベル light: 接続・ファイル・プロセスは時々調べるだけなので、短時間のものは"
         "見えないことがあります"},
    [CHECK_SAY_NONE] = {"level none: {0}", "レベル none: {0}"},
};

/* Each says what to change, in one sentence. */
static const BothWords advices[ADVICE_COUNT] = {
    [ADVICE_NONE] = {"", ""},
    [ADVICE_CONNECT] = {"connect to the host and port of -h and -p at once, answer NAME, and load "
                        "what takes long before that limit is over",
                        "起動したらすぐに -h と -p のホストとポートへ接続して NAME に答え、時間の"
                        "かかる読み込みは制限時間内に終えてください"},
    [ADVICE_DIED_EARLY] =
        {"the program ended before it said its name: run its command by hand "
         "and mend what it prints",
         "名前を答える前にプログラムが終了しました。コマンドを手で実行し、表示され"
         "るエラーを直してください"},
    [ADVICE_NAME] = {"answer NAME with exactly the name that -n gives",
                     "NAME には -n で渡された名前をそのまま答えてください"},
    [ADVICE_PLAYER_CLASS] =
        {"put the player class into a package of your own, not into org.aiwolf",
         "プレイヤークラスは org.aiwolf ではなく自分のパッケージに置いてください"},
    [ADVICE_CRASH] =
        {"it ended or closed the connection in a game: mend what happens at the request named here "
         "or just before it, and stay until the connection ends",
         "ゲーム中に終了または切断しました。ここに示したリクエストかその直前の動作を直し、接続が"
         "終わるまで動き続けてください"},
    [ADVICE_ONE_GAME] =
        {"stay after FINISH: the games of a set follow each other on one "
         "connection, so end only when the connection does",
         "FINISH の後も続けてください。1 セットのゲームは 1 つの接続で続くので、接続が"
         "終わるまで終了しないでください"},
    [ADVICE_EXTRA] = {"answer each request with exactly one line, and write nothing else into the "
                      "connection",
                      "各リクエストにちょうど 1 行で答え、それ以外は接続に書かないでください"},
    [ADVICE_MALFORMED] =
        {"answer VOTE, DIVINE, GUARD and ATTACK with one line {\"agentIdx\":N}, "
         "and keep every line below 64 KiB",
         "VOTE, DIVINE, GUARD, ATTACK には {\"agentIdx\":N} の 1 行で答え、どの行も "
         "64 KiB 未満にしてください"},
    [ADVICE_ILLEGAL] = {"choose targets among the living of statusMap at each request, and don't "
                        "take over whom others name",
                        "対象はリクエストごとに statusMap の生存者から選び、他人の発言した対象を"
                        "そのまま使わないでください"},
    [ADVICE_SENTENCE] = {"say only sentences of the protocol language; 'warg lang check' says what "
                         "is wrong with one",
                         "プロトコル言語の文だけを発言してください。文の誤りは 'warg lang check' で"
                         "分かります"},
    [ADVICE_CUT] = {"this was not played to its end: mend what the other steps say first",
                    "最後まで実施できませんでした。まず他の項目の指摘を直してください"},
    [ADVICE_LATE] = {"answer every request within the limit: compute less for one answer, load "
                     "and compile before the first game",
                     "どのリクエストにも制限時間内に答えてください。1 回の計算を減らし、読み込みや"
                     "コンパイルは最初のゲームの前に済ませてください"},
    [ADVICE_PROCESS] = {"start no other process; where a script starts the program, let it use "
                        "exec",
                        "他のプロセスを起動しないでください。スクリプトから起動する場合は exec を"
                        "使ってください"},
    [ADVICE_NETWORK] = {"open no connection but that to the game",
                        "ゲーム以外への接続を開かないでください"},
    [ADVICE_WRITE] = {"write no files: keep what you need in memory, and print to standard error",
                      "ファイルに書き込まないでください。必要なものはメモリに置き、表示は標準エラー"
                      "出力にしてください"},
    [ADVICE_THREAD] =
        {"use one thread; numerical libraries do with OMP_NUM_THREADS=1",
         "スレッドは 1 つだけにしてください。数値計算ライブラリは OMP_NUM_THREADS=1 で"
         "そうなります"},
    [ADVICE_ERROR] = {"mend what its stack traces report: an agent that throws errors may be "
                      "eliminated",
                      "スタックトレースの示す誤りを直してください。エラーを出すエージェントは失格に"
                      "なることがあります"},
    [ADVICE_OTHER] = {"don't do what the findings name", "違反として挙げたことをしないでください"},
    [ADVICE_MEMORY] = {"use less memory: keep no past games, and load smaller tables or models",
                       "メモリを減らしてください。過去のゲームを残さず、小さい表やモデルを使って"
                       "ください"},
    [ADVICE_THREADS] = {"start fewer threads", "スレッドを減らしてください"},
    [ADVICE_FILES] = {"close the files that you have read", "読み終えたファイルを閉じてください"},
    [ADVICE_OUTPUT] = {"print less: what is beyond the limit of a set is cut off",
                       "出力を減らしてください。1 セットの上限を超えた分は切り捨てられます"},
};

static const BothWords step_words[CHECK_STEPS] = {
    [CHECK_START] = {"start", "起動"},         [CHECK_NAME] = {"name", "名前"},
    [CHECK_DIALOGUE] = {"dialogue", "対話"},   [CHECK_SET] = {"set", "セット"},
    [CHECK_TIME] = {"time", "時間"},           [CHECK_CONDUCT] = {"conduct", "行動"},
    [CHECK_RESOURCES] = {"resources", "資源"}, [CHECK_REPEAT] = {"repeat", "反復"},
};

static const BothWords verdict_words[CHECK_VERDICTS] = {
    [CHECK_SKIPPED] = {"skipped", "省略"},
    [CHECK_OK] = {"ok", "良"},
    [CHECK_WARN] = {"warning", "注意"},
    [CHECK_FAIL] = {"FAILED", "不可"},
};

static const char *in_language(bool japanese, const BothWords *both)
{
    return japanese ? both->japanese : both->english;
}

void agent_check_say(bool japanese, CheckWord word, const Str *values, Buf *out)
{
    const char *at = in_language(japanese, &words[word]);

    for (; *at; at++) {
        if (at[0] == '{' && at[1] >= '0' && at[1] <= '7' && at[2] == '}') {
            buf_add(out, values[at[1] - '0']);
            at += 2;
        } else {
            buf_add_char(out, *at);
        }
    }
}

const char *agent_check_advice(bool japanese, CheckAdvice advice)
{
    return in_language(japanese, &advices[advice]);
}

const char *agent_check_step_word(bool japanese, CheckStep step)
{
    return in_language(japanese, &step_words[step]);
}

const char *agent_check_verdict_word(bool japanese, CheckVerdict verdict)
{
    return in_language(japanese, &verdict_words[verdict]);
}
