#ifndef _GNU_SOURCE
#    define _GNU_SOURCE /* mkdtemp */
#endif

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/digest.h"
#include "disk/folder.h"
#include "disk/gzip.h"
#include "disk/log_file.h"
#include "web/assets.h"
#include "web/export.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static Assets *open_assets(const char *dir)
{
    Assets *assets = NULL;
    Err err = {0};

    if (assets_open(dir, &assets, &err))
        fail_msg("%s", err.msg);
    return assets;
}

static void assert_named_by_its_bytes(const Assets *assets, const char *file, const char *start)
{
    char digest[SHA256_HEX_BYTES], name[64];
    Asset asset, found;

    assert_true(assets_file(assets, str_of(file), &asset));
    assert_int_equal(sha256_hex(asset.plain, digest, NULL), 0);
    snprintf(name, sizeof(name), "%s.%.8s%s", start, digest, strrchr(file, '.'));
    assert_true(str_eq(asset.name, str_of(name)));
    assert_true(assets_find(assets, str_of(name), &found));
    assert_ptr_equal(found.plain.bytes, asset.plain.bytes);
}

/* ---- in the program ---- */

static void the_program_holds_the_files_of_the_tree(void **state)
{
    static const char *const files[] = {"app.js", "app.css", "contest.js", "icon.svg",
                                        "export.html"};
    CLEANUP(assets_freep) Assets *assets = open_assets(NULL);
    const char *source = getenv("WARG_SOURCE");

    (void)state;
    if (!source)
        skip();
    for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
        CLEANUP(buf_done) Buf path = {0}, text = {0}, unpacked = {0};
        Asset asset;
        buf_printf(&path, "%s/web/dist/%s", source, files[i]);
        assert_int_equal(log_file_read(buf_cstr(&path), ASSETS_BYTES_MAX, &text, NULL), 0);
        if (!assets_file(assets, str_of(files[i]), &asset))
            fail_msg("the program has no %s", files[i]);
        assert_true(str_eq(asset.plain, buf_str(&text)));
        assert_int_equal(gunzip_text(asset.packed, files[i], ASSETS_BYTES_MAX, &unpacked, NULL), 0);
        assert_true(str_eq(buf_str(&unpacked), buf_str(&text)));
    }
    assert_named_by_its_bytes(assets, "app.js", "app");
    assert_named_by_its_bytes(assets, "app.css", "app");
    assert_named_by_its_bytes(assets, "icon.svg", "icon");
    assert_false(assets_may_change(assets));
}

static void only_what_browsers_need_is_sent(void **state)
{
    CLEANUP(assets_freep) Assets *assets = open_assets(NULL);
    Asset asset;

    (void)state;
    assert_true(assets_file(assets, STR("export.html"), &asset));
    assert_false(asset.is_sent);
    assert_false(assets_find(assets, asset.name, &asset));
    assert_false(assets_find(assets, STR("app.js"), &asset));
    assert_false(assets_find(assets, STR("app.00000000.js"), &asset));
    assert_false(assets_find(assets, STR(""), &asset));
    assert_false(assets_find(assets, STR("../app.js"), &asset));
    assert_false(assets_file(assets, STR("INPUTS"), &asset));
}

/* ---- of a folder ---- */

typedef struct Folder {
    char dir[32];
} Folder;

static int make(void **state)
{
    Folder *folder = test_calloc(1, sizeof(*folder));

    snprintf(folder->dir, sizeof(folder->dir), "warg-assets-XXXXXX");
    assert_non_null(mkdtemp(folder->dir));
    *state = folder;
    return 0;
}

static int clear(void **state)
{
    Folder *folder = *state;

    assert_int_equal(folder_remove(folder->dir, NULL), 0);
    test_free(folder);
    return 0;
}

static void put_file(const Folder *folder, const char *name, const char *text)
{
    CLEANUP(buf_done) Buf path = {0};

    buf_printf(&path, "%s/%s", folder->dir, name);
    assert_int_equal(log_file_write(buf_cstr(&path), str_of(text), NULL), 0);
}

static void a_folder_is_looked_at_again(void **state)
{
    Folder *folder = *state;
    CLEANUP(buf_done) Buf page = {0}, later = {0};
    Asset asset;

    put_file(folder, "app.js", "let a = 1");
    put_file(folder, ".app.css", "hidden");
    put_file(folder, "notes.txt", "no");
    CLEANUP(assets_freep) Assets *assets = open_assets(folder->dir);
    assert_true(assets_may_change(assets));
    assert_named_by_its_bytes(assets, "app.js", "app");
    assert_false(assets_file(assets, STR(".app.css"), &asset));
    assert_false(assets_file(assets, STR("notes.txt"), &asset));
    assets_write_page(assets, "en", &page);
    put_file(folder, "app.js", "let a = 2");
    assert_int_equal(assets_look(assets, NULL), 0);
    assert_named_by_its_bytes(assets, "app.js", "app");
    assert_true(assets_file(assets, STR("app.js"), &asset));
    assert_true(str_eq(asset.plain, STR("let a = 2")));
    assets_write_page(assets, "en", &later);
    assert_string_not_equal(buf_cstr(&page), buf_cstr(&later));
}

static void a_folder_that_goes_leaves_what_was_read(void **state)
{
    Folder *folder = *state;
    Asset asset;

    put_file(folder, "app.js", "let a = 1");
    CLEANUP(assets_freep) Assets *assets = open_assets(folder->dir);
    assert_int_equal(folder_remove(folder->dir, NULL), 0);
    assert_int_equal(assets_look(assets, NULL), ERR_IO);
    assert_true(assets_file(assets, STR("app.js"), &asset));
    assert_int_equal(mkdir(folder->dir, 0700), 0);
}

static void a_missing_folder_is_an_error(void **state)
{
    Assets *assets = NULL;
    Err err = {0};

    (void)state;
    assert_int_equal(assets_open("no/such/folder", &assets, &err), ERR_IO);
    assert_non_null(strstr(err.msg, "no/such/folder"));
}

/* ---- pages ---- */

static void the_page_asks_for_nothing_but_our_files(void **state)
{
    CLEANUP(assets_freep) Assets *assets = open_assets(NULL);
    CLEANUP(buf_done) Buf page = {0};
    Asset script, style;

    (void)state;
    assets_write_page(assets, "ja", &page);
    const char *html = buf_cstr(&page);
    assert_true(assets_file(assets, STR("app.js"), &script));
    assert_true(assets_file(assets, STR("app.css"), &style));
    assert_non_null(strstr(html, "<html lang=\"ja\">"));
    assert_non_null(strstr(html, script.name.bytes));
    assert_non_null(strstr(html, style.name.bytes));
    assert_null(strstr(html, "<style"));
    assert_null(strstr(html, "http:"));
    assert_null(strstr(html, "https:"));
    for (const char *at = html; (at = strstr(at, "<script")); at++)
        assert_true(strncmp(at, "<script type=\"module\" src=\"/web/assets/", 39) == 0);
}

static void a_page_without_files_says_so(void **state)
{
    Folder *folder = *state;
    CLEANUP(assets_freep) Assets *assets = open_assets(folder->dir);
    CLEANUP(buf_done) Buf page = {0};

    assets_write_page(assets, "en", &page);
    assert_non_null(strstr(buf_cstr(&page), "without web/dist"));
    assert_null(strstr(buf_cstr(&page), "<script"));
}

static void an_exported_page_has_its_documents_and_no_tag_in_them(void **state)
{
    CLEANUP(assets_freep) Assets *assets = open_assets(NULL);
    const ExportSetup setup = {.assets = assets, .language = EXPORT_JAPANESE};
    const Str documents[] = {STR("{\"a\":\"</script><script>alert(1)</script><!-- é\"}"),
                             STR("{\"b\":1}")};
    CLEANUP(buf_done) Buf page = {0};
    Asset script;

    (void)state;
    assert_int_equal(export_page(&setup, documents, 2, &page, NULL), 0);
    const char *html = buf_cstr(&page);
    assert_non_null(strstr(html, "<script type=\"application/json\">{\"a\":\"\\u003c/script>"
                                 "\\u003cscript>alert(1)\\u003c/script>\\u003c!-- é\"}</script>\n"
                                 "<script type=\"application/json\">{\"b\":1}</script>\n"));
    assert_non_null(strstr(html, "<html lang=\"ja\""));
    assert_true(assets_file(assets, STR("app.js"), &script));
    assert_non_null(strstr(html, script.plain.bytes));
    assert_null(strstr(html, "/*STYLE*/"));
}

static void files_of_two_builds_give_no_page(void **state)
{
    Folder *folder = *state;
    CLEANUP(assets_freep) Assets *own = open_assets(NULL);
    CLEANUP(buf_done) Buf page = {0};
    Asset template, style;
    Err err = {0};

    assert_true(assets_file(own, STR("export.html"), &template));
    assert_true(assets_file(own, STR("app.css"), &style));
    put_file(folder, "export.html", template.plain.bytes);
    put_file(folder, "app.css", style.plain.bytes);
    put_file(folder, "app.js", "another()");
    CLEANUP(assets_freep) Assets *assets = open_assets(folder->dir);
    const ExportSetup setup = {.assets = assets, .language = EXPORT_BOTH};
    assert_int_equal(export_page(&setup, NULL, 0, &page, &err), ERR_SYNTAX);
    assert_non_null(strstr(err.msg, "app.js"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_program_holds_the_files_of_the_tree),
        cmocka_unit_test(only_what_browsers_need_is_sent),
        cmocka_unit_test_setup_teardown(a_folder_is_looked_at_again, make, clear),
        cmocka_unit_test_setup_teardown(a_folder_that_goes_leaves_what_was_read, make, clear),
        cmocka_unit_test(a_missing_folder_is_an_error),
        cmocka_unit_test(the_page_asks_for_nothing_but_our_files),
        cmocka_unit_test_setup_teardown(a_page_without_files_says_so, make, clear),
        cmocka_unit_test(an_exported_page_has_its_documents_and_no_tag_in_them),
        cmocka_unit_test_setup_teardown(files_of_two_builds_give_no_page, make, clear),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
