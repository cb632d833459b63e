#include "judging/criterion.h"

#define TEAM_PLAYERS 9

typedef struct CriterionRow {
    const char *letter;
    unsigned shows; /* SheetShows */
    unsigned place;
    const char *text[2]; /* English, Japanese */
    const char *note[2];
} CriterionRow;

static const CriterionRow rows[CRITERION_COUNT] = {
    [CRITERION_A] = {"A",
                     SHOWS_GONE,
                     0,
                     {"Are the player's utterances natural in their expression?",
                      "発話の表現は自然か。"},
                     {"", ""}},
    [CRITERION_B] = {"B",
                     SHOWS_GONE,
                     1,
                     {"Does the player take part in the dialogue naturally, in its context?",
                      "文脈をふまえた自然な対話ができているか。"},
                     {"", ""}},
    [CRITERION_C] = {"C",
                     SHOWS_ROLES | SHOWS_RESULTS | SHOWS_GONE,
                     3,
                     {"Is what the player says consistent, without contradictions?",
                      "発話の内容は一貫していて、矛盾がないか。"},
                     {"Strategic lies of a role are allowed, and are no contradiction.",
                      "役職に応じた戦略的な嘘は許され、矛盾とはしない。"}},
    [CRITERION_D] = {"D",
                     SHOWS_ROLES | SHOWS_VOTES | SHOWS_ACTS,
                     5,
                     {"Do the player's actions (votes, attacks, divinations, guards) reflect the "
                      "dialogue?",
                      "行動（投票・襲撃・占い・護衛）は対話の内容をふまえているか。"},
                     {"Actions are also to fit the player's role and side.",
                      "行動が役職と陣営にふさわしいかも見る。"}},
    [CRITERION_E] = {"E",
                     SHOWS_PROFILES,
                     2,
                     {"Are the player's utterances rich in their expression, and do they fit its "
                      "profile?",
                      "発話の表現は豊かで、与えられたプロフィールと整合しているか。"},
                     {"", ""}},
    [CRITERION_F] = {"F",
                     SHOWS_ROLES | SHOWS_ACTS | SHOWS_WHISPERS,
                     4,
                     {"Does the player play together with its team?",
                      "チームとして協力したプレイができているか。"},
                     {"A team is all who win together; werewolves have whispers, too.",
                      "チームとは勝敗をともにする陣営のことで、人狼には囁きもある。"}},
};

unsigned criterion_shows(Criterion criterion)
{
    return criterion < CRITERION_COUNT ? rows[criterion].shows : 0;
}

bool criterion_fits(Criterion criterion, SeatNo players)
{
    return criterion < CRITERION_COUNT && (criterion != CRITERION_F || players >= TEAM_PLAYERS);
}

unsigned criterion_place(Criterion criterion)
{
    return criterion < CRITERION_COUNT ? rows[criterion].place : CRITERION_COUNT;
}

const char *criterion_letter(Criterion criterion)
{
    return criterion < CRITERION_COUNT ? rows[criterion].letter : "";
}

bool criterion_of(Str letter, Criterion *ret_criterion)
{
    for (unsigned i = 0; i < CRITERION_COUNT; i++)
        if (str_eq(letter, str_of(rows[i].letter))) {
            *ret_criterion = (Criterion)i;
            return true;
        }
    return false;
}

const char *criterion_text(Criterion criterion, bool japanese)
{
    return criterion < CRITERION_COUNT ? rows[criterion].text[japanese] : "";
}

const char *criterion_note(Criterion criterion, bool japanese)
{
    return criterion < CRITERION_COUNT ? rows[criterion].note[japanese] : "";
}

const char *criterion_manner(bool japanese)
{
    return japanese
               ? "次のことは根拠にしない：勝敗、得票、追放されたこと、生存の長さ、発話の量と長さ、"
                 "疑いが当たったかどうか。次のことは減点する：同じ発話の繰り返し、SkipやOverばかり"
                 "であること、ゲームにいない人物や起きていないことへの言及。"
               : "No ground: who won, votes received, execution, survival, amount or length of "
                 "speech, whether a suspicion came true. Counts against a player: repeating "
                 "itself, mostly Skip or Over, people or facts that do not exist.";
}
