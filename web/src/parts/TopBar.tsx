// TopBar.tsx - the line at the top of every page: the way home, what the page puts there, the
// language and the colours.
import type { ComponentChildren } from 'preact';
import { base } from '../base.ts';
import { darkNow, lang, nextTheme, theme } from '../settings.ts';
import { t } from '../words_shared.ts';

export const Mark = () => (
  <svg class="mark" viewBox="0 0 32 32" aria-hidden="true">
    <circle cx="16" cy="16" r="14.500" class="ring" />
    <path d="M6.500 7.500l5.700 3.700q3.800-1.300 7.600 0l5.700-3.700q1 8.500-2.800 12.700L16 26.500l-6.700-6.300Q5.500 16 6.500 7.500zM10.500 15l4 2.600-3 .7zm11 0l-4 2.600 3 .7z" fill="currentColor" fill-rule="evenodd" />
  </svg>
);

const HalfMoon = () => (
  <svg class="icon" viewBox="0 0 20 20" aria-hidden="true">
    <circle cx="10" cy="10" r="7" fill="none" stroke="currentColor" stroke-width="1.800" />
    <path d="M10 3a7 7 0 0 1 0 14z" fill="currentColor" />
  </svg>
);

export const LangButton = () => (
  <button type="button" class="button" lang={lang.value === 'en' ? 'ja' : 'en'} title={t('otherLangTitle')}
    onClick={() => { lang.value = lang.value === 'en' ? 'ja' : 'en'; }}>
    {t('otherLang')}
  </button>
);

export function ThemeButton() {
  void theme.value; // drawn anew when it changes
  return (
    <button type="button" class="button square" aria-label={t('themeTitle')} aria-pressed={darkNow()} title={t('themeTitle')} onClick={nextTheme}>
      <HalfMoon />
    </button>
  );
}

/** `home`: where the way home leads; '' for exported files, which have none. */
export const TopBar = ({ children, home = base }: { children?: ComponentChildren; home?: string }) => (
  <header class="topbar">
    {home ? <a class="brand" href={home} aria-label={t(home === base || home === '/' ? 'toHome' : 'toBack')}><Mark /></a> : <span class="brand"><Mark /></span>}
    {children}
    {children === undefined && <span class="space" />}
    <LangButton />
    <ThemeButton />
  </header>
);
