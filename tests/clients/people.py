"""Accounts that use the HTTP API through berserk, changed only in its base URL."""

import itertools
import os
import queue
import sqlite3
import threading
import time
from contextlib import closing

import berserk
import requests

URL = os.environ["SPRONG_URL"]
# Timeout of every wait. Only failures reach it.
TIMEOUT_S = 120
SCOPES = "board:play,challenge:read,challenge:write"
PASSWORD = "correct-horse"

numbers = itertools.count(101)


def client(token):
    return berserk.Client(session=berserk.TokenSession(token), base_url=URL)


class Person:
    """New account with an API token; `api` is berserk's client."""

    def __init__(self, name, scopes=SCOPES):
        self.name = f"{name}{next(numbers)}"
        self.id = self.name.lower()
        self.browser = requests.Session()
        self.done(self.browser.post(f"{URL}/api/register", json={"username": self.name, "password": PASSWORD}), 201)
        self.token = self.new_token(scopes)
        self.api = client(self.token)

    @staticmethod
    def done(response, status=200):
        assert response.status_code == status, f"{response.url}: {response.status_code} {response.text}"
        return response.json()

    def new_token(self, scopes):
        made = self.browser.post(f"{URL}/api/token", data={"description": "tests", "scopes": scopes})
        token = self.done(made, 201)["token"]
        assert token.startswith("spr_"), token
        return token

    def post(self, path, fields):
        """Sends a POST request that berserk has no method for."""
        return requests.post(URL + path, data=fields, headers={"Authorization": f"Bearer {self.token}"}, timeout=TIMEOUT_S)

    def get(self, path):
        return requests.get(URL + path, headers={"Authorization": f"Bearer {self.token}"}, timeout=TIMEOUT_S)

    def events(self):
        return Stream(client(self.token).board.stream_incoming_events())

    def game(self, game):
        return Stream(client(self.token).board.stream_game_state(game))

    def challenge(self, other, variant="caterpillarWar", rated=False, color="white", **fields):
        """Challenges a player by name; returns the challenge id."""
        fields = fields or {"clock_limit": 600, "clock_increment": 5}
        return self.api.challenges.create(other.name, rated, variant=variant, color=color, **fields)["id"]

    def begin(self, other, **fields):
        """Starts a game in which this player has white; returns its id."""
        id = self.challenge(other, **fields)
        other.api.challenges.accept(id)
        return id


class Stream:
    """Lines of an event stream, read by a thread so that tests can time out."""

    def __init__(self, lines):
        self.said = queue.Queue()
        threading.Thread(target=self._read, args=(lines,), daemon=True).start()

    def _read(self, lines):
        try:
            for line in lines:
                self.said.put(line)
            self.said.put(StopIteration("the stream ended"))
        except Exception as error:
            self.said.put(error)

    def next(self):
        try:
            line = self.said.get(timeout=TIMEOUT_S)
        except queue.Empty:
            raise AssertionError(f"no line received for {TIMEOUT_S} s") from None
        if isinstance(line, Exception):
            raise AssertionError(f"the stream ended: {line!r}")
        return line

    def until(self, fits):
        """Returns the next line that satisfies the predicate; skips the lines before it."""
        passed = []
        while True:
            try:
                line = self.next()
            except AssertionError as error:
                raise AssertionError(f"{error} after {passed}") from None
            if fits(line):
                return line
            passed.append(line)

    def event(self, type, id):
        """Waits for an event of a challenge or game; returns that challenge or game."""
        about = "game" if type.startswith("game") else "challenge"
        line = self.until(lambda line: line["type"] == type and line[about]["id"] == id)
        return line[about]

    def state(self, **fields):
        """Waits for a game state with the given fields, including the initial `gameFull` line."""
        line = self.until(lambda line: all(state_of(line).get(key) == value for key, value in fields.items()))
        return state_of(line)


def state_of(line):
    return line["state"] if line["type"] == "gameFull" else line if line["type"] == "gameState" else {}


def eventually(what):
    """Calls the function until its result is truthy; returns the result."""
    until = time.monotonic() + TIMEOUT_S
    while time.monotonic() < until:
        if answer := what():
            return answer
        time.sleep(0.05)
    raise AssertionError(f"no result within {TIMEOUT_S} s")


def settle(person, variant):
    """Marks a rating as established in the database, which would otherwise require many games."""
    with closing(sqlite3.connect(os.environ["SPRONG_DATABASE"], timeout=10)) as database, database:
        sql = "UPDATE rating SET rd = 60, established_until_ms = 4102444800000 WHERE variant = ? AND account = (SELECT key FROM account WHERE id = ?)"
        assert database.execute(sql, (variant, person.id)).rowcount == 1
