// SPDX-License-Identifier: Apache-2.0
// The smallest client that plays two channels to a JACK server: the minimum cost of a cycle.
#include <jack/jack.h>
#include <string.h>
#include <unistd.h>

static jack_port_t *ports[2];
static float table[8192];

static int process(jack_nframes_t frames, void *context) {
  (void)context;
  for (int i = 0; i < 2; i++) memcpy(jack_port_get_buffer(ports[i], frames), table, frames * 4);
  return 0;
}

int main(void) {
  jack_client_t *client = jack_client_open("smallest", JackNoStartServer, NULL);
  if (!client) return 1;
  jack_set_process_callback(client, process, NULL);
  ports[0] = jack_port_register(client, "1", JACK_DEFAULT_AUDIO_TYPE, JackPortIsOutput, 0);
  ports[1] = jack_port_register(client, "2", JACK_DEFAULT_AUDIO_TYPE, JackPortIsOutput, 0);
  if (jack_activate(client)) return 1;
  jack_connect(client, "smallest:1", "system:playback_1");
  jack_connect(client, "smallest:2", "system:playback_2");
  for (;;) pause();
}
