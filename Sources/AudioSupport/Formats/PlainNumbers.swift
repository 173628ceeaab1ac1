// SPDX-License-Identifier: Apache-2.0

extension Double {
  /// The number as people write it: 44100, not 44100.0; with a point only if there is a fraction.
  package var plainText: String { Int(exactly: self).map(String.init) ?? String(self) }
}

extension Float {
  /// The number as people write it: 440, not 440.0, with the precision of a Float.
  package var plainText: String { Int(exactly: self).map(String.init) ?? String(self) }
}
