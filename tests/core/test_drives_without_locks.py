"""Folders on drives that know no file locks, shared by machines: what a lock file says decides, and grows old."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from faying.atomic import host
from faying.project.lock import FolderInUse, FolderLock, claim, holder_of, is_held

pytestmark = pytest.mark.skipif(os.name == "nt", reason="flock answers so")

# As such a drive answers; the machine is another one if it is named.
LOCKLESS = """
import errno, fcntl, os, platform, sys
def no_locks(*_):
    raise OSError(errno.ENOLCK, "No locks available")
fcntl.flock = no_locks
if len(sys.argv) > 2:
    platform.node = lambda: sys.argv[2]
from pathlib import Path
from faying.project.lock import FolderInUse, FolderLock
try:
    lock = FolderLock(Path(sys.argv[1]))
except FolderInUse as error:
    sys.exit(str(error))
print("taken", flush=True)
sys.stdin.readline()
"""


@pytest.fixture
def lockless(tmp_path: Path):
    """Return a function that starts a process which takes the lock of the folder and keeps it."""
    running = []

    def start(*machine: str) -> subprocess.Popen:
        command = [sys.executable, "-c", LOCKLESS, str(tmp_path), *machine]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
        running.append(subprocess.Popen(command, **pipes))
        return running[-1]

    yield start
    for process in running:
        process.kill()
        process.communicate()


def refused(process: subprocess.Popen) -> str:
    _, err = process.communicate("\n", timeout=60)
    assert process.returncode == 1, err
    return err


def age(folder: Path, seconds: float) -> None:
    """Let all files of a folder, and what its lock says, be older."""
    lock = folder / "lock"
    process, machine, since = lock.read_text().split()
    lock.write_text(f"{process} {machine} {float(since) - seconds:.0f}")
    for file in folder.iterdir():
        os.utime(file, (time.time() - seconds,) * 2)


def test_a_living_process_of_this_machine_holds_its_folder(tmp_path: Path, lockless) -> None:
    first = lockless()
    assert first.stdout.readline() == "taken\n"
    said = refused(lockless())
    assert f"process {first.pid}, since " in said and f"remove {tmp_path / 'lock'}" in said
    first.kill()
    first.wait()
    assert lockless().stdout.readline() == "taken\n"


def test_a_number_that_another_process_has_now_does_not_block(tmp_path: Path, lockless) -> None:
    """The process was killed long ago; its number is that of one that began later: of this test."""
    (tmp_path / "lock").write_text(f"{os.getpid()} {host()} 1000000000")
    assert lockless().stdout.readline() == "taken\n"


def test_a_process_of_another_machine_holds_its_folder_while_something_changes_in_it(
    tmp_path: Path, lockless
) -> None:
    first = lockless("node7.lab")
    assert first.stdout.readline() == "taken\n"
    said = refused(lockless())
    assert f"process {first.pid} on node7lab, since " in said and f"remove {tmp_path / 'lock'}" in said
    age(tmp_path, 3 * 86400.0)
    (tmp_path / "frames.h5").touch()
    assert "on node7lab" in refused(lockless())
    age(tmp_path, 3 * 86400.0)
    assert lockless().stdout.readline() == "taken\n"


def test_a_lock_says_who_holds_it(tmp_path: Path) -> None:
    lock = FolderLock(tmp_path)
    holder = holder_of(tmp_path)
    assert (holder.process, holder.host) == (os.getpid(), host()) and abs(holder.since - time.time()) < 60.0
    with pytest.raises(FolderInUse, match=f"process {os.getpid()}, since .*remove .*lock"):
        FolderLock(tmp_path)
    lock.release()
    (tmp_path / "lock").write_text("12")  # as earlier versions wrote it
    assert str(holder_of(tmp_path)) == "process 12" and not is_held(tmp_path)
    with claim(tmp_path / "a.lock", print):
        assert (tmp_path / "a.lock").read_text().split()[:2] == [str(os.getpid()), host()]
