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
  SYNTH_PAN = 17,
  SYNTH_VOLUME_RELEASE = 38,
  SYNTH_ATTENUATION = 48,
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

/// Opens the library. Writes the reason when it returns false. [control thread]
bool synth_open(char *reason, size_t reasonSize);

/// Creates `count` synthesizers of `voices` voices each, without a bank. The rate must be from 8 to
/// 96 kHz. Writes the reason when it returns null. [control thread]
SynthSet *synth_set_make(int count, int voices, double sampleRate, char *reason, size_t reasonSize);

/// Loads the bank in a file into all synthesizers of a set; may be called once. Writes the reason
/// when it returns false. [control thread]
bool synth_set_load(SynthSet *set, const char *path, char *reason, size_t reasonSize);

/// As above, with a SoundFont in memory, of which the library copies what it needs.
/// [control thread]
bool synth_set_load_memory(SynthSet *set, const void *bytes, size_t count, char *reason,
                           size_t reasonSize);

/// Frees a set's synthesizers and their bank. [control thread]
void synth_set_free(SynthSet *set);

/// A synthesizer of the set, and an instrument in the order of the bank; null beyond the last.
Synth *synth_set_member(SynthSet *set, int index);
SynthPreset *synth_set_preset(SynthSet *set, int index);

/// The name of an instrument, and its bank and program numbers.
const char *synth_preset_name(SynthPreset *preset);
int synth_preset_bank(SynthPreset *preset);
int synth_preset_program(SynthPreset *preset);

/// Starts a note; `note` identifies it in later calls. [render thread]
SYNTH_RENDER void synth_start(Synth *synth, uint32_t note, SynthPreset *preset, int channel, int key,
                              int velocity);
/// Releases a note; it sounds on while the pedal is down. [render thread]
SYNTH_RENDER void synth_stop(Synth *synth, uint32_t note);
/// Releases, or silences, all notes of a channel; of all channels for -1. [render thread]
SYNTH_RENDER void synth_all_notes_off(Synth *synth, int channel);
SYNTH_RENDER void synth_all_sounds_off(Synth *synth, int channel);
/// MIDI messages for a channel. [render thread]
SYNTH_RENDER void synth_controller(Synth *synth, int channel, int number, int value);
SYNTH_RENDER void synth_pitch_bend(Synth *synth, int channel, int value);
SYNTH_RENDER void synth_bend_range(Synth *synth, int channel, int semitones);
SYNTH_RENDER void synth_channel_pressure(Synth *synth, int channel, int value);
SYNTH_RENDER void synth_key_pressure(Synth *synth, int channel, int key, int value);
/// Detunes a channel by cents. [render thread]
SYNTH_RENDER void synth_tune(Synth *synth, int channel, float cents);
/// Makes a channel quieter by centibels, and moves it to the right by thousandths. [render thread]
SYNTH_RENDER void synth_attenuate(Synth *synth, int channel, float centibels);
SYNTH_RENDER void synth_pan(Synth *synth, int channel, float thousandths);
/// The number of sounding voices. [render thread]
SYNTH_RENDER int synth_voice_count(Synth *synth);
/// Lists up to `capacity` sounding voices: those of one note, or all for -1; null after the last.
/// [render thread]
SYNTH_RENDER void synth_voices(Synth *synth, SynthVoice **voices, int capacity, int note);
SYNTH_RENDER int synth_voice_channel(SynthVoice *voice);
SYNTH_RENDER uint32_t synth_voice_note(SynthVoice *voice);
SYNTH_RENDER float synth_voice_generator(SynthVoice *voice, int generator);
/// Sets a generator of a sounding voice. [render thread]
SYNTH_RENDER void synth_voice_set(SynthVoice *voice, int generator, float value);
/// Lets the next frames have what was set in voices, which otherwise waits for the next call. [render thread]
SYNTH_RENDER void synth_pass_on(Synth *synth);
/// Adds `count` frames of each channel to its left and its right buffer; null buffers are skipped.
/// [render thread]
SYNTH_RENDER void synth_render(Synth *synth, int count, float *outputs[2 * SYNTH_CHANNELS]);
