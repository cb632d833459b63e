/* cell_main.c - the program warg-cell, which is executed first where an agent is started. */
#include "cell/cell_start.h"

int main(int argc, char **argv)
{
    return cell_start(argc, argv);
}
