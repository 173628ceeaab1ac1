// SPDX-License-Identifier: Apache-2.0
internal import AudioSupport
internal import CAudioToolbox
@_spi(TrappingConversions) import CheckedNumbers

extension PlaybackQueue {
  /// [any thread but a render thread] Enqueues a buffer; returns the queue time, in frames, at
  /// which it begins, if known.
  func append(
    _ reference: AudioQueueBufferRef,
    _ descriptions: UnsafeBufferPointer<AudioStreamPacketDescription>, _ options: BufferOptions
  ) throws(AudioError) -> Int {
    try lock.withLock { () throws(AudioError) in
      guard !isDisposing else { throw .queueDisposal }
      guard !bufferUse.returnsBuffers else { throw .queueEnqueueDuringReset }
      let buffer = try buffers.buffer(reference)
      guard !buffer.isEnqueued else { throw .queueBufferInQueue }
      let byteCount = try buffer.byteCount()
      let enqueued = EnqueuedBuffer(
        buffer, byteCount: byteCount,
        descriptions: try self.descriptions(of: buffer, byteCount, descriptions), options: options,
        format: format)
      for event in options.parameters { try parameters.pointee.check(event.mID, event.mValue) }
      let start = options.reportsStart ? max(options.startFrame ?? 0, endFrame) : 0
      buffer.isEnqueued = true
      items.append(.buffer(enqueued))
      expectFrames()
      lock.signal()
      return start
    }
  }

  /// The packet descriptions of a buffer: those that the program passes, or else those in the
  /// buffer.
  private func descriptions(
    of buffer: QueueBuffer, _ byteCount: Int,
    _ given: UnsafeBufferPointer<AudioStreamPacketDescription>
  ) throws(AudioError) -> [AudioStreamPacketDescription] {
    guard format.mFormatID != kAudioFormatLinearPCM else { return [] }
    guard given.count <= byteCount else {
      throw .invalidArgument.because("\(given.count) packets in \(byteCount) bytes")
    }
    if !given.isEmpty { return Array(given) }
    let own = try buffer.ownPackets()
    if !own.isEmpty { return own }
    guard format.mBytesPerPacket > 0 else {
      throw .invalidArgument.because(
        "\(StreamFormat.describe(format)): packets differ in size, and there are no descriptions")
    }
    return []
  }

  /// [holding `lock`] The queue time, in frames, at which everything enqueued has been played.
  private var endFrame: Int {
    // Programs choose start times and sizes freely; a sum of them may exceed every integer.
    var frame = Double(pendingOutputFrames)
    if let renderer {
      let played = state == .stopped ? 0 : max(renderer.pointee.time.load().end, 0)
      frame += Double(played) + Double(renderer.pointee.ring.fill)
    }
    let changesRate = timePitchEnabled && !timePitchBypassed
    let rate = changesRate ? parameters.pointee.limited(kAudioQueueParam_PlayRate) : 1
    for case .buffer(let enqueued) in items {
      frame = max(frame, Double(enqueued.options.startFrame ?? 0))
      let frames = max(0, enqueued.playedFrames - (enqueued.decoded ?? 0))
      frame += (Double(frames) / Double(rate)).rounded()
    }
    return Int(saturating: frame)
  }

  /// [holding `lock`] Tells the renderer whether more frames will come without any call of the
  /// program.
  func expectFrames() {
    let hasWork = !items.isEmpty || bufferUse.isBusy || pendingCallbacks > 0
    let expects = mayDecode && !isDisposing && hasWork
    renderer?.pointee.expectsFrames.store(expects, ordering: .releasing)
  }

  /// [any thread but a render thread] Returns a buffer to the program.
  func returnBuffer(_ enqueued: EnqueuedBuffer) {
    let buffer = enqueued.buffer
    let hasHandle = lock.withLock {
      buffer.isEnqueued = false
      // A queue that continues to play without its handle calls no callback.
      guard !disposesWhenStopped else { return false }
      pendingCallbacks += 1
      expectFrames()
      return true
    }
    guard hasHandle else { return }
    let callback = callback
    if lock.withLock({ offline != nil && offlineThread != 0 }) {
      // An offline render calls the callback directly, because no run loop runs meanwhile. A
      // concurrent reset or stop holds a lock.
      AfterLocks.perform { [calls, handle] in
        if let handle {
          self.call(for: buffer) {
            ProgramCalls.shared.run(calls) { callback(handle, buffer.reference) }
          }
        }
        self.callReturned()
      }
    } else {
      callProgram(
        for: buffer, { callback($0, buffer.reference) },
        completion: { [weak self] in self?.callReturned() })
    }
  }

  private func callReturned() {
    lock.withLock {
      pendingCallbacks -= 1
      expectFrames()
    }
  }
}

extension PublishedTime.Position {
  /// The frame after the last one rendered.
  var end: Int { frame + frameCount }
}
