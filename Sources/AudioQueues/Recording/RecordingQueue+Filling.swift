// SPDX-License-Identifier: Apache-2.0
import AudioConversion
internal import AudioSupport
internal import CAudioToolbox
import CRealTime
@_spi(TrappingConversions) import CheckedNumbers

// The work of the queue's thread: it encodes frames of the ring to packets in buffers.
extension RecordingQueue {
  private enum Step { case fill, reportLoss(Int), finish, loseDevice, exit }

  /// [any thread but a render thread] Enqueues a buffer.
  func append(_ reference: AudioQueueBufferRef) throws(AudioError) {
    try lock.withLock { () throws(AudioError) in
      guard !isDisposing else { throw .queueDisposal }
      guard !access.bufferUse.returnsBuffers else { throw .queueEnqueueDuringReset }
      let buffer = try buffers.buffer(reference)
      guard !buffer.isEnqueued else { throw .queueEnqueuedTwice }
      buffer.isEnqueued = true
      enqueuedBuffers.append(buffer)
      lock.signal()
    }
  }

  /// [the queue's thread] Encodes, and monitors the ring.
  func fillUntilDisposal() {
    while true {
      switch next() {
      case .fill:
        let isToFlush = lock.withLock { isFlushing }
        fill(upTo: renderer.pointee.ring.written, flushes: isToFlush)
        lock.withLock {
          if isToFlush { isFlushing = false }
          access.bufferUse.end()
          lock.signal()
        }
      case .reportLoss(let count):
        Explanations.log(
          "audio queue: frames were lost \(count) time\(count == 1 ? "" : "s"): no buffer was "
            + "enqueued to record into; enqueue more of them")
        notify(AudioQueuePropertyID(kAUDiagnosticsProperty_Xruns))
      case .finish: access.controllingIfFree { finish() }
      case .loseDevice: loseDevice()
      case .exit: return
      }
    }
  }

  private func next() -> Step {
    lock.withLock {
      while true {
        if isDisposing { return .exit }
        if !access.bufferUse.isHalted, state.isActive {
          if state == .lost { return .loseDevice }
          if buffersUntilStop == 0 { return .finish }
          let losses = renderer.pointee.lossCount.load(ordering: .relaxed)
          if losses != reportedLosses {
            defer { reportedLosses = losses }
            return .reportLoss(losses)
          }
          let hasFrames = renderer.pointee.ring.fill > 0 || !stagedRange.isEmpty
          if isFlushing || hasFrames, hasBuffer {
            access.bufferUse.begin()
            return .fill
          }
        }
        // The render thread wakes no thread, so this one polls for frames.
        let runs = state.runs && hasBuffer
        lock.wait(until: rt_host_time() + (runs ? 5_000_000 : 100_000_000))
      }
    }
  }

  /// [holding `lock`]
  private var hasBuffer: Bool { isFillingBuffer || !enqueuedBuffers.isEmpty }

  /// Fills buffers with frames of the ring, until there are no more buffers or frames. Only while
  /// during a use of the buffers, or while others are halted.
  func fill(upTo end: Int, flushes: Bool) {
    while beginNextBuffer() {
      stage(upTo: end)
      let isLast = stagedRange.isEmpty
      guard !isLast || flushes, encode(isAtEnd: isLast) else { break }
      if isLast {
        returnFilledBuffer()
        encoder.reset()
        access.currentTap?.streamEnded()
        break
      }
      // A stop can take effect in between.
      if !flushes, lock.withLock({ access.bufferUse.isHalted || isDisposing }) { break }
    }
  }

  /// Begins to fill the next enqueued buffer, unless one is being filled; false when there is none.
  private func beginNextBuffer() -> Bool {
    if filling != nil { return true }
    let buffer = lock.withLock { () -> QueueBuffer? in
      guard !enqueuedBuffers.isEmpty, buffersUntilStop != 0 else { return nil }
      isFillingBuffer = true
      return enqueuedBuffers.removeFirst()
    }
    filling = buffer.map { Filling(buffer: $0) }
    return buffer != nil
  }

  /// Moves frames from the ring, through the tap, to `stagedSource`.
  private func stage(upTo end: Int) {
    guard stagedRange.isEmpty else { return }
    let ring = renderer.pointee.ring.read
    let count = min(end - ring, staged.capacity)
    guard count > 0 else { return }
    for channel in 0..<staged.channelCount {
      renderer.pointee.ring.copy(channel: channel, to: staged.channels[channel], count: count)
    }
    renderer.pointee.ring.release(upTo: ring + count)
    stagedSource = staged
    if let tap = access.currentTap {
      stagedSource = tap.process(staged, 0..<count, at: ring - firstFrame)
    }
    stagedRange = 0..<count
  }

  /// Encodes the staged frames into the buffer, and returns the buffer when it is full. False when
  /// nothing was encoded.
  private func encode(isAtEnd: Bool) -> Bool {
    guard var filling else { return false }
    let capacity = filling.buffer.capacity
    if filling.packetCount == 0 { markStart(&filling) }
    var descriptions: (memory: UnsafeMutablePointer<AudioStreamPacketDescription>, count: Int)?
    if format.mBytesPerPacket == 0 {
      // As many packets as fit at their largest size: a program that sized its buffer for a
      // duration gets that duration.
      let most = capacity / max(encoder.largestPacket, 1)
      let (memory, count) = filling.buffer.descriptions(max(1, min(4_096, most)))
      descriptions = (memory + filling.packetCount, count - filling.packetCount)
    }
    let result = encoder.encode(
      stagedSource, stagedRange, into: filling.buffer.data + filling.byteCount,
      room: capacity - filling.byteCount, descriptions: descriptions,
      isEmpty: filling.packetCount == 0, isAtEnd: isAtEnd)
    stagedRange = stagedRange.lowerBound + result.consumedFrames..<stagedRange.upperBound
    if let descriptions {
      for index in 0..<result.packets {
        descriptions.memory[index].mStartOffset &+= Int64(filling.byteCount)
      }
    }
    encodedFrames += result.packets * Int(max(1, format.mFramesPerPacket))
    filling.byteCount += result.byteCount
    filling.packetCount += result.packets
    self.filling = filling
    if let failure = result.failure {
      lock.withLock { encoderError = failure.status }
      Explanations.log("audio queue: cannot encode: \(failure.explanation)")
      notify(kAudioQueueProperty_ConverterError)
      stagedRange = 0..<0
      if failure.status == kAudioConverterErr_InvalidOutputSize {
        returnFilledBuffer()
        encoder.reset()
      }
      return false
    }
    let hasRoom =
      capacity - filling.byteCount >= encoder.largestPacket
      && (descriptions.map { $0.count > result.packets } ?? true)
    if !hasRoom {
      returnFilledBuffer()
      return true
    }
    return result.consumedFrames > 0 || result.packets > 0 || isAtEnd
  }

  /// Sets the start time of the buffer.
  private func markStart(_ filling: inout Filling) {
    filling.start = encodedFrames + renderer.pointee.lostFrames.load(ordering: .relaxed)
    let position = renderer.pointee.position
    let ahead = Double(firstFrame + encodedFrames - position.frame) / format.mSampleRate * 1e9
    let elapsed = ahead / (position.rateScalar > 0 ? position.rateScalar : 1)
    filling.hostTime = UInt64(saturating: Double(position.hostTime) + elapsed)
  }

  /// Returns the buffer that is being filled.
  func returnFilledBuffer() {
    guard let filling else { return }
    self.filling = nil
    returnBuffer(
      filling.buffer, byteCount: filling.byteCount, packets: filling.packetCount,
      at: filling.start, filling.hostTime)
    lock.withLock {
      isFillingBuffer = false
      if let left = buffersUntilStop { buffersUntilStop = max(0, left - 1) }
    }
  }

  /// Returns a buffer to the program's callback.
  func returnBuffer(
    _ buffer: QueueBuffer, byteCount: Int, packets: Int, at frame: Int, _ hostTime: UInt64
  ) {
    let hasDescriptions = format.mBytesPerPacket == 0 && packets > 0
    let descriptions = hasDescriptions ? buffer.descriptions(1).memory : nil
    lock.withLock {
      buffer.isEnqueued = false
      buffer.reference.pointee.mAudioDataByteSize = UInt32(clamping: byteCount)
      if hasDescriptions, buffer.hasPacketMemory {
        buffer.reference.pointee.mPacketDescriptionCount = UInt32(clamping: packets)
      }
    }
    var stamp = AudioTimeStamp()
    stamp.mSampleTime = Double(frame)
    stamp.mFlags = .sampleTimeValid
    if hostTime > 0 {
      stamp.mHostTime = hostTime
      stamp.mFlags.insert(.hostTimeValid)
    }
    let callback = callback
    let descriptionAddress = UInt(bitPattern: descriptions)
    core.calls.perform(for: buffer) { [stamp] handle in
      withUnsafePointer(to: stamp) {
        callback(
          handle, buffer.reference, $0, UInt32(clamping: packets),
          UnsafePointer<AudioStreamPacketDescription>(bitPattern: descriptionAddress))
      }
    }
  }
}
