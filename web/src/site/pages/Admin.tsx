// Admin.tsx - the server: new contests, accounts, a backup.
import { useSignal } from '@preact/signals';
import { shown } from '../../parts/shown.ts';
import { Empty } from '../../parts/States.tsx';
import { toast } from '../../parts/Toast.tsx';
import { asTrouble, get } from '../ask.ts';
import { Copy } from '../Copy.tsx';
import { DropFile } from '../DropFile.tsx';
import { Field, Fold, Form } from '../Form.tsx';
import { Block, Frame, NeedLogin, When } from '../Frame.tsx';
import { go } from '../go.ts';
import { useLoaded } from '../loaded.ts';
import { change, me } from '../me.ts';
import { When as Date_ } from '../Moment.tsx';
import { pathTo } from '../route.ts';
import type { ContestRow, Items } from '../shapes.ts';
import { t } from '../words.ts';

interface AccountRow {
  id: string;
  login: string;
  name?: string;
  created?: string;
  disabled?: boolean;
}

export const exampleFile = `contest: cup
title: {en: "A cup", ja: "大会"}
division: protocol
dates: {zone: Asia/Tokyo, opens: 2027-04-01 09:00, submission_closes: 2027-07-21 24:00, preliminary: 2027-07-22, preliminary_stops: 2027-08-04 24:00,
        revision_closes: 2027-08-18 24:00, final_stops: 2027-09-01, appeals_close: 2027-09-08}
register: {approve: false, members: 10, fields: [affiliation, contact], public: [affiliation]}
submit: {languages: [java, dotnet, python, native], file_bytes: 268435456}
testing: {at: ["03:00", "15:00"], parts: [{players: 5, sets_each: 1}, {players: 15, sets_each: 1}], fill: sample, on_error: suspend}
stages:
  - {name: preliminary, parts: [{players: 5}, {players: 15}], min_games: 1000, advance: 15, tie: extra}
  - {name: final, parts: [{players: 5}, {players: 15}], min_games: 10000, require: [source, description]}
conduct: {strikes: 3, confirm: true, sentence: strike, crash: strike, network: strike, write: strike, process: strike, thread: note}
publish: {logs: own, live: standings, sources: final}
`;

function NewContest() {
  const text = useSignal(exampleFile);
  return (
    <Block title={t('contestNew')}>
      <p class="lead">{t('contestNewText')}</p>
      <div class="panel">
        <Form key={text.value} button={t('contestNew')} draft="contest" first={{ text: text.value }} onSend={async (values) => {
          const made = await change<ContestRow>('POST', 'contests', { text: values['text'] ?? '' });
          go(pathTo(made.name, 'organise'));
        }}>
          <div class="whole"><DropFile file={null} label={t('chooseFile')} accept=".yml,.yaml,.txt" onFile={(file) => void file.text().then((read) => { text.value = read; })} /></div>
          <Field name="text" label={t('contestFile')} required rows={20} mono />
        </Form>
      </div>
    </Block>
  );
}

function Accounts() {
  const accounts = useLoaded<Items<AccountRow>>('accounts');
  const more = useSignal<Items<AccountRow> | null>(null);
  const load = (cursor: string): void => {
    get<Items<AccountRow>>(`accounts?cursor=${encodeURIComponent(cursor)}`).then((page) => { more.value = { ...page, items: [...(more.value?.items ?? []), ...page.items] }; }, (error: unknown) => toast(asTrouble(error).message, true));
  };
  const link = useSignal<{ name: string; link: string } | null>(null);
  const give = (name: string, made: Promise<{ link: string }>): Promise<void> => made.then((answer) => { link.value = { name, link: answer.link }; });
  return (
    <Block title={t('accounts')}>
      {link.value && <div class="panel gap" role="status"><p>{t('accountLink', { name: shown(link.value.name) })}</p><Copy text={link.value.link} label={t('passwordLink')} /></div>}
      <When of={accounts}>{(page) => {
        const next = more.value ? more.value.next : page.next;
        return (
        <><ul class="items panel">{[...page.items, ...(more.value?.items ?? [])].map((row) => (
          <li class="item" key={row.id}><div class="item-main"><bdi class="item-name">{shown(row.login)}</bdi><bdi class="note">{shown(row.name ?? '')}</bdi></div>
            {row.disabled && <span class="pill warn">{t('disabled')}</span>}<span class="note item-when"><Date_ at={row.created} /></span>
            {row.id !== me.value?.id && !row.disabled && <button type="button" class="button" onClick={() => void give(row.login, change('POST', `accounts/${row.id}/reset`)).catch((error: unknown) => toast(asTrouble(error).message, true))}>{t('passwordLink')}<span class="unseen"> {shown(row.login)}</span></button>}
            {row.id !== me.value?.id && <button type="button" class="button" onClick={() => void change('PATCH', `accounts/${row.id}`, { disabled: row.disabled !== true }).then(() => { more.value = null; accounts.again(); }, (error: unknown) => toast(asTrouble(error).message, true))}>{t(row.disabled ? 'enable' : 'disable')}<span class="unseen"> {shown(row.login)}</span></button>}</li>
        ))}</ul>
          {next && <p class="after"><button type="button" class="button" onClick={() => load(next)}>{t('more')}</button></p>}</>
        );
      }}</When>
      <Fold title={t('accountNew')}>
        <p class="lead">{t('accountNewText')}</p>
        <Form button={t('accountNew')} onSend={async (values) => {
          await give(values['login'] ?? '', change('POST', 'accounts', { login: values['login'] ?? '', name: values['name'] ?? '', mail: values['mail'] ?? '' }));
          accounts.again();
        }}>
          <Field name="login" label={t('loginName')} required maxLength={32} hint={t('loginHint')} />
          <Field name="name" label={t('yourNameOf')} maxLength={100} />
          <Field name="mail" label={t('mail')} type="email" maxLength={254} />
        </Form>
      </Fold>
    </Block>
  );
}

/** It holds secrets, so it stays at the machine. */
function Backup() {
  const folder = useSignal('');
  return (
    <Block title={t('backup')}>
      <p class="lead">{t('backupText')}</p>
      {folder.value && <p class="panel gap" role="status">{t('backupDone', { folder: folder.value })}</p>}
      <Form button={t('backupNow')} quiet onSend={async () => { folder.value = (await change<{ folder: string }>('POST', 'backup')).folder; }} />
      <Copy text="warg contest backup FOLDER --site SITE" label={t('backup')} />
    </Block>
  );
}

export const Admin = () => (
  <Frame title={t('navAdmin')}>
    <NeedLogin>{me.value?.admin ? <><NewContest /><Accounts /><Backup /></> : <Empty title={t('onlyAdmins')} />}</NeedLogin>
  </Frame>
);
