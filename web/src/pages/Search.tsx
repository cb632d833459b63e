// Search.tsx - utterances and names of all games here; each hit leads to its moment.
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { get } from '../api.ts';
import { asTrouble } from '../load.ts';
import { markedParts } from '../marked.ts';
import { Chip, hues } from '../parts/Chip.tsx';
import { Empty, Frame, Loading, Trouble } from '../parts/Frame.tsx';
import { gamePath } from '../parts/Lists.tsx';
import { shown } from '../parts/shown.ts';
import { base, type PageProps } from '../routes.tsx';
import type { Hit, SearchData } from '../shapes.ts';
import { t, type WordKey } from '../words.ts';
import { ROLES } from '../protocol_builder.ts';
import type { ApiError } from '../api.ts';

const filters = ['contest', 'team', 'role', 'day'] as const;

const HitRow = ({ hit, words }: { hit: Hit; words: string[] }) => (
  <li class="item hit">
    <a class="item-main" href={`${gamePath(hit.game)}${hit.a ? `#at=${encodeURIComponent(hit.a)}` : ''}`}>
      <span class="hit-text">
        {hit.seat !== undefined && <Chip seat={hit.seat} />} {hit.name !== undefined && <bdi class="name">{shown(hit.name)}</bdi>}{' '}
        <bdi>{markedParts(shown(hit.text), words).map((part, i) => (part.hit ? <mark key={i}>{part.text}</mark> : part.text))}</bdi>
      </span>
      <span class="note"><bdi>{shown(hit.game)}</bdi>{hit.day !== undefined && <> · {t('dayN', { n: hit.day })}</>}</span>
    </a>
  </li>
);

function Filters({ asked }: { asked: URLSearchParams }) {
  const open = filters.some((name) => asked.get(name));
  const field = (name: 'contest' | 'team', word: WordKey) => (
    <label class="labelled">{t(word)}<input class="field" name={name} defaultValue={asked.get(name) ?? ''} autocomplete="off" /></label>
  );
  return (
    <details class="filters" open={open}>
      <summary class="button quiet">{t('moreThings')}</summary>
      <div class="fields">
        {field('contest', 'filterContest')}
        {field('team', 'filterTeam')}
        <label class="labelled">{t('filterRole')}
          <select class="field" name="role">
            <option value="">{t('filterAny')}</option>
            {[...ROLES, 'FREEMASON', 'FOX'].map((role) => <option key={role} value={role} selected={asked.get('role') === role}>{t(`role_${role}` as WordKey)}</option>)}
          </select>
        </label>
        <label class="labelled">{t('filterDay')}<input class="field" name="day" type="number" min={0} max={99} defaultValue={asked.get('day') ?? ''} /></label>
      </div>
    </details>
  );
}

function Hits({ asked }: { asked: URLSearchParams }) {
  const data = useSignal<SearchData | null>(null);
  const trouble = useSignal<ApiError | null>(null);
  const q = (asked.get('q') ?? '').trim();
  const load = (after?: string) => {
    const query = new URLSearchParams(asked);
    if (after !== undefined) query.set('after', after);
    get<SearchData>(`search?${query}`).then(
      (answer) => {
        data.value = after !== undefined && data.value ? { ...answer, hits: [...data.value.hits, ...answer.hits] } : answer;
        trouble.value = null;
      },
      (error: unknown) => { trouble.value = asTrouble(error); },
    );
  };
  useEffect(() => load(), []);
  if (trouble.value) return <Trouble trouble={trouble.value} again={() => load()} />;
  const found = data.value;
  if (!found) return <Loading />;
  if (found.hits.length === 0) return <Empty title={t('searchNothing', { q: shown(q) })}>{found.building && <p>{t('searchBuilding')}</p>}</Empty>;
  const words = q.split(/\s+/).filter((word) => word !== '');
  return (
    <section class="block" style={hues(18)}>
      <p class="note" role="status">{t(found.more ? 'searchHitsMore' : 'searchHits', { n: found.total ?? found.hits.length })}{found.building && <> · {t('searchBuilding')}</>}</p>
      <ul class="items panel">{found.hits.map((hit, i) => <HitRow key={`${hit.game} ${hit.a ?? ''} ${i}`} hit={hit} words={words} />)}</ul>
      {found.next !== undefined && <p class="after"><button type="button" class="button" onClick={() => load(found.next)}>{t('searchMore')}</button></p>}
    </section>
  );
}

export function Search(_: PageProps) {
  const asked = new URLSearchParams(location.search);
  for (const [name, value] of [...asked]) if (value === '') asked.delete(name);
  const q = (asked.get('q') ?? '').trim();
  return (
    <Frame title={q ? `${q} · ${t('searchTitle')}` : t('searchTitle')} heading={t('searchTitle')}>
      <search>
        <form class="searchform" action={`${base}search`} method="get">
          <label class="unseen" for="q">{t('searchLabel')}</label>
          <input id="q" class="field" type="search" name="q" defaultValue={q} placeholder={t('searchLabel')} autocomplete="off" enterkeyhint="search" />
          <button type="submit" class="button strong">{t('searchButton')}</button>
          <Filters asked={asked} />
        </form>
      </search>
      {q !== '' && ([...q].length < 2 ? <p class="note">{t('searchShort')}</p> : <Hits asked={asked} />)}
    </Frame>
  );
}
