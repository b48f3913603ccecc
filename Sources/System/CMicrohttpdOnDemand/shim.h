#ifndef PEERSYNC_CMICROHTTPD_ON_DEMAND_H
#define PEERSYNC_CMICROHTTPD_ON_DEMAND_H

#include <dlfcn.h>
#include <microhttpd.h>
#include <stdint.h>

/* libmicrohttpd, loaded when a server starts. If it were linked, all tools would start more slowly, because they share
   one executable with syncserve. */
struct peersync_libmicrohttpd {
  struct MHD_Daemon *(*start)(
      unsigned, uint16_t, MHD_AcceptPolicyCallback, void *, MHD_AccessHandlerCallback, void *, ...);
  void (*stop)(struct MHD_Daemon *);
  const union MHD_ConnectionInfo *(*info)(struct MHD_Connection *, enum MHD_ConnectionInfoType, ...);
  int (*values)(struct MHD_Connection *, enum MHD_ValueKind, MHD_KeyValueIteratorN, void *);
  void (*suspend)(struct MHD_Connection *);
  void (*resume)(struct MHD_Connection *);
  struct MHD_Response *(*respond)(size_t, void *, enum MHD_ResponseMemoryMode);
  enum MHD_Result (*add)(struct MHD_Response *, const char *, const char *);
  enum MHD_Result (*queue)(struct MHD_Connection *, unsigned, struct MHD_Response *);
  void (*release)(struct MHD_Response *);
};

/* 0 if the library is missing. */
static inline int peersync_libmicrohttpd_load(struct peersync_libmicrohttpd *http) {
  const char *names[] = { "libmicrohttpd.so.12", "libmicrohttpd.so", "libmicrohttpd.12.dylib" };
  void *library = NULL;
  for (int i = 0; i < 3 && !library; i++) library = dlopen(names[i], RTLD_NOW);
  if (!library) return 0;
  *(void **)&http->start = dlsym(library, "MHD_start_daemon");
  *(void **)&http->stop = dlsym(library, "MHD_stop_daemon");
  *(void **)&http->info = dlsym(library, "MHD_get_connection_info");
  *(void **)&http->values = dlsym(library, "MHD_get_connection_values_n");
  *(void **)&http->suspend = dlsym(library, "MHD_suspend_connection");
  *(void **)&http->resume = dlsym(library, "MHD_resume_connection");
  *(void **)&http->respond = dlsym(library, "MHD_create_response_from_buffer");
  *(void **)&http->add = dlsym(library, "MHD_add_response_header");
  *(void **)&http->queue = dlsym(library, "MHD_queue_response");
  *(void **)&http->release = dlsym(library, "MHD_destroy_response");
  void *const *functions = (void *const *)http;
  for (size_t i = 0; i < sizeof *http / sizeof *functions; i++)
    if (!functions[i]) return 0;
  return 1;
}

static inline int peersync_http_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  c |= 0x20;
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Decodes %XX in place, as the library does, except %00: a path would end there, and name another resource. */
static inline size_t peersync_http_unescape(void *user, struct MHD_Connection *connection, char *text) {
  char *end = text;
  const char *next = text;
  (void)user;
  (void)connection;
  while (*next) {
    int high = *next == '%' ? peersync_http_digit(next[1]) : -1;
    int low = high < 0 ? -1 : peersync_http_digit(next[2]);
    if (low < 0 || high + low == 0) {
      *end++ = *next++;
      continue;
    }
    *end++ = (char)(high * 16 + low);
    next += 3;
  }
  *end = 0;
  return (size_t)(end - text);
}

/* The caller opens the listener. A few threads serve all connections, each connection on one of them. The application's
   own threads suspend and resume connections. */
static inline struct MHD_Daemon *peersync_http_start(
    const struct peersync_libmicrohttpd *http, int listener, unsigned threads, unsigned connections, size_t memory, unsigned silence, MHD_AccessHandlerCallback handle,
    MHD_RequestCompletedCallback completed, MHD_NotifyConnectionCallback notified, void *user) {
  struct MHD_OptionItem options[] = {
    { MHD_OPTION_LISTEN_SOCKET, listener, NULL },
    { MHD_OPTION_THREAD_POOL_SIZE, threads, NULL },
    { MHD_OPTION_CONNECTION_LIMIT, connections, NULL },
    { MHD_OPTION_CONNECTION_MEMORY_LIMIT, (intptr_t)memory, NULL },
    { MHD_OPTION_CONNECTION_TIMEOUT, silence, NULL },
    { MHD_OPTION_STRICT_FOR_CLIENT, 1, NULL },
    { MHD_OPTION_UNESCAPE_CALLBACK, (intptr_t)peersync_http_unescape, NULL },
    { MHD_OPTION_NOTIFY_COMPLETED, (intptr_t)completed, user },
    { MHD_OPTION_NOTIFY_CONNECTION, (intptr_t)notified, user },
    { MHD_OPTION_END, 0, NULL }
  };
  unsigned flags = MHD_USE_EPOLL | MHD_USE_INTERNAL_POLLING_THREAD | MHD_ALLOW_SUSPEND_RESUME;
  return http->start(flags, 0, NULL, NULL, handle, user, MHD_OPTION_ARRAY, options, MHD_OPTION_END);
}

static inline int peersync_http_descriptor(
    const struct peersync_libmicrohttpd *http, struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info = http->info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  return info ? info->connect_fd : -1;
}

static inline const struct sockaddr *peersync_http_address(
    const struct peersync_libmicrohttpd *http, struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info = http->info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
  return info ? info->client_addr : NULL;
}


static inline void peersync_http_stop(const struct peersync_libmicrohttpd *http, struct MHD_Daemon *daemon) {
  http->stop(daemon);
}

static inline int peersync_http_values(
    const struct peersync_libmicrohttpd *http, struct MHD_Connection *connection, enum MHD_ValueKind kind,
    MHD_KeyValueIteratorN each, void *user) {
  return http->values(connection, kind, each, user);
}

static inline void peersync_http_suspend(const struct peersync_libmicrohttpd *http, struct MHD_Connection *connection) {
  http->suspend(connection);
}

static inline void peersync_http_resume(const struct peersync_libmicrohttpd *http, struct MHD_Connection *connection) {
  http->resume(connection);
}

/* The body is copied. */
static inline struct MHD_Response *peersync_http_respond(
    const struct peersync_libmicrohttpd *http, const void *body, size_t size) {
  return http->respond(size, (void *)body, MHD_RESPMEM_MUST_COPY);
}

static inline void peersync_http_add(
    const struct peersync_libmicrohttpd *http, struct MHD_Response *response, const char *name, const char *value) {
  http->add(response, name, value);
}

static inline enum MHD_Result peersync_http_queue(
    const struct peersync_libmicrohttpd *http, struct MHD_Connection *connection, unsigned status,
    struct MHD_Response *response) {
  return http->queue(connection, status, response);
}

static inline void peersync_http_release(const struct peersync_libmicrohttpd *http, struct MHD_Response *response) {
  http->release(response);
}

#endif
