// SPDX-License-Identifier: Apache-2.0
import AudioConversion
package import AudioSupport
package import CAudioToolbox
import CRealTime
@_spi(TrappingConversions) import CheckedNumbers

extension PlaybackQueue {
  /// [control thread, while stopped] Has the queue render to memory; nil: to the device.
  func setOffline(_ format: AudioStreamBasicDescription?, layout: [UInt8]?) throws(AudioError) {
    try requireStopped()
    guard let format else { return try setOffline(nil) }
    let requested = try QueueFormat.complete(format)
    guard requested.mFormatID == kAudioFormatLinearPCM else {
      throw .queueFormat.because("offline rendering needs linear PCM")
    }
    if let layout {
      guard let count = ChannelLayouts.channelCount(layout), count == requested.mChannelsPerFrame
      else {
        throw .invalidArgument.because(
          "the layout does not have the \(requested.mChannelsPerFrame) channels of the format")
      }
    }
    let rendering = try OfflineRendering(
      try StreamFormat(requested),
      from: StreamFormat(sampleRate: sampleRate, channelCount: channelCount),
      mixing: offlineMixing(layout, channels: Int(requested.mChannelsPerFrame)))
    try setOffline(rendering)
  }

  private func setOffline(_ rendering: OfflineRendering?) throws(AudioError) {
    // No other thread may start the queue meanwhile.
    try controlling { () throws(AudioError) in
      try requireStopped()
      try requireNoOfflineRender(onAnyThread: true)
      lock.withLock { offline = rendering }
    }
  }

  /// Throws while another thread, or also this one, renders the queue to memory.
  func requireNoOfflineRender(onAnyThread: Bool = false) throws(AudioError) {
    let thread = lock.withLock { offlineThread }
    guard thread == 0 || !onAnyThread && thread == rt_thread_id() else {
      throw .queueRunState.because("a call of AudioQueueOfflineRender is running")
    }
  }

  /// Maps channels by their labels when both layouts label all of them, else in order.
  private func offlineMixing(_ layout: [UInt8]?, channels: Int) -> ChannelMixing {
    guard let layout, let to = layout.withUnsafeBytes({ ChannelLayout($0) }) else {
      return .natural
    }
    let own = lock.withLock { self.layout }
    let from =
      own.flatMap { own in own.withUnsafeBytes { ChannelLayout($0) } }
      ?? .standard(channelCount: channelCount)
    guard from.labels.count == channelCount, to.labels.count == channels else { return .natural }
    return .matrix(LayoutMixing.matrix(from: from, to: to))
  }

  /// [control thread] Renders frames into a buffer, and returns used-up buffers to the program.
  func renderOffline(_ reference: AudioQueueBufferRef, frames: Int) throws(AudioError) {
    let (rendering, renderer, target) = try lock.withLock {
      () throws(AudioError)
        -> (OfflineRendering, UnsafeMutablePointer<PlaybackRenderer>, QueueBuffer) in
      guard let offline else { throw .queueOffline }
      guard state.runs, let renderer = self.renderer else {
        throw .queueRunState.because("the queue is not running")
      }
      guard !isDisposing else { throw .queueDisposal }
      guard offlineThread == 0 else {
        throw .queueRunState.because("another call of AudioQueueOfflineRender is running")
      }
      let buffer = try buffers.buffer(reference)
      guard !buffer.isEnqueued else { throw .queueBufferInQueue }
      let size = frames * offline.format.bytesPerFrame
      guard size <= buffer.capacity else {
        throw .queueBuffer.because(
          "\(frames) frames have \(size) bytes; the buffer has room for \(buffer.capacity)")
      }
      // Until the end, the program can neither free nor enqueue it.
      buffer.isEnqueued = true
      offlineThread = rt_thread_id()
      return (offline, renderer, buffer)
    }
    defer {
      lock.withLock {
        target.isEnqueued = false
        offlineThread = 0
      }
    }
    let made = rendering.make(
      frames, in: target.data,
      render: { planar, count in self.render(planar, count, renderer) },
      hasEnded: { renderer.pointee.hasEnded.load(ordering: .acquiring) })
    target.reference.pointee.mAudioDataByteSize = UInt32(
      clamping: made * rendering.format.bytesPerFrame)
    if frames > 0, made == 0, renderer.pointee.hasEnded.load(ordering: .acquiring) {
      rendering.reset()
      control.withLock { stopAtEnd() }
    }
  }

  /// Decodes and renders; returns the number of queue frames.
  private func render(
    _ planar: PlanarBuffer, _ count: Int, _ renderer: UnsafeMutablePointer<PlaybackRenderer>
  ) -> Int {
    while true {
      var needsRendering = false
      while !needsRendering, renderer.pointee.ring.fill < count, beginWork(onItems: true) {
        needsRendering = !feed()
      }
      guard beginWork(onItems: false) else { return 0 }
      let made = renderer.pointee.render(
        UnsafePointer(planar.channels), outputCount: channelCount, frames: count, hostTime: 0,
        rateScalar: 1)
      lock.withLock { endFeeding() }
      if made > 0 || !needsRendering { return made }
    }
  }

  /// Waits until no other thread uses the buffers, and uses them; false if there is nothing to do.
  private func beginWork(onItems: Bool) -> Bool {
    lock.withLock {
      while bufferUse.isHalted, !isDisposing { lock.wait() }
      guard state.runs, !onItems || !items.isEmpty else { return false }
      bufferUse.begin()
      return true
    }
  }
}

extension AudioQueue {
  /// [control thread, while stopped] Has a playback queue render to memory.
  package func setOfflineFormat(_ format: AudioStreamBasicDescription?, layout: [UInt8]?)
    throws(AudioError)
  {
    guard let queue = self as? PlaybackQueue else {
      throw .queueType.because("a recording queue cannot render")
    }
    try queue.setOffline(format, layout: layout)
  }

  /// [control thread] Renders frames into a buffer.
  package func render(into buffer: AudioQueueBufferRef, frames: Int) throws(AudioError) {
    guard let queue = self as? PlaybackQueue else {
      throw .queueType.because("a recording queue cannot render")
    }
    try queue.renderOffline(buffer, frames: frames)
  }
}
