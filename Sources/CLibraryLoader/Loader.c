// SPDX-License-Identifier: Apache-2.0
#include "Loader.h"

#include <dlfcn.h>
#include <stdio.h>

#include "ForkLock.h"

FORK_LOCK(lock)

static bool load(Library *library) {
  void *handle = NULL;
  for (size_t i = 0; !handle && i < LIBRARY_COUNT(library->files) && library->files[i]; i++) {
    // Not global: one library's names must not replace those of another.
    handle = dlopen(library->files[i], RTLD_NOW | RTLD_LOCAL);
  }
  if (!handle) {
    const char *error = dlerror();
    snprintf(library->reason, sizeof library->reason, "%s cannot be opened (package %s): %s",
             library->files[0], library->package, error ? error : "no reason given");
    return false;
  }
  void **slot = library->table;
  for (size_t i = 0; i < library->count; i++) {
    slot[i] = dlsym(handle, library->symbols[i].name);
    if (!slot[i]) {
      snprintf(library->reason, sizeof library->reason, "%s has no function %s: it is too old",
               library->files[0], library->symbols[i].name);
      dlclose(handle);
      return false;
    }
  }
  library->handle = handle;
  return true;
}

void *library_find(const Library *library, const char *name) { return dlsym(library->handle, name); }

bool library_load(Library *library) {
  pthread_mutex_lock(&lock);
  if (!library->is_loaded) library->is_loaded = load(library);
  bool is_loaded = library->is_loaded;
  pthread_mutex_unlock(&lock);
  return is_loaded;
}
