// SPDX-License-Identifier: Apache-2.0
//
// Reads measured head-related impulse responses, SOFA files (AES69), with libmysofa, which is
// opened at run time.
#pragma once
#include <stdbool.h>
#include <stddef.h>

/// The measured impulse responses of both ears from many directions.
typedef struct SOFASet {
  /// The number of measured directions, and of samples in each response.
  size_t measurementCount;
  size_t sampleCount;
  /// In Hz.
  double sampleRate;
  /// The positions of the source, three numbers each: to the front, to the left and upwards, in
  /// metres.
  float *directions;
  /// For each direction: the response of the left ear, then of the right ear.
  float *responses;
  /// For each direction: the additional delays of the left and of the right response, in frames.
  float *delays;
} SOFASet;

/// Opens the library. Writes the reason when it returns false. [control thread]
bool sofa_open(char *reason, size_t reasonSize);

/// Reads a file into `set`, whose memory `sofa_free` frees. Writes the reason when it returns
/// false. [control thread]
bool sofa_read(const char *path, SOFASet *set, char *reason, size_t reasonSize);

/// Frees what `sofa_read` allocated. [control thread]
void sofa_free(SOFASet *set);
