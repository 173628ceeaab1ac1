// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import AudioToolbox
import Foundation
import Testing

/// Parameters that are set, swept and ramped while a unit plays a sound without anything above 3 kHz:
/// what appears above 8 kHz is a click.
@Suite("Parameters that move")
struct MotionTests {
  @Test("leave no clicks when they are set to random values", arguments: MovedUnit.cases)
  func steps(unit: MovedUnit.Case) throws {
    for index in try MovedUnit(unit, sound: MovedUnit.sine).parameters.indices {
      try MotionBars.check(unit, index, "sine", .steps)
    }
  }
}

/// As above, with every kind of motion and both sounds: for some units only, unless
/// `AUDIOTOOLBOX_TEST_MINUTES` is set.
@Suite("Parameters that move in every way")
struct MotionSoakTests {
  private static let isLong =
    ProcessInfo.processInfo.environment["AUDIOTOOLBOX_TEST_MINUTES"] != nil

  private static let some: Set<OSType> = [
    kAudioUnitSubType_Reverb2, kAudioUnitSubType_MultiChannelMixer, kAudioUnitSubType_LowPassFilter,
  ]

  @Test(
    "leave no clicks",
    arguments: MovedUnit.cases.filter {
      isLong || some.contains($0.definition.identity.subType)
    })
  func everyMotion(unit: MovedUnit.Case) throws {
    for index in try MovedUnit(unit, sound: MovedUnit.sine).parameters.indices {
      for sound in MotionBars.sounds.keys.sorted() {
        for kind in MotionKind.allCases { try MotionBars.check(unit, index, sound, kind) }
      }
    }
  }
}
