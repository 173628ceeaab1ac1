// SPDX-License-Identifier: Apache-2.0
// All headers come by way of this module, those of AudioToolbox too, so that a program that imports CoreAudio
// alone sees more names than on Apple's systems. Where AudioToolbox exports its headers itself, the compiler
// finds two of `CFString`: that of the overlay here, and Core Foundation's own.
@_exported import CAudioToolbox
@_exported import Foundation
