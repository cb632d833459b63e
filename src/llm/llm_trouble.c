#include "llm/llm_trouble.h"

typedef struct Trouble {
    const char *key;
    const char *name[2];   /* English, Japanese */
    const char *advice[2]; /* the next step */
} Trouble;

static const Trouble troubles[TROUBLE_COUNT] = {
    [TROUBLE_NONE] = {"none", {"", ""}, {"", ""}},
    [TROUBLE_NO_NAME] =
        {"no-name",
         {"nobody knows the host of this name", "この名前のホストが見つからない"},
         {"see whether the host's name is right, and whether this machine can look "
          "names up; behind a proxy: proxy=URL",
          "ホスト名の綴りと名前解決を確かめる。プロキシ越しなら proxy=URL を付ける"}},
    [TROUBLE_NO_CONNECTION] =
        {"no-connection",
         {"nobody listens at this address", "この宛先で待ち受けているものがない"},
         {"see whether the server runs and listens at this address and port",
          "サーバーが動いていて、このアドレスとポートで待ち受けているか確かめる"}},
    [TROUBLE_NO_TLS] =
        {"no-tls",
         {"the TLS connection can't be trusted", "TLS接続を信頼できない"},
         {"name the file of the authority that vouches for the server: ca=FILE; or "
          "see whether the URL should begin with http:// and whether the "
          "certificate is for this name and still valid",
          "サーバー証明書の認証局のファイルを ca=FILE で渡す。URLがhttp://であるべきか、"
          "証明書の名前と期限も確かめる"}},
    [TROUBLE_SLOW] =
        {"slow",
         {"no answer in time", "時間内に回答がない"},
         {"see whether the server runs and what it is busy with; a model that is loaded "
          "first may need a longer --timeout (timeout= where a model is named)",
          "サーバーが動いているか、何に時間を取られているかを見る。モデルの読み込み中なら "
          "--timeout（モデル指定では timeout=）を長くする"}},
    [TROUBLE_CUT] = {"cut",
                     {"the answer ends before it is whole", "回答が途中で切れている"},
                     {"see what the server's log says; a proxy between may close connections, or "
                      "tell a wrong length",
                      "サーバーのログを見る。間のプロキシが接続を切るか、長さを誤って伝えている"
                      "可能性がある"}},
    [TROUBLE_REDIRECT] = {"redirect",
                          {"the server sends on to another address", "別のアドレスへ転送される"},
                          {"name that address itself: a key is not sent where a server points to",
                           "転送先のアドレスを直接指定する。キーは転送先には送らない"}},
    [TROUBLE_NO_KEY] = {"no-key",
                        {"the server does not accept the key, or wants one",
                         "キーが受け付けられないか、キーが必要"},
                        {"give the key of this server: --key-env NAME or --key-file FILE "
                         "(key-env=, key-file= where a model is named)",
                         "このサーバーのキーを渡す: --key-env 変数名 か --key-file ファイル"
                         "（モデル指定では key-env=, key-file=）"}},
    [TROUBLE_FORBIDDEN] =
        {"forbidden",
         {"the key may not do this", "このキーには許可がない"},
         {"see at the server's owner what this key may use: the model, the "
          "project, the country; else give another: --key-env NAME",
          "このキーで使えるモデル・プロジェクト・地域を提供元で確かめるか、別のキーを"
          "渡す: --key-env 変数名"}},
    [TROUBLE_NO_MODEL] = {"no-model",
                          {"the server has no model of this name",
                           "この名前のモデルがサーバーにない"},
                          {"name a model that the server has; its list is at the end of the URL "
                           "/models",
                           "サーバーにあるモデルの名前を使う。一覧はURLの末尾 /models で見られる"}},
    [TROUBLE_NO_PATH] = {"no-path",
                         {"the server does not know this address", "サーバーがこのパスを知らない"},
                         {"see whether the URL ends as the server wants it (mostly in /v1), and "
                          "whether api= (--api) is right",
                          "URLの末尾（多くは /v1）と api=（--api）が合っているか確かめる"}},
    [TROUBLE_QUOTA] = {"quota",
                       {"money or quota of this key is used up",
                        "このキーの残高か割り当てが尽きた"},
                       {"pay, or raise the limit, at the server's owner; waiting does not help",
                        "提供元で支払うか上限を上げる。待っても解決しない"}},
    [TROUBLE_BUSY] =
        {"busy",
         {"the server has got too many requests", "リクエストが多すぎると言われた"},
         {"ask less: parallel=1, rpm= and tpm= of this key's limits; or try again later",
          "リクエストを減らす: parallel=1、キーの制限に合わせた rpm= と tpm=。または時間を"
          "置く"}},
    [TROUBLE_OVERLOADED] = {"overloaded",
                            {"the server is overloaded", "サーバーが過負荷"},
                            {"it has too much to do: try again later, or take another model",
                             "サーバーの負荷が高い。時間を置くか、別のモデルを使う"}},
    [TROUBLE_FAILED] =
        {"failed",
         {"the server has failed", "サーバーでエラーが起きた"},
         {"the server is there and has failed: see what its log says of this request",
          "サーバーは動いているが失敗した。このリクエストについてログを見る"}},
    [TROUBLE_NOT_JSON] =
        {"not-json",
         {"the answer is no JSON", "回答がJSONではない"},
         {"see whether the URL is that of a model's server, and whether a page of "
          "another program answers at it",
          "URLがモデルのサーバーのものか確かめる。別のプログラムのページが答えている"
          "可能性がある"}},
    [TROUBLE_NO_ANSWER] = {"no-answer",
                           {"the answer is not that of a model", "モデルの回答の形ではない"},
                           {"see whether the URL is that of a model's server, and whether api= "
                            "(--api) is right",
                            "URLがモデルのサーバーのものか、api=（--api）が合っているか確かめる"}},
    [TROUBLE_TOO_LONG] =
        {"too-long",
         {"the request does not fit into the model's context",
          "リクエストがモデルのコンテキストに収まらない"},
         {"give the model a context of at least 4096 tokens (num-ctx= with Ollama, "
          "the server's own option else)",
          "モデルに4096トークン以上のコンテキストを与える（Ollamaは num-ctx=、ほかは"
          "サーバーの設定）"}},
    [TROUBLE_REQUEST] = {"request",
                         {"the server does not take the request", "リクエストが受け付けられない"},
                         {"see what it says of it, and leave out what it does not want (think=, "
                          "temperature=, header=); api= (--api) may be another",
                          "サーバーのメッセージを読み、求められていないもの（think=, temperature=, "
                          "header=）を外す。api=（--api）が違う可能性もある"}},
    [TROUBLE_SILENT] =
        {"silent",
         {"the model says nothing", "モデルが何も言わない"},
         {"see whether the server's chat template fits the model, and whether it "
          "needs more tokens: max-tokens=",
          "サーバーのチャットテンプレートがモデルに合うか、max-tokens= が足りるか確かめる"}},
    [TROUBLE_THOUGHT] = {"only-thoughts",
                         {"the model's tokens go into thoughts, and none are left for an answer",
                          "思考にトークンを使い切り、回答が残らない"},
                         {"the model thinks for longer than it may write: --think off, or more "
                          "tokens as --think 16000 (think= where a model is named)",
                          "思考が書ける量より長い。--think off か、--think 16000 のように増やす"
                          "（モデル指定では think=）"}},
    [TROUBLE_REFUSAL] = {"refusal",
                         {"the model refuses to play", "モデルがゲームを拒む"},
                         {"take another model, or one with fewer scruples about a game of "
                          "deception; a persona that says it is a game may help",
                          "別のモデルを使う。ゲームであると述べる persona= で変わることもある"}},
    [TROUBLE_FILTERED] = {"filtered",
                          {"a filter of the server's holds the answer back",
                           "サーバーのフィルターが回答を止めた"},
                          {"lower the server's content filter for this key, or take another server",
                           "このキーのコンテンツフィルターを緩めるか、別のサーバーを使う"}},
    [TROUBLE_ORDERS] =
        {"orders",
         {"its answers hold orders to other models, or marks of a chat template",
          "回答に他のモデルへの命令やチャットテンプレートの記号が混じる"},
         {"name the mark as stop=TEXT, and see whether the server's chat template fits "
          "the model; such lines are said as talk only, and obeyed by nobody of ours",
          "その記号を stop=TEXT に指定し、チャットテンプレートを確かめる。こうした行は発言と"
          "してのみ扱われる"}},
    [TROUBLE_NONSENSE] = {"nonsense",
                          {"its answers are no decisions", "回答が判断になっていない"},
                          {"take a larger model, or one that was trained to follow instructions",
                           "より大きいモデルか、指示に従うよう訓練されたモデルを使う"}},
    [TROUBLE_LATE] =
        {"late",
         {"its answers are slow for a table", "回答が卓には遅い"},
         {"rules will decide in its place where time is short: a smaller model, "
          "think=off, fewer seats, or longer phases",
          "時間の短い場面では規則が代わりに判断する。小さいモデル、think=off、席を減らす、"
          "またはフェーズを長くする"}},
    [TROUBLE_SPENT] = {"spent",
                       {"the budget is spent", "予算を使い切った"},
                       {"raise --llm-budget", "--llm-budget を増やす"}},
};

const char *llm_trouble_key(LlmTrouble trouble)
{
    return troubles[trouble].key;
}

const char *llm_trouble_name(LlmTrouble trouble, bool japanese)
{
    return troubles[trouble].name[japanese];
}

const char *llm_trouble_advice(LlmTrouble trouble, LlmApi api, bool japanese)
{
    if (trouble == TROUBLE_NO_MODEL && api == LLM_OLLAMA)
        return japanese ? "'ollama pull モデル名' で取得するか、'ollama list' にある名前を使う"
                        : "get the model with 'ollama pull MODEL', or name one that 'ollama list' "
                          "shows";
    return troubles[trouble].advice[japanese];
}
