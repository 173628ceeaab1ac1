// SPDX-License-Identifier: Apache-2.0
@testable import AVFAudio
import AudioToolbox
import Foundation
import Synchronization
import Testing

@Suite("The preferences of an audio session")
struct SessionPreferenceTests {
  /// The slice length and the rate of a unit that is started now.
  private func slice() throws -> (frames: UInt32, rate: Double) {
    var description = AudioComponentDescription(
      componentType: kAudioUnitType_Output, componentSubType: kAudioUnitSubType_RemoteIO,
      componentManufacturer: kAudioUnitManufacturer_Apple, componentFlags: 0,
      componentFlagsMask: 0)
    let component = try #require(AudioComponentFindNext(nil, &description))
    var instance: AudioUnit?
    try #require(AudioComponentInstanceNew(component, &instance) == noErr)
    let unit = try #require(instance)
    defer { AudioComponentInstanceDispose(unit) }
    let frames = UnsafeMutablePointer<Atomic<UInt32>>.allocate(capacity: 1)
    frames.initialize(to: Atomic(0))
    defer { frames.deallocate() }
    var callback = AURenderCallbackStruct(
      inputProc: { context, _, _, _, count, _ in
        context.assumingMemoryBound(to: Atomic<UInt32>.self).pointee
          .store(count, ordering: .relaxed)
        return noErr
      }, inputProcRefCon: UnsafeMutableRawPointer(frames))
    var most: UInt32 = 65_536
    try #require(
      AudioUnitSetProperty(
        unit, kAudioUnitProperty_MaximumFramesPerSlice, kAudioUnitScope_Global, 0, &most, 4)
        == noErr)
    try #require(
      AudioUnitSetProperty(
        unit, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, 0, &callback, 16)
        == noErr)
    try #require(AudioUnitInitialize(unit) == noErr)
    var format = AudioStreamBasicDescription()
    var size = UInt32(MemoryLayout.size(ofValue: format))
    try #require(
      AudioUnitGetProperty(
        unit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, 0, &format, &size) == noErr)
    // The unit's input has the device's rate, so its slices are the device's cycles.
    try #require(
      AudioUnitSetProperty(
        unit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 0, &format, size) == noErr)
    try #require(AudioOutputUnitStart(unit) == noErr)
    for _ in 0..<2_000 where frames.pointee.load(ordering: .relaxed) == 0 { usleep(1_000) }
    #expect(AudioOutputUnitStop(unit) == noErr)
    return (frames.pointee.load(ordering: .relaxed), format.mSampleRate)
  }

  @Test("by default, a cycle has 1,024 frames: 23 milliseconds")
  func fresh() throws {
    try withSession(rate: 44_100) { session in
      #expect(session.preferredIOBufferDuration == 0)
      #expect(session.preferredSampleRate == 0)
      #expect(session.sampleRate == 44_100)
      #expect(abs(session.ioBufferDuration - 0.0232) < 0.0001)
      try session.setActive(true)
      #expect(abs(session.ioBufferDuration - 0.0232) < 0.0001)
      #expect(try slice() == (1_024, 44_100))
    }
  }

  @Test("a cycle of 5 milliseconds has 256 frames, before and after activation")
  func short() throws {
    try withSession(rate: 44_100) { session in
      try session.setPreferredIOBufferDuration(0.005)
      #expect(session.preferredIOBufferDuration == 0.005)
      #expect(abs(session.ioBufferDuration - 256 / 44_100.0) < 1e-9)
      try session.setActive(true)
      #expect(abs(session.ioBufferDuration - 256 / 44_100.0) < 1e-9)
      #expect(try slice().frames == 256)
      try session.setPreferredIOBufferDuration(0)
      #expect(try slice().frames == 1_024)
    }
  }

  @Test(
    "a cycle has the nearest power of two of frames",
    arguments: [
      (0.005, 48_000.0, 256), (0.01, 48_000, 512), (0.0029, 44_100, 128), (0.023, 44_100, 1_024),
      (0.093, 44_100, 4_096), (0.001, 48_000, 64), (0.02, 96_000, 2_048),
    ])
  func durations(seconds: Double, rate: Double, frames: Int) throws {
    try withSession { session in
      try session.setPreferredSampleRate(rate)
      try session.setPreferredIOBufferDuration(seconds)
      #expect(abs(session.ioBufferDuration * rate - Double(frames)) < 1e-6)
    }
  }

  @Test("a rate applies to the device and to units that are started later")
  func rate() throws {
    try withSession { session in
      #expect(session.sampleRate == 48_000)
      try session.setPreferredSampleRate(44_100)
      #expect(session.preferredSampleRate == 44_100)
      #expect(session.sampleRate == 44_100)
      #expect(try slice().rate == 44_100)
      try session.setPreferredSampleRate(0)
      #expect(session.sampleRate == 48_000)
    }
  }

  @Test("the environment takes precedence, and the granted value is reported")
  func environment() throws {
    try withSession(rate: 48_000, frames: 480, channels: 4) { session in
      try session.setPreferredSampleRate(44_100)
      try session.setPreferredIOBufferDuration(0.005)
      #expect(session.preferredSampleRate == 44_100)
      #expect(session.sampleRate == 48_000)
      #expect(abs(session.ioBufferDuration - 0.01) < 1e-9)
      #expect(session.maximumOutputNumberOfChannels == 4)
      #expect(try slice() == (480, 48_000))
    }
  }

  @Test("only used directions have channels, as many as preferred without hardware")
  func channels() throws {
    try withSession { session in
      #expect(session.outputNumberOfChannels == 2 && session.inputNumberOfChannels == 0)
      try session.setCategory(.playAndRecord)
      #expect(session.outputNumberOfChannels == 2 && session.inputNumberOfChannels == 2)
      try session.setPreferredOutputNumberOfChannels(6)
      #expect(session.preferredOutputNumberOfChannels == 6)
      #expect(session.outputNumberOfChannels == 6)
      try session.setCategory(.record)
      #expect(session.outputNumberOfChannels == 0)
      #expect(failure { try session.setPreferredInputNumberOfChannels(1_000) }?.code == -50)
    }
  }

  @Test("impossible values are refused")
  func refused() throws {
    try withSession { session in
      for rate in [-1, 10, .infinity, .nan, 1e9] {
        #expect(failure { try session.setPreferredSampleRate(rate) }?.code == -50, "\(rate)")
      }
      for duration in [-0.1, .nan, .infinity, 100] {
        #expect(
          failure { try session.setPreferredIOBufferDuration(duration) }?.code == -50,
          "\(duration)")
      }
      #expect(session.preferredSampleRate == 0 && session.preferredIOBufferDuration == 0)
    }
  }

  @Test("the older names mean the same")
  func older() throws {
    try withSession { session in
      try session.setPreferredHardwareSampleRate(44_100)
      #expect(session.preferredSampleRate == 44_100)
      #expect(session.currentHardwareSampleRate == session.sampleRate)
      #expect(session.currentHardwareOutputNumberOfChannels == 2)
      try session.setCategory(AVAudioSessionCategoryPlayAndRecord, withOptions: [.duckOthers])
      #expect(session.category == .playAndRecord)
      #expect(session.categoryOptions.contains(.mixWithOthers))
      try session.setActive(true, with: .notifyOthersOnDeactivation)
    }
  }

  @Test("setting the gain of an input without one is refused")
  func gain() throws {
    try withSession { session in
      try session.setCategory(.playAndRecord)
      guard !session.isInputGainSettable else { return }
      #expect(failure { try session.setInputGain(0.5) }?.code == 0x2172_6573)
      #expect(failure { try session.setInputGain(2) }?.code == -50)
    }
  }
}
