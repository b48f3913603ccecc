#ifndef PEERSYNC_CCURL_ON_DEMAND_H
#define PEERSYNC_CCURL_ON_DEMAND_H

#include <curl/curl.h>
#include <dlfcn.h>

/* libcurl, loaded when the first request is made: linked, it would double the time that every start takes. */
struct peersync_libcurl {
  CURLcode (*global_init)(long);
  CURL *(*init)(void);
  CURLcode (*set)(CURL *, CURLoption, ...);
  CURLcode (*perform)(CURL *);
  CURLcode (*info)(CURL *, CURLINFO, ...);
  void (*reset)(CURL *);
  void (*cleanup)(CURL *);
  struct curl_slist *(*append)(struct curl_slist *, const char *);
  void (*free_list)(struct curl_slist *);
  const char *(*text)(CURLcode);
};

/* 0 where the library is not there, or is not the one that the header belongs to. */
static inline int peersync_libcurl_load(struct peersync_libcurl *curl) {
  const char *names[] = { "libcurl.so.4", "libcurl-gnutls.so.4", "libcurl.4.dylib" };
  void *library = NULL;
  for (int i = 0; i < 3 && !library; i++) library = dlopen(names[i], RTLD_NOW);
  if (!library) return 0;
  *(void **)&curl->global_init = dlsym(library, "curl_global_init");
  *(void **)&curl->init = dlsym(library, "curl_easy_init");
  *(void **)&curl->set = dlsym(library, "curl_easy_setopt");
  *(void **)&curl->perform = dlsym(library, "curl_easy_perform");
  *(void **)&curl->info = dlsym(library, "curl_easy_getinfo");
  *(void **)&curl->reset = dlsym(library, "curl_easy_reset");
  *(void **)&curl->cleanup = dlsym(library, "curl_easy_cleanup");
  *(void **)&curl->append = dlsym(library, "curl_slist_append");
  *(void **)&curl->free_list = dlsym(library, "curl_slist_free_all");
  *(void **)&curl->text = dlsym(library, "curl_easy_strerror");
  return curl->global_init && curl->init && curl->set && curl->perform && curl->info && curl->reset && curl->cleanup
      && curl->append && curl->free_list && curl->text && curl->global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
}

static inline CURL *peersync_libcurl_init(const struct peersync_libcurl *curl) { return curl->init(); }

static inline CURLcode peersync_libcurl_perform(const struct peersync_libcurl *curl, CURL *handle) {
  return curl->perform(handle);
}

static inline void peersync_libcurl_reset(const struct peersync_libcurl *curl, CURL *handle) { curl->reset(handle); }

static inline void peersync_libcurl_cleanup(const struct peersync_libcurl *curl, CURL *handle) { curl->cleanup(handle); }

static inline struct curl_slist *peersync_libcurl_append(
    const struct peersync_libcurl *curl, struct curl_slist *list, const char *text) {
  return curl->append(list, text);
}

static inline void peersync_libcurl_free_list(const struct peersync_libcurl *curl, struct curl_slist *list) {
  curl->free_list(list);
}

static inline const char *peersync_libcurl_text(const struct peersync_libcurl *curl, CURLcode code) {
  return curl->text(code);
}

static inline CURLcode peersync_libcurl_set_number(
    const struct peersync_libcurl *curl, CURL *handle, CURLoption option, long number) {
  return curl->set(handle, option, number);
}

static inline CURLcode peersync_libcurl_set_size(
    const struct peersync_libcurl *curl, CURL *handle, CURLoption option, curl_off_t number) {
  return curl->set(handle, option, number);
}

static inline CURLcode peersync_libcurl_set_text(
    const struct peersync_libcurl *curl, CURL *handle, CURLoption option, const char *text) {
  return curl->set(handle, option, text);
}

static inline CURLcode peersync_libcurl_set_pointer(
    const struct peersync_libcurl *curl, CURL *handle, CURLoption option, const void *pointer) {
  return curl->set(handle, option, pointer);
}

typedef size_t (*peersync_libcurl_sink)(char *, size_t, size_t, void *);

/* Where the headers of an answer go to, and its body; both with the same pointer. */
static inline CURLcode peersync_libcurl_set_sinks(
    const struct peersync_libcurl *curl, CURL *handle, peersync_libcurl_sink header, peersync_libcurl_sink body,
    void *user) {
  CURLcode code = curl->set(handle, CURLOPT_HEADERFUNCTION, header);
  if (code == CURLE_OK) code = curl->set(handle, CURLOPT_HEADERDATA, user);
  if (code == CURLE_OK) code = curl->set(handle, CURLOPT_WRITEFUNCTION, body);
  return code == CURLE_OK ? curl->set(handle, CURLOPT_WRITEDATA, user) : code;
}

typedef int (*peersync_libcurl_progress)(void *, curl_off_t, curl_off_t, curl_off_t, curl_off_t);

/* Asked about once a second whether the request is to end: not 0 ends it. */
static inline CURLcode peersync_libcurl_set_progress(
    const struct peersync_libcurl *curl, CURL *handle, peersync_libcurl_progress progress) {
  CURLcode code = curl->set(handle, CURLOPT_NOPROGRESS, 0L);
  return code == CURLE_OK ? curl->set(handle, CURLOPT_XFERINFOFUNCTION, progress) : code;
}

static inline CURLcode peersync_libcurl_number(
    const struct peersync_libcurl *curl, CURL *handle, CURLINFO info, long *number) {
  return curl->info(handle, info, number);
}

#endif
