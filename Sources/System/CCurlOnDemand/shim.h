#ifndef PEERSYNC_CCURL_ON_DEMAND_H
#define PEERSYNC_CCURL_ON_DEMAND_H

#include <curl/curl.h>
#include <dlfcn.h>
#include <string.h>

/* libcurl, loaded for the first request. If it were linked, every start of a tool would take twice as long. */
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
  time_t (*date)(const char *, const time_t *);
  CURLM *(*multi_init)(void);
  CURLMcode (*multi_set)(CURLM *, CURLMoption, ...);
  CURLMcode (*multi_add)(CURLM *, CURL *);
  CURLMcode (*multi_remove)(CURLM *, CURL *);
  CURLMcode (*multi_perform)(CURLM *, int *);
  CURLMcode (*multi_poll)(CURLM *, struct curl_waitfd *, unsigned, int, int *);
  CURLMsg *(*multi_read)(CURLM *, int *);
  CURLMcode (*multi_cleanup)(CURLM *);
  const char *(*multi_text)(CURLMcode);
};

/* 0 if the library is missing, or does not match the header. */
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
  *(void **)&curl->date = dlsym(library, "curl_getdate");
  *(void **)&curl->multi_init = dlsym(library, "curl_multi_init");
  *(void **)&curl->multi_set = dlsym(library, "curl_multi_setopt");
  *(void **)&curl->multi_add = dlsym(library, "curl_multi_add_handle");
  *(void **)&curl->multi_remove = dlsym(library, "curl_multi_remove_handle");
  *(void **)&curl->multi_perform = dlsym(library, "curl_multi_perform");
  *(void **)&curl->multi_poll = dlsym(library, "curl_multi_poll");
  *(void **)&curl->multi_read = dlsym(library, "curl_multi_info_read");
  *(void **)&curl->multi_cleanup = dlsym(library, "curl_multi_cleanup");
  *(void **)&curl->multi_text = dlsym(library, "curl_multi_strerror");
  void *const *functions = (void *const *)curl;
  for (size_t i = 0; i < sizeof *curl / sizeof *functions; i++)
    if (!functions[i]) return 0;
  return curl->global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
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

/* The seconds since 1970 of a date in any of the forms of HTTP; -1 if it is not a date. */
static inline time_t peersync_libcurl_date(const struct peersync_libcurl *curl, const char *text) {
  return curl->date(text, NULL);
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

/* Trusts only the certificates in this file.

   libcurl also reads the folder of certificates that it was built with, unless another folder is set. NULL would not
   do: since version 8.17 it means the built-in folder. Nothing can be below /dev/null. */
static inline CURLcode peersync_libcurl_trust_only(const struct peersync_libcurl *curl, CURL *handle, const char *file) {
  CURLcode code = curl->set(handle, CURLOPT_CAINFO, file);
  if (code != CURLE_OK) return code;
  code = curl->set(handle, CURLOPT_CAPATH, "/dev/null");
  /* A TLS library that cannot read such a folder does not have a built-in one either. */
  return code == CURLE_NOT_BUILT_IN ? CURLE_OK : code;
}

typedef size_t (*peersync_libcurl_sink)(char *, size_t, size_t, void *);

/* Sets the receivers of an answer's headers and body, with one pointer for both. */
static inline CURLcode peersync_libcurl_set_sinks(
    const struct peersync_libcurl *curl, CURL *handle, peersync_libcurl_sink header, peersync_libcurl_sink body,
    void *user) {
  CURLcode code = curl->set(handle, CURLOPT_HEADERFUNCTION, header);
  if (code == CURLE_OK) code = curl->set(handle, CURLOPT_HEADERDATA, user);
  if (code == CURLE_OK) code = curl->set(handle, CURLOPT_WRITEFUNCTION, body);
  return code == CURLE_OK ? curl->set(handle, CURLOPT_WRITEDATA, user) : code;
}

typedef int (*peersync_libcurl_progress)(void *, curl_off_t, curl_off_t, curl_off_t, curl_off_t);

/* Called about once a second; a result other than 0 ends the request. */
static inline CURLcode peersync_libcurl_set_progress(
    const struct peersync_libcurl *curl, CURL *handle, peersync_libcurl_progress progress) {
  CURLcode code = curl->set(handle, CURLOPT_NOPROGRESS, 0L);
  return code == CURLE_OK ? curl->set(handle, CURLOPT_XFERINFOFUNCTION, progress) : code;
}

static inline CURLcode peersync_libcurl_number(
    const struct peersync_libcurl *curl, CURL *handle, CURLINFO info, long *number) {
  return curl->info(handle, info, number);
}

/* A handle for requests that run at the same time. */
static inline CURLM *peersync_libcurl_multi_init(const struct peersync_libcurl *curl) { return curl->multi_init(); }

static inline CURLMcode peersync_libcurl_multi_set(
    const struct peersync_libcurl *curl, CURLM *multi, CURLMoption option, long number) {
  return curl->multi_set(multi, option, number);
}

static inline CURLMcode peersync_libcurl_multi_add(const struct peersync_libcurl *curl, CURLM *multi, CURL *handle) {
  return curl->multi_add(multi, handle);
}

static inline CURLMcode peersync_libcurl_multi_remove(const struct peersync_libcurl *curl, CURLM *multi, CURL *handle) {
  return curl->multi_remove(multi, handle);
}

static inline CURLMcode peersync_libcurl_multi_perform(const struct peersync_libcurl *curl, CURLM *multi, int *running) {
  return curl->multi_perform(multi, running);
}

/* Waits up to this many milliseconds. */
static inline CURLMcode peersync_libcurl_multi_poll(const struct peersync_libcurl *curl, CURLM *multi, int milliseconds) {
  return curl->multi_poll(multi, NULL, 0, milliseconds, NULL);
}

static inline CURLMsg *peersync_libcurl_multi_read(const struct peersync_libcurl *curl, CURLM *multi, int *left) {
  return curl->multi_read(multi, left);
}

static inline CURLMcode peersync_libcurl_multi_cleanup(const struct peersync_libcurl *curl, CURLM *multi) {
  return curl->multi_cleanup(multi);
}

static inline const char *peersync_libcurl_multi_text(const struct peersync_libcurl *curl, CURLMcode code) {
  return curl->multi_text(code);
}

static inline CURLcode peersync_libcurl_offset(
    const struct peersync_libcurl *curl, CURL *handle, CURLINFO info, curl_off_t *number) {
  return curl->info(handle, info, number);
}

/* The body of a request, and the beginning of the body of its answer; the rest of the answer is skipped. */
struct peersync_exchange {
  int begun;
  size_t size;
  size_t sent;
  char request[4096];
  size_t count;
  char answer[4096];
};

static size_t peersync_feed(char *bytes, size_t size, size_t count, void *user) {
  struct peersync_exchange *exchange = (struct peersync_exchange *)user;
  size_t left = exchange->size - exchange->sent;
  size_t given = left < size * count ? left : size * count;
  memcpy(bytes, exchange->request + exchange->sent, given);
  exchange->sent += given;
  return given;
}

static size_t peersync_collect(char *bytes, size_t size, size_t count, void *user) {
  struct peersync_exchange *exchange = (struct peersync_exchange *)user;
  size_t total = size * count;
  size_t room = sizeof exchange->answer - exchange->count;
  size_t taken = total < room ? total : room;
  memcpy(exchange->answer + exchange->count, bytes, taken);
  exchange->count += taken;
  return total;
}

/* Called before a request is sent over any connection. The second call aborts it: libcurl would send it again. */
static int peersync_begin(void *user, char *peer, char *local, int peer_port, int local_port) {
  struct peersync_exchange *exchange = (struct peersync_exchange *)user;
  (void)peer, (void)local, (void)peer_port, (void)local_port;
  return exchange->begun++ ? CURL_PREREQFUNC_ABORT : CURL_PREREQFUNC_OK;
}

/* The exchange must stay in its place until the request is done.

   libcurl never repeats a request by itself: it cannot rewind a body that has begun, and `peersync_begin` aborts all
   other repetitions, such as one as HTTP/1.1 after a reset with HTTP_1_1_REQUIRED (RFC 9113, section 7). */
static inline CURLcode peersync_libcurl_set_exchange(
    const struct peersync_libcurl *curl, CURL *handle, struct peersync_exchange *exchange) {
  CURLcode code = curl->set(handle, CURLOPT_WRITEFUNCTION, peersync_collect);
  if (code == CURLE_OK) code = curl->set(handle, CURLOPT_WRITEDATA, (void *)exchange);
  if (code == CURLE_OK) code = curl->set(handle, CURLOPT_PREREQFUNCTION, peersync_begin);
  if (code == CURLE_OK) code = curl->set(handle, CURLOPT_PREREQDATA, (void *)exchange);
  if (code == CURLE_OK) code = curl->set(handle, CURLOPT_READFUNCTION, peersync_feed);
  return code == CURLE_OK ? curl->set(handle, CURLOPT_READDATA, (void *)exchange) : code;
}

/* Fills in the body of the next request, for which there must be room. */
static inline CURLcode peersync_libcurl_set_body(
    const struct peersync_libcurl *curl, CURL *handle, struct peersync_exchange *exchange, const void *bytes, size_t size) {
  if (size > sizeof exchange->request) return CURLE_BAD_FUNCTION_ARGUMENT;
  memcpy(exchange->request, bytes, size);
  exchange->size = size;
  exchange->sent = exchange->count = 0;
  exchange->begun = 0;
  return curl->set(handle, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)size);
}

#endif
