// SPDX-License-Identifier: Apache-2.0
//
// Banks of instruments (SoundFont, DLS), played by FluidSynth, which is opened at run time.
//
// A synthesizer renders in blocks of `SYNTH_BLOCK` frames: what it is told takes effect at the next one.
// All of its functions are called by one thread at a time. Those for the render thread neither allocate
// nor wait.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// What a render may call: it neither allocates nor waits, which the compiler takes on trust.
#define SYNTH_RENDER __attribute__((swift_attr("@_noLocks")))

/// Frames of a block, channels of MIDI, and the generator numbers of SoundFont 2 that are used here.
enum {
  SYNTH_BLOCK = 64,
  SYNTH_CHANNELS = 16,
  SYNTH_VOLUME_RELEASE = 38,
  SYNTH_FINE_TUNE = 52,
  SYNTH_EXCLUSIVE_CLASS = 57
};

/// Several synthesizers that play one bank.
typedef struct SynthSet SynthSet;
/// One of them.
typedef struct Synth Synth;
/// One of its voices.
typedef struct SynthVoice SynthVoice;
/// An instrument of the bank.
typedef struct SynthPreset SynthPreset;

/// Opens the library. False leaves the reason. [control thread]
bool synth_open(char *reason, size_t reasonSize);

/// Makes `count` synthesizers of `voices` voices each, without a bank; null leaves the reason. The rate
/// is from 8 to 96 kHz. [control thread]
SynthSet *synth_set_make(int count, int voices, double sampleRate, char *reason, size_t reasonSize);

/// Has them all play the bank in a file, once. False leaves the reason. [control thread]
bool synth_set_load(SynthSet *set, const char *path, char *reason, size_t reasonSize);

/// The same of a SoundFont in memory, which is copied where it is needed. [control thread]
bool synth_set_load_memory(SynthSet *set, const void *bytes, size_t count, char *reason,
                           size_t reasonSize);

/// Frees them and their bank. [control thread]
void synth_set_free(SynthSet *set);

/// One of the synthesizers, and one of the instruments in the order of the bank; null beyond the last.
Synth *synth_set_member(SynthSet *set, int index);
SynthPreset *synth_set_preset(SynthSet *set, int index);

/// What an instrument is called and where in the bank it is.
const char *synth_preset_name(SynthPreset *preset);
int synth_preset_bank(SynthPreset *preset);
int synth_preset_program(SynthPreset *preset);

/// Starts a note that `note` names from now on. [render thread]
SYNTH_RENDER void synth_start(Synth *synth, uint32_t note, SynthPreset *preset, int channel, int key,
                              int velocity);
/// Lets a note end, or waits for the pedal. [render thread]
SYNTH_RENDER void synth_stop(Synth *synth, uint32_t note);
/// All notes of a channel, or of all channels for -1: let them end, or end them. [render thread]
SYNTH_RENDER void synth_all_notes_off(Synth *synth, int channel);
SYNTH_RENDER void synth_all_sounds_off(Synth *synth, int channel);
/// What MIDI says of a channel. [render thread]
SYNTH_RENDER void synth_controller(Synth *synth, int channel, int number, int value);
SYNTH_RENDER void synth_pitch_bend(Synth *synth, int channel, int value);
SYNTH_RENDER void synth_bend_range(Synth *synth, int channel, int semitones);
SYNTH_RENDER void synth_channel_pressure(Synth *synth, int channel, int value);
SYNTH_RENDER void synth_key_pressure(Synth *synth, int channel, int key, int value);
/// Detunes a channel by cents. [render thread]
SYNTH_RENDER void synth_tune(Synth *synth, int channel, float cents);
/// How many voices sound. [render thread]
SYNTH_RENDER int synth_voice_count(Synth *synth);
/// Up to `capacity` voices that sound, those of one note or for -1 all; null after the last.
/// [render thread]
SYNTH_RENDER void synth_voices(Synth *synth, SynthVoice **voices, int capacity, int note);
SYNTH_RENDER int synth_voice_channel(SynthVoice *voice);
SYNTH_RENDER uint32_t synth_voice_note(SynthVoice *voice);
SYNTH_RENDER float synth_voice_generator(SynthVoice *voice, int generator);
/// Sets a generator of a voice that sounds. [render thread]
SYNTH_RENDER void synth_voice_set(SynthVoice *voice, int generator, float value);
/// Adds `count` frames of each channel to two buffers of it, left and right; nulls are left out.
/// [render thread]
SYNTH_RENDER void synth_render(Synth *synth, int count, float *outputs[2 * SYNTH_CHANNELS]);
