#include "judging/sheets_plan.h"

#include "base/mem.h"
#include "judging/sheet_assign.h"

/* Models' orders are drawn apart from people's. */
#define MODEL_NUMBERS ASSIGN_JUDGES_MAX

/* A plan under way. */
typedef struct Planning {
    const SheetsPlan *plan;
    const SheetsPlace *place;
    int (*hear)(void *user, const PlannedSheet *sheet, Err *err);
    void *user;
    uint32_t *chosen; /* games, then spares */
    uint32_t chosen_count, spare_count;
    bool *barred, *rates; /* [judge * chosen_count + n] */
    Key assign;
} Planning;

static void planning_done(Planning *planning)
{
    mem_free(planning->chosen);
    mem_free(planning->barred);
    mem_free(planning->rates);
}

static int no_room(Err *err)
{
    return err_set(err, ERR_MEMORY, "plan sheets: out of memory");
}

/* ---- which games, by whom ---- */

static int choose_games(Planning *planning, Err *err)
{
    const SheetsPlan *plan = planning->plan;
    const Key key = sheet_pick_key(plan->evaluation, plan->track);
    const PickWish pick = {.games = planning->place->games,
                           .count = planning->place->game_count,
                           .team_count = planning->place->team_count,
                           .wanted = plan->sheets,
                           .spares = plan->calibration,
                           .key = &key};

    planning->chosen =
        mem_new(((size_t)planning->place->game_count + 1) * sizeof(*planning->chosen));
    return planning->chosen ? sheet_pick(&pick, planning->chosen, &planning->chosen_count,
                                         &planning->spare_count, err)
                            : no_room(err);
}

static bool is_barred(const Planning *planning, uint32_t judge, uint32_t game)
{
    return planning->place->barred[(size_t)judge * planning->place->game_count + game];
}

static int assign_games(Planning *planning, Err *err)
{
    const uint32_t games = planning->chosen_count, judges = planning->place->judge_count;

    planning->barred = mem_new((size_t)judges * games + 1);
    planning->rates = mem_new((size_t)judges * games + 1);
    if (!planning->barred || !planning->rates)
        return no_room(err);
    for (uint32_t judge = 0; judge < judges; judge++)
        for (uint32_t i = 0; i < games; i++)
            planning->barred[judge * games + i] = is_barred(planning, judge, planning->chosen[i]);
    const AssignWish wish = {.games = games,
                             .judges = judges,
                             .raters = planning->plan->raters,
                             .barred = planning->barred,
                             .key = &planning->assign};
    return sheet_assign(&wish, planning->rates, err);
}

/* ---- sheets ---- */

/* `place`: of the game among those chosen and spare; `number`: of judge, or of model and repeat. */
static int hear_sheet(const Planning *planning, PlannedSheet *sheet, uint32_t place,
                      uint32_t number, Err *err)
{
    sheet->seat_count = planning->place->games[sheet->game].seat_count;
    sheet_order(&planning->assign, number, (uint64_t)place * CRITERION_COUNT + sheet->criterion,
                sheet->seat_count, sheet->order);
    return planning->hear(planning->user, sheet, err);
}

/* All criteria of a game, in the order in which they are rated. */
static int hear_criteria(const Planning *planning, PlannedSheet *sheet, uint32_t place,
                         uint32_t number, Err *err)
{
    const SeatNo seats = planning->place->games[sheet->game].seat_count;
    int rc = 0;

    for (unsigned turn = 0; turn < CRITERION_COUNT && rc == 0; turn++)
        for (unsigned i = 0; i < CRITERION_COUNT && rc == 0; i++)
            if (criterion_place((Criterion)i) == turn && (planning->plan->criteria & (1u << i)) &&
                criterion_fits((Criterion)i, seats)) {
                sheet->criterion = (Criterion)i;
                rc = hear_sheet(planning, sheet, place, number, err);
            }
    return rc;
}

/* The n-th game of a judge, or a model: the spares come first. */
static uint32_t place_of(const Planning *planning, uint32_t n, bool *ret_spare)
{
    *ret_spare = n < planning->spare_count;
    return *ret_spare ? planning->chosen_count + n : n - planning->spare_count;
}

static int hear_judge(const Planning *planning, uint32_t judge, Err *err)
{
    const uint32_t columns = planning->chosen_count + planning->spare_count;
    int rc = 0;

    for (uint32_t n = 0; n < columns && rc == 0; n++) {
        bool spare;
        const uint32_t i = place_of(planning, n, &spare);
        PlannedSheet sheet = {.game = planning->chosen[i], .judge = judge, .calibration = spare};
        if (spare ? !is_barred(planning, judge, sheet.game)
                  : planning->rates[judge * planning->chosen_count + i])
            rc = hear_criteria(planning, &sheet, i, judge, err);
    }
    return rc;
}

static int hear_model(const Planning *planning, uint32_t model, uint32_t repeat, Err *err)
{
    const uint32_t columns = planning->chosen_count + planning->spare_count;
    const uint32_t number = MODEL_NUMBERS + model * planning->plan->repeats + repeat;
    int rc = 0;

    for (uint32_t n = 0; n < columns && rc == 0; n++) {
        bool spare;
        const uint32_t i = place_of(planning, n, &spare);
        PlannedSheet sheet = {.game = planning->chosen[i],
                              .judge = UINT32_MAX,
                              .model = planning->plan->models[model],
                              .repeat = repeat,
                              .calibration = spare};
        rc = hear_criteria(planning, &sheet, i, number, err);
    }
    return rc;
}

static int hear_all(const Planning *planning, Err *err)
{
    int rc = 0;

    for (uint32_t judge = 0; judge < planning->place->judge_count && rc == 0; judge++)
        rc = hear_judge(planning, judge, err);
    for (uint32_t model = 0; model < planning->plan->model_count && rc == 0; model++)
        for (uint32_t repeat = 0; repeat < planning->plan->repeats && rc == 0; repeat++)
            rc = hear_model(planning, model, repeat, err);
    return rc;
}

int sheets_plan(const SheetsPlan *plan, const SheetsPlace *place,
                int (*hear)(void *user, const PlannedSheet *sheet, Err *err), void *user, Err *err)
{
    CLEANUP(planning_done)
    Planning planning = {.plan = plan,
                         .place = place,
                         .hear = hear,
                         .user = user,
                         .assign = sheet_assign_key(plan->evaluation, plan->track)};
    int rc = choose_games(&planning, err);

    if (rc == 0)
        rc = assign_games(&planning, err);
    return rc ? rc : hear_all(&planning, err);
}
