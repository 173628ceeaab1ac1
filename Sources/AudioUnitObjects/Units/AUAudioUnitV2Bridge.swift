// SPDX-License-Identifier: Apache-2.0
public import CAudioToolbox

/// An object that stands for a C unit.
open class AUAudioUnitV2Bridge: AUAudioUnit {
  /// The C unit.
  open var audioUnit: AudioUnit {
    guard let bridge else { fatalError("AUAudioUnitV2Bridge: it has no C unit") }
    return bridge.handle
  }
}
