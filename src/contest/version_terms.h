/* version_terms.h - what a contest asks of versions: how large, in which cells, with which
 * platform, how much is played with them before they are taken.
 *
 * For:    jobs of the kinds unpack, build and check, which carry them; `warg contest check`.
 * Memory: a VersionTerms owns its texts; version_terms_done frees them.
 * Thread: any.
 * Source: docs/spec/contest-operations.md 3.2 (`submit`, `runtimes`, `cell`, `check`), 5, 7.
 */
#ifndef WARG_CONTEST_VERSION_TERMS_H
#define WARG_CONTEST_VERSION_TERMS_H

#include "archive/archive_reader.h"
#include "base/json.h"
#include "cell/cell_wish.h"
#include "contest/version_form.h"

typedef struct json_t json_t;

typedef struct VersionTerms {
    uint64_t file_bytes, tree_bytes, entries;
    Buf java_lib, dotnet_starter, python_wheels; /* whole paths; empty = none */
    CellWish cell; /* level, memory, threads, files, writable, cpu; no folders */
    uint64_t output_bytes;
    uint32_t games; /* of a set of the check */
    bool name_refuses;
    uint32_t startup_ms;
    uint32_t answer_ms; /* 0 = as the rules say */
    bool japanese;      /* of the report's advice */
} VersionTerms;

/* 256 MiB packed, 1 GiB unpacked, 20,000 entries; strict cells of 1 GiB; 20 games; names warn. */
void version_terms_init(VersionTerms *terms);
void version_terms_done(VersionTerms *terms); /* also for CLEANUP; a zeroed one is fine */

/* As one JSON object, and back. What is absent is as version_terms_init has it. Errors: ERR_RULE
 * for what is none; ERR_MEMORY. */
void version_terms_write(const VersionTerms *terms, Json *json);
/* The same for everybody: without places of this machine. */
void version_terms_write_public(const VersionTerms *terms, Json *json);
int version_terms_read(const json_t *object, VersionTerms *ret_terms, Err *err);

/* Borrowed views of it. */
VersionPlatform version_terms_platform(const VersionTerms *terms);
ArchiveLimits version_terms_limits(const VersionTerms *terms);

#endif
