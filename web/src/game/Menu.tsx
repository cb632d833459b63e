// Menu.tsx - what there is no room for at the bottom, and choices that are kept.
import { Dialog } from '../parts/Dialog.tsx';
import { aloud, course, keysOn, sentences } from '../settings.ts';
import { t } from '../words.ts';
import { ControlIcon, mayHideCourse, SpeedSelect } from './Controls.tsx';
import type { GameStore, ViewChoice } from './store.ts';

const checked = (change: Event): boolean => (change.currentTarget as HTMLInputElement).checked;

// The document of the view that is shown, as a file. A link of the page itself, so no other page is asked.
function saveDoc(game: GameStore): void {
  const doc = game.doc.value;
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([JSON.stringify(doc)], { type: 'application/json' }));
  link.download = `${doc.id.replace(/[^A-Za-z0-9._-]/g, '_')}.${game.view.value}.json`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

export function Menu({ game, log, onClose, onLink, onKeys, onFind, onView }: {
  game: GameStore;
  log: string; // where it is; '' in exported files
  onClose: () => void;
  onLink: () => void;
  onKeys: () => void;
  onFind: () => void;
  onView: (view: ViewChoice) => void;
}) {
  const doc = game.doc.value;
  const open = game.view.value !== 'public';
  const away = (act: () => void) => (): void => {
    onClose();
    act();
  };
  const hasLog = log !== '' && game.fetchView !== null && game.status.value !== 'running';
  return (
    <Dialog title={t('more')} kind="gamemenu" onClose={onClose}>
      {game.choices.includes('all') && game.status.value !== 'running' && (
        <button type="button" class="button strong" onClick={away(() => onView(open ? 'public' : 'all'))}>{open ? t('hideRoles') : t('showRoles')}</button>
      )}
      <label class="menurow"><span>{t('speed')}</span><SpeedSelect game={game} label={t('speed')} /></label>
      {mayHideCourse(game) && (
        <label class="check"><input type="checkbox" checked={course.value === 'whole'} onChange={(change) => { course.value = checked(change) ? 'whole' : 'reached'; }} /> {t('wholeCourse')}</label>
      )}
      {doc.lang === 'aiwolf' && (
        <label class="check"><input type="checkbox" checked={sentences.value === 'said'} onChange={(change) => { sentences.value = checked(change) ? 'said' : 'plain'; }} /> {t('originalOn')}</label>
      )}
      <label class="check"><input type="checkbox" checked={keysOn.value === 'on'} onChange={(change) => { keysOn.value = checked(change) ? 'on' : 'off'; }} /> {t('keysSwitch')}</label>
      <label class="menurow"><span>{t('aloudTitle')}</span>
        <select class="field" value={aloud.value} onChange={(change) => { aloud.value = (change.currentTarget as HTMLSelectElement).value as 'all'; }}>
          {(['all', 'deeds', 'nothing'] as const).map((each) => <option key={each} value={each}>{t(`aloud_${each}`)}</option>)}
        </select>
      </label>
      <button type="button" class="button quiet" onClick={away(onFind)}><ControlIcon name="find" />{t('find')}</button>
      <button type="button" class="button quiet" onClick={away(onLink)}><ControlIcon name="link" />{t('copyLink')}</button>
      {hasLog && <a class="button quiet" href={log} download><ControlIcon name="save" />{t('downloadLog')}</a>}
      <button type="button" class="button quiet" onClick={away(() => saveDoc(game))}><ControlIcon name="save" />{t('saveDoc')}</button>
      <button type="button" class="button quiet" onClick={away(onKeys)}><ControlIcon name="keys" />{t('keys')}</button>
    </Dialog>
  );
}
