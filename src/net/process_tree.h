/* process_tree.h - a process and all that it has started.
 *
 * For:    who may use an agent's port (net/peer.h), and how long an agent's threads had to wait for
 *         a processor. Knows no agent.
 * Memory: fills the caller's array; what it needs meanwhile is freed.
 * Thread: any; it waits for nothing but the kernel: some 10 us for each process of the machine.
 * Source: proc(5), /proc/PID/stat. Not task/TID/children, which is there only in kernels built with
 *         CONFIG_PROC_CHILDREN and is exact only while nobody starts or ends.
 *
 * A process in a pid namespace of its own is seen with the number that it has here. One whose
 * parent has ended counts for whoever adopted it: in a namespace of its own that is the first
 * process there, elsewhere it is not found any more. Where /proc hides processes (hidepid), those
 * of the root's group that it hides are found if the root leads its group.
 */
#ifndef WARG_NET_PROCESS_TREE_H
#define WARG_NET_PROCESS_TREE_H

#include <stddef.h>

/* The process `root` and its descendants, parents before children, `root` first, the first `room`
 * of them into ret_pids. Returns how many there are, which may be more than `room`; 0 when `root`
 * is not there, /proc is not readable or memory is out. What has ended but was not waited for is
 * among them. */
size_t process_tree_read(int root, int *ret_pids, size_t room);

/* The same of processes alone whose numbers are above that of `root`: of a program that has started
 * a moment ago these are nearly always all, and few others have to be looked at. */
size_t process_tree_read_young(int root, int *ret_pids, size_t room);

#endif
