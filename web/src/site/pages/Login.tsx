// Login.tsx - a name and a password; leads back to where one came from.
import { Form, Field } from '../Form.tsx';
import { Frame } from '../Frame.tsx';
import { go, here } from '../go.ts';
import { logIn, me } from '../me.ts';
import { t } from '../words.ts';

/** A path of this site from the address, or the start page: never another site. */
export function backTo(query: URLSearchParams): string {
  const to = query.get('to') ?? '/';
  return /^\/(?![/\\])[^\s\\]*$/.test(to) && !to.startsWith('/login') ? to : '/';
}

export function Login() {
  return (
    <Frame title={t('navLogin')} narrow>
      {me.value && <p class="lead">{t('loggedInAs', { name: me.value.login })}</p>}
      <div class="panel">
        <Form button={t('navLogin')} onSend={async (values) => {
          await logIn(values['login'] ?? '', values['password'] ?? '');
          go(backTo(here.value.query), 'replace');
        }}>
          <Field name="login" label={t('loginName')} required autocomplete="username" />
          <Field name="password" label={t('password')} type="password" required autocomplete="current-password" />
        </Form>
      </div>
      <p class="below"><a href="/register">{t('registerTitle')}</a><a href="/reset">{t('forgotten')}</a></p>
    </Frame>
  );
}
