# disk.bash - what the scripts share that fail each call to the disk in turn. Sourced behind
# common.bash.
#
# $WARG_FAULTS is warg over a disk that fails (tests/disk_faults.c): only the process that it is
# started as, since its children are $WARG. WARG_EVERY_CALL=1 fails every call; otherwise one of
# some, always the same.

# A call fails once; the disk is dead from there on; it is full from there on (ENOSPC).
modes=('any N once 5' 'any N ever 5' 'full N ever 28')

# each_call STEP FUNCTION: with every STEP-th call of each mode calls FUNCTION, which runs
# `faulty COMMAND...`, until a run has fewer calls. `fault` says which it is.
each_call()
{
    local step=$1 function=$2 mode n first
    [[ ${WARG_EVERY_CALL:-} ]] && step=1
    for mode in "${modes[@]}"; do
        # One of `step` calls, the same every day; any number would do. `./dev soak disk` fails each one.
        first=$((327 % step))
        ((step == 1)) && first=0
        for ((n = first + 1; n < 3000; n += step)); do
            fault=${mode/N/$n}
            rm -f told
            "$function"
            [[ -s told ]] || {
                fail "$fault: the program did not come to its end"
                break
            }
            [[ $(<told) == *' 0 '* ]] && break # fewer calls than n
            [[ -e $work/failed ]] && return
        done
        ((n > step)) || fail "$mode: no call was failed"
    done
}

# faulty COMMAND...: the program with the fault; its status is in $status, stderr in faulty.err.
faulty()
{
    WARG_DISK_FAULT=$fault WARG_DISK_TOLD=$PWD/told timeout 200 "$WARG_FAULTS" "$@" \
        >faulty.out 2>faulty.err
    status=$?
    ((status == 0 || status == 3)) ||
        fail "$fault ($(<told)): exit status $status: $(tail -n 3 faulty.err)"
    # 3: a sentence says what could not be done with which file.
    ((status == 0)) || grep -qE "^warg: .*('[^']+': |journal).*(Input/output error|No space left)" faulty.err ||
        fail "$fault ($(<told)): says no reason: $(cat faulty.err)"
}
