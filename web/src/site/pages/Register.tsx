// Register.tsx - an account and, for a contest, a team: one form where the contest lets everybody in.
// When the account is made and the team is refused, the account stays and the rest of the form, too.
import { lang } from '../../settings.ts';
import { shown } from '../../parts/shown.ts';
import { Loading } from '../../parts/States.tsx';
import { ApiError, ask, asTrouble, fieldOf } from '../ask.ts';
import { Field, Form, type Values } from '../Form.tsx';
import { Frame } from '../Frame.tsx';
import { go, here } from '../go.ts';
import { useLoaded } from '../loaded.ts';
import { change, findMe, logIn, me } from '../me.ts';
import { pathTo } from '../route.ts';
import type { Contest } from '../shapes.ts';
import { both, t } from '../words.ts';
import { backTo } from './Login.tsx';

export const AccountFields = () => (
  <>
    <Field name="login" label={t('loginName')} required autocomplete="username" maxLength={32} hint={t('loginHint')} />
    <Field name="password" label={t('password')} type="password" required autocomplete="new-password" minLength={12} maxLength={256} hint={t('passwordHint')} />
    <Field name="name" label={t('yourName')} required autocomplete="name" maxLength={100} />
    <Field name="mail" label={t('mail')} type="email" autocomplete="email" maxLength={254} hint={t('mailHint')} />
  </>
);

/** Makes an account and logs in. */
export async function makeAccount(values: Values, invite = ''): Promise<void> {
  const { login = '', password = '', name = '', mail = '' } = values;
  await ask('POST', 'account', { login, password, name, mail, language: lang.value, ...(invite ? { invite } : {}) });
  await findMe();
  if (!me.value) await logIn(login, password);
}

export async function makeTeam(contest: string, values: Values): Promise<void> {
  const { team = '', affiliation = '' } = values;
  try {
    await change('POST', `contests/${encodeURIComponent(contest)}/teams`, { name: team, affiliation });
  } catch (error) {
    // What the API calls a team's name is another field here than a person's.
    const trouble = asTrouble(error);
    throw fieldOf(trouble) === 'name' ? new ApiError(trouble.status, trouble.code, trouble.message, { error: { field: 'team' } }) : trouble;
  }
  await findMe();
}

export function Register() {
  const name = here.value.query.get('contest') ?? '';
  const loaded = useLoaded<Contest>(name ? `contests/${encodeURIComponent(name)}` : '');
  const contest = loaded.value.value;
  const own = contest && me.value?.teams.find((each) => each.contest === contest.name);
  if (me.value === undefined) return <Frame title={t('registerTitle')} narrow><Loading /></Frame>;
  const title = contest ? t('registerFor', { contest: both(contest.title) || contest.name }) : t('registerTitle');
  const done = async (values: Values): Promise<void> => {
    if (!me.value) await makeAccount(values);
    if (!contest) return go(backTo(here.value.query), 'replace');
    await makeTeam(contest.name, values);
    go(pathTo(contest.name, 'team', values['team'] ?? ''), 'replace');
  };
  return (
    <Frame title={title} narrow>
      {own ? <p class="panel">{t('haveTeam', { team: shown(own.team) })} <a href={pathTo(contest.name, 'team', own.team)}>{t('tabTeam')}</a></p>
        : me.value && !contest ? <p class="panel">{t('loggedInAs', { name: shown(me.value.login) })} <a href="/">{t('navContests')}</a></p>
          : (
            <>
              <p class="lead">{t(contest ? (contest.register?.approve ? 'registerApprove' : 'registerOne') : 'registerText')}</p>
              <div class="panel">
                <Form button={t(contest ? 'registerTeam' : 'registerTitle')} draft={`register.${name}`} onSend={done}>
                  {!me.value && (
                    <fieldset><legend>{t('you')}</legend><AccountFields /></fieldset>
                  )}
                  {contest && (
                    <fieldset><legend>{t('team')}</legend>
                      <Field name="team" label={t('teamName')} required maxLength={32} hint={t('teamNameHint')} />
                      {(contest.register?.fields ?? ['affiliation']).includes('affiliation') && <Field name="affiliation" label={t('affiliation')} maxLength={200} hint={contest.register?.public?.includes('affiliation') ? t('isPublic') : t('isPrivate')} />}
                    </fieldset>
                  )}
                </Form>
              </div>
              {!me.value && <p class="below"><a href={`/login?to=${encodeURIComponent(here.value.path + (name ? `?contest=${name}` : ''))}`}>{t('haveAccount')}</a></p>}
            </>
          )}
    </Frame>
  );
}
