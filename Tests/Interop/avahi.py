"""An avahi-daemon with a D-Bus of its own on a host of the lab."""

import os
import subprocess
import time

BUS = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><listen>unix:path={folder}/bus</listen><auth>EXTERNAL</auth><policy context="default">
<allow user="*"/><allow own="*"/><allow send_type="method_call"/><allow send_type="signal"/>
<allow send_requested_reply="true"/><allow receive_type="method_call"/><allow receive_type="signal"/>
<allow receive_requested_reply="true"/></policy></busconfig>
"""

DAEMON = """[server]
host-name=avahi-{host}
use-ipv4=yes
use-ipv6=yes
allow-interfaces=eth0
ratelimit-interval-usec=1000000
ratelimit-burst=1000
[wide-area]
enable-wide-area=no
[publish]
publish-hinfo=no
publish-workstation=no
"""


# The daemon's folder has one place, and belongs to a user whom a user namespace does not know: there it is root.
PLACE = """
mkdir -p /run/avahi-daemon
mount -t tmpfs tmpfs /run/avahi-daemon
for file in passwd group; do
  sed 's/^avahi:x:[0-9]*/avahi:x:0/; s/^\\(avahi:x:0\\):[0-9]*:/\\1:0:/' /etc/$file >{folder}/$file
  mount --bind {folder}/$file /etc/$file
done
exec avahi-daemon -f {folder}/avahi.conf --no-drop-root --no-chroot --no-rlimits --no-proc-title
"""


class Avahi:
    def __init__(self, lab, host):
        self.lab, self.host = lab, host
        folder = f"/run/avahi-{host}"
        os.makedirs(folder)
        for name, text in (("bus.conf", BUS), ("avahi.conf", DAEMON)):
            with open(f"{folder}/{name}", "w", encoding="ascii") as file:
                file.write(text.format(folder=folder, host=host))
        self.environment = {**os.environ, "DBUS_SYSTEM_BUS_ADDRESS": f"unix:path={folder}/bus"}
        quiet = {"stderr": subprocess.DEVNULL, "env": self.environment}
        lab.start(host, "dbus-daemon", f"--config-file={folder}/bus.conf", "--nofork", "--nopidfile", **quiet)
        self._until(lambda: os.path.exists(f"{folder}/bus"))
        lab.start(host, "unshare", "-m", "sh", "-ec", PLACE.format(folder=folder), **quiet)
        self._until(lambda: self._answers())

    def _answers(self):
        done = subprocess.run(
            ["ip", "netns", "exec", self.host, "avahi-browse", "-atp"], env=self.environment, timeout=300,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return done.returncode == 0

    def _until(self, holds, seconds=300):
        deadline = time.monotonic() + seconds
        while not holds():
            if time.monotonic() > deadline:
                raise TimeoutError("avahi does not start")
            time.sleep(0.05)

    def publish(self, name, port, *texts):
        return self.lab.start(
            self.host, "avahi-publish", "-s", name, "_appsync._tcp", port, *texts, env=self.environment,
            stderr=subprocess.STDOUT)

    def browse(self, *options):
        return self.lab.run(self.host, "avahi-browse", *options, "_appsync._tcp", env=self.environment)
