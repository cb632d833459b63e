#include "serve/visitor.h"

#include "base/digest.h"
#include "wire/jwt.h"

Str visitor_token(const WebRequest *request, Buf *value)
{
    Str token = web_query(request, "token", value);

    if (token.len)
        return token;
    token = web_header(request, "Authorization");
    if (str_starts(token, STR("Bearer ")))
        token = str_part(token, strlen("Bearer "), token.len);
    return token;
}

static bool is_receiver(const VisitorRules *rules, Str token, int64_t unix_seconds)
{
    JwtClaims claims;

    return rules->authentication &&
           jwt_check(token, rules->secret_key, unix_seconds, &claims, NULL) == 0 &&
           str_eq(str_of(claims.role), STR("RECEIVER"));
}

bool visitor_may_see_all(const VisitorRules *rules, Str token, int64_t unix_seconds)
{
    return token.len &&
           (digest_equal(token, rules->operator_token) || is_receiver(rules, token, unix_seconds));
}

Visitor visitor_of(const VisitorRules *rules, const WebRequest *request, int64_t unix_seconds)
{
    CLEANUP(buf_done) Buf value = {0};

    if (rules->open)
        return VISITOR_OPERATOR;
    Str token = visitor_token(request, &value);
    if (visitor_may_see_all(rules, token, unix_seconds))
        return VISITOR_OPERATOR;
    return rules->authentication ? VISITOR_STRANGER : VISITOR_PUBLIC;
}
