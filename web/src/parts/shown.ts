// shown.ts - texts of other people as they may be shown: what turns the direction of letters or
// isn't visible becomes U+FFFD, as html_text does it on the server's own pages.
const hidden =
  /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u00AD\u061C\u180E\u200B-\u200F\u2028-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFB]/g;
// Emoji are joined by U+200D: between two of them it stays, or families fall apart.
const joined = /(\p{Extended_Pictographic}[\uFE0F\u{1F3FB}-\u{1F3FF}]*)\u200D(?=\p{Extended_Pictographic})/gu;
const joinMark = '\uE000\uE001';

export function shown(text: string): string {
  hidden.lastIndex = 0;
  if (!hidden.test(text)) return text;
  return text.replace(joined, `$1${joinMark}`).replace(hidden, '\uFFFD').replaceAll(joinMark, '\u200D');
}

/** The number in front of a name that is only a number: "Agent[07]" is 7. */
export const isNumberName = (name: string): boolean => /^Agent\[\d\d\]$/.test(name);
