/* What is told later to who is no operator: --delay. */
#include "web/site_own.h"

int64_t site_told_until(const WebSite *site, TimeUs now)
{
    return site->live.delay > 0 ? site->setup.date_of(now - site->live.delay) : INT64_MAX;
}

/* What ran before this server was started is not among the live tables: the date tells. */
bool site_withholds(const WebSite *site, bool sees_all, const CatalogueGame *game, TimeUs now)
{
    const WebLive *live = &site->live;

    return !sees_all && ((live->knows && live->knows(live->user, game->id)) ||
                         game->at_ms > site_told_until(site, now));
}

bool web_site_keeps(const WebSite *site, bool sees_all, Str id, TimeUs now)
{
    const CatalogueGame *game = catalogue_find(site->shared->catalogue, id);

    return game && (sees_all || !site->setup.closed) && !site_withholds(site, sees_all, game, now);
}
