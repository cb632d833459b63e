// Account.tsx - oneself: name and mail, password, tokens for programs, logins, all data, the end.
import { useSignal } from '@preact/signals';
import { lang } from '../../settings.ts';
import { shown } from '../../parts/shown.ts';
import { toast } from '../../parts/Toast.tsx';
import { asTrouble } from '../ask.ts';
import { Copy } from '../Copy.tsx';
import { Field, Fold, Form, Tick } from '../Form.tsx';
import { Block, Frame, NeedLogin, When } from '../Frame.tsx';
import { go } from '../go.ts';
import { useLoaded } from '../loaded.ts';
import { change, findMe, logOut, me } from '../me.ts';
import { When as Date_ } from '../Moment.tsx';
import { pathTo } from '../route.ts';
import type { Items, Login, Me, Token } from '../shapes.ts';
import { t, wordOf } from '../words.ts';

const scopes = ['read', 'submit', 'judge', 'organise'] as const;

function Tokens() {
  const tokens = useLoaded<Items<Token>>('account/tokens');
  const made = useSignal('');
  const remove = (id: string): void => {
    change('DELETE', `account/tokens/${encodeURIComponent(id)}`).then(tokens.again, (error: unknown) => toast(asTrouble(error).message, true));
  };
  return (
    <Block title={t('tokens')}>
      <p class="lead">{t('tokensText')}</p>
      {made.value && <div class="panel gap" role="status"><p>{t('tokenMade')}</p><Copy text={made.value} label={t('token')} /></div>}
      <When of={tokens}>{({ items }) => (items.length === 0 ? null : (
        <ul class="items panel gap">{items.map((token) => (
          <li class="item" key={token.id}>
            <div class="item-main"><bdi class="item-name">{shown(token.label)}</bdi><span class="note">{token.scopes.map((scope) => wordOf('scope_', scope)).join(t('listComma'))}{token.ends && <> · {t('until')} <Date_ at={token.ends} /></>}{token.used && <> · {t('lastUsed')} <Date_ at={token.used} /></>}</span></div>
            <button type="button" class="button" onClick={() => remove(token.id)}>{t('remove')}<span class="unseen"> {shown(token.label)}</span></button>
          </li>
        ))}</ul>
      ))}</When>
      <Fold title={t('tokenNew')}>
        <Form button={t('tokenNew')} first={{ days: '90', read: 'yes' }} onSend={async (values) => {
          const answer = await change<{ token: string }>('POST', 'account/tokens', { label: values['label'] ?? '', scopes: scopes.filter((scope) => values[scope] === 'yes'), days: Number(values['days']) });
          made.value = answer.token;
          tokens.again();
        }}>
          <Field name="label" label={t('tokenLabel')} required maxLength={100} />
          <Field name="days" label={t('tokenDays')} type="number" required min={1} max={365} />
          <fieldset class="ticks"><legend>{t('tokenScopes')}</legend>{scopes.map((scope) => <Tick key={scope} name={scope} label={t(`scope_${scope}`)} />)}</fieldset>
        </Form>
      </Fold>
    </Block>
  );
}

function Logins() {
  const logins = useLoaded<Items<Login>>('account/logins');
  return (
    <Block title={t('logins')}>
      <When of={logins}>{({ items }) => (
        <ul class="items panel">{items.map((login, i) => (
          <li class="item" key={login.id ?? i}>
            <div class="item-main"><bdi class="item-name">{shown(login.address ?? '')}</bdi><span class="note">{t('loginSince')} <Date_ at={login.created} />{login.seen && <> · {t('lastUsed')} <Date_ at={login.seen} /></>}</span></div>
            {login.here ? <span class="pill good">{t('thisBrowser')}</span> : login.id && <button type="button" class="button" onClick={() => void change('DELETE', `account/logins/${login.id}`).then(logins.again, (error: unknown) => toast(asTrouble(error).message, true))}>{t('logOut')}<span class="unseen"> {shown(login.address ?? '')}</span></button>}
          </li>
        ))}</ul>
      )}</When>
    </Block>
  );
}

function Own({ who }: { who: Me }) {
  return (
    <>
      {who.teams.length + who.roles.length > 0 && (
        <Block title={t('yourContests')}>
          <ul class="items panel">
            {who.teams.map((each) => <li class="item" key={`t${each.contest}`}><a class="item-main" href={pathTo(each.contest, 'team', each.team)}><bdi class="item-name">{shown(each.team)}</bdi><span class="note">{each.contest}</span></a>{each.captain && <span class="pill">{t('captain')}</span>}</li>)}
            {who.roles.map((each) => <li class="item" key={`r${each.contest}${each.role}`}><a class="item-main" href={each.contest ? pathTo(each.contest, each.role === 'judge' ? 'judge' : 'organise') : '/admin'}><span class="item-name">{each.contest || t('navAdmin')}</span></a><span class="pill">{wordOf('rolename_', each.role)}</span></li>)}
          </ul>
        </Block>
      )}
      <Block title={t('accountData')}>
        <div class="panel">
          <Form button={t('save')} first={{ name: who.name, mail: who.mail, language: who.language || lang.value }} keepAfter onSend={async (values) => {
            await change('PATCH', 'account', { name: values['name'] ?? '', mail: values['mail'] ?? '', language: values['language'] ?? 'en', ...(values['old'] ? { old: values['old'] } : {}) });
            await findMe();
            return t('saved');
          }}>
            <Field name="name" label={t('yourName')} required autocomplete="name" maxLength={100} />
            <Field name="mail" label={t('mail')} type="email" autocomplete="email" maxLength={254} hint={who.mail === '' ? t('mailHint') : t(who.mail_ok ? 'mailGood' : 'mailOpen')} />
            <Field name="old" label={t('oldPassword')} type="password" autocomplete="current-password" hint={t('mailPassword')} />
            <Field name="language" label={t('mailLanguage')} options={[['en', 'English'], ['ja', '日本語']]} />
          </Form>
        </div>
      </Block>
      <Block title={t('newPassword')}>
        <div class="panel">
          <Form button={t('passwordChange')} quiet onSend={async (values) => {
            await change('PATCH', 'account', { old: values['old'] ?? '', password: values['password'] ?? '' });
            await findMe();
            if (!me.value) go('/login', 'replace');
            return t('saved');
          }}>
            <Field name="old" label={t('oldPassword')} type="password" required autocomplete="current-password" />
            <Field name="password" label={t('newPassword')} type="password" required autocomplete="new-password" minLength={12} maxLength={256} hint={t('passwordHint')} />
          </Form>
        </div>
      </Block>
      <Tokens />
      <Logins />
      <Block title={t('yourData')}>
        <p class="lead">{t('yourDataText')}</p>
        <p class="acts"><a class="button" href="/api/v1/account/all" download="account.json">{t('yourDataGet')}</a></p>
        <Fold title={t('accountDelete')} danger>
          <p class="lead">{t('accountDeleteText')}</p>
          <Form button={t('accountDelete')} danger onSend={async (values) => {
            await change('DELETE', 'account', { password: values['password'] ?? '' });
            await findMe();
            go('/', 'replace');
          }}><Field name="password" label={t('password')} type="password" required autocomplete="current-password" /></Form>
        </Fold>
      </Block>
      <p class="acts"><button type="button" class="button" onClick={() => logOut().then(() => go('/'), (error: unknown) => toast(asTrouble(error).message, true))}>{t('logOut')}</button></p>
    </>
  );
}

export const Account = () => <Frame title={t('accountTitle')}><NeedLogin>{me.value && <Own key={me.value.id} who={me.value} />}</NeedLogin></Frame>;
