// Copy.tsx - a text to be copied: a command, a link, a token.
import { toast } from '../parts/Toast.tsx';
import { t } from './words.ts';

export async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast(t('copied'));
  } catch {
    toast(t('copyByHand'), true);
  }
}

export const Copy = ({ text, label }: { text: string; label: string }) => (
  <div class="copy">
    <code tabIndex={0} aria-label={label}>{text}</code>
    <button type="button" class="button" onClick={() => void copy(text)}>{t('copy')}<span class="unseen"> {label}</span></button>
  </div>
);

/** Gives the reader a file that was made here. */
export function saveFile(name: string, parts: BlobPart[], type = 'application/octet-stream'): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob(parts, { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
