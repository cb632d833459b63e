#include "judging/judge_answer.h"

#include "base/utf8.h"
#include "wire/json_read.h"

#define REASON_POINTS 400

void judge_answer_done(JudgeAnswer *answer)
{
    buf_done(&answer->reasons);
}

/* From the first brace to the last. */
static Str object_part(Str text)
{
    size_t from = 0, to;

    while (from < text.len && text.bytes[from] != '{')
        from++;
    if (!str_find_last(text, '}', &to) || to < from)
        return (Str){"", 0};
    return str_part(text, from, to - from + 1);
}

static Str cut_reason(Str text)
{
    Str rest = text;

    for (int points = 0; points < REASON_POINTS && rest.len; points++)
        utf8_next(&rest);
    return str_part(text, 0, text.len - rest.len);
}

static int check_lines(const json_t *row, const SheetView *view, Str name, Err *err)
{
    const json_t *lines = json_get(row, "lines");
    int64_t line;

    for (size_t i = 0; i < json_count(lines); i++)
        if (!json_as_int(json_at(lines, i), &line) || line < 1 || line > (int64_t)view->count)
            return err_set(err, ERR_RULE,
                           "'lines' of %.*s has a line that does not exist; they go "
                           "from 1 to %zu",
                           STR_ARG(name), view->count);
    return 0;
}

/* Where the reason stands is kept until all are there. */
typedef struct ReasonPlace {
    size_t at, len;
} ReasonPlace;

static int read_row(const json_t *row, const SheetView *view, JudgeAnswer *answer,
                    ReasonPlace places[static SEAT_MAX + 1], Err *err)
{
    const Str name = json_text(row, "name");
    const SeatNo seat = judge_game_seat(view->game, name);
    const json_t *rank = json_get(row, "rank"), *score = json_get(row, "score");
    int64_t value = 0;

    if (seat == SEAT_NONE)
        return err_set(err, ERR_RULE, "'%.60s' is no player's name", name.len ? name.bytes : "");
    if (answer->rank[seat])
        return err_set(err, ERR_RULE, "%.*s stands twice in the ranking", STR_ARG(name));
    if (!rank || !json_as_int(rank, &value) || value < 1 || value > view->game->seat_count)
        return err_set(err, ERR_RULE, "the rank of %.*s is no number from 1 to %u", STR_ARG(name),
                       view->game->seat_count);
    for (SeatNo other = 1; other <= view->game->seat_count; other++)
        if (answer->rank[other] == (uint32_t)value)
            return err_set(err, ERR_RULE, "%.*s and %.*s have the same rank, %u", STR_ARG(name),
                           STR_ARG(view->game->name[other]), (unsigned)value);
    answer->rank[seat] = (uint32_t)value;
    if (score && (!json_as_int(score, &value) || value < 1 || value > 5))
        return err_set(err, ERR_RULE, "the score of %.*s is no number from 1 to 5", STR_ARG(name));
    answer->score[seat] = score ? (uint32_t)value : 0;
    const Str reason = cut_reason(json_text(row, "reason"));
    places[seat] = (ReasonPlace){answer->reasons.len, reason.len};
    buf_add(&answer->reasons, reason);
    return check_lines(row, view, name, err);
}

static int read_ranking(const json_t *json, const SheetView *view, JudgeAnswer *answer, Err *err)
{
    const json_t *ranking = json_get(json, "ranking");
    ReasonPlace places[SEAT_MAX + 1] = {{0}};
    const Str letter = json_text(json, "criterion");
    int rc = 0;

    if (letter.len && !str_eq(letter, str_of(criterion_letter(view->criterion))))
        return err_set(err, ERR_RULE, "the criterion is %s", criterion_letter(view->criterion));
    if (!json_is_list(ranking))
        return err_set(err, ERR_RULE, "there is no list 'ranking'");
    for (size_t i = 0; i < json_count(ranking) && rc == 0; i++)
        rc = read_row(json_at(ranking, i), view, answer, places, err);
    for (SeatNo seat = 1; seat <= view->game->seat_count && rc == 0; seat++) {
        answer->reason[seat] =
            str_part(buf_str(&answer->reasons), places[seat].at, places[seat].len);
        if (!answer->rank[seat])
            rc = err_set(err, ERR_RULE, "%.*s is not ranked", STR_ARG(view->game->name[seat]));
    }
    return rc == 0 && buf_failed(&answer->reasons)
               ? err_set(err, ERR_MEMORY, "read a judge's answer: out of memory")
               : rc;
}

int judge_answer_read(Str text, const SheetView *view, JudgeAnswer *ret_answer, Err *err)
{
    const Str object = object_part(text);
    json_t *json = NULL;

    if (object.len == 0)
        return err_set(err, ERR_SYNTAX, "there is no JSON object");
    int rc = json_read(object, JUDGE_ANSWER_BYTES, &json, err);
    if (rc == 0)
        rc = read_ranking(json, view, ret_answer, err);
    json_done(json);
    return rc;
}

static double demerits(const SheetView *view, SeatNo seat)
{
    const SeatQuantities *own = &view->quantities[seat];
    const uint32_t lines = own->utterances - own->passes;

    return quantity_share(own->repeated, lines) + quantity_share(own->passes, own->utterances) +
           quantity_share(own->unknown, lines);
}

void judge_answer_demo(const SheetView *view, Buf *out)
{
    Json json = json_over(out);

    json_open(&json, '{');
    json_add_str(&json, "criterion", str_of(criterion_letter(view->criterion)));
    json_key(&json, STR("ranking"));
    json_open(&json, '[');
    for (SeatNo i = 0; i < view->game->seat_count; i++) {
        const double own = demerits(view, view->order[i]);
        unsigned rank = 1;
        for (SeatNo k = 0; k < view->game->seat_count; k++) {
            const double other = demerits(view, view->order[k]);
            rank += other < own || (k < i && !(other > own));
        }
        json_open(&json, '{');
        json_add_str(&json, "name", view->game->name[view->order[i]]);
        json_add_uint(&json, "rank", rank);
        json_close(&json);
    }
    json_close(&json);
    json_close(&json);
}
