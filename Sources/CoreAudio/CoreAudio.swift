// SPDX-License-Identifier: Apache-2.0
// This module exports all headers, including those of AudioToolbox. So a program that imports only
// CoreAudio sees more names than on Apple's systems. If AudioToolbox exported its headers itself,
// the compiler would find two types named `CFString`: the overlay's and Core Foundation's.
@_exported import CAudioToolbox
@_exported import Foundation
