#ifndef PEERSYNC_CCOMMIT_H
#define PEERSYNC_CCOMMIT_H

/* The commit of installed tools, from Sources/Together/main.c; empty in other builds. */
#ifdef __linux__
extern const char peersync_commit[] __attribute__((weak));
static inline const char *peersync_commit_text(void) { return peersync_commit ? peersync_commit : ""; }
#else
static inline const char *peersync_commit_text(void) { return ""; }
#endif

#endif
