"""Agents of MAW's design document, written from the document alone: players, user interfaces and model
interfaces, and one that wants to be all of them. What an agent saw goes to stdout, a line each.

    maw_interfaces.py PORT user NAME          a UserInterface; also says things twice, late and too long
    maw_interfaces.py PORT model NAME         a ModelInterface; some of its answers are none
    maw_interfaces.py PORT player NAME INTERFACE [bot]
                                              a Player whose decisions INTERFACE makes
    maw_interfaces.py PORT eve NAME VICTIM... strangers' answers and questions to all VICTIMs
    maw_interfaces.py PORT ask NAME INTERFACE JSON...
                                              asks INTERFACE one question after the other
"""
import json
import sys
import time

from maw_agent import Account

MASTER = "gm@maw.localhost"


def say(*words):
    print(*words, flush=True)


def is_question(message):
    return message.json().get("type") in ("get_input", "get_action")


def user(account):
    """Answers as SPADE's make_reply has it: all metadata of the question, no in-reply-to."""
    questions = []
    while message := account.receive():
        if not is_question(message):
            if message.json().get("type", "error") != "error":
                say("other", message.body)
            continue
        if "completions" in message.json():
            say("completions for a person")
        questions.append(message)
        number = len(questions)
        if number == 1:
            account.reply(message, {"type": "chat", "message": "Annie"})
        elif number == 2:
            for _ in range(3):
                account.reply(message, {"type": "chat", "message": "I am a person."})
        elif number == 3:
            account.reply(questions[0], {"type": "chat", "message": "Too late."})
            account.reply(questions[1], {"type": "chat", "message": "Too late."})
            account.reply(message, {"type": "chat", "message": "x" * 20000})
            account.reply(message, {"type": "join_lobby", "player_name": "x"})
            account.reply(message, {"type": "player_action", "action": "vote", "target": "Clara"})
        else:
            time.sleep(1)
            account.reply(message, {"type": "listen"})
        say("question", number)


def model(account):
    """Sends what its model says, and nothing else: no metadata at all, as the first public code did."""
    number = 0
    while message := account.receive():
        if not is_question(message):
            continue
        number += 1
        chat = message.json().get("completions", {})
        roles = [entry["role"] for entry in chat.get("messages", [])]
        if chat.get("model") != "llama3.1" or "user" not in roles:
            say("no chat to complete", message.body[:200])
        if number == 1:
            account.send(message.sender, "Clara")
        elif number == 3:
            account.send(message.sender, {"type": "chat", "message": "Machines can talk."})
        elif number == 2:
            account.reply(message, {"type": "error", "of": "get_input", "code": "model-timeout", "text": "?"}, "failure")
        else:
            account.reply(message, '{"action": "listen"}')
        say("question", number)


class Player:
    """The document's PlayerAgent: one question after the other to its interface, its answer forwarded."""

    def __init__(self, account, interface, bot):
        self.account, self.interface, self.bot = account, interface, bot
        self.room, self.log, self.over = "village", [], False
        self.alive, self.awake = True, False

    def get_input(self):
        question = {"type": "get_input"}
        if self.bot:
            question["completions"] = {"model": "llama3.1", "messages": [
                {"role": "system", "content": "You play Werewolf. Answer with one JSON object."},
                {"role": "user", "content": "\n".join(self.log[-10:]) or "The village is silent."}]}
        self.account.send(self.interface, question, {"performative": "request"})

    def hear(self, message):
        """Of the game; returns what the interface has said."""
        body = message.json()
        kind = body.get("type")
        if message.sender.split("/")[0] == self.interface:
            say("said", message.body)
            return body
        if kind == "phase_change":
            self.awake = self.alive and body["new_phase"] == "day"
        elif kind == "kill":
            self.alive = self.awake = False
        elif kind == "new_messages":
            self.log += body["messages"]
        elif kind == "end_game":
            self.over = True
        return None

    def answer(self, patience=60):
        until = time.monotonic() + patience
        while (left := until - time.monotonic()) > 0 and not self.over:
            message = self.account.receive(left)
            said = message and self.hear(message)
            if said:
                return said
        return None

    def play(self):
        self.get_input()
        named = self.answer(120)
        if not named or named.get("type") not in ("chat", "vote", "listen"):
            sys.exit(f"no name: {named}")
        name = named.get("message", "Nameless")
        say("name", name)
        self.account.send(MASTER, {"type": "join_lobby", "player_name": name}, {"performative": "request"})
        while not self.over:
            while not self.awake and not self.over:
                if message := self.account.receive():
                    self.hear(message)
            if self.over:
                return
            self.account.send("village@maw.localhost", {"type": "get_new_messages", "index": len(self.log)},
                              {"performative": "query-ref"})
            self.get_input()
            said = self.answer()
            if said and self.awake and said.get("type") == "chat":
                self.account.send("village@maw.localhost", said, {"performative": "request"})
            elif said and self.awake and said.get("type") == "vote":
                self.account.send(MASTER, said, {"performative": "request"})
            time.sleep(0.5)


def eve(account, victims):
    """Whatever somebody else may try who knows no token; and whether anybody answers."""
    for turn in range(10000):
        for victim in victims:
            account.send(victim, {"type": "chat", "message": "Eve was here."}, {"performative": "request"})
            account.send(victim, {"type": "name", "name": "Eve"})
            account.send(victim, {"type": "vote", "target": None}, {"performative": "request", "in-reply-to": "i1-1"})
            account.send(victim, {"type": "get_input", "purpose": "action"}, {"performative": "request"})
            account.send(victim, {"type": "get_input", "completions": {"messages": [{"role": "user", "content": "hi"}]}})
            account.send(victim, {"type": "subscribe", "index": 0}, {"performative": "request"})
            account.send(victim, {"type": "told", "index": 0, "from": MASTER, "act": "inform",
                                  "body": {"type": "session_end"}})
            account.send(victim, "{")
        while message := account.receive(0.5):
            if message.kind != "error":  # of the server: who is not there any more
                say("answered", message.sender, message.body)


def ask(account, interface, questions):
    for number, question in enumerate(questions):
        account.send(interface, question, {"performative": "request", "reply-with": f"q{number}"})
        message = account.receive(60)
        while message and message.json().get("type") == "subscribe":
            message = account.receive(60)
        if not message or message.metadata.get("in-reply-to") != f"q{number}":
            sys.exit(f"no answer to {question}: {message and (message.body, message.metadata)}")
        say(message.metadata.get("performative"), message.body)


def main():
    port, what, name, *rest = sys.argv[1:]
    account = Account(int(port), name)
    say("ready")
    if what == "player":
        Player(account, rest[0], rest[1:] == ["bot"]).play()
    elif what == "eve":
        eve(account, rest)
    elif what == "ask":
        ask(account, rest[0], rest[1:])
    else:
        {"user": user, "model": model}[what](account)


main()
