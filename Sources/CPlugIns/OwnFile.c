// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "OwnFile.h"

#include <dlfcn.h>
#include <link.h>
#include <stddef.h>

const char *plug_in_own_library(void) {
  Dl_info information;
  struct link_map *map;
  if (!dladdr1((const void *)plug_in_own_library, &information, (void **)&map, RTLD_DL_LINKMAP)) return NULL;
  // The program has no name there.
  return map->l_name && map->l_name[0] ? map->l_name : NULL;
}
