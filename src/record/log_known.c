#include "record/log_known.h"

#include "record/log_check.h"

SeatSet log_with_role(const LogGame *log, Role role)
{
    SeatSet seats = 0;

    for (SeatNo seat = 1; seat <= log->seat_count; seat++)
        if (log->roles[seat] == role)
            seats |= seat_bit(seat);
    return seats;
}

void log_known_guess(const LogGame *log, SeatSet *ret_known)
{
    SeatSet all = seat_all(log->seat_count), wolves = log_with_role(log, ROLE_WEREWOLF);
    SeatSet actors = wolves | log_with_role(log, ROLE_SEER) | log_with_role(log, ROLE_BODYGUARD);

    for (size_t i = 0; i < log->count; i++) {
        const LogLine *line = &log->lines[i];
        switch ((LogLineKind)line->kind) {
        case LOG_WHISPER:
        case LOG_ATTACK_VOTE:
        case LOG_ATTACK:
            ret_known[i] = wolves;
            break;
        case LOG_DIVINE:
        case LOG_GUARD:
            ret_known[i] = seat_bit(line->seat);
            break;
        case LOG_EXECUTE:
            ret_known[i] = log->form == LOG_FORM_NLP ? all : actors & ~seat_bit(line->seat);
            break;
        case LOG_STATUS:
        case LOG_TALK:
        case LOG_VOTE:
        case LOG_RESULT:
        case LOG_KIND_COUNT:
            ret_known[i] = all;
            break;
        }
    }
}

static void take_known(void *user, const Event *event, size_t first, size_t lines)
{
    SeatSet *known = user;

    for (size_t i = first; i < first + lines; i++)
        known[i] = event->known_to;
}

int log_known(Str text, const LogGame *log, SeatSet *known, Err *err)
{
    LogCheckOptions options = {.listen = take_known, .user = known};
    LogVerdict verdict;

    if (log->form == LOG_FORM_NLP) { /* there is no replay of it */
        log_known_guess(log, known);
        return 0;
    }
    int rc = log_check(text, &options, &verdict, err);

    if (rc == 0 && !verdict.ok)
        log_known_guess(log, known);
    return rc;
}
