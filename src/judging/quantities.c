#include "judging/quantities.h"

#include "base/utf8.h"

#include <stdlib.h>

#define NEAR_PERCENT 90

/* Code points of one text, with room that grows. */
typedef struct Points {
    uint32_t *at;
    size_t count;
    size_t room;
} Points;

static int points_add(Points *points, uint32_t point, Err *err)
{
    if (points->count == points->room) {
        size_t room = points->room ? 2 * points->room : 64;
        uint32_t *more = mem_resize(points->at, room, sizeof(*more));
        if (!more)
            return err_set(err, ERR_MEMORY, "measure a game: out of memory");
        points->at = more;
        points->room = room;
    }
    points->at[points->count++] = point;
    return 0;
}

/* ---- characters ---- */

static bool is_blank_point(uint32_t point)
{
    return point <= ' ' || point == 0x3000 || point == 0xA0 || (point >= 0x2000 && point <= 0x200B);
}

/* Marks, of ASCII, Latin and full width; not the long vowel, which is a letter of katakana. */
static bool is_mark_point(uint32_t point)
{
    return (point < 0x80 && !(point >= '0' && point <= '9') && !(point >= 'A' && point <= 'Z') &&
            !(point >= 'a' && point <= 'z')) ||
           (point >= 0xA1 && point <= 0xBF) || (point >= 0x2010 && point <= 0x206F) ||
           (point >= 0x3001 && point <= 0x303F) || (point >= 0xFF01 && point <= 0xFF0F) ||
           (point >= 0xFF1A && point <= 0xFF20) || (point >= 0xFF3B && point <= 0xFF40) ||
           (point >= 0xFF5B && point <= 0xFF65);
}

static bool is_katakana(uint32_t point)
{
    return (point >= 0x30A1 && point <= 0x30FA) || point == 0x30FC;
}

/* Scripts that write without blanks between words. */
static bool is_dense_point(uint32_t point)
{
    return (point >= 0x3041 && point <= 0x30FF) || (point >= 0x3400 && point <= 0x9FFF) ||
           (point >= 0xF900 && point <= 0xFAFF) || (point >= 0x20000 && point <= 0x3FFFF) ||
           (point >= 0x0E00 && point <= 0x0EFF);
}

static uint32_t small_point(uint32_t point)
{
    if (point >= 0xFF21 && point <= 0xFF3A) /* full width */
        point -= 0xFF21 - 'A';
    else if (point >= 0xFF41 && point <= 0xFF5A)
        point -= 0xFF41 - 'a';
    return point >= 'A' && point <= 'Z' ? point - 'A' + 'a' : point;
}

/* The text in one case, without blanks and marks. */
static int fold_text(Str text, Points *points, Err *err)
{
    int rc = 0;

    points->count = 0;
    while (text.len && rc == 0) {
        uint32_t point = utf8_next(&text);
        if (!is_blank_point(point) && !is_mark_point(point))
            rc = points_add(points, small_point(point), err);
    }
    return rc;
}

/* ---- repeated lines ---- */

static int compare_numbers(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

/* Sorted, each once; returns how many. */
static size_t sort_once(uint64_t *numbers, size_t count)
{
    size_t kept = 0;

    if (count)
        qsort(numbers, count, sizeof(*numbers), compare_numbers);
    for (size_t i = 0; i < count; i++)
        if (kept == 0 || numbers[i] != numbers[kept - 1])
            numbers[kept++] = numbers[i];
    return kept;
}

/* A line as it is compared: its folded text, and its trigrams sorted, each once. */
typedef struct FoldedLine {
    SeatNo seat;
    uint32_t *points;
    size_t count;
    uint64_t *trigrams;
    size_t trigram_count;
} FoldedLine;

typedef struct FoldedLines {
    FoldedLine *at;
    size_t count;
} FoldedLines;

static void folded_lines_done(FoldedLines *lines)
{
    for (size_t i = 0; i < lines->count; i++) {
        mem_free(lines->at[i].points);
        mem_free(lines->at[i].trigrams);
    }
    lines->at = mem_free(lines->at);
}

static bool is_same_line(const FoldedLine *a, const FoldedLine *b)
{
    return a->count == b->count && a->count > 0 &&
           memcmp(a->points, b->points, a->count * sizeof(*a->points)) == 0;
}

static bool is_near_line(const FoldedLine *a, const FoldedLine *b)
{
    size_t both = 0, i = 0, k = 0;

    if (a->trigram_count == 0 || b->trigram_count == 0)
        return false;
    while (i < a->trigram_count && k < b->trigram_count) {
        both += a->trigrams[i] == b->trigrams[k];
        uint64_t low = a->trigrams[i] < b->trigrams[k] ? a->trigrams[i] : b->trigrams[k];
        i += a->trigrams[i] == low;
        k += b->trigrams[k] == low;
    }
    return 100 * both >= NEAR_PERCENT * (a->trigram_count + b->trigram_count - both);
}

static bool line_repeats(const FoldedLines *lines, const FoldedLine *line)
{
    for (size_t i = 0; i < lines->count; i++)
        if (lines->at[i].seat == line->seat &&
            (is_same_line(&lines->at[i], line) || is_near_line(&lines->at[i], line)))
            return true;
    return false;
}

static int make_trigrams(FoldedLine *line, Err *err)
{
    if (line->count < 3)
        return 0;
    line->trigrams = mem_new((line->count - 2) * sizeof(*line->trigrams));
    if (!line->trigrams)
        return err_set(err, ERR_MEMORY, "measure a game: out of memory");
    for (size_t i = 0; i + 2 < line->count; i++) /* a code point has 21 bits */
        line->trigrams[i] = (uint64_t)line->points[i] << 42 | (uint64_t)line->points[i + 1] << 21 |
                            line->points[i + 2];
    line->trigram_count = sort_once(line->trigrams, line->count - 2);
    return 0;
}

/* Adds a line to those before; says whether it repeats one. Takes the points over. */
static int take_line(FoldedLines *lines, SeatNo seat, Points *take_points, bool *ret_repeats,
                     Err *err)
{
    FoldedLine line = {.seat = seat, .points = take_points->at, .count = take_points->count};
    FoldedLine *more = mem_resize(lines->at, lines->count + 1, sizeof(*more));

    *take_points = (Points){NULL, 0, 0};
    if (more)
        lines->at = more;
    int rc = more ? make_trigrams(&line, err)
                  : err_set(err, ERR_MEMORY, "measure a game: out of memory");
    if (rc) {
        mem_free(line.points);
        return rc;
    }
    *ret_repeats = line_repeats(lines, &line);
    lines->at[lines->count++] = line;
    return 0;
}

/* ---- names ---- */

static bool is_word_byte(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

/* A name in letters of ASCII does not end within a word: "May" is not in "Maybe". */
static bool ends_word(Str text, size_t len)
{
    return len == 0 || len >= text.len || !is_word_byte(text.bytes[len - 1]) ||
           !is_word_byte(text.bytes[len]);
}

/* The character whose name `text` begins with, the longest: of May and Mayor. */
static SeatNo name_at(const JudgeGame *game, Str text)
{
    SeatNo found = SEAT_NONE;

    for (SeatNo seat = 1; seat <= game->seat_count; seat++)
        if (game->name[seat].len && str_starts(text, game->name[seat]) &&
            ends_word(text, game->name[seat].len) &&
            (found == SEAT_NONE || game->name[seat].len > game->name[found].len))
            found = seat;
    return found;
}

static bool has_name(const JudgeGame *game, Str text, SeatNo seat)
{
    for (size_t at = 0; at < text.len; at++) {
        bool within = at > 0 && is_word_byte(text.bytes[at - 1]) && is_word_byte(text.bytes[at]);
        if (!within && name_at(game, str_part(text, at, text.len)) == seat)
            return true;
    }
    return false;
}

/* A word of letters begins here: an address such as "a@b" is no name, nor is "@ home". */
static bool is_letter_at(Str text)
{
    uint32_t point = text.len ? utf8_next(&text) : ' ';

    return !is_blank_point(point) && !is_mark_point(point);
}

static bool at_mark_names_nobody(const JudgeGame *game, Str text)
{
    for (size_t at = 0; at < text.len; at++) {
        Str behind = str_part(text, at + 1, text.len);
        bool begins = at == 0 || (unsigned char)text.bytes[at - 1] <= ' ' ||
                      (unsigned char)text.bytes[at - 1] >= 0x80;
        if (text.bytes[at] == '@' && begins && is_letter_at(behind) &&
            name_at(game, behind) == SEAT_NONE)
            return true;
    }
    return false;
}

static bool is_honorific(Str text)
{
    static const char *const words[] = {"さん", "くん", "ちゃん", "さま", "君", "様"};

    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
        if (str_starts(text, str_of(words[i])))
            return true;
    return false;
}

/* "ゲンゾウさん": a run of katakana, two or more, in front of an honorific. */
static bool honorific_names_nobody(const JudgeGame *game, Str text)
{
    Str run = {0};
    size_t points = 0;

    while (text.len) {
        Str here = text;
        bool in_run = is_katakana(utf8_next(&text));
        if (!in_run && points >= 2 && is_honorific(here)) {
            run.len = (size_t)(here.bytes - run.bytes);
            if (judge_game_seat(game, run) == SEAT_NONE)
                return true;
        }
        if (in_run && points == 0)
            run.bytes = here.bytes;
        points = in_run ? points + 1 : 0;
    }
    return false;
}

/* ---- mentions ---- */

/* Whom the line is said to: the first @NAME of somebody else. */
static SeatNo line_addressee(const JudgeGame *game, const LogLine *line)
{
    for (size_t at = 0; at < line->text.len; at++) {
        SeatNo seat = line->text.bytes[at] == '@'
                          ? name_at(game, str_part(line->text, at + 1, line->text.len))
                          : SEAT_NONE;
        if (seat != SEAT_NONE && seat != line->seat)
            return seat;
    }
    return SEAT_NONE;
}

/* The next utterance of a seat on the same day; NULL. */
static const LogLine *next_turn(const JudgeGame *game, size_t from, SeatNo seat)
{
    const uint16_t day = game->log.lines[from].day;

    for (size_t i = from + 1; i < game->log.count && game->log.lines[i].day == day; i++)
        if (game->log.lines[i].kind == LOG_TALK && game->log.lines[i].seat == seat)
            return &game->log.lines[i];
    return NULL;
}

static void note_mention(const JudgeGame *game, size_t number, SeatQuantities *all)
{
    const LogLine *line = &game->log.lines[number];
    SeatNo seat = line_addressee(game, line);
    const LogLine *answer = seat != SEAT_NONE ? next_turn(game, number, seat) : NULL;

    if (!answer)
        return;
    all[seat].mentioned++;
    all[seat].answered += has_name(game, answer->text, line->seat);
}

/* ---- grams ---- */

/* A hash of each word, in order. */
typedef struct Words {
    uint64_t *at;
    size_t count;
    size_t room;
} Words;

static int words_add(Words *words, uint64_t word, Err *err)
{
    if (words->count == words->room) {
        size_t room = words->room ? 2 * words->room : 128;
        uint64_t *more = mem_resize(words->at, room, sizeof(*more));
        if (!more)
            return err_set(err, ERR_MEMORY, "measure a game: out of memory");
        words->at = more;
        words->room = room;
    }
    words->at[words->count++] = word;
    return 0;
}

#define WORD_NONE 0 /* between lines: no 2-gram goes across */

/* FNV-1a over code points; never WORD_NONE. */
static uint64_t word_more(uint64_t hash, uint32_t point)
{
    hash = (hash ? hash : UINT64_C(14695981039346656037)) ^ point;
    hash *= UINT64_C(1099511628211);
    return hash ? hash : 1;
}

static int add_words(Str text, Words *words, Err *err)
{
    uint64_t word = WORD_NONE;
    int rc = 0;

    while (text.len && rc == 0) {
        uint32_t point = small_point(utf8_next(&text));
        bool dense = is_dense_point(point), gap = is_blank_point(point) || is_mark_point(point);
        if (!dense && !gap)
            word = word_more(word, point);
        else if (word != WORD_NONE) {
            rc = words_add(words, word, err);
            word = WORD_NONE;
        }
        if (rc == 0 && dense)
            rc = words_add(words, word_more(WORD_NONE, point), err);
    }
    if (rc == 0 && word != WORD_NONE)
        rc = words_add(words, word, err);
    return rc ? rc : words_add(words, WORD_NONE, err);
}

/* All of a seat's words, WORD_NONE behind each line. */
static int count_grams(const Words *words, SeatQuantities *ret, Err *err)
{
    CLEANUP(mem_freep) uint64_t *grams = mem_new((words->count + 1) * sizeof(*grams));

    if (!grams)
        return err_set(err, ERR_MEMORY, "measure a game: out of memory");
    for (unsigned two = 0; two < 2; two++) {
        size_t count = 0;
        for (size_t i = 0; i < words->count; i++) {
            uint64_t next = two && i + 1 < words->count ? words->at[i + 1] : WORD_NONE;
            if (words->at[i] != WORD_NONE && (!two || next != WORD_NONE))
                grams[count++] =
                    two ? words->at[i] * UINT64_C(0x9E3779B97F4A7C15) + next : words->at[i];
        }
        ret->grams[two] = (uint32_t)count;
        ret->distinct[two] = (uint32_t)sort_once(grams, count);
    }
    return 0;
}

static int measure_grams(const JudgeGame *game, SeatNo seat, SeatQuantities *ret, Err *err)
{
    Words words = {NULL, 0, 0};
    int rc = 0;

    for (size_t i = 0; i < game->log.count && rc == 0; i++) {
        const LogLine *line = &game->log.lines[i];
        if (line->kind == LOG_TALK && line->seat == seat && !judge_line_is_pass(line->text))
            rc = add_words(line->text, &words, err);
    }
    if (rc == 0)
        rc = count_grams(&words, ret, err);
    mem_free(words.at);
    return rc;
}

/* ---- votes ---- */

static bool has_suspicion(Str text)
{
    static const char *const words[] = {
        "suspect", "suspicious", "werewolf", "wolf", "wolves", "lying", "liar", "vote",
        "怪し",    "疑",         "人狼",     "狼",   "黒",     "嘘",    "投票", "吊",
    };
    CLEANUP(buf_done) Buf low = {0};
    size_t at;

    for (size_t i = 0; i < text.len; i++)
        buf_add_char(&low, str_lower_char(text.bytes[i]));
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
        if (str_find(buf_str(&low), str_of(words[i]), &at))
            return true;
    return false;
}

static bool has_named_suspect(const JudgeGame *game, const LogLine *vote)
{
    for (size_t i = 0; i < game->log.count; i++) {
        const LogLine *line = &game->log.lines[i];
        if (line->kind == LOG_TALK && line->day == vote->day && line->seat == vote->seat &&
            has_name(game, line->text, vote->target) && has_suspicion(line->text))
            return true;
    }
    return false;
}

/* The voter's last one of its day. */
static bool is_last_vote(const JudgeGame *game, size_t number)
{
    const LogLine *vote = &game->log.lines[number];

    for (size_t i = number + 1; i < game->log.count; i++) {
        const LogLine *line = &game->log.lines[i];
        if (line->kind == LOG_VOTE && line->day == vote->day && line->seat == vote->seat)
            return false;
    }
    return true;
}

/* ---- all of it ---- */

static int note_utterance(const JudgeGame *game, size_t number, FoldedLines *lines,
                          SeatQuantities *all, Err *err)
{
    const LogLine *line = &game->log.lines[number];
    SeatQuantities *own = &all[line->seat];
    Points points = {NULL, 0, 0};
    bool repeats = false;

    own->utterances++;
    if (judge_line_is_pass(line->text)) {
        own->passes++;
        return 0;
    }
    own->unknown +=
        at_mark_names_nobody(game, line->text) || honorific_names_nobody(game, line->text);
    note_mention(game, number, all);
    int rc = fold_text(line->text, &points, err);
    if (rc)
        mem_free(points.at);
    else
        rc = take_line(lines, line->seat, &points, &repeats, err);
    own->repeated += repeats;
    return rc;
}

static void note_vote(const JudgeGame *game, size_t number, SeatQuantities *all)
{
    const LogLine *vote = &game->log.lines[number];

    if (!is_last_vote(game, number))
        return;
    all[vote->seat].votes++;
    all[vote->seat].suspects += has_named_suspect(game, vote);
}

int quantities_measure(const JudgeGame *game, SeatQuantities ret[static SEAT_MAX + 1], Err *err)
{
    FoldedLines lines = {NULL, 0};
    int rc = 0;

    memset(ret, 0, sizeof(*ret) * (SEAT_MAX + 1));
    for (size_t i = 0; i < game->log.count && rc == 0; i++) {
        if (game->log.lines[i].kind == LOG_TALK)
            rc = note_utterance(game, i, &lines, ret, err);
        else if (game->log.lines[i].kind == LOG_VOTE)
            note_vote(game, i, ret);
    }
    for (SeatNo seat = 1; seat <= game->seat_count && rc == 0; seat++) {
        ret[seat].cut = game->cut[seat];
        rc = measure_grams(game, seat, &ret[seat], err);
    }
    folded_lines_done(&lines);
    return rc;
}

void quantities_add(SeatQuantities *sum, const SeatQuantities *more)
{
    sum->utterances += more->utterances;
    sum->passes += more->passes;
    sum->repeated += more->repeated;
    sum->unknown += more->unknown;
    sum->cut += more->cut;
    sum->mentioned += more->mentioned;
    sum->answered += more->answered;
    for (unsigned two = 0; two < 2; two++) {
        sum->grams[two] += more->grams[two];
        sum->distinct[two] += more->distinct[two];
    }
    sum->votes += more->votes;
    sum->suspects += more->suspects;
}
