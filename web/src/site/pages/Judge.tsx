// Judge.tsx - the sheets of a judge, and how many are done.
import { Empty } from '../../parts/States.tsx';
import { shown } from '../../parts/shown.ts';
import { Block, NeedLogin, When } from '../Frame.tsx';
import { Inside, type InContest } from '../Inside.tsx';
import { useLoaded } from '../loaded.ts';
import { pathTo } from '../route.ts';
import type { PageProps } from '../Site.tsx';
import type { Items, SheetRow } from '../shapes.ts';
import { t, wordOf } from '../words.ts';

export const isSent = (sheet: SheetRow): boolean => sheet.state === 'DONE';

function Lines({ contest, sheets }: { contest: string; sheets: SheetRow[] }) {
  return (
    <ul class="items panel">{sheets.map((sheet, i) => (
      <li class="item" key={sheet.id}>
        <a class="item-main" href={pathTo(contest, 'judge', sheet.id)}><span class="item-name">{t('sheetN', { n: String(i + 1) })}{sheet.calibration && <span class="note"> {t('calibration')}</span>}</span>
          <span class="note">{sheet.track && <bdi>{shown(sheet.track)}</bdi>}</span></a>
        <span class={isSent(sheet) ? 'pill good' : sheet.state === 'DRAFT' ? 'pill now' : 'pill'}>{wordOf('sheet_', sheet.state)}</span>
      </li>
    ))}</ul>
  );
}

function Body({ contest }: InContest) {
  const loaded = useLoaded<Items<SheetRow>>(`contests/${encodeURIComponent(contest.name)}/sheets`);
  return (
    <When of={loaded}>{({ items }) => {
      if (items.length === 0) return <Empty title={t('noSheets')}><p>{t('noSheetsText')}</p></Empty>;
      const sent = items.filter(isSent).length;
      const criteria = [...new Set(items.map((sheet) => sheet.criterion))].sort();
      const next = items.find((sheet) => !isSent(sheet));
      return (
        <>
          <section class="panel nowbox">
            <p class="lead">{t('sheetsDone', { done: String(sent), n: items.length })}</p>
            <progress class="progress" max={items.length} value={sent} aria-label={t('sheetsDone', { done: String(sent), n: items.length })} />
            {next ? <p class="acts"><a class="button strong" href={pathTo(contest.name, 'judge', next.id)}>{t(sent === 0 ? 'sheetFirst' : 'sheetNext')}</a></p> : <p>{t('sheetsAll')}</p>}
            <p class="note">{t('sheetsText')}</p>
          </section>
          {criteria.map((criterion) => {
            const own = items.filter((sheet) => sheet.criterion === criterion);
            return <Block key={criterion} title={<>{criterion} · {wordOf('criterion_', criterion)}</>} tools={<span class="note">{own.filter(isSent).length} / {own.length}</span>}><Lines contest={contest.name} sheets={own} /></Block>;
          })}
        </>
      );
    }}</When>
  );
}

export const Judge = ({ contest }: PageProps) => <Inside name={contest} title={t('tabJudge')}>{(inside) => <NeedLogin><Body {...inside} /></NeedLogin>}</Inside>;
