#ifndef PEERSYNC_CSQLITE_H
#define PEERSYNC_CSQLITE_H

#include <sqlite3.h>

/* SQLite copies the bytes. Swift cannot use the macro SQLITE_TRANSIENT, because it is a cast. */
static inline int peersync_bind_blob(sqlite3_stmt *statement, int place, const void *bytes, sqlite3_uint64 count) {
  return sqlite3_bind_blob64(statement, place, bytes, count, SQLITE_TRANSIENT);
}

/* The bytes must not change or go away before the statement is reset. */
static inline int peersync_bind_blob_in_place(
    sqlite3_stmt *statement, int place, const void *bytes, sqlite3_uint64 count) {
  return sqlite3_bind_blob64(statement, place, bytes, count, SQLITE_STATIC);
}

static inline int peersync_bind_text(sqlite3_stmt *statement, int place, const char *text, sqlite3_uint64 count) {
  return sqlite3_bind_text64(statement, place, text, count, SQLITE_TRANSIENT, SQLITE_UTF8);
}

#endif
