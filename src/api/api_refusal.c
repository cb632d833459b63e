#include "api/api_refusal.h"

#include "base/json.h"

static const struct {
    const char *code;
    unsigned status;
    const char *english, *japanese;
} refusals[API_REFUSALS] = {
    [REFUSE_NOTHING] = {"", 200, "", ""},
    [REFUSE_BAD_REQUEST] = {"bad_request", 400, "The request can't be read.",
                            "リクエストを読み取れません。"},
    [REFUSE_JSON] = {"bad_request", 400, "The body is no JSON object.",
                     "本文が JSON オブジェクトではありません。"},
    [REFUSE_LOGIN] = {"login", 401, "Log in first.", "先にログインしてください。"},
    [REFUSE_PASSWORD] = {"password", 401, "Login or password is wrong.",
                         "ログイン名またはパスワードが違います。"},
    [REFUSE_FORBIDDEN] = {"forbidden", 403, "This is not yours to do.",
                          "この操作をする権限がありません。"},
    [REFUSE_CSRF] = {"csrf", 403,
                     "A change has to come from a page of this site, as JSON, with its token.",
                     "変更は、このサイトのページから JSON とトークンを付けて送る必要があります。"},
    [REFUSE_NOT_FOUND] = {"not_found", 404, "There is nothing here.", "ここには何もありません。"},
    [REFUSE_METHOD] = {"method", 405, "This path has other methods.",
                       "このパスでは別のメソッドを使います。"},
    [REFUSE_SLOW] = {"slow", 408, "Too little came for too long.", "データの到着が遅すぎます。"},
    [REFUSE_RULE] = {"refused", 409, "This can't be done now.", "今はこの操作をできません。"},
    [REFUSE_LINK] = {"link", 409, "This link was used already, or is over.",
                     "このリンクは使用済みか、期限切れです。"},
    [REFUSE_SIGNUP] = {"signup", 403, "Accounts of this site are made by invitation.",
                       "このサイトのアカウント登録は招待制です。"},
    [REFUSE_GONE] =
        {"gone", 410, "This is no longer kept: what agents print goes a year after their contest.",
         "保存期間が終わりました。エージェントの出力は、大会終了の1年後に削除されます。"},
    [REFUSE_TOO_LARGE] = {"too_large", 413, "This is larger than may be.",
                          "大きさの上限を超えています。"},
    [REFUSE_TYPE] = {"csrf", 403, "Another Content-Type is expected here.",
                     "ここでは別の Content-Type が必要です。"},
    [REFUSE_FIELD] = {"invalid", 422, "This value can't be.", "この値は使えません。"},
    [REFUSE_MISSING] = {"invalid", 422, "This field is missing.", "この項目が必要です。"},
    [REFUSE_TOO_MANY] = {"too_many", 429, "Too many at once: wait a little.",
                         "回数が多すぎます。少し待ってください。"},
    [REFUSE_UNAVAILABLE] = {"unavailable", 503, "Not available now: try again a little later.",
                            "現在利用できません。しばらくしてからもう一度試してください。"},
    [REFUSE_FULL] = {"full", 507, "The disk has no room for uploads now.",
                     "ディスクに空きがないため、今はアップロードできません。"},
};

const char *api_refusal_code(ApiRefusal refusal)
{
    return refusals[refusal].code;
}

unsigned api_refusal_status(ApiRefusal refusal)
{
    return refusals[refusal].status;
}

void api_refusal_write(ApiRefusal refusal, bool japanese, Str text, Str field, Buf *out)
{
    CLEANUP(buf_done) Buf sentence = {0};
    Json json = json_over(out);

    if (japanese && text.len)
        buf_printf(&sentence, "%s(%.*s)", refusals[refusal].japanese, STR_ARG(text));
    else if (text.len)
        buf_add(&sentence, text);
    else
        buf_add(&sentence,
                str_of(japanese ? refusals[refusal].japanese : refusals[refusal].english));
    json_open(&json, '{');
    json_key(&json, STR("error"));
    json_open(&json, '{');
    json_add_str(&json, "code", str_of(refusals[refusal].code));
    json_add_str(&json, "text", buf_str(&sentence));
    if (field.len)
        json_add_str(&json, "field", field);
    json_close(&json);
    json_close(&json);
}

Str api_refusal_field(Str text)
{
    size_t end = 0;

    while (end < text.len &&
           ((text.bytes[end] >= 'a' && text.bytes[end] <= 'z') || text.bytes[end] == '_'))
        end++;
    return end && str_starts(str_part(text, end, 2), STR(": ")) ? str_part(text, 0, end)
                                                                : (Str){"", 0};
}

ApiRefusal api_refusal_of(const Err *err)
{
    switch (err->code) {
    case ERR_RULE:
        return api_refusal_field(str_of(err->msg)).len ? REFUSE_FIELD : REFUSE_RULE;
    case ERR_SYNTAX:
        return err->line ? REFUSE_FIELD : REFUSE_BAD_REQUEST;
    case ERR_LIMIT:
    case ERR_USAGE:
        return REFUSE_RULE;
    case ERR_OK:
    case ERR_MEMORY:
    case ERR_IO:
    case ERR_INTERRUPTED:
    default:
        return REFUSE_UNAVAILABLE;
    }
}
