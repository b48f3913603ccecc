// Prints COUNT records of a kind, the same for the same seed.
// usage: generate KIND old|new COUNT [SEED]
// NEW is a second snapshot: 10 % of the records changed later, 2 % gone, 3 % added. Both are shuffled.

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { blankLines = 100000, longRecord = 1 << 20 };

static uint64_t seed = 1;

// The finalizer of splitmix64: one to one, so that different numbers give different keys.
static uint64_t mix(uint64_t x) {
  x += 0x9E3779B97F4A7C15;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EB;
  return x ^ (x >> 31);
}

// A number below n that depends on the seed, a record and a purpose alone.
static unsigned pick(uint64_t record, unsigned purpose, unsigned n) {
  return mix(mix(seed * 64 + purpose) ^ record) % n;
}

// Where a record goes: a Feistel network, walked until it ends below count, is a permutation in no memory.
static uint64_t shuffled(uint64_t place, uint64_t count, uint64_t salt) {
  unsigned half = 1;
  while (half < 31 && (UINT64_C(1) << (2 * half)) < count) half++;
  uint64_t mask = (UINT64_C(1) << half) - 1;
  do {
    for (unsigned round = 0; round < 4; round++) {
      uint64_t right = place & mask;
      place = (right << half) | ((place >> half) ^ (mix((salt * 8 + round) ^ (right << 20)) & mask));
    }
  } while (place >= count);
  return place;
}

static const char *verbs[] = {"Water", "Clean", "Repair", "Sort", "Move", "Fold", "Paint"};
static const char *things[] = {"plants", "windows", "shelves", "boxes", "papers", "tools", "shoes", "lamps"};
static const char *notes[] = {
  "Second floor: take the long ladder, two dry cloths and the bucket",
  "Caf\u00e9, second floor: take the long ladder and two dry cl\u00f6ths \u2603",
  "Caf\\u00e9, \\\"second\\\" floor:\\ntake the long ladder, dry cloths",
};

static void printClock(uint64_t record, int changed) {
  printf("%d-%02u-%02uT%02u:%02u:%02u.%03uZ", changed ? 2025 : 2024, 1 + pick(record, 1, 12),
    1 + pick(record, 2, 28), pick(record, 3, 24), pick(record, 4, 60), pick(record, 5, 60), pick(record, 6, 1000));
}

static void printHex(uint64_t record) {
  uint64_t key = mix((seed << 40) ^ record);
  printf("%08" PRIx64 "-%08" PRIx64, key >> 32, key & 0xFFFFFFFF);
}

// A UUID: the key of the record twice, the second time mixed again.
static void printUUID(uint64_t record) {
  uint64_t key = mix((seed << 40) ^ record), other = mix(key);
  printf("%08" PRIx64 "-%04" PRIx64 "-%04" PRIx64 "-%04" PRIx64 "-%012" PRIx64, key >> 32, key >> 16 & 0xFFFF,
    key & 0xFFFF, other >> 48, other & 0xFFFFFFFFFFFF);
}

static const char *entities[] = {"Task", "Member", "List", "Event"};

// The same letters in another order for each record; there are 13! of them.
static void printPermutation(uint64_t record) {
  char letters[] = "abcdefghijklm";
  for (unsigned left = 13; left > 1; left--) {
    unsigned place = record % left;
    record /= left;
    char letter = letters[place];
    letters[place] = letters[left - 1];
    letters[left - 1] = letter;
  }
  fputs(letters, stdout);
}

// Keys that begin alike: the same 8 bytes, 0 to 255 equal bytes, a path of 1 to 24 equal names, a permutation.
static void printAlike(uint64_t record) {
  switch (record % 4) {
    case 0: fputs("task/01/", stdout); break;
    case 1: for (unsigned n = pick(record, 7, 256); n > 0; n--) putchar('a'); break;
    case 2: for (unsigned n = 1 + pick(record, 7, 24); n > 0; n--) fputs("lists/", stdout); break;
    default: printPermutation(record); return;
  }
  printHex(record);
}

// A value of about 1 MiB: letters, escapes and other scripts, or many small objects.
static void printLong(uint64_t record) {
  if (record % 3 < 2) {
    putchar('"');
    for (size_t n = 0; n < longRecord; n += strlen(notes[0])) fputs(notes[record % 3 * 2], stdout);
    putchar('"');
  } else {
    size_t n = printf("[0");
    for (unsigned i = 0; n < longRecord; i++) n += printf(",{\"step\":%u,\"done\":%s}", i, i % 2 ? "true" : "false");
    putchar(']');
  }
}

static int is(const char *a, const char *b) { return strcmp(a, b) == 0; }

static void printShort(const char *kind, uint64_t record, int changed) {
  fputs("{\"id\":\"", stdout);
  if (is(kind, "counter")) printf("%017" PRIu64, record); else printHex(record);
  fputs("\",\"updatedAt\":\"", stdout);
  printClock(record, changed);
  printf("\",\"n\":%u}\n", pick(record, 8, 10));
}

static void printWide(const char *kind, uint64_t record, int changed) {
  int oneKey = is(kind, "one-key") || is(kind, "ties"), isForeign = is(kind, "foreign");
  // The same records of four entities in a shape of their own, and as change lines.
  int isFour = isForeign || is(kind, "four");
  printf(isForeign ? "{\"entity\":\"%s\",\"id\":\"" : "{\"entityName\":\"%s\",\"identity\":{\"id\":\"",
    entities[isFour ? pick(record, 19, 4) : 0]);
  if (isFour) printUUID(record);
  else if (is(kind, "alike")) printAlike(record);
  else printHex(oneKey ? 0 : record);
  printf("\"%s,\"modifiedAt\":\"", isForeign ? "" : "}");
  printClock(is(kind, "ties") ? 0 : record, changed && !is(kind, "ties"));
  printf("\",\"version\":%u,\"fields\":{\"title\":\"%s the %s\",\"notes\":\"%s\"",
    is(kind, "ties") ? 1 : 1 + pick(record, 9, 9) + changed, verbs[pick(record, 10 + changed, 7)],
    things[pick(record, 12, 8)], notes[pick(record, 13, 3)]);
  if (is(kind, "long")) { fputs(",\"more\":", stdout); printLong(record); }
  printf(",\"minutes\":%u,\"done\":%s,\"position\":%u.%u}}\n", pick(record, 14, 240),
    pick(record, 15 + changed, 2) ? "true" : "false", pick(record, 17, 1000), 1 + pick(record, 18, 1000));
}

int main(int count, char **words) {
  if (count < 4) return fputs("usage: generate KIND old|new COUNT [SEED]\n", stderr), 64;
  const char *kind = words[1];
  int isNew = is(words[2], "new"), isShort = is(kind, "short") || is(kind, "counter");
  uint64_t records = strtoull(words[3], NULL, 10), all = records + (isNew ? records * 3 / 100 : 0);
  if (count > 4) seed = strtoull(words[4], NULL, 10);
  setvbuf(stdout, NULL, _IOFBF, 1 << 20);

  for (uint64_t place = 0; place < all; place++) {
    uint64_t record = shuffled(place, all, seed * 2 + isNew);
    unsigned fate = isNew && record < records ? pick(record, 0, 100) : 99;
    if (fate >= 2) (isShort ? printShort : printWide)(kind, record, fate < 12);
    if (is(kind, "blank")) {
      uint64_t blank = (place + 1) * blankLines / all - place * blankLines / all;
      for (; blank > 0; blank--) putchar('\n');
    }
  }
  return fflush(stdout) == 0 && !ferror(stdout) ? 0 : 74;
}
