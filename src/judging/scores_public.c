#include "judging/scores_public.h"

#include "judging/sheets_plan.h"

/* Models in the order in which the file names them first; as they stand in JSON. */
typedef struct Models {
    Str specs[SHEETS_MODELS_MAX];
    uint32_t count;
} Models;

static Str model_name(Str spec)
{
    if (str_eq(spec, STR("demo")))
        return spec;
    while (spec.len) {
        const Str part = str_cut(&spec, ',');
        if (str_starts(part, STR("model=")) && part.len > strlen("model="))
            return str_part(part, strlen("model="), part.len);
    }
    return STR("model");
}

static void write_model(Models *models, Str spec, Buf *out)
{
    const Str name = model_name(spec);
    unsigned before = 0;
    uint32_t i = 0;

    for (; i < models->count && !str_eq(models->specs[i], spec); i++)
        before += str_eq(model_name(models->specs[i]), name);
    if (i == SHEETS_MODELS_MAX) {
        buf_add(out, STR("model"));
        return;
    }
    if (i == models->count)
        models->specs[models->count++] = spec;
    buf_add(out, name);
    if (before)
        buf_printf(out, " (%u)", before + 1);
}

/* Up to the quote that ends a string. */
static size_t string_length(Str text)
{
    size_t at = 0;

    while (at < text.len && text.bytes[at] != '"')
        at += text.bytes[at] == '\\' ? 2 : 1;
    return at < text.len ? at : text.len;
}

void scores_public(Str scores, Buf *out)
{
    static const char key[] = "\"model\":\"";
    Models models = {.count = 0};
    size_t at;

    while (str_find(scores, str_of(key), &at)) {
        const size_t from = at + strlen(key);
        buf_add(out, str_part(scores, 0, from));
        scores = str_part(scores, from, scores.len);
        const size_t length = string_length(scores);
        write_model(&models, str_part(scores, 0, length), out);
        scores = str_part(scores, length, scores.len);
    }
    buf_add(out, scores);
}
