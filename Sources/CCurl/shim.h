#ifndef PEERSYNC_CCURL_H
#define PEERSYNC_CCURL_H

#include <curl/curl.h>
#include <string.h>

/* Functions with a variable number of arguments are not seen by Swift: one for each type of argument. */
static inline CURLcode peersync_curl_set_number(CURL *handle, CURLoption option, long number) {
  return curl_easy_setopt(handle, option, number);
}

/* libcurl copies the text, except that of CURLOPT_POSTFIELDS. */
static inline CURLcode peersync_curl_set_text(CURL *handle, CURLoption option, const char *text) {
  return curl_easy_setopt(handle, option, text);
}

static inline CURLcode peersync_curl_set_list(CURL *handle, CURLoption option, struct curl_slist *list) {
  return curl_easy_setopt(handle, option, list);
}

/* The body of a request, which libcurl copies. */
static inline CURLcode peersync_curl_set_body(CURL *handle, const void *bytes, size_t count) {
  CURLcode code = curl_easy_setopt(handle, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)count);
  return code == CURLE_OK ? curl_easy_setopt(handle, CURLOPT_COPYPOSTFIELDS, bytes) : code;
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

/* The beginning of an answer's body; what is longer is passed over. */
struct peersync_answer {
  size_t count;
  char body[4096];
};

static size_t peersync_collect(char *bytes, size_t size, size_t count, void *user) {
  struct peersync_answer *answer = (struct peersync_answer *)user;
  size_t total = size * count;
  size_t room = sizeof answer->body - answer->count;
  size_t taken = total < room ? total : room;
  memcpy(answer->body + answer->count, bytes, taken);
  answer->count += taken;
  return total;
}

/* The answer must stay in its place until the request is done. */
static inline CURLcode peersync_curl_collect(CURL *handle, struct peersync_answer *answer) {
  CURLcode code = curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, peersync_collect);
  return code == CURLE_OK ? curl_easy_setopt(handle, CURLOPT_WRITEDATA, (void *)answer) : code;
}

#endif
