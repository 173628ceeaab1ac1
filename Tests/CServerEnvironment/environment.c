// SPDX-License-Identifier: Apache-2.0
#include "CServerEnvironment.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char folder[64];
static char name[32];
static char socket_path[80];
static char pulse_server[96];
static char alsa_configuration[80];

__attribute__((constructor)) static void point_to_private_servers(void) {
  snprintf(folder, sizeof folder, "/tmp/audio-servers-%d", (int)getpid());
  snprintf(name, sizeof name, "au-test-%d", (int)getpid());
  snprintf(socket_path, sizeof socket_path, "%s/pulse.socket", folder);
  snprintf(pulse_server, sizeof pulse_server, "unix:%s", socket_path);
  snprintf(alsa_configuration, sizeof alsa_configuration, "%s/asound.conf", folder);
  setenv("PIPEWIRE_RUNTIME_DIR", folder, 1);
  setenv("PULSE_SERVER", pulse_server, 1);
  setenv("ALSA_CONFIG_PATH", alsa_configuration, 1);
  setenv("JACK_DEFAULT_SERVER", name, 1);
  setenv("JACK_NO_START_SERVER", "1", 1);
  setenv("JACK_NO_AUDIO_RESERVATION", "1", 1);
}

const char *server_folder(void) { return folder; }
const char *jack_server_name(void) { return name; }
const char *pulse_socket(void) { return socket_path; }
const char *alsa_configuration_file(void) { return alsa_configuration; }
