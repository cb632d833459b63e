#include "person/maw_words.h"

static const char *const words[MAW_WORD_COUNT][PERSON_LANGUAGES] = {
    [MAW_SAY_JOINED] = {"You are in the lobby as {0}.", "{0} としてロビーに入りました。"},
    [MAW_SAY_LOBBY] = {"In the lobby: {0}", "ロビー: {0}"},
    [MAW_SAY_ALONE] = {"Nobody else is in the lobby yet.", "ほかの参加者はまだいません。"},
    [MAW_SAY_SEATS] = {"{0} of {1} seats are taken.", "{0}/{1}人が集まりました。"},
    [MAW_SAY_HAVE_JOINED] = {"{0} have joined: {1} of {2}.", "{0} が参加しました ({1}/{2}人)。"},
    [MAW_SAY_ROUND] = {"Round {0} begins: {1} players, {2} of them werewolves. /role shows your "
                       "role.",
                       "ラウンド {0} が始まります。{1}人、うち人狼は{2}人。/role "
                       "で自分の役職を表示します。"},
    [MAW_SAY_ROUND_ONLY] = {"Round {0} begins: {1} players, {2} of them werewolves.",
                            "ラウンド {0} が始まります。{1}人、うち人狼は{2}人。"},
    [MAW_ROUND_OF] = {"{0} of {1}", "{0}/{1}"},
    [MAW_SAY_DAY] = {"Day {0}. {1}", "{0}日目の昼です。{1}"},
    [MAW_SAY_NIGHT] = {"Night {0}. {1}", "{0}日目の夜です。{1}"},
    [MAW_HINT_DAY] =
        {"All who live talk in the village. /vote NAME: who is to be executed; you may "
         "change it. {0} votes execute at once.",
         "生きている全員が村で話します。/vote 名前 で処刑する人に投票します (変更できます)。"
         "{0}票で即処刑です。"},
    [MAW_NEEDED] = {"{0} votes execute", "{0}票で処刑"},
    [MAW_HINT_NIGHT_WOLF] =
        {"The werewolves talk in the hideout. /vote NAME: all of you must choose the same "
         "villager.",
         "人狼はアジトで話します。/vote 名前 で全員一致の襲撃先を決めます。"},
    [MAW_HINT_ASLEEP] = {"You are asleep.", "あなたは眠っています。"},
    [MAW_SAY_EXECUTED] = {"{0} was executed.", "{0} が処刑されました。"},
    [MAW_SAY_MURDERED] = {"{0} was murdered.", "{0} が殺されました。"},
    [MAW_SAY_LEFT] = {"{0} has left.", "{0} が去りました。"},
    [MAW_SAY_NOBODY] = {"Nobody died.", "誰も死にませんでした。"},
    [MAW_SAY_TIE] = {"A tie: nobody died.", "同数のため、誰も死にませんでした。"},
    [MAW_SAY_I_DIED] = {"You are dead ({0}): until the round ends you only watch.",
                        "あなたは死にました ({0})。ラウンドの終わりまで観戦します。"},
    [MAW_SAY_ROLE_WAS] = {"{0} was a {1}.", "{0} の役職は {1} でした。"},
    [MAW_SAY_WON] = {"Round {1} is over: {0} have won.", "ラウンド {1} 終了。{0}の勝ちです。"},
    [MAW_SAY_NO_WINNER] = {"Round {0} is over: nobody has won.",
                           "ラウンド {0} 終了。勝者はありません。"},
    [MAW_SAY_ROLES] = {"Roles: {0}", "役職: {0}"},
    [MAW_SAY_SCORES] = {"Points: {0}", "得点: {0}"},
    [MAW_SAY_WHISPER] = {"[whisper] {0}: {1}", "[囁き] {0}: {1}"},
    [MAW_SAY_ROLE_ANSWER] = {"{0} is: {1}.", "{0} の役職: {1}"},
    [MAW_SAY_REFUSED] = {"Refused: {0}", "受け付けられませんでした: {0}"},
    [MAW_SAY_ABSENT] = {"The game master is away; it is asked again.",
                        "ゲームマスターがいません。繰り返し呼びかけます。"},
    [MAW_SAY_LINK_LOST] = {"The connection is lost; it is tried again until it is back.",
                           "接続が切れました。つながるまで再接続を試みます。"},
    [MAW_SAY_LINK_BACK] = {"Connected again.", "再び接続しました。"},
    [MAW_SAY_OVER] = {"The session is over. {0}", "セッション終了。{0}"},
    [MAW_SAY_OUT] = {"You have no seat. {0}", "席がありません。{0}"},
    [MAW_SAY_I_LEFT] = {"You have left.", "ゲームから抜けました。"},
    [MAW_ROOM_MARK] = {"[{0}] ", "[{0}] "},
    [MAW_ROOM_VILLAGE] = {"Village", "村"},
    [MAW_ROOM_HIDEOUT] = {"Hideout", "アジト"},
    [MAW_ROOM_LOBBY] = {"Lobby", "ロビー"},
    [MAW_ROOM_GRAVEYARD] = {"Graveyard", "墓場"},
    [MAW_CAUSE_EXECUTED] = {"executed", "処刑"},
    [MAW_CAUSE_MURDERED] = {"murdered", "襲撃"},
    [MAW_CAUSE_LEFT] = {"left", "退出"},
    [MAW_TEAM_VILLAGERS] = {"the villagers", "村人"},
    [MAW_TEAM_WEREWOLVES] = {"the werewolves", "人狼"},
    [MAW_ROLE_IS] = {"Your role: {0}.", "あなたの役職: {0}"},
    [MAW_MATES_ARE] = {"With you: {0}.", "仲間: {0}"},
    [MAW_ROLE_UNKNOWN] = {"You have no role yet.", "役職はまだありません。"},
    [MAW_ROLE_HIDDEN] = {"Your role is no longer in the status line. /role show puts it there.",
                         "役職を状態行から隠しました。/role show で戻します。"},
    [MAW_ROLE_SHOWN] = {"Your role is in the status line. /role hide takes it away.",
                        "役職を状態行に出しました。/role hide で隠します。"},
    [MAW_WHO_LINE] = {"{0}: {1}{2}", "{0}: {1}{2}"},
    [MAW_ALIVE] = {"alive", "生存"},
    [MAW_DEAD] = {"dead", "死亡"},
    [MAW_YOU] = {", you", "、あなた"},
    [MAW_ME] = {"you", "あなた"},
    [MAW_NO_VOTES] = {"No votes are known.", "投票はまだありません。"},
    [MAW_MY_VOTE] = {"Your vote: {0}.", "あなたの票: {0}"},
    [MAW_MY_VOTE_NONE] = {"You have not voted.", "まだ投票していません。"},
    [MAW_VOTE_SENT] = {"You vote for {0}.", "{0} に投票します。"},
    [MAW_VOTE_TAKEN_BACK] = {"You take your vote back.", "投票を取り消します。"},
    [MAW_WHISPER_SENT] = {"[whisper to {0}] {1}", "[{0} への囁き] {1}"},
    [MAW_TIME_LEFT] = {"Until the phase ends: {0} s.", "フェーズの残り: {0} 秒"},
    [MAW_TIME_NONE] = {"No phase with an end is going on.",
                       "時間の決まったフェーズではありません。"},
    [MAW_TOLD_CLOSED] = {"Not sent: no room is open for you now.",
                         "送信していません。いま話せる部屋がありません。"},
    [MAW_TOLD_NO_LINK] = {"Not sent: the connection is lost.",
                          "送信していません。接続が切れています。"},
    [MAW_TOLD_PAUSED] = {"Not sent: the game waits until the operator lets it go on.",
                         "送信していません。ゲームは一時停止中です。"},
    [MAW_TOLD_DEAD] = {"Not sent: you are dead and watch until the round ends.",
                       "送信していません。死亡しているので、ラウンドの終わりまで観戦だけです。"},
    [MAW_TOLD_OVER] = {"Not sent: the session is over. /quit leaves.",
                       "送信していません。セッションは終わりました。/quit で終わります。"},
    [MAW_TOLD_ASLEEP] = {"Not sent: you are asleep until the day begins.",
                         "送信していません。朝まで眠っています。"},
    [MAW_TOLD_NO_ROUND] = {"Not sent: no round has begun.",
                           "送信していません。ラウンドが始まっていません。"},
    [MAW_TOLD_TOO_LONG] = {"Not sent: {0} characters, {1} are allowed.",
                           "送信していません。{0}文字です ({1}文字まで)。"},
    [MAW_TOLD_BAD_NAME] = {"'{0}' is not the name of one of them: {1}",
                           "'{0}' にあたる人が1人に決まりません。候補: {1}"},
    [MAW_TOLD_BAD_VOTE] =
        {"'{0}' is not the name of one of them: {1}. /vote none takes a vote back.",
         "'{0}' にあたる人が1人に決まりません。候補: {1}。/vote none で取り消し。"},
    [MAW_TOLD_NO_SEER] = {"Only the Seer may ask.", "質問できるのは占い師だけです。"},
    [MAW_TOLD_NO_WOLF] = {"Not sent: only the werewolves have a hideout.",
                          "送信していません。アジトがあるのは人狼だけです。"},
    [MAW_TOLD_MOVED] = {"Not sent: day or night has begun meanwhile, and others would hear it. Say "
                        "it again if you "
                        "want to.",
                        "送信していません。入力中に昼夜が変わり、聞く人が変わりました。よければもう"
                        "一度送ってください。"},
    [MAW_TOLD_NO_HIDEOUT] = {"Not sent: the hideout is closed by day.",
                             "送信していません。昼はアジトが閉じています。"},
    [MAW_TOLD_NO_NAME] = {"{0} needs a name: {1}", "{0} には名前が要ります: {1}"},
    [MAW_TOLD_NOT_NOW] = {"{0} is not possible now.", "{0} はいまできません。"},
    [MAW_TOLD_UNKNOWN] = {"There is no command {0}.{1} /help lists them.",
                          "{0} というコマンドはありません。{1} /help で一覧。"},
    [MAW_TOLD_TOO_MANY] = {"Too many lines wait for their turn; this one was left out.",
                           "待っている行が多すぎます。この行は捨てました。"},
    [MAW_STATUS_JOIN] = {"Joining", "参加中"},
    [MAW_STATUS_LOBBY] = {"Lobby | waiting for a round", "ロビー | 開始待ち"},
    [MAW_STATUS_DAY] = {"Day {0}{2} | you speak to the village{1}",
                        "{0}日目 昼{2} | 村で発言できます{1}"},
    [MAW_STATUS_NIGHT] = {"Night {0}{2} | only werewolves hear you{1}",
                          "{0}日目 夜{2} | 人狼だけに話します{1}"},
    [MAW_STATUS_VOTE] = {" | {0}", " | {0}"},
    [MAW_STATUS_ASLEEP] = {"Night {0}{2} | you are asleep", "{0}日目 夜{2} | 眠っています"},
    [MAW_STATUS_DEAD] = {"Day {0} | you are dead and watch; /quit leaves",
                         "{0}日目 昼 | 死亡、観戦中 (/quit で終了)"},
    [MAW_STATUS_DEAD_NIGHT] = {"Night {0} | you are dead and watch; /quit leaves",
                               "{0}日目 夜 | 死亡、観戦中 (/quit で終了)"},
    [MAW_STATUS_GRAVEYARD] = {"Day {0} | you are dead and speak to the dead; /quit leaves",
                              "{0}日目 昼 | 死亡、墓場で死者と話せます (/quit で終了)"},
    [MAW_STATUS_GRAVEYARD_NIGHT] = {"Night {0} | you are dead and speak to the dead; /quit leaves",
                                    "{0}日目 夜 | 死亡、墓場で死者と話せます (/quit で終了)"},
    [MAW_STATUS_OVER] = {"The session is over | /quit leaves",
                         "セッション終了 | /quit で終わります"},
    [MAW_STATUS_OUT] = {"No seat | /quit leaves", "席なし | /quit で終わります"},
    [MAW_LEAVE_QUESTION] =
        {"Leave the game? Ctrl-C again leaves; any other key goes on.",
         "ゲームから抜けますか。もう一度 Ctrl-C で抜けます。ほかのキーで続けます。"},
    [MAW_HELP] =
        {"What you type is said in the open room. Commands:\n"
         "  /vote NAME    your vote; /vote none takes it back\n"
         "  /votes        who has votes, and from whom\n"
         "  /who  /role   the players, your role; /role hide keeps it off the screen\n"
         "  /time /score  until the phase ends, points\n"
         "  /wolves TEXT  to the werewolves, by night\n"
         "  /whisper NAME TEXT  to one player, where allowed\n"
         "  /ask NAME     the Seer's question, once a day\n"
         "  /quit         leave\n"
         "By day everybody who lives speaks and votes; more than half of the votes execute "
         "at once, else the most at the end of the day. By night the werewolves choose a "
         "villager, all the same one. Villagers win when no werewolf lives, werewolves when "
         "no villager does.",
         "入力した行が、開いている部屋での発言になります。\n"
         "  /vote 名前    投票。/vote none で取り消し\n"
         "  /votes        票の内訳\n"
         "  /who  /role   参加者、自分の役職。/role hide で画面から隠す\n"
         "  /time /score  残り時間、得点\n"
         "  /wolves 文    夜、人狼だけに話す\n"
         "  /whisper 名前 文  1人だけに囁く (許されていれば)\n"
         "  /ask 名前     占い師の質問 (1日1回)\n"
         "  /quit         抜ける\n"
         "昼は生きている全員が話し、投票します。過半数ですぐ処刑、そうでなければ時間切れの"
         "最多得票者です。夜は人狼が全員一致で村人を1人選びます。人狼が全滅すれば村人の、"
         "村人が全滅すれば人狼の勝ちです。"},
    [MAW_CHAT_HELLO] = {"This is a game of Werewolf. /join NAME takes a seat, /help says how it is "
                        "played.",
                        "ここは人狼ゲームの卓です。/join 名前 で席に着きます。/help で遊び方。"},
    [MAW_ASKED_WAITS] = {"Waiting for the player to ask.", "プレイヤーからの問いを待っています。"},
    [MAW_ASKED_NAME] = {"The player asks for its name: type one word.",
                        "プレイヤーの名前を聞かれています。一語で入力してください。"},
    [MAW_ASKED_ACT] = {"The player asks what to do: type what it says, /vote NAME, or /listen.",
                       "プレイヤーの行動を聞かれています。発言か、/vote 名前、/listen を入力。"},
    [MAW_ASKED_HELP] = {"Type what the player says, /vote NAME (or none), or /listen.",
                        "発言か、/vote 名前(なしは none)、/listen を入力してください。"},
};

const char *maw_word(MawWord word, PersonLanguage language)
{
    return words[word][language];
}

Str maw_said(Str code, Str text, PersonLanguage language)
{
    /* A code of docs/spec/maw.md section 4, or a whole text. */
    static const struct {
        const char *english;
        const char *japanese;
    } known[] = {
        {"asleep", "夜です。あなたは眠っています。朝までお待ちください。"},
        {"bad-name", "その名前は使えません。"},
        {"bad-target", "その名前の人は選べません。"},
        {"closed", "その部屋は閉じています。次のフェーズまでお待ちください。"},
        {"dead", "あなたは死んでいます。ラウンドの終わりまで観戦だけです。"},
        {"dead-target", "その人はもう死んでいます。"},
        {"empty", "読める文字がありません。"},
        {"full", "満席です。"},
        {"name-taken", "その名前はもう使われています。別の名前を選んでください。"},
        {"no-phase", "いまは投票の時間ではありません。"},
        {"no-round-yet", "まだ終わったラウンドがありません。得点は最初のラウンドの後です。"},
        {"not-authorised", "この卓では許されていません。"},
        {"not-member", "あなたはその部屋に入れません。"},
        {"no-answer", "ゲームマスターの応答がありません。"},
        {"rate-limited", "速すぎます。少し待ってください。"},
        {"replaced",
         "同じアカウントの別のクライアントが席に着きました。参加し直すと取り戻せます。"},
        {"running", "ラウンドの途中です。終わってから参加できます。"},
        {"too-long", "長すぎます。短くしてください。"},
        {"self-target", "自分は選べません。"},
        {"used-up", "今日はもう質問しました。1日1回です。"},
        {"wrong-team", "その人は仲間の人狼です。"},
        {"All rounds have been played.", "すべてのラウンドが終わりました。"},
    };

    for (size_t i = 0; language == PERSON_JAPANESE && i < sizeof(known) / sizeof(known[0]); i++)
        if (str_eq(str_of(known[i].english), code.len ? code : text))
            return str_of(known[i].japanese);
    return text.len ? text : code;
}
