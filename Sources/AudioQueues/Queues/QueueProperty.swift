// SPDX-License-Identifier: Apache-2.0
package import AudioSupport
package import CAudioToolbox
@_spi(TrappingConversions) import CheckedNumbers

/// One property of queues, declared once: its size, checks and writability follow from this row.
struct QueueProperty: Sendable {
  typealias Read = @Sendable (AudioQueue) throws(AudioError) -> [UInt8]
  typealias Write = @Sendable (AudioQueue, UnsafeRawBufferPointer) throws(AudioError) -> Void

  let id: AudioQueuePropertyID
  let read: Read?
  let write: Write?

  private init(_ id: AudioQueuePropertyID, read: Read?, write: Write?) {
    self.id = id
    self.read = read
    self.write = write
  }

  /// A value of a C type.
  static func value<Value: BitwiseCopyable>(
    _ id: AudioQueuePropertyID,
    get: @escaping @Sendable (AudioQueue) throws(AudioError) -> Value,
    set: (@Sendable (AudioQueue, Value) throws(AudioError) -> Void)? = nil
  ) -> QueueProperty {
    var write: Write?
    if let set {
      write = { (queue, data) throws(AudioError) in
        guard data.count == MemoryLayout<Value>.size else {
          throw .queuePropertySize.because(
            "\(data.count) bytes; \(Value.self) has \(MemoryLayout<Value>.size)")
        }
        try set(queue, data.loadUnaligned(as: Value.self))
      }
    }
    return QueueProperty(
      id,
      read: { (queue) throws(AudioError) in
        let value = try get(queue)
        return withUnsafeBytes(of: value) { Array($0) }
      }, write: write)
  }

  /// The most bytes of an array: larger values are treated as a mistake.
  private static let mostBytes = 1 << 20

  /// An array of a C type.
  static func array<Element: BitwiseCopyable>(
    _ id: AudioQueuePropertyID,
    get: (@Sendable (AudioQueue) throws(AudioError) -> [Element])?,
    set: (@Sendable (AudioQueue, [Element]) throws(AudioError) -> Void)? = nil
  ) -> QueueProperty {
    let stride = MemoryLayout<Element>.stride
    var read: Read?
    if let get {
      read = { (queue) throws(AudioError) in
        let values = try get(queue)
        return values.withUnsafeBytes { Array($0) }
      }
    }
    var write: Write?
    if let set {
      write = { (queue, data) throws(AudioError) in
        guard data.count <= mostBytes else {
          throw .queuePropertySize.because("\(data.count) bytes; at most \(mostBytes) are allowed")
        }
        guard data.count % stride == 0 else {
          throw .queuePropertySize.because("\(data.count) bytes are not whole \(Element.self)")
        }
        try set(
          queue,
          (0..<data.count / stride).map {
            data.loadUnaligned(fromByteOffset: $0 * stride, as: Element.self)
          })
      }
    }
    return QueueProperty(id, read: read, write: write)
  }
}

extension AudioQueue {
  private func row(_ id: AudioQueuePropertyID) throws(AudioError) -> QueueProperty {
    guard let row = Self.properties.first(where: { $0.id == id }) else {
      throw .queueProperty.because("queues have no property '\(FourCharacterCode(id))' (\(id))")
    }
    return row
  }

  private func bytes(_ id: AudioQueuePropertyID) throws(AudioError) -> [UInt8] {
    guard let read = try row(id).read else {
      throw .queueProperty.because("'\(FourCharacterCode(id))' can only be set")
    }
    return try read(self)
  }

  /// [any thread] The size of a property in bytes.
  package func propertySize(_ id: AudioQueuePropertyID) throws(AudioError) -> Int {
    // Reading the value creates an object, which would leak here.
    if id == kAudioQueueProperty_CurrentDevice { return MemoryLayout<UnsafeRawPointer>.size }
    if id == kAudioQueueProperty_ChannelAssignments {
      return Int(format.mChannelsPerFrame) * MemoryLayout<AudioQueueChannelAssignment>.stride
    }
    return try bytes(id).count
  }

  /// [any thread] Reads a property into memory of `size` bytes and sets `size` to its size.
  package func readProperty(
    _ id: AudioQueuePropertyID, into memory: UnsafeMutableRawPointer,
    size: UnsafeMutablePointer<UInt32>
  ) throws(AudioError) {
    let least = id == kAudioQueueProperty_CurrentDevice ? 8 : 0
    guard size.pointee >= least else {
      throw .queuePropertySize.because("there is room for \(size.pointee) bytes; 8 are needed")
    }
    let value = try bytes(id)
    guard size.pointee >= value.count else {
      throw .queuePropertySize.because(
        "'\(FourCharacterCode(id))' has \(value.count) bytes, there is room for \(size.pointee)")
    }
    value.withUnsafeBytes {
      if let start = $0.baseAddress { memory.copyMemory(from: start, byteCount: $0.count) }
    }
    size.pointee = UInt32(clamping: value.count)
  }

  /// [control thread] Sets a property.
  package func writeProperty(_ id: AudioQueuePropertyID, _ data: UnsafeRawBufferPointer)
    throws(AudioError)
  {
    guard let write = try row(id).write else {
      throw .queueProperty.because("'\(FourCharacterCode(id))' can only be read")
    }
    try write(self, data)
  }
}
