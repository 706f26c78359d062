"""Runs a program and prints the processor time of all its processes as JSON, in milliseconds.

Linux only. This process adopts what the program leaves behind, so nothing that it starts is missed: `own` is the program and
everything that was waited for, `left` are the processes that outlived their parents, each with what it waited for.
"""

import ctypes
import json
import os
import signal
import sys
import time

PR_SET_CHILD_SUBREAPER = 36
LONGEST_S = 60


def name_of(pid):
    try:
        with open(f"/proc/{pid}/cmdline", "rb") as file:
            words = file.read().decode("utf8", "replace").split("\0")
        return " ".join(word.rsplit("/", 1)[-1] for word in words if word)[:100]
    except OSError:
        return ""


def children():
    with open(f"/proc/self/task/{os.getpid()}/children") as file:
        return [int(pid) for pid in file.read().split()]


def spent(usage):
    return (usage.ru_utime + usage.ru_stime) * 1000


def main():
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    # What started this interpreter may have left a child to it.
    try:
        while os.wait4(-1, 0):
            pass
    except ChildProcessError:
        pass
    begun = time.monotonic()
    first = os.posix_spawn(sys.argv[2], sys.argv[2:], os.environ, setpgroup=0)
    result = {"left": [], "killed": 0}
    names = {}
    while True:
        for pid in children():
            names[pid] = name_of(pid) or names.get(pid, "")
        try:
            pid, status, usage = os.wait4(-1, os.WNOHANG)
        except ChildProcessError:
            break
        if pid == 0:
            if time.monotonic() - begun > LONGEST_S and result["killed"] == 0:
                result["killed"] = len(children())
                for child in children():
                    os.kill(child, signal.SIGKILL)
            time.sleep(0.01)
        elif pid == first:
            code = os.waitstatus_to_exitcode(status)
            result.update(code=code, own=spent(usage), wall=(time.monotonic() - begun) * 1000)
        else:
            result["left"].append({"name": names.get(pid, ""), "cpu": spent(usage)})
    result["until"] = (time.monotonic() - begun) * 1000
    with open(sys.argv[1], "w") as file:
        json.dump(result, file)


main()
