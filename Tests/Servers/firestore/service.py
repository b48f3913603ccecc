"""All databases, the tokens, and the rules that tests set."""

import threading

from firestore.messages import Clock
from firestore.storage import Database, Journal
from firestore.tokens import load_key

TOKEN_SECONDS = 3600


class Service:
    """What all requests have in common."""

    def __init__(self, options):
        self.clock = Clock()
        self.lock = threading.RLock()
        self.delay = options.visible_after
        self.array_errors = options.array_errors
        self.tokens = {"owner"} | set(options.token)
        self.handed_out, self.token_count = {}, 0
        self.public_key = load_key(options.service_account)
        self.fail_rules, self.before_rules = [], []
        self.snapshots = {}
        # The first database that is addressed takes over this nameless one,
        # so that tests may put documents before any request.
        self.first = Database(self.clock)
        self.databases = {}
        self.journal = None  # nothing is written while the state is replayed
        self.journal = Journal(options.state, self) if options.state else None

    def all_stores(self):
        named = list(self.databases.values())
        return named if self.first in named else [self.first] + named

    def store(self, name):
        with self.lock:
            if name not in self.databases:
                if self.first.name is None:
                    self.first.name, self.databases[name] = name, self.first
                    self.rewrite()
                else:
                    self.databases[name] = Database(self.clock, name)
            return self.databases[name]

    def rewrite(self):
        if self.journal:
            self.journal.rewrite()

    def commit(self, store, database, writes, delay):
        with self.lock:
            versions, response = store.commit(database, writes, delay)
            if self.journal:
                self.journal.append(store, versions)
            return response

    def take_rule(self, rules, operation):
        """The first rule that matches this operation and is due, used up by one."""
        with self.lock:
            for rule in rules:
                if rule.get("path") not in (None, "*", operation):
                    continue
                if rule["skip"] > 0:
                    rule["skip"] -= 1
                    continue
                rule["times"] -= 1
                if rule["times"] <= 0:
                    rules.remove(rule)
                return rule
        return None

    # Tokens

    def authorized(self, header):
        kind, _, token = (header or "").partition(" ")
        if kind.lower() != "bearer":
            return False
        return token in self.tokens or self.handed_out.get(token, 0) > self.clock.now()

    def hand_out(self):
        with self.lock:
            self.token_count += 1
            token = f"ya29.test-{self.token_count}"
            self.handed_out[token] = self.clock.now() + TOKEN_SECONDS * 1_000_000
        return {"access_token": token, "expires_in": TOKEN_SECONDS, "token_type": "Bearer"}
