// Contest.tsx - a contest from its announcement to its archive: where it stands, what one can do now,
// its dates, how to enter.
import { shown } from '../../parts/shown.ts';
import { Copy } from '../Copy.tsx';
import { siteNow } from '../clock.ts';
import { courseOf, nextDate, readersZone, zoneOf } from '../dates.ts';
import { Block } from '../Frame.tsx';
import { Inside, standingIn, StateLine } from '../Inside.tsx';
import { me } from '../me.ts';
import { Ahead, Moment } from '../Moment.tsx';
import { pathTo } from '../route.ts';
import type { PageProps } from '../Site.tsx';
import type { Contest } from '../shapes.ts';
import { sizeText } from '../size.ts';
import { nextSteps } from '../steps.ts';
import { num, t, wordOf } from '../words.ts';

function Now({ contest }: { contest: Contest }) {
  const steps = nextSteps(contest, standingIn(contest), me.value !== undefined && me.value !== null);
  const next = nextDate(contest, siteNow());
  return (
    <section class="panel nowbox" aria-labelledby="now">
      <h2 id="now" class="unseen">{t('whatNow')}</h2>
      <StateLine contest={contest} />
      <p class="lead">{t(`now_${contest.state}`)}</p>
      {next && <p class="next"><strong>{t(`begins_${next.state}`)}</strong> <Moment at={next.ms} zone={zoneOf(contest)} /> <span class="pill now"><Ahead ms={next.ms} /></span></p>}
      {steps.length > 0 && <p class="acts">{steps.map(({ to, word, strong }) => <a key={to} class={strong ? 'button strong' : 'button'} href={to}>{t(word)}</a>)}</p>}
    </section>
  );
}

const Course = ({ contest }: { contest: Contest }) => (
  <Block title={t('dates')} tools={<span class="note">{t('datesZones', { yours: readersZone(), theirs: zoneOf(contest) })}</span>}>
    <ol class="course panel">
      {courseOf(contest).map((step) => (
        <li key={step.state} class={step.now ? 'now' : step.done ? 'done' : ''} aria-current={step.now ? 'step' : undefined}>
          <strong>{t(`begins_${step.state}`)}</strong>
          <span>{Number.isNaN(step.ms) ? <span class="note">{t('dateOpen')}</span> : <Moment at={step.ms} zone={zoneOf(contest)} />}</span>
          {step.now && <span class="unseen">{t('itIsNow')}</span>}
        </li>
      ))}
    </ol>
  </Block>
);

/** Something may still be handed in, now or later. */
const takes = (contest: Contest): boolean => ['DRAFT', 'OPEN', 'FROZEN', 'PRELIMINARY', 'REVISION'].includes(contest.state);

function Rules({ contest }: { contest: Contest }) {
  const { submit, stages = [], register } = contest;
  const languages = submit?.languages ?? [];
  const early = contest.state === 'DRAFT' || contest.state === 'OPEN';
  return (
    <div class="pair">
      {early && contest.division === 'protocol' && (
        <Block title={t('howToEnter')}>
          <ol class="panel howto">
            <li>{t(register?.approve ? 'enter1Approve' : 'enter1')}{register?.members !== undefined && <> {t('enterMembers', { n: register.members })}</>}</li>
            <li>{t('enter2')}
              {languages.length > 0 && <ul class="langs">{languages.map((each) => <li key={each}><strong>{wordOf('lang_', each)}</strong> <span class="note">{t(`form_${each}` as 'form_java')}</span></li>)}</ul>}
            </li>
            <li>{t('enter3')}</li>
            <li>{t('enter4')}</li>
          </ol>
        </Block>
      )}
      {early && contest.division === 'nlp' && (
        <Block title={t('howToEnter')}>
          <ol class="panel howto"><li>{t(register?.approve ? 'enter1Approve' : 'enter1')}</li><li>{t('enterNlp2')}</li><li>{t('enterNlp3')}</li><li>{t('enterNlp4')}</li></ol>
        </Block>
      )}
      <div>
        {stages.length > 0 && (
          <Block title={t('stagesTitle')}>
            <ul class="items panel">{stages.map((stage) => (
              <li class="item" key={stage.name}><div class="item-main"><span class="item-name">{wordOf('stage_', stage.name)}</span>
                <span class="note">
                  {(stage.parts ?? []).map((part) => t('playersN', { n: part.players })).join(' + ')}
                  {stage.min_games ? <> · {t('minGames', { n: stage.min_games })}</> : null}
                  {stage.advance ? <> · {t('advanceN', { n: stage.advance })}</> : null}
                  {stage.require && stage.require.length > 0 && <> · {t('requires', { what: stage.require.map((each) => wordOf('doc_', each)).join(t('listComma')) })}</>}
                </span></div></li>
            ))}</ul>
          </Block>
        )}
        {(contest.windows ?? contest.tracks ?? []).length > 0 && (
          <Block title={t('tracks')}>
            <ul class="items panel">{(contest.windows ?? contest.tracks ?? []).map((each, i) => (
              <li class="item" key={i}><div class="item-main"><bdi class="item-name">{shown('track' in each ? each.track : each.name)}</bdi>
                <span class="note"><Moment at={each.from} zone={zoneOf(contest)} />{each.to && <> – <Moment at={each.to} zone={zoneOf(contest)} /></>}</span></div></li>
            ))}</ul>
          </Block>
        )}
        {submit && takes(contest) && (
          <Block title={t('limits')}>
            <dl class="panel facts2">
              {submit.file_bytes !== undefined && <><dt>{t('limitFile')}</dt><dd>{sizeText(submit.file_bytes)}</dd></>}
              {submit.tree_bytes !== undefined && <><dt>{t('limitTree')}</dt><dd>{sizeText(submit.tree_bytes)}</dd></>}
              {submit.entries !== undefined && <><dt>{t('limitEntries')}</dt><dd>{num(submit.entries)}</dd></>}
              {submit.versions_per_day !== undefined && <><dt>{t('limitPerDay')}</dt><dd>{num(submit.versions_per_day)}</dd></>}
            </dl>
          </Block>
        )}
      </div>
    </div>
  );
}

export function ContestPage({ contest: name }: PageProps) {
  return (
    <Inside name={name}>{({ contest }) => (
      <>
        <Now contest={contest} />
        <Course contest={contest} />
        <Rules contest={contest} />
        {contest.division === 'protocol' && takes(contest) && (
          <Block title={t('atHome')}>
            <p class="lead">{t('atHomeText')}</p>
            <Copy text={`warg contest check FILE --language ${contest.submit?.languages?.[0] ?? 'LANGUAGE'} --contest ${location.origin}${pathTo(contest.name)}`} label={t('atHome')} />
            <p class="below"><a href={`/api/v1/contests/${encodeURIComponent(contest.name)}/environment`}>{t('environment')}</a></p>
          </Block>
        )}
      </>
    )}</Inside>
  );
}
