#ifndef PEERSYNC_CMICROHTTPD_H
#define PEERSYNC_CMICROHTTPD_H

#include <microhttpd.h>
#include <stdint.h>

/* Functions with a variable number of arguments are not seen by Swift.

   The listener is ours. A few threads serve all connections, each connection on one of them; the application's own
   threads suspend and resume them. */
static inline struct MHD_Daemon *peersync_http_start(
    int listener, unsigned threads, unsigned connections, size_t memory, unsigned silence, MHD_AccessHandlerCallback handle,
    MHD_RequestCompletedCallback completed, MHD_NotifyConnectionCallback notified, void *user) {
  struct MHD_OptionItem options[] = {
    { MHD_OPTION_LISTEN_SOCKET, listener, NULL },
    { MHD_OPTION_THREAD_POOL_SIZE, threads, NULL },
    { MHD_OPTION_CONNECTION_LIMIT, connections, NULL },
    { MHD_OPTION_CONNECTION_MEMORY_LIMIT, (intptr_t)memory, NULL },
    { MHD_OPTION_CONNECTION_TIMEOUT, silence, NULL },
    { MHD_OPTION_STRICT_FOR_CLIENT, 1, NULL },
    { MHD_OPTION_NOTIFY_COMPLETED, (intptr_t)completed, user },
    { MHD_OPTION_NOTIFY_CONNECTION, (intptr_t)notified, user },
    { MHD_OPTION_END, 0, NULL }
  };
  unsigned flags = MHD_USE_EPOLL | MHD_USE_INTERNAL_POLLING_THREAD | MHD_ALLOW_SUSPEND_RESUME;
  return MHD_start_daemon(flags, 0, NULL, NULL, handle, user, MHD_OPTION_ARRAY, options, MHD_OPTION_END);
}

static inline int peersync_http_descriptor(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  return info ? info->connect_fd : -1;
}

static inline const struct sockaddr *peersync_http_address(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
  return info ? info->client_addr : NULL;
}

#endif
