// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioUnitCore
import CAudioToolbox

// What a graph asks of any unit, native or foreign, as any host would.
extension UnitInstance {
  /// [any thread] How many elements a scope has.
  func elementCount(_ scope: AudioUnitScope) throws(AudioError) -> UInt32 {
    try number(kAudioUnitProperty_ElementCount, scope)
  }

  /// [control thread] Sets the most frames, where that is possible.
  func setMaximumFramesPerSlice(_ frames: UInt32) {
    try? set(kAudioUnitProperty_MaximumFramesPerSlice, frames, kAudioUnitScope_Global, 0)
  }

  /// [any thread] Whether it plays, where it says.
  var isRunning: Bool? {
    (try? number(kAudioOutputUnitProperty_IsRunning, kAudioUnitScope_Global)).map { $0 != 0 }
  }

  /// [any thread] What its host calls it.
  var nickName: String? {
    var name: UnsafeRawPointer?
    var size = UInt32(MemoryLayout.size(ofValue: name))
    let address = PropertyAddress(kAudioUnitProperty_NickName, kAudioUnitScope_Global, 0)
    guard (try? getProperty(address, into: &name, size: &size)) != nil, let name else { return nil }
    defer { Bridge.current.release(name) }
    return Bridge.current.string(name)
  }

  /// [control thread] Sets the format of an element.
  func setStreamFormat(_ format: StreamFormat, _ scope: AudioUnitScope, _ element: UInt32)
    throws(AudioError)
  { try set(kAudioUnitProperty_StreamFormat, format.description, scope, element) }

  /// [control thread] Seconds from its input to its output, as it says.
  var latencySeconds: Double {
    var seconds = 0.0
    var size = UInt32(MemoryLayout<Double>.size)
    let address = PropertyAddress(kAudioUnitProperty_Latency, kAudioUnitScope_Global, 0)
    guard (try? getProperty(address, into: &seconds, size: &size)) != nil else { return 0 }
    return seconds.isFinite ? min(max(seconds, 0), 10) : 0
  }

  /// [control thread] Feeds inputs of a foreign unit, one after the other.
  func setSources(_ inputs: [NativeUnit.NewInput]) {
    for input in inputs {
      let bus = UInt32(input.bus)
      var connection = AudioUnitConnection(
        sourceAudioUnit: nil, sourceOutputNumber: 0, destInputNumber: bus)
      switch input.source {
      case .callback(let callback):
        try? set(kAudioUnitProperty_SetRenderCallback, callback, kAudioUnitScope_Input, bus)
        continue
      case .connection(let unit, let output):
        connection.sourceAudioUnit = unit.handle
        connection.sourceOutputNumber = output
      case .nothing:
        try? set(
          kAudioUnitProperty_SetRenderCallback, AURenderCallbackStruct(), kAudioUnitScope_Input,
          bus)
      }
      try? set(kAudioUnitProperty_MakeConnection, connection, kAudioUnitScope_Input, bus)
    }
  }

  private func number(_ id: AudioUnitPropertyID, _ scope: AudioUnitScope) throws(AudioError)
    -> UInt32
  {
    var number: UInt32 = 0
    var size = UInt32(MemoryLayout<UInt32>.size)
    try getProperty(PropertyAddress(id, scope, 0), into: &number, size: &size)
    return number
  }

  private func set<Value>(
    _ id: AudioUnitPropertyID, _ value: Value, _ scope: AudioUnitScope, _ element: UInt32
  ) throws(AudioError) {
    try withUnsafeBytes(of: value) { (bytes) throws(AudioError) in
      try setProperty(
        PropertyAddress(id, scope, element), bytes.baseAddress, size: UInt32(bytes.count))
    }
  }
}
