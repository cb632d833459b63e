#include "show/log_show.h"

#include "base/utf8.h"
#include "person/person_text.h"
#include "record/log_known.h"

/* ---- words ---- */

typedef enum Word {
    WORD_DAY,
    WORD_PLAYERS,
    WORD_ALIVE,
    WORD_TURN,
    WORD_WHISPERS,
    WORD_VOTE,
    WORD_REVOTE,
    WORD_EXECUTED,
    WORD_DIVINES,
    WORD_GUARDS,
    WORD_ATTACK_VOTE,
    WORD_ATTACKED,
    WORD_SURVIVES,
    WORD_NO_ATTACK,
    WORD_FOUND_DEAD,
    WORD_NOBODY_DIED,
    WORD_MEDIUM,
    WORD_SILENT,
    WORD_END,
    WORD_WINNER,
    WORD_NO_WINNER,
    WORD_SUBSTITUTE,
    WORD_SUBSTITUTE_FROM,
    WORD_COUNT,
} Word;

static const char *const words[WORD_COUNT][2] = {
    [WORD_DAY] = {"Day", "日目"},
    [WORD_PLAYERS] = {"Players", "参加者"},
    [WORD_ALIVE] = {"alive", "生存"},
    [WORD_TURN] = {"turn", "ターン"},
    [WORD_WHISPERS] = {"whispers", "囁き"},
    [WORD_VOTE] = {"vote", "投票"},
    [WORD_REVOTE] = {"revote", "再投票"},
    [WORD_EXECUTED] = {"executed", "追放"},
    [WORD_DIVINES] = {"divines", "占い"},
    [WORD_GUARDS] = {"guards", "護衛"},
    [WORD_ATTACK_VOTE] = {"attack vote", "襲撃投票"},
    [WORD_ATTACKED] = {"attacked and killed", "襲撃成功"},
    [WORD_SURVIVES] = {"attacked, survives", "襲撃失敗"},
    [WORD_NO_ATTACK] = {"nobody is attacked", "襲撃なし"},
    [WORD_FOUND_DEAD] = {"died in the night", "夜の犠牲者"},
    [WORD_NOBODY_DIED] = {"nobody died in the night", "犠牲者なし"},
    [WORD_MEDIUM] = {"the medium learns", "霊媒結果"},
    [WORD_SILENT] = {"silent", "発言なし"},
    [WORD_END] = {"The end", "終了"},
    [WORD_WINNER] = {"wins", "の勝利"},
    [WORD_NO_WINNER] = {"without a winner", "勝者なし"},
    [WORD_SUBSTITUTE] = {"a substitute plays", "代役が全体をプレイ"},
    [WORD_SUBSTITUTE_FROM] = {"a substitute plays from here on:", "ここから代役:"},
};

#define BOLD   "\033[1m"
#define DIM    "\033[2m"
#define RED    "\033[31m"
#define GREEN  "\033[32m"
#define YELLOW "\033[33m"
#define BLUE   "\033[34m"
#define PURPLE "\033[35m"
#define CYAN   "\033[36m"
#define PLAIN  "\033[0m"

static const char *const role_colors[ROLE_COUNT] = {
    [ROLE_NONE] = "",     [ROLE_BODYGUARD] = GREEN,  [ROLE_FREEMASON] = YELLOW,
    [ROLE_MEDIUM] = CYAN, [ROLE_POSSESSED] = PURPLE, [ROLE_SEER] = BLUE,
    [ROLE_VILLAGER] = "", [ROLE_WEREWOLF] = RED,     [ROLE_FOX] = YELLOW,
};

/* A transcript that is being written. */
typedef struct Show {
    const LogGame *log;
    const SeatSet *known;
    const ShowOptions *options;
    Buf *out;
    size_t name_width;
    size_t role_width;
    SeatSet alive;    /* as the day's status lines say */
    SeatSet executed; /* today, as far as the viewer was told */
    SeatNo last_executed;
    SeatSet dead_known; /* deaths that were mentioned */
    uint8_t ballots;    /* of today */
} Show;

static const char *word_of(const Show *show, Word which)
{
    return words[which][show->options->language];
}

static bool is_japanese(const Show *show)
{
    return show->options->language == SHOW_JAPANESE;
}

static void paint_text(const Show *show, const char *code)
{
    if (show->options->color)
        buf_add(show->out, str_of(code));
}

static void add_blanks(Buf *out, size_t count)
{
    while (count-- > 0)
        buf_add_char(out, ' ');
}

/* Text of a log may hold anything; a terminal must not obey it. */
static void add_safe(Buf *out, Str text)
{
    utf8_add_printable(text, SIZE_MAX, out);
}

/* The same on one line. */
static void add_utterance(Buf *out, Str text)
{
    while (text.len > 0) {
        add_safe(out, str_cut(&text, '\n'));
        if (text.len > 0)
            buf_add_char(out, ' ');
    }
}

/* "06:14:20 ", in UTC: when it was said, where the log tells. */
static void add_clock(Buf *out, int64_t unix_s)
{
    int64_t second = unix_s % 86400;

    if (unix_s > 0)
        buf_printf(out, "%02d:%02d:%02d ", (int)(second / 3600), (int)(second / 60 % 60),
                   (int)(second % 60));
}

/* ---- who may know ---- */

static bool knows_role(const Show *show, SeatNo seat)
{
    SeatNo viewer = show->options->seat;
    const Role *roles = show->log->roles;

    if (viewer == SEAT_NONE || viewer == seat)
        return true;
    bool mates = roles[viewer] == ROLE_WEREWOLF || roles[viewer] == ROLE_FREEMASON;
    return mates && roles[seat] == roles[viewer];
}

static bool may_see(const Show *show, size_t line)
{
    return show->options->seat == SEAT_NONE || seat_in(show->known[line], show->options->seat);
}

/* ---- pieces ---- */

static const char *role_text(const Show *show, SeatNo seat)
{
    Role role = seat <= show->log->seat_count && knows_role(show, seat) ? show->log->roles[seat]
                                                                        : ROLE_NONE;

    if (role == ROLE_NONE || is_japanese(show))
        return role_word(role, true);
    return role_name(role);
}

/* Returns the columns it took. */
static size_t add_role(const Show *show, SeatNo seat)
{
    const char *text = role_text(show, seat);
    bool known = seat <= show->log->seat_count && knows_role(show, seat);

    paint_text(show, known ? role_colors[show->log->roles[seat]] : "");
    buf_add(show->out, str_of(text));
    paint_text(show, PLAIN);
    return utf8_width(str_of(text));
}

/* " 3 Sample5    WEREWOLF", the name padded. Returns the columns that the role took. */
static size_t add_aligned(const Show *show, SeatNo seat)
{
    Str name = seat <= show->log->seat_count ? show->log->in_game[seat] : (Str){0};
    size_t width = utf8_width(name);

    buf_printf(show->out, "%2u ", seat);
    add_safe(show->out, name);
    add_blanks(show->out, width < show->name_width ? show->name_width - width + 1 : 1);
    return add_role(show, seat);
}

/* The same with the role padded, and a gap. */
static void add_column(const Show *show, SeatNo seat)
{
    size_t width = add_aligned(show, seat);

    add_blanks(show->out, width < show->role_width ? show->role_width - width + 2 : 2);
}

/* "3 Sample5 (WEREWOLF)" */
static void add_player(const Show *show, SeatNo seat)
{
    buf_printf(show->out, "%u ", seat);
    if (seat <= show->log->seat_count)
        add_safe(show->out, show->log->in_game[seat]);
    buf_add(show->out, STR(" ("));
    add_role(show, seat);
    buf_add_char(show->out, ')');
}

static void add_seats(const Show *show, SeatSet seats)
{
    for (; seats; seats &= seats - 1)
        buf_printf(show->out, " %u", seat_first(seats));
}

static void add_heading(const Show *show, const char *text)
{
    buf_add_char(show->out, '\n');
    paint_text(show, BOLD);
    buf_add(show->out, str_of(text));
    paint_text(show, PLAIN);
    buf_add_char(show->out, '\n');
}

/* The bold word in front of a line; what follows comes behind two blanks. */
static void add_label(const Show *show, Word which)
{
    buf_add(show->out, STR("  "));
    paint_text(show, BOLD);
    buf_add(show->out, str_of(word_of(show, which)));
    paint_text(show, PLAIN);
}

static void label_player(const Show *show, Word which, SeatNo seat)
{
    add_label(show, which);
    buf_add(show->out, STR("  "));
    add_player(show, seat);
}

/* ---- talk ---- */

static void turn_heading(const Show *show, const LogLine *first)
{
    bool whisper = first->kind == LOG_WHISPER;

    if (show->log->anytime && !whisper)
        return;
    paint_text(show, DIM);
    buf_printf(show->out, "  %s", word_of(show, whisper ? WORD_WHISPERS : WORD_TURN));
    if (!show->log->anytime)
        buf_printf(show->out, "%s%u", first->turnless ? " #" : " ",
                   first->turnless ? first->idx : first->turn);
    buf_add_char(show->out, '\n');
    paint_text(show, PLAIN);
}

/* Whether a line goes on with a turn, or with a session at any time. */
static bool same_turn(const LogGame *log, const LogLine *first, const LogLine *line, SeatSet spoke)
{
    if (line->kind != first->kind || line->day != first->day)
        return false;
    return log->anytime || (line->turn == first->turn && !seat_in(spoke, line->seat));
}

/* One turn: what was said, then who had nothing to say. Returns the index behind it. */
static size_t show_turn(const Show *show, size_t at)
{
    const LogLine *lines = show->log->lines, *first = &lines[at];
    SeatSet silent = 0, spoke = 0;
    size_t i = at;

    if (may_see(show, at))
        turn_heading(show, first);
    for (; i < show->log->count && same_turn(show->log, first, &lines[i], spoke); i++) {
        spoke |= seat_bit(lines[i].seat);
        if (!may_see(show, i))
            continue;
        if (str_eq(lines[i].text, STR("Skip")) || str_eq(lines[i].text, STR("Over"))) {
            silent |= seat_bit(lines[i].seat);
            continue;
        }
        buf_add(show->out, STR("    "));
        add_clock(show->out, lines[i].unix_s);
        add_column(show, lines[i].seat);
        add_utterance(show->out, lines[i].text);
        buf_add_char(show->out, '\n');
    }
    if (silent) {
        paint_text(show, DIM);
        buf_printf(show->out, "    %s:", word_of(show, WORD_SILENT));
        add_seats(show, silent);
        paint_text(show, PLAIN);
        buf_add_char(show->out, '\n');
    }
    return i;
}

/* ---- ballots ---- */

/* One ballot as a tally, most votes first. Returns the index behind it. */
static size_t show_ballot(Show *show, size_t at)
{
    const LogLine *lines = show->log->lines;
    LogLineKind kind = (LogLineKind)lines[at].kind;
    SeatSet from[SEAT_MAX + 1] = {0};
    unsigned most = 0;
    SeatNo previous = SEAT_NONE;
    size_t i = at;

    for (; i < show->log->count && lines[i].kind == kind && lines[i].seat > previous; i++) {
        previous = lines[i].seat;
        from[lines[i].target] |= seat_bit(lines[i].seat);
        unsigned n = seat_count_of(from[lines[i].target]);
        most = n > most ? n : most;
    }
    if (kind == LOG_VOTE)
        show->ballots++;
    if (!may_see(show, at))
        return i;
    add_label(show, kind == LOG_ATTACK_VOTE ? WORD_ATTACK_VOTE
                    : show->ballots > 1     ? WORD_REVOTE
                                            : WORD_VOTE);
    buf_add_char(show->out, '\n');
    for (unsigned n = most; n > 0; n--)
        for (SeatNo seat = 1; seat <= SEAT_MAX; seat++) {
            if (seat_count_of(from[seat]) != n)
                continue;
            buf_printf(show->out, "  %2u %s ", n,
                       is_japanese(show) ? "票"
                       : n == 1          ? "vote "
                                         : "votes");
            add_column(show, seat);
            paint_text(show, DIM);
            buf_add(show->out, STR("<-"));
            add_seats(show, from[seat]);
            paint_text(show, PLAIN);
            buf_add_char(show->out, '\n');
        }
    return i;
}

/* ---- the rest ---- */

static void show_species(const Show *show, Species species)
{
    paint_text(show, species == SPECIES_WEREWOLF ? RED : GREEN);
    buf_add(show->out, str_of(is_japanese(show) ? person_species(species, PERSON_JAPANESE)
                                                : species_name(species)));
    paint_text(show, PLAIN);
}

static void show_execution(Show *show, SeatNo seat)
{
    label_player(show, WORD_EXECUTED, seat);
    buf_add_char(show->out, '\n');
    show->executed |= seat_bit(seat);
}

static void show_action(Show *show, size_t at)
{
    const LogLine *line = &show->log->lines[at];

    if (line->kind == LOG_EXECUTE)
        show->last_executed = line->seat;
    if (!may_see(show, at))
        return;
    if (line->kind == LOG_EXECUTE) {
        show_execution(show, line->seat);
        return;
    }
    if (line->kind == LOG_ATTACK) {
        add_label(show, line->target == SEAT_NONE ? WORD_NO_ATTACK
                        : line->killed            ? WORD_ATTACKED
                                                  : WORD_SURVIVES);
        if (line->target != SEAT_NONE) {
            buf_add(show->out, STR("  "));
            add_player(show, line->target);
        }
        buf_add_char(show->out, '\n');
        return;
    }
    label_player(show, line->kind == LOG_DIVINE ? WORD_DIVINES : WORD_GUARDS, line->seat);
    buf_add(show->out, STR(" -> "));
    add_player(show, line->target);
    if (line->kind == LOG_DIVINE) {
        buf_add(show->out, STR(": "));
        show_species(show, (Species)line->species);
    }
    buf_add_char(show->out, '\n');
}

/* The medium's result is no line of the log: it follows from yesterday's execution. */
static void show_medium(const Show *show)
{
    SeatSet media = log_with_role(show->log, ROLE_MEDIUM);
    SeatNo seat = show->last_executed;

    if (seat == SEAT_NONE || seat > show->log->seat_count || !media ||
        (show->options->seat != SEAT_NONE && !seat_in(media, show->options->seat)))
        return;
    label_player(show, WORD_MEDIUM, seat);
    buf_add(show->out, STR(": "));
    show_species(show, role_species(show->log->roles[seat]));
    buf_add_char(show->out, '\n');
}

/* What the morning brings: who is gone since yesterday's. */
static void show_morning(Show *show, SeatSet alive)
{
    SeatSet gone = show->alive & ~alive;
    SeatNo executed = show->last_executed;

    if (executed != SEAT_NONE && !seat_in(show->executed, executed))
        show_execution(show, executed);
    if (executed != SEAT_NONE)
        gone &= ~seat_bit(executed);
    for (SeatSet left = gone; left; left &= left - 1) {
        label_player(show, WORD_FOUND_DEAD, seat_first(left));
        buf_add_char(show->out, '\n');
    }
    if (!gone) {
        add_label(show, WORD_NOBODY_DIED);
        buf_add_char(show->out, '\n');
    }
    show_medium(show);
}

/* The status lines of a day. Returns the index behind them. */
static size_t show_day(Show *show, size_t at)
{
    const LogLine *lines = show->log->lines;
    uint16_t day = lines[at].day;
    SeatSet alive = 0;
    size_t i = at;

    for (; i < show->log->count && lines[i].kind == LOG_STATUS && lines[i].day == day; i++)
        if (lines[i].alive)
            alive |= seat_bit(lines[i].seat);
    CLEANUP(buf_done) Buf title = {0};
    if (is_japanese(show))
        buf_printf(&title, "%u%s", day, word_of(show, WORD_DAY));
    else
        buf_printf(&title, "%s %u", word_of(show, WORD_DAY), day);
    add_heading(show, buf_cstr(&title));
    if (at > 0 && day > 1)
        show_morning(show, alive);
    add_label(show, WORD_ALIVE);
    add_seats(show, alive);
    buf_add_char(show->out, '\n');
    show->alive = alive;
    show->executed = 0;
    show->last_executed = SEAT_NONE;
    show->ballots = 0;
    return i;
}

/* What was played on an agent's seat by another. A player in the game is not told. */
static void show_substitute(const Show *show, SeatNo seat)
{
    const Substitute *substitute =
        show->options->substitutes ? &show->options->substitutes[seat] : NULL;
    bool seen = show->options->seat == SEAT_NONE || show->options->seat == seat;

    if (!substitute || !substitute->plays || !seen)
        return;
    paint_text(show, YELLOW);
    if (!substitute->during)
        buf_printf(show->out, "  %s", word_of(show, WORD_SUBSTITUTE));
    else if (is_japanese(show))
        buf_printf(show->out, "  %s %u%s %s (%s)", word_of(show, WORD_SUBSTITUTE_FROM),
                   substitute->day, word_of(show, WORD_DAY), substitute->request,
                   log_fault_word(substitute->kind, true));
    else
        buf_printf(show->out, "  %s day %u, %s (%s)", word_of(show, WORD_SUBSTITUTE_FROM),
                   substitute->day, substitute->request[0] ? substitute->request : "no request",
                   log_fault_word(substitute->kind, false));
    paint_text(show, PLAIN);
}

static void show_players(const Show *show)
{
    add_heading(show, word_of(show, WORD_PLAYERS));
    for (SeatNo seat = 1; seat <= show->log->seat_count; seat++) {
        buf_add(show->out, STR("    "));
        if (str_eq(show->log->in_game[seat], show->log->names[seat])) {
            add_aligned(show, seat);
        } else { /* the name in the game is another one than the agent's own */
            add_column(show, seat);
            add_safe(show->out, show->log->names[seat]);
        }
        show_substitute(show, seat);
        buf_add_char(show->out, '\n');
    }
}

static void show_result(const Show *show, const LogLine *line)
{
    add_heading(show, word_of(show, WORD_END));
    buf_add(show->out, STR("  "));
    paint_text(show, BOLD);
    if (line->winner == SIDE_NONE)
        buf_add(show->out, str_of(word_of(show, WORD_NO_WINNER)));
    else if (is_japanese(show))
        buf_printf(show->out, "%s%s", person_side((Side)line->winner, PERSON_JAPANESE),
                   word_of(show, WORD_WINNER));
    else
        buf_printf(show->out, "%s %s", side_name((Side)line->winner), word_of(show, WORD_WINNER));
    paint_text(show, PLAIN);
    buf_printf(show->out,
               is_japanese(show) ? "  (人間 %u, 人狼 %u)\n" : "  (HUMAN %u, WEREWOLF %u)\n",
               line->humans, line->wolves);
    if (show->options->seat == SEAT_NONE || !show->options->reveal)
        return;
    ShowOptions everything = *show->options;
    everything.seat = SEAT_NONE;
    Show revealed = *show;
    revealed.options = &everything;
    show_players(&revealed);
}

void log_show(const LogGame *log, const SeatSet *known, const ShowOptions *options, Buf *out)
{
    Show show = {.log = log, .known = known, .options = options, .out = out};

    for (SeatNo seat = 1; seat <= log->seat_count; seat++) {
        size_t width = utf8_width(log->in_game[seat]);
        show.name_width = width > show.name_width && width <= 40 ? width : show.name_width;
        width = utf8_width(str_of(role_text(&show, seat)));
        show.role_width = width > show.role_width ? width : show.role_width;
    }
    show_players(&show);
    for (size_t at = 0; at < log->count;) {
        const LogLine *line = &log->lines[at];
        switch ((LogLineKind)line->kind) {
        case LOG_STATUS:
            at = show_day(&show, at);
            break;
        case LOG_TALK:
        case LOG_WHISPER:
            at = show_turn(&show, at);
            break;
        case LOG_VOTE:
        case LOG_ATTACK_VOTE:
            at = show_ballot(&show, at);
            break;
        case LOG_EXECUTE:
        case LOG_DIVINE:
        case LOG_GUARD:
        case LOG_ATTACK:
            show_action(&show, at++);
            break;
        case LOG_RESULT:
            show_result(&show, line);
            at++;
            break;
        case LOG_KIND_COUNT:
            at++;
            break;
        }
    }
}
