/* One program that is several tools: the name by which it is run selects one. */
#include <stdio.h>
#include <string.h>

#define TOOL(name) extern int name##_main(int, char **);
#include "tools.h"
#undef TOOL

static const struct {
  const char *name;
  int (*main)(int, char **);
} tools[] = {
#define TOOL(name) { #name, name##_main },
#include "tools.h"
#undef TOOL
};

#ifdef COMMIT
const char peersync_commit[] = COMMIT;
#endif

int main(int count, char **words) {
  const char *word = count > 0 ? words[0] : "";
  const char *slash = strrchr(word, '/');
  const char *name = slash ? slash + 1 : word;
  for (size_t i = 0; i < sizeof tools / sizeof *tools; i++)
    if (strcmp(tools[i].name, name) == 0) return tools[i].main(count, words);
  fprintf(stderr, "'%s' is not a tool in this file:", name);
  for (size_t i = 0; i < sizeof tools / sizeof *tools; i++) fprintf(stderr, " %s", tools[i].name);
  fputc('\n', stderr);
  return 64;
}
