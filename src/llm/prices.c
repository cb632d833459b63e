#include "llm/prices.h"

#include "base/utf8.h"
#include "base/yaml.h"
#include "disk/log_file.h"

#include <inttypes.h>

#define PRICES_ARENA    ((size_t)1024 * 1024)
#define CURRENCY_MAX    8
#define PRICE_DIGITS    6 /* behind the point: millionths */
#define PRICE_UNITS_MAX 1000000u

struct LlmPrices {
    Arena arena;
    Str currency;
    const YamlNode *models;
};

/* ---- a price ---- */

/* "0.15" into millionths: no double, so that a price is what the file says. */
static bool read_price(Str text, uint64_t *ret_price)
{
    uint64_t value = 0;
    size_t digits = 0, behind = 0;
    bool point = false;

    for (size_t i = 0; i < text.len; i++) {
        if (text.bytes[i] == '.' && !point && digits) {
            point = true;
            continue;
        }
        if (text.bytes[i] < '0' || text.bytes[i] > '9' || behind == PRICE_DIGITS || digits > 12)
            return false;
        value = value * 10 + (uint64_t)(text.bytes[i] - '0');
        digits++;
        behind += point;
    }
    if (!digits || (point && !behind))
        return false;
    for (; behind < PRICE_DIGITS; behind++)
        value *= 10;
    *ret_price = value;
    return value <= (uint64_t)PRICE_UNITS_MAX * 1000000u;
}

static int take_price(const YamlNode *model, const char *key, uint64_t *ret_price, Err *err)
{
    const YamlNode *node = yaml_get(model, key);

    if (!node)
        return err_set_at(err, ERR_SYNTAX, model->line, model->column,
                          "model '%.*s': expected in and out, the prices of a million tokens",
                          STR_ARG(model->key));
    if (node->kind != YAML_SCALAR || !read_price(node->text, ret_price))
        return yaml_mismatch(node, "a price of a million tokens, such as 0.15", err);
    return 0;
}

static int price_of(const YamlNode *model, LlmPrice *ret_price, Err *err)
{
    int rc = yaml_expect(model, YAML_MAP, err);

    *ret_price = (LlmPrice){0};
    for (const YamlNode *key = model->first; rc == 0 && key; key = key->next)
        if (!str_eq(key->key, STR("in")) && !str_eq(key->key, STR("out")) &&
            !str_eq(key->key, STR("cached")))
            rc = err_set_at(err, ERR_SYNTAX, key->key_line, key->key_column,
                            "model '%.*s': unknown key '%.*s'; there are in, cached and out",
                            STR_ARG(model->key), STR_ARG(key->key));
    if (rc == 0)
        rc = take_price(model, "in", &ret_price->in, err);
    if (rc == 0)
        rc = take_price(model, "out", &ret_price->out, err);
    ret_price->cached = ret_price->in;
    if (rc == 0 && yaml_get(model, "cached"))
        rc = take_price(model, "cached", &ret_price->cached, err);
    return rc;
}

/* ---- the file ---- */

/* Tables in a terminal have it as it is. */
static bool is_currency(Str text)
{
    CLEANUP(buf_done) Buf shown = {0};

    utf8_add_printable(text, CURRENCY_MAX, &shown);
    return text.len && text.len <= CURRENCY_MAX && str_eq(buf_str(&shown), text);
}

static int check_models(const YamlNode *models, Err *err)
{
    LlmPrice price;
    int rc = yaml_expect(models, YAML_MAP, err);

    for (const YamlNode *model = models->first; rc == 0 && model; model = model->next)
        rc = price_of(model, &price, err);
    return rc;
}

static int read_root(LlmPrices *prices, const YamlNode *root, Err *err)
{
    int rc = yaml_expect(root, YAML_MAP, err);

    prices->currency = STR("USD");
    for (const YamlNode *node = root->first; rc == 0 && node; node = node->next) {
        if (str_eq(node->key, STR("currency"))) {
            rc = yaml_str(node, &prices->currency, err);
            if (rc == 0 && !is_currency(prices->currency))
                rc = yaml_mismatch(node, "a currency, such as USD or JPY", err);
        } else if (str_eq(node->key, STR("models"))) {
            prices->models = node;
            rc = check_models(node, err);
        } else {
            rc =
                err_set_at(err, ERR_SYNTAX, node->key_line, node->key_column,
                           "unknown key '%.*s'; there are currency and models", STR_ARG(node->key));
        }
    }
    return rc;
}

int llm_prices_read(Str text, LlmPrices **ret_prices, Err *err)
{
    LlmPrices *prices = mem_new(sizeof(*prices));
    const YamlNode *root = NULL;

    if (prices)
        prices->arena = arena_new(PRICES_ARENA);
    if (!prices || !prices->arena.block) {
        mem_free(prices);
        return err_set(err, ERR_MEMORY, "prices: out of memory");
    }
    int rc = yaml_read(text, &prices->arena, &root, err);
    if (rc == 0)
        rc = read_root(prices, root, err);
    if (rc) {
        llm_prices_free(prices);
        return rc;
    }
    *ret_prices = prices;
    return 0;
}

int llm_prices_load(const char *path, LlmPrices **ret_prices, Err *err)
{
    CLEANUP(buf_done) Buf text = {0};

    if (!path)
        return 0;
    int rc = log_file_read(path, YAML_BYTES_MAX, &text, err);
    if (rc == 0 && llm_prices_read(buf_str(&text), ret_prices, err))
        rc = err_wrap(err, "prices '%s': ", path);
    return rc;
}

void llm_prices_freep(LlmPrices **prices)
{
    *prices = llm_prices_free(*prices);
}

LlmPrices *llm_prices_free(LlmPrices *prices)
{
    if (!prices)
        return NULL;
    arena_done(&prices->arena);
    return mem_free(prices);
}

/* ---- sums ---- */

Str llm_prices_currency(const LlmPrices *prices)
{
    return prices->currency;
}

bool llm_price_find(const LlmPrices *prices, Str model, LlmPrice *ret_price)
{
    const YamlNode *node = prices->models ? prices->models->first : NULL;

    while (node && !str_eq(node->key, model))
        node = node->next;
    return node && price_of(node, ret_price, NULL) == 0;
}

uint64_t llm_price_exact(const LlmPrice *price, uint64_t prompt, uint64_t cached, uint64_t answer)
{
    if (cached > prompt)
        cached = prompt;
    return (prompt - cached) * price->in + cached * price->cached + answer * price->out;
}

bool llm_prices_cost(const LlmPrices *prices, Str model, const ModelFigures *figures,
                     uint64_t *ret_cost)
{
    const uint64_t *of = figures->of;
    LlmPrice price;

    if (!prices || !llm_price_find(prices, model, &price))
        return false;
    *ret_cost = llm_price_exact(&price, of[FIGURE_PROMPT], of[FIGURE_CACHED], of[FIGURE_ANSWER]);
    return true;
}

void llm_money_write(uint64_t cost, Buf *out)
{
    char text[40];
    int n = snprintf(text, sizeof(text), "%" PRIu64 ".%012" PRIu64, cost / UINT64_C(1000000000000),
                     cost % UINT64_C(1000000000000));
    size_t end = n > 0 ? (size_t)n : 0;

    while (end > 3 && text[end - 1] == '0' && text[end - 3] != '.')
        end--;
    buf_add(out, (Str){text, end});
}

double llm_price_cost(const LlmPrice *price, uint64_t prompt, uint64_t cached, uint64_t answer)
{
    return (double)llm_price_exact(price, prompt, cached, answer) / 1e12;
}
