// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import AudioToolbox
import Testing

@Suite("Clicks at another speed, in the time domain")
struct TimeDomainClickTests {
  /// The lateness of a click in milliseconds; nil unless it is output exactly once.
  private func lateness(ofClickAt place: Int, rate: Float) throws -> Double? {
    let host = try TimeUnit.iPodTimeOther.host()
    try host.feed(0) { _, frame in frame == place ? 0.9 : 0 }
    try host.initialize()
    try host.set(kTimePitchParam_Rate, rate, kAudioUnitScope_Global)
    let expected = Double(place) / Double(rate) + (try host.latency)
    let output = try host.render(Int(expected) + 6_000)[0].samples
    let places = output.indices.filter { abs(output[$0]) > 0.1 }
    guard places.count == 1, let first = places.first else { return nil }
    return (Double(first) - expected) / 48
  }

  @Test(
    "are in time from the first frame on",
    arguments: [0.5, 0.7, 0.9, 1.1, 1.25, 1.5, 2] as [Float], [7, 487, 967, 1_447])
  func beginning(rate: Float, place: Int) throws {
    let late = try #require(try lateness(ofClickAt: place, rate: rate))
    #expect(abs(late) < 1)
  }

  @Test("are in time at the start of the sound, at high rates", arguments: [1.5, 2, 4] as [Float])
  func first(rate: Float) throws {
    let late = try #require(try lateness(ofClickAt: 7, rate: rate))
    #expect(abs(late) < 1)
  }

  @Test("are in time later too", arguments: [0.5, 0.6, 0.8, 1.25, 1.5, 2] as [Float])
  func later(rate: Float) throws {
    for milliseconds in stride(from: 200, to: 700, by: 61) {
      let late = try #require(try lateness(ofClickAt: 48 * milliseconds, rate: rate))
      #expect(abs(late) < 1, "\(milliseconds) ms")
    }
  }
}
