#include "site/track_door.h"

#include "disk/folder.h"
#include "nlp/track_key.h"
#include "wire/jwt.h"

#include <unistd.h>

#define PORTS_EACH   RULES_TRACKS_MAX
#define PORTS_AT_ALL 4096

int track_tokens_key(const ContestHome *home, Key *ret_key, Err *err)
{
    CLEANUP(buf_done) Buf path = {0};
    CLEANUP(buf_done) Buf file = {0};
    int rc = contest_home_path(home, "", &path, err);

    buf_printf(&file, "%s/secret/" TRACK_TOKENS_NAME, buf_cstr(&path));
    if (rc || access(buf_cstr(&file), F_OK) == 0)
        return rc ? rc : key_file_read_as(buf_cstr(&path), TRACK_TOKENS_NAME, ret_key, err);
    rc = folder_make(buf_str(&path), err);
    if (rc == 0)
        rc = key_draw(ret_key, err);
    return rc ? rc : key_file_write_as(buf_cstr(&path), TRACK_TOKENS_NAME, ret_key, err);
}

int track_token(const ContestHome *home, Str track, Str team, int64_t now_ms, int64_t ends_ms,
                Buf *token, Err *err)
{
    JwtClaims claims = {.role = "PLAYER", .expires = ends_ms / 1000};
    char secret[KEY_HEX_BYTES];
    Key tokens;
    int rc = track_tokens_key(home, &tokens, err);

    if (rc)
        return rc;
    if (team.len == 0 || team.len >= sizeof(claims.team))
        return err_set(err, ERR_RULE, "token: the team's name is too long");
    memcpy(claims.team, team.bytes, team.len);
    track_key(&tokens, track, secret);
    return jwt_make(&claims, now_ms / 1000, str_of(secret), token, err);
}

uint16_t track_port(const TrackTurn *turn, uint32_t track)
{
    const uint64_t place = ((uint64_t)(turn->home.id - 1) * PORTS_EACH + track) % PORTS_AT_ALL;

    return turn->port ? (uint16_t)(turn->port + 1 + place) : 0;
}
