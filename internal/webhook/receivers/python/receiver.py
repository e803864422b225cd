#!/usr/bin/env python3
"""A receiver of paydown's webhooks for Python 3.11 and later, using only the standard library. Copy it, and add your
own code to handle().

    WEBHOOK_SECRETS=whsec_... python3 receiver.py serve [HOST:PORT]
    python3 receiver.py vectors FILE

WEBHOOK_SECRETS is the endpoint's signing secret and, during a rotation, the previous one, separated by a comma.
WEBHOOK_INBOX is the database file that stores the deliveries, by default inbox.db.
"""

import base64
import contextlib
import hashlib
import hmac
import http.server
import json
import os
import re
import socketserver
import sqlite3
import sys
import threading
import time

FRESHNESS = 300  # maximum difference of a timestamp from the clock, in seconds
MAX_BODY = 1 << 20  # in bytes; deliveries are far smaller
KEEP = 30 * 24 * 3600  # how long the id of a delivery is kept, in seconds


def verify(secrets, headers, body, now):
    """Check a delivery by X-Timestamp and X-Signature. body must be the exact bytes received; now is in seconds.

    During a rotation a delivery also has X-Signature-Previous; either may match any known secret. Returns "valid", or
    the problem: "missing", "timestamp", "stale" or "signature".
    """
    timestamp, signature = headers.get("X-Timestamp"), headers.get("X-Signature")
    if not timestamp or not signature:
        return "missing"
    given = [signature, headers.get("X-Signature-Previous") or ""]
    wanted = [mac(secret.encode(), timestamp, body).hex() for secret in secrets]
    return judge(timestamp, [g.lower() for g in given], wanted, now)


def verify_standard(secrets, headers, body, now):
    """Check a delivery by the headers of Standard Webhooks instead, like the libraries of that scheme."""
    message, timestamp, signatures = (headers.get("webhook-" + n) for n in ("id", "timestamp", "signature"))
    if not message or not timestamp or not signatures:
        return "missing"
    keys = [base64.b64decode(secret.removeprefix("whsec_")) for secret in secrets]
    wanted = ["v1," + base64.b64encode(mac(key, f"{message}.{timestamp}", body)).decode() for key in keys]
    return judge(timestamp, signatures.split(" "), wanted, now)


def mac(key, start, body):
    return hmac.new(key, start.encode() + b"." + body, hashlib.sha256).digest()


def judge(timestamp, given, wanted, now):
    if not re.fullmatch("0|[1-9][0-9]{0,15}", timestamp):
        return "timestamp"
    # compare_digest takes constant time, so that nobody can guess a signature bit by bit.
    if not any(hmac.compare_digest(g.encode(), w.encode()) for g in given for w in wanted):
        return "signature"
    return "valid" if abs(int(now) - int(timestamp)) <= FRESHNESS else "stale"


class Inbox:
    """A table of the deliveries received, which makes them durable and detects repeats.

    A delivery is stored before it is acknowledged, so that a crash loses none, and the primary key accepts each id
    once, however many processes receive deliveries. Any database works; on PostgreSQL use
    INSERT ... ON CONFLICT (id) DO NOTHING.
    """

    def __init__(self, path):
        self.path, self.news = path, threading.Event()
        with self.open() as db:
            db.execute(
                "CREATE TABLE IF NOT EXISTS inbox (id TEXT PRIMARY KEY, body BLOB NOT NULL,"
                " received_at INTEGER NOT NULL, handled_at INTEGER)"
            )

    @contextlib.contextmanager
    def open(self):
        with contextlib.closing(sqlite3.connect(self.path)) as db, db:  # the second commits
            yield db

    def add(self, message, body):
        with self.open() as db:
            db.execute("INSERT OR IGNORE INTO inbox VALUES (?, ?, ?, NULL)", (message, body, int(time.time())))
        self.news.set()

    def work(self):
        """Handle the waiting deliveries, including those from before a restart. Those that fail are retried."""
        while True:
            self.news.clear()
            with self.open() as db:
                db.execute("DELETE FROM inbox WHERE handled_at < ?", (int(time.time()) - KEEP,))
                waiting = db.execute("SELECT id, body FROM inbox WHERE handled_at IS NULL ORDER BY rowid").fetchall()
            for message, body in waiting:
                try:
                    handle(json.loads(body))
                except Exception as failure:  # of any kind, so that the others are still handled
                    print(f"{message} failed, to be retried: {failure!r}", file=sys.stderr, flush=True)
                    continue
                with self.open() as db:
                    db.execute("UPDATE inbox SET handled_at = ? WHERE id = ?", (int(time.time()), message))
            self.news.wait(timeout=30)


def handle(envelope):
    """For your code. It runs after the delivery was acknowledged, and again after a crash or an exception.

    Deliveries may arrive out of order: occurredAt is when the event happened.
    """
    print(f"handled {envelope['id']} {envelope['event']}", flush=True)


class Receiver(http.server.BaseHTTPRequestHandler):
    timeout = 10  # seconds to wait for a sender that stopped sending

    def do_POST(self):
        length = self.headers.get("Content-Length", "")
        if not re.fullmatch("[0-9]{1,9}", length):
            return self.answer(411)
        if int(length) > MAX_BODY:
            return self.answer(413)
        body = self.rfile.read(int(length))
        verdict = verify(self.server.secrets, self.headers, body, time.time())
        if verdict != "valid":
            print(f"refused: {verdict}", file=sys.stderr, flush=True)
            return self.answer(401)
        try:
            message = json.loads(body)["id"]  # X-Webhook-Id is not signed; the body is
        except (ValueError, KeyError, TypeError):
            message = None
        if not isinstance(message, str):
            return self.answer(400)
        self.server.inbox.add(message, body)
        self.answer(204)

    def answer(self, status):
        self.close_connection = self.close_connection or status in (411, 413)  # the body was not read
        self.send_response(status)
        self.end_headers()

    def log_message(self, *_):
        pass


class Server(socketserver.ThreadingTCPServer):
    """Unlike the server of http.server, it does not look up its own name in DNS before it listens."""

    allow_reuse_address, daemon_threads, request_queue_size = True, True, 128


def serve(address):
    secrets = [s for s in os.environ.get("WEBHOOK_SECRETS", "").split(",") if s]
    if not secrets:
        sys.exit("set WEBHOOK_SECRETS")
    host, _, port = address.rpartition(":")
    with Server((host, int(port)), Receiver) as server:
        server.secrets, server.inbox = secrets, Inbox(os.environ.get("WEBHOOK_INBOX", "inbox.db"))
        print(f"listening on {host}:{server.server_address[1]}", flush=True)
        threading.Thread(target=server.inbox.work, daemon=True).start()
        with contextlib.suppress(KeyboardInterrupt):
            server.serve_forever()


def vectors(path):
    """Compare the results of this program with those of the test vectors file."""
    with open(path, encoding="utf-8") as file:
        cases = json.load(file)["vectors"]
    wrong = 0
    for case in cases:
        body = case["body"].encode() if "body" in case else base64.b64decode(case["bodyBase64"])
        judged_by = {"x-signature": verify, "standard-webhooks": verify_standard}[case["scheme"]]
        got = judged_by(case["secrets"], case["headers"], body, case["now"])
        if got != case["verdict"]:
            wrong += 1
            print(f"{case['name']}: {got}, want {case['verdict']}")
    print(f"{len(cases)} vectors, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["serve"]:
            serve("127.0.0.1:8765")
        case ["serve", address]:
            serve(address)
        case ["vectors", path]:
            sys.exit(vectors(path))
        case _:
            sys.exit(__doc__)
