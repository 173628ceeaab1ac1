// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox
import SignalProcessing
import Synchronization

/// The crossfade of one input from its old source to its new one, after an edit of a graph.
///
/// While it lasts, the input pulls both sources, each with its delay line, for the same frames. A
/// source that is missing is silence. It retains the old source and counts as one of its readers,
/// so that no other reader changes samples that both need.
package final class SourceFade: RunningFade, @unchecked Sendable {
  let state: UnsafeMutablePointer<State>
  /// The unit of the old source, and the delay of its connection.
  let unit: UnitInstance?
  private let delay: DelayLine?

  /// [control thread] A crossfade from `old`, which is connected to `unit` with `delay`, in the
  /// format of the input, for pulls of at most `maximumFrames` frames. With `keepsSource`, only the
  /// delay of the connection changes. Nil if samples of this format cannot be mixed.
  init?(
    from old: InputSource, _ unit: UnitInstance?, _ delay: DelayLine?, keepsSource: Bool,
    format: StreamFormat, maximumFrames: Int, _ timing: FadeTiming
  ) {
    guard let sample = FadedSample(format) else { return nil }
    self.unit = unit
    self.delay = delay
    let frames = { (seconds: Double) in Int((seconds * format.sampleRate).rounded(.up)) }
    state = .cell(
      State(
        from: old, keepsSource: keepsSource, sample, format, maximumFrames: maximumFrames,
        warmUp: frames(timing.warmUp), length: max(frames(timing.duration), 1)))
  }

  deinit { state.endCell() }

  /// [any thread] How many frames it has played.
  package var position: Int { state.pointee.position.load(ordering: .relaxed) }
  /// [any thread] Whether only the new source is played.
  package var isFinished: Bool { position >= state.pointee.end }

  /// The render half, used by the thread that renders the unit of the input.
  struct State: ~Copyable {
    private let old: UnsafeMutablePointer<InputSource>
    fileprivate let keepsSource: Bool
    private let sample: FadedSample
    /// The frames of the old source.
    fileprivate let buffer: BusBuffer
    private let warmUp: Int
    private let length: Int
    fileprivate let position = Atomic(0)

    fileprivate init(
      from source: InputSource, keepsSource: Bool, _ sample: FadedSample, _ format: StreamFormat,
      maximumFrames: Int, warmUp: Int, length: Int
    ) {
      var source = source
      source.fade = nil
      old = .cell(source)
      self.keepsSource = keepsSource
      self.sample = sample
      buffer = BusBuffer(format, maximumFrames: maximumFrames)
      self.warmUp = warmUp
      self.length = length
    }

    deinit {
      old.endCell()
      buffer.deallocate()
    }

    fileprivate var end: Int { @_noLocks get { warmUp + length } }

    /// Fills `buffer` from the old source; returns whether it is silent. A source that fails is
    /// silent.
    @_noLocks
    fileprivate borrowing func pullOld(
      _ input: Int, _ time: UnsafePointer<AudioTimeStamp>, _ frames: UInt32
    ) -> Bool {
      buffer.prepare()
      var isSilent = true
      if old.pointee.exists {
        let pulled = UnsafePointer(old).pull(input, nil, time, frames, into: buffer, .memory)
        isSilent = pulled.status != noErr || pulled.isSilent
      }
      return keep(Int(frames), isSilent: isSilent)
    }

    /// Fills `buffer` with a copy of the frames that the common source has given to `new`, after
    /// the old delay.
    @_noLocks
    fileprivate borrowing func delayOld(_ new: BusBuffer, _ frames: Int, isSilent: Bool) -> Bool {
      buffer.borrow(anyFormat: new)
      var pulled = PullResult(noErr, isSilent: isSilent)
      _ = keep(frames, isSilent: isSilent)
      if let line = old.pointee.line { line.pointee.exchange(buffer, frames, &pulled) }
      return pulled.isSilent
    }

    /// Copies the frames, which other units may overwrite before they are mixed.
    @_noLocks
    private borrowing func keep(_ frames: Int, isSilent: Bool) -> Bool {
      if isSilent {
        buffer.prepare()
        buffer.clear(frames)
      } else {
        buffer.copyToOwnMemory(frames)
      }
      return isSilent
    }

    /// Mixes the new frames, which are zero if `isSilent`, into the old ones, and points `new` at
    /// the result.
    @_noLocks
    fileprivate borrowing func mix(
      _ new: BusBuffer, isSilent: Bool, _ frames: Int, from position: Int
    ) {
      for index in 0..<buffer.dataCount {
        sample.mix(
          isSilent ? nil : new.data(index), into: buffer.data(index), frames,
          from: position - warmUp, length)
      }
      new.borrow(anyFormat: buffer)
    }

    /// Points `new` at silence.
    @_noLocks
    fileprivate borrowing func silence(_ new: BusBuffer, _ frames: Int) -> PullResult {
      buffer.prepare()
      buffer.clear(frames)
      new.borrow(anyFormat: buffer)
      return PullResult(noErr, isSilent: true, canPassOn: true)
    }
  }
}

extension UnsafePointer<InputSource> {
  /// [render thread] Pulls the old source and the new one, and mixes them.
  @_noLocks @inline(never)
  func pullFading(
    _ fade: UnsafeMutablePointer<SourceFade.State>, _ input: Int,
    _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>?,
    _ time: UnsafePointer<AudioTimeStamp>, _ frames: UInt32, into buffer: BusBuffer,
    _ preparation: ListPreparation
  ) -> PullResult {
    let count = Int(frames)
    let position = fade.pointee.position.load(ordering: .relaxed)
    // A pull that is longer than any that its unit has announced is not mixed.
    let fits = frames <= fade.pointee.buffer.capacity
    let isRunning = fits && position < fade.pointee.end
    fade.pointee.position.store(
      isRunning ? position + count : max(position, fade.pointee.end), ordering: .relaxed)
    let keepsSource = fade.pointee.keepsSource
    var wasSilent = true
    if isRunning, !keepsSource { wasSilent = fade.pointee.pullOld(input, time, frames) }
    guard pointee.hasFeed else {
      guard fits else { return PullResult(kAudioUnitErr_NoConnection) }
      guard !wasSilent else { return fade.pointee.silence(buffer, count) }
      fade.pointee.mix(buffer, isSilent: true, count, from: position)
      return PullResult(noErr, canPassOn: true)
    }
    var pulled = pullUnit(input, flags, time, frames, into: buffer, preparation)
    guard pulled.status == noErr else { return pulled }
    if isRunning, keepsSource {
      wasSilent = fade.pointee.delayOld(buffer, count, isSilent: pulled.isSilent)
    }
    if let line = pointee.line { line.pointee.exchange(buffer, count, &pulled) }
    guard isRunning else { return pulled }
    if wasSilent, pulled.isSilent { return fade.pointee.silence(buffer, count) }
    fade.pointee.mix(buffer, isSilent: pulled.isSilent, count, from: position)
    return PullResult(noErr, canPassOn: true)
  }
}
