// Frame.tsx - what all pages but the game's and the seat's have around them, and the states that
// they share: on its way, refused, nothing there.
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { operatorSecret, type ApiError } from '../api.ts';
import { base } from '../routes.tsx';
import { t, type WordKey } from '../words.ts';
import { shown } from './shown.ts';
import { Mark, TopBar } from './TopBar.tsx';

export { Empty, Loading } from './States.tsx';

export function useTitle(title: string): void {
  useEffect(() => {
    document.title = title ? `${shown(title)} · ${t('siteName')}` : t('siteName');
  });
}

const links: { path: string; word: WordKey; operator?: true }[] = [
  { path: 'search', word: 'navSearch' },
  { path: 'open', word: 'navOpen' },
  { path: 'operator', word: 'navOperator', operator: true },
];

function SiteNav() {
  const here = location.pathname.slice(base.length);
  return (
    <nav class="sitenav" aria-label={t('nav')}>
      {links.filter((link) => !link.operator || operatorSecret()).map((link) => (
        <a key={link.path} href={base + link.path} aria-current={here === link.path ? 'page' : undefined}>{t(link.word)}</a>
      ))}
    </nav>
  );
}

interface FrameProps {
  title: string; // of the window, and the heading
  heading?: ComponentChildren; // another heading
  wide?: boolean;
  children: ComponentChildren;
}

export function Frame({ title, heading, wide, children }: FrameProps) {
  useTitle(title);
  return (
    <div class="screen">
      <TopBar>
        <h1 class="title">{heading ?? <bdi>{shown(title)}</bdi>}</h1>
        <span class="space" />
        <SiteNav />
      </TopBar>
      <main class={wide ? 'page wide' : 'page'}>{children}</main>
    </div>
  );
}

function sentence(trouble: ApiError): string {
  if (trouble.status === 404) return t('trouble404');
  if (trouble.status === 403) return t('trouble403');
  return shown(trouble.message);
}

export const Trouble = ({ trouble, again }: { trouble: ApiError; again?: () => void }) => (
  <div class="blank" role="alert">
    <Mark />
    <h2>{t('troubleTitle')}</h2>
    <p>{sentence(trouble)}</p>
    <p class="acts">
      {again && <button type="button" class="button strong" onClick={again}>{t('tryAgain')}</button>}
      <a class="button" href={base}>{t('toHome')}</a>
    </p>
  </div>
);
