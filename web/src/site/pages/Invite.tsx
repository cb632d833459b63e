// Invite.tsx - somebody was given a link: into a team, or to the first account of a server.
import { shown } from '../../parts/shown.ts';
import { Loading } from '../../parts/States.tsx';
import { Fold, Form } from '../Form.tsx';
import { Frame } from '../Frame.tsx';
import { go, here } from '../go.ts';
import { change, findMe, me } from '../me.ts';
import { pathTo } from '../route.ts';
import type { PageProps } from '../Site.tsx';
import type { Me } from '../shapes.ts';
import { t } from '../words.ts';
import { AccountFields, makeAccount } from './Register.tsx';

/** Where a link has led: to what the account is now and was not before. Pure. */
export function landing(before: Me | null | undefined, now: Me | null | undefined): string {
  const team = now?.teams.find((each) => !before?.teams.some((old) => old.contest === each.contest && old.team === each.team));
  if (team) return pathTo(team.contest, 'team', team.team);
  const role = now?.roles.find((each) => !before?.roles.some((old) => old.contest === each.contest && old.role === each.role));
  if (role?.contest) return pathTo(role.contest, role.role === 'judge' ? 'judge' : 'organise');
  return now?.admin && !before?.admin ? '/admin' : '/';
}

async function join(secret: string): Promise<void> {
  const before = me.value;
  await change('POST', 'invite', { secret });
  await findMe();
  go(landing(before, me.value), 'replace');
}

/** The link of a mail that asks whether an address is right: the account is there already. */
function Confirm({ secret }: { secret: string }) {
  return (
    <Frame title={t('confirmTitle')} narrow>
      {me.value ? (
        <div class="panel"><p class="lead">{t('confirmText', { name: shown(me.value.login) })}</p><Form button={t('confirmButton')} onSend={async () => {
          await change('POST', 'invite', { secret });
          await findMe();
          go('/account', 'replace');
        }} /></div>
      ) : (
        <>
          <p class="lead">{t('confirmLogin')}</p>
          <p class="acts"><a class="button strong" href={`/login?to=${encodeURIComponent(`${here.value.path}?confirm`)}`}>{t('haveAccount')}</a></p>
        </>
      )}
    </Frame>
  );
}

export function Invite({ id }: PageProps) {
  if (me.value === undefined) return <Frame title={t('inviteTitle')} narrow><Loading /></Frame>;
  if (here.value.query.has('confirm')) return <Confirm secret={id} />;
  return (
    <Frame title={t('inviteTitle')} narrow>
      {me.value ? (
        <div class="panel"><p class="lead">{t('inviteJoin', { name: shown(me.value.login) })}</p><Form button={t('inviteAccept')} onSend={() => join(id)} /></div>
      ) : (
        <>
          <p class="lead">{t('inviteText')}</p>
          <p class="acts"><a class="button strong" href={`/login?to=${encodeURIComponent(here.value.path)}`}>{t('haveAccount')}</a></p>
          <div class="panel gap">
            <Fold title={t('inviteNew')} open>
              <Form button={t('registerTitle')} draft="invite" onSend={async (values) => {
                await makeAccount(values, id);
                go(landing(null, me.value), 'replace');
              }}><AccountFields /></Form>
            </Fold>
          </div>
        </>
      )}
    </Frame>
  );
}
