// base.ts - where the pages of games begin.
export const base = '/web/';
