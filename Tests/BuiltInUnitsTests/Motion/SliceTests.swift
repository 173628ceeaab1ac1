// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import AudioToolbox
import Foundation
import Testing

/// Parameters that are set and ramped at the same sample times in slices of 1, 7, 64 and 4,096
/// frames.
@Suite("Slices of any size")
struct SliceTests {
  @Test("sound the same while every parameter is set and ramped", arguments: MovedUnit.cases)
  func everyParameter(unit: MovedUnit.Case) throws {
    for index in try MovedUnit(unit, sound: MovedUnit.sine).parameters.indices {
      try SliceBars.check(unit, [index])
    }
  }
}
