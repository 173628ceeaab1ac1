// SPDX-License-Identifier: Apache-2.0
@_exported import CAudioToolbox
// The C library, as elsewhere. Not Foundation: its names of Core Foundation types would stand beside
// those of AudioToolbox, and neither would win.
@_exported import Glibc
