// TeamPeople.tsx - members and what others may know of the team; what it was told.
import { useSignal } from '@preact/signals';
import { shown } from '../../parts/shown.ts';
import { Empty } from '../../parts/States.tsx';
import { toast } from '../../parts/Toast.tsx';
import { asTrouble } from '../ask.ts';
import { Copy } from '../Copy.tsx';
import { Field, Fold, Form, Tick } from '../Form.tsx';
import { Block } from '../Frame.tsx';
import { go } from '../go.ts';
import { change, findMe, me } from '../me.ts';
import { When } from '../Moment.tsx';
import { pathTo } from '../route.ts';
import { both, t } from '../words.ts';
import type { TeamProps } from './Team.tsx';

/** What a captain may switch off; announcements and conduct always come. */
const kinds = ['version-received', 'version-passed', 'version-refused', 'version-suspended', 'round', 'deadline', 'state', 'token-ends'] as const;

export function People({ contest, team, path, standing, again }: TeamProps) {
  const link = useSignal('');
  const act = (promise: Promise<unknown>): void => { promise.then(again, (error: unknown) => toast(asTrouble(error).message, true)); };
  const secret = useSignal('');
  const consents = (name: string): string => (team.consent?.[name] ? 'yes' : '');
  return (
    <>
      <Block title={t('members')} tools={standing.captain && <button type="button" class="button" onClick={() => act(change<{ link: string }>('POST', `${path}/invite`).then((made) => { link.value = new URL(made.link, location.origin).href; }))}>{t('invite')}</button>}>
        {link.value && <div class="panel gap" role="status"><p>{t('inviteLink')}</p><Copy text={link.value} label={t('invite')} /></div>}
        <ul class="items panel">{team.members.map((member) => (
          <li class="item" key={member.id}>
            <div class="item-main"><bdi class="item-name">{shown(member.name)}</bdi></div>
            {member.captain && <span class="pill">{t('captain')}</span>}
            {standing.captain && !member.captain && <button type="button" class="button" onClick={() => act(change('PATCH', `${path}/members/${encodeURIComponent(member.id)}`, { captain: true }))}>{t('makeCaptain')}<span class="unseen"> {shown(member.name)}</span></button>}
            {(standing.captain ? !member.captain : member.id === me.value?.id && !member.captain) && (
              <button type="button" class="button" onClick={() => act(change('DELETE', `${path}/members/${encodeURIComponent(member.id)}`).then(findMe))}>{t(member.id === me.value?.id ? 'leave' : 'remove')}<span class="unseen"> {shown(member.name)}</span></button>
            )}
          </li>
        ))}</ul>
      </Block>
      {standing.captain && (
        <>
          <Block title={t('teamData')}>
            {secret.value && <div class="panel gap" role="status"><p>{t('hookSecret')}</p><Copy text={secret.value} label={t('webhook')} /></div>}
            <div class="panel">
              <Form button={t('save')} first={{ affiliation: team.affiliation ?? '', webhook: team.webhook ?? '', affiliation_public: consents('affiliation'), members_public: consents('members'), sources_public: consents('sources'), ...Object.fromEntries(kinds.map((kind) => [`tell_${kind}`, (team.quiet ?? '').split(' ').includes(kind) ? '' : 'yes'])) }} keepAfter onSend={async (values) => {
                const webhook = values['webhook'] ?? '';
                const made = await change<{ hook_secret?: string } | null>('PATCH', path, {
                  affiliation: values['affiliation'] ?? '', consent: Object.fromEntries(['affiliation', 'members', 'sources'].map((each) => [each, values[`${each}_public`] === 'yes'])),
                  quiet: kinds.filter((kind) => values[`tell_${kind}`] !== 'yes'),
                  ...(webhook === (team.webhook ?? '') ? {} : { webhook }), // a new one has a new secret
                });
                secret.value = made?.hook_secret ?? '';
                again();
                return t('saved');
              }}>
                <Field name="affiliation" label={t('affiliation')} maxLength={200} />
                <Field name="webhook" label={t('webhook')} type="url" maxLength={500} hint={t('webhookHint')} />
                <fieldset class="ticks"><legend>{t('consent')}</legend>
                  <Tick name="affiliation_public" label={t('consentAffiliation')} /><Tick name="members_public" label={t('consentMembers')} /><Tick name="sources_public" label={t('consentSources')} />
                </fieldset>
                <fieldset class="ticks"><legend>{t('tellUs')}</legend>{kinds.map((kind) => <Tick key={kind} name={`tell_${kind}`} label={t(`tell_${kind}`)} />)}</fieldset>
              </Form>
            </div>
          </Block>
          {team.state !== 'WITHDRAWN' && !['PUBLISHED', 'ARCHIVED', 'CANCELLED'].includes(contest.state) && (
            <Fold title={t('withdraw')} danger>
              <p class="lead">{t('withdrawText')}</p>
              <Form button={t('withdraw')} danger onSend={async () => {
                await change('POST', `${path}/withdraw`);
                await findMe();
                again();
                go(pathTo(contest.name));
              }} />
            </Fold>
          )}
        </>
      )}
    </>
  );
}

export const Notices = ({ team }: TeamProps) => (team.notices.length === 0 ? <Empty title={t('noNotices')} /> : (
  <ul class="items panel">{team.notices.map((notice, i) => (
    <li class="item" key={notice.id ?? i}>
      <div class="item-main"><bdi class="item-name">{shown(notice.subject ?? notice.kind)}</bdi><bdi class="note pre">{shown(both(notice.text ?? notice.body))}</bdi></div>
      <span class="note item-when"><When at={notice.at} /></span>
    </li>
  ))}</ul>
));
