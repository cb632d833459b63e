/* fuzz_api_route.c - a path leads to one route or none, its words are parts of it; cookies, pages
 * and sentences of errors are read without harm.
 *
 * The first line is a path, the second a header of cookies, the third a sentence.
 */
#include "api/api_page.h"
#include "api/api_refusal.h"
#include "api/api_routes.h"
#include "base/mem.h"

#include <assert.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_route(const char *method, Str path)
{
    CLEANUP(buf_done) Buf methods = {0};
    Str words[API_WORDS_MAX];
    const ApiRoute *route = api_route_find(str_of(method), path, words, &methods);

    for (unsigned i = 0; i < API_WORDS_MAX; i++) {
        if (!words[i].len)
            continue;
        assert(route && words[i].bytes >= path.bytes &&
               words[i].bytes + words[i].len <= path.bytes + path.len);
        assert(!memchr(words[i].bytes, '/', words[i].len));
    }
    if (route)
        assert(strcmp(route->method, method) == 0);
}

static void check_cookie(Str line)
{
    const WebHeader header = {STR("Cookie"), line};
    const WebRequest request = {.headers = &header, .header_count = 1};
    Str cookie = web_cookie(&request, "__Host-warg");

    assert(!cookie.len || !memchr(cookie.bytes, ';', cookie.len));
}

static void check_refusal(Str text)
{
    CLEANUP(buf_done) Buf out = {0};
    Str field = api_refusal_field(text);
    json_t *json = NULL;

    assert(field.len <= text.len);
    api_refusal_write(REFUSE_FIELD, text.len % 2, text, field, &out);
    assert(json_read(buf_str(&out), 1 << 20, &json, NULL) == 0);
    json_done(json);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const methods[] = {"GET", "POST", "PUT", "PATCH", "DELETE"};
    Str rest = {(const char *)data, size};
    Str path = str_cut(&rest, '\n'), cookies = str_cut(&rest, '\n');

    for (size_t i = 0; i < sizeof(methods) / sizeof(methods[0]); i++)
        check_route(methods[i], path);
    (void)api_page_is(path);
    check_cookie(cookies);
    check_refusal(rest);
    return 0;
}
