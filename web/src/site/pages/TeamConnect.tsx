// TeamConnect.tsx - natural-language division: where agents connect, with which token, who is there.
import { useSignal } from '@preact/signals';
import { useEach } from '../../load.ts';
import { shown } from '../../parts/shown.ts';
import { toast } from '../../parts/Toast.tsx';
import { asTrouble } from '../ask.ts';
import { Copy } from '../Copy.tsx';
import { zoneOf } from '../dates.ts';
import { Block } from '../Frame.tsx';
import { useLoaded } from '../loaded.ts';
import { change } from '../me.ts';
import { Moment } from '../Moment.tsx';
import { t, wordOf } from '../words.ts';
import type { TeamProps } from './Team.tsx';

interface Given {
  token: string;
  url?: string;
  ends?: string;
}

interface Waiting {
  url?: string;
  connected?: { name?: string; team?: string; since?: string }[];
  waiting?: string[];
  close?: { code?: number; text?: string };
  awaited?: string[];
}

function Track({ track, props }: { track: string; props: TeamProps }) {
  const { contest, path, team } = props;
  const given = useSignal<Given | null>(null);
  const there = useLoaded<Waiting>(`contests/${encodeURIComponent(contest.name)}/tracks/${encodeURIComponent(track)}/waiting?team=${encodeURIComponent(team.name)}`);
  useEach(5_000, there.again);
  const now = there.value.value;
  const names = (now?.connected ?? []).map((each) => each.name ?? each.team ?? '').concat(now?.waiting ?? []);
  const window_ = contest.windows?.find((each) => each.track === track);
  const url = given.value?.url ?? now?.url ?? team.connection?.url;
  return (
    <Block title={<bdi>{shown(track)}</bdi>} tools={<span class={names.length > 0 ? 'pill good' : 'pill'} role="status">{names.length > 0 ? t('connectedN', { names: shown(names.join(', ')) }) : t('notConnected')}</span>}>
      {window_ && <p class="lead">{t('window')} <Moment at={window_.from} zone={zoneOf(contest)} /> – <Moment at={window_.to} zone={zoneOf(contest)} /></p>}
      <div class="panel gap">
        {url && <Copy text={url} label={t('serverAddress')} />}
        {given.value ? <><p role="status">{t('tokenMade')}</p><Copy text={given.value.token} label={t('token')} />{given.value.ends && <p class="note">{t('until')} <Moment at={given.value.ends} zone={zoneOf(contest)} /></p>}</>
          : props.standing.team === team.name && <p class="acts"><button type="button" class="button strong" onClick={() => void change<Given>('POST', `${path}/token`, { track }).then((made) => { given.value = made; }, (error: unknown) => toast(asTrouble(error).message, true))}>{t('tokenGet')}<span class="unseen"> {shown(track)}</span></button></p>}
        {now?.close?.text && <p><strong>{t('lastClose')}</strong> {now.close.code !== undefined && <span class="note">{now.close.code} </span>}{shown(now.close.text)}</p>}
        {now?.awaited && now.awaited.length > 0 && <p class="note">{t('awaited', { names: shown(now.awaited.join(', ')) })}</p>}
      </div>
    </Block>
  );
}

export function Connect(props: TeamProps) {
  const tracks = [...new Set([...(props.contest.tracks ?? []).map((each) => each.name)])];
  return (
    <>
      <p class="lead">{t('connectText')}</p>
      {tracks.map((track) => <Track key={track} track={track} props={props} />)}
      <Block title={t('connectMistakes')}>
        <ul class="panel howto"><li>{t('mistake1')}</li><li>{t('mistake2')}</li><li>{t('mistake3')}</li><li>{t('mistake4', { name: props.team.name })}</li></ul>
      </Block>
      <p class="below"><a href={`/api/v1/${props.path}/logs.zip`} download={`${props.contest.name}-${props.team.name}-logs.zip`}>{t('logsZip')}</a><span class="note">{wordOf('publish_', props.contest.publish?.logs ?? 'own')}</span></p>
    </>
  );
}
