/* Many HTTP connections on one thread, so that the client is not what is measured.
 *
 * usage: waiters reads PORT CONNECTIONS SECONDS PATH [KEYS]
 *        waiters wait PORT CONNECTIONS PATH KEYS
 *
 * KEYS is a file with a key a line, used in turn. `reads` asks for PATH again and again over each connection, and prints
 * how many answers came and how many of them were not 200. `wait` sends one request on each, prints "waiting", and at
 * each line of input the times, in nanoseconds of the monotonic clock, at which answers have come since. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { ROOM = 8192 };

struct connection {
  int raw, key;
  size_t filled;
  long wanted; /* bytes of the whole answer; 0 before its head is there */
  char bytes[ROOM];
};

static struct connection *all;
static char (*keys)[256];
static int count, key_count, port, events;
static const char *path;

static void fail(const char *what) {
  perror(what);
  exit(1);
}

static long long now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static void read_keys(const char *name) {
  FILE *file = fopen(name, "r");
  if (!file) fail(name);
  keys = malloc(sizeof *keys * 100000);
  while (key_count < 100000 && fgets(keys[key_count], 256, file)) {
    keys[key_count][strcspn(keys[key_count], "\n")] = 0;
    key_count++;
  }
  fclose(file);
}

static void ask(struct connection *one) {
  char text[1024];
  int size = snprintf(text, sizeof text, "GET %s HTTP/1.1\r\nHost: a\r\n", path);
  if (key_count) {
    size += snprintf(text + size, sizeof text - size, "Authorization: Bearer %s\r\n", keys[one->key]);
    one->key = (one->key + count) % key_count;
  }
  size += snprintf(text + size, sizeof text - size, "\r\n");
  one->filled = 0;
  one->wanted = 0;
  if (send(one->raw, text, size, MSG_NOSIGNAL) != size) fail("send");
}

static void open_all(void) {
  struct rlimit limit;
  getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
  all = calloc(count, sizeof *all);
  events = epoll_create1(0);
  for (int i = 0; i < count; i++) {
    struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = htons(port) };
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int on = 1, raw = socket(AF_INET, SOCK_STREAM, 0);
    if (raw < 0 || connect(raw, (struct sockaddr *)&address, sizeof address)) fail("connect");
    setsockopt(raw, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    fcntl(raw, F_SETFL, O_NONBLOCK);
    all[i].raw = raw;
    all[i].key = key_count ? i % key_count : 0;
    struct epoll_event event = { .events = EPOLLIN, .data.ptr = &all[i] };
    epoll_ctl(events, EPOLL_CTL_ADD, raw, &event);
    ask(&all[i]);
  }
}

/* The status of an answer that is there as a whole; 0 of one that is not. */
static int take(struct connection *one) {
  ssize_t got = recv(one->raw, one->bytes + one->filled, ROOM - 1 - one->filled, 0);
  if (got < 0 && errno == EAGAIN) return 0;
  if (got <= 0) {
    fprintf(stderr, "a connection has ended\n");
    exit(1);
  }
  one->filled += got;
  one->bytes[one->filled] = 0;
  if (!one->wanted) {
    char *end = strstr(one->bytes, "\r\n\r\n"), *length = strcasestr(one->bytes, "content-length:");
    if (!end || !length) return 0;
    one->wanted = end + 4 - one->bytes + atol(length + 15);
  }
  return (long)one->filled >= one->wanted ? atoi(one->bytes + 9) : 0;
}

static void reads(double seconds) {
  long answers = 0, others = 0;
  int other = 0;
  long long begun = now(), end = begun + (long long)(seconds * 1e9);
  struct epoll_event found[256];
  while (now() < end) {
    int ready = epoll_wait(events, found, 256, 100);
    for (int i = 0; i < ready; i++) {
      int status = take(found[i].data.ptr);
      if (!status) continue;
      answers++;
      if (status != 200) {
        others++;
        other = status;
      }
      ask(found[i].data.ptr);
    }
  }
  printf("%ld %ld %.3f %d\n", answers, others, (now() - begun) / 1e9, other);
}

static void wait_for_changes(void) {
  struct epoll_event input = { .events = EPOLLIN, .data.ptr = NULL }, found[256];
  epoll_ctl(events, EPOLL_CTL_ADD, 0, &input);
  long long *times = malloc(sizeof *times * count);
  int come = 0;
  puts("waiting");
  fflush(stdout);
  for (;;) {
    int ready = epoll_wait(events, found, 256, -1);
    for (int i = 0; i < ready; i++) {
      if (found[i].data.ptr) {
        if (take(found[i].data.ptr)) times[come++] = now();
        continue;
      }
      char line[16];
      if (read(0, line, sizeof line) <= 0) exit(0);
      for (int j = 0; j < come; j++) printf("%lld ", times[j]);
      puts("");
      fflush(stdout);
      come = 0;
    }
  }
}

int main(int argc, char **argv) {
  if (argc < 6) return 64;
  port = atoi(argv[2]);
  count = atoi(argv[3]);
  if (!strcmp(argv[1], "wait")) {
    path = argv[4];
    read_keys(argv[5]);
    open_all();
    wait_for_changes();
  }
  path = argv[5];
  if (argc > 6) read_keys(argv[6]);
  open_all();
  reads(atof(argv[4]));
  return 0;
}
