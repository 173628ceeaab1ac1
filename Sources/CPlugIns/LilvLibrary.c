// SPDX-License-Identifier: Apache-2.0
#include "Lilv.h"

#include "Loader.h"

static LilvTable table;
static const LibrarySymbol symbols[] = {LIBRARY_SYMBOLS(LILV_FUNCTIONS)};
static Library library = {.files = {"liblilv-0.so.0"}, .package = "liblilv-0-0", .symbols = symbols,
                          .count = LIBRARY_COUNT(symbols), .table = &table};

const LilvTable *lilv_open(void) { return library_load(&library) ? &table : NULL; }

const char *lilv_reason(void) { return library.reason; }
