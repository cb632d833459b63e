// cut.ts - what is cut off an utterance. Pure.

const tidy = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** The part of `sent` that `recorded` lacks; '' when all is there but for white space. */
export function cutOff(sent: string, recorded: string): string {
  const before = tidy(sent);
  const after = tidy(recorded);
  if (before === after || before.replaceAll(' ', '') === after.replaceAll(' ', '')) return '';
  // White space around a mention is the rules': what is looked for is the first letter that differs.
  let at = 0;
  for (let i = 0; i < after.length; i++) {
    if (after[i] === ' ') continue;
    while (before[at] === ' ') at++;
    if (before[at] !== after[i]) break;
    at++;
  }
  return before.slice(at).trim();
}
