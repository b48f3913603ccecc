#ifndef PEERSYNC_CCURL_H
#define PEERSYNC_CCURL_H

#include <curl/curl.h>
#include <string.h>

/* Functions with a variable number of arguments are not seen by Swift: one for each type of argument. */
static inline CURLcode peersync_curl_set_number(CURL *handle, CURLoption option, long number) {
  return curl_easy_setopt(handle, option, number);
}

/* libcurl copies the text. */
static inline CURLcode peersync_curl_set_text(CURL *handle, CURLoption option, const char *text) {
  return curl_easy_setopt(handle, option, text);
}

static inline CURLcode peersync_curl_set_list(CURL *handle, CURLoption option, struct curl_slist *list) {
  return curl_easy_setopt(handle, option, list);
}

static inline CURLcode peersync_curl_get_number(CURL *handle, CURLINFO info, long *number) {
  return curl_easy_getinfo(handle, info, number);
}

static inline CURLcode peersync_curl_get_offset(CURL *handle, CURLINFO info, curl_off_t *number) {
  return curl_easy_getinfo(handle, info, number);
}

static inline CURLMcode peersync_curl_multi_set(CURLM *multi, CURLMoption option, long number) {
  return curl_multi_setopt(multi, option, number);
}

/* The body of a request, and the beginning of its answer's; what is longer is passed over. */
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

/* Called before a request is sent, over whatever connection: the second time libcurl would send it again. */
static int peersync_begin(void *user, char *peer, char *local, int peer_port, int local_port) {
  struct peersync_exchange *exchange = (struct peersync_exchange *)user;
  (void)peer, (void)local, (void)peer_port, (void)local_port;
  return exchange->begun++ ? CURL_PREREQFUNC_ABORT : CURL_PREREQFUNC_OK;
}

/* The exchange must stay in its place until the request is done.

   libcurl never sends a request again by itself: not one whose body has begun, as there is no function to go back to its
   start, and no other either, such as one that the service has reset with HTTP_1_1_REQUIRED (RFC 9113, section 7), which
   it would send as HTTP/1.1. */
static inline CURLcode peersync_curl_set_exchange(CURL *handle, struct peersync_exchange *exchange) {
  CURLcode code = curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, peersync_collect);
  if (code == CURLE_OK) code = curl_easy_setopt(handle, CURLOPT_WRITEDATA, (void *)exchange);
  if (code == CURLE_OK) code = curl_easy_setopt(handle, CURLOPT_PREREQFUNCTION, peersync_begin);
  if (code == CURLE_OK) code = curl_easy_setopt(handle, CURLOPT_PREREQDATA, (void *)exchange);
  if (code == CURLE_OK) code = curl_easy_setopt(handle, CURLOPT_READFUNCTION, peersync_feed);
  return code == CURLE_OK ? curl_easy_setopt(handle, CURLOPT_READDATA, (void *)exchange) : code;
}

/* Fills in the body of the next request, for which there must be room. */
static inline CURLcode peersync_curl_set_body(
    CURL *handle, struct peersync_exchange *exchange, const void *bytes, size_t size) {
  if (size > sizeof exchange->request) return CURLE_BAD_FUNCTION_ARGUMENT;
  memcpy(exchange->request, bytes, size);
  exchange->size = size;
  exchange->sent = exchange->count = 0;
  exchange->begun = 0;
  return curl_easy_setopt(handle, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)size);
}

#endif
