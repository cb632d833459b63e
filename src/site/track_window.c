#include "site/track_window.h"

#include "site/track_notice.h"

const RulesWindow *track_window_open(const TrackTurn *turn, uint32_t track)
{
    for (uint32_t i = 0; i < turn->rules->window_count; i++) {
        const RulesWindow *window = &turn->rules->windows[i];
        if (window->track == track && window->from_ms <= turn->now_ms &&
            turn->now_ms < window->to_ms)
            return window;
    }
    return NULL;
}

bool track_window_left(const TrackTurn *turn, uint32_t track)
{
    for (uint32_t i = 0; i < turn->rules->window_count; i++)
        if (turn->rules->windows[i].track == track && turn->now_ms < turn->rules->windows[i].to_ms)
            return true;
    return false;
}

int track_window_tell_closed(const TrackTurn *turn, uint32_t number, Err *err)
{
    int rc = 0;

    for (uint32_t i = 0; i < turn->rules->window_count && rc == 0; i++) {
        const RulesWindow *window = &turn->rules->windows[i];
        if (window->track == number && turn->now_ms >= window->to_ms)
            rc = track_tell_window(turn, &turn->rules->tracks[number], window, false, err);
    }
    return rc;
}
