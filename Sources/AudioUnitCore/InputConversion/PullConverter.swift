// SPDX-License-Identifier: Apache-2.0
import AudioConversion
import AudioSupport
import CAudioToolbox
import SignalProcessing

/// Pulls samples in one format through a table of sources and converts them to planar Float32,
/// perhaps with another rate and other channels.
package struct PullConverter: ~Copyable {
  /// The settings of a converter.
  package struct Setup {
    /// The format of the source.
    package var source: StreamFormat
    /// The rate and channels of the output.
    package var sampleRate: Double
    package var channelCount: Int
    /// The source channel of each output channel; nil: the default mapping.
    package var map: [Int32]?
    /// Without a map: a gain from each source channel to each output channel, a row for each source
    /// channel; nil: channels are not mixed.
    package var gains: [Float]?
    /// Whether the source fills our memory.
    package var allocates: Bool
    /// The maximum number of frames per pull.
    package var maximumPullFrames: Int
    /// The maximum number of output frames per slice.
    package var maximumFrames: Int
    package var quality: SampleRateConverter.Quality

    package init(
      source: StreamFormat, sampleRate: Double, channelCount: Int, map: [Int32]?,
      gains: [Float]? = nil, allocates: Bool, maximumPullFrames: Int, maximumFrames: Int,
      quality: SampleRateConverter.Quality
    ) {
      self.source = source
      self.sampleRate = sampleRate
      self.channelCount = channelCount
      self.map = map
      self.gains = gains
      self.allocates = allocates
      self.maximumPullFrames = maximumPullFrames
      self.maximumFrames = maximumFrames
      self.quality = quality
    }
  }

  package let changesRate: Bool
  /// Whether samples pass unconverted, so that the source can write them directly to the output.
  package let passesThrough: Bool
  /// The buffer for the samples of one pull.
  private let source: BusBuffer
  private let allocates: Bool
  private let maximumPullFrames: Int
  /// Whether the samples of the last pull are in the converter; otherwise they are still where the
  /// source wrote them.
  private var isGathered = false
  /// In separate memory, for the reason in the comment of `RenderConversion`.
  private let converter: UnsafeMutablePointer<RenderConversion>

  /// [control thread] Allocates everything that converting needs.
  package init(_ setup: Setup) {
    let format = setup.source
    source = BusBuffer(format, maximumFrames: setup.maximumPullFrames)
    allocates = setup.allocates
    maximumPullFrames = setup.maximumPullFrames
    changesRate = format.sampleRate != setup.sampleRate
    passesThrough =
      !changesRate && format.isPlanarFloat && allocates && setup.map == nil
      && setup.gains == nil && format.channelCount == setup.channelCount
    converter = .cell(
      RenderConversion(
        .init(
          source: format, sampleRate: setup.sampleRate, channelCount: setup.channelCount,
          map: setup.map, gains: setup.gains, maximumDirectFrames: setup.maximumPullFrames,
          maximumFrames: setup.maximumFrames, quality: setup.quality)))
  }

  deinit {
    source.deallocate()
    converter.endCell()
  }

  /// The delay of rate conversion in seconds.
  package var latency: Double { converter.pointee.latency }

  /// [render thread] How many source frames `frames` output frames need.
  @_noLocks
  package borrowing func sourceFrames(for frames: Int) -> Int {
    converter.pointee.sourceFrames(for: frames)
  }

  /// [render thread] Clears the signal history.
  @_noLocks
  package mutating func reset() {
    let converter = converter
    converter.pointee.reset()
  }

  /// [render thread] Pulls `frames` source frames, beginning at `time`, in as few pieces as the
  /// limit per pull allows.
  ///
  /// Afterwards the silence flag is set if the result of `convert` is certain to be silent.
  @_noLocks
  package mutating func pull(
    _ sources: SourceTable, _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>,
    _ time: UnsafePointer<AudioTimeStamp>, frames: Int, bus: Int = 0
  ) -> OSStatus {
    isGathered = !converter.pointee.isPlanarFloat || frames > maximumPullFrames
    var isSilent = true
    var pieceTime = time.pointee
    var done = 0
    while done < frames {
      let count = min(frames - done, maximumPullFrames)
      flags.pointee.outputIsSilence = false
      let status = sources.pull(
        bus, flags, &pieceTime, count, into: source, allocates: allocates)
      guard status == noErr else { return status }
      if flags.pointee.outputIsSilence {
        // Writes the promised zeros, in case the source did not.
        source.prepare()
        source.clear(count)
      } else {
        isSilent = false
      }
      if isGathered { converter.pointee.gather(source.channels, count, at: done) }
      pieceTime.mSampleTime += Double(count)
      done += count
    }
    // A filter still sounds after its input has become silent.
    flags.pointee.outputIsSilence = isSilent && !changesRate
    return noErr
  }

  /// [render thread] Uses a list of `frames` frames instead of pulling. False if there are more
  /// frames than a pull may have, or if the buffers do not fit the format.
  @_noLocks
  package mutating func consume(_ list: UnsafePointer<AudioBufferList>, frames: Int) -> Bool {
    guard frames <= maximumPullFrames,
      source.point(at: UnsafeMutablePointer(mutating: list), frames)
    else { return false }
    isGathered = !converter.pointee.isPlanarFloat
    if isGathered { converter.pointee.gather(source.channels, frames, at: 0) }
    return true
  }

  /// [render thread] Uses `frames` source frames of silence instead of a pull that failed.
  @_noLocks
  package mutating func consumeSilence(_ frames: Int) {
    isGathered = !converter.pointee.isPlanarFloat || frames > maximumPullFrames
    guard isGathered else {
      source.prepare()
      return source.clear(frames)
    }
    converter.pointee.gatherSilence(frames)
  }

  /// [render thread] Converts the last `sourceFrames` frames, pulled or consumed, to `frames`
  /// output frames.
  @_noLocks
  package mutating func convert(
    _ sourceFrames: Int, to output: UnsafePointer<UnsafeMutablePointer<Float>>, frames: Int
  ) {
    let converter = converter
    converter.pointee.convert(
      sourceFrames, direct: isGathered ? nil : reading(source.channels), to: output, frames: frames)
  }

  /// [render thread] Pulls unconverted samples directly into the memory that `output` points at, in
  /// as few pieces as the source allows. Afterwards `output` points at the same memory.
  @_noLocks
  package borrowing func fill(
    _ output: BusBuffer, at place: UnsafePointer<UnsafeMutablePointer<Float>>, offset: Int,
    _ sources: SourceTable, _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>,
    _ time: UnsafePointer<AudioTimeStamp>, frames: Int
  ) -> OSStatus {
    let limit = sources.frameLimit(0)
    guard frames > limit, limit > 0 else {
      return fillPiece(output, at: place, offset: offset, sources, flags, time, frames: frames)
    }
    var status = noErr
    var isSilent = true
    var stamp = time.pointee
    var done = 0
    while done < frames, status == noErr {
      let piece = min(limit, frames - done)
      flags.pointee.outputIsSilence = false
      output.point(at: place, offset: offset + done, piece)
      status = fillPiece(
        output, at: place, offset: offset + done, sources, flags, &stamp, frames: piece)
      isSilent = isSilent && flags.pointee.outputIsSilence
      stamp.mSampleTime += Double(piece)
      done += piece
    }
    output.point(at: place, offset: offset, frames)
    flags.pointee.outputIsSilence = isSilent
    return status
  }

  @_noLocks
  private borrowing func fillPiece(
    _ output: BusBuffer, at place: UnsafePointer<UnsafeMutablePointer<Float>>, offset: Int,
    _ sources: SourceTable, _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>,
    _ time: UnsafePointer<AudioTimeStamp>, frames: Int
  ) -> OSStatus {
    let status = sources.pull(
      0, flags, time, frames, into: output, allocates: true, isPrepared: true)
    if status == noErr, !flags.pointee.outputIsSilence {
      // The source may point at its own samples.
      for channel in 0..<converter.pointee.sourceChannels
      where output.channels[channel] != place[channel] + offset {
        Samples.move(output.channels[channel], to: place[channel] + offset, count: frames)
      }
    }
    output.point(at: place, offset: offset, frames)
    if status == noErr, flags.pointee.outputIsSilence { output.clear(frames) }
    return status
  }
}
