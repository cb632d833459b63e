#include <gsasl.h> /* first: it names functions that base/banned.h stops */

#include "net/sasl.h"

#include "base/mem.h"

struct Sasl {
    Gsasl *library;
    Gsasl_session *session;
    const char *mechanism;
    bool done;
};

/* Whether `name` is one of `offered`. */
static bool is_offered(Str offered, Str name)
{
    while (offered.len)
        if (str_eq(str_cut(&offered, ' '), name))
            return true;
    return false;
}

static const char *strongest_mechanism(Str offered)
{
    static const char *const mechanisms[] = {"SCRAM-SHA-256", "SCRAM-SHA-1", "PLAIN"};

    for (size_t i = 0; i < sizeof(mechanisms) / sizeof(mechanisms[0]); i++)
        if (is_offered(offered, str_of(mechanisms[i])))
            return mechanisms[i];
    return NULL;
}

int sasl_new(Str offered, const char *name, const char *password, Sasl **ret_sasl, Err *err)
{
    const char *mechanism = strongest_mechanism(offered);

    if (!mechanism)
        return err_set(err, ERR_RULE, "the server offers no way to log in that is known here");
    Sasl *sasl = mem_new(sizeof(*sasl));
    if (!sasl)
        return err_set(err, ERR_MEMORY, "login: out of memory");
    sasl->mechanism = mechanism;
    if (gsasl_init(&sasl->library) != GSASL_OK ||
        gsasl_client_start(sasl->library, mechanism, &sasl->session) != GSASL_OK ||
        gsasl_property_set(sasl->session, GSASL_AUTHID, name) != GSASL_OK ||
        gsasl_property_set(sasl->session, GSASL_PASSWORD, password) != GSASL_OK) {
        sasl_free(sasl);
        return err_set(err, ERR_MEMORY, "login: out of memory");
    }
    *ret_sasl = sasl;
    return 0;
}

Sasl *sasl_free(Sasl *sasl)
{
    if (!sasl)
        return NULL;
    if (sasl->session)
        gsasl_finish(sasl->session);
    if (sasl->library)
        gsasl_done(sasl->library);
    return mem_free(sasl);
}

const char *sasl_mechanism(const Sasl *sasl)
{
    return sasl->mechanism;
}

/* SCRAM's "r=...,s=...,i=4096": the library would digest for as long as the server likes. */
static bool wants_too_much(const Buf *said)
{
    bool too_much = false;
    char *plain = NULL;
    size_t n = 0;

    if (gsasl_base64_from(buf_cstr(said), said->len, &plain, &n) != GSASL_OK)
        return false; /* the library will say so */
    for (Str rest = {plain, n}; rest.len && !too_much;) {
        Str part = str_cut(&rest, ',');
        uint64_t iterations = 0;

        if (str_starts(part, STR("i=")))
            too_much = !str_to_uint(str_part(part, 2, SIZE_MAX), SASL_ITERATIONS_MAX, &iterations);
    }
    gsasl_free(plain);
    return too_much;
}

int sasl_step(Sasl *sasl, Str said, Buf *answer, Err *err)
{
    CLEANUP(buf_done) Buf text = {0};
    char *out = NULL;

    buf_add(&text, said);
    if (buf_failed(&text))
        return err_set(err, ERR_MEMORY, "login: out of memory");
    if (wants_too_much(&text))
        return err_set(err, ERR_LIMIT, "the server wants the password digested more than %d times",
                       SASL_ITERATIONS_MAX);
    int code = gsasl_step64(sasl->session, buf_cstr(&text), &out);
    sasl->done = code == GSASL_OK;
    if (code == GSASL_OK || code == GSASL_NEEDS_MORE)
        buf_add(answer, str_of(out));
    gsasl_free(out);
    if (code == GSASL_MALLOC_ERROR || buf_failed(answer))
        return err_set(err, ERR_MEMORY, "login: out of memory");
    if (code != GSASL_OK && code != GSASL_NEEDS_MORE)
        return err_set(err, ERR_SYNTAX, "login with %s: %s", sasl->mechanism,
                       code == GSASL_AUTHENTICATION_ERROR ? "the server doesn't know the password"
                                                          : gsasl_strerror(code));
    return 0;
}

bool sasl_is_done(const Sasl *sasl)
{
    return sasl->done;
}
