"""A peer of python-zeroconf: `publish NAME PORT ADDRESS...` until it is stopped, or `browse SECONDS`."""

import signal
import sys
import time

from zeroconf import IPVersion, ServiceBrowser, ServiceInfo, Zeroconf

TYPE = "_appsync._tcp.local."


class Listener:
    def __init__(self):
        self.is_done = False

    def add_service(self, zeroconf, service, name):
        info = zeroconf.get_service_info(service, name)
        addresses = ",".join(sorted(info.parsed_addresses())) if info else ""
        print("add", name, info.port if info else 0, addresses, info.properties if info else "", flush=True)
        self.is_done = True

    def update_service(self, zeroconf, service, name):
        print("update", name, flush=True)

    def remove_service(self, zeroconf, service, name):
        print("remove", name, flush=True)


def publish(name, port, addresses):
    zeroconf = Zeroconf(ip_version=IPVersion.All)
    zeroconf.register_service(
        ServiceInfo(
            TYPE, f"{name}.{TYPE}", port=int(port), parsed_addresses=addresses, properties={"id": "Z1"},
            server=f"{name}-host.local."))
    print("ready", flush=True)
    signal.sigwait([signal.SIGTERM])
    zeroconf.close()


def browse(seconds):
    zeroconf = Zeroconf(ip_version=IPVersion.All)
    ServiceBrowser(zeroconf, TYPE, Listener())
    time.sleep(float(seconds))
    zeroconf.close()


def first():
    """Ends with the first peer that is resolved."""
    zeroconf = Zeroconf(ip_version=IPVersion.All)
    listener = Listener()
    ServiceBrowser(zeroconf, TYPE, listener)
    while not listener.is_done:
        time.sleep(0.001)
    zeroconf.close()


if sys.argv[1] == "publish":
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM])
    publish(sys.argv[2], sys.argv[3], sys.argv[4:])
elif sys.argv[1] == "first":
    first()
else:
    browse(sys.argv[2])
