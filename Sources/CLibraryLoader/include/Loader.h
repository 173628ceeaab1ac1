// SPDX-License-Identifier: Apache-2.0
// Opens a shared library at run time and fills a table with its functions. Nothing is linked: a
// program also starts on a machine that does not have the library.
//
//   #define FUNCTIONS(F) F(snd_pcm_open) F(snd_pcm_close)      // as the library's header declares them
//   static LIBRARY_TABLE(FUNCTIONS) alsa;                       // alsa.snd_pcm_open(...)
//   static const LibrarySymbol symbols[] = {LIBRARY_SYMBOLS(FUNCTIONS)};
//   static Library library = {.files = {"libasound.so.2"}, .package = "libasound2",
//                             .symbols = symbols, .count = LIBRARY_COUNT(symbols), .table = &alsa};
//   if (!library_load(&library)) return library.reason;
#pragma once
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct LibrarySymbol {
  const char *name;
} LibrarySymbol;

typedef struct Library {
  /// File names to try; the first that opens is used.
  const char *files[3];
  /// The Debian package that contains it.
  const char *package;
  const LibrarySymbol *symbols;
  size_t count;
  /// `count` function pointers, in the order of `symbols`.
  void *table;
  /// Why it could not be loaded.
  char reason[256];
  bool is_loaded;
  /// What dlopen returned for it.
  void *handle;
} Library;

#define LIBRARY_MEMBER(function) __typeof__(function) *function;
#define LIBRARY_SYMBOL(function) {#function},
#define LIBRARY_TABLE(FUNCTIONS) struct { FUNCTIONS(LIBRARY_MEMBER) }
#define LIBRARY_SYMBOLS(FUNCTIONS) FUNCTIONS(LIBRARY_SYMBOL)
#define LIBRARY_COUNT(symbols) (sizeof(symbols) / sizeof(symbols)[0])

/// Loads the library unless it is already loaded. After a failure (false) `reason` is set, and the call
/// may be repeated. A loaded library is never closed: its own threads may still run. [control thread]
bool library_load(Library *library);

/// A function of a loaded library, or of the libraries that it needs; null if none of them has it. [control thread]
void *library_find(const Library *library, const char *name);
