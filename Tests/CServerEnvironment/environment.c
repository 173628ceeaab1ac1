// SPDX-License-Identifier: Apache-2.0
#include "CServerEnvironment.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char folder[64];
static char name[32];

__attribute__((constructor)) static void point_to_private_servers(void) {
  snprintf(folder, sizeof folder, "/tmp/audio-servers-%d", (int)getpid());
  snprintf(name, sizeof name, "au-test-%d", (int)getpid());
  setenv("PIPEWIRE_RUNTIME_DIR", folder, 1);
  setenv("JACK_DEFAULT_SERVER", name, 1);
  setenv("JACK_NO_START_SERVER", "1", 1);
  setenv("JACK_NO_AUDIO_RESERVATION", "1", 1);
}

const char *server_folder(void) { return folder; }
const char *jack_server_name(void) { return name; }
