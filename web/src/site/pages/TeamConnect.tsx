// TeamConnect.tsx - natural-language division: which tracks a team plays in, where its agents connect,
// with which token, who is there, when it is away.
import { useSignal } from '@preact/signals';
import { useEach } from '../../load.ts';
import { shown } from '../../parts/shown.ts';
import { toast } from '../../parts/Toast.tsx';
import { asTrouble } from '../ask.ts';
import { Copy } from '../Copy.tsx';
import { momentIn, msOf, wallIn, zoneOf } from '../dates.ts';
import { Field, Fold, Form } from '../Form.tsx';
import { Block } from '../Frame.tsx';
import { useLoaded } from '../loaded.ts';
import { change } from '../me.ts';
import { Moment } from '../Moment.tsx';
import type { TeamTrack } from '../shapes.ts';
import { t, wordOf } from '../words.ts';
import type { TeamProps } from './Team.tsx';

interface Given {
  token: string;
  url?: string;
  ends?: string;
}

interface Waiting {
  open?: boolean;
  waiting?: string[];
  awaited?: string[];
  progress?: { done: number; total: number };
}

function Away({ track, own, props }: { track: string; own: TeamTrack; props: TeamProps }) {
  const zone = zoneOf(props.contest);
  const wall = (text: string | undefined): string => (Number.isNaN(msOf(text)) ? '' : wallIn(zone, msOf(text)));
  return (
    <Fold title={own.away ? <>{t('awayNow')} <Moment at={own.away.from} zone={zone} /> – <Moment at={own.away.to} zone={zone} /></> : t('away')}>
      <p class="lead">{t('awayText', { zone })}</p>
      <Form button={t('save')} quiet first={{ from: wall(own.away?.from), to: wall(own.away?.to) }} keepAfter onSend={async (values) => {
        const moment = (name: string): object => {
          const ms = momentIn(zone, values[name] ?? '');
          return Number.isNaN(ms) ? {} : { [name]: new Date(ms).toISOString() };
        };
        await change('PUT', `${props.path}/tracks/${encodeURIComponent(track)}`, { away: { ...moment('from'), ...moment('to') } });
        props.again();
        return t('saved');
      }}>
        <Field name="from" type="datetime-local" label={t('awayFrom')} /><Field name="to" type="datetime-local" label={t('awayTo')} />
      </Form>
    </Fold>
  );
}

function Track({ track, props }: { track: string; props: TeamProps }) {
  const { contest, path, team, standing } = props;
  const own = team.tracks?.find((each) => each.track === track);
  const given = useSignal<Given | null>(null);
  const there = useLoaded<Waiting>(`contests/${encodeURIComponent(contest.name)}/tracks/${encodeURIComponent(track)}/waiting`);
  useEach(5_000, () => { there.again(); props.again(); });
  const now = there.value.value;
  const connected = own?.connected ?? [];
  const zone = zoneOf(contest);
  const windows = (contest.windows ?? []).filter((each) => each.track === track);
  const enter = (entered: boolean): void => { change('PUT', `${path}/tracks/${encodeURIComponent(track)}`, { entered }).then(props.again, (error: unknown) => toast(asTrouble(error).message, true)); };
  const name = <span class="unseen"> {shown(track)}</span>;
  const url = given.value?.url ?? own?.url;
  return (
    <Block title={<bdi>{shown(track)}</bdi>} tools={own ? <span class="pills"><span class={own.state === 'OUT' ? 'pill warn' : own.state === 'QUALIFIED' ? 'pill good' : 'pill now'}>{wordOf('track_', own.state)}</span><span class={connected.length > 0 ? 'pill good' : 'pill'} role="status">{connected.length > 0 ? t('connectedN', { names: shown(connected.join(', ')) }) : t('notConnected')}</span></span> : null}>
      {windows.map((window_) => <p class="lead" key={window_.from}>{t('window')} <Moment at={window_.from} zone={zone} /> – <Moment at={window_.to} zone={zone} /></p>)}
      <div class="panel gap">
        {!own && (standing.captain && contest.state === 'OPEN' ? <p class="acts"><button type="button" class="button strong" onClick={() => enter(true)}>{t('trackEnter')}{name}</button></p> : <p class="note">{t('trackNotIn')}</p>)}
        {own && own.needed !== undefined && <p>{t('selfMatches', { done: String(own.qualified ?? 0), n: own.needed })}</p>}
        {own && own.needed ? <progress class="progress" max={own.needed} value={Math.min(own.qualified ?? 0, own.needed)} aria-label={t('selfMatches', { done: String(own.qualified ?? 0), n: own.needed })} /> : null}
        {own && url && <Copy text={url} label={t('serverAddress')} />}
        {own && own.open === false && <p class="note">{t('trackShut')}</p>}
        {own && given.value && <><p role="status">{t('tokenMade')}</p><Copy text={given.value.token} label={t('token')} />{given.value.ends && <p class="note">{t('until')} <Moment at={given.value.ends} zone={zone} /></p>}</>}
        {own && !given.value && standing.captain && <p class="acts">
          <button type="button" class="button strong" onClick={() => void change<Given>('POST', `${path}/token`, { track }).then((made) => { given.value = made; }, (error: unknown) => toast(asTrouble(error).message, true))}>{t('tokenGet')}{name}</button>
          {contest.state === 'OPEN' && <button type="button" class="button" onClick={() => enter(false)}>{t('trackLeave')}{name}</button>}
        </p>}
        {own?.closed && <p><strong>{t('lastClose')}</strong> <span class="note">{own.closed.code} </span>{shown([own.closed.words, own.closed.why].filter(Boolean).join(' – '))}</p>}
        {now?.progress && <p class="note">{t('trackProgress', { done: now.progress.done, n: now.progress.total })}</p>}
        {now?.awaited && now.awaited.length > 0 && <p class="note">{t('awaited', { names: shown(now.awaited.join(', ')) })}</p>}
        {own && standing.captain && <Away track={track} own={own} props={props} />}
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
