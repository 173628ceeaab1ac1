// SPDX-License-Identifier: Apache-2.0
@testable import AVFAudio
import AudioDevices
import AudioTestSupport
import AudioToolbox
import Foundation
import Synchronization
import Testing

/// An I/O unit whose callback reads the input, and finds the loudest sample.
private final class ListeningUnit {
  private struct State {
    var unit: AudioUnit?
    var loudest: Float = 0
    var failures = 0
  }

  let unit: AudioUnit
  private let state: UnsafeMutablePointer<State>
  private let frames = UnsafeMutablePointer<Atomic<Int>>.allocate(capacity: 1)
  private let context: UnsafeMutablePointer<(UnsafeMutablePointer<State>, UnsafeMutableRawPointer)>

  init(plays: Bool = true) throws {
    var description = AudioComponentDescription(
      componentType: kAudioUnitType_Output, componentSubType: kAudioUnitSubType_RemoteIO,
      componentManufacturer: kAudioUnitManufacturer_Apple, componentFlags: 0,
      componentFlagsMask: 0)
    let component = try #require(AudioComponentFindNext(nil, &description))
    var instance: AudioUnit?
    try #require(AudioComponentInstanceNew(component, &instance) == noErr)
    unit = try #require(instance)
    state = .allocate(capacity: 1)
    state.initialize(to: State(unit: unit))
    frames.initialize(to: Atomic(0))
    context = .allocate(capacity: 1)
    context.initialize(to: (state, UnsafeMutableRawPointer(frames)))
    var isOn: UInt32 = 1
    try #require(
      AudioUnitSetProperty(
        unit, kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Input, 1, &isOn, 4) == noErr)
    if !plays {
      var isOff: UInt32 = 0
      try #require(
        AudioUnitSetProperty(
          unit, kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Output, 0, &isOff, 4) == noErr)
    }
    var callback = AURenderCallbackStruct(
      inputProc: Self.render, inputProcRefCon: UnsafeMutableRawPointer(context))
    try #require(
      AudioUnitSetProperty(
        unit, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, 0, &callback,
        UInt32(MemoryLayout.size(ofValue: callback))) == noErr)
  }

  deinit {
    AudioComponentInstanceDispose(unit)
    state.deallocate()
    frames.deallocate()
    context.deallocate()
  }

  private static let render: AURenderCallback = { context, flags, time, _, count, data in
    let (state, frames) = context.assumingMemoryBound(
      to: (UnsafeMutablePointer<State>, UnsafeMutableRawPointer).self
    ).pointee
    guard let data, let unit = state.pointee.unit else { return noErr }
    if AudioUnitRender(unit, flags, time, 1, count, data) == noErr {
      for buffer in UnsafeMutableAudioBufferListPointer(data) {
        guard let samples = buffer.mData?.assumingMemoryBound(to: Float.self) else { continue }
        for index in 0..<Int(buffer.mDataByteSize) / 4 {
          state.pointee.loudest = max(state.pointee.loudest, abs(samples[index]))
        }
      }
    } else {
      state.pointee.failures += 1
    }
    frames.assumingMemoryBound(to: Atomic<Int>.self).pointee
      .wrappingAdd(Int(count), ordering: .releasing)
    return noErr
  }

  /// The loudest sample of a tenth of a second of input; nil if it could not be read.
  func loudest() throws -> Float? {
    try #require(AudioUnitInitialize(unit) == noErr)
    try #require(AudioOutputUnitStart(unit) == noErr)
    for _ in 0..<10_000 where frames.pointee.load(ordering: .acquiring) < 4_800 { usleep(1_000) }
    #expect(frames.pointee.load(ordering: .acquiring) >= 4_800)
    #expect(AudioOutputUnitStop(unit) == noErr)
    return state.pointee.failures == 0 ? state.pointee.loudest : nil
  }

  /// Whether its input is loud. A change of the rate makes it a little louder or softer.
  func hearsInput() throws -> Bool { try loudest().map { $0 > 0.4 } ?? false }
}

@Suite("The input of units in the categories of an audio session")
struct SessionInputTests {
  /// Runs `body` with a device whose input is loud.
  private func withLoudInput(_ body: (AVAudioSession) throws -> Void) throws {
    let input = try Tape([[Float]](repeating: [Float](repeating: 0.5, count: 480_000), count: 2))
    let output = Tape()
    try withSession(device: "file:\(output.path),\(input.path)", body)
  }

  @Test(
    "is silent in a category without input, and the unit plays",
    arguments: [AVAudioSession.Category.playback, .ambient, .soloAmbient])
  func silent(category: AVAudioSession.Category) throws {
    try withLoudInput { session in
      try session.setCategory(category)
      try session.setActive(true)
      #expect(try ListeningUnit().loudest() == 0)
    }
  }

  @Test("is captured in a category with input, and before the program has chosen a category")
  func captured() throws {
    try withLoudInput { session in
      try session.setActive(true)
      #expect(try ListeningUnit().hearsInput())
      try session.setCategory(.playback)
      try session.setCategory(.playAndRecord)
      #expect(try ListeningUnit().hearsInput())
    }
  }

  @Test("is refused in a category without input if the unit does not play, with the reason")
  func refused() throws {
    try withLoudInput { session in
      try session.setCategory(.playback)
      let unit = try ListeningUnit(plays: false)
      #expect(AudioUnitInitialize(unit.unit) == kAudioUnitErr_FailedInitialization)
      let text = AUDiagnosticsCopyLastExplanation()?.takeRetainedValue()
      #expect(text.map { "\($0)" }?.contains("category has no input") == true)
      try session.setCategory(.record)
      #expect(AudioUnitInitialize(unit.unit) == noErr)
    }
  }

  @Test(
    "has the rate of its file, whatever rate is preferred",
    arguments: [44_100.0, 1_000, 96_000, 768_000, 47_999.5])
  func rate(preferred: Double) throws {
    try withLoudInput { session in
      try session.setPreferredSampleRate(preferred)
      try session.setCategory(.playAndRecord)
      try session.setActive(true)
      #expect(session.preferredSampleRate == preferred)
      #expect(session.sampleRate == 48_000)
      #expect(try ListeningUnit().hearsInput())
      #expect(session.inputNumberOfChannels == 2)
    }
  }

  @Test("no preference makes a unit fail")
  func hostile() throws {
    try withLoudInput { session in
      try session.setCategory(.playAndRecord)
      try session.setActive(true)
      let numbers = [
        0, -0.0, 1, -1, 1e-9, 9.9, 1e-300, 1e300, .infinity, -.infinity, .nan, 44_100, 999.9,
        768_000, 768_001, .greatestFiniteMagnitude, .leastNonzeroMagnitude,
      ]
      for number in numbers {
        try? session.setPreferredSampleRate(number)
        try? session.setPreferredIOBufferDuration(number)
        try? session.setInputGain(Float(number))
        #expect(session.sampleRate == 48_000 && session.ioBufferDuration > 0, "\(number)")
        try session.setActive(true)
      }
      for count in [0, 1, 2, 3, 255, 256, 257, -1, .max, .min] {
        try? session.setPreferredInputNumberOfChannels(count)
        try? session.setPreferredOutputNumberOfChannels(count)
        try session.setActive(true)
      }
      try? session.setInputDataSource(nil)
      for duration in [1e-9, 10, 0] {
        try session.setPreferredIOBufferDuration(duration)
        #expect(try ListeningUnit().hearsInput(), "\(duration)")
      }
    }
  }
}
