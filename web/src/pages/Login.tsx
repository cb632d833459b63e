// Login.tsx - the operator's link: its key stays in this tab, and goes from the address at once.
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { ApiError, post } from '../api.ts';
import { feed } from '../live.ts';
import { asTrouble } from '../load.ts';
import { Empty, Frame, Loading, Trouble } from '../parts/Frame.tsx';
import { base, type PageProps } from '../routes.tsx';
import { t } from '../words.ts';

export function setSecret(secret: string | null): void {
  try {
    if (secret === null) sessionStorage.removeItem('warg.operator');
    else sessionStorage.setItem('warg.operator', secret);
  } catch {
    // A tab that keeps nothing: the page says that the key is not taken.
  }
  feed.login(secret ?? undefined);
}

type State = 'asking' | 'good' | 'bad' | ApiError;

export function Login(_: PageProps) {
  const state = useSignal<State>('asking');
  useEffect(() => {
    const secret = new URLSearchParams(location.hash.slice(1)).get('k') ?? '';
    history.replaceState(null, '', location.pathname);
    if (secret === '') {
      state.value = 'bad';
      return;
    }
    setSecret(secret);
    post('login', {}).then(
      () => { state.value = 'good'; },
      (error: unknown) => {
        const trouble = asTrouble(error);
        if (trouble.status === 0 || trouble.status >= 500) state.value = trouble;
        else {
          setSecret(null);
          state.value = 'bad';
        }
      },
    );
  }, []);
  const now = state.value;
  return (
    <Frame title={t('loginTitle')}>
      {now === 'asking' && <Loading />}
      {now === 'good' && <Empty title={t('loginGood')}><p class="acts"><a class="button strong" href={`${base}operator`}>{t('operatorTitle')}</a><a class="button" href={base}>{t('toHome')}</a></p></Empty>}
      {now === 'bad' && <Empty title={t('loginBad')}><p>{t('operatorLockedText')}</p></Empty>}
      {now instanceof ApiError && <Trouble trouble={now} />}
    </Frame>
  );
}
