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
            "We executed {a}. Let's look at who was in a hurry to do so.",
            "I am still not sure about {a}. Who voted first?",
            "After {a}, the remaining votes should tell us something.",
            "Was {a} right for us? The ones who led that vote should explain.",
        },
        [DEMO_DEFEND] = {
            "{a}, that is wrong. I am no wolf; what is your reason?",
            "Why me, {a}? You have not named a single thing I did.",
            "I understand the doubt, {a}, but look at my votes: I hide nothing.",
            "{a} is quick to accuse me. That makes me wonder about {a}.",
            "You are making a mistake, {a}. With me gone, the wolves are closer to winning.",
            "Fine, {a}, ask me anything. And then I will ask you the same.",
        },
        [DEMO_ANSWER] = {
            "Good question, {a}. At the moment I look at {b} most closely.",
            "To be honest, {a}, I am unsure. {b} seems odd to me.",
            "{a}, I would rather hear {b} before I decide.",
            "I agree with part of it, {a}. Still, {b} should speak up.",
        },
        [DEMO_SUSPECT] = {
            "I suspect {a}. The story changed a little each time.",
            "{a} worries me: few words, and none of them of use.",
            "If I had to choose now, it would be {a}.",
            "Something about {a} does not fit. Am I the only one?",
            "{a} goes along with everybody. That is what a wolf would do.",
            "My vote leans to {a} unless I hear something better.",
        },
        [DEMO_FOLLOW] = {
            "{b} has a point about {a}. I think so too.",
            "I see why {b} votes for {a}. It is the best lead we have.",
            "I am with {b}: {a} owes us an explanation.",
            "Like {b}, I keep coming back to {a}.",
        },
        [DEMO_QUESTION] = {
            "{a}, whom do you suspect, and why?",
            "{a}, you have been quiet. What do you make of all this?",
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
            "I propose {a}. They listen to {a} too much.",
            "Let's take {a} tonight.",
            "{a} comes too close to the truth. Agreed?",
            "Tonight {a}. Tomorrow we are as surprised as the others.",
        },
        [DEMO_WOLVES_TOO] = {
            "{a} it is. I am with you, {b}.",
            "Agreed, {b}: {a}.",
            "Good choice, {b}. I vote for {a} too.",
        },
        [DEMO_REASON] = {
            "what {a} says does not fit together",
            "{a} avoids every question",
            "the votes point to {a}",
            "{a} follows the crowd",
        },
        [DEMO_REASON_NIGHT] = {"{a} is believed by too many", "{a} is dangerous to us"},
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
            "{a}さんを処刑しましたが、処刑を急いでいたのは誰でしたか？",
            "{a}さんの処刑が正しかったのか、まだ自信がありません。最初に投票したのは誰でしたか？",
            "{a}さんへの票の流れから、何か見えてくると思います。",
            "{a}さんで良かったのでしょうか。投票を主導した人に説明してほしいです。",
        },
        [DEMO_DEFEND] = {
            "{a}さん、それは誤解です。私は人狼ではありません。根拠は何ですか？",
            "どうして私なんですか、{a}さん。具体的な理由を聞いていません。",
            "疑うのはわかりますが、{a}さん、私の投票を見てください。隠すことはありません。",
            "{a}さんは私を疑うのが早すぎませんか。かえって{a}さんが気になります。",
            "{a}さん、それは間違いです。私がいなくなれば人狼が有利になるだけです。",
            "いいですよ、{a}さん、何でも聞いてください。そのあと同じことを聞き返します。",
        },
        [DEMO_ANSWER] = {
            "いい質問ですね、{a}さん。今いちばん気になっているのは{b}さんです。",
            "正直なところ、{a}さん、まだ迷っています。{b}さんに違和感があります。",
            "{a}さん、決める前に{b}さんの話を聞いてみたいです。",
            "{a}さんの意見には一部賛成です。ただ、{b}さんにももっと話してほしいです。",
        },
        [DEMO_SUSPECT] = {
            "私は{a}さんが怪しいと思います。話が少しずつ変わっています。",
            "{a}さんが気になります。発言が少なく、中身もあまりありません。",
            "今選ぶなら{a}さんです。",
            "{a}さんにはどこか違和感があります。そう感じるのは私だけでしょうか。",
            "{a}さんは誰の意見にも合わせていて、人狼らしい動きに見えます。",
            "ほかに良い案がなければ、{a}さんに投票するつもりです。",
        },
        [DEMO_FOLLOW] = {
            "{a}さんについては{b}さんの言うとおりだと思います。",
            "{b}さんが{a}さんに投票した理由はわかります。今のところ一番の手がかりです。",
            "{b}さんに賛成です。{a}さんには説明してもらいたいです。",
            "{b}さんと同じく、私も{a}さんが引っかかっています。",
        },
        [DEMO_QUESTION] = {
            "{a}さんは誰を疑っていますか？理由も聞かせてください。",
            "{a}さん、静かですね。ここまでの話をどう見ていますか？",
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
            "今夜は{a}を襲おう。村で信用されすぎている。",
            "{a}でどうだろう。",
            "{a}は真相に近づいている。今夜のうちに片付けよう。",
            "今夜は{a}にしよう。明日は村人と一緒に驚いて見せればいい。",
        },
        [DEMO_WOLVES_TOO] = {
            "{b}に賛成。{a}にしよう。",
            "了解、{b}。今夜は{a}だ。",
            "{a}でいいと思う。{b}に合わせるよ。",
        },
        [DEMO_REASON] = {
            "{a}さんの話はつじつまが合わない",
            "{a}さんは質問に答えていない",
            "{a}さんに票が集まっている",
            "{a}さんは周りに合わせてばかりいる",
        },
        [DEMO_REASON_NIGHT] = {"{a}は村で信用されすぎている", "{a}は人狼にとって危険だ"},
    },
};

static const char *const sentences[DEMO_LINES][4] = {
    [DEMO_DEFEND] = {"ESTIMATE {a} WEREWOLF", "NOT (ESTIMATE {me} WEREWOLF)",
                     "BECAUSE ({a} ESTIMATE {me} WEREWOLF) (ESTIMATE {a} WEREWOLF)"},
    [DEMO_ANSWER] = {"ESTIMATE {b} WEREWOLF", "INQUIRE {b} (VOTE ANY)"},
    [DEMO_SUSPECT] = {"ESTIMATE {a} WEREWOLF", "VOTE {a}", "REQUEST ANY (VOTE {a})"},
    [DEMO_FOLLOW] = {"VOTE {a}", "BECAUSE ({b} VOTE {a}) (VOTE {a})"},
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
        "suspect", "accuse", "wolf",   "werewolf", "guilty",   "lying",    "liar", "suspicious",
        "vote",    "votes",  "voting", "odd",      "人狼",     "怪しい",   "疑",   "投票",
        "嘘",      "黒",     "処刑",   "違和感",   "引っかか", "ESTIMATE", "VOTE", NULL,
    };

    return words;
}
