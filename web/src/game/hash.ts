// hash.ts - the moment's link: #view=public|all|3&at=ANCHOR&tab=…&lang=…&speed=…
// Nothing behind # is sent to a server. Pure but for location and history.
export interface Moment {
  view?: 'public' | 'all' | number;
  at?: string;
  tab?: Tab;
  lang?: 'en' | 'ja';
  speed?: number;
}

export const tabs = ['log', 'votes', 'claims', 'stances', 'mind'] as const;
export type Tab = (typeof tabs)[number];
export const speeds = [0.5, 1, 2, 5, 10] as const;

export function readMoment(hash: string): Moment {
  const fields = new URLSearchParams(hash.replace(/^#/, ''));
  const made: Moment = {};
  const view = fields.get('view');
  if (view === 'public' || view === 'all') made.view = view;
  else if (view !== null && /^([1-9]|[12]\d|30)$/.test(view)) made.view = Number(view);
  const at = fields.get('at');
  if (at !== null && /^[a-z0-9.]{1,40}$/.test(at)) made.at = at;
  const tab = fields.get('tab') as Tab | null;
  if (tab !== null && tabs.includes(tab)) made.tab = tab;
  const lang = fields.get('lang');
  if (lang === 'en' || lang === 'ja') made.lang = lang;
  const speed = Number(fields.get('speed'));
  if (speeds.includes(speed as 1)) made.speed = speed;
  return made;
}

export function momentText(moment: Moment): string {
  const fields = new URLSearchParams();
  for (const key of ['view', 'at', 'tab', 'lang', 'speed'] as const)
    if (moment[key] !== undefined) fields.set(key, String(moment[key]));
  const text = fields.toString();
  return text === '' ? '' : `#${text}`;
}
