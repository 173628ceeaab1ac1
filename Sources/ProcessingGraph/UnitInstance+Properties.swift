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

  /// [control thread] Seconds from its input to its output, as it says.
  var latencySeconds: Double {
    var seconds = 0.0
    var size = UInt32(MemoryLayout<Double>.size)
    let address = PropertyAddress(kAudioUnitProperty_Latency, kAudioUnitScope_Global, 0)
    guard (try? getProperty(address, into: &seconds, size: &size)) != nil else { return 0 }
    return seconds.isFinite ? min(max(seconds, 0), 10) : 0
  }

  private func number(_ id: AudioUnitPropertyID, _ scope: AudioUnitScope) throws(AudioError)
    -> UInt32
  {
    var number: UInt32 = 0
    var size = UInt32(MemoryLayout<UInt32>.size)
    try getProperty(PropertyAddress(id, scope, 0), into: &number, size: &size)
    return number
  }
}
