// SPDX-License-Identifier: Apache-2.0
// The numbers of URIs: chains in a table of fixed size. Entries are never removed, so that reading needs no lock.
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "ForkLock.h"
#include "LV2Host.h"

typedef struct Entry {
  struct Entry *next;
  uint32_t number;
  char uri[];
} Entry;

enum { CHAINS = 4096, PAGE = 1024, PAGES = 4096 };

static _Atomic(Entry *) chains[CHAINS];
static _Atomic(Entry **) pages[PAGES];
static uint32_t count;
FORK_LOCK(lock)

static uint32_t hash(const char *uri) {
  uint32_t value = 2166136261u;
  for (; *uri; uri++) value = (value ^ (uint8_t)*uri) * 16777619u;
  return value % CHAINS;
}

static uint32_t find(uint32_t chain, const char *uri) {
  for (Entry *entry = atomic_load_explicit(&chains[chain], memory_order_acquire); entry; entry = entry->next) {
    if (strcmp(entry->uri, uri) == 0) return entry->number;
  }
  return 0;
}

// Under the lock.
static uint32_t add(uint32_t chain, const char *uri) {
  if (count + 1 >= PAGE * PAGES) return 0;
  size_t length = strlen(uri) + 1;
  Entry *entry = malloc(sizeof *entry + length);
  if (!entry) return 0;
  uint32_t number = count + 1;
  Entry **page = atomic_load(&pages[number / PAGE]);
  if (!page) {
    page = calloc(PAGE, sizeof *page);
    if (!page) {
      free(entry);
      return 0;
    }
    atomic_store_explicit(&pages[number / PAGE], page, memory_order_release);
  }
  memcpy(entry->uri, uri, length);
  entry->number = number;
  entry->next = atomic_load(&chains[chain]);
  atomic_store((_Atomic(Entry *) *)&page[number % PAGE], entry);
  atomic_store_explicit(&chains[chain], entry, memory_order_release);
  count = number;
  return number;
}

uint32_t lv2_map(const char *uri) {
  uint32_t chain = hash(uri);
  uint32_t known = find(chain, uri);
  if (known) return known;
  pthread_mutex_lock(&lock);
  uint32_t number = find(chain, uri);
  if (!number) number = add(chain, uri);
  pthread_mutex_unlock(&lock);
  return number;
}

const char *lv2_unmap(uint32_t number) {
  if (number == 0 || number >= PAGE * PAGES) return NULL;
  Entry **page = atomic_load_explicit(&pages[number / PAGE], memory_order_acquire);
  Entry *entry = page ? atomic_load((_Atomic(Entry *) *)&page[number % PAGE]) : NULL;
  return entry ? entry->uri : NULL;
}
