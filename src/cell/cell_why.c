#include "cell/cell_why.h"

#include "base/banned.h"

#include <errno.h>
#include <unistd.h>

bool step_failed(Why *why, const char *what, const char *path)
{
    *why = (Why){.what = what, .path = path, .error = errno};
    return false;
}

int tell_why(const Why *why, bool probe)
{
    dprintf(probe ? STDOUT_FILENO : STDERR_FILENO, "%s%s%s%s%s%s%s%s%s\n",
            probe ? "" : "warg-cell: ", why->what, why->path ? " " : "", why->path ? why->path : "",
            why->error || why->advice ? ": " : "", why->error ? strerror(why->error) : "",
            why->error && why->advice ? "; " : "", why->advice ? why->advice : "",
            probe         ? ""
            : why->advice ? "; the program was not started"
                          : "; the program was not started: this machine could not cover it");
    return CELL_FAILED;
}
