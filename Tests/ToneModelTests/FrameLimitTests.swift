// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import ToneModel

@Suite("Limit of frames")
struct FrameLimitTests {
  @Test("refuses a unit that is gone")
  func goneUnit() throws {
    // The unit is disposed of with its source.
    let unit = try ToneSource(Tone(), sampleRate: 48_000).unit
    #expect(throws: ToneError.self) { try FrameLimit(unit, frames: 10) }
  }

  @Test("counts nothing before the unit renders")
  func beginning() throws {
    let source = try ToneSource(Tone(), sampleRate: 48_000)
    let limit = try FrameLimit(source.unit, frames: 10)
    #expect(!limit.isReached)
  }
}
