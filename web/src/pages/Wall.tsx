// Wall.tsx - up to nine live tables on one screen, by one feed: for a hall.
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { WATCHES_MAX } from '../feed.ts';
import { feed } from '../live.ts';
import { useEach, useLoaded } from '../load.ts';
import { Empty, Frame, Loading, Trouble } from '../parts/Frame.tsx';
import { LiveTable } from '../parts/LiveTable.tsx';
import type { PageProps } from '../routes.tsx';
import type { HomeData } from '../shapes.ts';
import { placeTables } from '../wall_places.ts';
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
  const live = value.value?.live;
  useEffect(() => {
    if (live) shownIds.value = placeTables(shownIds.value, live.map((table) => table.id), count);
  }, [live]);
  const ids = shownIds.value;
  return (
    <Frame title={t('wallTitle')} wide>
      {ids.length > 0 ? <ul class={`wall of${ids.length > 4 ? 9 : ids.length > 1 ? 4 : 1}`}>{ids.map((id) => <li class="tile" key={id}><LiveTable id={id} names /></li>)}</ul>
        : value.value ? <Empty title={t('wallNothing')}><p>{t('wallNothingText')}</p></Empty>
        : trouble.value ? <Trouble trouble={trouble.value} again={again} /> : <Loading />}
    </Frame>
  );
}
