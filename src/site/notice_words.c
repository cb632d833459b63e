#include "site/notice_words.h"

/* A table reads as a table. */
static const NoticeWords words[NOTICE_KINDS] = {
    [NOTICE_VERSION_RECEIVED] = {"version-received",
                                 {"{contest}: a version was received",
                                  "{contest}: 版を受け取りました"},
                                 {"{team}: version {version} was received and is being checked.\n",
                                  "{team}: 第 {version} 版を受け取り、チェックしています。\n"},
                                 false,
                                 false},
    [NOTICE_VERSION_PASSED] =
        {"version-passed",
         {"{contest}: a version passed", "{contest}: 版がチェックに合格しました"},
         {"{team}: version {version} passed its check and plays from now on.\n",
          "{team}: 第 {version} 版はチェックに合格し、これから対戦します。\n"},
         false,
         false},
    [NOTICE_VERSION_REFUSED] = {"version-refused",
                                {"{contest}: a version was refused",
                                 "{contest}: 版が不合格になりました"},
                                {"{team}: version {version} was refused: {why}\n",
                                 "{team}: 第 {version} 版は不合格です: {why}\n"},
                                false,
                                false},
    [NOTICE_VERSION_SUSPENDED] = {"version-suspended",
                                  {"{contest}: a version was suspended",
                                   "{contest}: 版が停止されました"},
                                  {"{team}: version {version} does not play any more: {why}\n"
                                   "Hand in a version that is mended.\n",
                                   "{team}: 第 {version} 版は対戦から外れました: {why}\n"
                                   "修正した版を提出してください。\n"},
                                  false,
                                  false},
    [NOTICE_FINDING] = {"finding",
                        {"{contest}: something was noticed",
                         "{contest}: 違反の疑いが記録されました"},
                        {"{team}: noticed: {rule}: {text}\nYou may answer on the team's page.\n",
                         "{team}: 記録された事項: {rule}: {text}\n"
                         "チームのページで回答できます。\n"},
                        true,
                        false},
    [NOTICE_STRIKE] = {"strike",
                       {"{contest}: a strike", "{contest}: 警告を受けました"},
                       {"{team}: a strike for {rule}; it is number {count} in this stage.\n",
                        "{team}: {rule}による警告です。このステージで {count} 回目になります。\n"},
                       true,
                       false},
    [NOTICE_RULING] = {"ruling",
                       {"{contest}: a ruling", "{contest}: 裁定"},
                       {"{team}: {decision}. Reason: {reason}\n",
                        "{team}: {decision}。理由: {reason}\n"},
                       true,
                       false},
    [NOTICE_ROUND] = {"round",
                      {"{contest}: a round is over", "{contest}: ラウンドが終わりました"},
                      {"{team}: {stage}, round {round}: {text}\n",
                       "{team}: {stage} 第 {round} ラウンド: {text}\n"},
                      false,
                      false},
    [NOTICE_FINALIST] = {"finalist",
                         {"{contest}: you are in the final", "{contest}: 決勝に進出しました"},
                         {"{team} is a finalist. Hand in the source and the description until the"
                          " revision closes; without them a team is out.\n",
                          "{team} は決勝に進出しました。改訂期間の終わりまでにソースコードと解説を"
                          "提出してください。提出がないチームは失格になります。\n"},
                         true,
                         false},
    [NOTICE_OUT] = {"out",
                    {"{contest}: your team is out", "{contest}: チームは参加できなくなりました"},
                    {"{team} does not play any more: {why}\n",
                     "{team} は今後の対戦に参加しません: {why}\n"},
                    true,
                    false},
    [NOTICE_DEADLINE] = {"deadline",
                         {"{contest}: a deadline comes near", "{contest}: 締切が近づいています"},
                         {"{contest}: {what} is in {rest}: {date}.\n",
                          "{contest}: {what}まであと {rest}です: {date}\n"},
                         false,
                         false},
    [NOTICE_TOKEN_ENDS] =
        {"token-ends",
         {"A token comes to its end", "トークンの期限が近づいています"},
         {"The token '{label}' ends at {date}. Make a new one on your page.\n",
          "トークン「{label}」の期限は {date} です。新しいものを作ってください。\n"},
         false,
         false},
    [NOTICE_MISSING] = {"missing",
                        {"{contest}: your agent is missing", "{contest}: エージェントが未接続です"},
                        {"{team} is awaited: {text}\n", "{team} の接続を待っています: {text}\n"},
                        true,
                        false},
    [NOTICE_FAILING] = {"failing",
                        {"{contest}: an agent does not answer",
                         "{contest}: エージェントが応答していません"},
                        {"{team}: {text}\n", "{team}: {text}\n"},
                        true,
                        false},
    [NOTICE_ADDRESSED] = {"addressed",
                          {"{contest}: an agent speaks to the judges",
                           "{contest}: エージェントが審査員に話しかけています"},
                          {"{team}: {text}\n", "{team}: {text}\n"},
                          true,
                          false},
    [NOTICE_AMENDED] =
        {"amended",
         {"{contest}: the contest file has changed", "{contest}: 大会ファイルが変更されました"},
         {"The contest file was amended. Reason: {reason}\nIts digest is {digest}.\n",
          "大会ファイルが変更されました。理由: {reason}\nダイジェスト: {digest}\n"},
         true,
         false},
    [NOTICE_ANNOUNCEMENT] = {"announcement",
                             {"{contest}: an announcement", "{contest}: お知らせ"},
                             {"{text}\n", "{text}\n"},
                             true,
                             false},
    [NOTICE_APPEAL_CLOSED] = {"appeal-closed",
                              {"{contest}: your appeal was decided", "{contest}: 異議申立ての結果"},
                              {"{team}: {decision}. {answer}\n", "{team}: {decision}。{answer}\n"},
                              true,
                              false},
    [NOTICE_STATE] = {"state",
                      {"{contest}: how it goes on", "{contest}: 大会の進行"},
                      {"{contest}: now {state}. {text}\n",
                       "{contest}: 「{state}」になりました。{text}\n"},
                      false,
                      false},
    [NOTICE_MOVED] = {"moved",
                      {"{contest}: from one state to the next", "{contest}: 状態が変わりました"},
                      {"{contest}: from \"{from}\" to \"{to}\".\n",
                       "{contest}: 「{from}」から「{to}」に進みました。\n"},
                      true,
                      false},
    [NOTICE_WAITS] = {"waits",
                      {"{contest}: it waits for something", "{contest}: 進行が止まっています"},
                      {"{contest}: {text}\n", "{contest}: {text}\n"},
                      true,
                      false},
    [NOTICE_JOB_FAILED] = {"job-failed",
                           {"{contest}: a job failed", "{contest}: ジョブが失敗しました"},
                           {"{what} ({job}): {why}\n", "{what} ({job}): {why}\n"},
                           true,
                           false},
    [NOTICE_DISK] = {"disk",
                     {"The disk is nearly full", "ディスクの空きが少なくなっています"},
                     {"{text}\n", "{text}\n"},
                     true,
                     false},
    [NOTICE_APPEAL] = {"appeal",
                       {"{contest}: an appeal", "{contest}: 異議申立てがありました"},
                       {"{team} appeals against {about}: {text}\n",
                        "{team} の異議申立て（{about}）: {text}\n"},
                       true,
                       false},
    [NOTICE_AWAITED] = {"awaited",
                        {"{contest}: teams are awaited", "{contest}: 未接続のチームがあります"},
                        {"{text}\n", "{text}\n"},
                        true,
                        false},
    [NOTICE_EXCUSED] = {"excused",
                        {"{contest}: many answers are excused",
                         "{contest}: 免責された応答が多数あります"},
                        {"{stage}: {text}. The machine is too busy: fewer tables.\n",
                         "{stage}: {text}。マシンの負荷が高すぎます。卓の数を減らしてください。\n"},
                        true,
                        false},
    [NOTICE_PROPOSED] = {"proposed",
                         {"{contest}: a finding to rule on", "{contest}: 裁定が必要です"},
                         {"{team}: elimination is proposed for {rule}.\n",
                          "{team}: {rule}による失格が提案されています。\n"},
                         true,
                         false},
    [NOTICE_SAME_TREE] = {"same-tree",
                          {"{contest}: equal programs", "{contest}: 同一の提出物があります"},
                          {"{team} handed in the same files as {others}.\n",
                           "{team} の提出物は {others} と同一です。\n"},
                          true,
                          false},
    [NOTICE_TEAM_WAITS] =
        {"team-waits",
         {"{contest}: a team waits", "{contest}: 承認待ちのチームがあります"},
         {"{team} waits to be approved: warg contest team {contest} approve"
          " {team}\n",
          "{team} が承認を待っています: warg contest team {contest} approve {team}\n"},
         true,
         false},
    [NOTICE_RESET] = {"reset",
                      {"A new password", "パスワードの再設定"},
                      {"Whoever opens this link within 30 minutes can set a new password:\n{link}\n"
                       "If it was not you who asked, do nothing.\n",
                       "30 分以内に次のリンクを開くと新しいパスワードを設定できます:\n{link}\n"
                       "心当たりがない場合は何もしないでください。\n"},
                      true,
                      true},
    [NOTICE_INVITE] =
        {"invite",
         {"{contest}: an invitation", "{contest}: 招待"},
         {"You are invited to {team}; this link works once, for 14 days:\n{link}\n",
          "{team} に招待されました。次のリンクは 14 日間、一度だけ使えます:\n{link}\n"},
         true,
         true},
    [NOTICE_MAIL] = {"mail",
                     {"Is this your address?", "メールアドレスの確認"},
                     {"Open this link within a day to confirm that this address is yours:\n{link}\n"
                      "If you have no account there, do nothing.\n",
                      "1 日以内に次のリンクを開き、このアドレスがご自身のものであることを確認して"
                      "ください:\n{link}\n心当たりがない場合は何もしないでください。\n"},
                     true,
                     true},
};

const NoticeWords *notice_words(NoticeKind kind)
{
    return &words[kind];
}

const char *notice_kind_name(NoticeKind kind)
{
    return kind < NOTICE_KINDS ? words[kind].name : "";
}

bool notice_kind_of(Str name, NoticeKind *ret_kind)
{
    for (NoticeKind kind = 0; kind < NOTICE_KINDS; kind++)
        if (str_eq(name, str_of(words[kind].name))) {
            *ret_kind = kind;
            return true;
        }
    return false;
}

bool notice_may_be_off(NoticeKind kind)
{
    return kind < NOTICE_KINDS && !words[kind].fixed;
}

bool notice_is_secret(NoticeKind kind)
{
    return kind < NOTICE_KINDS && words[kind].secret;
}
