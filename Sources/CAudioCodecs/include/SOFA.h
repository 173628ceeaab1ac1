// SPDX-License-Identifier: Apache-2.0
//
// Measured heads: files of the form SOFA (AES69), read by libmysofa, which is opened at run time.
#pragma once
#include <stdbool.h>
#include <stddef.h>

/// What both ears of a head receive from many directions, as it was measured.
typedef struct SOFASet {
  /// Directions that were measured, and samples of each response.
  size_t measurementCount;
  size_t sampleCount;
  /// In Hz.
  double sampleRate;
  /// Where the source stood, three numbers each: to the front, to the left and upwards, in metres.
  float *directions;
  /// The left ear's response and then the right one's, for each direction.
  float *responses;
  /// Frames by which the left ear's response and the right one's come later still, for each direction.
  float *delays;
} SOFASet;

/// Opens the library. False leaves the reason. [control thread]
bool sofa_open(char *reason, size_t reasonSize);

/// Reads a file into `set`, whose memory `sofa_free` frees. False leaves the reason. [control thread]
bool sofa_read(const char *path, SOFASet *set, char *reason, size_t reasonSize);

/// Frees what `sofa_read` allocated. [control thread]
void sofa_free(SOFASet *set);
