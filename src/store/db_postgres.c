/* PostgreSQL behind db.h. A statement's rows are fetched as a whole when it is stepped first, so
 * that other statements may run in between. */
#include "store/db_own.h"

#ifdef WARG_POSTGRESQL

#    include "store/db_words.h"

#    include <libpq-fe.h>

#    define PARAMETERS_MAX  192
#    define COLUMNS_MAX     64
#    define LOCK_WAIT       "5s"
#    define CONNECT_SECONDS "2" /* who asks a site waits for it */

typedef struct PostgresDb {
    Db db;
    PGconn *connection;
    bool is_set_up;      /* begin_session's */
    bool is_away;        /* it was tried in vain, */
    TimeUs tried;        /* then */
    uint64_t statements; /* so many were prepared: their names */
    int64_t changes;
} PostgresDb;

typedef struct Parameter {
    Buf bytes;
    bool is_null;
    bool binary;
} Parameter;

typedef struct PostgresQuery {
    DbQuery query;
    PostgresDb *db;
    char name[24];
    int parameter_count;
    Parameter parameters[PARAMETERS_MAX];
    Err bound; /* the first error of a binding */
    PGresult *rows;
    int row;
    Buf *blobs; /* COLUMNS_MAX, of the row, as they were asked for */
} PostgresQuery;

static const DbDriver postgres_driver;

static PostgresDb *own_db(Db *db)
{
    return (PostgresDb *)db;
}

static PostgresQuery *own_query(DbQuery *query)
{
    return (PostgresQuery *)query;
}

/* The first line of the server's sentence. */
static int postgres_error(const PostgresDb *db, const PGresult *result, Err *err)
{
    const char *state = result ? PQresultErrorField(result, PG_DIAG_SQLSTATE) : NULL;
    const char *text = result ? PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY) : NULL;
    Str line = str_of(text ? text : PQerrorMessage(db->connection));
    ErrCode kind = state && str_starts(str_of(state), STR("23")) ? ERR_RULE : ERR_IO;

    line = str_trim(str_cut(&line, '\n'));
    return err_set(err, kind, "database: %.*s", STR_ARG(line));
}

/* Takes the result over. */
static int note_result(PostgresDb *db, PGresult *result, Err *err)
{
    ExecStatusType status = PQresultStatus(result);
    bool good =
        status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK || status == PGRES_EMPTY_QUERY;
    int rc = good ? 0 : postgres_error(db, result, err);

    if (good)
        db->changes = (int64_t)strtoll(PQcmdTuples(result), NULL, 10);
    PQclear(result);
    return rc;
}

/* ---- connection ---- */

static void ignore_notice(void *user, const char *message)
{
    (void)user;
    (void)message;
}

/* Libpq's own error would say what it could not read, and that may be a password. */
static bool connection_is_readable(const char *connection)
{
    PQconninfoOption *options = PQconninfoParse(connection, NULL);
    bool readable = options != NULL;

    PQconninfoFree(options);
    return readable;
}

static PGconn *connect_server(const char *connection)
{
    /* What stands further down wins. */
    const char *const names[] = {"connect_timeout", "application_name", "dbname", "client_encoding",
                                 NULL};
    const char *const values[] = {CONNECT_SECONDS, "warg", connection, "UTF8", NULL};

    return PQconnectdbParams(names, values, 1);
}

static int begin_session(PostgresDb *db, Err *err)
{
    int rc = note_result(
        db,
        PQexec(db->connection,
               "SET TIME ZONE 'UTC'; SET bytea_output = 'hex'; SET lock_timeout = '" LOCK_WAIT
               "'; SET standard_conforming_strings = on"),
        err);

    db->is_set_up = rc == 0;
    return rc;
}

/* It was tried a moment ago: who serves others does not wait for it again already. */
static bool is_resting(const PostgresDb *db)
{
    return db->is_away && db->db.now && db->db.now() - db->tried < DB_REST_US;
}

static int connect_again(PostgresDb *db, Err *err)
{
    if (is_resting(db))
        return postgres_error(db, NULL, err);
    PQreset(db->connection);
    db->is_set_up = false;
    db->is_away = PQstatus(db->connection) != CONNECTION_OK;
    db->tried = db->is_away && db->db.now ? db->db.now() : 0;
    return db->is_away ? postgres_error(db, NULL, err) : 0;
}

/* A server that was started again is connected to again, by the first statement that comes behind
 * the one that found it gone. Not inside of a transaction: that is over, and its caller is to know.
 */
static int come_back(PostgresDb *db, Err *err)
{
    int rc = 0;

    if (db->db.in_transaction)
        return 0;
    if (PQstatus(db->connection) == CONNECTION_BAD)
        rc = connect_again(db, err);
    return rc == 0 && !db->is_set_up ? begin_session(db, err) : rc;
}

/* A transaction with a failed statement ends in ROLLBACK, which the server does not call an error.
 */
static bool is_undone(const char *sql, PGresult *result)
{
    return str_eq(str_of(sql), STR("COMMIT")) && PQresultStatus(result) == PGRES_COMMAND_OK &&
           !str_eq(str_of(PQcmdStatus(result)), STR("COMMIT"));
}

static int postgres_exec(Db *db, const char *sql, Err *err)
{
    PostgresDb *own = own_db(db);
    int rc = come_back(own, err);

    if (rc)
        return rc;
    PGresult *result = PQexec(own->connection, sql);
    const bool undone = is_undone(sql, result);
    rc = note_result(own, result, err);
    return rc == 0 && undone
               ? err_set(err, ERR_IO, "database: a statement had failed, nothing is committed")
               : rc;
}

int db_open_server(const char *connection, Db **ret_db, Err *err)
{
    if (!connection_is_readable(connection))
        return err_set(err, ERR_USAGE,
                       "the database's connection string can't be read; it is one of "
                       "libpq's, as 'host=/run/postgresql dbname=warg'");
    PostgresDb *own = mem_new(sizeof(*own));
    CLEANUP(db_closep) Db *db = own ? &own->db : NULL;
    if (!own)
        return err_set(err, ERR_MEMORY, "open database: out of memory");
    own->db.driver = &postgres_driver;
    own->connection = connect_server(connection);
    if (PQstatus(own->connection) != CONNECTION_OK)
        return postgres_error(own, NULL, err);
    PQsetNoticeProcessor(own->connection, ignore_notice, NULL);
    int rc = begin_session(own, err);
    if (rc)
        return rc;
    *ret_db = TAKE(db);
    return 0;
}

static void postgres_close(Db *db)
{
    PQfinish(own_db(db)->connection);
}

static int64_t postgres_changes(const Db *db)
{
    return ((const PostgresDb *)db)->changes;
}

/* ---- queries ---- */

static int count_parameters(PostgresQuery *query, Err *err)
{
    PGresult *about = PQdescribePrepared(query->db->connection, query->name);
    int rc = PQresultStatus(about) == PGRES_COMMAND_OK ? 0 : postgres_error(query->db, about, err);

    query->parameter_count = rc == 0 ? PQnparams(about) : 0;
    PQclear(about);
    if (query->parameter_count > PARAMETERS_MAX)
        return err_set(err, ERR_LIMIT, "database: a statement of over %d parameters",
                       PARAMETERS_MAX);
    for (int i = 0; i < query->parameter_count; i++)
        query->parameters[i].is_null = true;
    return rc;
}

static int postgres_query(Db *db, const char *sql, DbQuery **ret_query, Err *err)
{
    CLEANUP(buf_done) Buf text = {0};
    PostgresQuery *own = mem_new(sizeof(*own));
    CLEANUP(db_query_freep) DbQuery *query = own ? &own->query : NULL;

    db_words_number(str_of(sql), &text);
    if (!own || buf_failed(&text))
        return err_set(err, ERR_MEMORY, "database: out of memory");
    own->query.driver = &postgres_driver;
    own->db = own_db(db);
    own->blobs = mem_new(COLUMNS_MAX * sizeof(own->blobs[0]));
    if (!own->blobs)
        return err_set(err, ERR_MEMORY, "database: out of memory");
    snprintf(own->name, sizeof(own->name), "s%llu", (unsigned long long)own->db->statements++);
    int64_t changes = own->db->changes;
    int rc = come_back(own->db, err);
    if (rc == 0)
        rc = note_result(own->db,
                         PQprepare(own->db->connection, own->name, buf_cstr(&text), 0, NULL), err);
    own->db->changes = changes;
    if (rc == 0)
        rc = count_parameters(own, err);
    if (rc)
        return rc;
    *ret_query = TAKE(query);
    return 0;
}

static void forget_rows(PostgresQuery *query)
{
    PQclear(query->rows);
    query->rows = NULL;
    query->row = 0;
}

static void postgres_query_free(DbQuery *query)
{
    PostgresQuery *own = own_query(query);
    char sql[48];

    forget_rows(own);
    snprintf(sql, sizeof(sql), "DEALLOCATE %s", own->name);
    PQclear(PQexec(own->db->connection, sql));
    for (int i = 0; i < PARAMETERS_MAX; i++)
        buf_done(&own->parameters[i].bytes);
    for (int i = 0; own->blobs && i < COLUMNS_MAX; i++)
        buf_done(&own->blobs[i]);
    mem_free(own->blobs);
}

static void write_parameter(const DbValue *value, Parameter *parameter)
{
    buf_clear(&parameter->bytes);
    parameter->is_null = value->kind == DB_NULL;
    parameter->binary = value->kind == DB_BLOB;
    if (value->kind == DB_INT)
        buf_printf(&parameter->bytes, "%lld", (long long)value->number);
    else if (value->kind == DB_REAL)
        buf_printf(&parameter->bytes, "%.17g", value->real);
    else
        buf_add(&parameter->bytes, value->bytes);
}

static void postgres_bind(DbQuery *query, int number, const DbValue *value)
{
    PostgresQuery *own = own_query(query);

    if (number < 1 || number > own->parameter_count || own->rows) {
        err_set(&own->bound, ERR_RULE, "database: binding value %d of %d", number,
                own->parameter_count);
        return;
    }
    if (value->kind == DB_TEXT && value->bytes.len &&
        memchr(value->bytes.bytes, '\0', value->bytes.len))
        err_set(&own->bound, ERR_RULE, "database: a text with a NUL");
    write_parameter(value, &own->parameters[number - 1]);
    if (buf_failed(&own->parameters[number - 1].bytes))
        err_set(&own->bound, ERR_MEMORY, "database: out of memory");
}

static int run_query(PostgresQuery *query, Err *err)
{
    const char *values[PARAMETERS_MAX];
    int lengths[PARAMETERS_MAX], formats[PARAMETERS_MAX];

    for (int i = 0; i < query->parameter_count; i++) {
        const Parameter *parameter = &query->parameters[i];
        values[i] = parameter->is_null ? NULL : buf_cstr(&parameter->bytes);
        lengths[i] = (int)parameter->bytes.len;
        formats[i] = parameter->binary;
    }
    query->rows = PQexecPrepared(query->db->connection, query->name, query->parameter_count, values,
                                 lengths, formats, 0);
    ExecStatusType status = PQresultStatus(query->rows);
    if (status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK) {
        query->db->changes = (int64_t)strtoll(PQcmdTuples(query->rows), NULL, 10);
        if (PQnfields(query->rows) <= COLUMNS_MAX)
            return 0;
        err_set(err, ERR_LIMIT, "database: a row of over %d columns", COLUMNS_MAX);
        forget_rows(query);
        return ERR_LIMIT;
    }
    int rc = postgres_error(query->db, query->rows, err);
    forget_rows(query);
    return rc;
}

static int postgres_step(DbQuery *query, Err *err)
{
    PostgresQuery *own = own_query(query);
    Err bound = own->bound;

    own->bound = (Err){0};
    if (bound.code)
        return err_set(err, bound.code, "%s", bound.msg);
    bool first = !own->rows;
    int rc = first ? run_query(own, err) : 0;
    if (rc)
        return rc;
    own->row += !first;
    for (int i = 0; i < COLUMNS_MAX; i++)
        buf_clear(&own->blobs[i]);
    if (own->row < PQntuples(own->rows))
        return 1;
    forget_rows(own);
    return 0;
}

static void postgres_reset(DbQuery *query)
{
    forget_rows(own_query(query));
}

/* ---- columns ---- */

static Str value_of(const DbQuery *query, int number)
{
    const PostgresQuery *own = (const PostgresQuery *)query;

    if (!own->rows || number < 0 || number >= PQnfields(own->rows))
        return STR("");
    return (Str){PQgetvalue(own->rows, own->row, number),
                 (size_t)PQgetlength(own->rows, own->row, number)};
}

static int64_t postgres_int(const DbQuery *query, int number)
{
    return (int64_t)strtoll(value_of(query, number).bytes, NULL, 10);
}

static double postgres_real(const DbQuery *query, int number)
{
    return strtod(value_of(query, number).bytes, NULL);
}

static unsigned hex_digit(char c)
{
    return (unsigned)(c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
}

/* bytea comes as \x and digits. */
static Str postgres_blob(const DbQuery *query, int number)
{
    Str value = value_of(query, number);
    Buf *blob = &((const PostgresQuery *)query)->blobs[number];

    if (!str_starts(value, STR("\\x")))
        return value;
    if (blob->len == 0)
        for (size_t i = 2; i + 1 < value.len; i += 2)
            buf_add_char(blob,
                         (char)(hex_digit(value.bytes[i]) << 4 | hex_digit(value.bytes[i + 1])));
    return buf_str(blob);
}

static bool postgres_is_null(const DbQuery *query, int number)
{
    const PostgresQuery *own = (const PostgresQuery *)query;

    return !own->rows || PQgetisnull(own->rows, own->row, number);
}

static const DbDriver postgres_driver = {
    .close = postgres_close,
    .exec = postgres_exec,
    .query = postgres_query,
    .changes = postgres_changes,
    .query_free = postgres_query_free,
    .bind = postgres_bind,
    .step = postgres_step,
    .reset = postgres_reset,
    .column_int = postgres_int,
    .column_real = postgres_real,
    .column_text = value_of,
    .column_blob = postgres_blob,
    .column_is_null = postgres_is_null,
    .begin = "BEGIN",
    .server = true,
};

#else

int db_open_server(const char *connection, Db **ret_db, Err *err)
{
    (void)connection;
    (void)ret_db;
    return err_set(err, ERR_USAGE,
                   "this warg was built without PostgreSQL (libpq-dev); SQLite needs nothing");
}

#endif
