// Lost.tsx - the line that says that the connection is lost.
import { feedLost } from '../live.ts';
import { t } from '../words.ts';

export const Lost = () => (
  <div class="lost" role="status" hidden={!feedLost.value}>{feedLost.value && t('connectionLost')}</div>
);
