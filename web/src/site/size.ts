// size.ts - bytes for people.
import { lang } from '../settings.ts';

/** "1.2 MiB", "256 MiB", "17 bytes". */
export function sizeText(bytes: number): string {
  const units = ['KiB', 'MiB', 'GiB', 'TiB'];
  if (bytes < 1024) return new Intl.NumberFormat(lang.value, { style: 'unit', unit: 'byte', unitDisplay: 'long' }).format(bytes);
  let value = bytes / 1024;
  let unit = 0;
  while (value >= 1023.95 && unit < units.length - 1) {
    value /= 1024;
    unit++;
  }
  return `${new Intl.NumberFormat(lang.value, { maximumFractionDigits: value < 100 ? 1 : 0 }).format(value)} ${units[unit]}`;
}
