#ifndef PEERSYNC_CICAL_ON_DEMAND_H
#define PEERSYNC_CICAL_ON_DEMAND_H

#include <dlfcn.h>
#include <time.h>

/* libical 3, loaded when the first calendar is read. Only functions that take and return pointers and numbers are used,
   so that neither its headers nor the layout of its structures are needed. */
struct peersync_libical {
  void *(*parse)(const char *);
  void (*free_component)(void *);
  void *(*first_property)(void *, int);
  void *(*next_property)(void *, int);
  char *(*name)(const void *);
  char *(*value)(const void *);
  char *(*parameter)(void *, const char *);
  void (*free_text)(void *);
  int (*expand)(const char *, time_t, int, time_t *);
  int *(*error)(void);
  void (*set_fatal)(int);
};

/* 0 if the library is missing. */
static inline int peersync_libical_load(struct peersync_libical *ical) {
  const char *names[] = { "libical.so.3", "libical.3.dylib" };
  void *library = NULL;
  for (int i = 0; i < 2 && !library; i++) library = dlopen(names[i], RTLD_NOW);
  if (!library) return 0;
  *(void **)&ical->parse = dlsym(library, "icalcomponent_new_from_string");
  *(void **)&ical->free_component = dlsym(library, "icalcomponent_free");
  *(void **)&ical->first_property = dlsym(library, "icalcomponent_get_first_property");
  *(void **)&ical->next_property = dlsym(library, "icalcomponent_get_next_property");
  *(void **)&ical->name = dlsym(library, "icalproperty_get_property_name_r");
  *(void **)&ical->value = dlsym(library, "icalproperty_get_value_as_string_r");
  *(void **)&ical->parameter = dlsym(library, "icalproperty_get_parameter_as_string_r");
  *(void **)&ical->free_text = dlsym(library, "icalmemory_free_buffer");
  *(void **)&ical->expand = dlsym(library, "icalrecur_expand_recurrence");
  *(void **)&ical->error = dlsym(library, "icalerrno_return");
  *(void **)&ical->set_fatal = dlsym(library, "icalerror_set_errors_are_fatal");
  if (!(ical->parse && ical->free_component && ical->first_property && ical->next_property && ical->name && ical->value
        && ical->parameter && ical->free_text && ical->expand && ical->error && ical->set_fatal)) return 0;
  /* Otherwise some builds call abort() on bad input. */
  ical->set_fatal(0);
  return 1;
}

/* NULL if the text does not have a component. */
static inline void *peersync_libical_parse(const struct peersync_libical *ical, const char *text) {
  return ical->parse(text);
}

static inline void peersync_libical_free(const struct peersync_libical *ical, void *component) {
  ical->free_component(component);
}

/* The next property of a component, of any kind; the first property if `again` is not 0. */
static inline void *peersync_libical_property(const struct peersync_libical *ical, void *component, int again) {
  return again ? ical->first_property(component, 0) : ical->next_property(component, 0);
}

/* The functions below return a text, or NULL. The caller frees the text with peersync_libical_free_text. */
static inline char *peersync_libical_name(const struct peersync_libical *ical, const void *property) {
  return ical->name(property);
}

static inline char *peersync_libical_value(const struct peersync_libical *ical, const void *property) {
  return ical->value(property);
}

static inline char *peersync_libical_parameter(
    const struct peersync_libical *ical, void *property, const char *name) {
  return ical->parameter(property, name);
}

static inline void peersync_libical_free_text(const struct peersync_libical *ical, void *text) { ical->free_text(text); }

/* Fills the array with the first occurrences of a rule, ascending, then with 0. Returns 0, or the code of an error. */
static inline int peersync_libical_expand(
    const struct peersync_libical *ical, const char *rule, time_t start, int count, time_t *times) {
  *ical->error() = 0;
  ical->expand(rule, start, count, times);
  return *ical->error();
}

#endif
