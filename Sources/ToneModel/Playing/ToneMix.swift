// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import SignalProcessing
import Synchronization

/// Up to eight tones on two channels, or one: what an output unit asks for samples.
///
/// One thread at a time uses it, beside the one that renders.
public final class ToneMix {
  /// How many tones can sound at once.
  public static let capacity = 8

  /// In Hz.
  public let sampleRate: Double
  /// One or two.
  public let channelCount: Int
  /// The last frames.
  public let tap = SignalTap()

  private let sources: [ToneSource]
  private let memory: OwnedMemory
  private let wishes: UnsafeMutablePointer<ToneMixer.Wishes>
  private let mixer: UnsafeMutablePointer<ToneMixer>

  /// [control thread] Makes the units that will sound `tones`, of which there are at most eight.
  ///
  /// - Throws: Which step failed, and why.
  public init(
    _ tones: [Tone], sampleRate: Double, channelCount: Int = 2,
    fade: Double = ToneSource.standardFade
  ) throws(ToneError) {
    self.tones = tones
    self.sampleRate = sampleRate
    self.channelCount = channelCount
    var sources: [ToneSource] = []
    for index in 0..<Self.capacity {
      let isMuted = !tones.indices.contains(index)
      sources.append(
        try ToneSource(
          isMuted ? Tone() : tones[index], sampleRate: sampleRate, channelCount: channelCount,
          fade: fade, isMuted: isMuted, noise: index + 1))
    }
    places = Array(tones.indices)
    self.sources = sources
    let gains = (0..<Self.capacity).map { tones.indices.contains($0) ? tones[$0].gains : (1, 1) }
    memory = OwnedMemory()
    wishes = memory.cell(ToneMixer.Wishes(gains))
    mixer = memory.cell(
      ToneMixer(sources, gains, wishes, channelCount: channelCount, tap: tap.writer))
  }

  deinit { memory.deallocate() }

  /// The tones that sound or are about to: at most eight tones.
  ///
  /// A tone that is added fades in, one that is left out fades away, one that is changed follows;
  /// the others continue as they are.
  public var tones: [Tone] {
    didSet {
      places = places(after: oldValue)
      for (tone, place) in zip(tones, places) {
        sources[place].tone = tone
        let gains = tone.gains
        wishes.pointee.gains[2 * place].store(gains.left.bitPattern, ordering: .relaxed)
        wishes.pointee.gains[2 * place + 1].store(gains.right.bitPattern, ordering: .relaxed)
      }
      for (place, source) in sources.enumerated() {
        let isMuted = !places.contains(place)
        if source.isMuted != isMuted { source.isMuted = isMuted }
      }
    }
  }

  /// Which source sounds each tone.
  private var places: [Int]

  /// The sources of the tones, after others: those that are the same keep theirs, and those that are
  /// new take the sources of those that have gone, in their order.
  private func places(after before: [Tone]) -> [Int] {
    let difference = tones.difference(from: before)
    var left = places
    var free: [Int] = []
    for case .remove(let offset, _, _) in difference.removals.reversed() {
      free.insert(left.remove(at: offset), at: 0)
    }
    free += sources.indices.filter { !places.contains($0) }
    for case .insert(let offset, _, _) in difference.insertions {
      left.insert(free.removeFirst(), at: offset)
    }
    return left
  }

  /// The frequency that a tone has come to, in Hz.
  public func reachedFrequency(_ index: Int) -> Double { sources[places[index]].reachedFrequency }

  /// Frames rendered so far.
  public var frameCount: Int { sources.map(\.frameCount).max() ?? 0 }

  /// Whether all tones have ended and what follows them is silence.
  public var isOver: Bool { sources.allSatisfy(\.isOver) }

  /// [any thread] Lets the tones fade out.
  public func close() { for source in sources { source.close() } }

  /// Lets the tones end before they have so many frames, the fade included; without a fade, exactly
  /// then.
  public func end(atFrame frame: Int) { for source in sources { source.end(atFrame: frame) } }

  /// Frames of silence after which a device has surely played the end of the tones.
  public func wait(silentFrames: Int) {
    for source in sources { source.wait(silentFrames: silentFrames) }
  }

  /// The largest sample since the last call, linear.
  public func takePeak() -> Double {
    Double(Float(bitPattern: wishes.pointee.peak.exchange(0, ordering: .relaxed)))
  }

  /// Sleeps until the tones are over. Gives up when nothing was rendered for `patience` seconds, while
  /// `isWaiting` does not tell of a device that is waited for, or when `isCancelled` says so; then they
  /// are not over.
  public func waitUntilOver(
    patience: Double, isWaiting: () -> Bool = { false }, unless isCancelled: () -> Bool = { false }
  ) {
    // Asking a hundred times a second costs next to nothing, and holds on to nothing that the render
    // thread would have to wake.
    var lastCount = frameCount
    var idle = 0.0
    var last = ContinuousClock.now
    while !isOver, !isCancelled() {
      usleep(10_000)
      let (count, now) = (frameCount, ContinuousClock.now)
      // A process that was stopped has not waited meanwhile.
      idle += min((now - last) / .seconds(1), 0.1)
      last = now
      if count != lastCount { (lastCount, idle) = (count, 0) }
      if idle > patience {
        guard isWaiting() else { return }
        idle = 0
      }
    }
  }

  /// The render callback of an output unit; valid as long as the mix.
  public var renderCallback: AURenderCallbackStruct {
    AURenderCallbackStruct(inputProc: renderMix, inputProcRefCon: mixer)
  }

  /// [control thread] Renders the next frames by hand, where no output unit does.
  public func render(
    _ frameCount: Int, _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>
  ) {
    mixer.pointee.render(frameCount, left, right)
  }
}

/// Called by the output unit for its samples. [render thread]
private func renderMix(
  mixer: UnsafeMutableRawPointer, flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>,
  time: UnsafePointer<AudioTimeStamp>, bus: UInt32, frameCount: UInt32,
  data: UnsafeMutablePointer<AudioBufferList>?
) -> OSStatus {
  let mixer = mixer.assumingMemoryBound(to: ToneMixer.self)
  guard let data, let left = data.pointee.mBuffers.mData else { return kAudio_ParamError }
  let count = data.pointee.mNumberBuffers
  guard let right = count > 1 ? buffers(of: data)[1].mData : left else { return kAudio_ParamError }
  mixer.pointee.render(
    Int(frameCount), left.assumingMemoryBound(to: Float.self),
    right.assumingMemoryBound(to: Float.self))
  return noErr
}
