// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
@_spi(TrappingConversions) import CheckedNumbers

/// Reads which properties a unit has, where, and whether they can be read and written.
struct UnitInspector {
  let unit: AudioUnit

  /// Size and writability of a property; nil if the unit does not have it at this address.
  func info(
    _ property: AudioUnitPropertyID, _ scope: AudioUnitScope, _ element: AudioUnitElement
  ) -> (size: Int, isWritable: Bool)? {
    var (size, isWritable) = (UInt32(0), DarwinBoolean(false))
    switch AudioUnitGetPropertyInfo(unit, property, scope, element, &size, &isWritable) {
    case noErr: return (Int(size), isWritable.boolValue)
    // A property without a value at the moment still exists.
    case kAudioUnitErr_PropertyNotInUse: return (0, false)
    default: return nil
    }
  }

  /// Whether a property can be read, and not only set.
  func isReadable(
    _ entry: PropertyEntry, _ scope: AudioUnitScope, _ element: AudioUnitElement
  ) -> Bool {
    if entry.takesInput { return true }
    let capacity = 4_096
    let memory = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 16)
    defer { memory.deallocate() }
    memory.initializeMemory(as: UInt8.self, repeating: 0, count: capacity)
    var size = UInt32(clamping: capacity)
    let status = AudioUnitGetProperty(unit, entry.id, scope, element, memory, &size)
    guard status == noErr else { return status == kAudioUnitErr_PropertyNotInUse }
    if entry.isObject, let object = memory.load(as: UnsafeRawPointer?.self) {
      Unmanaged<AnyObject>.fromOpaque(object).release()
    }
    return true
  }
}
