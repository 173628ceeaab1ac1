// SPDX-License-Identifier: Apache-2.0
// Forks after an instrument has played, and while another thread loads banks again and again. Each child plays
// the instrument of its parent and loads a bank for one of its own.
// Prints 40 of 40 children played

#include "robustness.h"

#include <sys/wait.h>

enum { child_count = 40 };

static atomic_bool is_over;

static AudioUnit instrument(void) {
  AudioUnit unit = make_unit(kAudioUnitType_MusicDevice, kAudioUnitSubType_DLSSynth);
  SUCCEED(AudioUnitInitialize(unit));
  return unit;
}

// Whether a note of the unit sounds.
static bool plays(AudioUnit unit) {
  SUCCEED(MusicDeviceMIDIEvent(unit, 0x90, 60, 100, 0));
  double loudest = 0;
  for (int i = 0; i < 20; i++) {
    SUCCEED(render(unit, i * FRAMES, FRAMES));
    const double level = loudness(FRAMES);
    if (level > loudest) loudest = level;
  }
  return loudest > 0.001;
}

static void *load_banks(void *nothing) {
  while (!is_over) SUCCEED(AudioComponentInstanceDispose(instrument()));
  return nothing;
}

int main(void) {
  AudioUnit played = instrument();
  if (!plays(played)) return 1;
  pthread_t loader;
  int well = 0;
  for (int i = 0; i < child_count; i++) {
    // The first children are forked while nothing happens.
    if (i == child_count / 4) pthread_create(&loader, NULL, load_banks, NULL);
    if (fork() == 0) {
      alarm(60);
      _exit(!plays(played) || !plays(instrument()));
    }
    int status = 1;
    wait(&status);
    well += status == 0;
  }
  is_over = true;
  pthread_join(loader, NULL);
  SUCCEED(AudioComponentInstanceDispose(played));
  printf("%d of %d children played\n", well, child_count);
  return well != child_count;
}
