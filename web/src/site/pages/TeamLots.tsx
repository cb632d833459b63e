// TeamLots.tsx - a team's part in the draws: a lot that this browser makes, kept secret until versions
// are frozen, opened then.
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { toast } from '../../parts/Toast.tsx';
import { ApiError, asTrouble } from '../ask.ts';
import { Copy, saveFile } from '../Copy.tsx';
import { DropFile } from '../DropFile.tsx';
import { Field, Form } from '../Form.tsx';
import { Block } from '../Frame.tsx';
import { drawLot, isLot, keepLot, keptLot, lotEntry, lotFile, lotInText } from '../lot.ts';
import { change } from '../me.ts';
import { t, wordOf } from '../words.ts';
import type { TeamProps } from './Team.tsx';

const order = ['DRAFT', 'OPEN', 'FROZEN', 'PRELIMINARY', 'REVISION', 'FINAL', 'JUDGING', 'APPEALS', 'PUBLISHED', 'ARCHIVED'];
/** The state in whose beginning the lots of a stage close. */
const closesAt: Readonly<Record<string, string>> = { preliminary: 'FROZEN', final: 'FINAL', evaluation: 'JUDGING' };

export const isClosed = (state: string, stage: string): boolean => order.indexOf(state) >= order.indexOf(closesAt[stage] ?? 'FROZEN');

/** Stages that take lots: those of the plan, and the pick of games for judges. */
export const lotStages = (stages: readonly { name: string }[] | undefined, judged: boolean): string[] => [...(stages ?? []).map((stage) => stage.name), ...(judged ? ['evaluation'] : [])];

function Make({ stage, props }: { stage: string; props: TeamProps }) {
  const { contest, team, path, again } = props;
  const busy = useSignal(false);
  const make = async (): Promise<void> => {
    busy.value = true;
    try {
      if (!globalThis.crypto?.subtle) throw new ApiError(-1, 'crypto', t('lotInsecure'));
      const lot = drawLot();
      const entry = await lotEntry(team.name, lot);
      // Kept and given away as a file before the server knows of it: an entry without its lot is lost.
      keepLot(contest.name, team.name, stage, lot);
      saveFile(`lot-${contest.name}-${stage}.txt`, [lotFile(contest.name, team.name, stage, lot, entry)], 'text/plain');
      await change('PUT', `${path}/lots/${encodeURIComponent(stage)}`, { entry });
      toast(t('lotEntered'));
      again();
    } catch (error) {
      toast(asTrouble(error).message, true);
    }
    busy.value = false;
  };
  return <p class="acts"><button type="button" class="button strong" aria-disabled={busy.value} onClick={() => { if (!busy.value) void make(); }}>{t('lotMake')}<span class="unseen"> {wordOf('stage_', stage)}</span></button></p>;
}

function Open({ stage, entry, props }: { stage: string; entry: string; props: TeamProps }) {
  const { contest, team, path, again } = props;
  const found = useSignal('');
  const turn = useSignal(0); // each file that is chosen fills the form anew
  useEffect(() => void keptLot(contest.name, team.name, stage, entry).then((lot) => { found.value = lot; }), [entry]);
  return (
    <Form key={`${found.value} ${turn.value}`} button={t('lotOpen')} first={{ lot: found.value }} onSend={async (values) => {
      const lot = lotInText(values['lot'] ?? '');
      if (!(await isLot(team.name, lot, entry))) throw new ApiError(-1, 'lot', t('lotWrong'), { error: { field: 'lot' } });
      await change('PUT', `${path}/lots/${encodeURIComponent(stage)}`, { lot });
      again();
      return t('done');
    }}>
      <div class="whole"><DropFile file={null} label={t('lotFile')} accept=".txt" onFile={(file) => void file.text().then((text) => { found.value = lotInText(text); turn.value++; if (found.value === '') toast(t('lotWrong'), true); })} /></div>
      <Field name="lot" label={t('lotSecret')} required wide hint={t(found.value ? 'lotFound' : 'lotPaste')} />
    </Form>
  );
}

export function Lots(props: TeamProps) {
  const { contest, team, standing } = props;
  const stages = lotStages(contest.stages, (contest.tracks?.length ?? 0) > 0);
  return (
    <Block title={t('partLots')}>
      <p class="lead">{t('lotsText')}</p>
      {stages.map((stage) => {
        const lot = team.lots.find((each) => each.stage === stage);
        const closed = isClosed(contest.state, stage);
        return (
          <div class="panel gap lot" key={stage}>
            <div class="block-head"><h3>{wordOf('stage_', stage)}</h3><span class={lot?.opened ? 'pill good' : lot?.entry ? 'pill now' : 'pill'}>{t(lot?.opened ? 'lotIsOpen' : lot?.entry ? (closed ? 'lotToOpen' : 'lotIn') : closed ? 'lotNone' : 'lotNotYet')}</span></div>
            {lot?.entry && <Copy text={lot.entry} label={t('lotEntryLabel')} />}
            {lot?.entry && !closed && <p class="note">{t('lotKeep')}</p>}
            {standing.captain && !lot?.entry && !closed && <Make stage={stage} props={props} />}
            {standing.captain && lot?.entry && closed && !lot.opened && <Open stage={stage} entry={lot.entry} props={props} />}
          </div>
        );
      })}
    </Block>
  );
}
