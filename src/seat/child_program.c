#include "seat/child_program.h"

#include "base/mem.h"
#include "cell/cell_start.h"
#include "cell/cell_tally.h"
#include "cell/strict_order.h"
#include "net/peer.h"
#include "net/process_tree.h"
#include "seat/agent_command.h"
#include "seat/agent_environment.h"
#include "seat/conn_link.h"

#include <unistd.h>

#define STOP_GRACE_MS 1000
#define CALLERS_MAX   64  /* connections to a port, open at once */
#define TREE_MAX      256 /* processes of one agent that are looked at to tell whose a stranger is */

struct ChildProgram {
    ChildDoor *door;
    const char *name;
    const ProgramEars *ears;
    void *user;
    const Cell *cell;
    Listener *listener; /* NULL: it is shut, or its cell has not made it yet */
    uint16_t port;
    bool shut;
    bool begun;   /* a strict cell was made for it, */
    bool used;    /* ... and has come to its end in order */
    bool counted; /* its cell is among those that have started and not ended */
    Child *child;
    RunQueue *queue; /* of its threads, once they are looked at */
    ChildProgram *next;
};

/* A connection to the port. */
typedef struct ChildCall {
    ProgramCall call;
    const ChildProgram *program;
    Conn *conn;
    const char *peer;
} ChildCall;

/* ---- who has connected ---- */

static bool has_process(const ChildProgram *program, int pid)
{
    int pids[TREE_MAX];
    size_t count = program->child && child_running(program->child)
                       ? process_tree_read(child_pid(program->child), pids, TREE_MAX)
                       : 0;

    for (size_t i = 0; i < count && i < TREE_MAX; i++)
        if (pids[i] == pid)
            return true;
    return false;
}

/* The program in whose tree the process is; NULL = none of ours. */
static const ChildProgram *program_of_process(const ChildDoor *door, int pid)
{
    const ChildProgram *program = pid ? door->programs : NULL;

    while (program && !has_process(program, pid))
        program = program->next;
    return program;
}

static void describe_call(const ProgramCall *call, Buf *out)
{
    const ChildCall *own = (const ChildCall *)call; /* its first member */
    int pid = peer_process(own->conn);
    const ChildProgram *other = program_of_process(own->program->door, pid);

    buf_printf(out,
               "a connection from %s to the port of agent %s was dropped: it does not come from "
               "the program that was started there, but from ",
               own->peer, own->program->name);
    if (other)
        buf_printf(out, "agent %s, ", other->name);
    peer_print_process(pid, out);
}

static void open_agent(ChildProgram *program, AiwolfAgent *agent, Conn *take_conn, TimeUs now)
{
    Link link = {0};

    program->shut = true;
    program->listener = listener_close(program->listener);
    if (conn_link_open(take_conn, &program->door->limits, child_pid(program->child),
                       &aiwolf_agent_ears, agent, &link, NULL))
        aiwolf_agent_fail(agent, FAULT_DISCONNECT, STR("out of memory"), now);
    else
        aiwolf_agent_open(agent, link, now);
}

/* Whether its network is its own. */
static bool is_alone(const ChildProgram *program)
{
    return program->cell && cell_level(program->cell) == CELL_NAMESPACES;
}

static bool is_strict(const ChildProgram *program)
{
    return program->cell && cell_level_is_strict(cell_level(program->cell));
}

static void on_accepted(void *user, Conn *conn, const char *peer, TimeUs now)
{
    ChildProgram *program = user;
    bool ours = is_alone(program) ||
                (program->child && peer_owner(conn, child_pid(program->child)) != PEER_OTHER);
    const ChildCall call = {{ours, describe_call}, program, conn, peer};
    AiwolfAgent *agent = program->ears->called(program->user, &call.call, now);

    if (agent)
        open_agent(program, agent, conn, now);
    else
        conn_close(conn);
}

/* ---- what is told of its cell ---- */

static void take_listener(ChildProgram *program, int take_socket)
{
    Err err = {0};

    if (program->shut || program->listener || take_socket < 0) {
        if (take_socket >= 0)
            close(take_socket);
    } else if (tcp_listen_on(program->door->loop, take_socket, on_accepted, program,
                             &program->listener, &err) == 0) {
        listener_set_limit(program->listener, CALLERS_MAX);
    }
}

static void on_told(void *user, Str message, int take_descriptor, TimeUs now)
{
    ChildProgram *program = user;
    CellNews news;

    if (!cell_news_read(message, &news)) {
        if (take_descriptor >= 0)
            close(take_descriptor);
        return;
    }
    if (news.kind == NEWS_LISTENS) {
        take_listener(program, take_descriptor);
        return;
    }
    if (take_descriptor >= 0)
        close(take_descriptor);
    if (news.kind == NEWS_BEGUN)
        program->begun = true;
    else if (news.kind == NEWS_FOUND && program->ears->found)
        program->ears->found(program->user, &news.finding, now);
    if (news.kind != NEWS_USED)
        return;
    program->used = true;
    if (program->ears->used)
        program->ears->used(program->user, &news.use);
}

static void on_cut(void *user, TimeUs now)
{
    const ChildProgram *program = user;
    const Finding finding = {FINDING_OUTPUT, STR("printed more than is kept"), 1};

    if (program->ears->found)
        program->ears->found(program->user, &finding, now);
}

static void count_end(ChildProgram *program, CellFate fate)
{
    if (program->counted)
        cell_tally_end(fate);
    program->counted = false;
}

static void on_ended(void *user, ChildEnd how, TimeUs now)
{
    ChildProgram *program = user;

    count_end(program, cell_fate_of(program->begun, program->used, &how));
    if (is_strict(program) && !how.asked && program->ears->broken) {
        if (!program->begun)
            program->ears->broken(program->user, child_last_lines(program->child), now);
        else if (!program->used)
            program->ears->broken(program->user, STR("its cell was killed from outside"), now);
    }
    program->ears->ended(program->user, how, now);
}

/* ---- life ---- */

static void child_program_free(void *own)
{
    ChildProgram *program = own;
    ChildProgram **at = &program->door->programs;

    while (*at != program)
        at = &(*at)->next;
    *at = program->next;
    listener_close(program->listener);
    run_queue_free(program->queue);
    child_free(program->child);
    count_end(program, CELL_ENDED);
    mem_free(program);
}

static const CellProfile *profile_of(const ProgramPlan *plan)
{
    const CellProfile *profile = plan->profile ? cell_profile(str_of(plan->profile)) : NULL;

    return profile ? profile : cell_profile_of_command(str_of(plan->command));
}

static const char **environment_of(const ChildProgram *program, const ProgramPlan *plan,
                                   const char *const *runtime)
{
    if (!is_strict(program))
        return agent_environment_own(plan->env);
    return agent_environment_strict(plan->env, runtime,
                                    is_alone(program) ? "/agent" : plan->folder);
}

static int start_child(ChildProgram *program, const ProgramPlan *plan, Err *err)
{
    const ChildDoor *door = program->door;
    const CellTenant tenant = {plan->folder, program->port, profile_of(plan)};
    CLEANUP(buf_done) Buf command = {0};
    /* What the environment has of the runtime is borrowed from it. */
    CLEANUP(mem_freep)
    const char **runtime = cell_profile_environment(
        tenant.profile, is_strict(program) ? cell_memory(program->cell) : 0);
    CLEANUP(mem_freep)
    const char **environment = runtime ? environment_of(program, plan, runtime) : NULL;
    CLEANUP(cell_front_done) CellFront front = {0};
    int rc = program->cell ? cell_front_for(program->cell, &tenant, &front, err) : 0;

    agent_command_fill(plan->command, plan->name, door->host, program->port, &command);
    buf_add(&command, str_of(plan->words));
    if (rc)
        return rc;
    if (buf_failed(&command) || !environment)
        return err_set(err, ERR_MEMORY, "out of memory");
    const ChildPlan child = {.command = buf_cstr(&command),
                             .folder = plan->folder,
                             .output_path = plan->output,
                             .output_limit = plan->output_limit,
                             .input_path = plan->input,
                             .input_written = plan->input_written,
                             .environment = environment,
                             .front = front.front.program ? &front.front : NULL,
                             .told = on_told,
                             .cut = on_cut};
    rc = child_start(door->loop, &child, on_ended, program, &program->child, err);
    program->counted = rc == 0 && is_strict(program);
    if (program->counted)
        cell_tally_start();
    return rc;
}

/* Of a network of its own the port is known, and the socket comes later. */
static int open_port(ChildProgram *program, Err *err)
{
    const ChildDoor *door = program->door;

    program->port = ORDER_PORT;
    if (is_alone(program))
        return 0;
    int rc = tcp_listen(door->loop, door->host, 0, on_accepted, program, &program->listener, err);
    if (rc)
        return rc;
    listener_set_limit(program->listener, CALLERS_MAX);
    program->port = listener_port(program->listener);
    return 0;
}

static int child_program_start(void *own, const ProgramPlan *plan, const ProgramEars *ears,
                               void *user, void **ret_program, Err *err)
{
    ChildDoor *door = own;
    ChildProgram *program = mem_new(sizeof(*program));

    if (!program)
        return err_set(err, ERR_MEMORY, "out of memory");
    *program =
        (ChildProgram){.door = door,
                       .name = plan->name,
                       .ears = ears,
                       .user = user,
                       .cell = plan->own && door->cell ? cell_for_own(door->cell) : door->cell,
                       .next = door->programs};
    door->programs = program;
    int rc = open_port(program, err);
    if (rc == 0)
        rc = start_child(program, plan, err);
    if (rc) {
        child_program_free(program);
        return rc;
    }
    *ret_program = program;
    return 0;
}

/* ---- what is done with it ---- */

static void child_program_shut(void *own)
{
    ChildProgram *program = own;

    program->shut = true;
    program->listener = listener_close(program->listener);
}

static void child_program_stop(void *own)
{
    child_stop(((ChildProgram *)own)->child, STOP_GRACE_MS);
}

static void child_program_watch(void *own)
{
    ChildProgram *program = own;

    run_queue_free(program->queue);
    program->queue = run_queue_new(child_pid(program->child));
    if (program->queue)
        run_queue_begin(program->queue);
}

static bool child_program_look(void *own, RunQueueLook *ret_look)
{
    const ChildProgram *program = own;

    return program->queue && run_queue_since(program->queue, ret_look);
}

static Str child_program_last_lines(const void *own)
{
    const ChildProgram *program = own;

    child_hear(program->child);
    return child_last_lines(program->child);
}

static const ProgramKind child_program_kind = {.start = child_program_start,
                                               .shut = child_program_shut,
                                               .stop = child_program_stop,
                                               .watch = child_program_watch,
                                               .look = child_program_look,
                                               .last_lines = child_program_last_lines,
                                               .free = child_program_free};

int child_program_pid(const ChildProgram *program)
{
    return program->child ? child_pid(program->child) : 0;
}

uint16_t child_program_port(const ChildProgram *program)
{
    return program->port;
}

ProgramDoor child_door(ChildDoor *door)
{
    return (ProgramDoor){&child_program_kind, door};
}
