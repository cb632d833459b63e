#!/usr/bin/env bash
# `warg token`: tokens are made and checked, with the key from every place, and what is wrong is said.
# shellcheck source=common.bash
source "$(dirname "$0")/common.bash"
unset SECRET_KEY

# has TEXT WHAT
has()
{
    [[ $out$err == *"$1"* ]] || fail "$2: no '$1' in: $out$err"
}

# ---- made, and good ----

expect 0 'player' "$WARG" token player --team kanolab --key secret
token=$out
[[ $(wc -l <out.txt) == 1 && $token =~ ^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$ ]] ||
    fail "a token stands alone on a line: $out"
expect 0 'check' "$WARG" token check "$token" --key secret
has 'PLAYER' 'check'
has 'kanolab' 'check'
has 'never' 'check'
expect 0 'receiver' "$WARG" token receiver --days 2 -k secret
expect 0 'check of a pipe' "$WARG" token check - --key secret --json <<<"$out"
python3 - out.txt <<'END' || fail "JSON of a receiver: $out"
import json, sys, time
claims = json.load(open(sys.argv[1]))
assert claims["valid"] is True and claims["role"] == "RECEIVER" and claims["team"] == ""
assert abs(claims["exp"] - time.time() - 2 * 86400) < 600
END

# What a library of the participants makes and reads is the same.
python3 - "$token" >theirs.txt <<'END' || fail 'the token is no HS256 JWT of these claims'
import base64, hashlib, hmac, json, sys
def part(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()
def signed(text, key, how):
    return part(hmac.new(key, text.encode(), how).digest())
head, body, signature = sys.argv[1].split(".")
assert signed(head + "." + body, b"secret", hashlib.sha256) == signature
assert json.loads(base64.urlsafe_b64decode(head + "=="))["alg"] == "HS256"
claims = json.loads(base64.urlsafe_b64decode(body + "=" * (-len(body) % 4)))
assert claims["role"] == "PLAYER" and claims["team"] == "kanolab" and "exp" not in claims
def token(alg, claims, how):
    text = part(json.dumps({"typ": "JWT", "alg": alg}).encode()) + "." + part(json.dumps(claims).encode())
    return text + "." + (signed(text, b"secret", how) if how else "")
print(token("HS512", {"role": "PLAYER", "team": "x"}, hashlib.sha512))
print(token("HS256", {"role": "PLAYER", "team": "x", "exp": 1000000000}, hashlib.sha256))
print(token("none", {"role": "PLAYER", "team": "x"}, None))
print(token("HS256", {"role": "PLAYER"}, hashlib.sha256))
END
mapfile -t theirs <theirs.txt
expect 0 'HS512' "$WARG" token check "${theirs[0]}" --key secret
expect 1 'expired' "$WARG" token check "${theirs[1]}" --key secret
has 'expired' 'expired'
expect 1 'no signature' "$WARG" token check "${theirs[2]}" --key secret
expect 1 'a player without a team' "$WARG" token check "${theirs[3]}" --key secret --json
has '"valid":false' 'a player without a team'

# ---- where the key comes from ----

expect 2 'no key' "$WARG" token player --team kanolab
has 'SECRET_KEY' 'no key'
echo 'SECRET_KEY=secret' >.env
expect 0 '.env' "$WARG" token check "$token"
echo 'export SECRET_KEY="other"' >other.env
expect 1 '--env' "$WARG" token check "$token" --env other.env
has 'signature' '--env'
expect 0 'the environment before the file' env SECRET_KEY=secret "$WARG" token check "$token" -e other.env
expect 1 '--key before all' env SECRET_KEY=secret "$WARG" token check "$token" --key wrong
mkdir folder
expect 3 'an --env that is none' "$WARG" token check "$token" --env folder

# ---- what is refused ----

expect 2 'digits at the end' "$WARG" token player --team delta2026
has "'delta'" 'digits at the end'
expect 2 'only digits' "$WARG" token player --team 2026
expect 2 'no team' "$WARG" token player
expect 2 'an empty team' "$WARG" token player --team ''
expect 2 'a long team' "$WARG" token player --team "$(printf 'x%.0s' {1..300})"
expect 2 'no token' "$WARG" token check
expect 2 'two tokens' "$WARG" token check a b
expect 2 'days' "$WARG" token receiver --days 0
for bad in '' x a.b a.b.c ... "$token." "$token.x" "x$token" "$(printf 'x%.0s' {1..9000})"; do
    expect 1 "'${bad:0:40}'" "$WARG" token check -- "$bad"
done
finish
