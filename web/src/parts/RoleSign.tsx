// RoleSign.tsx - the sign of a role: never colour alone. A full ring is the true role, a dashed one
// a claimed one.
import type { Role } from '../doc.ts';
import { t, type WordKey } from '../words.ts';

const paths: Record<Role, string> = {
  VILLAGER: 'M12 5.200 4.500 11.600h2V18.500h4v-4.400h3v4.400h4v-6.900h2z',
  SEER: 'M12 6.800c4 0 6.900 2.700 8.500 5.200-1.600 2.500-4.500 5.200-8.500 5.200S5.100 14.500 3.500 12C5.100 9.500 8 6.800 12 6.800zm0 1.700a3.500 3.500 0 1 0 0 7 3.500 3.500 0 0 0 0-7zm0 1.800a1.700 1.700 0 1 1 0 3.400 1.700 1.700 0 0 1 0-3.400z',
  MEDIUM: 'M12.600 3.800c.5 3 4.900 5.200 4.900 9.900 0 3.300-2.400 5.700-5.500 5.700s-5.500-2.400-5.500-5.600c0-2.300 1.200-3.800 2.300-5 .1 1.300.6 2.100 1.400 2.600-.3-2.800.6-5.700 2.400-7.600zM12 12.600c-1.300 1.200-2.100 2.100-2.100 3.300 0 1.200.9 2 2.100 2s2.100-.8 2.100-2c0-1.200-.8-2.100-2.100-3.300z',
  BODYGUARD: 'M12 4.300 18.300 6.400v5c0 4-2.600 6.800-6.300 8.400-3.700-1.600-6.300-4.400-6.300-8.400v-5zM12 6.300v11.400c2.600-1.400 4.400-3.400 4.400-6.300V7.800z',
  POSSESSED: 'M4 8.600C6.700 7.400 9 7.700 12 8.800c3-1.100 5.300-1.400 8-.2.3 4.300-1.300 7.400-4.300 7.400-1.700 0-2.500-1.300-3.700-1.300S10 16 8.300 16C5.300 16 3.700 12.900 4 8.600zm3 2.600c-.2 1.400.6 2.100 1.700 2.100 1 0 1.600-.5 1.900-1.200C9.500 11.300 8.200 11 7 11.200zm10 0c-1.200-.2-2.500.1-3.600.9.300.7.900 1.200 1.900 1.200 1.100 0 1.900-.7 1.700-2.100z',
  WEREWOLF: 'M4.800 4.200 9 7.300q3-1 6 0l4.200-3.100q.9 6.300-1.800 9.300L12 20l-5.400-6.500Q3.900 10.500 4.800 4.200zM8 10.800l2.700 2.300-2.300.5zm8 0-2.700 2.300 2.300.5z',
  FREEMASON: 'M12 4.300 20 18.200H4zm0 4.300-4.200 7.500h8.400zm0 3a1.700 1.700 0 1 1 0 3.400 1.700 1.700 0 0 1 0-3.400z',
  FOX: 'M3.800 5.200 8.600 8Q12 6.900 15.400 8l4.800-2.800q.3 4.600-1.500 7.200-2.300 3.400-4.600 4.400L12 19.600l-2.100-2.800q-2.300-1-4.600-4.400Q3.500 9.800 3.800 5.200zM8 11.500l2.600 1.300L8.500 13.600zm8 0-2.600 1.300 2.100.8z',
};

export const roleWord = (role: Role): string => t(`role_${role}` as WordKey);

/** In a ring, as it stands at a seat. */
export const RoleSign = ({ role, claimed }: { role: Role; claimed?: boolean }) => (
  <svg class={`sign r-${role}${claimed ? ' claimed' : ''}`} viewBox="0 0 32 32" role="img" aria-label={claimed ? t('claimsRole', { role: roleWord(role) }) : roleWord(role)}>
    <circle cx="16" cy="16" r="14.600" class="ring" />
    <path d={paths[role]} transform="translate(4 4)" fill="currentColor" fill-rule="evenodd" />
  </svg>
);

/** The sign and the word, in a text. */
export const RoleWord = ({ role }: { role: Role }) => (
  <span class={`roleword r-${role}`}>
    <svg viewBox="2 2 20 20" aria-hidden="true"><path d={paths[role]} fill="currentColor" fill-rule="evenodd" /></svg>
    {roleWord(role)}
  </span>
);
