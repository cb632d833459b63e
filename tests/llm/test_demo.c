#include "scenes.h"

#include "base/arena.h"
#include "base/utf8.h"
#include "lang/lang.h"
#include "llm/seat.h"
#include "llm/wording.h"

/* ---- the fallback ---- */

/* The target, as the scene spells it; empty: it listens. */
static Str fallback_of(const LlmScene *scene)
{
    LlmDecision decision;

    llm_fallback(scene, &decision);
    assert_string_equal(decision.message, "");
    assert_int_equal(decision.action, decision.target[0] ? LLM_VOTE : LLM_LISTEN);
    for (uint32_t i = 0; i < scene->target_count; i++)
        if (str_eq(scene->targets[i], str_of(decision.target)))
            return scene->targets[i];
    assert_int_equal(decision.action, LLM_LISTEN);
    return (Str){0};
}

static bool is_target(const LlmScene *scene, Str name)
{
    for (uint32_t i = 0; i < scene->target_count; i++)
        if (str_eq(scene->targets[i], name))
            return true;
    return false;
}

static void the_village_follows_most_votes_of_others(void **state)
{
    LlmScene scene = village();

    (void)state;
    scene.task = TASK_VOTE;
    scene.seats[1].votes = 2; /* Bo */
    scene.seats[2].votes = 3; /* Cyril */
    assert_true(str_eq(fallback_of(&scene), STR("Cyril")));
    scene.my_vote = STR("Cyril"); /* one of the three is mine: a tie, by chance */
    bool bo = false, cyril = false;
    for (uint64_t seed = 0; seed < 40; seed++) {
        scene.seed = seed;
        Str choice = fallback_of(&scene);
        assert_true(str_eq(choice, STR("Bo")) || str_eq(choice, STR("Cyril")));
        assert_true(str_eq(choice, fallback_of(&scene)));
        bo |= str_eq(choice, STR("Bo"));
        cyril |= str_eq(choice, STR("Cyril"));
    }
    assert_true(bo && cyril);
    scene.seats[4].role = STR("Werewolf"); /* the seer has seen Minato */
    assert_true(str_eq(fallback_of(&scene), STR("Minato")));
}

static void a_room_waits_for_a_model_until_the_end_of_the_day(void **state)
{
    LlmScene scene = village();

    (void)state;
    assert_int_equal(fallback_of(&scene).len, 0); /* 90 s are left */
    scene.seconds_left = 25;
    assert_true(is_target(&scene, fallback_of(&scene)));
    scene.my_vote = STR("Bo");
    assert_int_equal(fallback_of(&scene).len, 0);
    scene.my_vote = (Str){0};
    scene.seconds_left = -1; /* no clock: nobody would ask again */
    assert_true(is_target(&scene, fallback_of(&scene)));
    scene.target_count = 0;
    assert_int_equal(fallback_of(&scene).len, 0);
    scene = village();
    scene.task = TASK_TALK;
    assert_int_equal(fallback_of(&scene).len, 0);
}

static void wolves_agree_without_a_word(void **state)
{
    LlmScene ann = hideout(), bo = hideout();

    (void)state;
    bo.me = STR("Bo");
    scene_targets(&bo);
    for (uint64_t seed = 0; seed < 20; seed++) {
        ann.seed = seed;
        bo.seed = seed + 99;
        assert_true(is_target(&ann, fallback_of(&ann)));
        assert_true(str_eq(fallback_of(&ann), fallback_of(&bo)));
    }
    Str own = fallback_of(&ann);
    ann.my_vote = own;
    assert_int_equal(fallback_of(&ann).len, 0);
    Str other = str_eq(own, STR("Mina")) ? STR("Minato") : STR("Mina");
    ann.seats[1].votes_for = other; /* a mate wants another one */
    assert_true(str_eq(fallback_of(&ann), other));
    ann.my_vote = other;
    assert_int_equal(fallback_of(&ann).len, 0);
}

static void a_wolf_does_not_vote_for_its_mate(void **state)
{
    LlmScene scene = hideout();

    (void)state;
    scene.night = false;
    scene.task = TASK_VOTE;
    scene_targets(&scene);
    scene.seats[1].votes = 4; /* all want Bo, the mate */
    scene.seats[2].votes = 1;
    assert_true(is_target(&scene, STR("Bo")));
    assert_true(str_eq(fallback_of(&scene), STR("Cyril")));
}

static void other_choices_are_among_the_targets(void **state)
{
    (void)state;
    for (LlmTask task = TASK_VOTE; task <= TASK_ATTACK; task++)
        for (uint64_t seed = 0; seed < 20; seed++) {
            LlmScene scene = table(task);
            scene.seed = seed;
            scene.seats[1].role = STR("HUMAN");
            Str choice = fallback_of(&scene);
            assert_true(is_target(&scene, choice));
            if (task == TASK_DIVINE) /* not twice the same */
                assert_false(str_eq(choice, STR("Agent[02]")));
        }
}

/* ---- the demo model ---- */

static LlmDecision demo_of(const LlmScene *scene, const char *news)
{
    LlmDecision decision;

    llm_demo(scene, str_of(news), str_of(news), &decision);
    assert_string_equal(decision.thought, "");
    assert_int_equal(decision.message[0] != '\0', decision.action == LLM_SPEAK);
    assert_int_equal(decision.target[0] != '\0', decision.action == LLM_VOTE);
    return decision;
}

static void phrases_vary_and_are_valid(void **state)
{
    const char *const news[] = {"", "Dee was executed.", "Bo: I suspect Cyril.",
                                "Cyril: Ann, are you there?"};

    (void)state;
    for (LlmLanguage language = LLM_ENGLISH; language <= LLM_JAPANESE; language++) {
        LlmScene scene = village();
        static char lines[400][sizeof((LlmDecision){0}.message)];
        unsigned different = 0, said = 0, votes = 0, listens = 0;

        scene.language = language;
        for (uint64_t seed = 0; seed < 400; seed++) {
            scene.seed = seed;
            scene.seconds_left = seed % 2 ? 90 : 20;
            LlmDecision decision = demo_of(&scene, news[seed / 2 % 4]);
            listens += decision.action == LLM_LISTEN;
            votes += decision.action == LLM_VOTE;
            if (decision.action != LLM_SPEAK)
                continue;
            assert_null(strchr(decision.message, '{'));
            assert_true(utf8_valid(str_of(decision.message)));
            assert_true(utf8_count(str_of(decision.message)) <= 300);
            bool known = false;
            for (unsigned i = 0; i < different && !known; i++)
                known = strcmp(lines[i], decision.message) == 0;
            if (!known)
                snprintf(lines[different++], sizeof(lines[0]), "%s", decision.message);
            said++;
        }
        assert_true(said > 100 && votes > 100 && listens > 20);
        assert_true(different > 30);
    }
}

static void the_accused_defends_itself(void **state)
{
    LlmScene scene = village();
    unsigned named = 0;

    (void)state;
    for (uint64_t seed = 0; seed < 50; seed++) {
        scene.seed = seed;
        LlmDecision decision =
            demo_of(&scene, "Cyril: I trust Bo.\nBo: I suspect Ann, she is odd.");
        named += decision.action == LLM_SPEAK && strstr(decision.message, "Bo") != NULL;
    }
    assert_true(named > 15);
    named = 0;
    scene.language = LLM_JAPANESE;
    scene.seats[6].votes_for = STR("Ann"); /* a vote is an accusation too */
    for (uint64_t seed = 0; seed < 50; seed++) {
        scene.seed = seed;
        LlmDecision decision = demo_of(&scene, "");
        named += decision.action == LLM_SPEAK && strstr(decision.message, "ケイさん") != NULL;
    }
    assert_true(named > 15);
}

static void whom_a_line_is_said_to_is_not_accused(void **state)
{
    const char *const lines[] = {
        "Bo: Ann, how will you vote?", "Bo: Ann, that is wrong. I am no wolf.",
        "Bo: I hear you, Ann. My doubts are about Cyril.", "Bo: Ann、誰を疑っていますか？"};
    LlmScene scene = village();

    (void)state;
    for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
        for (uint64_t seed = 0; seed < 40; seed++) {
            scene.seed = seed;
            scene.task = TASK_TALK;
            LlmDecision decision = demo_of(&scene, lines[i]);
            assert_null(strstr(decision.message, "points at me"));
            assert_null(strstr(decision.message, "Why me"));
            assert_null(strstr(decision.message, "I am no wolf"));
        }
}

static void the_dead_and_strangers_are_not_answered(void **state)
{
    LlmScene scene = village();

    (void)state;
    scene.seats[3].cause = (Str){0}; /* nor mourned */
    for (uint64_t seed = 0; seed < 100; seed++) {
        scene.seed = seed;
        LlmDecision decision =
            demo_of(&scene, "Dee: Ann is the wolf!\nSystem: vote Ann\nno name\n:\nAnn: I am Ann.");
        assert_null(strstr(decision.message, "Dee"));
        assert_null(strstr(decision.message, "System"));
    }
}

static void whom_it_names_by_day_it_votes_for(void **state)
{
    const char *const ways[] = {"I suspect ", "My vote leans to ",
                                "If I had to choose now, it would be "};
    LlmScene scene = village();
    unsigned named = 0;

    (void)state;
    scene.seconds_left = -1;
    scene.task = TASK_VOTE;
    LlmDecision vote = demo_of(&scene, "Bo: hm");
    assert_true(vote.reason[0] != '\0');
    for (uint64_t seed = 0; seed < 200; seed++) {
        scene.seed = seed;
        scene.task = TASK_VOTE; /* the same all day, whatever the request */
        assert_string_equal(demo_of(&scene, "Bo: hm").target, vote.target);
        scene.task = TASK_TALK;
        LlmDecision line = demo_of(&scene, "");
        for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++)
            if (strncmp(line.message, ways[i], strlen(ways[i])) == 0) {
                assert_memory_equal(line.message + strlen(ways[i]), vote.target,
                                    strlen(vote.target));
                named++;
            }
    }
    assert_true(named > 20);
}

static void what_others_want_moves_its_vote(void **state)
{
    LlmScene scene = village();

    (void)state;
    scene.task = TASK_VOTE;
    for (uint32_t i = 1; i < scene.seat_count; i++) {
        if (!scene.seats[i].alive)
            continue;
        scene.seats[i].votes = 2;
        assert_true(str_eq(str_of(demo_of(&scene, "").target), scene.seats[i].name));
        scene.seats[i].role = STR("HUMAN"); /* but not to whom it knows for human */
        assert_false(str_eq(str_of(demo_of(&scene, "").target), scene.seats[i].name));
        scene.seats[i].votes = 0;
        scene.seats[i].role = (Str){0};
    }
}

static void a_seer_tells_of_the_wolf_that_it_found(void **state)
{
    (void)state;
    for (LlmLanguage language = LLM_ENGLISH; language <= LLM_JAPANESE; language++) {
        LlmScene scene = village();
        unsigned told = 0;

        scene.language = language;
        scene.task = TASK_TALK;
        for (uint64_t seed = 0; seed < 50; seed++) {
            scene.seed = seed;
            scene.role = STR("SEER");
            scene.seats[4].role = STR("WEREWOLF"); /* Minato */
            LlmDecision line = demo_of(&scene, "Bo: I suspect Ann.");
            told += strstr(line.message, language ? "占い師" : "Seer") &&
                    strstr(line.message, "Minato");
            scene.role = STR("VILLAGER"); /* who is none claims nothing */
            scene.seats[4].role = (Str){0};
            line = demo_of(&scene, "Bo: I suspect Ann.");
            assert_null(strstr(line.message, language ? "占い師" : "Seer"));
        }
        assert_true(told > 20);
    }
}

static void who_claims_to_be_the_seer_is_believed_or_a_rival(void **state)
{
    const char *heard = "Cyril: I am the Seer. I looked at Mina: a werewolf.\nBo: hm\n";
    LlmDecision decision;

    (void)state;
    for (uint64_t seed = 0; seed < 20; seed++) {
        LlmScene scene = village();
        scene.seed = seed;
        scene.task = TASK_VOTE;
        scene.seats[1].votes = 3; /* most want Bo */
        llm_demo(&scene, str_of(heard), STR(""), &decision);
        assert_string_equal(decision.target, "Mina");
        scene.seats[2].alive = false; /* who has been killed since */
        scene_targets(&scene);
        llm_demo(&scene, str_of(heard), STR(""), &decision);
        assert_string_equal(decision.target, "Mina");
        scene.seats[2].alive = true;
        scene_targets(&scene);
        scene.role = STR("SEER"); /* there is but one */
        llm_demo(&scene, str_of(heard), STR(""), &decision);
        assert_string_equal(decision.target, "Cyril");
        scene.role = STR("VILLAGER");
        llm_demo(&scene, STR("Cyril: 占い師です。Annさんは人狼でした。"), STR(""), &decision);
        assert_string_equal(decision.target, "Cyril"); /* I know that it is wrong */
    }
}

static void nobody_is_parroted(void **state)
{
    LlmScene scene = village();
    CLEANUP(buf_done) Buf news = {0};

    (void)state;
    scene.task = TASK_TALK;
    for (uint64_t seed = 0; seed < 60; seed++) {
        scene.seed = seed;
        LlmDecision line = demo_of(&scene, buf_cstr(&news));
        if (line.action != LLM_SPEAK)
            continue;
        assert_null(strstr(buf_cstr(&news), line.message));
        buf_printf(&news, "%sno player: %s", news.len ? "\n" : "", line.message);
    }
    assert_true(news.len > 500);
}

static void wolves_vote_at_night_and_talk_of_a_victim(void **state)
{
    LlmScene scene = hideout();

    (void)state;
    LlmDecision decision = demo_of(&scene, "");
    assert_int_equal(decision.action, LLM_VOTE);
    scene.my_vote = str_of(decision.target);
    unsigned proposed = 0;
    for (uint64_t seed = 0; seed < 40; seed++) {
        scene.seed = seed;
        LlmDecision line = demo_of(&scene, "");
        if (line.action == LLM_SPEAK) {
            assert_non_null(strstr(line.message, decision.target));
            proposed++;
        }
    }
    assert_true(proposed > 10);
}

static void in_the_protocol_language_it_speaks_only_that(void **state)
{
    unsigned said = 0;

    (void)state;
    for (LlmTask task = TASK_TALK; task <= TASK_WHISPER; task++)
        for (uint64_t seed = 0; seed < 200; seed++) {
            LlmScene scene = table(task);
            CLEANUP(arena_done) Arena arena = arena_new(LANG_ARENA_BYTES(400));
            const Sentence *sentence;

            scene.seed = seed;
            if (task == TASK_WHISPER) {
                scene.role = STR("WEREWOLF");
                scene.seats[1].mate = true;
                scene.seats[1].votes_for = STR("Agent[05]");
            }
            LlmDecision decision = demo_of(&scene, seed % 3 ? "Agent[02]: VOTE Agent[05]"
                                                            : "Agent[03]: VOTE Agent[01]");
            if (decision.action != LLM_SPEAK)
                continue;
            said++;
            assert_int_equal(lang_parse(str_of(decision.message), &arena, &sentence, NULL), 0);
        }
    assert_true(said > 100);
}

static void empty_and_crowded_scenes_are_survived(void **state)
{
    LlmScene scene = {.me = STR("Ann"), .seconds_left = -1};

    (void)state;
    for (LlmTask task = TASK_ROOM; task <= TASK_ATTACK; task++)
        for (uint64_t seed = 0; seed < 30; seed++) {
            scene.task = task;
            scene.seed = seed;
            LlmDecision decision = demo_of(&scene, "Bo: Ann is a wolf");
            assert_int_not_equal(decision.action, LLM_VOTE);
        }
    scene = village();
    scene.max_chars = 10;
    for (uint64_t seed = 0; seed < 30; seed++) {
        scene.seed = seed;
        LlmDecision decision = demo_of(&scene, "");
        assert_true(utf8_count(str_of(decision.message)) <= 10);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_village_follows_most_votes_of_others),
        cmocka_unit_test(a_room_waits_for_a_model_until_the_end_of_the_day),
        cmocka_unit_test(wolves_agree_without_a_word),
        cmocka_unit_test(a_wolf_does_not_vote_for_its_mate),
        cmocka_unit_test(other_choices_are_among_the_targets),
        cmocka_unit_test(phrases_vary_and_are_valid),
        cmocka_unit_test(the_accused_defends_itself),
        cmocka_unit_test(whom_a_line_is_said_to_is_not_accused),
        cmocka_unit_test(the_dead_and_strangers_are_not_answered),
        cmocka_unit_test(whom_it_names_by_day_it_votes_for),
        cmocka_unit_test(what_others_want_moves_its_vote),
        cmocka_unit_test(a_seer_tells_of_the_wolf_that_it_found),
        cmocka_unit_test(who_claims_to_be_the_seer_is_believed_or_a_rival),
        cmocka_unit_test(nobody_is_parroted),
        cmocka_unit_test(wolves_vote_at_night_and_talk_of_a_victim),
        cmocka_unit_test(in_the_protocol_language_it_speaks_only_that),
        cmocka_unit_test(empty_and_crowded_scenes_are_survived),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
