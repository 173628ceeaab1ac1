// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioToolbox
import AudioUnitCore

/// Reads which properties a unit has, where, and whether they can be read and written.
struct UnitInspector {
  let unit: UnitInstance

  /// Size and writability of a property; nil if the unit does not have it at this address.
  func info(
    _ property: AudioUnitPropertyID, _ scope: AudioUnitScope, _ element: AudioUnitElement
  ) -> (size: Int, isWritable: Bool)? {
    do throws(AudioError) {
      let info = try unit.propertyInfo(PropertyAddress(property, scope, element))
      return (info.size, info.isWritable)
    } catch {
      // A property without a value at the moment still exists.
      return error.status == kAudioUnitErr_PropertyNotInUse ? (0, false) : nil
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
    do throws(AudioError) {
      try unit.getProperty(PropertyAddress(entry.id, scope, element), into: memory, size: &size)
    } catch {
      return error.status == kAudioUnitErr_PropertyNotInUse
    }
    if entry.isObject, let object = memory.load(as: UnsafeRawPointer?.self) {
      Unmanaged<AnyObject>.fromOpaque(object).release()
    }
    return true
  }
}
