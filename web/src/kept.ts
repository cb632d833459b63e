// kept.ts - what this browser keeps from page to page.

// Storage may be forbidden (files, private windows): then a choice lasts as long as the page.
export function kept(key: string): string | null {
  try {
    return localStorage.getItem(`warg.${key}`);
  } catch {
    return null;
  }
}

export function keep(key: string, value: string): void {
  try {
    localStorage.setItem(`warg.${key}`, value);
  } catch {
    // As said above.
  }
}

/** The operator's secret of this tab, if one came by a link (docs/spec/web.md 11.2). */
export function operatorSecret(): string {
  try {
    return sessionStorage.getItem('warg.operator') ?? '';
  } catch {
    return '';
  }
}
