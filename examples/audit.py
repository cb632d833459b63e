#!/usr/bin/env python3
"""Checks a published contest of `warg bundle` with nothing but Python's standard library: audit.py BUNDLE

Written apart from warg, from docs/spec/contest-operations.md 11 and docs/contest.md: it computes commitments, lots,
keys, who sits where, who gets which role, and the ranking anew, and compares. It plays no game again; `warg audit` does.
Exit status 0: all follows; 1: the first contradiction is printed; 2: there is nothing to read."""
import csv, gzip, hashlib, hmac, json, math, os, re, sys

MASK = 2**64 - 1
ROLES = ["BODYGUARD", "FREEMASON", "MEDIUM", "POSSESSED", "SEER", "VILLAGER", "WEREWOLF", "FOX"]  # as they are dealt
WOLVES = ("WEREWOLF", "POSSESSED")
STAGES = 16  # extra round r of stage s has the number s + 16 r

def must(holds, where, what):
    if not holds:
        sys.exit(print(f"CONTRADICTION: {where}: {what}") or 1)

# ---- keys: docs/spec/contest-operations.md 11.1, 11.2 ----
def sha(*parts):
    return hashlib.sha256(b"\0".join(parts)).digest()

def derive(key, label, part=None, item=None):
    text = label.encode() + (b"" if part is None else part.to_bytes(4, "big"))
    return hmac.digest(key, text + (b"" if item is None else item.to_bytes(8, "big")), "sha256")

def stage_key(secret, contest, stage, lots, beacon):
    each = b"".join(sha(name.encode(), bytes.fromhex(lot) if lot else bytes(32)) for name, lot in sorted(
        lots.items(), key=lambda lot: lot[0].encode()))
    parts = [b"warg-stage-v1", contest, stage.encode(), hashlib.sha256(b"warg-lots-v1\0" + each).digest()]
    return hmac.digest(secret, b"\0".join(parts + ([beacon.encode()] if beacon else [])), "sha256")

# ---- chance: SplitMix64 and xoshiro256** ----
def split_mix(seed, count):
    for i in range(1, count + 1):
        z = seed + i * 0x9E3779B97F4A7C15 & MASK
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & MASK
        z = (z ^ z >> 27) * 0x94D049BB133111EB & MASK
        yield z ^ z >> 31

def child(seed, number):
    return next(split_mix(next(split_mix(seed, 1)) ^ number & MASK, 1))

class Rng:
    def __init__(self, state):
        self.s = list(state) if not isinstance(state, int) else list(split_mix(state, 4))

    def bits(self):
        s, x = self.s, self.s[1] * 5 & MASK
        result = (x << 7 & MASK | x >> 57) * 9 & MASK
        two, three = s[2] ^ s[0], s[3] ^ s[1]
        s[1], s[0], s[2] = s[1] ^ two, s[0] ^ three, two ^ s[1] << 17 & MASK
        s[3] = three << 45 & MASK | three >> 19
        return result

    def below(self, count):
        if count < 2:
            return 0
        product = (self.bits() >> 32) * count
        while product & 0xFFFFFFFF < (2**32 - count) % count:
            product = (self.bits() >> 32) * count
        return product >> 32

    def shuffle(self, items):
        for i in range(len(items), 1, -1):
            j = self.below(i)
            items[i - 1], items[j] = items[j], items[i - 1]

# ---- who sits where: docs/contest.md, "Pairing" ----
class Draw:
    """A stage, or one size of its tables."""
    def __init__(self, stage, part, players, agents, rules, key):
        self.stage, self.part, self.players, self.agents, self.rules, self.key = stage, part, players, agents, rules, key
        self.seed = int.from_bytes(derive(key, "draw", part)[:8], "big")
        self.per_set, self.pairing, n = stage["games_per_set"], stage["pairing"], len(agents)
        self.blocks = n if stage.get("blocks") else 0
        each, round_sets = -(-stage["min_games"] // self.per_set), n * (n - 1) if self.pairing == "all-pairs" else self.blocks
        of_round = players if self.blocks else 2 * (n - 1)
        self.sets = -(-each // of_round) * round_sets if round_sets else -(-each * n // players)
        if not stage["min_games"]:
            self.sets = -(-stage["games"] // self.per_set) or round_sets or 1
        self.sets = stage["sets"] or self.sets
        self.games = min(self.sets * self.per_set, stage["games"] or MASK)
        self.table = [role for role in ROLES for _ in range(rules["roles"][str(players)].get(role, 0))]

    def next_members(self, line):
        members = []
        for i in range(self.players):
            if not line["left"]:
                order, fresh = list(range(len(self.agents))), self.players - i
                rng = Rng(child(child(self.seed, MASK), line["block"]))
                rng.shuffle(order)
                for k in (k for k in range(fresh) if order[k] in members):
                    while order[j := fresh + rng.below(len(order) - fresh)] in members:
                        pass
                    order[k], order[j] = order[j], order[k]
                line["block"], line["left"] = line["block"] + 1, order
            members.append(line["left"].pop(0))
        return sorted(members)

    def members(self, number):
        n = len(self.agents)
        period = n // math.gcd(n, self.players)
        line = {"block": number // period * period * self.players // n, "left": []}
        for _ in range(number % period):
            self.next_members(line)
        return self.next_members(line)

    def pair(self, number):
        n, pair = len(self.agents), number % (len(self.agents) * (len(self.agents) - 1))
        return pair % n, (pair % n + 1 + pair // n) % n

    def seats(self, number):
        if self.blocks:
            ring, places = orders = [list(range(self.blocks)) for _ in range(2)]
            rng = Rng(child(child(self.seed, MASK - 3), number // self.blocks))
            any(rng.shuffle(items) for items in orders)
            return [ring[(place + number) % self.blocks] for place in places[:self.players]]
        if self.pairing == "all-pairs":
            wolf_seats = sum(role in WOLVES for role in self.table)
            seated = [self.pair(number)[0]] * (self.players - wolf_seats) + [self.pair(number)[1]] * wolf_seats
        else:
            all_play = len(self.agents) == self.players
            seated = list(range(self.players)) if all_play else self.members(number)
        if self.rules["contest"]["agent_index"] != "connection":
            Rng(child(child(self.seed, 0), number)).shuffle(seated)
        return seated

    def fixed(self, game, seated):
        """The roles that are not drawn; None for all when this program can't say."""
        number = game // self.per_set
        if self.pairing == "all-pairs":
            order, roles, wolves = list(range(self.players)), list(self.table), self.pair(number)[1]
            Rng(child(child(self.seed, MASK - 1), game)).shuffle(order)
            fixed = []
            for agent in seated:
                at = next(i for i in order if roles[i] and (roles[i] in WOLVES) == (agent == wolves))
                fixed.append(roles[at])
                roles[at] = None
            return fixed
        fixed = [self.agents[agent].get("role") for agent in seated]
        if self.pairing != "rotate":
            return fixed
        if self.blocks:
            at, seed, who = self.deal_of(game), child(self.seed, MASK - 4), range(self.players)
        elif any(fixed) or game % self.per_set >= self.per_set // self.players * self.players:
            return None  # what is left over depends on up to 64 sets: warg audit looks at it
        else:
            at, seed = game % self.per_set, child(child(self.seed, MASK - 1), number)
            who = [sorted(seated).index(agent) for agent in seated]
        rng = Rng(child(seed, at // self.players))
        rows, columns, symbols = orders = [list(range(self.players)) for _ in range(3)]
        any(rng.shuffle(items) for items in orders)
        return [self.table[symbols[(rows[at % self.players] + columns[i]) % self.players]] for i in who]

    def deal_of(self, game):
        return game // self.per_set // self.blocks * self.per_set + game % self.per_set

    def deal(self, game, fixed, wishes):
        """Fixed roles, then wishes in an order that is drawn, then the rest of the table."""
        key = derive(derive(self.key, "game", self.part, game), "deal")
        rng = Rng(int.from_bytes(key[at:at + 8], "little") for at in range(0, 32, 8))
        left, roles = list(self.table), list(fixed)
        for role in filter(None, roles):
            left.remove(role)
        wishers = [seat for seat, wish in enumerate(wishes) if wish and not roles[seat]]
        while wishers:
            seat = wishers.pop(rng.below(len(wishers)))
            if wishes[seat] in left:
                left.remove(wishes[seat])
                roles[seat] = wishes[seat]
        for seat, role in enumerate(roles):
            if not role:
                at = left.index(left[rng.below(len(left))])
                roles[seat], left[at] = left[at], left[-1]
                left.pop()
        return roles

# ---- the bundle ----
def read_lines(path):
    with (gzip.open if path.endswith(".gz") else open)(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]

def check_files(folder):
    with open(os.path.join(folder, "manifest.json"), encoding="utf-8") as opened:
        manifest = json.load(opened)
    there = {os.path.relpath(os.path.join(at, name), folder) for at, _, names in os.walk(folder) for name in names}
    for file in manifest["files"]:
        there.discard(file["path"])
        with open(os.path.join(folder, file["path"]), "rb") as opened:
            must(hashlib.sha256(opened.read()).hexdigest() == file["sha256"], file["path"], "is not as published")
    must(there == {"manifest.json"}, "manifest.json", f"the folder has more files: {sorted(there)[:3]}")
    return f"{len(manifest['files'])} files as published"

def check_keys(lines, plan):
    contest = (plan["contest"] or "run").encode()
    must("derivation" in plan and "seed" not in plan, "journal.jsonl:1", "a seed that can be guessed decides all")
    commitments = plan.get("commitments") or [plan["commitment"]]
    for number, stage in enumerate(plan["stages"]):
        at = 0 if "commitment" in plan else number
        where = f"stage {stage['name']}"
        told = [l for l in lines if l["record"] == "key" and "key" in l and l.get("stage", 0) == at and not l["part"]]
        must(len(told) == 1, where, "no key is published, or several")
        secret = bytes.fromhex(told[0]["key"])
        name = plan["stages"][at]["name"].encode()
        must(sha(b"warg-commit-v1", contest, name, secret).hex() == commitments[at], where, "another key was committed to")
        own = [l for l in lines if l.get("stage", 0) % STAGES == number]
        order = [l["record"] for l in own if l["record"] in ("freeze", "lots", "game")]
        opened = [l for l in own if l["record"] == "lots"] or [{"lots": {}}]
        for agent, entry in stage.get("lots", {}).items():
            must(order[:2] == ["freeze", "lots"], where, "lots were told before the programs were fixed")
            lot = opened[0]["lots"][agent]
            own = not lot or sha(b"warg-lot-v1", agent.encode(), bytes.fromhex(lot)).hex() == entry
            must(own, where, f"another lot of {agent}")
        yield stage_key(secret, contest, stage["name"], opened[0]["lots"], opened[0].get("beacon"))

def wishes_of(folder, record):
    """What the seats wished to be, from the exchange record."""
    name = record["log"].replace("logs/", "exchange/", 1).removesuffix(".gz").removesuffix(".log")
    path = os.path.join(folder, name + ".jsonl.gz")
    wishes = [None] * len(record["seats"])
    for ask in read_lines(path)[1:-1] if os.path.exists(path) else []:
        if ask["k"] == "ROLE" and ask.get("r") in ROLES:
            wishes[ask["s"] - 1] = ask["r"]
    return wishes, os.path.exists(path)

def check_stage(folder, plan, number, agents, key, games, done):
    stage, game_base, set_base = plan["stages"][number], 0, 0
    sizes = stage["players"] if isinstance(stage["players"], list) else [stage["players"]]
    for part, players in enumerate(sizes):
        draw = Draw(stage, part, players, agents, plan["rules"], key)
        for game in (g for g in range(draw.games) if (number, g) in games or g < done["least"]):
            where = f"stage {stage['name']}, game {game_base + game}"
            before = [games.get((number, game_base + g)) for g in range(game // draw.per_set * draw.per_set, game)]
            if plan["on_fault"] == "forfeit-set" and any(s.get("failed") for g in before if g for s in g["seats"]):
                continue  # an agent failed before, and the rest of its set is not played
            must((number, game_base + game) in games, where, "is missing")
            record, seated = games[number, game_base + game], draw.seats(game // draw.per_set)
            must(record["set"] == set_base + game // draw.per_set, where, "belongs to another set")
            must(record.get("deal") == (draw.deal_of(game) if draw.blocks else None), where, "is of another deal")
            must([s["agent"] for s in record["seats"]] == [agents[a]["name"] for a in seated], where, "others are drawn")
            fixed, (wishes, known) = draw.fixed(game, seated), wishes_of(folder, record)
            if fixed is None or (plan["rules"]["contest"]["role_request"] and not known):
                done["skipped"] += 1
                continue
            must([s["role"] for s in record["seats"]] == draw.deal(game, fixed, wishes), where, "other roles are dealt")
            done["games"] += 1
        game_base, set_base = game_base + draw.games, set_base + draw.sets

def without_model(plan, games, notes):
    """Sets in which some model made no decision itself, which count for nobody; and agents that never made one."""
    sums = {}
    def add(stage, number, agent, decisions, own):
        for key in ((stage, number, agent), (stage, None, agent)):
            before = sums.get(key, (0, 0))
            sums[key] = before[0] + int(decisions), before[1] + int(own)
    for (stage, _), record in games.items():
        for seat in record["seats"]:
            add(stage, record["set"], seat["agent"], seat.get("decisions", 0), seat.get("own", 0))
    for found in (re.match(r"decisions in stage (\d+), set (\d+), of (.*?): model decisions: (\d+) of (\d+) its own", note) for note in notes):
        found and add(int(found[1]), int(found[2]), found[3], found[5], found[4])
    none = [key for key, (decisions, own) in sums.items() if decisions and not own]
    return ({(s, n) for s, n, _ in none if n is not None and plan.get("own_sets")}, {(s, a) for s, n, a in none if n is None})

def what_is_void(lines):
    return {(l.get("stage", 0), "set" in l, l["set"] if "set" in l else l["game"]): not ("set" in l and l["by"] == "warg")
            for l in lines if l["record"] == "act" and l["act"] == "void"}  # True: somebody ruled so, none came too late

def rank(stage, records, out, dropped=(), void=()):
    """Lines of ranking.csv: winning rate, equal ones share a rank; not ranked is who is out, or did not play enough itself."""
    rows = {}
    for record, seat in ((record, seat) for record in records for seat in record["seats"]):
        side = "WEREWOLF" if seat["role"] in WOLVES else "VILLAGER" if seat["role"] != "FOX" else "OTHERS"
        ruled = [void[key] for key in ((record["stage"], False, record["game"]), (record["stage"], True, record["set"])) if key in void]
        if ruled and not all(ruled):
            continue
        row = rows.setdefault(seat["agent"], [0, 0, 0, 0])
        if ruled:  # it was played, and min_games asks for no more
            row[3] += not seat.get("failed")
        elif (record["stage"], record["set"]) not in dropped:
            rows[seat["agent"]] = [row[0] + 1, row[1] + (record["winner"] == side), row[2] + bool(seat.get("failed")), row[3]]
    least = stage["min_games"] * (len(stage["players"]) if isinstance(stage["players"], list) else 1)
    ranked = {n: n not in out and g > s and (s == 0 or g - s + v >= least) for n, (g, _, s, v) in rows.items()}
    order = sorted(rows, key=lambda n: (not ranked[n], -rows[n][1] / (rows[n][0] or 1), -rows[n][0], n.encode()))
    table, before = [], None
    for place, name in enumerate(order, 1):
        g, w, _, _ = rows[name]
        place = before[0] if before and before[1][1] * g == w * before[1][0] else place
        before = place, (g, w)
        table.append((place if ranked[name] else 0, name, g, w))
    return table

def go_on(agents, table, stage, notes):
    """Who plays the next stage: the best; of those who tie at the cut, whom the note names."""
    ranked = [row for row in table if row[0]]
    places = stage["advance"] or len(ranked)
    named = next(n for n in notes if n.startswith(cut := f"cut behind stage {stage['name']}: "))[len(cut):]
    named = named[:named.index(" go on")].split(", ")
    tied = {row[1] for row in ranked if places < len(ranked) and row[0] == ranked[places - 1][0] == ranked[places][0]}
    sure = {row[1] for row in ranked[:places]} - tied
    must(sure <= set(named) <= sure | tied, f"stage {stage['name']}", "others go on than its games say")
    must(len(named) == min(places, len(ranked)) or stage.get("tie") == "all", f"stage {stage['name']}", "how many go on")
    return [agent for agent in agents if agent["name"] in named]

def check_contest(folder, lines):
    plan, done = lines[0]["plan"], {"games": 0, "skipped": 0}
    print(f"chance   {len(keys := list(check_keys(lines, plan)))} keys as committed to")
    games = {(l["stage"], l["game"]): l for l in lines if l["record"] == "game"}
    must(len(games) == sum(l["record"] == "game" for l in lines), "journal.jsonl", "a game is there twice")
    by_name = plan["rules"]["contest"]["agent_index"] != "connection"
    agents = sorted(plan["agents"], key=lambda agent: agent["name"].encode() if by_name else b"")
    notes = [l["text"] for l in lines if l["record"] == "note"]
    ruled = {(l["stage"], l["agent"], l["rule"]): l["decision"] for l in lines if l["record"] == "ruling"}
    with open(os.path.join(folder, "ranking.csv"), encoding="utf-8", newline="") as opened:
        published = list(csv.reader(opened))[1:]
    served = plan["stages"][0]["sets"] == 10**9 // plan["stages"][0]["games_per_set"]  # who came decides who sits where
    done["least"] = [MASK, len(games), 0][min(sum(l["record"] == "trial" for l in lines), 2)]  # warg audit judges trials
    dropped, mindless = without_model(plan, games, notes)
    for number, stage in enumerate(plan["stages"]):
        served or check_stage(folder, plan, number, agents, keys[number], games, done)
        table = rank(stage, [r for (s, _), r in sorted(games.items()) if s == number],
                     {a for (s, a, _), d in ruled.items() if s <= number and d == "eliminate"} |
                     {a for s, a in mindless if s == number}, dropped, () if served else what_is_void(lines))
        for told, row in ((published.pop(0), row) for row in table):
            must(told[:5] == [stage["name"], *map(str, row)], "ranking.csv", f"{told[:5]}, but {row} follows")
        if number + 1 < len(plan["stages"]):
            agents = go_on(agents, table, stage, notes)
    must(not published, "ranking.csv", "more lines than agents")
    rounds = sum(stage >= STAGES for stage, _ in games)
    must(served or done["games"] + done["skipped"] + rounds == len(games), "journal.jsonl", "games that the plan does not have")
    seen = f"{done['games']} with the seats and roles of their keys; {done['skipped']} with the seats only"
    seen = f"{len(games)} of a server, not looked at" if served else seen
    print(f"games    {seen}; {rounds} of extra rounds not looked at\nranking  as the games say")

if len(sys.argv) != 2 or not os.path.exists(os.path.join(sys.argv[1], "journal.jsonl")):
    sys.exit(print(__doc__, file=sys.stderr) or 2)
try:
    print("files    " + check_files(sys.argv[1]))
    check_contest(sys.argv[1], read_lines(os.path.join(sys.argv[1], "journal.jsonl")))
except (KeyError, IndexError, ValueError, TypeError, StopIteration, OSError, AttributeError) as broken:
    must(False, "a file", f"is not what it has to be: {type(broken).__name__} {broken}")
