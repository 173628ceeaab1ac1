// SPDX-License-Identifier: Apache-2.0
import AudioSupport
public import CAudioToolbox

// Formats, asked for and set as any host would.
extension UnitInstance {
  /// [control thread] The format of an element, asked for as any host would.
  public func streamFormat(_ scope: AudioUnitScope, _ element: AudioUnitElement) throws(AudioError)
    -> StreamFormat
  {
    var description = AudioStreamBasicDescription()
    var size = UInt32(MemoryLayout<AudioStreamBasicDescription>.size)
    try withUnsafeMutableBytes(of: &description) { (bytes) throws(AudioError) in
      guard let base = bytes.baseAddress else { return }
      try getProperty(
        PropertyAddress(kAudioUnitProperty_StreamFormat, scope, element), into: base, size: &size)
    }
    return try StreamFormat(description)
  }

  /// [control thread] Sets the format of an element.
  package func setStreamFormat(_ format: StreamFormat, _ scope: AudioUnitScope, _ element: UInt32)
    throws(AudioError)
  { try set(kAudioUnitProperty_StreamFormat, format.description, scope, element) }

  /// [control thread] Sets a property of a fixed C type.
  package func set<Value>(
    _ id: AudioUnitPropertyID, _ value: Value, _ scope: AudioUnitScope, _ element: UInt32
  ) throws(AudioError) {
    try withUnsafeBytes(of: value) { (bytes) throws(AudioError) in
      try setProperty(
        PropertyAddress(id, scope, element), bytes.baseAddress, size: UInt32(bytes.count))
    }
  }

  /// [control thread] The most frames that it renders at once; nil where it does not say.
  package var maximumFramesPerSlice: UInt32? {
    var frames: UInt32 = 0
    var size = UInt32(MemoryLayout<UInt32>.size)
    let address = PropertyAddress(
      kAudioUnitProperty_MaximumFramesPerSlice, kAudioUnitScope_Global, 0)
    guard (try? getProperty(address, into: &frames, size: &size)) != nil, frames > 0 else {
      return nil
    }
    return frames
  }
}
