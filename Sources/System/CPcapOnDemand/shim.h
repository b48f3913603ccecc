#ifndef PEERSYNC_CPCAP_ON_DEMAND_H
#define PEERSYNC_CPCAP_ON_DEMAND_H

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/time.h>
#include <unistd.h>

/* libpcap, loaded when a capture is read. Its handle stays opaque. The two structures below have had this layout since
   libpcap 0.4 and are part of its binary interface, so that its headers are not needed. */
struct peersync_packet {
  struct timeval at; /* tv_usec has nanoseconds here: the file is opened with that precision. */
  uint32_t captured;
  uint32_t length;
};

struct peersync_bpf_program {
  unsigned int count;
  void *instructions;
};

struct peersync_libpcap {
  void *(*open)(FILE *, unsigned int, char *);
  int (*link_type)(void *);
  const char *(*link_name)(int);
  int (*next)(void *, struct peersync_packet **, const unsigned char **);
  int (*compile)(void *, struct peersync_bpf_program *, const char *, int, uint32_t);
  int (*set_filter)(void *, struct peersync_bpf_program *);
  void (*free_program)(struct peersync_bpf_program *);
  char *(*error)(void *);
  void (*close)(void *);
};

/* 0 if the library is missing. */
static inline int peersync_libpcap_load(struct peersync_libpcap *pcap) {
  const char *names[] = { "libpcap.so.0.8", "libpcap.so.1", "libpcap.A.dylib" };
  void *library = NULL;
  for (int i = 0; i < 3 && !library; i++) library = dlopen(names[i], RTLD_NOW);
  if (!library) return 0;
  *(void **)&pcap->open = dlsym(library, "pcap_fopen_offline_with_tstamp_precision");
  *(void **)&pcap->link_type = dlsym(library, "pcap_datalink");
  *(void **)&pcap->link_name = dlsym(library, "pcap_datalink_val_to_description");
  *(void **)&pcap->next = dlsym(library, "pcap_next_ex");
  *(void **)&pcap->compile = dlsym(library, "pcap_compile");
  *(void **)&pcap->set_filter = dlsym(library, "pcap_setfilter");
  *(void **)&pcap->free_program = dlsym(library, "pcap_freecode");
  *(void **)&pcap->error = dlsym(library, "pcap_geterr");
  *(void **)&pcap->close = dlsym(library, "pcap_close");
  return pcap->open && pcap->link_type && pcap->link_name && pcap->next && pcap->compile && pcap->set_filter
      && pcap->free_program && pcap->error && pcap->close;
}

/* Opens the file behind a descriptor, which it copies. NULL after an error, with a text of up to 256 bytes in
   `error`. */
static inline void *peersync_libpcap_open(const struct peersync_libpcap *pcap, int descriptor, char *error) {
  int copy = dup(descriptor);
  FILE *file = copy < 0 ? NULL : fdopen(copy, "rb");
  if (!file) {
    if (copy >= 0) close(copy);
    snprintf(error, 256, "no descriptor is left");
    return NULL;
  }
  setvbuf(file, NULL, _IOFBF, 256 << 10);
  void *handle = pcap->open(file, 1 /* nanoseconds */, error);
  if (!handle) fclose(file);
  return handle;
}

static inline int peersync_libpcap_link_type(const struct peersync_libpcap *pcap, void *handle) {
  return pcap->link_type(handle);
}

/* NULL if the library does not know the type. */
static inline const char *peersync_libpcap_link_name(const struct peersync_libpcap *pcap, int type) {
  return pcap->link_name(type);
}

/* 1 with a packet, which is valid until the next call; -2 at the end; -1 for an error. */
static inline int peersync_libpcap_next(
    const struct peersync_libpcap *pcap, void *handle, struct peersync_packet *packet, const unsigned char **bytes) {
  struct peersync_packet *header = NULL;
  int status = pcap->next(handle, &header, bytes);
  if (status == 1) *packet = *header;
  return status;
}

/* 0 if the expression applies from now on. The netmask is not known (PCAP_NETMASK_UNKNOWN). */
static inline int peersync_libpcap_filter(const struct peersync_libpcap *pcap, void *handle, const char *expression) {
  struct peersync_bpf_program program = { 0, NULL };
  if (pcap->compile(handle, &program, expression, 1, 0xffffffff) != 0) return -1;
  int status = pcap->set_filter(handle, &program);
  pcap->free_program(&program);
  return status;
}

static inline const char *peersync_libpcap_error(const struct peersync_libpcap *pcap, void *handle) {
  return pcap->error(handle);
}

static inline void peersync_libpcap_close(const struct peersync_libpcap *pcap, void *handle) { pcap->close(handle); }

#endif
