#include "judging/judge_items.h"

#include "wire/json_read.h"

void judge_item_write(const SheetRow *row, Json *json)
{
    json_open(json, '{');
    json_add_int(json, "sheet", row->id);
    json_add_str(json, "track", buf_str(&row->track));
    json_add_str(json, "criterion", str_of(criterion_letter(row->criterion)));
    json_add_str(json, "model", buf_str(&row->model));
    json_add_uint(json, "repeat", row->repeat);
    json_key(json, STR("order"));
    json_open(json, '[');
    for (SeatNo i = 0; i < row->seat_count; i++)
        json_put_uint(json, row->order[i]);
    json_close(json);
    json_add_str(json, "folder", buf_str(&row->folder));
    json_add_str(json, "log", buf_str(&row->log));
    json_close(json);
}

int judge_item_read(const json_t *json, SheetRow *ret_row, Err *err)
{
    const json_t *order = json_get(json, "order");
    int64_t seat;

    if (!json_is_map(json) || json_count(order) > SEAT_MAX ||
        !criterion_of(json_text(json, "criterion"), &ret_row->criterion))
        return err_set(err, ERR_SYNTAX, "a sheet of the job is none");
    ret_row->id = json_number(json, "sheet");
    ret_row->repeat = (uint32_t)json_number(json, "repeat");
    for (size_t i = 0; i < json_count(order); i++) {
        if (!json_as_int(json_at(order, i), &seat) || seat < 1 || seat > SEAT_MAX)
            return err_set(err, ERR_SYNTAX, "a sheet of the job has a seat that is none");
        ret_row->order[ret_row->seat_count++] = (SeatNo)seat;
    }
    buf_add(&ret_row->track, json_text(json, "track"));
    buf_add(&ret_row->model, json_text(json, "model"));
    buf_add(&ret_row->folder, json_text(json, "folder"));
    buf_add(&ret_row->log, json_text(json, "log"));
    return buf_failed(&ret_row->track) || buf_failed(&ret_row->model) ||
                   buf_failed(&ret_row->folder) || buf_failed(&ret_row->log)
               ? err_set(err, ERR_MEMORY, "a job of judges: out of memory")
               : 0;
}
