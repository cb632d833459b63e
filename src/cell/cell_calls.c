#include "cell/cell_calls.h"

#include "base/banned.h"

#include <sys/syscall.h>

#define CALL(name, ...)                                                                            \
    {                                                                                              \
#        name, SYS_##name, __VA_ARGS__                                                             \
    }

/* Calls of before there were the ones with a folder are missing on newer processors. */
static const CellCall calls[] = {
#ifdef SYS_fork
    CALL(fork, CALL_START, CALL_NO_PATH, 0),
    CALL(vfork, CALL_START, CALL_NO_PATH, 0),
    CALL(open, CALL_OPEN, 0, 1),
    CALL(creat, CALL_CREATE, 0, 0),
    CALL(mkdir, CALL_CHANGE, 0, 0),
    CALL(rmdir, CALL_CHANGE, 0, 0),
    CALL(unlink, CALL_CHANGE, 0, 0),
    CALL(rename, CALL_CHANGE, 1, 0),
    CALL(link, CALL_CHANGE, 1, 0),
    CALL(symlink, CALL_CHANGE, 1, 0),
    CALL(mknod, CALL_CHANGE, 0, 0),
    CALL(chmod, CALL_CHANGE, 0, 0),
    CALL(chown, CALL_CHANGE, 0, 0),
    CALL(lchown, CALL_CHANGE, 0, 0),
    CALL(utime, CALL_CHANGE, 0, 0),
    CALL(utimes, CALL_CHANGE, 0, 0),
    CALL(futimesat, CALL_CHANGE, 1, 0),
#endif
#ifdef SYS_renameat
    CALL(renameat, CALL_CHANGE, 3, 0),
#endif
    CALL(clone, CALL_CLONE, 0, 0),
    CALL(connect, CALL_CONNECT, 1, 0),
    CALL(bind, CALL_BIND, 1, 0),
    CALL(listen, CALL_BIND, CALL_NO_PATH, 0),
    CALL(sendto, CALL_SEND, 4, 0),
    CALL(openat, CALL_OPEN, 1, 2),
    CALL(mkdirat, CALL_CHANGE, 1, 0),
    CALL(unlinkat, CALL_CHANGE, 1, 0),
    CALL(renameat2, CALL_CHANGE, 3, 0),
    CALL(linkat, CALL_CHANGE, 3, 0),
    CALL(symlinkat, CALL_CHANGE, 2, 0),
    CALL(mknodat, CALL_CHANGE, 1, 0),
    CALL(truncate, CALL_CHANGE, 0, 0),
    CALL(fchmod, CALL_CHANGE, CALL_NO_PATH, 0),
    CALL(fchmodat, CALL_CHANGE, 1, 0),
    CALL(fchown, CALL_CHANGE, CALL_NO_PATH, 0),
    CALL(fchownat, CALL_CHANGE, 1, 0),
    CALL(utimensat, CALL_CHANGE, 1, 0),
    CALL(setxattr, CALL_CHANGE, 0, 0),
    CALL(lsetxattr, CALL_CHANGE, 0, 0),
    CALL(fsetxattr, CALL_CHANGE, CALL_NO_PATH, 0),
    CALL(removexattr, CALL_CHANGE, 0, 0),
    CALL(lremovexattr, CALL_CHANGE, 0, 0),
    CALL(fremovexattr, CALL_CHANGE, CALL_NO_PATH, 0),
    CALL(kill, CALL_SIGNAL, 0, 0),
    CALL(tkill, CALL_SIGNAL, 0, 1),
    CALL(tgkill, CALL_SIGNAL, 0, 0),
    CALL(rt_sigqueueinfo, CALL_SIGNAL, 0, 0),
    CALL(rt_tgsigqueueinfo, CALL_SIGNAL, 0, 0),
};

const CellCall *cell_calls(size_t *ret_count)
{
    *ret_count = sizeof(calls) / sizeof(calls[0]);
    return calls;
}

const CellCall *cell_call_of(int number)
{
    for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++)
        if (calls[i].number == number)
            return &calls[i];
    return NULL;
}

bool cell_call_is_of_filter(const CellCall *call)
{
    return call->kind == CALL_BIND || call->kind == CALL_SIGNAL;
}
