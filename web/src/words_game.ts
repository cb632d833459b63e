// words_game.ts - the words of a game's page and of the parts that all pages share.
export const gameWords = {
  toHome: ['To the start page', '最初のページへ'],
  missingTitle: ['Nothing is here', 'ページがありません'],
  missingText: ['This address means nothing on this server.', 'このサーバーにこのアドレスのページはありません。'],
  otherLang: ['日本語', 'English'],
  otherLangTitle: ['日本語で表示', 'Show in English'],
  themeTitle: ['Light or dark', '明るい・暗い'],
  close: ['Close', '閉じる'],

  role_VILLAGER: ['Villager', '村人'],
  role_SEER: ['Seer', '占い師'],
  role_MEDIUM: ['Medium', '霊媒師'],
  role_BODYGUARD: ['Bodyguard', '騎士'],
  role_POSSESSED: ['Possessed', '狂人'],
  role_WEREWOLF: ['Werewolf', '人狼'],
  role_FREEMASON: ['Freemason', '共有者'],
  role_FOX: ['Fox', '妖狐'],
  claimsRole: ['claims {role}', '{role}CO'],
} as const;
