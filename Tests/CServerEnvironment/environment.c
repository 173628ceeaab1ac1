// SPDX-License-Identifier: Apache-2.0
#include "CServerEnvironment.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern char **environ;

static char folder[64];
static char name[32];
static char socket_path[80];
static char pulse_server[96];
static char alsa_configuration[80];

// Settings of sound servers that the person who runs the tests may have.
static int belongs_to_a_server(const char *entry) {
  static const char *const prefixes[] = {"ALSA_", "JACK_", "PIPEWIRE_", "PULSE_"};
  for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
    if (strncmp(entry, prefixes[i], strlen(prefixes[i])) == 0) return 1;
  }
  return 0;
}

static void forget_other_servers(void) {
  char variable[256];
  for (size_t i = 0; environ[i];) {
    const size_t length = strcspn(environ[i], "=");
    if (belongs_to_a_server(environ[i]) && length < sizeof variable) {
      memcpy(variable, environ[i], length);
      variable[length] = 0;
      unsetenv(variable);  // moves the next one to this place
    } else {
      i++;
    }
  }
}

__attribute__((constructor)) static void point_to_private_servers(void) {
  forget_other_servers();
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
  // As in Scripts/test-environment.sh, for tests that are run without it.
  const char *bank = "/usr/share/sounds/sf2/TimGM6mb.sf2";
  if (access(bank, R_OK) == 0) setenv("AUDIOTOOLBOX_BANK", bank, 0);
}

const char *server_folder(void) { return folder; }
const char *jack_server_name(void) { return name; }
const char *pulse_socket(void) { return socket_path; }
const char *alsa_configuration_file(void) { return alsa_configuration; }
