// KeyList.tsx - the list of keys, and the switch that turns them off.
import { Dialog } from '../parts/Dialog.tsx';
import { keysOn } from '../settings.ts';
import { t, type WordKey } from '../words.ts';

const list: [string[], WordKey][] = [
  [['←', '→'], 'key_arrows'], [['Shift ←', 'Shift →'], 'key_shift'], [['[', ']'], 'key_days'], [['Home', 'End'], 'key_ends'],
  [['Space'], 'key_space'], [['-', '+'], 'key_speed'], [['1', '…', '9'], 'key_views'], [['0'], 'key_public'], [['r'], 'key_all'],
  [['l', 'v', 'c', 's', 'm'], 'key_tabs'], [['o'], 'key_original'], [['/'], 'key_find'], [['y'], 'key_link'], [['t'], 'key_table'], [['?'], 'key_list'],
];

export const KeyList = ({ onClose }: { onClose: () => void }) => (
  <Dialog title={t('keysTitle')} onClose={onClose}>
    <dl class="keylist">
      {list.map(([keys, word]) => (
        <div key={word}><dt>{keys.map((key) => (key === '…' ? ' … ' : <kbd key={key}>{key}</kbd>))}</dt><dd>{t(word)}</dd></div>
      ))}
    </dl>
    <label class="check"><input type="checkbox" checked={keysOn.value === 'on'} onChange={(change) => { keysOn.value = (change.currentTarget as HTMLInputElement).checked ? 'on' : 'off'; }} /> {t('keysSwitch')}</label>
  </Dialog>
);
