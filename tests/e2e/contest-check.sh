#!/usr/bin/env bash
# warg contest check: every form in which a language is handed in starts and passes, a good agent and twelve bad ones are
# each named by their step, hostile files by their entry. docs/spec/contest-operations.md 5, 7, O12, O13, O14, O15.
#
# A check with a wish for nothing but its verdict plays one game of each size a set. CHECK_CELL=filter tries that level.
# shellcheck source=common.bash
source "$(dirname "$0")/common.bash"

skip_under_tsan
"$WARG" cell probe >probe.txt 2>&1 || { echo "skipped: $(head -n 1 probe.txt)"; exit 77; }
mkdir tmp
export TMPDIR=$work/tmp
chmod 755 . tmp
cat >cup.yml <<'END'
contest: cup
division: protocol
check: {games: 1, name: refuse}
cell: {level: strict, memory: 1GiB, threads: 64}
stages:
  - {name: final, players: 5, sets: 1}
END

sed 's/memory: 1GiB/memory: 256MiB/; $a limits: {startup: 2s}' cup.yml >small.yml

# tried STATUS WHAT FILE LANGUAGE ENTRY OPTION...: tries it as team foo; the report is in report.json.
tried()
{
    local status=$1 what=$2 file=$3 language=$4 got
    local named=(${5:+--entry "$5"})
    shift 5
    for _ in 1 2 3; do
        "$WARG" contest check "$file" -q --json --language "$language" "${named[@]}" --team foo --contest cup.yml \
            ${CHECK_CELL:+--cell "$CHECK_CELL"} "$@" \
            >report.json 2>err.txt
        got=$?
        # Where the machine stands still, an agent that is to pass may be late all the same.
        ((got == status)) || grep -q '"step":"time","verdict":"fail"' report.json || break
        ((got != status)) || break
    done
    ((got == status)) || fail "$what: exit status $got, expected $status: $(cat err.txt report.json)"
}
passes()
{
    tried 0 "$@"
    grep -q '"step":"archive".*"step":"build".*"step":"start".*"step":"repeat"' report.json || fail "$1: $(cat report.json)"
    grep -q '"findings":\[\]' report.json || fail "$1: $(cat report.json)"
}
# refused WHAT FILE LANGUAGE ENTRY STEP WORDS OPTION...: the step fails, and its report has these words.
refused()
{
    local what=$1 file=$2 language=$3 entry=$4 step=$5 words=$6
    shift 6
    tried 1 "$what" "$file" "$language" "$entry" "$@"
    python3 - "$step" "$words" <<'END' || fail "$what: no '$words' in $step: $(cat report.json)"
import json, sys
report = json.load(open("report.json"))
steps = [s for s in report["steps"] if s["step"] == sys.argv[1]]
text = json.dumps([steps, report["findings"]], ensure_ascii=False)
sys.exit(not (steps and steps[0]["verdict"] == "fail" and sys.argv[2] in text))
END
}

# zip FILE NAME=SOURCE...: NAME in the archive is the file SOURCE, or with @ the text behind it.
cat >zip.py <<'END'
import sys, zipfile
with zipfile.ZipFile(sys.argv[1], "w", zipfile.ZIP_DEFLATED) as out:
    for pair in sys.argv[2:]:
        name, source = pair.split("=", 1)
        text = source[1:].encode() if source.startswith("@") else open(source, "rb").read()
        entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
        entry.compress_type = zipfile.ZIP_DEFLATED
        entry.external_attr = 0o644 << 16
        out.writestr(entry, text)
END
zip() { python3 zip.py "$@"; }

# bad_zip WHAT FILE: the agent that does it.
bad_zip()
{
    zip "$2" agent.py="$agent" \
        start.py=@"import runpy, sys; sys.argv += ['--do', '${1%:*}', '--with', '${1##*:}']; runpy.run_path('agent.py', run_name='__main__')"
}

agent=$agents/checked_agent.py
# Takes longest: it is waited for.
bad_zip slow slow.zip
"$WARG" contest check slow.zip -q --json -l python -e start.py -t foo -c cup.yml >slow.json 2>slow.err &
slow=$!

# ---- Python ----

zip team.zip "foo/start_bar.py=$agent" foo/model.txt=@1
passes 'TEAM/SCRIPT' team.zip python start_bar.py
zip root.zip "start.py=$agent"
passes 'SCRIPT at the root' root.zip python start.py
# A module that is in a wheel is put beside it; one that is in none is named.
mkdir wheels
zip wheels/wolfwords-1.2-py3-none-any.whl wolfwords/__init__.py=@'WORD = "Over"' \
    wolfwords-1.2.dist-info/METADATA=@$'Metadata-Version: 2.1\nName: wolfwords\nVersion: 1.2\n' \
    wolfwords-1.2.dist-info/WHEEL=@$'Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n' \
    wolfwords-1.2.dist-info/RECORD=@$'wolfwords/__init__.py,,\nwolfwords-1.2.dist-info/METADATA,,\nwolfwords-1.2.dist-info/WHEEL,,\nwolfwords-1.2.dist-info/RECORD,,\n'
if /usr/bin/python3 -m pip --version >/dev/null 2>&1; then
    { echo 'import wolfwords, json'; cat "$agent"; } >words.py
    zip needs.zip foo/start.py=words.py foo/requirements.txt=@'wolfwords==1.2'
    passes 'requirements of the platform' needs.zip python start.py --wheels wheels
    zip brings.zip start.py=words.py requirements.txt=@wolfwords wheels/wolfwords-1.2-py3-none-any.whl=wheels/wolfwords-1.2-py3-none-any.whl
    passes 'requirements of its own' brings.zip python start.py
    zip other.zip start.py=words.py requirements.txt=@'wolfwords==7'
    refused 'a missing requirement' other.zip python start.py build '(from versions: 1.2)' --wheels wheels
else
    echo 'skipped: requirements, the system has no pip'
fi
refused 'a missing script' team.zip python run.py start \
    "'run.py', at the root or in 'foo/', is not there; there is: foo/; foo/model.txt, foo/start_bar.py"

# ---- native ----

sed "1s,.*,#!/usr/bin/python3 -B," "$agent" >agent
zip script.zip agent=agent data=@1
passes 'a program that begins with #!' script.zip native agent
zip in_team.zip foo/agent=agent
passes 'in the folder of the team' in_team.zip native agent
if [[ ${WARG_LIBRARY:-} ]] && command -v gcc >/dev/null && [[ -e $WARG_LIBRARY/libwarg.a ]]; then
    gcc -O1 -I"$WARG_SOURCE/include" "$WARG_SOURCE/examples/agent.c" "$WARG_LIBRARY/libwarg.a" -ljansson -lm -o elf &&
        zip elf.zip elf=elf && passes 'ELF' elf.zip native elf
else
    echo 'skipped: C, no library without a sanitizer'
fi
head -c 4 /bin/sh >bad
printf '\001\001\001' >>bad
head -c 60 /dev/zero >>bad
zip other.zip bad=bad
refused 'a program of another machine' other.zip native bad start 'of another kind of machine'
zip text.zip run=@hello
refused 'what is no program' text.zip native run start "neither ELF nor '#!'"

# ---- Java ----

if command -v javac >/dev/null && [[ -x /usr/bin/java ]]; then
    mkdir -p java/{platform,own,inner,evil} lib
    javac -d java/platform "$agents/ClientStarter.java" && (cd java/platform && jar cf ../../lib/platform.jar .)
    # A starter of its own that does nothing: the platform's stands in front of it.
    mkdir -p java/evil/org/aiwolf/common/bin
    sed 's/Class.forName.*/System.exit(3);/' "$agents/ClientStarter.java" >java/evil/ClientStarter.java
    javac -d java/evil java/evil/ClientStarter.java && rm java/evil/ClientStarter.java
    (cd java/evil && jar cf ../zzz.jar .)
    cp java/zzz.jar java/aiwolf-client-0.5.jar
    echo 'public class Words { public static void touch() { } }' >java/Words.java
    javac -d java/inner java/Words.java && (cd java/inner && jar cf ../words.jar .)
    echo 'public class Player { public static void main(String[] w) throws Exception { Words.touch(); CheckedAgent.main(w); } }' \
        >java/Player.java
    javac -cp java/inner -d java/own java/Player.java "$agents/CheckedAgent.java"
    mkdir java/own/lib && cp java/words.jar java/aiwolf-client-0.5.jar java/zzz.jar java/own/lib
    (cd java/own && jar cf ../../player.jar .)
    passes 'a jar with jars in it' player.jar java Player --java-lib lib
    grep -q "left out, since the platform's own is in front of it: lib/aiwolf-client-0.5.jar" report.json ||
        fail "no warning: $(cat report.json)"
    refused 'a missing class' player.jar java foo.Player archive "no entry 'foo/Player.class'" --java-lib lib
    printf '\xca\xfe\xba\xbe\0\0\0\x63' >new.class
    zip new.jar New.class=new.class
    refused 'a class of a later Java' new.jar java New archive 'is compiled for Java 55' --java-lib lib
else
    echo 'skipped: Java, no javac here'
fi

# ---- .NET ----

if [[ ${CHECK_CELL:-} == filter ]]; then
    echo 'skipped: Mono, whose TcpClient wants to know of the network'
elif command -v mcs >/dev/null && command -v mono >/dev/null; then
    mkdir starter
    mcs -out:starter/Starter.exe "$agents/Starter.cs" && mcs -target:library -out:Agent.dll "$agents/CheckedAgent.cs"
    passes 'a dll' Agent.dll dotnet Agent.dll --starter starter/Starter.exe
    zip dll.zip foo.dll=Agent.dll note.txt=@1
    passes 'TEAM.dll in a zip' dll.zip dotnet '' --starter starter/Starter.exe
    zip none.zip bar.dll=Agent.dll
    refused 'no TEAM.dll' none.zip dotnet '' start "'foo.dll' at the root is not there; there is: bar.dll" \
        --starter starter/Starter.exe
else
    echo 'skipped: Mono, no compiler here'
fi
command -v dotnet >/dev/null || echo 'skipped: .NET, which is not here'

# ---- a good agent and twelve bad ones ----

# bad WHAT STEP WORDS OPTION...
bad()
{
    local what=$1 step=$2 words=$3
    shift 3
    bad_zip "$what" bad.zip
    refused "$what" bad.zip python start.py "$step" "$words" "$@"
}
bad noconnect start 'connect' --contest small.yml
bad name name 'exactly the name'
bad night dialogue 'ended or closed the connection in a game'
bad sentence dialogue 'warg lang check'
bad fork conduct 'fork, refused'
bad write conduct 'open for writing memo.txt'
bad connect:9 conduct 'connect 127.0.0.1:9'
bad threads:80 dialogue 'another thread begun'
if grep -q 'memory by group' report.json; then
    bad memory:400 conduct 'less memory' --contest small.yml
else # there the allocation fails
    bad memory:400 dialogue 'ended or closed the connection in a game' --contest small.yml
fi
bad flood:3000 resources 'print less'
bad early dialogue 'stay after FINISH'
wait "$slow"
(($? == 1)) || fail "slow: $(cat slow.json slow.err)"
python3 -c 'import json, sys
sys.exit([s["verdict"] for s in json.load(open("slow.json"))["steps"] if s["step"] == "time"] != ["fail"])' ||
    fail "slow: $(cat slow.json)"

# ---- what is no file of a version ----

echo hello >hello.txt
refused 'no archive' hello.txt python start.py archive 'it is no zip or jar file, or its end is missing'
python3 - <<'END'
import zipfile
with zipfile.ZipFile("up.zip", "w") as out:
    out.writestr("../../../../tmp/evil.py", "print()")
with zipfile.ZipFile("link.zip", "w") as out:
    entry = zipfile.ZipInfo("start.py")
    entry.external_attr = 0o120777 << 16
    out.writestr(entry, "/etc/passwd")
with zipfile.ZipFile("bomb.zip", "w", zipfile.ZIP_DEFLATED) as out:
    out.writestr("start.py", b"\0" * (200 << 20))
END
refused 'a way out' up.zip python start.py archive "entry '../../../../tmp/evil.py': its path has a part '..'"
refused 'a link' link.zip python start.py archive "entry 'start.py': is a link"
refused 'a bomb' bomb.zip python start.py archive 'more than 200 times its own size'
[[ -z $(ls tmp) ]] || fail "left behind: $(ls tmp)"

# ---- what breaks by our fault refuses nobody ----

mkdir place
cp "$WARG" place/warg
cp "$(dirname "$WARG")/warg-cell" place/real
cp "$WARG_CELL_FAULTS" place/warg-cell
chmod -R a+rX place
echo 'mount 1' >place/fault
expect 3 'a cell that can not be made' place/warg contest check team.zip -q -l python -e start_bar.py -t foo --cell namespaces
[[ -z $out && $err == *"cells of the level 'namespaces' can't be had here"* ]] || fail "no cell: $out $err"

# ---- as text ----

expect 0 'as text' "$WARG" contest check team.zip -q -l python -e start_bar.py -t foo -c cup.yml
[[ $out == 'foo: passed'* ]] || fail "text: $out"
grep -qE '^archive +ok .* files 2' <<<"$out" || fail "text: $out"
expect 2 'no entry' "$WARG" contest check team.zip -l python
expect 3 'no file' "$WARG" contest check none-such.zip -l python -e a.py
finish
