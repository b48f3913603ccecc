"""Households in PostgreSQL: kills, a pooler, a standby that lags, moves, outages, TLS and quotas: database.py SCENARIO."""

import contextlib
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

from checks import HANGING, LONG, check, main, tool, until
from cluster import Cluster, DatabaseServer
from household import Device, Server, change, token
from kills import CLIENTS, Client, wait_between_kills


def killed(folder, *counts):
    """The server and the database, while several clients post: what was acknowledged is there: killed [SERVER DATABASE]."""
    servers, databases = map(int, counts) if counts else (500, 50) if LONG else (12, 3)
    seed = random.randrange(1 << 32)
    print(f"seed: {seed}")
    moments = random.Random(seed)
    with Cluster("fsync=on") as cluster, DatabaseServer(folder / "server", cluster.url) as running:
        clients = [Client(running, number, retried=(503,)) for number in range(CLIENTS)]
        for client in clients:
            client.start()
        turns = ["server"] * servers + ["database"] * databases
        moments.shuffle(turns)
        for number, turn in enumerate(turns):
            wait_between_kills(clients, moments, number)
            if turn == "server":
                running.stop(signal.SIGKILL)
                running.start()
            else:
                cluster.control("stop", "-m", "immediate")
                cluster.control("start")
        for client in clients:
            client.over = True
        for client in clients:
            client.join()
        count = sum(len(client.acknowledged) for client in clients)
        check(count >= len(turns) // 2, f"{count} records in {servers} kills of the server and {databases} of the database")
        check(not any(client.strange for client in clients), f"no other answer {[c.strange[:1] for c in clients]}")
        kept = {json.loads(line)["identity"]["id"] for line in running.dump().splitlines()}
        lost = [key for client in clients for key in client.acknowledged if key not in kept]
        check(not lost, f"all that was acknowledged is there: {lost[:5]}")
        print(f"{sum(client.repeated for client in clients)} had been stored when their request was repeated")
        check(running.verify() == {"faults": 0, "ahead": 0}, "nothing is to be repaired")
        check(running.stop() == 0, "it ends at a signal")


def pooled(folder):
    """pgbouncer gives each transaction another session: households do not mix, and nothing is missed."""
    if shutil.which("pgbouncer") is None:
        print("pgbouncer is not installed", file=sys.stderr)
        sys.exit(77)
    names = [f"house{number}" for number in range(8)]
    with Cluster() as cluster:
        place = Path(cluster.folder) / "pool"
        place.mkdir()
        (place / "users").write_text('"peersync" ""\n')
        (place / "ini").write_text(f"""[databases]
peersync = host={cluster.folder} port=5432 dbname=peersync
[pgbouncer]
listen_addr =
unix_socket_dir = {place}
listen_port = 6432
auth_type = trust
auth_file = {place}/users
pool_mode = transaction
default_pool_size = 3
""")
        if os.getuid() == 0:
            for each in (place, *place.iterdir()):
                shutil.chown(each, "postgres")
        words = ["pgbouncer", "-q", place / "ini"]
        if os.getuid() == 0:
            words = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups", *words]
        pooler = subprocess.Popen(list(map(str, words)), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            until((place / ".s.PGSQL.6432").exists, "the pooler listens")
            url = f"postgresql://peersync@/peersync?host={place}&port=6432"
            with DatabaseServer(folder / "server", url, households=names) as running:
                keys = {name: running.key(household=name)[0] for name in names}
                told = {name: set() for name in names}

                def write(name):
                    for number in range(40):
                        status, answer = running.ask(keys[name], "POST", body=change(f"{name}-{number}"))
                        if status != 200:
                            raise RuntimeError(f"{status} {answer}")

                def follow(name):
                    last = ""
                    while len(told[name]) < 40:
                        data = running.ask(keys[name], query=f"?wait=5&since={last}")[1]
                        lines = [json.loads(line) for line in data.splitlines()] if isinstance(data, str) else [data]
                        told[name].update(line["identity"]["id"] for line in lines if "identity" in line)
                        last = token(data)

                threads = [threading.Thread(target=work, args=(name,), daemon=True) for name in names for work in (write, follow)]
                for thread in threads:
                    thread.start()
                for thread in threads:
                    thread.join(120)
                check(all(told[name] == {f"{name}-{number}" for number in range(40)} for name in names),
                      f"each household was told its own {[len(each) for each in told.values()]}")
                check(running.stop() == 0, "it ends at a signal")
        finally:
            pooler.terminate()
            pooler.wait()


def lagging(folder):
    """A standby that lags takes the place of the database: devices are told, and hand over what it lacks."""
    with Cluster("wal_level=replica", "max_wal_senders=4", "fsync=on") as cluster:
        standby = Path(cluster.folder) / "standby"
        cluster.as_owner(cluster.program("pg_basebackup"), "-h", cluster.folder, "-D", standby, "-R", "-c", "fast")
        port = ("-o", f"-p 5433 -k {cluster.folder} -c listen_addresses= -c max_connections=300")
        control = (cluster.program("pg_ctl"), "-D", standby, "-w", "-s")
        url = f"postgresql://peersync@/peersync?host={cluster.folder},{cluster.folder}&port=5432,5433"
        with DatabaseServer(folder / "server", url) as running:
            _, file = running.key()
            cluster.as_owner(*control, *port, "-l", f"{cluster.folder}/standby.log", "start")
            devices = [Device(folder, name) for name in ("kitchen", "attic")]
            try:
                for device in devices:
                    device.add(f"http://127.0.0.1:{running.port}", "--key-file", file)
                devices[0].put(1, "before")
                for device in devices:
                    device.run()
                position = cluster.sql("SELECT pg_current_wal_lsn()")
                query = ["psql", "-qAt", "-h", cluster.folder, "-p", "5433", "-U", "postgres", "-d", "peersync", "-c"]
                until(lambda: cluster.as_owner(
                    cluster.program(query[0]), *query[1:],
                    f"SELECT pg_last_wal_replay_lsn() >= '{position}'").stdout.strip() == "t", "the standby has caught up")
                # What is stored from now on never gets to the standby.
                for sql in ("ALTER SYSTEM SET primary_conninfo = ''", "SELECT pg_reload_conf()"):
                    cluster.as_owner(cluster.program(query[0]), *query[1:], sql)
                until(lambda: cluster.sql("SELECT count(*) FROM pg_stat_replication") == "0", "the standby is cut off")
                devices[0].put(2, "lost")
                for device in devices:
                    device.run()
                waiting = {}
                key = running.key()[0]
                last = token(running.ask(key)[1])

                def wait():
                    # Before the standby takes over, a request that comes late is told to come again.
                    until(lambda: waiting.update(answer=running.ask(key, query=f"?wait=50&since={last}"))
                          or waiting["answer"][0] != 503, "an answer")

                thread = threading.Thread(target=wait, daemon=True)
                thread.start()
                time.sleep(0.5)
                cluster.control("stop", "-m", "immediate")
                cluster.as_owner(*control, "promote")
                thread.join(HANGING)
                check(waiting.get("answer", (0,))[0] == 410, f"who waits is told: {waiting.get('answer', '')}")
                devices[1].put(3, "after")
                for _ in range(2):
                    for device in devices:
                        device.run()
                check(all(device.keys() == {"before", "lost", "after"} for device in devices), "nothing is lost")
                check({json.loads(line)["identity"]["id"] for line in running.dump().splitlines()} == {"before", "lost", "after"},
                      "and the new database has it all")
                check(running.stop() == 0, "it ends at a signal")
            finally:
                cluster.as_owner(*control, "stop", "-m", "immediate")


def moved(folder):
    """From files to a database and back: devices go on with their keys and places, and a move that is cut off goes on."""
    with Cluster() as cluster:
        with Server(folder / "server") as files:
            _, file = files.key()
            device = Device(folder, "kitchen")
            device.add(f"http://127.0.0.1:{files.port}", "--key-file", file)
            device.put(1, *[f"a{number}" for number in range(500)])
            device.run()
            kills = 8
            for turn in range(kills):
                move = subprocess.Popen(
                    ["syncserve", "move", "--store", files.place, "--to", cluster.url], stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL)
                time.sleep(0.02 * turn)
                move.kill()
                move.wait()
            tool("syncserve", "move", "--store", files.place, "--to", cluster.url)
            check(files.ask(file.read_text().strip(), "POST", body=change("late"))[0] in (404, 503), "the old place takes nothing")
            files.stop()
        keys = files.folder / "server"
        with DatabaseServer(keys, cluster.url) as there:
            moved_tally = device.run()
            check((moved_tally["changesReceived"], moved_tally["changesSent"]) == (0, 0), "nothing is sent anew to the database")
            device.put(2, "b")
            check(device.run()["changesSent"] == 1, "but for what is new")
            check(there.verify() == {"faults": 0, "ahead": 0}, "and the store is whole")
            check(there.stop() == 0, "it ends at a signal")
        back = folder / "back"
        back.mkdir(mode=0o700)
        tool("syncserve", "move", "home", "--store", cluster.url, "--to", f"{back}/")
        again = Server(back)
        again.options = ("--keys", str(keys))
        with again:
            tally = device.run()
            check((tally["changesReceived"], tally["changesSent"]) == (0, 0), "nor to the files")
            check(again.verify() == {"faults": 0, "ahead": 0}, "which are whole")
            check(len(again.dump().splitlines()) == 501, "with all records")


def interrupted(folder):
    """A move that fails opens the old place again; one that is killed leaves it closed, and nothing takes its place."""
    with Cluster() as cluster:
        source = folder / "source"
        tool("syncserve", "household", "add", "big", "--store", f"{source}/")
        store = source / "big.db"
        tool("synclog", "apply", "--from", "here", "--store", store, text="".join(change(f"a{number}") for number in range(30000)))
        words = ("syncserve", "move", "big", "--store", f"{source}/", "--to", cluster.url, "--wait", "5m")
        # This makes the tables; the move then stops where it copies the first records.
        tool("syncserve", "household", "list", "--store", cluster.url)
        held = cluster.holding("LOCK TABLE peersync.changes IN EXCLUSIVE MODE")

        def copying():
            return cluster.sql(
                "SELECT count(*) FROM pg_stat_activity WHERE usename = 'peersync' AND wait_event_type = 'Lock'") != "0"

        move = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        until(copying, "it copies")
        cluster.sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'peersync'")
        said = move.communicate()[1]
        check(move.returncode == 75 and f"{cluster.url}#big" in said, f"a lost connection ends it: {said}")
        check(store.exists() and not Path(f"{store}.moving").exists(), "the old place is open again")
        tool("synclog", "put", "--store", store, text='{"id":"n1"}')
        until(lambda: not copying(), "its session is over")
        move = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        until(copying, "it copies again")
        move.kill()
        move.wait()
        cluster.release(held)
        check(Path(f"{store}.moving").exists() and not store.exists(), "a killed one leaves it closed")
        check(tool("synclog", "put", "--store", store, text='{"id":"n2"}', status=None).returncode == 75, "nothing is written")
        check(tool("syncserve", "household", "add", "big", "--store", f"{source}/", status=None).returncode == 73, "nor made anew")
        check(json.loads(tool(*words))["records"] == 30001, "the same command moves all of it")
        # From the database, a household that was closed keeps its name too.
        back = ("syncserve", "move", "big", "--store", cluster.url, "--to", f"{folder / 'back'}/")
        move = subprocess.Popen(back, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        until(lambda: (folder / "back" / "big.db.new").exists(), "it copies from the database")
        move.kill()
        move.wait()
        done = tool("syncserve", "household", "add", "big", "--store", cluster.url, status=None)
        check(done.returncode == 73 and "being moved" in done.stderr, f"the name is not free: {done.stderr}")
        check(json.loads(tool("syncserve", "household", "list", "--store", cluster.url))["moving"], "the list has it")
        check(json.loads(tool(*back, "--cancel"))["records"] == 30001, "it is taken back")
        same = cluster.url.replace("peersync@/", "peersync@/") + "&application_name=other"
        done = tool("syncserve", "move", "big", "--store", cluster.url, "--to", same, status=None)
        check(done.returncode == 73 and "already has" in done.stderr, f"the same database by another name: {done.stderr}")
        check(json.loads(tool(*back))["records"] == 30001, "and it is moved")


def oversized(folder):
    """What has no place in an index is named before anything is closed, and a server refuses that line alone."""
    with Cluster() as cluster:
        source = folder / "source"
        tool("syncserve", "household", "add", "big", "--store", f"{source}/")
        name = "".join(random.choice("abcdefghijklmnopqrstuvwxyz0123456789") for _ in range(2700))
        tool("synclog", "apply", "--from", "here", "--store", source / "big.db", text=change(name) + change("short"))
        done = tool("syncserve", "move", "--store", f"{source}/", "--to", cluster.url, status=None)
        check(done.returncode == 65 and name[:30] in done.stderr and "2600" in done.stderr, f"it is named: {done.stderr}")
        check((source / "big.db").exists(), "and the old place is open")
        with DatabaseServer(folder / "server", cluster.url) as running:
            key = running.key()[0]
            status, answer = running.ask(key, "POST", body=change("a") + change(name) + change("b"))
            check(status == 200 and answer["badLines"] == [{"line": 2, "code": "lineTooLarge"}], f"one line is set aside: {answer}")
            check(len(running.dump().splitlines()) == 2, "and the others are stored")
            check(running.stop() == 0, "it ends at a signal")


def silent(folder):
    """A lock, and a database that stops answering: requests wait as long as --wait says, however many there are."""
    with Cluster() as cluster:
        running = DatabaseServer(folder / "server", cluster.url)
        running.options += ("--wait", "2s")
        with running:
            key = running.key()[0]
            check(running.ask(key, "POST", body=change("a"))[0] == 200, "a record is stored")

            def asked():
                answers = []

                def ask(number):
                    begun = time.monotonic()
                    status = running.ask(key, "POST", body=change(f"b{number}"))[0]
                    answers.append((status, time.monotonic() - begun))

                threads = [threading.Thread(target=ask, args=(number,), daemon=True) for number in range(12)]
                for thread in threads:
                    thread.start()
                for thread in threads:
                    thread.join()
                return {status for status, _ in answers}, max(seconds for _, seconds in answers)

            lock = cluster.holding("SELECT 1 FROM peersync.store FOR UPDATE")
            statuses, seconds = asked()
            check(statuses == {503} and seconds < 20, f"none waits for the others: {statuses}, {seconds:.1f} s")
            cluster.release(lock)
            first = int((Path(cluster.folder) / "data" / "postmaster.pid").read_text().split()[0])
            children = Path(f"/proc/{first}/task/{first}/children").read_text().split()

            def signalled(number):
                for process in (first, *map(int, children)):
                    # A child that ended meanwhile disappears once the first process continues.
                    with contextlib.suppress(ProcessLookupError):
                        os.kill(process, number)

            signalled(signal.SIGSTOP)
            try:
                statuses, seconds = asked()
            finally:
                signalled(signal.SIGCONT)
            check(statuses == {503} and seconds < 60, f"nor for a silent database: {statuses}, {seconds:.1f} s")
            until(lambda: running.ask(key, "POST", body=change("c"))[0] == 200, "a record is stored when it answers again")
            check(running.stop() == 0, "it ends at a signal")


def plaintext(folder):
    """Nothing goes to another machine unencrypted unless somebody asks for it, whatever leads there."""
    there = "10.99.0.2"
    tool("ip", "address", "add", f"{there}/32", "dev", "lo")
    services = folder / "services"
    services.write_text(f"[there]\nhost={there}\n[plain]\nhost={there}\nsslmode=disable\n")
    with Cluster(f"listen_addresses={there}") as cluster:
        with open(Path(cluster.folder) / "data" / "pg_hba.conf", "a", encoding="utf-8") as rules:
            rules.write(f"host all peersync {there}/32 trust\n")
        cluster.control("reload")

        def listed(url, **variables):
            words = ("syncserve", "household", "list", "--store", url, "--errors", "json")
            environment = os.environ | {"PGSERVICEFILE": str(services)} | variables
            done = tool(*words, status=None, environment=environment)
            return done.returncode, done.stderr

        for url, variables in (
                (f"postgresql://peersync@{there}/peersync", {}),
                ("postgresql://peersync@localhost/peersync", {"PGHOSTADDR": there}),
                ("postgresql://peersync@/peersync", {"PGHOSTADDR": there}), ("postgresql://peersync@/peersync", {"PGHOST": there}),
                (f"postgresql://peersync@localhost/peersync?hostaddr={there}", {}),
                (f"postgresql://peersync@localhost,localhost/peersync?hostaddr=127.0.0.1,{there}", {}),
                (f"postgresql://peersync@{there}/peersync?sslmode=", {}),
                ("postgresql://peersync@/peersync?service=there", {}), ("postgresql://peersync@/peersync", {"PGSERVICE": "there"})):
            status, said = listed(url, **variables)
            check(status == 77 and "SSL" in said and '"retryable":false' in said, f"refused: {url} {variables} {status} {said}")
        for url, variables in (
                (f"postgresql://peersync@{there}/peersync?sslmode=disable", {}),
                (f"postgresql://peersync@{there}/peersync", {"PGSSLMODE": "disable"}),
                ("postgresql://peersync@/peersync?service=plain", {}), ("postgresql://peersync@/peersync", {"PGSERVICE": "plain"})):
            status, said = listed(url, **variables)
            check(status == 0, f"as it was asked for: {url} {variables} {said}")


def unfit(folder):
    """A database that cannot be used as it is: what is wrong, and that trying again does not help."""
    with Cluster("listen_addresses=127.0.0.1") as cluster:
        data = Path(cluster.folder) / "data"
        rules = "local all all trust\nhost all all 127.0.0.1/32 scram-sha-256\n"
        (data / "pg_hba.conf").write_text(rules)
        cluster.sql("ALTER ROLE peersync PASSWORD 'quiet words'")
        cluster.control("reload")
        for sql in ("CREATE ROLE guest LOGIN", "CREATE DATABASE other OWNER postgres",
                    "CREATE DATABASE latin OWNER peersync ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0",
                    "CREATE DATABASE still OWNER peersync", "ALTER DATABASE still SET default_transaction_read_only = on"):
            cluster.sql(sql, database="postgres")
        tool("syncserve", "household", "add", "a", "--store", cluster.url)
        network = "postgresql://peersync@127.0.0.1/peersync"

        def other(name):
            return cluster.url.replace("/peersync?", f"/{name}?")

        for url, word, status, reason in (
                (network, None, 77, "no password"), (network, "loud words", 77, "password authentication failed"),
                (other("missing"), None, 66, "does not exist"), (other("latin"), None, 77, "createdb -E UTF8 -T template0"),
                (other("other"), None, 77, "permission denied"), (other("still"), None, 77, "read-only"),
                (cluster.url.replace("peersync@", "guest@"), None, 77, "permission denied"),
                (network.replace("1/", "1:nowhere/"), None, 64, "port"), (network + "?sslmode=bogus", None, 64, "sslmode"),
                (network.replace("1/", "1:5999,127.0.0.1:5998/"), None, 75, "5998")):
            environment = os.environ | ({"PGPASSWORD": word} if word else {})
            done = tool("syncserve", "household", "list", "--store", url, status=None, environment=environment)
            check(done.returncode == status and reason in done.stderr, f"{status}: {done.stderr}")
        # A server that is in the language of others.
        (folder / "word").write_text("loud words\n")
        source = f"{folder / 'source'}/"
        tool("syncserve", "household", "add", "b", "--store", source)
        words = ("syncserve", "move", "--store", source, "--to", network, "--password-file")
        done = tool(*words, folder / "word", status=None)
        check(done.returncode == 77 and f"{network}#b" in done.stderr, f"the side that failed is named: {done.stderr}")
        (folder / "word").write_text("quiet words\n")
        tool(*words, folder / "word")
        back = ("syncserve", "move", "b", "--store", network, "--to", source, "--password-file", folder / "word")
        check(json.loads(tool(*back))["records"] == 0, "a password is for either side")


def replaced(folder):
    """A household that is removed is gone for a server that runs, and one that is made anew is another."""
    with Cluster() as cluster, DatabaseServer(folder / "server", cluster.url) as running:
        tool("syncserve", "household", "add", "a", "--store", cluster.url)
        first = running.key(household="a")[0]
        check(running.ask(first, "POST", body=change("old-secret"))[0] == 200, "a record is stored")
        removed = json.loads(tool("syncserve", "household", "remove", "a", "--store", cluster.url, "--keys", running.keys))
        check(running.ask(first)[0] == 401, "its key is revoked")
        tool("syncserve", "household", "add", "a", "--store", cluster.url)
        second = running.key(household="a")[0]
        status, answer = running.ask(second)
        check(status == 200 and "old-secret" not in str(answer), f"what was there before is not given: {answer}")
        check(running.ask(second, "POST", body=change("new1"))[0] == 200, "a record is stored")
        check("new1" in running.dump("a"), "in the new household")
        check("old-secret" in running.dump(removed["removedAs"]) and "new1" not in running.dump(removed["removedAs"]),
              "and not in the removed one")
        copy = folder / "removed.db"
        tool("syncserve", "backup", "--household", removed["removedAs"], "--store", cluster.url, copy)
        check("old-secret" in tool("synclog", "dump", "--store", copy), "a backup of that can be made")
        tool("syncserve", "household", "remove", removed["removedAs"], "--store", cluster.url, "--keys", running.keys)
        check(cluster.sql("SELECT count(*) FROM peersync.households WHERE name LIKE '%removed%'") == "0", "and it is purged")
        check(cluster.sql("SELECT count(*) FROM peersync.changes") == "1", "with its rows")
        # While it is moved, requests wait for another try, and nothing is called damaged.
        answers = set()
        over = threading.Event()

        def post():
            number = 0
            while not over.is_set():
                number += 1
                answers.add(running.ask(second, "POST", body=change(f"b{number}"))[0])
                time.sleep(0.03)

        thread = threading.Thread(target=post, daemon=True)
        thread.start()
        for turn in range(3):
            there, here = (f"{folder / 'other'}/", cluster.url) if turn % 2 == 0 else (cluster.url, f"{folder / 'other'}/")
            tool("syncserve", "move", "a", "--store", here, "--to", there)
            time.sleep(0.3)
        over.set()
        thread.join()
        check(answers <= {200, 503, 404}, f"no other answer: {answers}")
        check("damaged" not in Path(f"{running.access}.errors").read_text(), "the log does not speak of damage")
        check(running.stop() == 0, "it ends at a signal")


def outage(folder):
    """The database is away for a while: requests get 503, and the log has two lines about it, however many requests there are."""
    with Cluster() as cluster, DatabaseServer(folder / "server", cluster.url) as running:
        clients = [Client(running, number, retried=(503,)) for number in range(CLIENTS)]
        for client in clients:
            client.start()

        def refused():
            return len([line for line in running.log() if line["status"] == 503])

        def stored():
            return sum(len(client.acknowledged) for client in clients)

        def said():
            return [line for line in Path(f"{running.access}.errors").read_text().splitlines() if "database" in line]

        until(lambda: stored() > 20, "records are stored")
        for number in (1, 2):
            before = refused()
            cluster.control("stop", "-m", "immediate")
            until(lambda: refused() > before + 50, "requests are refused")
            check(len(said()) == 2 * number - 1 and "cannot be used" in said()[-1], f"that is said once: {said()[-1:]}")
            cluster.control("start")
            known = stored()
            until(lambda: stored() > known + 20, "records are stored again")
            until(lambda: len(said()) == 2 * number, "and that it is back")
            check(re.search(r"available again after [0-9.]+ s; \d+ requests could not", said()[-1]), f"with how long it took: {said()[-1]}")
        for client in clients:
            client.over = True
        for client in clients:
            client.join()
        check(not any(client.strange for client in clients), f"no other answer {[c.strange[:1] for c in clients]}")
        # Nobody asks anew, and it is said all the same.
        key = running.key()[0]
        threading.Thread(target=running.ask, args=(key,), kwargs={"query": "?wait=50"}, daemon=True).start()
        cluster.control("stop", "-m", "immediate")
        until(lambda: len(said()) == 5, "it is said that it is gone")
        cluster.control("start")
        until(lambda: len(said()) == 6, "and that it is back")
        check(running.stop() == 0, "it ends at a signal")


def certificate(folder, name, authority=None):
    """A key and a certificate, by an authority or by itself."""
    by = ("-CA", folder / f"{authority}.pem", "-CAkey", folder / f"{authority}.key") if authority else ()
    tool("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj",
         f"/CN={name}", "-addext", f"subjectAltName=DNS:{name}", *by, "-keyout", folder / f"{name}.key", "-out",
         folder / f"{name}.pem")


def encrypted(folder):
    """Over a network the database has to show a certificate of its name, by an authority that is named."""
    there = "10.99.0.1"
    tool("ip", "address", "add", f"{there}/32", "dev", "lo")
    for name in ("authority", "stranger"):
        certificate(folder, name)
    certificate(folder, "db.example", "authority")
    with Cluster(f"listen_addresses={there}") as cluster:
        data = Path(cluster.folder) / "data"
        for end, name in (("key", "server.key"), ("pem", "server.crt")):
            shutil.copy(folder / f"db.example.{end}", data / name)
            shutil.chown(data / name, *((data.owner(), data.group())))
            (data / name).chmod(0o600)
        with open(data / "pg_hba.conf", "a", encoding="utf-8") as rules:
            rules.write(f"hostssl all peersync {there}/32 scram-sha-256\n")
        cluster.sql("ALTER SYSTEM SET ssl = on")
        cluster.sql("ALTER ROLE peersync PASSWORD 'quiet words'")
        cluster.control("restart")

        def url(name="db.example", authority="authority", more=""):
            return (f"postgresql://peersync@{name}/peersync?hostaddr={there}&port=5432"
                    f"&sslrootcert={folder / f'{authority}.pem'}{more}")

        word = folder / "word"
        word.write_text("quiet words\n")
        for place, reason in (
                (url(authority="stranger"), "certificate verify failed"), (url("other.example"), "does not match host name"),
                (url(more="&sslmode=disable"), "no encryption")):
            done = tool("syncserve", "household", "list", "--store", place, "--password-file", word, status=None)
            check(done.returncode == 77 and reason in done.stderr, f"refused: {done.stderr.splitlines()[:1]}")
        (folder / "wrong").write_text("loud words\n")
        done = tool("syncserve", "household", "list", "--store", url(), "--password-file", folder / "wrong", status=None)
        check(done.returncode == 77 and "password authentication failed" in done.stderr, "and so is another password")
        tool("syncserve", "household", "list", "--store", url(), "--password-file", word)
        os.environ["PGPASSWORD"] = "quiet words"
        with DatabaseServer(folder / "server", url()) as running:
            check(running.ask(running.key()[0], "POST", body=change("a"))[0] == 200, "with all of it right, a record is stored")
            plain = cluster.sql("SELECT count(*) FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) "
                                "WHERE usename = 'peersync' AND NOT ssl")
            secret = cluster.sql("SELECT count(*) FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) "
                                 "WHERE usename = 'peersync' AND ssl")
            check(plain == "0" and int(secret) > 0, f"{secret} connections, all of them encrypted")
            check(running.stop() == 0, "it ends at a signal")


def limited(folder):
    """--quota: a household takes no more than it may have, another one goes on, and who deletes has room again."""
    with Cluster() as cluster:
        server = DatabaseServer(folder / "server", cluster.url, households=("home", "other"))
        server.options += ("--quota", "1M")
        with server as running:
            key, other = running.key()[0], running.key(household="other")[0]
            statuses = [running.ask(key, "POST", body=change(f"a{number}", filling="x" * 100_000))[0] for number in range(12)]
            check(statuses == [200] * 10 + [507] * 2, f"ten records of 100 KB have room {statuses}")
            status, answer = running.ask(key, "POST", body=change("b", filling="x" * 100_000))
            check(status == 507 and "quota" in answer["error"]["message"], f"the answer says why: {answer}")
            check(running.ask(other, "POST", body=change("a", filling="x" * 100_000))[0] == 200, "another household goes on")
            statuses = {running.ask(key, "POST", body=change("a1", number + 1, filling="y" * 100_000))[0] for number in range(12)}
            check(statuses == {200}, "a record in the place of another needs no more room")
            gone = json.dumps({"entityName": "", "identity": {"id": "a0"}, "deletedAt": "2026-01-01T00:00:00Z"})
            check(running.ask(key, "POST", body=gone)[0] == 200, "a record is deleted")
            check(running.ask(key, "POST", body=change("b", filling="x" * 100_000))[0] == 200, "and another one has its room")
            check(len(running.dump().splitlines()) == 11, "no record is half there")
            check(not Path(f"{running.access}.errors").read_text().count("quota"), "the log is not about it")
            check(running.stop() == 0, "it ends at a signal")


if __name__ == "__main__":
    main(killed, pooled, lagging, moved, interrupted, oversized, replaced, silent, plaintext, unfit, outage, encrypted, limited)
