// SPDX-License-Identifier: Apache-2.0
import AVFoundation
import Testing

@Suite("AVAudioTime")
struct TimeTests {
  @Test("knows which of its times are valid")
  func validity() {
    let host = AVAudioTime(hostTime: 5)
    #expect(host.isHostTimeValid && !host.isSampleTimeValid)
    #expect(host.hostTime == 5)
    let sample = AVAudioTime(sampleTime: -3, atRate: 44_100)
    #expect(!sample.isHostTimeValid && sample.isSampleTimeValid)
    #expect(sample.sampleTime == -3)
    #expect(sample.sampleRate == 44_100)
    let both = AVAudioTime(hostTime: 5, sampleTime: 7, atRate: 48_000)
    #expect(both.isHostTimeValid && both.isSampleTimeValid)
    #expect(both.audioTimeStamp.mFlags == [.hostTimeValid, .sampleTimeValid])
  }

  @Test("reads a time stamp", arguments: [.nan, .infinity, 1e300, -1e300, 12.5] as [Double])
  func stamp(sampleTime: Double) {
    var stamp = AudioTimeStamp()
    stamp.mSampleTime = sampleTime
    stamp.mFlags = .sampleTimeValid
    let time = AVAudioTime(audioTimeStamp: &stamp, sampleRate: 48_000)
    #expect(time.isSampleTimeValid)
    #expect(
      time.sampleTime
        == (sampleTime == 12.5
          ? 12
          : sampleTime.isNaN
            ? 0
            : sampleTime > 0 ? .max : .min))
    _ = time.description
  }

  @Test("converts host time to seconds and back")
  func seconds() {
    let now = AudioGetCurrentHostTime()
    let second = AVAudioTime.hostTime(forSeconds: 1)
    #expect(Double(second) == AudioGetHostClockFrequency())
    #expect(AVAudioTime.seconds(forHostTime: second) == 1)
    #expect(AVAudioTime.seconds(forHostTime: now + second) > AVAudioTime.seconds(forHostTime: now))
    #expect(AVAudioTime.hostTime(forSeconds: -1) == 0)
    #expect(AVAudioTime.hostTime(forSeconds: .nan) == 0)
    #expect(AVAudioTime.hostTime(forSeconds: .infinity) == .max)
  }

  private static let anchor = AVAudioTime(
    hostTime: 10_000_000_000, sampleTime: 48_000, atRate: 48_000)

  @Test("finds the host time of a frame", arguments: [0, 48_000, 96_001] as [Int64])
  func hostTime(frame: Int64) throws {
    let time = try #require(
      AVAudioTime(sampleTime: frame, atRate: 48_000).extrapolateTime(fromAnchor: Self.anchor))
    let expected = 10 + Double(frame - 48_000) / 48_000
    #expect(time.sampleTime == frame)
    #expect(abs(AVAudioTime.seconds(forHostTime: time.hostTime) - expected) < 2e-9)
  }

  @Test("finds the frame of a host time", arguments: [9.5, 10, 11.25])
  func sampleTime(seconds: Double) throws {
    let time = AVAudioTime(hostTime: AVAudioTime.hostTime(forSeconds: seconds))
    let result = try #require(time.extrapolateTime(fromAnchor: Self.anchor))
    #expect(result.sampleTime == 48_000 + Int64((seconds - 10) * 48_000))
    #expect(result.hostTime == time.hostTime)
    #expect(result.sampleRate == 48_000)
  }

  @Test("corrects the rate by the scalar of the anchor")
  func rateScalar() throws {
    var stamp = Self.anchor.audioTimeStamp
    stamp.mRateScalar = 2
    stamp.mFlags.insert(.rateScalarValid)
    let anchor = AVAudioTime(audioTimeStamp: &stamp, sampleRate: 48_000)
    let time = AVAudioTime(sampleTime: 96_000, atRate: 48_000).extrapolateTime(fromAnchor: anchor)
    #expect(time?.hostTime == 12_000_000_000)
  }

  @Test("has no other half if the anchor does not determine it")
  func impossible() {
    let sample = AVAudioTime(sampleTime: 0, atRate: 48_000)
    let host = AVAudioTime(hostTime: 1)
    #expect(sample.extrapolateTime(fromAnchor: sample) == nil)
    #expect(sample.extrapolateTime(fromAnchor: host) == nil)
    #expect(
      AVAudioTime(sampleTime: 0, atRate: 44_100).extrapolateTime(fromAnchor: Self.anchor) == nil)
    for rate in [0, -1, .nan, .infinity] as [Double] {
      let anchor = AVAudioTime(hostTime: 1, sampleTime: 1, atRate: rate)
      #expect(host.extrapolateTime(fromAnchor: anchor) == nil)
      #expect(AVAudioTime(sampleTime: 0, atRate: rate).extrapolateTime(fromAnchor: anchor) == nil)
    }
    let early = AVAudioTime(sampleTime: -48_000 * 60, atRate: 48_000)
    #expect(early.extrapolateTime(fromAnchor: Self.anchor) == nil)
    let far = AVAudioTime(sampleTime: .max, atRate: 48_000)
    #expect(far.extrapolateTime(fromAnchor: Self.anchor) == nil)
    #expect(AVAudioTime(hostTime: .max).extrapolateTime(fromAnchor: Self.anchor) == nil)
    var nothing = AudioTimeStamp()
    let invalid = AVAudioTime(audioTimeStamp: &nothing, sampleRate: 48_000)
    #expect(invalid.extrapolateTime(fromAnchor: Self.anchor) == nil)
  }

  @Test("that is complete stays as it is")
  func complete() {
    #expect(Self.anchor.extrapolateTime(fromAnchor: AVAudioTime(hostTime: 1)) === Self.anchor)
  }
}
