#include "serve/pages_thread.h"

#include "base/mem.h"
#include "disk/folder.h"
#include "net/mailbox.h"
#include "record/live_letter.h"

#include <pthread.h>
#include <signal.h>

struct PagesThread {
    Loop *loop;
    LivePages *pages;
    const char *folder;
    Mailbox *box;
    LiveLetter letter; /* that is being written */
    LiveSink writer;
    LiveSink sink;
    pthread_t thread;
    bool runs;
};

/* ---- on the thread of the pages ---- */

/* One byte is no letter of a sink: it is the end. */
static void read_letter(void *user, Str letter, TimeUs now)
{
    const PagesThread *thread = user;

    if (letter.len == 1) {
        live_pages_flush(thread->pages, now);
        loop_stop(thread->loop);
        return;
    }
    while (live_letter_tell(&letter, live_pages_sink(thread->pages), 0))
        ;
}

static void *run_pages(void *user)
{
    const PagesThread *thread = user;

    loop_run(thread->loop);
    return NULL;
}

/* ---- on the caller's ---- */

/* What does not fit into memory now goes with the next. */
static void post_letter(PagesThread *thread)
{
    mailbox_put(thread->box, &thread->letter.bytes);
}

static void thread_begins(void *user, const DocHead *head, TimeUs now)
{
    PagesThread *thread = user;

    thread->writer.begins(&thread->letter, head, now);
    post_letter(thread);
}

static void thread_heard(void *user, Str id, const Event *event, TimeUs now)
{
    PagesThread *thread = user;

    thread->writer.heard(&thread->letter, id, event, now);
    post_letter(thread);
}

static void thread_said(void *user, Str id, const DocSaid *said, TimeUs now)
{
    PagesThread *thread = user;

    thread->writer.said(&thread->letter, id, said, now);
    post_letter(thread);
}

static void thread_fault(void *user, Str id, const Fault *fault, TimeUs now)
{
    PagesThread *thread = user;

    thread->writer.fault(&thread->letter, id, fault, now);
    post_letter(thread);
}

static void thread_clock(void *user, Str id, Action action, TimeUs until, bool paused, TimeUs now)
{
    PagesThread *thread = user;

    thread->writer.clock(&thread->letter, id, action, until, paused, now);
    post_letter(thread);
}

static void thread_asked(void *user, Str id, SeatNo seat, TimeUs now)
{
    PagesThread *thread = user;

    thread->writer.asked(&thread->letter, id, seat, now);
    post_letter(thread);
}

static void thread_notice(void *user, Str id, Str text, TimeUs now)
{
    PagesThread *thread = user;

    thread->writer.notice(&thread->letter, id, text, now);
    post_letter(thread);
}

static void thread_ends(void *user, Str id, bool aborted, TimeUs now)
{
    PagesThread *thread = user;

    thread->writer.ends(&thread->letter, id, aborted, now);
    post_letter(thread);
}

/* Signals are the main thread's. */
static int start_thread(PagesThread *thread, Err *err)
{
    sigset_t all, before;

    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const int code = pthread_create(&thread->thread, NULL, run_pages, thread);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (code)
        return err_set(err, ERR_IO, "a thread for pages: %s", strerror(code));
    thread->runs = true;
    return 0;
}

static int open_parts(PagesThread *thread, const LivePagesSetup *setup, TimeUs now, Err *err)
{
    int rc = loop_new(&thread->loop, err);

    if (rc == 0)
        rc = live_pages_open(thread->loop, setup, &thread->pages, err);
    if (rc == 0 && thread->folder)
        rc = folder_make(str_of(thread->folder), err);
    if (rc == 0)
        rc = live_pages_begin(thread->pages, &thread->folder, thread->folder != NULL, now, err);
    if (rc == 0)
        rc = mailbox_new(thread->loop, read_letter, thread, &thread->box, err);
    return rc ? rc : start_thread(thread, err);
}

int pages_thread_open(const LivePagesSetup *setup, const char *folder, TimeUs now,
                      PagesThread **ret_thread, Err *err)
{
    PagesThread *thread = mem_new(sizeof(*thread));

    if (!thread)
        return err_set(err, ERR_MEMORY, "pages: out of memory");
    thread->folder = folder;
    thread->writer = live_letter_sink(&thread->letter);
    thread->sink = (LiveSink){.begins = thread_begins,
                              .heard = thread_heard,
                              .said = thread_said,
                              .fault = thread_fault,
                              .clock = thread_clock,
                              .asked = thread_asked,
                              .notice = thread_notice,
                              .ends = thread_ends,
                              .user = thread};
    int rc = open_parts(thread, setup, now, err);
    if (rc) {
        pages_thread_free(thread);
        return rc;
    }
    *ret_thread = thread;
    return 0;
}

/* The last letter. Without memory it ends as it is. */
static void stop_thread(PagesThread *thread)
{
    CLEANUP(buf_done) Buf last = {0};

    buf_add_char(&last, '.');
    if (buf_failed(&last) || !mailbox_put(thread->box, &last))
        loop_stop(thread->loop);
    pthread_join(thread->thread, NULL);
}

PagesThread *pages_thread_free(PagesThread *thread)
{
    if (!thread)
        return NULL;
    if (thread->runs)
        stop_thread(thread);
    mailbox_free(thread->box);
    live_pages_free(thread->pages);
    loop_free(thread->loop);
    buf_done(&thread->letter.bytes);
    return mem_free(thread);
}

const LiveSink *pages_thread_sink(const PagesThread *thread)
{
    return &thread->sink;
}

void pages_thread_write_address(const PagesThread *thread, bool token_is_kept, Buf *out)
{
    live_pages_write_address(thread->pages, token_is_kept, out);
}
