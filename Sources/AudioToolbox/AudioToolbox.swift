// SPDX-License-Identifier: Apache-2.0
@_exported import CAudioToolbox
@_exported import CoreAudio
// Much code written for other systems imports nothing else and calls `sin` and `sleep`.
@_exported import Foundation
