"""Tests the compatibility of the HTTP API with berserk, the Python client of the lichess API.

Only the base URL of the client is changed. tests/clients/run starts the server and this file.
"""

import datetime
import random
import threading
import time
import unittest
from contextlib import contextmanager

import berserk
import requests
from berserk.exceptions import ResponseError

import people
import policy
from people import TIMEOUT_S, URL, Person, Stream, client, eventually, state_of

VARIANTS = {variant["key"]: variant for variant in requests.get(f"{URL}/api/variants", timeout=TIMEOUT_S).json()}
CATERPILLARS = ["h5-g5", "a4-b4"]  # the first move of each side


def white_of(variant):
    """Returns the side that API clients call white: the white side, or the first if there is none."""
    sides = VARIANTS[variant]["sides"]
    return "second" if sides[1] == "white" else "first"


class Case(unittest.TestCase):
    @contextmanager
    def assert_refused(self, status, reason):
        with self.assertRaises(ResponseError) as caught:
            yield
        refused = caught.exception
        said = (refused.status_code, (refused.cause or {}).get("reason"))
        self.assertEqual(said, (status, reason), refused.cause)
        self.assertTrue(refused.cause["error"].endswith("."), refused.cause)
        self.refusal = refused.cause

    def two_players(self, one="Ann", two="Bob"):
        return Person(one), Person(two)


class Accounts(Case):
    def test_players_are_followed(self):
        ann, bob = Person("Ann", "follow:read,follow:write"), Person("Bob")
        relations = ann.api.relations
        relations.follow(bob.name)
        self.assertEqual([user["id"] for user in relations.get_users_followed()], [bob.id])
        relations.unfollow(bob.name)
        self.assertEqual(list(relations.get_users_followed()), [])
        with self.assert_refused(403, "missingScope"):
            bob.api.relations.follow(ann.name)

    def test_account_returns_its_own_profile(self):
        ann = Person("Ann")
        account = ann.api.account.get()
        self.assertEqual((account["id"], account["username"]), (ann.id, ann.name))
        self.assertIsInstance(account["createdAt"], datetime.datetime)
        self.assertIsInstance(account["seenAt"], datetime.datetime)
        self.assertEqual(sorted(account["perfs"]), sorted(VARIANTS))
        for perf in account["perfs"].values():
            self.assertEqual((perf["games"], perf["rating"], perf["prov"]), (0, 1500, True))
        self.assertEqual((account["count"]["all"], account["turns"]), (0, 0))

    def test_token_test_reports_valid_tokens(self):
        ann = Person("Ann")
        narrow = ann.new_token("challenge:read")
        tested = ann.api.oauth.test_tokens(ann.token, narrow, "spr_nonsense")
        self.assertIsNone(tested["spr_nonsense"])
        self.assertEqual(tested[ann.token]["userId"], ann.id)
        days = (tested[ann.token]["expires"] / 1000 - time.time()) / 86400
        self.assertTrue(364 < days <= 365, days)
        self.assertEqual(set(tested[ann.token]["scopes"].split(",")), set(people.SCOPES.split(",")))
        self.assertEqual(tested[narrow]["scopes"], "challenge:read")

    def test_token_is_limited_to_its_scopes(self):
        ann, bob = self.two_players()
        game = ann.begin(bob)
        reader = client(ann.new_token("challenge:read"))
        self.assertEqual(reader.account.get()["id"], ann.id)
        reader.challenges.get_mine()
        with self.assert_refused(403, "missingScope"):
            reader.challenges.create(bob.name, False, variant="hogga")
        with self.assert_refused(403, "missingScope"):
            reader.board.make_move(game, CATERPILLARS[0])
        with self.assert_refused(403, "missingScope"):
            reader.board.resign_game(game)
        with self.assert_refused(403, "missingScope"):
            client(ann.new_token("board:play")).challenges.get_mine()
        with self.assert_refused(401, "badToken"):
            client("spr_nonsense").account.get()
        for path in ["/api/token", "/api/account/password"]:
            refused = ann.post(path, {"scopes": "board:play", "description": "x", "old": people.PASSWORD, "new": "other-horse"})
            self.assertEqual((refused.status_code, refused.json()["reason"]), (403, "sessionOnly"), path)


class Challenges(Case):
    def test_challenge_is_created_listed_and_accepted(self):
        ann, bob = self.two_players()
        hers, his = ann.events(), bob.events()
        made = ann.api.challenges.create(bob.name, True, clock_limit=300, clock_increment=3, color="white", variant="knightFight")
        self.assertEqual((made["status"], made["direction"], made["speed"]), ("created", "out", "blitz"))
        self.assertEqual((made["challenger"]["id"], made["destUser"]["id"]), (ann.id, bob.id))
        self.assertEqual(made["timeControl"], {"type": "clock", "limit": 300, "increment": 3, "show": "5+3"})
        self.assertEqual((made["variant"]["key"], made["rated"]), ("knightFight", True))
        told = his.event("challenge", made["id"])
        self.assertEqual((told["challenger"]["name"], told["eligible"]), (ann.name, True))
        mine = bob.api.challenges.get_mine()
        self.assertEqual([one["id"] for one in mine["in"]], [made["id"]])
        self.assertEqual((mine["in"][0]["direction"], mine["out"]), ("in", []))
        self.assertEqual([one["id"] for one in ann.api.challenges.get_mine()["out"]], [made["id"]])
        bob.api.challenges.accept(made["id"])
        for events in (hers, his):
            game = events.event("gameStart", made["id"])
            # Clients of the board and bot APIs read either field.
            self.assertEqual(game["gameId"], game["id"])
        ongoing = ann.api.games.get_ongoing()
        self.assertEqual([(one["gameId"], one["isMyTurn"]) for one in ongoing], [(made["id"], True)])
        self.assertEqual((ongoing[0]["opponent"]["id"], ongoing[0]["color"]), (bob.id, "white"))
        self.assertFalse(bob.api.games.get_ongoing(count=5)[0]["isMyTurn"])
        bob.api.board.resign_game(made["id"])
        hers.event("gameFinish", made["id"])
        his.event("gameFinish", made["id"])
        # A new stream begins with the games in progress.
        later = ann.begin(bob)
        ann.events().event("gameStart", later)

    def test_challenge_is_declined_with_a_reason(self):
        ann, bob = self.two_players()
        hers = ann.events()
        for reason in ["tooFast", "noBot", "generic"]:
            id = ann.challenge(bob)
            hers.event("challenge", id)
            bob.api.challenges.decline(id, reason)
            told = hers.event("challengeDeclined", id)
            self.assertEqual(told["declineReasonKey"].lower(), reason.lower())
            self.assertTrue(told["declineReason"])
            with self.assert_refused(409, "declined"):
                bob.api.challenges.accept(id)

    def test_challenge_is_canceled(self):
        ann, bob = self.two_players()
        his = bob.events()
        id = ann.challenge(bob)
        his.event("challenge", id)
        with self.assert_refused(403, "notForYou"):
            Person("Eve").api.challenges.cancel(id)
        ann.api.challenges.cancel(id)
        his.event("challengeCanceled", id)
        self.assertEqual(bob.api.challenges.get_mine()["in"], [])
        with self.assert_refused(409, "canceled"):
            bob.api.challenges.accept(id)

    def test_two_players_take_the_seats_of_an_open_challenge(self):
        ann, bob = self.two_players()
        # A player without a connection gets a ready check when the second seat is taken: opens a stream.
        hers = ann.events()
        made = Person("Host").api.challenges.create_open(clock_limit=300, clock_increment=0, variant="hogga", rated=True)
        self.assertIsNone(made["challenger"])
        for key in ["url", "urlWhite", "urlBlack"]:
            self.assertIn(made["id"], made[key])
        ann.api.challenges.accept(made["id"])
        bob.api.challenges.accept(made["id"])
        hers.event("gameStart", made["id"])
        full = ann.get(f"/api/game/{made['id']}").json()
        self.assertEqual({full["first"]["id"], full["second"]["id"]}, {ann.id, bob.id})
        with self.assert_refused(409, "taken"):
            Person("Eve").api.challenges.accept(made["id"])

    def test_rating_range_refuses_players_outside(self):
        ann, bob = self.two_players()
        fields = {"variant": "hogga", "rated": "true", "clock.limit": 300, "clock.increment": 3}
        for span, reason in [("1501-", "ratingTooLow"), ("-1499", "ratingTooHigh"), ("+1..+200", "ratingTooLow")]:
            made = ann.post("/api/challenge", fields | {"ratingRange": span})
            self.assertEqual(made.status_code, 201, made.text)
            id = made.json()["id"]
            shown = bob.get(f"/api/challenge/{id}/show").json()
            self.assertEqual((shown["eligible"], shown["ineligibleReason"]), (False, reason))
            with self.assert_refused(403, reason):
                bob.api.challenges.accept(id)
            self.assertEqual(self.refusal["rating"], 1500)
            by_hand = bob.post(f"/api/challenge/{id}/accept", {})
            self.assertEqual((by_hand.status_code, by_hand.json()), (403, self.refusal))
            self.assertEqual(bob.get(f"/api/game/{id}").status_code, 404)
            ann.api.challenges.cancel(id)
        made = ann.post(f"/api/challenge/{bob.name}", fields | {"provisional": "deny"})
        with self.assert_refused(403, "provisional"):
            bob.api.challenges.accept(made.json()["id"])


class Seeks(Case):
    def seek(self, person, **fields):
        """Posts a seek in a thread; berserk blocks until the seek becomes a game."""
        done = []
        seeking = lambda: done.append(client(person.token).board.seek(5, 3, variant="knightFight", **fields))
        thread = threading.Thread(target=seeking, daemon=True)
        thread.start()
        return thread, done

    def seek_of(self, person):
        lobby = requests.get(f"{URL}/api/lobby", timeout=TIMEOUT_S).json()["challenges"]
        return next((one for one in lobby if (one["challenger"] or {}).get("id") == person.id), None)

    def test_seek_lasts_until_it_is_accepted(self):
        ann, bob = self.two_players()
        events = ann.events()
        thread, done = self.seek(ann, rated=True, color="white", rating_range=(1400, 1600))
        seek = eventually(lambda: self.seek_of(ann))
        self.assertEqual((seek["kind"], seek["rated"], seek["color"]), ("seek", True, "white"))
        self.assertEqual((seek["ratingRange"]["min"], seek["ratingRange"]["max"]), (1400, 1600))
        self.assertEqual(seek["timeControl"]["show"], "5+3")
        self.assertTrue(thread.is_alive())
        bob.api.challenges.accept(seek["id"])
        thread.join(TIMEOUT_S)
        self.assertEqual(len(done), 1, "the seek request has not returned")
        game = events.until(lambda line: line["type"] == "gameStart")["game"]
        self.assertEqual((game["color"], game["opponent"]["id"]), ("white", bob.id))
        self.assertIsNone(self.seek_of(ann))

    def test_two_compatible_seeks_become_a_game(self):
        ann, bob = self.two_players()
        events = ann.events(), bob.events()
        seeks = [self.seek(ann, color="white")]
        eventually(lambda: self.seek_of(ann))
        seeks.append(self.seek(bob))
        games = [stream.until(lambda line: line["type"] == "gameStart")["game"] for stream in events]
        self.assertEqual(games[0]["gameId"], games[1]["gameId"])
        self.assertEqual([game["color"] for game in games], ["white", "black"])
        for thread, done in seeks:
            thread.join(TIMEOUT_S)
            self.assertEqual(len(done), 1, "the seek request has not returned")

    def test_two_incompatible_seeks_remain(self):
        ann, bob = self.two_players()
        self.seek(ann, rated=True, rating_range="1600-1900")
        eventually(lambda: self.seek_of(ann))
        self.seek(bob, rated=True)
        seek = eventually(lambda: self.seek_of(bob))
        # A match would follow the seek at once, and nothing follows its absence.
        time.sleep(0.3)
        self.assertEqual(self.seek_of(bob)["id"], seek["id"])
        with self.assert_refused(403, "ratingTooLow"):
            bob.api.challenges.accept(self.seek_of(ann)["id"])
        ann.api.challenges.cancel(self.seek_of(ann)["id"])
        bob.api.challenges.cancel(seek["id"])


class Playing(Case):
    def begin(self):
        """Starts a game in which both players have moved; returns players, game id and streams."""
        ann, bob = self.two_players()
        game = ann.begin(bob)
        streams = ann.game(game), bob.game(game)
        ann.api.board.make_move(game, CATERPILLARS[0])
        bob.api.board.make_move(game, CATERPILLARS[1])
        for stream in streams:
            stream.state(moves=" ".join(CATERPILLARS))
        return ann, bob, game, streams

    def test_illegal_moves_are_refused_with_a_reason(self):
        ann, bob, game, _ = self.begin()
        with self.assert_refused(400, "illegal"):
            ann.api.board.make_move(game, "a1-a2")
        with self.assert_refused(400, "notYourTurn"):
            bob.api.board.make_move(game, "b4-c4")
        with self.assert_refused(400, "notAPlayer"):
            Person("Eve").api.board.make_move(game, "g5-f5")
        ann.api.board.make_move(game, "g5-f5")

    def test_players_chat(self):
        ann, bob, game, (_, his) = self.begin()
        ann.api.board.post_message(game, "Good luck!")
        line = his.until(lambda line: line["type"] == "chatLine")
        self.assertEqual((line["room"], line["username"], line["text"]), ("player", ann.name, "Good luck!"))
        bob.api.board.post_message(game, "Thanks <3")
        chat = ann.api.board.get_game_chat(game)
        self.assertEqual([(line["user"], line["text"]) for line in chat], [(ann.name, "Good luck!"), (bob.name, "Thanks <3")])

    def test_draw_is_offered_declined_and_accepted(self):
        ann, bob, game, (hers, his) = self.begin()
        ann.api.board.offer_draw(game)
        his.state(wdraw=True)
        bob.api.board.decline_draw(game)
        hers.until(lambda line: line["type"] == "gameState" and not line.get("wdraw"))
        bob.api.board.handle_draw_offer(game, True)
        hers.state(bdraw=True)
        ann.api.board.accept_draw(game)
        for stream in (hers, his):
            self.assertNotIn("winner", stream.state(status="draw"))

    def test_game_is_resigned(self):
        ann, bob, game, (hers, his) = self.begin()
        with self.assert_refused(400, "tooLate"):
            ann.api.board.abort_game(game)
        ann.api.board.resign_game(game)
        for stream in (hers, his):
            self.assertEqual(stream.state(status="resign")["winner"], "black")
        with self.assert_refused(400, "over"):
            bob.api.board.resign_game(game)

    def test_game_is_aborted(self):
        ann, bob = self.two_players()
        game = ann.begin(bob)
        his = bob.game(game)
        ann.api.board.abort_game(game)
        his.state(status="aborted")

    def test_game_without_a_clock_is_streamed(self):
        ann, bob = self.two_players()
        for fields in ({"days": 3}, {"days": None}):
            game = ann.begin(bob, **fields)
            his = bob.game(game)
            his.until(lambda line: line["type"] == "gameFull")
            ann.api.board.make_move(game, CATERPILLARS[0])
            # berserk converts these fields to durations and fails on null.
            state = his.until(lambda line: line["type"] == "gameState")
            self.assertIsInstance(state["wtime"], datetime.timedelta)
            self.assertIsInstance(state["binc"], datetime.timedelta)


class Records(Case):
    """Exports of finished games in every format and with every filter."""

    @classmethod
    def setUpClass(cls):
        cls.ann, cls.bob = Person("Ann"), Person("Bob")
        cls.ids = []
        for _ in range(2):
            id = cls.ann.begin(cls.bob, rated=True)
            cls.ann.api.board.make_move(id, CATERPILLARS[0])
            cls.bob.api.board.make_move(id, CATERPILLARS[1])
            cls.bob.api.board.resign_game(id)
            cls.ids.append(id)
        cls.casual = cls.bob.begin(cls.ann, variant="hogga")
        cls.ann.api.board.make_move(cls.casual, "b10-b9")
        cls.bob.api.board.make_move(cls.casual, "g4-g5")
        cls.bob.api.board.resign_game(cls.casual)
        cls.current = cls.ann.begin(cls.bob, variant="wieNietWegIs")

    def check_record(self, record):
        self.assertEqual((record["id"], record["variant"], record["rated"]), (self.ids[0], "caterpillarWar", True))
        self.assertEqual((record["status"], record["winner"]), ("resign", "white"))
        self.assertIsInstance(record["createdAt"], datetime.datetime)
        self.assertIsInstance(record["lastMoveAt"], datetime.datetime)
        white, black = record["players"]["white"], record["players"]["black"]
        self.assertEqual((white["user"]["id"], black["user"]["id"]), (self.ann.id, self.bob.id))
        self.assertEqual((white["rating"], black["rating"]), (1500, 1500))
        self.assertEqual(white["ratingDiff"], 0, "a short game gives no points")
        self.assertLess(black["ratingDiff"], 0)
        self.assertEqual(record["moves"], " ".join(CATERPILLARS))
        self.assertEqual((record["clock"]["initial"], record["clock"]["increment"]), (600, 5))

    def check_text(self, text, id):
        self.assertIn(id, text)
        self.assertIn(f'[White "{self.ann.name}"]', text)
        self.assertIn('[Result "1-0"]', text)
        for u in CATERPILLARS:
            self.assertIn(u, text.rsplit("]\n", 1)[1])

    def test_game_is_exported(self):
        games = self.ann.api.games
        self.check_record(games.export(self.ids[0]))
        self.assertEqual(len(games.export(self.ids[0], clocks=True)["clocks"]), 2)
        self.assertNotIn("moves", games.export(self.ids[0], moves=False))
        self.check_text(games.export(self.ids[0], as_pgn=True), self.ids[0])
        self.assertIn("[%clk 0:10:", games.export(self.ids[0], as_pgn=True, clocks=True))
        with self.assertRaises(ResponseError) as missing:
            games.export("zzzzzzzz")
        self.assertEqual((missing.exception.status_code, missing.exception.cause), (404, {"error": "Not found."}))

    def test_games_of_a_player_are_exported(self):
        of = lambda **asked: [game["id"] for game in self.ann.api.games.export_by_player(self.ann.name, **asked)]
        newest = [self.casual, *reversed(self.ids)]
        self.assertEqual(of(), newest)
        self.assertEqual(of(sort="dateAsc"), newest[::-1])
        self.assertEqual(of(max=1), newest[:1])
        self.assertEqual(of(rated=True), newest[1:])
        self.assertEqual(of(rated=False), newest[:1])
        self.assertEqual(of(perf_type="caterpillarWar"), newest[1:])
        self.assertEqual(of(color="white", rated=True), newest[1:])
        self.assertEqual(of(color="black", rated=True), [])
        self.assertEqual(of(vs=self.bob.name), newest)
        self.assertEqual(of(vs=Person("Eve").name), [])
        self.assertEqual(of(ongoing=True), [self.current, *newest])
        self.assertEqual(of(ongoing=True, finished=False), [self.current])
        first = self.ann.api.games.export(self.ids[0])["createdAt"]
        since = round(first.timestamp() * 1000) + 1
        self.assertEqual(of(since=since), newest[:-1])
        self.assertEqual(of(until=since - 1), newest[-1:])

    def test_games_of_a_player_are_exported_as_text(self):
        texts = list(self.ann.api.games.export_by_player(self.ann.name, as_pgn=True, perf_type="caterpillarWar"))
        self.assertEqual(len(texts), 2, texts)
        for text, id in zip(texts, reversed(self.ids)):
            self.check_text(text, id)

    def test_games_are_exported_by_ids(self):
        games = list(self.ann.api.games.export_multi(*self.ids, "zzzzzzzz"))
        self.assertEqual({game["id"] for game in games}, set(self.ids))
        self.check_record(next(game for game in games if game["id"] == self.ids[0]))
        self.assertEqual(len(list(self.ann.api.games.export_multi(*self.ids, as_pgn=True))), 2)

    def test_players_have_profiles(self):
        users, variant = self.ann.api.users, "caterpillarWar"
        public = users.get_public_data(self.ann.name)
        self.assertEqual((public["id"], public["perfs"][variant]["games"]), (self.ann.id, 2))
        self.assertIsInstance(public["createdAt"], datetime.datetime)
        self.assertIsInstance(public["seenAt"], datetime.datetime)
        self.assertEqual((public["count"]["rated"], public["count"]["playing"]), (2, 1))
        ids = [user["id"] for user in users.get_by_id(self.ann.name, self.bob.id, "Nobody-of-that-name")]
        self.assertEqual(set(ids), {self.ann.id, self.bob.id})
        history = {line["name"]: line["points"] for line in users.get_rating_history(self.ann.name)}
        points = next(points for points in history.values() if points)
        now = datetime.datetime.now(datetime.timezone.utc)
        days = [now, now - datetime.timedelta(days=1)]
        self.assertEqual(points[-1].rating, public["perfs"][variant]["rating"])
        self.assertIn(points[-1][:3], [(day.year, day.month - 1, day.day) for day in days])
        table = users.get_crosstable(self.ann.name, self.bob.name)
        self.assertEqual((table["users"], table["nbGames"]), ({self.ann.id: 3, self.bob.id: 0}, 3))
        self.assertIn(self.ann.name, users.get_by_autocomplete(self.ann.name[:5]))
        self.assertIn(self.ann.id, [user["id"] for user in users.get_by_autocomplete(self.ann.name[:5], as_object=True)])
        with self.assertRaises(ResponseError) as missing:
            users.get_public_data("Nobody-of-that-name")
        self.assertEqual(missing.exception.status_code, 404)

    def test_status_reports_who_is_online(self):
        users = self.ann.api.users
        events = self.ann.events()
        events.event("gameStart", self.current)
        away = Person("Eve")
        status = {user["id"]: user for user in users.get_realtime_statuses(self.ann.id, away.id, with_game_ids=True)}
        self.assertEqual((status[self.ann.id]["name"], status[self.ann.id]["online"]), (self.ann.name, True))
        self.assertEqual((status[self.ann.id]["playing"], status[self.ann.id]["playingId"]), (True, self.current))
        self.assertFalse(status[away.id].get("online", False) or status[away.id].get("playing", False))

    def test_leaderboards(self):
        users, variant = self.ann.api.users, "caterpillarWar"
        best = lambda: [user["id"] for user in users.get_leaderboard(variant, count=200)]
        self.assertNotIn(self.bob.id, best(), "a provisional rating is not ranked")
        people.settle(self.ann, variant)
        eventually(lambda: self.ann.id in best())
        perf = users.get_leaderboard(variant)[0]["perfs"][variant]
        self.assertEqual(perf["rating"], 1500)
        top = users.get_all_top_10()
        self.assertEqual(set(top), set(VARIANTS))
        self.assertEqual(top[variant][0]["username"], self.ann.name)


class Watching(Case):
    def test_tv_shows_a_game(self):
        ann, bob = self.two_players()
        # The channel shows its best game; among equal games, a new one may not be shown.
        game = ann.begin(bob, variant="kopfOderKnopf")
        on_air = lambda: next((one for one in ann.api.tv.get_current_games().values() if one["gameId"] == game), None)
        shown = eventually(on_air)
        self.assertIn(shown["user"]["id"], (ann.id, bob.id))
        feed = Stream(client(ann.token).tv.stream_current_game_of_channel("kopfOderKnopf"))
        featured = feed.next()
        self.assertEqual((featured["t"], featured["d"]["id"]), ("featured", game))
        self.assertEqual({player["user"]["id"] for player in featured["d"]["players"]}, {ann.id, bob.id})
        u = ann.get(f"/api/game/{game}").json()["legal"][0]
        ann.api.board.make_move(game, u)
        moved = feed.next()
        self.assertEqual((moved["t"], moved["d"]["lm"]), ("fen", u))
        self.assertNotEqual(moved["d"]["fen"], featured["d"]["fen"])
        best = Stream(ann.api.tv.stream_current_game()).next()
        self.assertEqual(best["t"], "featured")

    def test_anonymous_spectator_streams_a_game(self):
        ann, bob = self.two_players()
        game = ann.begin(bob)
        moves = Stream(client(Person("Eve").token).games.stream_game_moves(game))
        self.assertEqual(moves.next()["id"], game)
        ann.api.board.make_move(game, CATERPILLARS[0])
        self.assertEqual(moves.until(lambda line: "lm" in line)["lm"], CATERPILLARS[0])


class Bots(Case):
    SCOPES = "bot:play,challenge:read,challenge:write"

    def bot(self):
        bot = Person("Robot", self.SCOPES)
        bot.api.account.upgrade_to_bot()
        return bot

    def test_account_is_upgraded_to_a_bot(self):
        bot = self.bot()
        self.assertEqual(bot.api.account.get()["title"], "BOT")
        self.assertEqual(Person("Eve").api.users.get_public_data(bot.name)["title"], "BOT")
        ann, bob = Person("Ann", self.SCOPES + ",board:play"), Person("Bob")
        ann.begin(bob)
        with self.assert_refused(403, "hasGames"):
            ann.api.account.upgrade_to_bot()
        with self.assert_refused(403, "notABot"):
            ann.api.bots.resign_game(ann.begin(bob))
        with self.assert_refused(403, "missingScope"):
            bob.api.account.upgrade_to_bot()

    def test_bot_plays_a_person(self):
        bot, ann = self.bot(), Person("Ann")
        events = Stream(client(bot.token).bots.stream_incoming_events())
        unwanted = ann.challenge(bot, variant="hogga")
        events.event("challenge", unwanted)
        hers = ann.events()
        # A new stream begins with the player's outgoing challenges.
        hers.event("challenge", unwanted)
        bot.api.bots.decline_challenge(unwanted, "variant")
        hers.event("challengeDeclined", unwanted)
        wanted = ann.challenge(bot, variant="knightFight", rated=True)
        challenge = events.event("challenge", wanted)
        self.assertEqual(challenge["challenger"]["id"], ann.id)
        bot.api.bots.accept_challenge(wanted)
        events.event("gameStart", wanted)
        bot.api.bots.post_message(wanted, "Beep.")
        self.assertEqual(ann.api.board.get_game_chat(wanted)[0]["text"], "Beep.")
        ends = play_both(wanted, [(ann, "board", 1), (bot, "bots", 2)])
        check_ends(self, wanted, "knightFight", ends, {ann.id, bot.id})
        events.event("gameFinish", wanted)

    def test_bot_resigns_and_aborts(self):
        bot, ann = self.bot(), Person("Ann")
        game = ann.begin(bot)
        bot.api.bots.abort_game(game)
        ann.game(game).state(status="aborted")
        game = ann.begin(bot)
        bot.api.bots.resign_game(game)
        self.assertEqual(ann.game(game).state(status="resign")["winner"], "white")


def play(person, by, game, seed):
    """Plays a game to its end from its stream; returns the first line and the final state."""
    chance, full, acted = random.Random(seed), None, -1
    asking = requests.Session()
    for line in getattr(client(person.token), by).stream_game_state(game):
        full = full or line
        state = state_of(line)
        if not state:
            continue
        if state["status"] != "started":
            return full, state
        moves = state["moves"].split()
        if len(moves) <= acted:
            continue
        variant = full["variant"]["key"]
        asked = {"variant": variant, "start": full["initialFen"], "moves": moves, "options": full.get("options", {})}
        known = asking.post(f"{URL}/api/position", json=asked, timeout=TIMEOUT_S).json()
        me = "first" if full["first"]["id"] == person.id else "second"
        if known["turn"] == me:
            acted = len(moves)
            u = policy.choose(variant, known["position"], me, known["legal"], chance)
            getattr(person.api, by).make_move(game, u)
    raise AssertionError("the stream ended before the game")


def play_both(game, players):
    """Runs both players in threads; returns the result of `play` for each."""
    ends = {}

    def run(person, by, seed):
        try:
            ends[person.id] = play(person, by, game, seed)
        except Exception as error:
            ends[person.id] = error

    threads = [threading.Thread(target=run, args=player, daemon=True) for player in players]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(90)
    for person, *_ in players:
        end = ends.get(person.id, AssertionError(f"{person.id} has not finished {game}"))
        if isinstance(end, Exception):
            raise end
    return list(ends.values())


def check_ends(test, game, variant, ends, ids):
    """Asserts that both streams, the export and the public game agree."""
    (full, one), (_, two) = ends
    same = lambda state: (state["moves"], state["status"], state.get("winner"))
    test.assertEqual(same(one), same(two))
    white = white_of(variant)
    black = "second" if white == "first" else "first"
    test.assertEqual((full["white"]["id"], full["black"]["id"]), (full[white]["id"], full[black]["id"]))
    test.assertEqual({full["white"]["id"], full["black"]["id"]}, ids)
    kept = requests.get(f"{URL}/api/game/{game}", timeout=TIMEOUT_S).json()
    test.assertEqual((kept["state"]["moves"], kept["state"]["status"]), (one["moves"], one["status"]))
    winner = {white: "white", black: "black"}.get(kept["end"]["winner"])
    test.assertEqual(winner, one.get("winner"))
    test.assertEqual(one["status"], "variantEnd")
    record = berserk.Client(base_url=URL).games.export(game)
    test.assertEqual(same(record), same(one))
    test.assertEqual(record["initialFen"], full["initialFen"])
    for colour in ("white", "black"):
        test.assertEqual(record["players"][colour]["user"]["id"], full[colour]["id"])


class WholeGames(Case):
    """Games of each variant to their natural end, with players that know only their stream."""

    # With this seed, every game ends by the goal of its variant.
    SEED = 2

    def play(self, variant, **fields):
        ann, bob = self.two_players()
        game = ann.begin(bob, variant=variant, rated=True, **fields)
        sides = ("first", "second") if white_of(variant) == "first" else ("second", "first")
        seeds = [f"{variant} {side} {self.SEED}" for side in sides]
        ends = play_both(game, [(ann, "board", seeds[0]), (bob, "board", seeds[1])])
        check_ends(self, game, variant, ends, {ann.id, bob.id})
        for person in (ann, bob):
            self.assertEqual(person.api.account.get()["perfs"][variant]["games"], 1)
        end = ends[0][1]
        if winner := end.get("winner"):
            players = ann.api.games.export(game)["players"]
            self.assertGreater(players[winner]["ratingDiff"], 0)
        print(f"{variant}: {len(end['moves'].split())} plies, {winner} won")

    def test_hogga(self):
        self.play("hogga")

    def test_knight_fight(self):
        self.play("knightFight", days=3)

    def test_kopf_oder_knopf(self):
        self.play("kopfOderKnopf")

    def test_wie_niet_weg_is(self):
        self.play("wieNietWegIs")

    def test_caterpillar_war(self):
        self.play("caterpillarWar", days=1)

    def test_every_variant_has_a_test(self):
        self.assertEqual(len([name for name in dir(self) if name.startswith("test_")]) - 1, len(VARIANTS))


if __name__ == "__main__":
    unittest.main(verbosity=2)
