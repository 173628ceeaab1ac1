// SPDX-License-Identifier: Apache-2.0
import AudioConversion
internal import AudioSupport
internal import CAudioToolbox
import CRealTime
@_spi(TrappingConversions) import CheckedNumbers

/// The rendering of a playback queue to memory: the program's calls decode and render.
struct OfflinePlayback {
  private let access: QueueAccess
  private let feeding: PlaybackFeeding
  private let renderers: PlaybackRenderers
  /// The format of the queue's frames.
  private let source: StreamFormat

  init(_ core: QueueCore, _ feeding: PlaybackFeeding, _ renderers: PlaybackRenderers) {
    access = core.access
    self.feeding = feeding
    self.renderers = renderers
    source = StreamFormat(
      sampleRate: core.format.mSampleRate, channelCount: Int(core.format.mChannelsPerFrame))
  }

  private var lock: ConditionLock { access.lock }

  /// [control thread, while stopped] Has the queue render to memory in a format; nil: to the device.
  /// `own` is the layout of the queue's channels, if the program has set it.
  func set(_ format: AudioStreamBasicDescription?, layout: [UInt8]?, own: [UInt8]?)
    throws(AudioError)
  {
    try access.requireStopped()
    let rendering: OfflineRendering? =
      if let format { try rendering(format, layout: layout, own: own) } else { nil }
    // No other thread may start the queue meanwhile.
    try access.controlling { () throws(AudioError) in
      try access.requireStopped()
      try lock.withLock { () throws(AudioError) in
        try feeding.offline.requireNoRender(onAnyThread: true)
        feeding.offline.rendering = rendering
      }
    }
  }

  private func rendering(
    _ format: AudioStreamBasicDescription, layout: [UInt8]?, own: [UInt8]?
  ) throws(AudioError) -> OfflineRendering {
    let requested = try QueueFormat.complete(format)
    guard requested.mFormatID == kAudioFormatLinearPCM else {
      throw .queueFormat.because("offline rendering needs linear PCM")
    }
    let channelCount = Int(requested.mChannelsPerFrame)
    if let layout {
      guard let count = ChannelLayouts.channelCount(layout), count == requested.mChannelsPerFrame
      else {
        throw .invalidArgument.because(
          "the layout does not have the \(channelCount) channels of the format")
      }
    }
    return try OfflineRendering(
      try StreamFormat(requested), from: source,
      mixing: mixing(from: own, to: layout, channelCount: channelCount))
  }

  /// Maps channels by their labels when both layouts label all of them, else in order.
  private func mixing(from own: [UInt8]?, to layout: [UInt8]?, channelCount: Int) -> ChannelMixing {
    guard let layout, let to = layout.withUnsafeBytes({ ChannelLayout($0) }) else {
      return .natural
    }
    let from =
      own.flatMap { own in own.withUnsafeBytes { ChannelLayout($0) } }
      ?? .standard(channelCount: source.channelCount)
    guard from.labels.count == source.channelCount, to.labels.count == channelCount else {
      return .natural
    }
    return .matrix(LayoutMixing.matrix(from: from, to: to))
  }

  /// [holding `lock`] Begins to render frames into a buffer on this thread, until `end`.
  func begin(_ buffer: QueueBuffer, frames: Int) throws(AudioError) -> OfflineRendering {
    guard let rendering = feeding.offline.rendering else { throw .queueOffline }
    guard access.state.runs, renderers.current != nil else {
      throw .queueRunState.because("the queue is not running")
    }
    guard feeding.offline.thread == 0 else {
      throw .queueRunState.because("another call of AudioQueueOfflineRender is running")
    }
    guard !buffer.isEnqueued else { throw .queueBufferInQueue }
    let size = frames * rendering.format.bytesPerFrame
    guard size <= buffer.capacity else {
      throw .queueBuffer.because(
        "\(frames) frames have \(size) bytes; the buffer has room for \(buffer.capacity)")
    }
    // Until the end, the program can neither free nor enqueue it.
    buffer.isEnqueued = true
    feeding.offline.thread = rt_thread_id()
    return rendering
  }

  /// Ends what `begin` began.
  func end(_ buffer: QueueBuffer) {
    lock.withLock {
      buffer.isEnqueued = false
      feeding.offline.thread = 0
    }
  }

  /// [between `begin` and `end`] Renders frames into the buffer; returns whether the end of the
  /// sound was reached before.
  func render(_ frames: Int, into buffer: QueueBuffer, _ rendering: OfflineRendering) -> Bool {
    guard let renderer = renderers.renderer else { return false }
    let made = rendering.make(
      frames, in: buffer.data,
      render: { planar, count in render(planar, count, renderer) },
      hasEnded: { renderer.pointee.hasEnded.load(ordering: .acquiring) })
    buffer.reference.pointee.mAudioDataByteSize = UInt32(
      clamping: made * rendering.format.bytesPerFrame)
    guard frames > 0, made == 0, renderer.pointee.hasEnded.load(ordering: .acquiring) else {
      return false
    }
    rendering.reset()
    return true
  }

  /// Decodes and renders; returns the number of queue frames.
  private func render(
    _ planar: PlanarBuffer, _ count: Int, _ renderer: UnsafeMutablePointer<PlaybackRenderer>
  ) -> Int {
    while true {
      var needsRendering = false
      while !needsRendering, renderer.pointee.ring.fill < count, beginUse(ofItems: true) {
        needsRendering = !feeding.feed()
      }
      guard beginUse(ofItems: false) else { return 0 }
      let made = renderer.pointee.render(
        UnsafePointer(planar.channels), outputCount: source.channelCount, frames: count,
        hostTime: 0, rateScalar: 1)
      lock.withLock { feeding.endUse() }
      if made > 0 || !needsRendering { return made }
    }
  }

  /// Waits until no other thread uses the buffers, and uses them; false if there is nothing to do.
  private func beginUse(ofItems: Bool) -> Bool {
    lock.withLock {
      while access.bufferUse.isHalted, !access.isDisposing { lock.wait() }
      guard access.state.runs, !ofItems || !feeding.items.isEmpty else { return false }
      access.bufferUse.begin()
      return true
    }
  }
}
