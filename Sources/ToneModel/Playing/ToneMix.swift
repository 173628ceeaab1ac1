// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import SignalProcessing
import Synchronization

/// Up to eight tones on some channels, as the source of an output unit.
///
/// One control thread at a time uses it, besides the render thread.
public final class ToneMix {
  /// The largest number of simultaneous tones.
  public static let capacity = 8

  /// In Hz.
  public let sampleRate: Double
  /// The largest number of channels.
  public static let mostChannels = 64
  /// The number of channels.
  public let channelCount: Int
  /// The last frames, for display.
  public let tap = SignalTap()

  private let sources: [ToneSource]
  private let memory: OwnedMemory
  private let shared: UnsafeMutablePointer<ToneMixer.SharedState>
  private let mixer: UnsafeMutablePointer<ToneMixer>

  /// [control thread] Makes the units for `tones`, at most eight.
  ///
  /// - Throws: The step that failed, with the reason.
  public init(
    _ tones: [Tone], sampleRate: Double, channelCount: Int = 2,
    fade: Double = ToneSource.standardFade
  ) throws(ToneError) {
    self.tones = tones
    self.sampleRate = sampleRate
    let channelCount = min(max(channelCount, 1), Self.mostChannels)
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
    memory = OwnedMemory()
    shared = memory.cell(
      ToneMixer.SharedState(
        (0..<Self.capacity).map { tones.indices.contains($0) ? tones[$0] : nil },
        channelCount: channelCount))
    mixer = memory.cell(ToneMixer(sources, shared, tap: tap.writer))
  }

  deinit { memory.deallocate() }

  /// The current tones, at most eight.
  ///
  /// An added tone fades in, a removed one fades out, and a changed one moves to its new values;
  /// the others continue unchanged.
  public var tones: [Tone] {
    didSet {
      places = places(after: oldValue)
      for (tone, place) in zip(tones, places) {
        sources[place].tone = tone
        shared.pointee.set(tone, at: place)
      }
      mute()
    }
  }

  /// Whether all tones are silent; they fade out and in.
  public var isMuted = false { didSet { if isMuted != oldValue { mute() } } }

  private func mute() {
    for (place, source) in sources.enumerated() {
      let isMuted = isMuted || !places.contains(place)
      if source.isMuted != isMuted { source.isMuted = isMuted }
    }
  }

  /// The index of each tone's source.
  private var places: [Int]

  /// The sources of the tones after a change: unchanged tones keep theirs; new tones get the
  /// sources of removed tones, in order.
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

  /// The current frequency of a tone during a change or sweep, in Hz.
  public func reachedFrequency(_ index: Int) -> Double { sources[places[index]].reachedFrequency }

  /// Frames rendered so far.
  public var frameCount: Int { sources.map(\.frameCount).max() ?? 0 }

  /// Whether all tones have ended and only silence follows.
  public var isOver: Bool { sources.allSatisfy(\.isOver) }

  /// Whether all current tones have ended by their timing.
  public var hasEnded: Bool { places.allSatisfy { sources[$0].isOver } }

  /// [any thread] Fades the tones out.
  public func close() { for source in sources { source.close() } }

  /// Ends the tones before a frame, the fade included; without a fade, exactly at the frame.
  public func end(atFrame frame: Int) { for source in sources { source.end(atFrame: frame) } }

  /// Sets the frames of silence after which a device has certainly played the end of the tones.
  public func wait(silentFrames: Int) {
    for source in sources { source.wait(silentFrames: silentFrames) }
  }

  /// Returns the largest sample since the last call, linear.
  public func readAndResetPeak() -> Double {
    Double(Float(bitPattern: shared.pointee.peak.exchange(0, ordering: .relaxed)))
  }

  /// Sleeps until the tones are over. Returns early if nothing was rendered for `timeout` seconds,
  /// unless `isWaiting` reports that the device is interrupted, or if `isCancelled` returns true.
  public func waitUntilOver(
    timeout: Double, isWaiting: () -> Bool = { false }, unless isCancelled: () -> Bool = { false }
  ) {
    // Polling a hundred times a second costs almost nothing, and the render thread need not wake
    // anybody.
    var lastCount = frameCount
    var idle = 0.0
    var last = ContinuousClock.now
    while !isOver, !isCancelled() {
      usleep(10_000)
      let (count, now) = (frameCount, ContinuousClock.now)
      // Time in which the process was stopped does not count.
      idle += min((now - last) / .seconds(1), 0.1)
      last = now
      if count != lastCount { (lastCount, idle) = (count, 0) }
      if idle > timeout {
        guard isWaiting() else { return }
        idle = 0
      }
    }
  }

  /// The render callback of an output unit; valid as long as the mix.
  public var renderCallback: AURenderCallbackStruct {
    AURenderCallbackStruct(inputProc: renderMix, inputProcRefCon: mixer)
  }

  /// [control thread] Renders the next frames directly, without an output unit.
  public func render(
    _ frameCount: Int, _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>
  ) {
    mixer.pointee.render(frameCount, left, right)
  }

  /// [control thread] Renders the next frames directly, into a buffer for each channel.
  public func render(
    _ frameCount: Int, _ channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  ) {
    mixer.pointee.render(frameCount, channels, channelCount)
  }
}

/// The render callback of the output unit. [render thread]
private func renderMix(
  mixer: UnsafeMutableRawPointer, flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>,
  time: UnsafePointer<AudioTimeStamp>, bus: UInt32, frameCount: UInt32,
  data: UnsafeMutablePointer<AudioBufferList>?
) -> OSStatus {
  let mixer = mixer.assumingMemoryBound(to: ToneMixer.self)
  guard let data else { return kAudio_ParamError }
  return mixer.pointee.render(Int(frameCount), into: data) ? noErr : kAudio_ParamError
}
