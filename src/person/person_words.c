#include "person/person_words.h"

static const char *const words[PERSON_WORD_COUNT][PERSON_LANGUAGES] = {
    [SAY_GAME] = {"A game of {1} begins. You are {0}.",
                  "{1}人のゲームが始まります。あなたは {0} です。"},
    [SAY_ROLE] = {"Your role: {0}.", "あなたの役職: {0}"},
    [SAY_MATES] = {"With you: {0}.", "仲間: {0}"},
    [SAY_SHORT_LIMIT] = {"This server allows only {0} ms for an answer: hardly time to type one.",
                         "このサーバの制限時間は {0} ms しかありません。"},
    [SAY_DAY] = {"Day {0}.", "{0}日目です。"},
    [SAY_EXECUTED] = {"{0} was executed.", "{0} が追放されました。"},
    [SAY_NOT_EXECUTED] = {"Nobody was executed.", "誰も追放されませんでした。"},
    [SAY_KILLED] = {"{0} was found dead in the morning.", "朝、{0} が無残な姿で発見されました。"},
    [SAY_PEACE] = {"Nobody died in the night.", "昨夜は誰も犠牲になりませんでした。"},
    [SAY_GONE] = {"{0} is dead.", "{0} は死亡しました。"},
    [SAY_I_DIED] = {"You are dead: from now on you only watch.",
                    "あなたは死亡しました。ここからは観戦です。"},
    [SAY_VOTES] = {"Votes: {0}", "投票: {0}"},
    [SAY_ATTACK_VOTES] = {"Votes of the werewolves: {0}", "襲撃投票: {0}"},
    [SAY_DIVINED] = {"Your divination: {0} is {1}.", "占い結果: {0} は{1}です。"},
    [SAY_IDENTIFIED] = {"The executed {0} was {1}.", "霊媒結果: {0} は{1}でした。"},
    [SAY_GUARDED] = {"You guarded {0} last night.", "昨夜は {0} を護衛しました。"},
    [SAY_ATTACKED] = {"The werewolves attacked {0}.", "{0} を襲撃しました。"},
    [SAY_WON] = {"The game is over. {0} won.", "ゲーム終了。{0}の勝利です。"},
    [SAY_DRAW] = {"The game is over. Nobody won.", "ゲーム終了。勝者はありません。"},
    [SAY_ROLES] = {"Roles: {0}", "役職: {0}"},
    [SAY_MY_END_WON] = {"You have won.", "あなたの勝ちです。"},
    [SAY_MY_END_LOST] = {"You have lost.", "あなたの負けです。"},
    [SAY_WHISPER_MARK] = {"[whisper] ", "[囁き] "},
    [ASK_STATUS] = {"Day {0} | your turn: {1}", "{0}日目 | あなたの番: {1}"},
    [WAIT_STATUS] = {"Day {0} | others are at it", "{0}日目 | ほかの人を待っています"},
    [LOBBY_STATUS] = {"Waiting for the game", "ゲームの開始を待っています"},
    [SAY_STILL_WAITING] = {"No game yet: the server waits for more players. Where it has "
                           "matching.self_match: true, a team plays only itself; friends then "
                           "join with the same --team.",
                           "まだ始まりません。サーバは参加者を待っています。"
                           "matching.self_match: true のサーバでは同じチームどうしだけが対戦します"
                           "。友人とは同じ --team で参加してください。"},
    [OVER_STATUS] = {"The game is over | /quit leaves", "ゲーム終了 | /quit で終わります"},
    [NAME_OF_ASK] = {"a role", "役職"},
    [NAME_OF_TALK] = {"talk", "会話"},
    [NAME_OF_WHISPER] = {"whisper to the werewolves", "人狼の囁き"},
    [NAME_OF_VOTE] = {"vote", "投票"},
    [NAME_OF_DIVINE] = {"divine", "占い"},
    [NAME_OF_GUARD] = {"guard", "護衛"},
    [NAME_OF_ATTACK] = {"attack", "襲撃"},
    [TURN_VOTE] = {"Whom do you want executed? /vote NAME: {0}",
                   "誰に投票しますか。/vote 名前: {0}"},
    [TURN_DIVINE] = {"Whom do you divine? /divine NAME: {0}", "誰を占いますか。/divine 名前: {0}"},
    [TURN_GUARD] = {"Whom do you guard? /guard NAME: {0}", "誰を護衛しますか。/guard 名前: {0}"},
    [TURN_ATTACK] = {"Whom do you attack? /attack NAME: {0}",
                     "誰を襲撃しますか。/attack 名前: {0}"},
    [TOLD_LATE] = {"The time is over: no answer was given ({0}).",
                   "時間切れです。答えませんでした ({0})。"},
    [TOLD_NOT_ASKED] = {"You are not asked for this now: {0}.", "いまは求められていません: {0}"},
    [TOLD_NOT_NOW] = {"It is not your turn to speak; this was not sent.",
                      "あなたの番ではありません。送信していません。"},
    [TOLD_BAD_NAME] = {"No one player is called '{0}'. There are: {1}",
                       "'{0}' にあたる人が1人に決まりません。候補: {1}"},
    [TOLD_BAD_TARGET] = {"{0} can't be chosen. You may choose: {1}",
                         "{0} は選べません。選べるのは: {1}"},
    [TOLD_NO_SENTENCE] = {"Not sent. This is no sentence of the protocol language: column {0}: "
                          "{1}. Examples: VOTE Agent[01], ESTIMATE Agent[02] WEREWOLF, REQUEST ANY "
                          "(VOTE Agent[01])",
                          "送信していません。プロトコル言語の文ではありません。{0}バイト目: {1}。"
                          "例: VOTE Agent[01]、ESTIMATE Agent[02] WEREWOLF"},
    [TOLD_UNKNOWN] = {"There is no command {0}.{1} /help lists them.",
                      "{0} というコマンドはありません。{1} /help で一覧。"},
    [TOLD_TOO_MANY] = {"Too many lines wait for their turn; this one was left out.",
                       "待っている行が多すぎます。この行は捨てました。"},
    [TOLD_NO_GAME] = {"No game has begun yet.", "まだゲームが始まっていません。"},
    [TOLD_SENT] = {"Your answer ({0}): {1}", "回答 ({0}): {1}"},
    [LIST_WHO] = {"{0}: {1}{2}", "{0}: {1}{2}"},
    [WORD_ALIVE] = {"alive", "生存"},
    [WORD_DEAD] = {"dead", "死亡"},
    [WORD_YOU] = {", you", "、あなた"},
    [NO_VOTES] = {"No votes are known.", "投票はまだ分かりません。"},
    [TIME_LEFT] = {"Time left for your answer: {0} s.", "残り時間: {0} 秒"},
    [TIME_NONE] = {"No answer with a time limit is awaited.", "制限時間のある要求はありません。"},
    [SCORE_LINE] = {"Games: {0}, won: {1}.", "ゲーム数: {0}、勝ち: {1}"},
    [LEAVE_QUESTION] = {"Leave the game? Ctrl-C again leaves; any other key goes on.",
                        "ゲームから抜けますか。もう一度 Ctrl-C で抜けます。ほかのキーで続けます。"},
    [HELP] = {"What you type is said when it is your turn. Commands:\n"
              "  /vote NAME  /divine NAME  /guard NAME  /attack NAME   the answer when you are "
              "asked; a name alone will do\n"
              "  /skip  nothing to say now    /over  nothing more today\n"
              "  /whisper TEXT  to the werewolves only, by night\n"
              "  /who  players    /role  your role    /votes  the last votes\n"
              "  /time  how long you have    /score  games won    /quit  leave\n"
              "Who gives no answer in time says Skip, or leaves the choice to the server.",
              "自分の番に入力した行が発言になります。コマンド:\n"
              "  /vote 名前  /divine 名前  /guard 名前  /attack 名前   "
              "求められたときの答え。名前だけでも可\n"
              "  /skip  今回は話さない    /over  今日はもう話さない\n"
              "  /whisper 文  人狼だけに囁く (夜)\n"
              "  /who  参加者    /role  自分の役職    /votes  直近の投票\n"
              "  /time  残り時間    /score  勝敗    /quit  抜ける\n"
              "時間内に答えなければ、発言は Skip、対象はサーバの決定になります。"},
    [HELP_PROTOCOL] =
        {"In this division you speak the protocol language: COMINGOUT Agent[01] SEER, "
         "DIVINED Agent[02] WEREWOLF, VOTE Agent[03]; see warg lang --help.",
         "この部門ではプロトコル言語で話します: COMINGOUT Agent[01] SEER、"
         "DIVINED Agent[02] WEREWOLF、VOTE Agent[03]"},
    [HELP_NLP] = {"In this division you speak as you like; @NAME in front speaks to somebody.",
                  "この部門では自由に話します。先頭の @名前 で相手を指せます。"},
};

const char *person_word(PersonWord word, PersonLanguage language)
{
    return words[word][language];
}
