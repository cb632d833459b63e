#include "game/bid.h"

uint8_t bid_of(const Answer *answer)
{
    if (answer->lapse)
        return BID_UNSAID;
    return answer->bid < BID_MAX ? answer->bid : BID_MAX;
}

bool bid_read(Str text, Answer *ret_answer)
{
    text = str_trim(text);
    *ret_answer = (Answer){.kind = ASK_BID};
    if (!text.len || text.bytes[0] < '0' || text.bytes[0] > '9') {
        ret_answer->lapse = true;
        return false;
    }
    /* "10" is more than there is, as "7" is. */
    bool long_number = text.len > 1 && text.bytes[1] >= '0' && text.bytes[1] <= '9';
    ret_answer->bid = long_number ? BID_MAX : (uint8_t)(text.bytes[0] - '0');
    ret_answer->bid = bid_of(ret_answer);
    return true;
}
