/* html_check.h - whether tags of HTML or SVG are closed in the order in which they were opened.
 *
 * For:    tests of plots and pages. Include <cmocka.h> before.
 * Memory: none.
 * Thread: test's own.
 * Source: stricter than HTML asks for: what is empty ends in "/>", so that the pages are XML too.
 */
#ifndef WARG_TESTS_CONTEST_HTML_CHECK_H
#define WARG_TESTS_CONTEST_HTML_CHECK_H

#include "base/str.h"

#define HTML_DEPTH_MAX 64

/* The name behind '<' or '</'. */
static inline Str html_tag_name(Str tag)
{
    size_t len = 0;

    while (len < tag.len && tag.bytes[len] != ' ' && tag.bytes[len] != '/')
        len++;
    return str_part(tag, 0, len);
}

/* Attributes are name="value" with no '<' inside; a tag is `tag`, without the brackets. */
static inline void assert_tag_is_whole(Str tag)
{
    size_t quotes = 0;

    for (size_t i = 0; i < tag.len; i++) {
        quotes += tag.bytes[i] == '"';
        if (tag.bytes[i] == '<')
            fail_msg("a '<' inside the tag <%.*s>", STR_ARG(tag));
    }
    if (quotes % 2 != 0)
        fail_msg("quotes are not closed in <%.*s>", STR_ARG(tag));
}

static inline void assert_html_balanced(Str html)
{
    Str open[HTML_DEPTH_MAX];
    size_t depth = 0;

    while (html.len) {
        str_cut(&html, '<');
        if (html.len == 0)
            break;
        Str tag = str_cut(&html, '>');
        assert_tag_is_whole(tag);
        if (tag.len == 0 || tag.bytes[0] == '!' || tag.bytes[tag.len - 1] == '/')
            continue;
        if (tag.bytes[0] != '/') {
            assert_true(depth < HTML_DEPTH_MAX);
            open[depth++] = html_tag_name(tag);
            continue;
        }
        tag = str_part(tag, 1, tag.len);
        if (depth == 0 || !str_eq(open[depth - 1], tag))
            fail_msg("</%.*s> closes <%.*s>", STR_ARG(tag),
                     STR_ARG(depth ? open[depth - 1] : STR("nothing")));
        depth--;
    }
    if (depth != 0)
        fail_msg("<%.*s> is not closed", STR_ARG(open[depth - 1]));
}

#endif
