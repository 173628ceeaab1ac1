// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import SignalProcessing
import ToneModel
@_spi(TrappingConversions) import CheckedNumbers

/// Sends a sound through units.
struct UnitStep: EditStep {
  /// The longest tail that is rendered unless one is requested, in seconds.
  static let longestTail = 60.0

  /// The longest latency that is removed, in seconds.
  static let longestLatency = 60.0

  let units: [UnitSpec]
  /// Seconds to render after the end of the sound; nil: as long as the units sound.
  let tail: Double?

  func apply(
    to input: () throws(Failure) -> any SoundStream, _ notes: EditNotes
  ) throws(Failure) -> any SoundStream { try UnitStream(try input(), units, tail: tail) }
}

/// A sound that went through units. It begins with the first frame of the input: their latency is
/// removed.
final class UnitStream: SteppedStream {
  let input: any SoundStream
  private let planes: PlanarMemory
  private let memory: BlockMemory
  private var effects: ToneEffects?
  private let list: UnsafeMutableAudioBufferListPointer
  private var failure: Failure?
  /// Frames of the input so far, those rendered, and those returned.
  private var (consumed, rendered, position) = (0, 0, 0)
  /// The frames rendered when the input ended.
  private var renderedAtEnd: Int?
  /// Frames of silence that the units prepend, and frames of the tail.
  private let latency: Int
  private let tail: Int
  /// Frames that the units make of each frame; nil if that is not known.
  private let ratio: Double?

  init(_ input: any SoundStream, _ units: [UnitSpec], tail seconds: Double?) throws(Failure) {
    self.input = input
    let (rate, channels) = (input.sampleRate, input.channelCount)
    planes = PlanarMemory(channelCount: channels, frameCount: ToneSource.maximumFrames)
    memory = BlockMemory(channelCount: channels)
    let box = InputBox()
    do {
      let effects = try ToneEffects(
        units, after: .callback(box.callback), sampleRate: rate, channelCount: channels,
        isOffline: true)
      self.effects = effects
      latency = Int(
        saturating: (min(effects.latency, UnitStep.longestLatency) * rate).rounded())
      let wanted = seconds ?? min(effects.tail, UnitStep.longestTail)
      tail = Int(saturating: (wanted * rate).rounded())
      ratio = effects.outputPerInput
    } catch { throw Failure("\(error)") }
    list = AudioBufferList.allocate(maximumBuffers: channels)
    self.box = box
    names = units.map(\.name).joined(separator: ", ")
    box.stream = self
  }

  deinit {
    effects = nil
    free(list.unsafeMutablePointer)
  }

  private let box: InputBox
  /// The names of the units.
  private let names: String
  /// The largest sample of the output since the last call, linear.
  func readAndResetPeak() -> Double { effects?.readAndResetPeak() ?? 0 }

  var frameCount: Int? {
    input.frameCount.flatMap { count in ratio.map { frames(count, $0) + tail } }
  }
  var map: FrameMap? { ratio.flatMap { input.map?.scaled(by: $0) } }

  var keepsSamples: Bool { false }

  private func frames(_ count: Int, _ ratio: Double) -> Int {
    Int(saturating: (Double(count) * ratio).rounded())
  }

  /// All frames of the output; nil before the input has ended.
  private var length: Int? {
    guard let renderedAtEnd else { return frameCount }
    return ratio.map { frames(consumed, $0) + tail } ?? max(0, renderedAtEnd - latency) + tail
  }

  func read(
    into samples: UnsafeMutablePointer<Double>, _ frameCount: Int
  ) throws(Failure) -> Int {
    while rendered < latency {
      try render(min(latency - rendered, ToneSource.maximumFrames))
    }
    let wanted = min(frameCount, ToneSource.maximumFrames, (length ?? .max) - position)
    guard wanted > 0 else { return 0 }
    try render(wanted)
    // The end may have come meanwhile.
    let count = max(0, min(wanted, (length ?? .max) - position))
    let channels = channelCount
    for channel in 0..<channels {
      let plane = planes.channels[channel]
      for frame in 0..<count { samples[frame * channels + channel] = Double(plane[frame]) }
    }
    position += count
    return count
  }

  private func render(_ count: Int) throws(Failure) {
    guard let unit = effects?.last else { throw Failure("nothing to render with") }
    for channel in 0..<channelCount {
      list[channel] = AudioBuffer(
        mNumberChannels: 1, mDataByteSize: UInt32(clamping: count * MemoryLayout<Float>.size),
        mData: UnsafeMutableRawPointer(planes.channels[channel]))
    }
    var time = AudioTimeStamp()
    time.mSampleTime = Double(rendered)
    time.mFlags = .sampleTimeValid
    var flags = AudioUnitRenderActionFlags()
    let status = AudioUnitRender(
      unit, &flags, &time, 0, UInt32(clamping: count), list.unsafeMutablePointer)
    if let failure { throw failure }
    guard status != kAudioComponentErr_InstanceInvalidated else {
      throw Failure(
        "\(names): the process of the plug-in has ended during the render; nothing was written")
    }
    try Failure.check(status, "Can't render")
    // A unit may have replaced the buffers by its own.
    for channel in 0..<channelCount {
      guard let data = list[channel].mData?.assumingMemoryBound(to: Float.self),
        data != planes.channels[channel]
      else { continue }
      planes.channels[channel].update(from: data, count: count)
    }
    rendered += count
  }

  /// Fills the input of the first unit: frames of the sound, then silence.
  fileprivate func supply(_ data: UnsafeMutableAudioBufferListPointer, _ count: Int) {
    let channels = channelCount
    guard data.count == channels else { return }
    var done = 0
    while done < count, failure == nil, renderedAtEnd == nil {
      do {
        let read = try input.read(
          into: memory.samples, min(count - done, BlockMemory.frameCount))
        if read == 0 { renderedAtEnd = rendered + done }
        for channel in 0..<channels {
          guard let plane = data[channel].mData?.assumingMemoryBound(to: Float.self) else { return }
          for frame in 0..<read {
            // No unit gets samples that are not numbers.
            let sample = Float(memory.samples[frame * channels + channel])
            repairs += sample.isFinite ? .init() : .init(of: [sample], count: 1)
            if sample != 0 { hasSound = true }
            plane[done + frame] = sample.isFinite ? sample : SampleRepairs.repaired(sample)
          }
        }
        done += read
        consumed += read
      } catch { failure = error }
    }
    for channel in 0..<channels {
      guard let plane = data[channel].mData?.assumingMemoryBound(to: Float.self) else { return }
      (plane + done).update(repeating: 0, count: count - done)
    }
  }

  /// Whether the input has a sample that is not 0.
  private(set) var hasSound = false
  /// The samples of the input that were not finite.
  private(set) var repairs = SampleRepairs()
}

/// The context of the callback of the first unit.
private final class InputBox {
  weak var stream: UnitStream?

  /// Valid as long as this object exists.
  var callback: AURenderCallbackStruct {
    AURenderCallbackStruct(
      inputProc: { context, _, _, _, count, data in
        guard let buffers = UnsafeMutableAudioBufferListPointer(data) else {
          return kAudio_ParamError
        }
        Unmanaged<InputBox>.fromOpaque(context).takeUnretainedValue().stream?
          .supply(buffers, Int(count))
        return noErr
      }, inputProcRefCon: Unmanaged.passUnretained(self).toOpaque())
  }
}
