/* `warg serve maw`: a line of options for a session of MAW. */
#include "cmd/serve_maw.h"

#include "base/mem.h"
#include "cmd/cmd.h"
#include "disk/result_folder.h"

struct ServeMaw {
    SessionLine *line;
    DoorWords words;
    MawDoor *door; /* once it is added; the doors' */
};

/* ---- what is told ---- */

/* In front of it stands which session it is of. */
static void say_line(const ServeMaw *serve, Str text)
{
    CLEANUP(buf_done) Buf line = {0};

    buf_printf(&line, "[%.*s] ", STR_ARG(maw_door_name(serve->door)));
    buf_add(&line, text);
    serve->words.say(serve->words.user, buf_str(&line));
}

static void on_note(void *user, Str line)
{
    const ServeMaw *serve = user;

    if (!options_has(session_line_given(serve->line), SESSION_QUIET))
        say_line(serve, line);
}

static void on_ended(void *user)
{
    const ServeMaw *serve = user;
    CLEANUP(buf_done) Buf text = {0};
    CLEANUP(buf_done) Buf seed = {0};
    int rc = maw_door_result(serve->door, NULL);

    if (rc < 0 && rc != ERR_INTERRUPTED)
        return;
    buf_printf(&text, "[%.*s]\n", STR_ARG(maw_door_name(serve->door)));
    if (options_has(session_line_given(serve->line), SESSION_JSON))
        buf_clear(&text);
    session_line_write(serve->line, serve->door, &text);
    session_line_write_seed(serve->line, &seed);
    if (!buf_failed(&text))
        serve->words.print(serve->words.user, buf_str(&text));
    if (seed.len)
        say_line(serve, buf_str(&seed));
}

/* ---- the line ---- */

int serve_maw_read(int argc, char **argv, ServeMaw **ret_line, Err *err)
{
    ServeMaw *serve = mem_new(sizeof(*serve));

    if (!serve)
        return err_set(err, ERR_MEMORY, "serve: out of memory");
    int go = session_line_read(&cmd_serve_usage[2], argc, argv, &serve->line, err);
    if (go <= 0) {
        serve_maw_free(serve);
        return go;
    }
    *ret_line = serve;
    return 1;
}

ServeMaw *serve_maw_free(ServeMaw *line)
{
    if (!line)
        return NULL;
    session_line_free(line->line);
    return mem_free(line);
}

bool serve_maw_opens_results(const ServeMaw *line)
{
    return options_has(session_line_given(line->line), SESSION_OPEN_RESULTS);
}

static bool same_text(const char *a, const char *b)
{
    return a && b && strcmp(a, b) == 0;
}

int serve_maw_check_beside(const ServeMaw *line, const ServeMaw *other, Err *err)
{
    MawDoorSetup one, two;

    session_line_setup(line->line, 0, &one);
    session_line_setup(other->line, 0, &two);
    if (same_text(one.out, two.out))
        return err_set(err, ERR_USAGE, "two lines have --out %s: each needs a folder of its own",
                       one.out);
    if (one.component && two.component && str_eq(one.component->domain, two.component->domain))
        return err_set(err, ERR_USAGE,
                       "two lines are the component %.*s: give each a --component of its own",
                       STR_ARG(one.component->domain));
    return 0;
}

int serve_maw_add(ServeMaw *line, unsigned umask, const DoorWords *words, Doors *doors, Err *err)
{
    CLEANUP(buf_done) Buf text = {0};
    MawDoorSetup setup;

    line->words = *words;
    session_line_setup(line->line, umask, &setup);
    setup.cell.own_verb = CMD_START_AGENT;
    setup.ears = (MawDoorEars){.note = on_note, .ended = on_ended, .user = line};
    if (!serve_maw_opens_results(line))
        result_folder_close(setup.out);
    int rc = doors_add_maw(doors, &setup, &line->door, err);
    if (rc == 0)
        session_line_write_live(line->line, line->door, &text);
    if (text.len) /* also when it is quiet: nobody else knows the token */
        say_line(line, buf_str(&text));
    return rc;
}
