#include "match/hall_door.h"

#include "base/mem.h"
#include "seat/child_program.h"
#include "seat/conn_link.h"

struct HallDoor {
    const HallDoorPlan *plan;
    Loop *loop;
    Hall *hall;
    Listener *listener; /* serve */
    ChildDoor programs;
};

/* A connection that has come. */
typedef struct HallConn {
    const HallDoor *door;
    Conn *conn; /* NULL: its link has it */
} HallConn;

static int open_caller(void *user, const LinkEars *ears, AiwolfAgent *agent, Link *ret_link)
{
    HallConn *caller = user;

    return conn_link_open(TAKE(caller->conn), &caller->door->programs.limits, 0, ears, agent,
                          ret_link, NULL);
}

static void on_accepted(void *user, Conn *conn, const char *peer, TimeUs now)
{
    const HallDoor *door = user;
    HallConn own = {.door = door, .conn = conn};
    const HallCaller caller = {open_caller, &own};

    (void)peer;
    if (hall_opened(door->hall, &caller, now))
        conn_close(own.conn);
}

int hall_door_new(Loop *loop, const HallDoorPlan *plan, HallDoor **ret_door, Err *err)
{
    HallDoor *door = mem_new(sizeof(*door));

    if (!door)
        return err_set(err, ERR_MEMORY, "hall: out of memory");
    door->plan = plan;
    door->loop = loop;
    const HallDoors doors = {loop_alarms(loop), child_door(&door->programs)};
    int rc = hall_new(plan->hall, &doors, &door->hall, err);
    if (rc == 0 && plan->hall->serve)
        rc = tcp_listen(loop, plan->host, plan->port, on_accepted, door, &door->listener, err);
    if (rc) {
        hall_door_free(door);
        return rc;
    }
    *ret_door = door;
    return 0;
}

HallDoor *hall_door_free(HallDoor *door)
{
    if (!door)
        return NULL;
    hall_free(door->hall);
    listener_close(door->listener);
    return mem_free(door);
}

int hall_door_open(HallDoor *door, TimeUs now, Err *err)
{
    const PlanLimits *limits = &door->plan->hall->run->plan->limits;

    door->programs = (ChildDoor){.loop = door->loop,
                                 .host = door->plan->host,
                                 .cell = door->plan->cell,
                                 .limits = {limits->line_bytes, limits->queue_bytes}};
    if (door->listener)
        listener_set_limit(door->listener, limits->connections);
    return hall_open(door->hall, now, err);
}

Hall *hall_door_hall(const HallDoor *door)
{
    return door->hall;
}

uint16_t hall_door_port(const HallDoor *door)
{
    return listener_port(door->listener);
}
