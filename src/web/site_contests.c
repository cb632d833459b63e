/* Contest pages below /web/c/, the same as JSON, and search. */
#include "web/site_own.h"

static const char no_contest[] = "No such contest is here.";
static const char no_page[] = "A contest has no such page.";

/* Who looks at pages gets one; who asks for data, a word. */
static void refuse(WebSite *site, const WebVisit *visit, ContestForm form, const char *code,
                   const char *text)
{
    bool data = visit_query_is(visit, "format", "json") || visit_query_is(visit, "format", "csv");

    if (form == CONTEST_HTML && !data)
        site_nothing_here(site, visit);
    else
        visit_error(visit, 404, code, text);
}

/* DIR of the catalogue. */
static void write_dir(const Catalogue *catalogue, const CatalogueContest *contest, Buf *out)
{
    buf_add(out, str_of(catalogue_root(catalogue, contest->root)));
    if (contest->folder.len)
        buf_printf(out, "/%.*s", STR_ARG(contest->folder));
}

/* The name of a file of the pages, where it is there. */
static void put_asset(const WebSite *site, const char *file, char ret_name[CONTEST_FILE_MAX + 1])
{
    Asset asset;

    if (assets_file(site->assets, str_of(file), &asset) && asset.name.len <= CONTEST_FILE_MAX)
        snprintf(ret_name, CONTEST_FILE_MAX + 1, "%.*s", STR_ARG(asset.name));
}

static ContestFrame frame_of(const WebSite *site)
{
    ContestFrame frame = {.has_feed = site->live.home != NULL};

    put_asset(site, "contest.js", frame.script);
    put_asset(site, "icon.svg", frame.icon);
    return frame;
}

static void answer_contest(WebSite *site, const WebVisit *visit, ContestPage page, ContestForm form,
                           Str team)
{
    CLEANUP(buf_done) Buf dir = {0};
    const Catalogue *catalogue = site->shared->catalogue;
    size_t index = 0;

    if (!catalogue_find_contest(catalogue, visit->parts[0], &index)) {
        site_look_again(site, visit->request->now);
        refuse(site, visit, form, "no-contest", no_contest);
        return;
    }
    const CatalogueContest *contest = catalogue_contest(catalogue, index);
    write_dir(catalogue, contest, &dir);
    if (buf_failed(&dir)) {
        visit_error(visit, 503, "memory", "The server has no memory for this page.");
        return;
    }
    const ContestPlace place = {.id = contest->id,
                                .dir = buf_cstr(&dir),
                                .names_hidden = site->setup.names_hidden,
                                .seats_hidden = site->setup.seats_hidden,
                                .frame = frame_of(site),
                                .prices = site->setup.prices,
                                .now_ms = site->setup.date_of(visit->request->now),
                                .until_ms = site_told_until(site, visit->request->now)};
    contest_desk_answer(site->desk, visit, &place, page, form, team);
}

/* "c/cup", "c/cup/standings", "c/cup/team/alice". */
static void answer_page(WebSite *site, const WebVisit *visit, ContestForm form)
{
    ContestPage page = contest_page_of(visit->parts[1]);

    if (page == CONTEST_PAGES)
        refuse(site, visit, form, "no-page", no_page);
    else
        answer_contest(site, visit, page, form, STR(""));
}

void site_contest(void *user, const WebVisit *visit)
{
    answer_page(user, visit, CONTEST_HTML);
}

void site_contest_json(void *user, const WebVisit *visit)
{
    answer_page(user, visit, CONTEST_JSON);
}

void site_contest_team(void *user, const WebVisit *visit)
{
    answer_contest(user, visit, CONTEST_TEAM, CONTEST_HTML, visit->parts[1]);
}

void site_contest_team_json(void *user, const WebVisit *visit)
{
    answer_contest(user, visit, CONTEST_TEAM, CONTEST_JSON, visit->parts[1]);
}

/* ---- search ---- */

void site_search(void *user, const WebVisit *visit)
{
    WebSite *site = user;
    const SearchPlace place = {.shared = site->shared,
                               .paths = &site->setup.paths,
                               .names_hidden = site_hides_seats(site),
                               .until_ms = site_told_until(site, visit->request->now),
                               .is_hidden = site->live.knows,
                               .user = site->live.user};

    site_look_again(site, visit->request->now);
    search_answer(site->search, visit, &place);
}
