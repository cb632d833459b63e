#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "net/mailbox.h"

#include <pthread.h>
#include <string.h>

enum { WRITERS = 3, LETTERS = 5000 };

typedef struct Post {
    Loop *loop;
    Mailbox *box;
    uint32_t next[WRITERS]; /* the number that is awaited of each */
    uint32_t read;
    uint32_t wanted;
    bool in_order;
    TimeUs latest;
} Post;

typedef struct Writer {
    Post *post;
    pthread_t thread;
    uint32_t number;
} Writer;

/* Writer and number. */
typedef struct Words {
    uint32_t writer;
    uint32_t number;
} Words;

static void on_letter(void *user, Str letter, TimeUs now)
{
    Post *post = user;
    Words words;

    assert_true(now <= loop_now());
    assert_true(now >= post->latest);
    post->latest = now;
    assert_int_equal(letter.len, sizeof(words));
    memcpy(&words, letter.bytes, sizeof(words));
    post->in_order &= words.number == post->next[words.writer]++;
    if (++post->read == post->wanted)
        loop_stop(post->loop);
}

static bool write_letter(Post *post, uint32_t writer, uint32_t number)
{
    Words words = {writer, number};
    Buf letter = {0};

    buf_add(&letter, (Str){(const char *)&words, sizeof(words)});
    return mailbox_put(post->box, &letter) && letter.len == 0;
}

static void *write_all(void *user)
{
    const Writer *writer = user;

    for (uint32_t i = 0; i < LETTERS; i++)
        write_letter(writer->post, writer->number, i);
    return NULL;
}

static void set_up_post(Post *post, uint32_t wanted)
{
    *post = (Post){.wanted = wanted, .in_order = true};
    assert_int_equal(loop_new(&post->loop, NULL), 0);
    assert_int_equal(mailbox_new(post->loop, on_letter, post, &post->box, NULL), 0);
}

static void letters_of_several_threads_all_come_each_ones_in_order(void **state)
{
    Writer writers[WRITERS];
    Post post;

    (void)state;
    set_up_post(&post, WRITERS * LETTERS);
    for (uint32_t i = 0; i < WRITERS; i++) {
        writers[i] = (Writer){.post = &post, .number = i};
        assert_int_equal(pthread_create(&writers[i].thread, NULL, write_all, &writers[i]), 0);
    }
    loop_run(post.loop);
    for (uint32_t i = 0; i < WRITERS; i++)
        pthread_join(writers[i].thread, NULL);
    assert_int_equal(post.read, post.wanted);
    assert_true(post.in_order);
    loop_free(post.loop);
}

static void an_empty_letter_is_none(void **state)
{
    Buf empty = {0};
    Post post;

    (void)state;
    set_up_post(&post, 1);
    assert_true(mailbox_put(post.box, &empty));
    assert_true(write_letter(&post, 0, 0));
    loop_run(post.loop);
    assert_int_equal(post.read, 1);
    loop_free(post.loop);
}

static void what_is_there_can_be_read_without_the_loop_and_is_not_read_twice(void **state)
{
    Post post;

    (void)state;
    set_up_post(&post, 3);
    assert_true(write_letter(&post, 1, 0));
    assert_true(write_letter(&post, 1, 1));
    mailbox_read(post.box);
    assert_int_equal(post.read, 2);
    assert_true(write_letter(&post, 1, 2));
    loop_run(post.loop);
    assert_int_equal(post.read, 3);
    assert_true(post.in_order);
    loop_free(post.loop);
}

static void a_box_that_nobody_reads_is_freed_with_its_loop(void **state)
{
    Post post;

    (void)state;
    set_up_post(&post, 1);
    assert_true(write_letter(&post, 2, 0));
    loop_free(post.loop);
    assert_int_equal(post.read, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(letters_of_several_threads_all_come_each_ones_in_order),
        cmocka_unit_test(an_empty_letter_is_none),
        cmocka_unit_test(what_is_there_can_be_read_without_the_loop_and_is_not_read_twice),
        cmocka_unit_test(a_box_that_nobody_reads_is_freed_with_its_loop),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
