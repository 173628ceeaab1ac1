// SPDX-License-Identifier: Apache-2.0
//
// Plays banks of instruments (SoundFont, DLS) with FluidSynth, which is opened at run time.
//
// A synthesizer renders in blocks of `SYNTH_BLOCK` frames; events take effect at the next block.
// Call its functions from one thread at a time. Those for the render thread neither allocate nor
// wait.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Marks functions that a render may call, because they neither allocate nor wait. The compiler
/// does not check this.
#define SYNTH_RENDER __attribute__((swift_attr("@_noLocks")))

/// Frames of a block, MIDI channels, and generator numbers of SoundFont 2.
enum {
  SYNTH_BLOCK = 64,
  SYNTH_CHANNELS = 16,
  SYNTH_VOLUME_RELEASE = 38,
  SYNTH_FINE_TUNE = 52,
  SYNTH_EXCLUSIVE_CLASS = 57
};

/// Several synthesizers that play one bank.
typedef struct SynthSet SynthSet;
/// One synthesizer of a set.
typedef struct Synth Synth;
/// One voice of a synthesizer.
typedef struct SynthVoice SynthVoice;
/// An instrument of the bank.
typedef struct SynthPreset SynthPreset;

/// [control thread] Opens the library. Writes the reason when it returns false.
bool synth_open(char *reason, size_t reasonSize);

/// [control thread] Creates `count` synthesizers of `voices` voices each, without a bank. The rate
/// must be from 8 to 96 kHz. Writes the reason when it returns null.
SynthSet *synth_set_make(int count, int voices, double sampleRate, char *reason, size_t reasonSize);

/// [control thread] Loads the bank in a file into all synthesizers of a set; may be called once.
/// Writes the reason when it returns false.
bool synth_set_load(SynthSet *set, const char *path, char *reason, size_t reasonSize);

/// [control thread] As above, with a SoundFont in memory, of which the library copies what it
/// needs.
bool synth_set_load_memory(SynthSet *set, const void *bytes, size_t count, char *reason,
                           size_t reasonSize);

/// [control thread] Frees a set's synthesizers and their bank.
void synth_set_free(SynthSet *set);

/// A synthesizer of the set, and an instrument in the order of the bank; null beyond the last.
Synth *synth_set_member(SynthSet *set, int index);
SynthPreset *synth_set_preset(SynthSet *set, int index);

/// The name of an instrument, and its bank and program numbers.
const char *synth_preset_name(SynthPreset *preset);
int synth_preset_bank(SynthPreset *preset);
int synth_preset_program(SynthPreset *preset);

/// [render thread] Starts a note; `note` identifies it in later calls.
SYNTH_RENDER void synth_start(Synth *synth, uint32_t note, SynthPreset *preset, int channel, int key,
                              int velocity);
/// [render thread] Releases a note; it sounds on while the pedal is down.
SYNTH_RENDER void synth_stop(Synth *synth, uint32_t note);
/// [render thread] Releases, or silences, all notes of a channel; of all channels for -1.
SYNTH_RENDER void synth_all_notes_off(Synth *synth, int channel);
SYNTH_RENDER void synth_all_sounds_off(Synth *synth, int channel);
/// [render thread] MIDI messages for a channel.
SYNTH_RENDER void synth_controller(Synth *synth, int channel, int number, int value);
SYNTH_RENDER void synth_pitch_bend(Synth *synth, int channel, int value);
SYNTH_RENDER void synth_bend_range(Synth *synth, int channel, int semitones);
SYNTH_RENDER void synth_channel_pressure(Synth *synth, int channel, int value);
SYNTH_RENDER void synth_key_pressure(Synth *synth, int channel, int key, int value);
/// [render thread] Detunes a channel by cents.
SYNTH_RENDER void synth_tune(Synth *synth, int channel, float cents);
/// [render thread] The number of sounding voices.
SYNTH_RENDER int synth_voice_count(Synth *synth);
/// [render thread] Lists up to `capacity` sounding voices: those of one note, or all for -1; null
/// after the last.
SYNTH_RENDER void synth_voices(Synth *synth, SynthVoice **voices, int capacity, int note);
SYNTH_RENDER int synth_voice_channel(SynthVoice *voice);
SYNTH_RENDER uint32_t synth_voice_note(SynthVoice *voice);
SYNTH_RENDER float synth_voice_generator(SynthVoice *voice, int generator);
/// [render thread] Sets a generator of a sounding voice.
SYNTH_RENDER void synth_voice_set(SynthVoice *voice, int generator, float value);
/// [render thread] Adds `count` frames of each channel to its left and its right buffer; null
/// buffers are skipped.
SYNTH_RENDER void synth_render(Synth *synth, int count, float *outputs[2 * SYNTH_CHANNELS]);
