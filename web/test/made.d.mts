import type { GameDoc } from '../src/doc.ts';

export interface How {
  players?: number;
  days?: number;
  seed?: number;
  division?: 'protocol' | 'nlp';
  lang?: 'en' | 'ja';
  names?: string[] | null;
  turns?: number;
  id?: string;
  text?: string | null;
}
export function madeDoc(how?: How): GameDoc;
export const hostile: string[];
