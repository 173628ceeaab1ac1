// SPDX-License-Identifier: Apache-2.0
import CoreAudio

// The addresses of parameters of C units.
extension AUParameterAddress {
  /// The address of a parameter of a C unit: the identifier in the lower 32 bits, then 24 bits of the
  /// element and 8 of the scope. So it is the identifier itself in the global scope and element 0.
  /// Nil if element or scope have more bits.
  init?(_ id: AudioUnitParameterID, _ scope: AudioUnitScope, _ element: AudioUnitElement) {
    guard scope < 1 << 8, element < 1 << 24 else { return nil }
    self = UInt64(scope) << 56 | UInt64(element) << 32 | UInt64(id)
  }
}
