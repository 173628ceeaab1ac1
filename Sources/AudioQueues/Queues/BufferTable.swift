// SPDX-License-Identifier: Apache-2.0
internal import AudioSupport
internal import CAudioToolbox

/// The buffers that the program has allocated for a queue. The queue's `lock` guards it.
struct BufferTable {
  /// The most bytes of a buffer: larger requests are treated as a mistake.
  private static let mostBytes: UInt32 = 1 << 30

  private var buffers: [AudioQueueBufferRef: QueueBuffer] = [:]

  /// [control thread] Makes a buffer, which is in no table yet.
  static func make(byteCount: UInt32, descriptionCount: UInt32) throws(AudioError) -> QueueBuffer {
    guard byteCount > 0, byteCount <= mostBytes, descriptionCount <= mostBytes / 16 else {
      throw .invalidArgument.because(
        "a buffer of \(byteCount) bytes with \(descriptionCount) packet descriptions")
    }
    return QueueBuffer(byteCount: byteCount, descriptionCount: descriptionCount)
  }

  /// Adds a buffer.
  mutating func add(_ buffer: QueueBuffer) { buffers[buffer.reference] = buffer }

  /// The buffer at an address.
  func buffer(_ reference: AudioQueueBufferRef) throws(AudioError) -> QueueBuffer {
    guard let buffer = buffers[reference] else {
      throw .queueBuffer.because("the buffer does not belong to this queue")
    }
    return buffer
  }

  /// Frees a buffer that is not enqueued. A callback for it that is due is not called; while another
  /// thread is inside one, the buffer stays.
  mutating func free(_ reference: AudioQueueBufferRef) throws(AudioError) {
    try buffer(reference).free()
    buffers[reference] = nil
  }

  /// Frees all buffers, during disposal.
  mutating func removeAll() { buffers.removeAll() }
}
