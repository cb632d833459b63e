// Wall.tsx - up to nine live tables on one screen, by one feed: for a hall.
import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { WATCHES_MAX } from '../feed.ts';
import { feed } from '../live.ts';
import { useEach, useLoaded } from '../load.ts';
import { Empty, Frame, Loading, Trouble } from '../parts/Frame.tsx';
import { LiveTable } from '../parts/LiveTable.tsx';
import type { PageProps } from '../routes.tsx';
import type { HomeData } from '../shapes.ts';
import { lingering, nameTables, placeTables } from '../wall_places.ts';
import { t } from '../words.ts';

export function Wall(_: PageProps) {
  const asked = Number(new URLSearchParams(location.search).get('tables') ?? WATCHES_MAX);
  const count = Math.min(WATCHES_MAX, Math.max(1, Number.isInteger(asked) ? asked : WATCHES_MAX));
  const { value, trouble, again } = useLoaded<HomeData>('home');
  const shownIds = useSignal<string[]>([]);
  useEffect(() => {
    feed.keep = true; // a screen in a hall, whatever the browser thinks of it
    return () => { feed.keep = false; };
  }, []);
  useEach(5_000, again);
  const names = useMemo(() => new Map<string, string>(), []);
  const ended = useMemo(() => new Map<string, number>(), []);
  const data = value.value;
  nameTables(names, data?.rooms ?? []);
  useEffect(() => {
    if (!data) return;
    const live = data.live ?? [];
    const played = live.filter((table) => !table.over).map((table) => table.id);
    shownIds.value = placeTables(shownIds.value, played, lingering(shownIds.value, live, ended, performance.now()), count);
  }, [data]);
  const ids = shownIds.value;
  const places = [1, 2, 4, 6, WATCHES_MAX].find((each) => ids.length <= each);
  return (
    <Frame title={t('wallTitle')} wide>
      {ids.length > 0 ? <ul class={`wall of${places}`}>{ids.map((id) => <li class="tile" key={id}><LiveTable id={id} title={names.get(id)} names /></li>)}</ul>
        : value.value ? <Empty title={t('wallNothing')}><p>{t('wallNothingText')}</p></Empty>
        : trouble.value ? <Trouble trouble={trouble.value} again={again} /> : <Loading />}
    </Frame>
  );
}
