// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CCoreMIDI

// Unique identifiers.
extension Setup {
  /// [any thread] The device, entity or endpoint with a unique identifier.
  package func find(
    uniqueID: MIDIUniqueID
  ) throws(AudioError) -> (ref: MIDIObjectRef, type: MIDIObjectType) {
    try lock.withLock { () throws(AudioError) in
      guard let object = object(uniqueID: uniqueID) else {
        throw .objectNotFound.because("no object has the unique identifier \(uniqueID)")
      }
      return (object.ref, object.type)
    }
  }

  /// [under the lock] The object with a unique identifier.
  func object(uniqueID: MIDIUniqueID) -> MIDIObject? {
    objects.values.first { $0.properties[PropertyName.uniqueID]?.integer == Int(uniqueID) }
  }

  /// [under the lock] Gives an object the unique identifier that follows from `identity`, which is
  /// the same in every run of the program; the next free one if another object has it.
  func assignUniqueID(to object: MIDIObject, from identity: String) {
    // FNV-1a, a hash that does not change from run to run.
    var hash: UInt32 = 2_166_136_261
    for byte in identity.utf8 { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
    var id = Int32(bitPattern: hash)
    while id == kMIDIInvalidUniqueID || self.object(uniqueID: id) != nil { id &+= 1 }
    object.properties[PropertyName.uniqueID] = .integer(Int(id))
  }
}
