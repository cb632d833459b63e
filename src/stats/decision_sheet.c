#include "stats/decision_sheet.h"

#include "base/utf8.h"

#include <inttypes.h>

static const char head[] = "model decisions: ";
static const char middle[] = " its own";
static const char figures_head[] = "; figures: ";
static const char server_head[] = "; server ";
static const char model_head[] = "; model ";
static const char error_head[] = "; its server's error: ";

bool decisions_are_own(uint64_t own, uint64_t decisions)
{
    return decisions_reach(own, decisions, OWN_SHARE_USUAL);
}

bool decisions_reach(uint64_t own, uint64_t decisions, uint32_t percent)
{
    const uint64_t share = percent ? percent : OWN_SHARE_USUAL;
    const uint64_t rest = share < 100 ? 100 - share : 0;

    /* (decisions - own) * 100 <= decisions * rest, without a product that is too large */
    return own >= decisions ||
           decisions - own <= decisions / 100 * rest + decisions % 100 * rest / 100;
}

/* Into `ret`, which has room for `most` bytes and a zero: whole characters. */
static void keep_text(Str text, size_t most, char *ret)
{
    CLEANUP(buf_done) Buf printable = {0};

    utf8_add_printable(text, most, &printable);
    Str kept = buf_str(&printable);
    size_t bytes = kept.len < most ? kept.len : most;
    while (bytes > 0 && bytes < kept.len && ((unsigned char)kept.bytes[bytes] & 0xC0) == 0x80)
        bytes--;
    memset(ret, 0, most + 1);
    if (bytes)
        memcpy(ret, kept.bytes, bytes);
}

void decision_sheet_set_error(DecisionSheet *sheet, Str error)
{
    keep_text(error, DECISION_ERROR_MAX, sheet->error);
}

void decision_model_set(DecisionModel *model, Str name, Str server)
{
    keep_text(name, DECISION_MODEL_MAX, model->name);
    keep_text(server, DECISION_SERVER_MAX, model->server);
}

static void write_figures(const ModelFigures *figures, Buf *out)
{
    const char *before = figures_head;

    for (ModelFigure figure = FIGURE_REQUESTS; figure < FIGURE_COUNT; figure++) {
        if (!figures->of[figure])
            continue;
        buf_printf(out, "%s%s %" PRIu64, before, model_figure_name(figure), figures->of[figure]);
        before = ", ";
    }
}

void decision_sheet_write(const DecisionSheet *sheet, Buf *out)
{
    buf_printf(out, "%s%" PRIu64 " of %" PRIu64 "%s", head, sheet->own, sheet->decisions, middle);
    write_figures(&sheet->figures, out);
    if (sheet->model.name[0])
        buf_printf(out, "%s%s%s%s", server_head, sheet->model.server, model_head,
                   sheet->model.name);
    if (sheet->error[0])
        buf_printf(out, "%s%s", error_head, sheet->error);
}

/* Cuts what `text` begins with. */
static bool cut_word(Str *text, const char *word)
{
    Str begin = str_of(word);

    if (!str_starts(*text, begin))
        return false;
    *text = str_part(*text, begin.len, text->len);
    return true;
}

static bool cut_number(Str *text, uint64_t max, uint64_t *ret_number)
{
    size_t digits = 0;

    while (digits < text->len && text->bytes[digits] >= '0' && text->bytes[digits] <= '9')
        digits++;
    if (!str_to_uint(str_part(*text, 0, digits), max, ret_number))
        return false;
    *text = str_part(*text, digits, text->len);
    return true;
}

/* What stands in `text` before `mark`, which is cut off with it; all of it without a mark. */
static Str cut_before(Str *text, const char *mark)
{
    Str whole = *text, end = str_of(mark);

    for (size_t at = 0; at < whole.len; at++)
        if (str_starts(str_part(whole, at, whole.len), end)) {
            *text = str_part(whole, at, whole.len);
            return str_part(whole, 0, at);
        }
    *text = (Str){0};
    return whole;
}

/* An address has no blanks, so it can't hold what stands before the model's name. */
static bool cut_model(Str *text, DecisionModel *model)
{
    if (!cut_word(text, server_head))
        return true;
    Str server = cut_before(text, model_head);
    if (!cut_word(text, model_head))
        return false;
    decision_model_set(model, cut_before(text, error_head), server);
    return true;
}

/* "; figures: requests 44, leaks 1", when they are there. */
static bool cut_figures(Str *text, ModelFigures *figures)
{
    bool more = cut_word(text, figures_head);

    while (more) {
        size_t at = 0;
        if (!str_find(*text, STR(" "), &at))
            return false;
        Str name = str_part(*text, 0, at);
        const ModelFigure figure = model_figure_of(name);
        *text = str_part(*text, at + 1, text->len);
        if (figure == FIGURE_COUNT || !cut_number(text, INT64_MAX, &figures->of[figure]))
            return false;
        more = cut_word(text, ", ");
    }
    return true;
}

bool decision_sheet_read(Str line, DecisionSheet *ret_sheet)
{
    DecisionSheet sheet = {0};

    if (!cut_word(&line, head) || !cut_number(&line, UINT32_MAX, &sheet.own) ||
        !cut_word(&line, " of ") || !cut_number(&line, UINT32_MAX, &sheet.decisions) ||
        !cut_word(&line, middle) || sheet.own > sheet.decisions ||
        !cut_figures(&line, &sheet.figures) || !cut_model(&line, &sheet.model))
        return false;
    if (line.len && !cut_word(&line, error_head))
        return false;
    decision_sheet_set_error(&sheet, line);
    *ret_sheet = sheet;
    return true;
}

DecisionSheet decision_sheet_beyond(const DecisionSheet *whole, const DecisionSheet *told)
{
    DecisionSheet rest = *whole;

    rest.decisions -= told->decisions < rest.decisions ? told->decisions : rest.decisions;
    rest.own -= told->own < rest.own ? told->own : rest.own;
    if (rest.own > rest.decisions)
        rest.own = rest.decisions;
    rest.figures = model_figures_beyond(&whole->figures, &told->figures);
    return rest;
}

bool decision_sheet_find(Str lines, DecisionSheet *ret_sheet)
{
    bool found = false;

    while (lines.len)
        found |= decision_sheet_read(str_trim(str_cut(&lines, '\n')), ret_sheet);
    return found;
}

void decision_note_write(const DecisionNote *note, Buf *out)
{
    buf_printf(out, "decisions in stage %" PRIu32 ", set %" PRIu64 ", of %.*s: ", note->stage,
               note->set, STR_ARG(note->agent));
    decision_sheet_write(&note->sheet, out);
}

bool decision_note_read(Str text, DecisionNote *ret_note)
{
    DecisionNote note = {0};
    uint64_t stage = 0;

    if (!cut_word(&text, "decisions in stage ") || !cut_number(&text, UINT32_MAX, &stage) ||
        !cut_word(&text, ", set ") || !cut_number(&text, INT64_MAX, &note.set) ||
        !cut_word(&text, ", of "))
        return false;
    for (size_t i = 0; i + 2 < text.len; i++) {
        if (!str_starts(str_part(text, i, text.len), STR(": model decisions: ")) ||
            !decision_sheet_read(str_part(text, i + 2, text.len), &note.sheet))
            continue;
        note.stage = (uint32_t)stage;
        note.agent = str_part(text, 0, i);
        *ret_note = note;
        return i > 0;
    }
    return false;
}
