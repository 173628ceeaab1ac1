// SPDX-License-Identifier: Apache-2.0
#include "PlugInGuard.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>

char *locale_name(void) {
  const char *name = setlocale(LC_ALL, NULL);
  return name ? strdup(name) : NULL;
}

void locale_restore(char *name) {
  if (!name) return;
  const char *now = setlocale(LC_ALL, NULL);
  if (!now || strcmp(now, name) != 0) setlocale(LC_ALL, name);
  free(name);
}
