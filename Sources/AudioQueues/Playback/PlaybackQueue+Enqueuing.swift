// SPDX-License-Identifier: Apache-2.0
internal import AudioSupport
internal import CAudioToolbox

extension PlaybackQueue {
  /// [any thread but a render thread] Enqueues a buffer; returns the queue time, in frames, at
  /// which it begins, if known.
  func enqueue(
    _ reference: AudioQueueBufferRef,
    _ descriptions: UnsafeBufferPointer<AudioStreamPacketDescription>, _ options: BufferOptions
  ) throws(AudioError) -> Int {
    try lock.withLock { () throws(AudioError) in
      guard !isDisposing else { throw .queueDisposal }
      guard !isResetting else { throw .queueEnqueueDuringReset }
      let buffer = try buffer(reference)
      guard !buffer.isEnqueued else { throw .queueBufferInQueue }
      let content = reference.pointee
      guard content.mAudioDataByteSize > 0 else { throw .queueBufferEmpty }
      guard content.mAudioDataByteSize <= content.mAudioDataBytesCapacity else {
        throw .queueBuffer.because(
          "\(content.mAudioDataByteSize) bytes in a buffer of \(content.mAudioDataBytesCapacity)")
      }
      let enqueued = EnqueuedBuffer(
        buffer, descriptions: try self.descriptions(of: content, descriptions), options: options,
        format: format)
      if let wrong = options.parameters.first(where: { parameters.pointee.value($0.mID) == nil }) {
        throw .queueParameter.because("queues have no parameter \(wrong.mID)")
      }
      let start = max(options.startFrame ?? 0, endFrame)
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
    of content: AudioQueueBuffer, _ given: UnsafeBufferPointer<AudioStreamPacketDescription>
  ) throws(AudioError) -> [AudioStreamPacketDescription] {
    guard format.mFormatID != kAudioFormatLinearPCM else { return [] }
    if !given.isEmpty { return Array(given) }
    if let own = content.mPacketDescriptions, content.mPacketDescriptionCount > 0 {
      let count = min(content.mPacketDescriptionCount, content.mPacketDescriptionCapacity)
      return Array(UnsafeBufferPointer(start: own, count: Int(count)))
    }
    guard format.mBytesPerPacket > 0 else {
      throw .invalidArgument.because(
        "\(StreamFormat.describe(format)): packets differ in size, and there are no descriptions")
    }
    return []
  }

  /// [holding `lock`] The queue time, in frames, at which everything enqueued has been played.
  private var endFrame: Int {
    var frame = 0
    if let renderer {
      let written = renderer.pointee.ring.fill
      frame = state == .stopped ? written : max(renderer.pointee.time.load().end, 0) + written
    }
    frame += pendingOutputFrames
    let changesRate = timePitchEnabled && !timePitchBypassed
    let rate = changesRate ? parameters.pointee.limited(kAudioQueueParam_PlayRate) : 1
    for case .buffer(let enqueued) in items {
      frame = max(frame, enqueued.options.startFrame ?? 0)
      let frames = max(0, enqueued.playedFrames - (enqueued.decoded ?? 0))
      frame += Int((Double(frames) / Double(rate)).rounded())
    }
    return frame
  }

  /// [holding `lock`] Tells the renderer whether more frames will come without any call of the
  /// program.
  func expectFrames() {
    let expects = mayDecode && !isDisposing && (!items.isEmpty || isBusy || pendingCallbacks > 0)
    renderer?.pointee.expectsFrames.store(expects, ordering: .releasing)
  }

  /// [any thread but a render thread] Returns a buffer to the program.
  func returnBuffer(_ enqueued: EnqueuedBuffer) {
    let reference = enqueued.buffer.reference
    let hasHandle = lock.withLock {
      enqueued.buffer.isEnqueued = false
      // A queue that continues to play without its handle calls no callback.
      guard !disposesWhenStopped else { return false }
      pendingCallbacks += 1
      expectFrames()
      return true
    }
    guard hasHandle else { return }
    let callback = callback
    if isOffline, lock.withLock({ isRenderingOffline }) {
      // An offline render calls the callback directly, because no run loop runs meanwhile. A
      // concurrent reset or stop holds a lock.
      AfterLocks.perform { [calls, handle] in
        if let handle { ProgramCalls.shared.run(calls) { callback(handle, reference) } }
        self.callReturned()
      }
    } else {
      let address = UInt(bitPattern: reference)
      callProgram { [weak self] handle in
        if let reference = AudioQueueBufferRef(bitPattern: address) { callback(handle, reference) }
        self?.callReturned()
      }
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
