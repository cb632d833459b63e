#include "record/live_letter.h"

#include <assert.h>

typedef enum LetterKind {
    LETTER_BEGINS,
    LETTER_HEARD,
    LETTER_SAID,
    LETTER_FAULT,
    LETTER_CLOCK,
    LETTER_ASKED,
    LETTER_NOTICE,
    LETTER_ENDS,
} LetterKind;

/* Behind it stand `id_bytes` of the game's id, then `body_bytes` of what is told. */
typedef struct LetterHead {
    LetterKind kind;
    TimeUs at;
    size_t id_bytes;
    size_t body_bytes;
} LetterHead;

typedef struct ClockBody {
    TimeUs until;
    Action action;
    bool paused;
} ClockBody;

/* ---- writing ---- */

static void write_struct(Buf *bytes, const void *from, size_t n)
{
    buf_add(bytes, (Str){from, n});
}

/* Where the body begins. */
static size_t begin_letter(Buf *bytes, LetterKind kind, Str id, TimeUs at)
{
    const LetterHead head = {.kind = kind, .at = at, .id_bytes = id.len};

    write_struct(bytes, &head, sizeof(head));
    buf_add(bytes, id);
    return bytes->len;
}

/* With a body of which not all is there the letter is as it was before. */
static void end_letter(Buf *bytes, size_t body, size_t id_bytes)
{
    const size_t at = body - id_bytes - sizeof(LetterHead);
    LetterHead head;

    if (buf_failed(bytes)) {
        buf_cut(bytes, at);
        bytes->failed = true;
        return;
    }
    memcpy(&head, bytes->bytes + at, sizeof(head));
    head.body_bytes = bytes->len - body;
    memcpy(bytes->bytes + at, &head, sizeof(head));
}

static void write_text(Buf *bytes, Str text)
{
    write_struct(bytes, &text.len, sizeof(text.len));
    buf_add(bytes, text);
}

static void write_head(Buf *bytes, const DocHead *head)
{
    write_struct(bytes, head, sizeof(*head));
    write_struct(bytes, head->rules, sizeof(*head->rules));
    write_text(bytes, str_of(head->language));
    write_text(bytes, str_of(head->form));
    write_text(bytes, head->source_name);
    for (SeatNo seat = 1; seat <= head->seat_count; seat++) {
        const DocSeat *own = &head->seats[seat];
        const Str texts[] = {own->name, own->agent, own->team, own->kind, own->profile};
        for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
            write_text(bytes, texts[i]);
    }
}

static void letter_begins(void *user, const DocHead *head, TimeUs now)
{
    Buf *bytes = &((LiveLetter *)user)->bytes;
    const size_t body = begin_letter(bytes, LETTER_BEGINS, head->id, now);

    write_head(bytes, head);
    end_letter(bytes, body, head->id.len);
}

static void letter_heard(void *user, Str id, const Event *event, TimeUs now)
{
    Buf *bytes = &((LiveLetter *)user)->bytes;
    const size_t body = begin_letter(bytes, LETTER_HEARD, id, now);

    write_struct(bytes, event, sizeof(*event));
    if (event->talk) {
        write_struct(bytes, event->talk, sizeof(*event->talk));
        write_text(bytes, event->talk->text);
    }
    end_letter(bytes, body, id.len);
}

static void letter_said(void *user, Str id, const DocSaid *said, TimeUs now)
{
    Buf *bytes = &((LiveLetter *)user)->bytes;
    const size_t body = begin_letter(bytes, LETTER_SAID, id, now);

    write_struct(bytes, said, sizeof(*said));
    write_text(bytes, said->text);
    end_letter(bytes, body, id.len);
}

static void letter_fault(void *user, Str id, const Fault *fault, TimeUs now)
{
    Buf *bytes = &((LiveLetter *)user)->bytes;
    const size_t body = begin_letter(bytes, LETTER_FAULT, id, now);

    write_struct(bytes, fault, sizeof(*fault));
    write_text(bytes, str_of(fault->request));
    write_text(bytes, fault->bytes);
    end_letter(bytes, body, id.len);
}

static void letter_clock(void *user, Str id, Action action, TimeUs until, bool paused, TimeUs now)
{
    Buf *bytes = &((LiveLetter *)user)->bytes;
    const ClockBody clock = {.until = until, .action = action, .paused = paused};
    const size_t body = begin_letter(bytes, LETTER_CLOCK, id, now);

    write_struct(bytes, &clock, sizeof(clock));
    end_letter(bytes, body, id.len);
}

static void letter_asked(void *user, Str id, SeatNo seat, TimeUs now)
{
    Buf *bytes = &((LiveLetter *)user)->bytes;
    const size_t body = begin_letter(bytes, LETTER_ASKED, id, now);

    write_struct(bytes, &seat, sizeof(seat));
    end_letter(bytes, body, id.len);
}

static void letter_notice(void *user, Str id, Str text, TimeUs now)
{
    Buf *bytes = &((LiveLetter *)user)->bytes;
    const size_t body = begin_letter(bytes, LETTER_NOTICE, id, now);

    write_text(bytes, text);
    end_letter(bytes, body, id.len);
}

static void letter_ends(void *user, Str id, bool aborted, TimeUs now)
{
    Buf *bytes = &((LiveLetter *)user)->bytes;
    const size_t body = begin_letter(bytes, LETTER_ENDS, id, now);

    write_struct(bytes, &aborted, sizeof(aborted));
    end_letter(bytes, body, id.len);
}

LiveSink live_letter_sink(LiveLetter *letter)
{
    return (LiveSink){.begins = letter_begins,
                      .heard = letter_heard,
                      .said = letter_said,
                      .fault = letter_fault,
                      .clock = letter_clock,
                      .asked = letter_asked,
                      .notice = letter_notice,
                      .ends = letter_ends,
                      .user = letter};
}

/* ---- reading ---- */

static Str read_part(Str *rest, size_t n)
{
    Str part = str_part(*rest, 0, n);

    *rest = str_part(*rest, n, rest->len);
    return part;
}

static void read_struct(Str *rest, void *to, size_t n)
{
    Str part = read_part(rest, n);

    assert(part.len == n); /* what this file has written is whole */
    memcpy(to, part.bytes, n);
}

static Str read_text(Str *rest)
{
    size_t n;

    read_struct(rest, &n, sizeof(n));
    return read_part(rest, n);
}

LiveFirst live_letter_first(Str rest)
{
    LetterHead head;

    read_struct(&rest, &head, sizeof(head));
    return (LiveFirst){.at = head.at,
                       .id = str_part(rest, 0, head.id_bytes),
                       .begins = head.kind == LETTER_BEGINS,
                       .ends = head.kind == LETTER_ENDS,
                       .bytes = sizeof(head) + head.id_bytes + head.body_bytes};
}

/* A copy of a text that was terminated. */
typedef struct ShortText {
    char bytes[64];
} ShortText;

static const char *keep_short(Str text, ShortText *to)
{
    const size_t n = text.len < sizeof(to->bytes) ? text.len : sizeof(to->bytes) - 1;

    if (n)
        memcpy(to->bytes, text.bytes, n);
    to->bytes[n] = '\0';
    return to->bytes;
}

static void tell_begins(Str id, Str body, const LiveSink *sink, TimeUs at)
{
    DocSeat seats[SEAT_MAX + 1];
    ShortText language, form;
    DocHead head;
    Ruleset rules;

    read_struct(&body, &head, sizeof(head));
    read_struct(&body, &rules, sizeof(rules));
    head.id = id;
    head.rules = &rules;
    head.language = keep_short(read_text(&body), &language);
    head.form = keep_short(read_text(&body), &form);
    head.source_name = read_text(&body);
    seats[0] = (DocSeat){0};
    head.seats = seats;
    for (SeatNo seat = 1; seat <= head.seat_count; seat++) {
        DocSeat *own = &seats[seat];
        Str *texts[] = {&own->name, &own->agent, &own->team, &own->kind, &own->profile};
        for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
            *texts[i] = read_text(&body);
    }
    sink->begins(sink->user, &head, at);
}

static void tell_heard(Str id, Str body, const LiveSink *sink, TimeUs at)
{
    Event event;
    Talk talk;

    read_struct(&body, &event, sizeof(event));
    if (event.talk) {
        read_struct(&body, &talk, sizeof(talk));
        talk.text = read_text(&body);
        talk.sentence = NULL; /* it lives no longer */
        event.talk = &talk;
    }
    sink->heard(sink->user, id, &event, at);
}

static void tell_said(Str id, Str body, const LiveSink *sink, TimeUs at)
{
    DocSaid said;

    read_struct(&body, &said, sizeof(said));
    said.text = read_text(&body);
    sink->said(sink->user, id, &said, at);
}

static void tell_fault(Str id, Str body, const LiveSink *sink, TimeUs at)
{
    ShortText request;
    Fault fault;

    read_struct(&body, &fault, sizeof(fault));
    fault.request = keep_short(read_text(&body), &request);
    fault.bytes = read_text(&body);
    sink->fault(sink->user, id, &fault, at);
}

static void tell_clock(Str id, Str body, const LiveSink *sink, TimeUs at, TimeUs later)
{
    ClockBody clock;

    read_struct(&body, &clock, sizeof(clock));
    if (clock.until != TIME_US_NEVER)
        clock.until += later;
    sink->clock(sink->user, id, clock.action, clock.until, clock.paused, at);
}

static void tell_asked(Str id, Str body, const LiveSink *sink, TimeUs at)
{
    SeatNo seat;

    read_struct(&body, &seat, sizeof(seat));
    sink->asked(sink->user, id, seat, at);
}

static void tell_ends(Str id, Str body, const LiveSink *sink, TimeUs at)
{
    bool aborted;

    read_struct(&body, &aborted, sizeof(aborted));
    sink->ends(sink->user, id, aborted, at);
}

bool live_letter_tell(Str *rest, const LiveSink *sink, TimeUs later)
{
    LetterHead head;

    if (rest->len < sizeof(head))
        return false;
    read_struct(rest, &head, sizeof(head));
    const Str id = read_part(rest, head.id_bytes);
    Str body = read_part(rest, head.body_bytes);
    const TimeUs at = head.at + later;
    switch (head.kind) {
    case LETTER_BEGINS:
        if (sink->begins)
            tell_begins(id, body, sink, at);
        break;
    case LETTER_HEARD:
        if (sink->heard)
            tell_heard(id, body, sink, at);
        break;
    case LETTER_SAID:
        if (sink->said)
            tell_said(id, body, sink, at);
        break;
    case LETTER_FAULT:
        if (sink->fault)
            tell_fault(id, body, sink, at);
        break;
    case LETTER_CLOCK:
        if (sink->clock)
            tell_clock(id, body, sink, at, later);
        break;
    case LETTER_ASKED:
        if (sink->asked)
            tell_asked(id, body, sink, at);
        break;
    case LETTER_NOTICE:
        if (sink->notice)
            sink->notice(sink->user, id, read_text(&body), at);
        break;
    case LETTER_ENDS:
        if (sink->ends)
            tell_ends(id, body, sink, at);
        break;
    }
    return true;
}
