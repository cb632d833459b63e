#include "bot/pick.h"

#define BID_NAMED  3
#define BID_LITTLE 1

uint8_t pick_bid(const View *view)
{
    const TalkLog *log = view->talk;
    size_t at;

    for (uint32_t i = log->count; i > 0; i--) {
        const Talk *talk = &log->items[i - 1];
        if (talk->seat == view->seat)
            return talk->over ? 0 : talk->skip ? BID_LITTLE : BID_UNSAID;
        if (str_find(talk->text, view->names[view->seat], &at))
            return i == log->count ? BID_NAMED : BID_UNSAID;
    }
    return BID_UNSAID;
}
