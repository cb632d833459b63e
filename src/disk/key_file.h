/* key_file.h - keys that are drawn, and the file in which one waits for its publication.
 *
 * For:    commands that play without a seed of somebody's choice; resume.
 * Memory: none.
 * Thread: any.
 * Source: docs/spec/contest-operations.md 11.1; getrandom(2): a key must not be guessable from the
 *         time.
 */
#ifndef WARG_DISK_KEY_FILE_H
#define WARG_DISK_KEY_FILE_H

#include "base/err.h"
#include "base/key.h"

/* 256 bits from the kernel. Errors: ERR_IO. */
int key_draw(Key *ret_key, Err *err);

/* The key of stage `stage` of what is played in the folder `dir`: DIR/secret/key for the first (or
 * only) one, DIR/secret/key-N for later ones; 64 hexadecimal digits and a newline, 0600 in a folder
 * of 0700. */
#define KEY_FOLDER "secret"

/* Makes the folders and the file, or takes the file's place, and brings it to disk.
 * Errors: ERR_IO, ERR_MEMORY. */
int key_file_write(const char *dir, uint32_t stage, const Key *key, Err *err);
/* Errors: ERR_IO when there is none, ERR_SYNTAX when it holds no key. */
int key_file_read(const char *dir, uint32_t stage, Key *ret_key, Err *err);

/* The same for the key DIR/secret/NAME, such as that of a ledger. */
int key_file_write_as(const char *dir, const char *name, const Key *key, Err *err);
int key_file_read_as(const char *dir, const char *name, Key *ret_key, Err *err);

/* The same as bytes: FOLDER/NAME with 32 of them and nothing else, such as the secret of a contest
 * site's stage. The folder above has to be there. */
int key_bytes_write(const char *folder, const char *name, const Key *key, Err *err);
/* Errors: ERR_IO when there is none, ERR_SYNTAX when it has another length. */
int key_bytes_read(const char *folder, const char *name, Key *ret_key, Err *err);

#endif
