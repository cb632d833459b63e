#include "bot/talker_words.h"

#include "base/utf8.h"

#define HEARD_BYTES_MAX 2048

static const char
    *const wordings[TALKER_LANGUAGES][LINE_COUNT]
                   [WORDINGS_MAX + 1] =
                       {
                           [TALKER_ENGLISH] =
                               {
                                   [LINE_HELLO] = {"Hello everyone! Good luck to all of us.",
                                                   "Good evening. Let us talk openly today.",
                                                   "Hi all. Nice to meet you.",
                                                   "Greetings. Shall we find the wolves together?",
                                                   "Hello. I look forward to this discussion.",
                                                   "Good day everyone. Let us share our thoughts."},
                                   [LINE_VICTIM] = {"Poor {a}. The wolves will pay for this.",
                                                    "So {a} was attacked. Why {a} of all people?",
                                                    "I am sorry for {a}. Who gains by it?",
                                                    "We have lost {a}. Let us think hard now."},
                                   [LINE_QUIET_NIGHT] =
                                       {"Nobody died last night. That is good news.",
                                        "A quiet night! Did a guard hold?",
                                        "No victim this morning. What a relief."},
                                   [LINE_ASK] = {"@{b} whom do you suspect right now?",
                                                 "@{b} what is your opinion so far?",
                                                 "@{b} please tell us what you think.",
                                                 "@{b} who seems honest to you?"},
                                   [LINE_SEER_WOLF] =
                                       {"I am the seer. My result: {a} is a werewolf!",
                                        "Seer here. I am the seer and {a} is a werewolf.",
                                        "I divined {a}. I am the seer: {a} is a werewolf.",
                                        "I am the seer. Listen: {a} is a werewolf."},
                                   [LINE_SEER_HUMAN] =
                                       {"I am the seer. My result: {a} is human.",
                                        "I am the seer. Last night I saw {a} is human.",
                                        "I divined {a}. I am the seer: {a} is human.",
                                        "I am the seer. Trust me: {a} is human."},
                                   [LINE_MEDIUM_WOLF] =
                                       {"I am the medium. {a} was a werewolf!",
                                        "I am the medium. We hanged well: {a} was a werewolf.",
                                        "I am the medium. Good news: {a} was a werewolf."},
                                   [LINE_MEDIUM_HUMAN] =
                                       {"I am the medium. Sadly {a} was human.",
                                        "I am the medium. My result: {a} was human.",
                                        "I am the medium. We erred: {a} was human."},
                                   [LINE_DENY] =
                                       {"@{b} you are wrong. I am no wolf.",
                                        "@{b} I am on the village side.",
                                        "@{b} that is a mistake. Please look elsewhere.",
                                        "@{b} why me? I only want to help the village."},
                                   [LINE_RESULT] =
                                       {"My own result stands: {a} is a werewolf.",
                                        "I saw it myself: {a} is a werewolf.",
                                        "There is no doubt for me: {a} is a werewolf."},
                                   [LINE_ACCUSED_ME] =
                                       {"{a} accused me falsely. I suspect {a} of lying.",
                                        "I know what I am so I suspect {a} of a plot.",
                                        "I suspect {a} since that result on me is false."},
                                   [LINE_LIAR] = {"The results of {a} do not fit. I suspect {a}.",
                                                  "I suspect {a} because those results are false.",
                                                  "I suspect {a}. Those claims were disproved."},
                                   [LINE_RIVAL] = {"{a} pretends to be me. I suspect {a}.",
                                                   "There is only one of us. I suspect {a} of "
                                                   "lying.",
                                                   "I suspect {a} because my role is real."},
                                   [LINE_DIVINED] = {"I suspect {a} because of the result of {b}.",
                                                     "{b} divined {a} so I suspect {a} as well.",
                                                     "I believe {b} and so I suspect {a}."},
                                   [LINE_AGREE] = {"I agree with {b}. I suspect {a} too.",
                                                   "{b} has a point. I also suspect {a}.",
                                                   "As {b} said I have reasons to suspect {a}."},
                                   [LINE_SILENT] = {"I suspect {a} who has said so little.",
                                                    "{a} is so quiet that I suspect {a} now.",
                                                    "Silence helps wolves. I suspect {a}."},
                                   [LINE_FEELING] = {"It is only a feeling but I suspect {a}.",
                                                     "Something is odd. I suspect {a} a little.",
                                                     "I suspect {a} going by the tone so far.",
                                                     "If I had to choose I would suspect {a}.",
                                                     "I slightly suspect {a} at the moment."},
                                   [LINE_REPLY_EARLY] =
                                       {"@{b} it is too early for me to say.",
                                        "@{b} I have no clear idea yet.",
                                        "@{b} I would like to hear more first.",
                                        "@{b} let us wait for the first results."},
                                   [LINE_REPLY_THINK] =
                                       {"@{b} for now I suspect {a}.",
                                        "@{b} I suspect {a} most of all.",
                                        "@{b} to be honest I suspect {a}.",
                                        "@{b} I suspect {a} as things stand."},
                                   [LINE_REPLY_ROLE] =
                                       {"@{b} I am just a villager.",
                                        "@{b} I have no special role.",
                                        "@{b} only a plain villager I am afraid."},
                                   [LINE_REPLY_OUT] = {"@{b} you have heard my results already.", "@{b} I told you all that I know.", "@{b} my results are true. Please trust me."},
                                   [LINE_VOTE] = {"I will vote for {a}.",
                                                  "Today I will vote for {a}.", "I have decided to vote for {a}.",
                                                  "My choice is clear. I will vote for {a}.",
                                                  "Unless things change I will vote for {a}.",
                                                  "After all this I will vote for {a}."},
                                   [LINE_CHANGE] = {"I changed my mind. I will vote for {a}.",
                                                    "That convinced me. Now I will vote for {a}.",
                                                    "On second thought I will vote for {a}."},
                                   [LINE_WOLVES_HELLO] = {"Let us stay calm and trust each other.", "Good to be with you. Act like villagers.",
                                                          "Do not defend each other too openly."},
                                   [LINE_ATTACK] =
                                       {
                                           "Let us attack {a} tonight.", "I want to attack {a}.",
                                           "How about we attack {a}?",
                                           "I think we should attack {a}."},
                                   [LINE_ATTACK_TOO] =
                                       {"Agreed. I will attack {a} too.",
                                        "Fine with me. We attack {a}.",
                                        "Good idea to attack {a}.", "Yes. Let us all attack {a}."},
                               },
                           [TALKER_JAPANESE] =
                               {
                                   [LINE_HELLO] =
                                       {"こんにちは。今日はよろしくお願いします。",
                                        "皆さん、はじめまして。楽しく話しましょう。",
                                        "よろしくお願いします。まずは落ち着いていきましょう。",
                                        "こんばんは。一緒に人狼を探しましょうね。",
                                        "どうぞよろしく。気づいたことは何でも話してください。",
                                        "ごきげんよう。良い議論にしましょう。"},
                                   [LINE_VICTIM] = {"{a}さんが襲われてしまいましたか。残念です。",
                                                    "{a}さんの犠牲を無駄にはできません。",
                                                    "なぜ{a}さんが狙われたのでしょう。",
                                                    "{a}さん、仇は必ず取ります。"},
                                   [LINE_QUIET_NIGHT] =
                                       {"昨夜は誰も襲われなかったのですね。",
                                        "犠牲者なしとは良い知らせです。",
                                        "静かな朝で安心しました。護衛のおかげでしょうか。"},
                                   [LINE_ASK] = {"@{b} 今いちばん怪しいのは誰だと思いますか？",
                                                 "@{b} ここまでの印象を聞かせてください。",
                                                 "@{b} あなたの考えを教えてくれますか？",
                                                 "@{b} 信じられそうな人はいますか？"},
                                   [LINE_SEER_WOLF] = {"私は占い師です。{a}さんは人狼でした！",
                                                       "占い師COします。{a}さんは人狼です。",
                                                       "私は占い師。占った{a}さんは人狼でした。",
                                                       "占い師として言います。{a}さんは人狼です。"},
                                   [LINE_SEER_HUMAN] =
                                       {"私は占い師です。{a}さんは人間でした。",
                                        "占い師COします。{a}さんは人間です。",
                                        "私は占い師。昨夜占った{a}さんは人間でした。",
                                        "占い師として言います。{a}さんは人間です。"},
                                   [LINE_MEDIUM_WOLF] =
                                       {"私は霊媒師です。{a}さんは人狼でした！",
                                        "霊媒師COします。{a}さんは人狼でした。",
                                        "霊媒師として言います。{a}さんは人狼でした。"},
                                   [LINE_MEDIUM_HUMAN] =
                                       {"私は霊媒師です。{a}さんは人間でした。",
                                        "霊媒師COします。{a}さんは人間でした。",
                                        "霊媒師として言います。{a}さんは人間でした。"},
                                   [LINE_DENY] = {"@{b} それは誤解です。私は村の味方です。",
                                                  "@{b} 私は狼ではありませんよ。",
                                                  "@{b} なぜ私なのですか？理由を聞きたいです。",
                                                  "@{b} 私を疑っても村のためになりません。"},
                                   [LINE_RESULT] =
                                       {"私の結果では{a}さんは人狼です。信じてください。",
                                        "この目で見ました。{a}さんは人狼です。",
                                        "迷いはありません。{a}さんは人狼です。"},
                                   [LINE_ACCUSED_ME] =
                                       {"私への結果は嘘です。{a}さんが怪しい。",
                                        "自分のことは分かります。{a}さんが怪しいです。",
                                        "偽の結果を出した{a}さんを疑います。"},
                                   [LINE_LIAR] = {"結果が合いません。{a}さんが怪しいです。",
                                                  "話が食い違う{a}さんを疑っています。",
                                                  "これまでの結果から{a}さんは怪しいです。"},
                                   [LINE_RIVAL] =
                                       {"私が本物です。騙っている{a}さんが怪しい。",
                                        "本物は一人だけ。{a}さんを疑います。",
                                        "対抗の{a}さんは怪しいです。私は嘘をつきません。"},
                                   [LINE_DIVINED] =
                                       {"{b}さんの結果を信じて、{a}さんを疑います。",
                                        "{b}さんの占いから見て{a}さんが怪しいです。",
                                        "{b}さんの話の通りなら{a}さんが怪しいですね。"},
                                   [LINE_AGREE] =
                                       {"{b}さんに同意です。{a}さんが怪しい。",
                                        "{b}さんの意見も分かります。{a}さんは怪しいです。",
                                        "私も{b}さんと同じく{a}さんを疑っています。"},
                                   [LINE_SILENT] =
                                       {"発言の少ない{a}さんが怪しく見えます。",
                                        "沈黙は狼の味方です。{a}さんを疑います。",
                                        "もっと話してほしいです。{a}さんが気になります。"},
                                   [LINE_FEELING] = {"なんとなくですが{a}さんが怪しいです。",
                                                     "根拠は弱いですが{a}さんを疑っています。",
                                                     "話し方から{a}さんが気になりました。",
                                                     "今のところ{a}さんが気になります。",
                                                     "強いて言えば{a}さんが怪しいでしょうか。"},
                                   [LINE_REPLY_EARLY] = {"@{b} まだ何とも言えませんね。",
                                                         "@{b} もう少し皆の話を聞きたいです。",
                                                         "@{b} 最初の結果を待ちましょう。",
                                                         "@{b} はっきりした考えはまだありません。"},
                                   [LINE_REPLY_THINK] =
                                       {"@{b} 今は{a}さんを疑っています。",
                                        "@{b} 私は{a}さんが怪しいと思います。",
                                        "@{b} 正直に言うと{a}さんが気になります。",
                                        "@{b} 流れを見ると{a}さんが怪しいですね。"},
                                   [LINE_REPLY_ROLE] = {"@{b} 私はただの村人です。",
                                                        "@{b} 特別な役職はありません。",
                                                        "@{b} 役職なしの村人ですよ。"},
                                   [LINE_REPLY_OUT] = {"@{b} 結果はお話しした通りです。",
                                                       "@{b} 知っていることは全部話しました。",
                                                       "@{b} 私の結果は本当です。信じてください。"},
                                   [LINE_VOTE] = {"{a}さんに投票します。",
                                                  "今日は{a}さんに投票するつもりです。",
                                                  "考えた結果、{a}さんに投票します。",
                                                  "私は{a}さんに投票することに決めました。",
                                                  "何もなければ{a}さんに投票します。",
                                                  "ここは{a}さんに投票しましょう。"},
                                   [LINE_CHANGE] = {"考えを変えました。{a}さんに投票します。",
                                                    "今の話で決めました。{a}さんに投票します。",
                                                    "やはり{a}さんに投票します。"},
                                   [LINE_WOLVES_HELLO] =
                                       {"落ち着いて、村人らしく振る舞いましょう。",
                                        "よろしく。露骨に庇い合うのは避けましょう。",
                                        "まずは様子を見ましょう。頼りにしています。"},
                                   [LINE_ATTACK] = {"今夜は{a}さんを襲撃しましょう。",
                                                    "{a}さんを襲いたいです。",
                                                    "{a}さんを襲撃するのはどうでしょう。",
                                                    "次は{a}さんを襲うべきだと思います。"},
                                   [LINE_ATTACK_TOO] =
                                       {"賛成です。{a}さんを襲いましょう。",
                                        "分かりました。{a}さんを襲撃します。",
                                        "それがいいですね。{a}さんを襲います。",
                                        "異論ありません。{a}さんを襲撃しましょう。"},
                               },
};

const char *talker_wording(TalkerLanguage language, Line line, unsigned index)
{
    return index < WORDINGS_MAX ? wordings[language][line][index] : NULL;
}

size_t talker_write(const char *wording, Str a, Str b, char *out, size_t room)
{
    size_t used = 0;

    for (const char *at = wording; *at;) {
        Str piece = {at, 1};
        size_t step = 1;
        if (at[0] == '{' && (at[1] == 'a' || at[1] == 'b') && at[2] == '}') {
            piece = at[1] == 'a' ? a : b;
            step = 3;
        }
        if (piece.len > room - used)
            return 0;
        memcpy(out + used, piece.bytes, piece.len);
        used += piece.len;
        at += step;
    }
    return used;
}

/* ---- understanding ---- */

/* At one place of a text the first row that fits counts, so exceptions come before the rule. {a}
 * stands at the start or at the end. A name may be followed by さん, and ASCII letters match in
 * either case. */
static const struct {
    Meaning meaning;
    const char *pattern;
} phrases[] = {
    {MEANS_NOTHING, "if {a}"},
    {MEANS_NOTHING, "whether {a}"},
    {MEANS_NOTHING, "not vote for {a}"},
    {MEANS_NOTHING, "not suspect {a}"},
    {MEANS_NOTHING, "{a}は占い師"},
    {MEANS_NOTHING, "{a}が占い師"},
    {MEANS_NOTHING, "{a}は霊媒師"},
    {MEANS_NOTHING, "{a}が霊媒師"},
    {MEANS_SEER, "I am the seer"},
    {MEANS_SEER, "I am a seer"},
    {MEANS_SEER, "I'm the seer"},
    {MEANS_SEER, "I'm a seer"},
    {MEANS_SEER, "my role is seer"},
    {MEANS_SEER, "私は占い師"},
    {MEANS_SEER, "僕は占い師"},
    {MEANS_SEER, "俺は占い師"},
    {MEANS_SEER, "占い師として"},
    {MEANS_SEER, "占い師COします"},
    {MEANS_SEER, "占い師COです"},
    {MEANS_SEER, "占い師CO。"},
    {MEANS_SEER, "占い師です"},
    {MEANS_SEER, "占い師なので"},
    {MEANS_MEDIUM, "I am the medium"},
    {MEANS_MEDIUM, "I am a medium"},
    {MEANS_MEDIUM, "I'm the medium"},
    {MEANS_MEDIUM, "my role is medium"},
    {MEANS_MEDIUM, "私は霊媒師"},
    {MEANS_MEDIUM, "僕は霊媒師"},
    {MEANS_MEDIUM, "霊媒師として"},
    {MEANS_MEDIUM, "霊媒師CO"},
    {MEANS_MEDIUM, "霊媒師です"},
    {MEANS_WOLF, "{a} is a werewolf"},
    {MEANS_WOLF, "{a} is the werewolf"},
    {MEANS_WOLF, "{a} is werewolf"},
    {MEANS_WOLF, "{a} was a werewolf"},
    {MEANS_WOLF, "{a} as a werewolf"},
    {MEANS_WOLF, "{a} as werewolf"},
    {MEANS_HUMAN, "{a} is human"},
    {MEANS_HUMAN, "{a} was human"},
    {MEANS_HUMAN, "{a} is a human"},
    {MEANS_HUMAN, "{a} was a human"},
    {MEANS_HUMAN, "{a} is not a werewolf"},
    {MEANS_HUMAN, "{a}は人狼ではあ"},
    {MEANS_HUMAN, "{a}は人狼ではな"},
    {MEANS_HUMAN, "{a}は人狼じゃな"},
    {MEANS_NOTHING, "{a}は人狼でしょうか"},
    {MEANS_WOLF, "{a}は人狼"},
    {MEANS_WOLF, "{a}が人狼"},
    {MEANS_WOLF, "{a}は黒"},
    {MEANS_HUMAN, "{a}は人間"},
    {MEANS_HUMAN, "{a}は白"},
    {MEANS_DOUBT, "suspect {a}"},
    {MEANS_DOUBT, "suspicious of {a}"},
    {MEANS_DOUBT, "{a} is suspicious"},
    {MEANS_DOUBT, "{a} seems suspicious"},
    {MEANS_DOUBT, "{a}が怪し"},
    {MEANS_DOUBT, "{a}は怪し"},
    {MEANS_DOUBT, "{a}を疑"},
    {MEANS_DOUBT, "{a}が気になり"},
    {MEANS_VOTE, "vote for {a}"},
    {MEANS_VOTE, "vote out {a}"},
    {MEANS_VOTE, "vote {a}"},
    {MEANS_VOTE, "{a}に投票"},
    {MEANS_VOTE, "{a}に一票"},
    {MEANS_VOTE, "{a}に入れ"},
    {MEANS_ATTACK, "attack {a}"},
    {MEANS_ATTACK, "{a}を襲"},
};

#define PHRASE_COUNT (sizeof(phrases) / sizeof(phrases[0]))

/* The longest name that `text` begins with. */
static SeatNo name_at(Str text, const Str *names, SeatNo seat_count)
{
    SeatNo found = SEAT_NONE;

    for (SeatNo seat = 1; seat <= seat_count; seat++)
        if (names[seat].len && str_starts(text, names[seat]) &&
            (found == SEAT_NONE || names[seat].len > names[found].len)) /* Ann, Anna */
            found = seat;
    return found;
}

/* Takes a name with its title off the front of `*rest`. */
static SeatNo take_name(Str *rest, const Str *names, SeatNo seat_count)
{
    SeatNo seat = name_at(*rest, names, seat_count);

    if (seat != SEAT_NONE)
        *rest = str_part(*rest, names[seat].len, SIZE_MAX);
    if (seat != SEAT_NONE && str_starts(*rest, STR("さん")))
        *rest = str_part(*rest, STR("さん").len, SIZE_MAX);
    return seat;
}

static bool take_words(Str *rest, Str words)
{
    if (rest->len < words.len)
        return false;
    for (size_t i = 0; i < words.len; i++)
        if (str_lower_char(rest->bytes[i]) != str_lower_char(words.bytes[i]))
            return false;
    *rest = str_part(*rest, words.len, SIZE_MAX);
    return true;
}

/* One look at the front of a text; the name there is found once for all rows. */
typedef struct Front {
    Str text;
    SeatNo named; /* a name is there, and `behind` follows it */
    Str behind;
} Front;

/* Bytes that fit the pattern; 0 = it does not. */
static size_t pattern_fits(const Front *front, const char *pattern, const Str *names,
                           SeatNo seat_count, SeatNo *ret_about)
{
    bool begins = pattern[0] == '{';
    if (begins ? front->named == SEAT_NONE
               : !front->text.len ||
                     str_lower_char(pattern[0]) != str_lower_char(front->text.bytes[0]))
        return 0; /* most rows end here */
    Str rest = begins ? front->behind : front->text;
    Str words = str_of(begins ? pattern + 3 : pattern);
    bool ends = words.len >= 3 && words.bytes[words.len - 1] == '}';

    if (ends)
        words.len -= 3;
    if (!take_words(&rest, words))
        return 0;
    SeatNo about = ends ? take_name(&rest, names, seat_count) : begins ? front->named : SEAT_NONE;
    if (ends && about == SEAT_NONE)
        return 0;
    *ret_about = about;
    return front->text.len - rest.len;
}

/* The bytes with which something that is understood can begin: most of a text does not. */
static void note_starts(const Str *names, SeatNo seat_count, bool starts[static 256])
{
    for (size_t i = 0; i < PHRASE_COUNT; i++) {
        char first = phrases[i].pattern[0];
        starts[(uint8_t)str_lower_char(first)] = true;
        if (first >= 'a' && first <= 'z')
            starts[(uint8_t)(first - 'a' + 'A')] = true;
        starts[(uint8_t)first] = true;
    }
    for (SeatNo seat = 1; seat <= seat_count; seat++)
        if (names[seat].len)
            starts[(uint8_t)names[seat].bytes[0]] = true;
}

unsigned talker_understand(Str text, const Str *names, SeatNo seat_count,
                           Understood ret[static UNDERSTOOD_MAX])
{
    bool starts[256] = {false};
    unsigned count = 0;
    Str rest = str_part(text, 0, HEARD_BYTES_MAX);

    note_starts(names, seat_count, starts);
    while (rest.len && count < UNDERSTOOD_MAX) {
        Front front = {.text = rest, .behind = rest};
        size_t taken = 0;
        if (!starts[(uint8_t)rest.bytes[0]]) {
            rest = str_part(rest, 1, SIZE_MAX);
            continue;
        }
        front.named = take_name(&front.behind, names, seat_count);
        for (size_t i = 0; i < PHRASE_COUNT && !taken; i++) {
            SeatNo about = SEAT_NONE;
            taken = pattern_fits(&front, phrases[i].pattern, names, seat_count, &about);
            if (taken && phrases[i].meaning != MEANS_NOTHING)
                ret[count++] = (Understood){phrases[i].meaning, about};
        }
        rest = str_part(rest, taken ? taken : 1, SIZE_MAX);
    }
    return count;
}

bool talker_mentions(Str text, Str name)
{
    for (size_t at = 0; name.len && at + name.len < text.len; at++)
        if (text.bytes[at] == '@' && str_starts(str_part(text, at + 1, SIZE_MAX), name))
            return true;
    return false;
}

TalkerLanguage talker_language_of(const Str *names, SeatNo seat_count)
{
    for (SeatNo seat = 1; seat <= seat_count; seat++) {
        Str rest = names[seat];
        while (rest.len) {
            uint32_t c = utf8_next(&rest);
            if ((c >= 0x3040 && c <= 0x30FF) || (c >= 0x3400 && c <= 0x9FFF))
                return TALKER_JAPANESE;
        }
    }
    return TALKER_ENGLISH;
}
