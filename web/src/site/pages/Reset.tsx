// Reset.tsx - a new password: first a link by mail, then the password.
import { useSignal } from '@preact/signals';
import { ask } from '../ask.ts';
import { Field, Form } from '../Form.tsx';
import { Frame } from '../Frame.tsx';
import { go } from '../go.ts';
import { findMe, me } from '../me.ts';
import type { PageProps } from '../Site.tsx';
import { t } from '../words.ts';

export function Reset({ id }: PageProps) {
  const sent = useSignal(false);
  return (
    <Frame title={t('resetTitle')} narrow>
      {id === '' && (sent.value
        ? <p class="panel" role="status">{t('resetSent')}</p>
        : <div class="panel"><Form button={t('resetSend')} onSend={async (values) => { await ask('POST', 'reset', { login: values['login'] ?? '' }); sent.value = true; }}>
          <Field name="login" label={t('loginName')} required autocomplete="username" hint={t('resetHint')} />
        </Form></div>)}
      {id !== '' && <div class="panel"><Form button={t('resetSet')} onSend={async (values) => {
        await ask('POST', 'reset', { secret: id, password: values['password'] ?? '' });
        await findMe();
        go(me.value ? '/' : '/login', 'replace');
        return t('resetDone');
      }}>
        <Field name="password" label={t('newPassword')} type="password" required autocomplete="new-password" minLength={12} maxLength={256} hint={t('passwordHint')} />
      </Form></div>}
    </Frame>
  );
}
