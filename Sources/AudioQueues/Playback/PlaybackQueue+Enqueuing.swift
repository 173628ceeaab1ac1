// SPDX-License-Identifier: Apache-2.0
internal import AudioSupport
internal import CAudioToolbox

extension PlaybackQueue {
  /// [any thread but a render thread] Enqueues a buffer; returns the frame of the queue's time at
  /// which it will begin, if known.
  func enqueue(
    _ reference: AudioQueueBufferRef,
    _ descriptions: UnsafeBufferPointer<AudioStreamPacketDescription>, _ options: BufferOptions
  ) throws(AudioError) -> Int {
    try monitor.withLock { () throws(AudioError) in
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
      let played = PlayedBuffer(
        buffer, descriptions: try self.descriptions(of: content, descriptions), options: options,
        format: format)
      if let wrong = options.parameters.first(where: { parameters.pointee.value($0.mID) == nil }) {
        throw .queueParameter.because("queues have no parameter \(wrong.mID)")
      }
      let start = max(options.startFrame ?? 0, endFrame)
      buffer.isEnqueued = true
      items.append(.buffer(played))
      expectFrames()
      monitor.signal()
      return start
    }
  }

  /// The packets of a buffer: those that the program passes, else those in the buffer.
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

  /// [inside the monitor] The frame of the queue's time at which everything enqueued has been
  /// played.
  private var endFrame: Int {
    var frame = 0
    if let side {
      let written = side.pointee.ring.fill
      frame = state == .stopped ? written : max(side.pointee.time.load().end, 0) + written
    }
    frame += heldFrames
    let changesRate = timePitchEnabled && !timePitchBypassed
    let rate = changesRate ? parameters.pointee.limited(kAudioQueueParam_PlayRate) : 1
    for case .buffer(let played) in items {
      frame = max(frame, played.options.startFrame ?? 0)
      let frames = max(0, played.heardFrames - (played.decoded ?? 0))
      frame += Int((Double(frames) / Double(rate)).rounded())
    }
    return frame
  }

  /// [inside the monitor] Sets whether frames will come without any call of the program.
  func expectFrames() {
    let expects = mayFeed && !isDisposing && (!items.isEmpty || isBusy || callsUnderWay > 0)
    side?.pointee.expectsFrames.store(expects, ordering: .releasing)
  }

  /// [any thread but a render thread] Returns a buffer to the program.
  func returnBuffer(_ played: PlayedBuffer) {
    let reference = played.buffer.reference
    let isHeard = monitor.withLock {
      played.buffer.isEnqueued = false
      // If a queue plays on without its handle, there is no callback.
      guard !endsAfterwards else { return false }
      callsUnderWay += 1
      expectFrames()
      return true
    }
    guard isHeard else { return }
    let callback = callback
    if isOffline, monitor.withLock({ isRenderingOffline }) {
      // An offline render waits here, because no run loop runs meanwhile. A reset or stop meanwhile
      // holds a lock.
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
    monitor.withLock {
      callsUnderWay -= 1
      expectFrames()
    }
  }
}

extension PublishedTime.Moment {
  /// The frame after the last one rendered.
  var end: Int { frame + frameCount }
}
