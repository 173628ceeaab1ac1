// SPDX-License-Identifier: Apache-2.0
import AudioDevices
import AudioToolbox
import Foundation

/// An output unit as a program uses it.
class TestedUnit: @unchecked Sendable {  // the unit is safe to use from any thread
  let unit: AudioUnit
  private let environment: DeviceEnvironment?
  private var isOpen = true

  /// Creates a unit, in an environment of its own or in that of the current thread.
  init(
    _ subType: OSType = kAudioUnitSubType_RemoteIO, in environment: DeviceEnvironment? = nil
  ) throws {
    self.environment = environment
    var description = AudioComponentDescription(
      componentType: kAudioUnitType_Output, componentSubType: subType,
      componentManufacturer: kAudioUnitManufacturer_Apple, componentFlags: 0,
      componentFlagsMask: 0)
    var unit: AudioUnit?
    guard let component = AudioComponentFindNext(nil, &description),
      AudioComponentInstanceNew(component, &unit) == noErr, let unit
    else { throw ServerFailure("no output unit") }
    self.unit = unit
  }

  deinit { dispose() }

  /// Disposes of it. Called before the data of its callbacks is freed.
  func dispose() {
    if isOpen { AudioComponentInstanceDispose(unit) }
    isOpen = false
  }

  func start() throws {
    try inEnvironment {
      try check(AudioUnitInitialize(unit))
      try check(AudioOutputUnitStart(unit))
    }
  }

  func stop() throws { try check(AudioOutputUnitStop(unit)) }

  /// Sets mono Float32 at a rate for playback, and for capture if `captures`.
  func setFormat(rate: Double, captures: Bool) throws {
    let format = AudioStreamBasicDescription(
      mSampleRate: rate, mFormatID: kAudioFormatLinearPCM,
      mFormatFlags: kAudioFormatFlagsNativeFloatPacked | kAudioFormatFlagIsNonInterleaved,
      mBytesPerPacket: 4, mFramesPerPacket: 1, mBytesPerFrame: 4, mChannelsPerFrame: 1,
      mBitsPerChannel: 32, mReserved: 0)
    if captures {
      try set(kAudioOutputUnitProperty_EnableIO, UInt32(1), kAudioUnitScope_Input, 1)
      try set(kAudioUnitProperty_StreamFormat, format, kAudioUnitScope_Output, 1)
    }
    try set(kAudioUnitProperty_StreamFormat, format, kAudioUnitScope_Input, 0)
    try set(kAudioUnitProperty_MaximumFramesPerSlice, UInt32(4_096))
  }

  func set<Value>(
    _ id: AudioUnitPropertyID, _ value: Value, _ scope: AudioUnitScope = kAudioUnitScope_Global,
    _ element: AudioUnitElement = 0
  ) throws {
    try withUnsafeBytes(of: value) {
      try check(
        AudioUnitSetProperty(unit, id, scope, element, $0.baseAddress, UInt32($0.count)))
    }
  }

  func get<Value: BitwiseCopyable>(
    _ id: AudioUnitPropertyID, _ zero: Value, _ scope: AudioUnitScope = kAudioUnitScope_Global,
    _ element: AudioUnitElement = 0
  ) throws -> Value {
    var value = zero
    var size = UInt32(MemoryLayout<Value>.size)
    try inEnvironment { try check(AudioUnitGetProperty(unit, id, scope, element, &value, &size)) }
    return value
  }

  /// A text property. Nil if there is none.
  func text(
    _ id: AudioUnitPropertyID, _ scope: AudioUnitScope = kAudioUnitScope_Global,
    _ element: AudioUnitElement = 0
  ) -> String? {
    var text: Unmanaged<CFString>?
    var size = UInt32(MemoryLayout.size(ofValue: text))
    inEnvironment { _ = AudioUnitGetProperty(unit, id, scope, element, &text, &size) }
    return (text?.takeRetainedValue()).map { "\($0)" }
  }

  private func inEnvironment<Result>(_ body: () throws -> Result) rethrows -> Result {
    guard let environment else { return try body() }
    return try environment.use(body)
  }

  private func check(_ status: OSStatus) throws {
    guard status != noErr else { return }
    let text = AUDiagnosticsCopyLastExplanation()?.takeRetainedValue()
    throw ServerFailure("\(status): \(text.map { "\($0)" } ?? "")")
  }
}
