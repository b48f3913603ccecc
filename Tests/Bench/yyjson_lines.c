// Reads each line of a file with yyjson, takes entityName, identity.id and modifiedAt; prints how many had all.
// usage: yyjson_lines FILE | --version

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "yyjson.h"

// One pool for all lines, so that the yardstick allocates nothing in its loop; 1 MiB lines fit.
enum { poolSize = 64 << 20 };

static int hasMembers(const char *line, size_t length, yyjson_alc *pool) {
  yyjson_doc *document = yyjson_read_opts((char *)line, length, YYJSON_READ_NOFLAG, pool, NULL);
  if (document == NULL) return 0;
  yyjson_val *root = yyjson_doc_get_root(document);
  int all = yyjson_is_str(yyjson_obj_get(root, "entityName")) &&
    yyjson_is_str(yyjson_obj_get(yyjson_obj_get(root, "identity"), "id")) &&
    yyjson_is_str(yyjson_obj_get(root, "modifiedAt"));
  yyjson_doc_free(document);
  return all;
}

int main(int count, char **words) {
  if (count != 2) return fputs("usage: yyjson_lines FILE | --version\n", stderr), 64;
  if (strcmp(words[1], "--version") == 0) return puts(YYJSON_VERSION_STRING) < 0;

  struct stat about;
  int file = open(words[1], O_RDONLY);
  if (file < 0 || fstat(file, &about) != 0) return perror(words[1]), 66;
  size_t size = about.st_size;
  const char *text = mmap(NULL, size, PROT_READ, MAP_PRIVATE, file, 0);
  if (text == MAP_FAILED) return perror(words[1]), 71;

  yyjson_alc pool;
  yyjson_alc_pool_init(&pool, malloc(poolSize), poolSize);
  size_t lines = 0;
  for (const char *line = text, *end = text + size; line < end;) {
    const char *feed = memchr(line, '\n', end - line);
    size_t length = (feed != NULL ? feed : end) - line;
    lines += hasMembers(line, length, &pool);
    line += length + 1;
  }
  return printf("%zu\n", lines) < 0;
}
