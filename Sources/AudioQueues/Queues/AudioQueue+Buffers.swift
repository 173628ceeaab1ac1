// SPDX-License-Identifier: Apache-2.0
package import AudioSupport
package import CAudioToolbox
import CRealTime

extension AudioQueue {
  /// The most bytes of a buffer: larger requests are treated as a mistake.
  private static let largest: UInt32 = 1 << 30

  /// [control thread] Allocates a buffer.
  package func allocate(byteCount: UInt32, descriptionCount: UInt32) throws(AudioError)
    -> AudioQueueBufferRef
  {
    guard byteCount > 0, byteCount <= Self.largest, descriptionCount <= Self.largest / 16 else {
      throw .invalidArgument.because(
        "a buffer of \(byteCount) bytes with \(descriptionCount) packet descriptions")
    }
    let buffer = QueueBuffer(byteCount: byteCount, descriptionCount: descriptionCount)
    try lock.withLock { () throws(AudioError) in
      guard !isDisposing else { throw .queueDisposal }
      buffers[buffer.reference] = buffer
    }
    return buffer.reference
  }

  /// [control thread] Frees a buffer that is not enqueued. A callback for it that is due is not
  /// called; while another thread is inside one, the buffer stays.
  package func free(_ reference: AudioQueueBufferRef) throws(AudioError) {
    try lock.withLock { () throws(AudioError) in
      let buffer = try buffer(reference)
      guard !buffer.isEnqueued else { throw .queueBufferInQueue }
      guard buffer.callers.allSatisfy({ $0 == rt_thread_id() }) else {
        throw .queueBufferInQueue.because("another thread is inside the buffer's callback")
      }
      buffer.isFreed = true
      buffers[reference] = nil
    }
  }

  /// [any thread but a render thread] Runs `call`, a callback of the program for a buffer, unless
  /// the buffer has been freed.
  func call(for buffer: QueueBuffer, _ call: () -> Void) {
    let thread = rt_thread_id()
    let mayCall = lock.withLock {
      guard !buffer.isFreed else { return false }
      buffer.callers.append(thread)
      return true
    }
    guard mayCall else { return }
    call()
    lock.withLock {
      if let index = buffer.callers.lastIndex(of: thread) { buffer.callers.remove(at: index) }
    }
  }

  /// [holding `lock`] The buffer at an address.
  func buffer(_ reference: AudioQueueBufferRef) throws(AudioError) -> QueueBuffer {
    guard let buffer = buffers[reference] else {
      throw .queueBuffer.because("the buffer does not belong to this queue")
    }
    return buffer
  }

  // MARK: Parameters

  /// [any thread] The value of a parameter.
  package func parameter(_ id: AudioQueueParameterID) throws(AudioError) -> Float {
    guard let value = parameters.pointee.value(id) else { throw unknown(id) }
    return value
  }

  /// [any thread] Sets a parameter.
  package func setParameter(_ id: AudioQueueParameterID, to value: Float) throws(AudioError) {
    try check(id, value)
    _ = parameters.pointee.set(id, value)
  }

  /// Throws unless a parameter exists and can have a value.
  func check(_ id: AudioQueueParameterID, _ value: Float) throws(AudioError) {
    guard value.isFinite else {
      throw .queueParameter.because("parameter \(id): \(value) is not a number")
    }
    guard parameters.pointee.value(id) != nil else { throw unknown(id) }
  }

  private func unknown(_ id: AudioQueueParameterID) -> AudioError {
    .queueParameter.because("queues have no parameter \(id)")
  }
}
