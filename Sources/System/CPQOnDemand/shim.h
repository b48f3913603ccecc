#ifndef PEERSYNC_CPQ_ON_DEMAND_H
#define PEERSYNC_CPQ_ON_DEMAND_H

#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <stdint.h>
#include <time.h>
#if __has_include(<libpq-fe.h>)
#include <libpq-fe.h>
#else
#include <postgresql/libpq-fe.h>
#endif

/* libpq, loaded when a store is in PostgreSQL. If it were linked, all tools would start more slowly, because they share
   one executable with syncserve. */
struct peersync_libpq {
  PQconninfoOption *(*parse)(const char *, char **);
  void (*free_options)(PQconninfoOption *);
  void (*free_memory)(void *);
  PGconn *(*connect)(const char *const *, const char *const *, int);
  PGconn *(*start)(const char *const *, const char *const *, int);
  PostgresPollingStatusType (*poll)(PGconn *);
  PQconninfoOption *(*settings)(PGconn *);
  const char *(*parameter)(const PGconn *, const char *);
  int (*needs_password)(const PGconn *);
  PGVerbosity (*set_verbosity)(PGconn *, PGVerbosity);
  void (*finish)(PGconn *);
  ConnStatusType (*status)(const PGconn *);
  char *(*error)(const PGconn *);
  PQnoticeProcessor (*set_notices)(PGconn *, PQnoticeProcessor, void *);
  int (*consume)(PGconn *);
  int (*set_nonblocking)(PGconn *, int);
  int (*is_busy)(PGconn *);
  int (*flush)(PGconn *);
  int (*socket)(const PGconn *);
  int (*enter_pipeline)(PGconn *);
  int (*send)(PGconn *, const char *, int, const Oid *, const char *const *, const int *, const int *, int);
  int (*sync)(PGconn *);
  PGresult *(*result)(PGconn *);
  ExecStatusType (*result_status)(const PGresult *);
  char *(*result_field)(const PGresult *, int);
  char *(*result_error)(const PGresult *);
  void (*clear)(PGresult *);
  int (*rows)(const PGresult *);
  int (*columns)(const PGresult *);
  char *(*changed)(PGresult *);
  Oid (*type)(const PGresult *, int);
  char *(*value)(const PGresult *, int, int);
  int (*length)(const PGresult *, int, int);
  int (*is_null)(const PGresult *, int, int);
};

/* 0 if the library is missing, or older than version 14, which introduced pipelines. */
static inline int peersync_libpq_load(struct peersync_libpq *pq) {
  const char *names[] = { "libpq.so.5", "libpq.so", "libpq.5.dylib", "libpq.dylib" };
  void *library = NULL;
  for (int i = 0; i < 4 && !library; i++) library = dlopen(names[i], RTLD_NOW);
  if (!library) return 0;
  *(void **)&pq->parse = dlsym(library, "PQconninfoParse");
  *(void **)&pq->free_options = dlsym(library, "PQconninfoFree");
  *(void **)&pq->free_memory = dlsym(library, "PQfreemem");
  *(void **)&pq->connect = dlsym(library, "PQconnectdbParams");
  *(void **)&pq->start = dlsym(library, "PQconnectStartParams");
  *(void **)&pq->poll = dlsym(library, "PQconnectPoll");
  *(void **)&pq->settings = dlsym(library, "PQconninfo");
  *(void **)&pq->parameter = dlsym(library, "PQparameterStatus");
  *(void **)&pq->needs_password = dlsym(library, "PQconnectionNeedsPassword");
  *(void **)&pq->set_verbosity = dlsym(library, "PQsetErrorVerbosity");
  *(void **)&pq->finish = dlsym(library, "PQfinish");
  *(void **)&pq->status = dlsym(library, "PQstatus");
  *(void **)&pq->error = dlsym(library, "PQerrorMessage");
  *(void **)&pq->set_notices = dlsym(library, "PQsetNoticeProcessor");
  *(void **)&pq->consume = dlsym(library, "PQconsumeInput");
  *(void **)&pq->set_nonblocking = dlsym(library, "PQsetnonblocking");
  *(void **)&pq->is_busy = dlsym(library, "PQisBusy");
  *(void **)&pq->flush = dlsym(library, "PQflush");
  *(void **)&pq->socket = dlsym(library, "PQsocket");
  *(void **)&pq->enter_pipeline = dlsym(library, "PQenterPipelineMode");
  *(void **)&pq->send = dlsym(library, "PQsendQueryParams");
  *(void **)&pq->sync = dlsym(library, "PQpipelineSync");
  *(void **)&pq->result = dlsym(library, "PQgetResult");
  *(void **)&pq->result_status = dlsym(library, "PQresultStatus");
  *(void **)&pq->result_field = dlsym(library, "PQresultErrorField");
  *(void **)&pq->result_error = dlsym(library, "PQresultErrorMessage");
  *(void **)&pq->clear = dlsym(library, "PQclear");
  *(void **)&pq->rows = dlsym(library, "PQntuples");
  *(void **)&pq->columns = dlsym(library, "PQnfields");
  *(void **)&pq->changed = dlsym(library, "PQcmdTuples");
  *(void **)&pq->type = dlsym(library, "PQftype");
  *(void **)&pq->value = dlsym(library, "PQgetvalue");
  *(void **)&pq->length = dlsym(library, "PQgetlength");
  *(void **)&pq->is_null = dlsym(library, "PQgetisnull");
  void *const *functions = (void *const *)pq;
  for (size_t i = 0; i < sizeof *pq / sizeof *functions; i++)
    if (!functions[i]) return 0;
  return 1;
}

static inline PQconninfoOption *peersync_pq_parse(const struct peersync_libpq *pq, const char *text, char **error) {
  return pq->parse(text, error);
}

static inline void peersync_pq_free_options(const struct peersync_libpq *pq, PQconninfoOption *options) {
  pq->free_options(options);
}

static inline void peersync_pq_free_memory(const struct peersync_libpq *pq, void *memory) { pq->free_memory(memory); }

/* Ignores messages of the server that are not errors. */
static void peersync_pq_ignore(void *user, const char *message) { (void)user, (void)message; }

static inline PGconn *peersync_pq_connect(
    const struct peersync_libpq *pq, const char *const *names, const char *const *values) {
  PGconn *connection = pq->connect(names, values, 0);
  if (connection) pq->set_notices(connection, peersync_pq_ignore, NULL);
  return connection;
}

/* Tries to connect for up to `milliseconds`, to find the reason of a failure: a verbose error includes its SQLSTATE. */
static inline PGconn *peersync_pq_probe(
    const struct peersync_libpq *pq, const char *const *names, const char *const *values, int milliseconds) {
  PGconn *connection = pq->start(names, values, 0);
  if (!connection) return NULL;
  pq->set_notices(connection, peersync_pq_ignore, NULL);
  pq->set_verbosity(connection, PQERRORS_VERBOSE);
  struct timespec begin, now;
  clock_gettime(CLOCK_MONOTONIC, &begin);
  PostgresPollingStatusType state = PGRES_POLLING_WRITING;
  while (pq->status(connection) != CONNECTION_BAD && state != PGRES_POLLING_OK && state != PGRES_POLLING_FAILED) {
    clock_gettime(CLOCK_MONOTONIC, &now);
    long left = milliseconds - (now.tv_sec - begin.tv_sec) * 1000 - (now.tv_nsec - begin.tv_nsec) / 1000000;
    struct pollfd end = { pq->socket(connection), state == PGRES_POLLING_READING ? POLLIN : POLLOUT, 0 };
    if (left <= 0 || poll(&end, 1, (int)left) == 0) break;
    state = pq->poll(connection);
  }
  return connection;
}

/* The settings of a connection, even a failed one, with those of the environment and a service. */
static inline PQconninfoOption *peersync_pq_settings(const struct peersync_libpq *pq, PGconn *connection) {
  return pq->settings(connection);
}

static inline const char *peersync_pq_parameter(
    const struct peersync_libpq *pq, const PGconn *connection, const char *name) {
  return pq->parameter(connection, name);
}

static inline int peersync_pq_needs_password(const struct peersync_libpq *pq, const PGconn *connection) {
  return pq->needs_password(connection);
}

static inline int peersync_pq_is_connected(const struct peersync_libpq *pq, const PGconn *connection) {
  return pq->status(connection) == CONNECTION_OK;
}

/* Reads without waiting; false if the server has closed the connection. The first call to
   `consume` reads the last message of the server, the second the end of the connection. */
static inline int peersync_pq_is_alive(const struct peersync_libpq *pq, PGconn *connection) {
  return pq->consume(connection) && pq->consume(connection) && pq->status(connection) == CONNECTION_OK;
}

static inline int peersync_pq_enter_pipeline(const struct peersync_libpq *pq, PGconn *connection) {
  return pq->set_nonblocking(connection, 1) == 0 && pq->enter_pipeline(connection);
}

/* Whether the next result is still to come. */
static inline int peersync_pq_is_busy(const struct peersync_libpq *pq, PGconn *connection) {
  return pq->is_busy(connection);
}

/* Sends waiting output and waits for progress; a negative time sets no limit. 1: progress, 0: timeout, -1: the
   connection is lost, 2: all output is sent and an answer is not awaited. */
static inline int peersync_pq_await(
    const struct peersync_libpq *pq, PGconn *connection, int for_answer, int milliseconds) {
  int rest = pq->flush(connection);
  if (rest < 0) return -1;
  if (!rest && !for_answer) return 2;
  struct pollfd end = { pq->socket(connection), (short)(rest ? POLLIN | POLLOUT : POLLIN), 0 };
  int count;
  do count = poll(&end, 1, milliseconds);
  while (count < 0 && errno == EINTR);
  if (count == 0) return 0;
  if (count < 0) return -1;
  return end.revents & ~POLLOUT ? (pq->consume(connection) ? 1 : -1) : 1;
}

static inline const char *peersync_pq_error(const struct peersync_libpq *pq, const PGconn *connection) {
  return pq->error(connection);
}

static inline void peersync_pq_finish(const struct peersync_libpq *pq, PGconn *connection) { pq->finish(connection); }

enum { peersync_pq_most_values = 512 };

/* Value i is the lengths[i] bytes at bytes + places[i], or null if that length is negative. A NUL follows each text.
   The server infers the types of the values, and answers in binary. */
static inline int peersync_pq_send(
    const struct peersync_libpq *pq, PGconn *connection, const char *sql, int count, const uint8_t *bytes,
    const int *places, const int *lengths, const int *are_binary) {
  const char *values[peersync_pq_most_values];
  if (count > peersync_pq_most_values) return 0;
  for (int i = 0; i < count; i++) values[i] = lengths[i] < 0 ? NULL : (const char *)bytes + places[i];
  return pq->send(connection, sql, count, NULL, values, lengths, are_binary, 1);
}

static inline int peersync_pq_sync(const struct peersync_libpq *pq, PGconn *connection) { return pq->sync(connection); }

static inline PGresult *peersync_pq_result(const struct peersync_libpq *pq, PGconn *connection) {
  return pq->result(connection);
}

static inline int peersync_pq_is_sync(const struct peersync_libpq *pq, const PGresult *result) {
  return pq->result_status(result) == PGRES_PIPELINE_SYNC;
}

static inline int peersync_pq_is_aborted(const struct peersync_libpq *pq, const PGresult *result) {
  return pq->result_status(result) == PGRES_PIPELINE_ABORTED;
}

static inline int peersync_pq_is_good(const struct peersync_libpq *pq, const PGresult *result) {
  ExecStatusType status = pq->result_status(result);
  return status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK || status == PGRES_EMPTY_QUERY;
}

/* NULL for an error that the library itself has found, such as a lost connection. */
static inline const char *peersync_pq_state(const struct peersync_libpq *pq, const PGresult *result) {
  return pq->result_field(result, PG_DIAG_SQLSTATE);
}

static inline const char *peersync_pq_primary(const struct peersync_libpq *pq, const PGresult *result) {
  const char *text = pq->result_field(result, PG_DIAG_MESSAGE_PRIMARY);
  return text ? text : pq->result_error(result);
}

static inline void peersync_pq_clear(const struct peersync_libpq *pq, PGresult *result) { pq->clear(result); }

static inline int peersync_pq_rows(const struct peersync_libpq *pq, const PGresult *result) { return pq->rows(result); }

static inline int peersync_pq_columns(const struct peersync_libpq *pq, const PGresult *result) {
  return pq->columns(result);
}

static inline const char *peersync_pq_changed(const struct peersync_libpq *pq, PGresult *result) {
  return pq->changed(result);
}

static inline unsigned peersync_pq_type(const struct peersync_libpq *pq, const PGresult *result, int column) {
  return pq->type(result, column);
}

static inline const char *peersync_pq_value(const struct peersync_libpq *pq, const PGresult *result, int row, int column) {
  return pq->value(result, row, column);
}

static inline int peersync_pq_length(const struct peersync_libpq *pq, const PGresult *result, int row, int column) {
  return pq->length(result, row, column);
}

static inline int peersync_pq_is_null(const struct peersync_libpq *pq, const PGresult *result, int row, int column) {
  return pq->is_null(result, row, column);
}

#endif
