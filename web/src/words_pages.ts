// words_pages.ts - the words of all pages but the game's.
export const pageWords = {
} as const;
