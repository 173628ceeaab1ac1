// SPDX-License-Identifier: Apache-2.0
import CommandSupport
import ToneModel

extension ValueReader where Value == UnitSpec {
  /// A unit with its parameters.
  static var unitSpec: Self {
    Self(
      expected: "a unit and its parameters, such as lpas,cutoff=800 or rvb2,preset=plate",
      limits: ", such as lpas,cutoff=800 or rvb2,preset=plate",
      completion: .dynamic("settings")
    ) { UnitSpec($0) }
  }
}
