#include "audit/audit_judging_own.h"
#include "audit/audit_verdict.h"
#include "base/mem.h"
#include "judging/track_rates.h"
#include "proof/ledger.h"

/* ---- sheets ---- */

/* The next line of sheets.jsonl; NULL behind the last, or when it is none. */
static int next_line(JudgingAudit *audit, json_t **ret_json, Err *err)
{
    Err own = {0};

    *ret_json = NULL;
    if (!audit->rest.len) {
        audit_contradict(audit->verdict, SHEETS_FILE, audit->line,
                         "more sheets follow from the key than are here");
        return 0;
    }
    audit->line++;
    int rc = json_read(str_cut(&audit->rest, '\n'), JUDGING_LINE_BYTES, ret_json, &own);
    if (rc == ERR_MEMORY)
        return judging_no_memory(err);
    if (rc)
        audit_contradict(audit->verdict, SHEETS_FILE, audit->line, "%s", own.msg);
    return 0;
}

static bool same_order(const PlannedSheet *sheet, const json_t *order)
{
    int64_t seat;

    if (json_count(order) != sheet->seat_count)
        return false;
    for (SeatNo i = 0; i < sheet->seat_count; i++)
        if (!json_as_int(json_at(order, i), &seat) || seat != sheet->order[i])
            return false;
    return true;
}

/* What of the line is not as it was planned; NULL: nothing. */
static const char *difference(const JudgingAudit *audit, const PlannedSheet *sheet, Str judge,
                              const json_t *line)
{
    const JudgedTrack *track = &audit->tracks[audit->track];
    bool calibration = false;

    if (!str_eq(json_text(line, "track"), track->name) ||
        !str_eq(json_text(line, "log"), str_of(track->games[track->picked[sheet->game]].log)))
        return "another game was picked than the key picks";
    if (!str_eq(json_text(line, "judge"), judge))
        return "another judge has it than the key assigns";
    if (!str_eq(json_text(line, "criterion"), str_of(criterion_letter(sheet->criterion))) ||
        json_number(line, "repeat") != sheet->repeat ||
        !json_as_bool(json_get(line, "calibration"), &calibration) ||
        calibration != sheet->calibration)
        return "another sheet stands here than follows from the key";
    return same_order(sheet, json_get(line, "order"))
               ? NULL
               : "it shows the seats in another order than the key";
}

static int keep_sheet(JudgingAudit *audit, const PlannedSheet *sheet, uint32_t judge,
                      const json_t *line, Err *err)
{
    const size_t at = audit->sheet_count;
    JudgedSheet *sheets = (at & (at + 1)) == 0
                              ? mem_resize(audit->sheets, 2 * at + 2, sizeof(*sheets))
                              : audit->sheets;

    if (!sheets)
        return judging_no_memory(err);
    audit->sheets = sheets;
    sheets[at] = (JudgedSheet){.id = json_number(line, "sheet"),
                               .track = audit->track,
                               .game = audit->tracks[audit->track].picked[sheet->game],
                               .judge = judge,
                               .model = sheet->model,
                               .done = str_eq(json_text(line, "state"), STR("DONE")),
                               .calibration = sheet->calibration,
                               .score = {.criterion = sheet->criterion, .repeat = sheet->repeat},
                               .seat_count = sheet->seat_count};
    memcpy(sheets[at].score.order, sheet->order, sizeof(sheet->order));
    audit->sheet_count++;
    return 0;
}

static int hear_planned(void *user, const PlannedSheet *sheet, Err *err)
{
    JudgingAudit *audit = user;
    const bool person = sheet->judge < audit->judge_count;
    char name[24] = "";
    json_t *line = NULL;

    if (judging_is_contradicted(audit))
        return 0;
    audit->planned++;
    if (person && !audit->people[sheet->judge])
        audit->people[sheet->judge] = ++audit->named;
    if (person)
        snprintf(name, sizeof(name), "J%u", audit->people[sheet->judge]);
    int rc = next_line(audit, &line, err);
    if (rc || !line)
        return rc;
    const char *why = difference(audit, sheet, person ? str_of(name) : sheet->model, line);
    if (why)
        audit_contradict(audit->verdict, SHEETS_FILE, audit->line, "%s", why);
    else
        rc = keep_sheet(audit, sheet, person ? audit->people[sheet->judge] : 0, line, err);
    json_done(line);
    return rc;
}

/* ---- who judges ---- */

static bool sits_in(const JudgedTrack *track, uint32_t pick, Str family)
{
    const PickGame *game = &track->games[track->picked[pick]].seats;

    for (SeatNo seat = 1; seat <= game->seat_count; seat++)
        if (str_eq(track_rates_family(str_of(track->teams[game->teams[seat]])), family))
            return true;
    return false;
}

static uint32_t count_words(Str words)
{
    uint32_t count = 0;

    for (; words.len; count++)
        str_cut(&words, ' ');
    return count;
}

/* The words of the ledger's entry, one a judge: its own team, "-". */
static int plan_sheets(JudgingAudit *audit, Str judges, Err *err)
{
    const JudgedTrack *track = &audit->tracks[audit->track];
    const uint32_t count = count_words(judges), games = track->pick_count;
    CLEANUP(mem_freep) bool *barred = mem_new((size_t)count * games + 1);

    if (audit->track == 0) {
        audit->judge_count = count;
        audit->people = mem_new(((size_t)count + 1) * sizeof(*audit->people));
    }
    if (!barred || !audit->people)
        return judging_no_memory(err);
    for (uint32_t judge = 0; judge < count; judge++) {
        const Str family = str_cut(&judges, ' ');
        for (uint32_t i = 0; i < games; i++)
            barred[(size_t)judge * games + i] = sits_in(track, i, family);
    }
    const SheetsPlace place = {.games = track->picks,
                               .game_count = games,
                               .team_count = track->pick_teams,
                               .judge_count = count,
                               .barred = barred};
    audit->plan.track = track->name;
    audit->plan.calibration = audit->track == 0 ? SHEETS_CALIBRATION : 0;
    audit->planned = 0;
    return sheets_plan(&audit->plan, &place, hear_planned, audit, err);
}

static int check_track(JudgingAudit *audit, Err *err)
{
    const JudgedTrack *track = &audit->tracks[audit->track];
    const json_t *entry = judging_first_entry(audit, "sheets", "track", track->name);
    CLEANUP(buf_done) Buf count = {0};
    Str judges;
    Err own = {0};
    int rc = judged_read_games(audit, entry ? judging_entry_number(entry) : JUDGING_NEVER, err);

    if (rc || judging_is_contradicted(audit))
        return rc;
    if (!entry || !json_as_str(json_get(entry, "judges"), &judges) ||
        (audit->track && count_words(judges) != audit->judge_count)) {
        audit_contradict(audit->verdict, LEDGER_FILE, entry ? judging_entry_line(entry) : 0,
                         "it does not say who judges track %.*s", STR_ARG(track->name));
        return 0;
    }
    if (judging_last_entry(audit, "sheets", "track", track->name) != entry)
        audit_contradict(audit->verdict, LEDGER_FILE, judging_entry_line(entry),
                         "sheets of track %.*s were drawn, and then again", STR_ARG(track->name));
    rc = plan_sheets(audit, judges, &own);
    if (rc == ERR_MEMORY)
        return judging_no_memory(err);
    if (rc)
        audit_contradict(audit->verdict, LEDGER_FILE, judging_entry_line(entry), "%s", own.msg);
    buf_add_uint(&count, audit->planned);
    if (!str_eq(buf_str(&count), json_text(entry, "sheets")))
        audit_contradict(audit->verdict, LEDGER_FILE, judging_entry_line(entry),
                         "track %.*s has %u sheets by its key, not as many as this entry says",
                         STR_ARG(track->name), audit->planned);
    return 0;
}

int judging_check_sheets(JudgingAudit *audit, Err *err)
{
    int rc = judging_read_file(audit, SHEETS_FILE, &audit->text, err);

    audit->rest = buf_str(&audit->text);
    for (audit->track = 0;
         rc == 0 && audit->track < audit->track_count && !judging_is_contradicted(audit);
         audit->track++)
        rc = check_track(audit, err);
    if (rc == 0 && audit->rest.len)
        audit_contradict(audit->verdict, SHEETS_FILE, audit->line + 1,
                         "a sheet that does not follow from the key");
    return rc;
}
