#!/usr/bin/env bash
# `warg ledger`: what it says of a ledger, of changed ones, of checkpoints that were kept; its tree and its proofs
# are checked by another implementation (Python), its signature by openssl.
# shellcheck source=common.bash
source "$(dirname "$0")/common.bash"

cp -r "$WARG_TEST_DATA/ledger" cup
key=example.org/warg/cup2027+60d9c4ac+AQOhB7/zzhC+HXDdGOdLwJln5NYwm6UNXx3chmQSVTG4
other=example.org/warg/cup2027+60d9c4ad+AQOhB7/zzhC+HXDdGOdLwJln5NYwm6UNXx3chmQSVTG4

# has TEXT WHAT
has()
{
    [[ $out$err == *"$1"* ]] || fail "$2: no '$1' in: $out$err"
}

# ---- what holds ----

expect 0 'a ledger' "$WARG" ledger cup
has 'example.org/warg/cup2027' 'a ledger'
has '7, of which 7 are signed' 'a ledger'
has "$key" 'a ledger'
has 'holds' 'a ledger'
expect 0 'a checkpoint that was kept' "$WARG" ledger cup --checkpoint cup/checkpoint-5 --key "$key"
printf '{"at":"2027' >>cup/ledger.jsonl
expect 0 'a torn line' "$WARG" ledger cup
has 'torn' 'a torn line'
cp "$WARG_TEST_DATA/ledger/ledger.jsonl" cup

# ---- another implementation ----

for n in 0 1 2 3 4 5 6; do
    "$WARG" ledger cup --prove "$n" --json >"inclusion-$n.json" || fail "--prove $n"
    "$WARG" ledger cup --consistency "$n" --json >"consistency-$n.json" || fail "--consistency $n"
done
"$WARG" ledger cup --prove 4 --size 5 --json >inclusion-4-5.json || fail '--size'
python3 - <<'END' || fail 'the tree is another'
import base64, glob, hashlib, json

lines = open("cup/ledger.jsonl", "rb").read().split(b"\n")[:-1]
for line in lines:
    data = json.loads(line)
    assert json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode() == line

def sha(data): return hashlib.sha256(data).digest()

def root(leaves):
    if not leaves: return sha(b"")
    if len(leaves) == 1: return sha(b"\0" + leaves[0])
    k = 1
    while 2 * k < len(leaves): k *= 2
    return sha(b"\1" + root(leaves[:k]) + root(leaves[k:]))

def inclusion(m, leaves): # RFC 9162 2.1.3.1
    if len(leaves) == 1: return []
    k = 1
    while 2 * k < len(leaves): k *= 2
    return inclusion(m, leaves[:k]) + [root(leaves[k:])] if m < k else inclusion(m - k, leaves[k:]) + [root(leaves[:k])]

def consistency(m, leaves, known=True): # RFC 9162 2.1.4.1
    if m == len(leaves): return [] if known else [root(leaves)]
    k = 1
    while 2 * k < len(leaves): k *= 2
    if m <= k: return consistency(m, leaves[:k], known) + [root(leaves[k:])]
    return consistency(m - k, leaves[k:], False) + [root(leaves[:k])]

def text(hashes): return [base64.b64encode(h).decode() for h in hashes]

files = glob.glob("*clusion-*.json") + glob.glob("consistency-*.json")
assert len(files) == 15, files
for name in files:
    said = json.load(open(name))
    proof = said["proof"]
    part = lines[:proof["size"]]
    assert said["holds"] and proof["root"] == text([root(part)])[0]
    if proof["kind"] == "inclusion":
        assert proof["leaf"] == text([sha(b"\0" + lines[proof["entry"]])])[0]
        assert proof["path"] == text(inclusion(proof["entry"], part)), name
    else:
        m = proof["before"]
        assert proof["root_before"] == text([root(lines[:m])])[0]
        assert proof["path"] == text(consistency(m, part) if m else []), name

body, signature = open("cup/checkpoint").read().split("\n\n")
assert body.split("\n")[2] == text([root(lines)])[0]
name, digits, key = json.loads(lines[0])["key"].split("+", 2)
key = base64.b64decode(key)
assert key[0] == 1 and sha(name.encode() + b"\n" + key).hex()[:8] == digits
raw = base64.b64decode(signature.split(" ")[2])
assert raw[:4].hex() == digits
open("body", "w").write(body + "\n")
open("sig", "wb").write(raw[4:])
open("key.der", "wb").write(bytes.fromhex("302a300506032b6570032100") + key[1:])
END
if command -v openssl >/dev/null; then
    openssl pkeyutl -verify -pubin -inkey key.der -keyform DER -rawin -in body -sigfile sig >openssl.txt 2>&1 ||
        fail "openssl: $(<openssl.txt)"
fi

# ---- what does not hold ----

expect 2 'no key' "$WARG" ledger cup --key "$other"
expect 2 'no folder' "$WARG" ledger
expect 2 'two proofs' "$WARG" ledger cup --prove 1 --consistency 1
expect 2 'an entry that is not there' "$WARG" ledger cup --prove 7
expect 2 'a size that is not there' "$WARG" ledger cup --prove 1 --size 8
expect 3 'an empty folder' "$WARG" ledger .
head -n 6 cup/ledger.jsonl >short.jsonl
mkdir short changed
cp cup/checkpoint short
cp short.jsonl short/ledger.jsonl
expect 1 'a ledger that was cut' "$WARG" ledger short
has 'line 6' 'a ledger that was cut'
cp cup/checkpoint changed
sed '3s/"game":1/"game":9/' cup/ledger.jsonl >changed/ledger.jsonl
expect 1 'a ledger that was changed' "$WARG" ledger changed --json
has '"holds":false' 'a ledger that was changed'
sed '3s/"game":1/"game": 1/' cup/ledger.jsonl >changed/ledger.jsonl
expect 1 'a line that is not canonical' "$WARG" ledger changed
has 'line 3: byte' 'a line that is not canonical'
sed 's/^5$/6/' cup/checkpoint-5 >forged
expect 1 'a forged checkpoint' "$WARG" ledger cup --checkpoint forged
has 'does not hold' 'a forged checkpoint'
# Both checkpoints are good, and the ledger ends before the later one: entries were taken away.
cp cup/checkpoint-5 short/checkpoint
head -n 5 cup/ledger.jsonl >short/ledger.jsonl
expect 0 'the ledger as it was' "$WARG" ledger short
expect 1 'a ledger that lost entries' "$WARG" ledger short --checkpoint cup/checkpoint
has 'taken away' 'a ledger that lost entries'

finish
