// Frame.tsx - what every page of the contest site has around it.
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { shown } from '../parts/shown.ts';
import { Mark, TopBar } from '../parts/TopBar.tsx';
import { Loading } from '../parts/States.tsx';
import { lost, type ApiError } from './ask.ts';
import { here, turns } from './go.ts';
import type { Loaded } from './loaded.ts';
import { me } from './me.ts';
import { t } from './words.ts';

export const Lost = () => <div class="lost" role="status" hidden={!lost.value}>{lost.value && t('lostLine')}</div>;

const toLogin = (): string => (here.value.path === '/' || here.value.path === '/login' ? '/login' : `/login?to=${encodeURIComponent(here.value.path)}`);

function SiteNav() {
  const at = (path: string) => (here.value.path === path ? ('page' as const) : undefined);
  return (
    <nav class="sitenav" aria-label={t('nav')}>
      <a href="/" aria-current={at('/')}>{t('navContests')}</a>
      {me.value?.admin && <a href="/admin" aria-current={at('/admin')}>{t('navAdmin')}</a>}
      {me.value && <a href="/account" aria-current={at('/account')}><bdi>{shown(me.value.name || me.value.login)}</bdi></a>}
      {me.value === null && <a href={toLogin()} aria-current={at('/login')}>{t('navLogin')}</a>}
    </nav>
  );
}

interface FrameProps {
  title: string; // of the window, and the heading
  heading?: ComponentChildren;
  below?: ComponentChildren; // between the bar and the page
  narrow?: boolean;
  wide?: boolean;
  children: ComponentChildren;
}

export function Frame({ title, heading, below, narrow, wide, children }: FrameProps) {
  const head = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = title ? `${shown(title)} · ${t('contestSite')}` : t('contestSite');
  });
  // Who goes to another page by keyboard or reader is told where one is.
  useEffect(() => {
    if (turns.value > 0) head.current?.focus({ preventScroll: true });
  }, [turns.value]);
  return (
    <div class="screen">
      <a class="skip" href="#main">{t('skip')}</a>
      <TopBar home="/">
        <h1 class="title" tabIndex={-1} ref={head}>{heading ?? <bdi>{shown(title)}</bdi>}</h1>
        <span class="space" />
        <SiteNav />
      </TopBar>
      {below}
      <main id="main" tabIndex={-1} class={wide ? 'page wide' : narrow ? 'page narrow' : 'page'}>{children}</main>
    </div>
  );
}

function sentence(trouble: ApiError): string {
  if (trouble.status === 0) return t('troubleNetwork');
  if (trouble.status === 404) return t('trouble404');
  return shown(trouble.message);
}

export const Trouble = ({ trouble, again }: { trouble: ApiError; again?: () => void }) => (
  <div class="blank" role="alert">
    <Mark />
    <h2>{t(trouble.status === 404 ? 'missingTitle' : trouble.status === 401 ? 'needLogin' : 'troubleTitle')}</h2>
    <p>{sentence(trouble)}</p>
    <p class="acts">
      {(trouble.status === 401 || (trouble.status === 404 && me.value === null)) && <a class="button strong" href={toLogin()}>{t('navLogin')}</a>}
      {again && trouble.status !== 404 && trouble.status !== 401 && <button type="button" class="button" onClick={again}>{t('tryAgain')}</button>}
      <a class="button" href="/">{t('toHome')}</a>
    </p>
  </div>
);

/** A part of a page that waits for what was asked; what is there stays while the server is away. */
export function When<T>({ of, children }: { of: Loaded<T>; children: (value: T) => ComponentChildren }) {
  if (of.value.value !== null) return <>{children(of.value.value)}</>;
  if (of.trouble.value) return <Trouble trouble={of.trouble.value} again={of.again} />;
  return <Loading />;
}

interface BlockProps {
  title: ComponentChildren;
  tools?: ComponentChildren;
  id?: string;
  children: ComponentChildren;
}

export const Block = ({ title, tools, id, children }: BlockProps) => (
  <section class="block" id={id}>
    <div class="block-head"><h2>{title}</h2>{tools}</div>
    {children}
  </section>
);

/** Who is not logged in is led there and back. */
export function NeedLogin({ children }: { children: ComponentChildren }) {
  if (me.value === undefined) return <Loading />;
  if (me.value) return <>{children}</>;
  return (
    <div class="blank">
      <Mark />
      <h2>{t('needLogin')}</h2>
      <p class="acts"><a class="button strong" href={toLogin()}>{t('navLogin')}</a><a class="button" href="/register">{t('registerTitle')}</a></p>
    </div>
  );
}
