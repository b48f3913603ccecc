#ifndef PEERSYNC_CZLIB_ON_DEMAND_H
#define PEERSYNC_CZLIB_ON_DEMAND_H

#include <dlfcn.h>
#include <stddef.h>

/* zlib, loaded for the first message that is deflated. These calls have had this form since zlib 1.2.9, so that its
   header is not needed. */
struct peersync_zlib {
  int (*deflate)(unsigned char *, unsigned long *, const unsigned char *, unsigned long, int);
  int (*inflate)(unsigned char *, unsigned long *, const unsigned char *, unsigned long *);
};

/* 0 if the library is missing. */
static inline int peersync_zlib_load(struct peersync_zlib *zlib) {
  const char *names[] = { "libz.so.1", "libz.1.dylib" };
  void *library = NULL;
  for (int i = 0; i < 2 && !library; i++) library = dlopen(names[i], RTLD_NOW);
  if (!library) return 0;
  *(void **)&zlib->deflate = dlsym(library, "compress2");
  *(void **)&zlib->inflate = dlsym(library, "uncompress2");
  return zlib->deflate && zlib->inflate;
}

/* The number of bytes written; 0 if they do not fit into `room`. */
static inline long peersync_zlib_deflate(
    const struct peersync_zlib *zlib, const unsigned char *bytes, long count, unsigned char *output, long room) {
  unsigned long written = (unsigned long)room;
  return zlib->deflate(output, &written, bytes, (unsigned long)count, 1 /* the fastest */) == 0 ? (long)written : 0;
}

/* Returns 0 unless the bytes are exactly one stream, which inflates to exactly `room` bytes. */
static inline int peersync_zlib_inflate(
    const struct peersync_zlib *zlib, const unsigned char *bytes, long count, unsigned char *output, long room) {
  unsigned long written = (unsigned long)room, read = (unsigned long)count;
  int status = zlib->inflate(output, &written, bytes, &read);
  return status == 0 && written == (unsigned long)room && read == (unsigned long)count;
}

#endif
