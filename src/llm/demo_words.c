#include "llm/demo_words.h"

/* clang-format off */
static const char *const wordings[2][DEMO_LINES][DEMO_WORDINGS_MAX] = {
    [LLM_ENGLISH] = {
        [DEMO_HELLO] = {
            "Good morning, everyone. Let's talk openly from the start.",
            "Hello all. Nobody knows much yet, so tell me: how do you plan to vote?",
            "Hi. I will watch who pushes for a quick vote today.",
            "Let's begin. I would like to hear from each of you once.",
            "We have little to go on yet. {a}, would you start?",
            "Hello. I trust nobody yet, but I am ready to listen.",
        },
        [DEMO_MOURN] = {
            "So {a} is gone. Who was it that {a} had doubts about?",
            "Losing {a} hurts. Somebody here wanted {a} silenced.",
            "Why {a}, of all people? Let's think about who gains by it.",
            "I am sorry for {a}. The answer must be in what was said yesterday.",
            "The wolves took {a}. Who disagreed with {a} most?",
        },
        [DEMO_EXECUTED] = {
            "We executed {a}. Let's look at who wanted it first.",
            "I am still not sure about {a}. Who voted first?",
            "After {a}, the remaining votes should tell us something.",
            "Was {a} right for us? The ones who led that vote should explain.",
        },
        [DEMO_DEFEND] = {
            "{a}, that is wrong. I am no wolf; what is your reason?",
            "Why me, {a}? You have not named a single thing I did.",
            "I understand the doubt, {a}, but I have nothing to hide.",
            "{a} points at me. That makes me wonder about {a}.",
            "You are making a mistake, {a}. With me gone, the wolves are closer to winning.",
            "Fine, {a}, ask me anything. And then I will ask you the same.",
        },
        [DEMO_ANSWER] = {
            "Good question, {a}. At the moment I look at {b} most closely.",
            "To be honest, {a}, I am unsure. {b} seems odd to me.",
            "{a}, I would rather hear {b} before I decide.",
            "Since you ask, {a}: {b}. It is no more than a feeling.",
        },
        [DEMO_REPLY] = {
            "I hear you, {a}. For me it is {b} so far.",
            "{a}, I see it another way: I look at {b}.",
            "Noted, {a}. Still, I would like {b} to speak up.",
            "That may be so, {a}. My doubts are about {b}.",
        },
        [DEMO_SUSPECT] = {
            "I suspect {a}. It is a feeling, no more.",
            "{a} worries me. Can anybody speak for {a}?",
            "If I had to choose now, it would be {a}.",
            "Something about {a} does not fit. Am I the only one?",
            "I can imagine {a} as a wolf, more than anybody else here.",
            "My vote leans to {a} unless I hear something better.",
        },
        [DEMO_FOLLOW] = {
            "{b} has a point about {a}. I think so too.",
            "I am with {b}: {a} owes us an explanation.",
            "Like {b}, I keep coming back to {a}.",
        },
        [DEMO_FOLLOW_VOTE] = {
            "{b} votes for {a}, and I understand it.",
            "I see {b}'s vote for {a}. I lean the same way.",
            "With {b} I would choose {a} as well.",
        },
        [DEMO_FOUND] = {
            "I am the Seer. I looked at {a}: a werewolf.",
            "I have to come out: I am the Seer, and {a} is a werewolf.",
            "Listen, please. I am the Seer, and I saw that {a} is a werewolf.",
            "No guess this time: I am the Seer, and {a} turned out to be a werewolf.",
        },
        [DEMO_CLEARED] = {
            "Leave {a} alone: I am the Seer, and {a} is human.",
            "I am the Seer, and I can tell you that {a} is human.",
            "Before this goes wrong: I am the Seer. I looked at {a}, and {a} is human.",
        },
        [DEMO_QUESTION] = {
            "{a}, whom do you suspect, and why?",
            "{a}, what do you make of all this?",
            "What would change your mind, {a}?",
            "{a}, who do you believe is honest?",
            "May I ask you directly, {a}: how will you vote?",
        },
        [DEMO_DOUBT] = {
            "{b}, you accuse {a}, but on what grounds?",
            "Not so fast, {b}. I am not convinced about {a}.",
            "Is it really {a}, {b}? I would look elsewhere as well.",
        },
        [DEMO_URGE] = {
            "There is not much time left. Please vote, everyone.",
            "We must decide soon. I am for {a}.",
            "If we scatter our votes, the wolves win. {a}, then?",
        },
        [DEMO_WOLVES] = {
            "I propose {a}. The village would miss {a}.",
            "Let's take {a} tonight.",
            "{a} could come close to the truth. Agreed?",
            "Tonight {a}. Tomorrow we are as surprised as the others.",
        },
        [DEMO_WOLVES_TOO] = {
            "{a} it is. I am with you, {b}.",
            "Agreed, {b}: {a}.",
            "Good choice, {b}. I vote for {a} too.",
        },
        [DEMO_REASON] = {
            "{a} is the one I trust least",
            "I have no better lead than {a}",
            "{a} seems odd to me",
        },
        [DEMO_REASON_VOTES] = {
            "the votes point to {a}",
            "others doubt {a} as well",
        },
        [DEMO_REASON_NIGHT] = {"{a} would be missed by the village", "{a} is dangerous to us"},
    },
    [LLM_JAPANESE] = {
        [DEMO_HELLO] = {
            "おはようございます。最初から率直に話していきましょう。",
            "皆さん、よろしくお願いします。まだ手がかりがないので、まずは意見を聞かせてください。",
            "こんにちは。今日は、投票を急がせる人がいないか注目したいと思います。",
            "では始めましょう。全員に一度は発言してほしいです。",
            "まだ情報が少ないですね。{a}さんから話してもらえますか？",
            "よろしくお願いします。まだ誰も信用していませんが、話はちゃんと聞きます。",
        },
        [DEMO_MOURN] = {
            "{a}さんが襲われましたか……。{a}さんは誰を疑っていたでしょうか。",
            "{a}さんを失ったのは痛いですね。口を封じたかった人がこの中にいるはずです。",
            "なぜ{a}さんだったのでしょう。誰が得をするのか考えましょう。",
            "{a}さん、残念です。昨日の発言に手がかりがあると思います。",
            "人狼は{a}さんを狙いました。{a}さんと意見が対立していたのは誰でしたか？",
        },
        [DEMO_EXECUTED] = {
            "{a}さんを処刑しましたが、最初に言い出したのは誰でしたか？",
            "{a}さんの処刑が正しかったのか、まだ自信がありません。最初に投票したのは誰でしたか？",
            "{a}さんへの票の流れから、何か見えてくると思います。",
            "{a}さんで良かったのでしょうか。投票を主導した人に説明してほしいです。",
        },
        [DEMO_DEFEND] = {
            "{a}さん、それは誤解です。私は人狼ではありません。根拠は何ですか？",
            "どうして私なんですか、{a}さん。具体的な理由を聞いていません。",
            "疑うのはわかりますが、{a}さん、私には隠すことは何もありません。",
            "{a}さんは私を疑うのですね。かえって{a}さんが気になります。",
            "{a}さん、それは間違いです。私がいなくなれば人狼が有利になるだけです。",
            "いいですよ、{a}さん、何でも聞いてください。そのあと同じことを聞き返します。",
        },
        [DEMO_ANSWER] = {
            "いい質問ですね、{a}さん。今いちばん気になっているのは{b}さんです。",
            "正直なところ、{a}さん、まだ迷っています。{b}さんに違和感があります。",
            "{a}さん、決める前に{b}さんの話を聞いてみたいです。",
            "聞かれたので答えますが、{a}さん、私は{b}さんが気になっています。ただの勘です。",
        },
        [DEMO_REPLY] = {
            "なるほど、{a}さん。私は今のところ{b}さんが気になっています。",
            "{a}さん、私の見方は少し違って、{b}さんを見ています。",
            "わかりました、{a}さん。それでも{b}さんの話を聞きたいです。",
            "{a}さんの言うとおりかもしれません。ただ、私が疑うのは{b}さんです。",
        },
        [DEMO_SUSPECT] = {
            "私は{a}さんが怪しいと思います。勘でしかありませんが。",
            "{a}さんが気になります。どなたか{a}さんを信じる理由はありますか？",
            "今選ぶなら{a}さんです。",
            "{a}さんにはどこか違和感があります。そう感じるのは私だけでしょうか。",
            "この中で人狼を一人選ぶなら、{a}さんだと思います。",
            "ほかに良い案がなければ、{a}さんに投票するつもりです。",
        },
        [DEMO_FOLLOW] = {
            "{a}さんについては{b}さんの言うとおりだと思います。",
            "{b}さんに賛成です。{a}さんには説明してもらいたいです。",
            "{b}さんと同じく、私も{a}さんが引っかかっています。",
        },
        [DEMO_FOLLOW_VOTE] = {
            "{b}さんは{a}さんに投票しましたね。その気持ちはわかります。",
            "{b}さんの{a}さんへの一票、私も同じ方向で考えています。",
            "{b}さんと同じく、私も{a}さんを選びます。",
        },
        [DEMO_FOUND] = {
            "私は占い師です。{a}さんを占った結果、人狼でした。",
            "名乗り出ます。私が占い師で、{a}さんは人狼です。",
            "聞いてください。占い師の私が見た{a}さんは人狼でした。",
            "これは勘ではありません。私は占い師で、{a}さんが人狼だとわかりました。",
        },
        [DEMO_CLEARED] = {
            "{a}さんではありません。私は占い師で、{a}さんは人間でした。",
            "占い師の私が言います。{a}さんは人間です。",
            "間違いになる前に言います。私は占い師で、{a}さんを占ったら人間でした。",
        },
        [DEMO_QUESTION] = {
            "{a}さんは誰を疑っていますか？理由も聞かせてください。",
            "{a}さん、ここまでの話をどう見ていますか？",
            "{a}さん、どんな情報があれば考えが変わりますか？",
            "{a}さんが信用できると思う人は誰ですか？",
            "{a}さん、率直に聞きます。誰に投票する予定ですか？",
        },
        [DEMO_DOUBT] = {
            "{b}さん、{a}さんを疑う根拠は何ですか？",
            "{b}さん、少し待ってください。{a}さんだとは、まだ納得できません。",
            "本当に{a}さんでしょうか、{b}さん。ほかの人も見たほうがいいと思います。",
        },
        [DEMO_URGE] = {
            "残り時間が少ないです。皆さん、投票をお願いします。",
            "そろそろ決めましょう。私は{a}さんを推します。",
            "票が割れると人狼の思うつぼです。{a}さんでどうでしょうか。",
        },
        [DEMO_WOLVES] = {
            "今夜は{a}を襲おう。いなくなれば村は困るはずだ。",
            "{a}でどうだろう。",
            "{a}は真相に近づくかもしれない。今夜のうちに片付けよう。",
            "今夜は{a}にしよう。明日は村人と一緒に驚いて見せればいい。",
        },
        [DEMO_WOLVES_TOO] = {
            "{b}に賛成。{a}にしよう。",
            "了解、{b}。今夜は{a}だ。",
            "{a}でいいと思う。{b}に合わせるよ。",
        },
        [DEMO_REASON] = {
            "{a}さんをいちばん信じられない",
            "{a}さんのほかに手がかりがない",
            "{a}さんに違和感がある",
        },
        [DEMO_REASON_VOTES] = {
            "{a}さんに票が集まっている",
            "ほかの人も{a}さんを疑っている",
        },
        [DEMO_REASON_NIGHT] = {"{a}がいなくなれば村は困る", "{a}は人狼にとって危険だ"},
    },
};

static const char *const sentences[DEMO_LINES][4] = {
    [DEMO_DEFEND] = {"ESTIMATE {a} WEREWOLF", "NOT (ESTIMATE {me} WEREWOLF)",
                     "BECAUSE ({a} ESTIMATE {me} WEREWOLF) (ESTIMATE {a} WEREWOLF)"},
    [DEMO_ANSWER] = {"ESTIMATE {b} WEREWOLF", "INQUIRE {b} (VOTE ANY)"},
    [DEMO_REPLY] = {"ESTIMATE {b} WEREWOLF", "VOTE {b}"},
    [DEMO_SUSPECT] = {"ESTIMATE {a} WEREWOLF", "VOTE {a}", "REQUEST ANY (VOTE {a})"},
    [DEMO_FOLLOW] = {"VOTE {a}", "ESTIMATE {a} WEREWOLF"},
    [DEMO_FOLLOW_VOTE] = {"VOTE {a}", "BECAUSE ({b} VOTE {a}) (VOTE {a})"},
    [DEMO_FOUND] = {"AND (COMINGOUT {me} SEER) (DIVINED {a} WEREWOLF)", "DIVINED {a} WEREWOLF"},
    [DEMO_CLEARED] = {"AND (COMINGOUT {me} SEER) (DIVINED {a} HUMAN)", "DIVINED {a} HUMAN"},
    [DEMO_QUESTION] = {"INQUIRE {a} (VOTE ANY)", "INQUIRE {a} (ESTIMATE ANY WEREWOLF)",
                       "REQUEST {a} (COMINGOUT {a} ANY)"},
    [DEMO_DOUBT] = {"INQUIRE {b} (ESTIMATE {a} WEREWOLF)", "NOT (ESTIMATE {a} WEREWOLF)"},
    [DEMO_URGE] = {"VOTE {a}", "REQUEST ANY (VOTE {a})"},
    [DEMO_WOLVES] = {"ATTACK {a}", "REQUEST ANY (ATTACK {a})"},
    [DEMO_WOLVES_TOO] = {"ATTACK {a}", "BECAUSE ({b} ATTACK {a}) (ATTACK {a})"},
};
/* clang-format on */

const char *demo_wording(LlmLanguage language, DemoLine line, uint32_t index)
{
    return index < DEMO_WORDINGS_MAX ? wordings[language == LLM_JAPANESE][line][index] : NULL;
}

const char *demo_sentence(DemoLine line, uint32_t index)
{
    return index < 4 ? sentences[line][index] : NULL;
}

const char *const *demo_accusing(void)
{
    static const char *const words[] = {
        "suspect",    "accuse", "wolf",        "guilty",       "lying",      "liar",
        "suspicious", "vote",   "odd",         "doubts about", "worries me", "look at",
        "speak up",   "it is",  "it would be", "does not fit", "人狼",       "怪しい",
        "疑",         "投票",   "嘘",          "黒",           "処刑",       "違和感",
        "引っかか",   "気にな", "見ています",  "ESTIMATE",     "VOTE",       NULL,
    };

    return words;
}
