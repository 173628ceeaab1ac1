// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox
@_spi(TrappingConversions) import CheckedNumbers

/// A property of files: one row of the table.
struct FileProperty: Sendable {
  typealias Size = @Sendable (AudioFileObject, Container) throws(AudioError) -> Int
  /// Returns the bytes of the value. `ByteFields` is the program's input, for properties that have
  /// one.
  typealias Get =
    @Sendable (AudioFileObject, Container, ByteFields) throws(AudioError) -> [UInt8]
  typealias Set =
    @Sendable (AudioFileObject, Container, [UInt8]) throws(AudioError) -> Void

  let id: AudioFilePropertyID
  let size: Size
  let get: Get?
  let set: Set?
  /// Whether setting it changes the file, not only how it is read.
  let needsPermission: Bool

  init(
    _ id: AudioFilePropertyID, bytes: Int, get: Get? = nil, set: Set? = nil,
    needsPermission: Bool = true
  ) {
    self.id = id
    self.needsPermission = needsPermission
    size = { _, _ in bytes }
    self.get = get
    self.set = set
  }

  init(_ id: AudioFilePropertyID, size: @escaping Size, get: @escaping Get, set: Set? = nil) {
    self.id = id
    needsPermission = true
    self.size = size
    self.get = get
    self.set = set
  }

  /// A property whose size follows from its value.
  init(_ id: AudioFilePropertyID, variable get: @escaping Get, set: Set? = nil) {
    self.init(
      id,
      size: { file, container throws(AudioError) in
        try get(file, container, .none).count
      }, get: get, set: set)
  }

  static func of(_ id: AudioFilePropertyID, _ container: Container) throws(AudioError) -> Self {
    guard let row = table[id] else {
      throw .unsupportedProperty.because(
        "\(container.store.name): files have no property \(ChunkCode(id).quoted)")
    }
    return row
  }
}

extension ByteFields {
  /// The input when the program passes none.
  static let none = ByteFields([], isBigEndian: isHostBigEndian)
  /// Whether this machine is big-endian.
  static let isHostBigEndian = 1.bigEndian == 1
}

extension ByteBuilder {
  /// The bytes of a structure, in this machine's byte order.
  static func native(_ build: (inout ByteBuilder) throws(AudioError) -> Void) throws(AudioError)
    -> [UInt8]
  {
    var builder = ByteBuilder(isBigEndian: ByteFields.isHostBigEndian)
    try build(&builder)
    return builder.bytes
  }
}

extension AudioFileObject {
  /// [control thread] The size of a property's value, and whether it can be set.
  package func propertyInfo(
    _ id: AudioFilePropertyID
  ) throws(AudioError) -> (size: Int, isWritable: Bool) {
    try locked { container throws(AudioError) in
      let row = try FileProperty.of(id, container)
      return (try row.size(self, container), row.set != nil && (canWrite || !row.needsPermission))
    }
  }

  /// [control thread] Writes a property's value to memory of `size` bytes and sets `size` to its
  /// size.
  package func property(
    _ id: AudioFilePropertyID, into memory: UnsafeMutableRawPointer, _ size: inout UInt32
  ) throws(AudioError) {
    let room = Int(size)
    size = try locked { container throws(AudioError) in
      let row = try FileProperty.of(id, container)
      guard let get = row.get else {
        throw .unsupportedProperty.because(
          "\(container.store.name): property \(ChunkCode(id).quoted) can only be set")
      }
      let needed = try row.size(self, container)
      guard room >= needed else {
        throw .badPropertySize.because(
          "property \(ChunkCode(id).quoted) needs \(needed) bytes, not \(room)")
      }
      let input = Array(UnsafeRawBufferPointer(start: memory, count: min(needed, 64)))
      let value = try get(
        self, container, ByteFields(input, isBigEndian: ByteFields.isHostBigEndian))
      memory.copyMemory(from: value, byteCount: min(value.count, room))
      return UInt32(clamping: value.count)
    }
  }

  /// [control thread] Sets a property.
  package func setProperty(
    _ id: AudioFilePropertyID, _ memory: UnsafeRawBufferPointer
  ) throws(AudioError) {
    try locked(changes: true) { container throws(AudioError) in
      let row = try FileProperty.of(id, container)
      guard let set = row.set else {
        throw .fileOperationNotSupported.because(
          "\(container.store.name): property \(ChunkCode(id).quoted) can only be read")
      }
      if row.needsPermission { try checkWritable() }
      try set(self, container, Array(memory))
    }
  }
}
