#include "journal/journal_line_parts.h"

#include "base/utf8.h"

#include <zlib.h>

int journal_line_check_name(SeatNo seat, Str name, Err *err)
{
    if (name.len == 0 || name.len > AGENT_NAME_MAX)
        return err_set(err, ERR_RULE, "seat %u: the name has %zu bytes; 1 to %d are kept", seat,
                       name.len, AGENT_NAME_MAX);
    if (!utf8_valid(name) || memchr(name.bytes, '\0', name.len))
        return err_set(err, ERR_RULE, "seat %u: the name is not UTF-8 text", seat);
    return 0;
}

bool journal_line_is_inside(Str path)
{
    if (path.len == 0 || path.bytes[0] == '/' || !utf8_valid(path) ||
        memchr(path.bytes, '\0', path.len))
        return false;
    while (path.len) {
        Str part = str_cut(&path, '/');
        if (str_eq(part, STR("..")))
            return false;
    }
    return true;
}

static int check_figure(const char *what, uint64_t number, Err *err)
{
    return number > SEAT_FIGURE_MAX
               ? err_set(err, ERR_LIMIT, "%s %llu is too large", what, (unsigned long long)number)
               : 0;
}

int journal_line_check_player(SeatNo seat, const SeatRecord *own, Err *err)
{
    int rc = own->team.len ? journal_line_check_name(seat, own->team, err) : 0;

    if (rc == 0 && (own->model.len > MODEL_NAME_MAX || !utf8_valid(own->model) ||
                    (own->model.len && memchr(own->model.bytes, '\0', own->model.len))))
        rc = err_set(err, ERR_RULE, "seat %u: the model's name has more than %d bytes, or no text",
                     seat, MODEL_NAME_MAX);
    if (rc == 0 && own->kind >= SEAT_KIND_COUNT)
        rc = err_set(err, ERR_RULE, "seat %u: who decides for it is not known", seat);
    if (rc == 0 && own->own > own->decisions)
        rc = err_set(err, ERR_RULE, "seat %u: more decisions of its own than decisions", seat);
    if (rc == 0)
        rc = check_figure("a number of decisions of", own->decisions, err);
    for (ModelFigure figure = FIGURE_REQUESTS; figure < FIGURE_COUNT && rc == 0; figure++)
        rc = check_figure(model_figure_name(figure), own->figures.of[figure], err);
    return rc;
}

static const char *const ruling_names[] = {"dismiss", "warn", "eliminate"};

const char *ruling_name(RulingDecision decision)
{
    return decision < RULING_COUNT ? ruling_names[decision] : "";
}

RulingDecision ruling_of(Str name)
{
    RulingDecision decision = RULING_DISMISS;

    while (decision < RULING_COUNT && !str_eq(name, str_of(ruling_names[decision])))
        decision++;
    return decision;
}

uint32_t journal_crc_add(uint32_t crc, Str bytes)
{
    return (uint32_t)crc32_z(crc, (const unsigned char *)bytes.bytes, bytes.len);
}
