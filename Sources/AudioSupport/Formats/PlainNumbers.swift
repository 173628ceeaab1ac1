// SPDX-License-Identifier: Apache-2.0

extension Double {
  /// As people write it: 44100 and not 44100.0; with a point only where there is a fraction.
  package var plainText: String { Int(exactly: self).map(String.init) ?? String(self) }
}

extension Float {
  /// As people write it: 440 and not 440.0, with the digits that a Float has.
  package var plainText: String { Int(exactly: self).map(String.init) ?? String(self) }
}
