// words.ts - every word on the pages of games, in two languages.
//
// Words of the game's page are in words_game.ts, of all other pages in words_pages.ts, of parts that
// the contest site has too in words_shared.ts; the lists are typed, so a missing word does not build.
import { wording } from './wording.ts';
import { gameWords } from './words_game.ts';
import { pageWords } from './words_pages.ts';
import { sharedWords } from './words_shared.ts';

const table = { ...sharedWords, ...gameWords, ...pageWords } as const;

export type WordKey = keyof typeof table;
export { num, type Places } from './wording.ts';
export const { t, tn } = wording(table);
