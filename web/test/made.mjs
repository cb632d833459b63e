// made.mjs - game documents made up for tests and for looking: any number of seats and days, either
// division, names of any kind. Views are filtered as the server does it. Always the same for the same
// numbers.
const roleSets = { 5: ['SEER', 'WEREWOLF', 'POSSESSED'], 15: ['SEER', 'MEDIUM', 'BODYGUARD', 'POSSESSED', 'WEREWOLF', 'WEREWOLF', 'WEREWOLF'] };

function chance(seed) {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 4294967296) * below);
  };
}

const lines = [
  ['I think we should hear from those who were silent.', '静かな人の意見を聞きたい。'],
  ['Why do you suspect me? Explain it.', 'なぜ私を疑うの？説明してほしい。'],
  ['{0}, your vote yesterday was strange.', '@{0} 昨日の投票は不自然だった。'],
  ['I trust {0} for now, but the claims of {1} do not fit together with what happened in the night.', '今は{0}を信じるけど、{1}の主張は昨夜の出来事と合わない。'],
  ['Let us vote {1}.', '{1}に投票しよう。'],
];

function rolesOf(players, next) {
  const roles = [...(roleSets[players >= 9 ? 15 : 5])];
  while (roles.length < players) roles.push('VILLAGER');
  for (let i = roles.length - 1; i > 0; i--) {
    const j = next(i + 1);
    [roles[i], roles[j]] = [roles[j], roles[i]];
  }
  return roles.slice(0, players);
}

const pad = (seat) => `Agent[${String(seat).padStart(2, '0')}]`;

class Maker {
  constructor({ players = 15, days = 5, seed = 1, division = 'protocol', lang = 'en', names = null, turns = 6, id = 'made', text = null }) {
    this.next = chance(seed);
    Object.assign(this, { players, days, division, lang, turns, id, text });
    this.roles = rolesOf(players, this.next);
    this.names = Array.from({ length: players }, (_, i) => names?.[i % names.length] ?? (division === 'protocol' ? pad(i + 1) : `Player${i + 1}`));
    this.alive = this.roles.map((_, i) => i + 1);
    this.events = [];
    this.phases = [];
    this.dead = [];
  }

  add(kind, a, fields = {}) { this.events.push({ n: this.events.length, a, kind, day: this.day, ...fields }); }
  phase(night, action) { this.phases.push({ day: this.day, night, action, first: this.events.length }); }
  with(role) { return this.alive.filter((seat) => this.roles[seat - 1] === role); }
  other(seat) { const rest = this.alive.filter((each) => each !== seat); return rest[this.next(rest.length)]; }

  protocolLine(seat) {
    const other = this.other(seat);
    const kind = this.next(5);
    const role = this.roles[seat - 1];
    if (kind === 0 && (role === 'SEER' || role === 'POSSESSED' || role === 'WEREWOLF')) {
      const claim = 'SEER';
      return { text: `COMINGOUT ${pad(seat)} ${claim}`, says: [{ kind: 'COMINGOUT', target: seat, role: claim }], plain: { en: 'claims to be the seer', ja: '占い師だと名乗る' } };
    }
    if (kind === 1 && role !== 'VILLAGER') {
      const wolf = this.next(3) === 0;
      return { text: `DIVINED ${pad(other)} ${wolf ? 'WEREWOLF' : 'HUMAN'}`, says: [{ kind: 'DIVINED', target: other, species: wolf ? 'WEREWOLF' : 'HUMAN' }],
        plain: { en: `divined ${pad(other)}: ${wolf ? 'a werewolf' : 'human'}`, ja: `${pad(other)} を占い、${wolf ? '人狼' : '人間'}だった` } };
    }
    if (kind === 2) return { text: `ESTIMATE ${pad(other)} WEREWOLF`, says: [{ kind: 'ESTIMATE', target: other, role: 'WEREWOLF' }], plain: { en: `thinks that ${pad(other)} is a werewolf`, ja: `${pad(other)} が人狼だと思う` } };
    if (kind === 3) return { text: `BECAUSE (XOR (ESTIMATE ${pad(other)} WEREWOLF) (ESTIMATE ${pad(other)} POSSESSED)) (AND (VOTE ${pad(other)}) (REQUEST ANY (VOTE ${pad(other)})))`, says: [{ kind: 'VOTE', target: other }],
      plain: { en: `since ${pad(other)} is either a werewolf or the possessed, wants to vote for ${pad(other)} and asks everybody to do so`, ja: `${pad(other)} は人狼か狂人なので、${pad(other)} に投票したい、みんなもそうしてほしい` } };
    return { text: `VOTE ${pad(other)}`, says: [{ kind: 'VOTE', target: other }], plain: { en: `wants to vote for ${pad(other)}`, ja: `${pad(other)} に投票したい` } };
  }

  freeLine(seat) {
    const line = lines[this.next(lines.length)][this.lang === 'ja' ? 1 : 0];
    return { text: this.text ?? line.replace('{0}', this.names[this.other(seat) - 1]).replace('{1}', this.names[this.other(seat) - 1]) };
  }

  talk() {
    this.phase(false, 'talk');
    let idx = 0;
    for (let turn = 0; turn < this.turns; turn++)
      for (const seat of this.alive) {
        const quiet = this.next(10) < (turn < 3 ? 3 : 7);
        const said = quiet ? { text: turn < 3 ? 'Skip' : 'Over', quiet: turn < 3 ? 'skip' : 'over' } : this.division === 'protocol' ? this.protocolLine(seat) : this.freeLine(seat);
        this.add('talk', `d${this.day}t${idx}`, { seat, turn, idx, t_ms: this.events.length * 1700, ...said });
        idx++;
        if (this.next(200) === 0) this.add('fault', `d${this.day}f${idx}`, { seat, fault: { kind: 'timeout', at: 'TALK', after_ms: 203.4 } });
      }
  }

  ballot(kind, voters, round, targets, to) {
    const counts = new Map();
    this.phase(kind === 'attack_vote', kind === 'vote' ? 'vote' : 'attack');
    for (const seat of voters) {
      const able = targets.filter((each) => each !== seat);
      const target = able[this.next(3) > 0 ? Math.min(able.length - 1, (this.day * 3) % able.length) : this.next(able.length)];
      counts.set(target, (counts.get(target) ?? 0) + 1);
      this.add(kind, `d${this.day}${kind === 'vote' ? 'v' : 'av'}${round}.${seat}`, { seat, target, round, ...(to ? { to } : {}) });
    }
    return [...counts].sort((a, b) => b[1] - a[1] || a[0] - b[0])[0]?.[0];
  }

  night() {
    this.phase(true, 'night');
    this.add('night', `d${this.day}n`);
    const wolves = this.with('WEREWOLF');
    const [seer] = this.with('SEER');
    const [guard] = this.with('BODYGUARD');
    if (wolves.length > 1) {
      this.phase(true, 'whisper');
      let idx = 0;
      for (const seat of wolves) {
        this.add('whisper', `d${this.day}w${idx}`, { seat, turn: 0, idx, to: wolves, text: this.division === 'protocol' ? `ATTACK ${pad(this.other(seat))}` : `Let us take ${this.names[this.other(seat) - 1]}.` });
        idx++;
      }
    }
    if (seer) {
      this.phase(true, 'divine');
      const target = this.other(seer);
      this.add('divine', `d${this.day}div`, { seat: seer, target, species: this.roles[target - 1] === 'WEREWOLF' ? 'WEREWOLF' : 'HUMAN', to: [seer] });
    }
    if (guard) this.add('guard', `d${this.day}g`, { seat: guard, target: this.other(guard), to: [guard] });
    const humans = this.alive.filter((seat) => !wolves.includes(seat));
    if (wolves.length === 0 || humans.length === 0) return 0;
    const target = this.ballot('attack_vote', wolves, 0, humans, wolves);
    this.add('attack', `d${this.day}k`, { target, killed: true, to: wolves });
    return target;
  }

  kill(seat) { this.alive = this.alive.filter((each) => each !== seat); }

  play() {
    let killed = 0;
    for (this.day = this.division === 'nlp' ? 0 : 1; this.day <= this.days; this.day++) {
      this.phase(false, 'dawn');
      this.add('day', `d${this.day}`);
      if (killed) this.add('death', `d${this.day}m${killed}`, { seat: killed, cause: 'attacked' });
      if (this.alive.length <= 2 || this.day === this.days) break;
      this.talk();
      if (this.day > 0) {
        const out = this.ballot('vote', this.alive, 0, this.alive);
        const [medium] = this.with('MEDIUM');
        // Long games end by their days, not by their dead.
        if (this.days <= 12 || this.day % 4 === 0) {
          this.add('execute', `d${this.day}x`, { seat: out });
          this.kill(out);
          if (medium && medium !== out) this.add('identify', `d${this.day}id`, { seat: medium, target: out, species: this.roles[out - 1] === 'WEREWOLF' ? 'WEREWOLF' : 'HUMAN', to: [medium] });
        }
      }
      const found = this.night();
      killed = this.days <= 12 || this.day % 5 === 0 ? found : 0;
      if (killed) this.kill(killed);
    }
    this.phase(false, 'end');
    const winner = this.with('WEREWOLF').length > 0 ? 'WEREWOLF' : 'VILLAGER';
    this.add('end', 'end', { winner, humans: this.alive.length, wolves: this.with('WEREWOLF').length });
    for (let seat = 1; seat <= this.players; seat++) this.add('reveal', `reveal.${seat}`, { seat, role: this.roles[seat - 1] });
    return winner;
  }

  document() {
    const winner = this.play();
    const wolves = this.roles.flatMap((role, i) => (role === 'WEREWOLF' ? [i + 1] : []));
    return {
      format: 'warg-game', version: 1, id: this.id, division: this.division, lang: this.division === 'protocol' ? 'aiwolf' : this.lang, status: 'finished',
      view: { kind: 'all' }, source: { form: this.division === 'protocol' ? 'aiwolf-log' : 'nlp-log', name: `${this.id}.log`, check: 'ok' },
      rules: { name: this.division === 'protocol' ? 'aiwolf-2021' : 'nlp-turn', players: this.players, talk: 'turns', votes_public: true },
      began_ms: 1795372145658, winner,
      seats: this.roles.map((role, i) => ({ seat: i + 1, name: this.names[i], agent: `agent${i % 4}`, role, role_to: role === 'WEREWOLF' ? wolves : [i + 1] })),
      phases: this.phases, events: this.events,
      belief: { method: 'claims-1', text: 'all role assignments that fit the table', rows: [{ a: 'd2', p: this.roles.map((_, i) => ((i * 37) % 100) / 100) }] },
    };
  }
}

/** A document of view `all`. */
export const madeDoc = (how = {}) => new Maker(how).document();

export const hostile = [
  '<img src=x onerror=alert(1)>', '<script>alert(1)</script>', '</script><script>alert(1)</script>', '"><svg onload=alert(1)>', "' onmouseover='alert(1)",
  'javascript:alert(1)', '{{constructor.constructor("alert(1)")()}}', '${alert(1)}', '<!--', '-->', ']]>', '&lt;b&gt;&amp;', '<style>*{display:none}</style>',
  '\u202Eevil\u202C txt', 'a\u200Bb\u200Cc\u200Dd\uFEFFe', '\u0000\u0007\u001b[31mred', 'x'.repeat(8192), '長'.repeat(400), '👨‍👩‍👧‍👦🏳️‍🌈👍🏽', 'Z̸̡͖̪͊a̴͎̎l̷̤̅g̸̦̈o̴̱̚',
  'مرحبا بالعالم', 'שלום עולם', '../../etc/passwd', 'url(javascript:alert(1))', 'expression(alert(1))', '__proto__', 'constructor', 'toString', '\n\n\n\t\n', '   ', '$& $1 $`', '@@@ Agent[99] @',
];
