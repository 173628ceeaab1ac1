// SPDX-License-Identifier: Apache-2.0
import AudioUnitCore
import CoreAudio

// The addresses of parameters of C units.
//
// The highest bit tells two forms apart. 0: 7 bits of the scope, 24 of the element, 32 of the
// identifier, so that the address is the identifier in the global scope and element 0. 1: 7 bits of
// the scope, 24 of the identifier, 32 of the element, as a matrix mixer's numbers of channels need.
extension AUParameterAddress {
  private static let wideElement: UInt64 = 1 << 63

  /// The address of a parameter of a C unit. Nil if the numbers are too large for both forms.
  init?(_ id: AudioUnitParameterID, _ scope: AudioUnitScope, _ element: AudioUnitElement) {
    guard scope < 1 << 7 else { return nil }
    let scope = UInt64(scope) << 56
    if element < 1 << 24 {
      self = scope | UInt64(element) << 32 | UInt64(id)
    } else if id < 1 << 24 {
      self = Self.wideElement | scope | UInt64(id) << 32 | UInt64(element)
    } else {
      return nil
    }
  }

  /// The parameter of a C unit that has this address.
  var unitParameter: ParameterAddress {
    let scope = AudioUnitScope(self >> 56 & 0x7F)
    let (middle, low) = (UInt32(self >> 32 & 0xFF_FFFF), UInt32(truncatingIfNeeded: self))
    return self & Self.wideElement == 0
      ? ParameterAddress(low, scope, middle) : ParameterAddress(middle, scope, low)
  }
}
