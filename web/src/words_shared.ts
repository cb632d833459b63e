// words_shared.ts - the words of parts that stand on the pages of games and on those of the contest site.
import { wording } from './wording.ts';

export const sharedWords = {
  siteName: ['Werewolf', '人狼'],
  toHome: ['To the start page', '最初のページへ'],
  toBack: ['Back', '戻る'],
  otherLang: ['日本語', 'English'],
  otherLangTitle: ['日本語で表示', 'Show in English'],
  themeTitle: ['Light or dark', '明るい・暗い'],
  close: ['Close', '閉じる'],
  nav: ['Pages', 'ページ'],
  loadingThing: ['Loading…', '読み込み中…'],
  tryAgain: ['Try again', 'もう一度'],
  troubleTitle: ['This did not work', 'うまくいきませんでした'],
} as const;

export const { t } = wording(sharedWords);
