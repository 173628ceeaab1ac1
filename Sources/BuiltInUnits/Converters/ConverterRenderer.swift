// SPDX-License-Identifier: Apache-2.0
import AudioConversion
import AudioUnitCore
import CAudioToolbox

/// The render half of a converter unit: pulls what the output needs and converts it.
struct ConverterRenderer: ~Copyable {
  private let converter: Unmanaged<FrameConversion>
  private let source: BusBuffer
  private let output: BusBuffer
  private let maximumFrames: Int
  private let allocates: Bool
  private let startsAtZero: Bool
  private let ratio: Double
  private let changesRate: Bool
  /// The time and number of the last frames rendered, for repeated requests.
  private var lastTime = Double.nan
  private var lastFrames = 0
  private var wasSilent = false
  /// The time of the next frames, in output frames and in input frames.
  private var nextTime = Double.nan
  private var inputTime = 0.0

  /// [control thread] Allocates memory for rendering a maximum number of frames.
  init(
    _ converter: FrameConversion, maximumFrames: Int, allocates: Bool, startsAtZero: Bool
  ) {
    let (from, to) = (converter.setup.source, converter.setup.destination)
    self.converter = .passRetained(converter)
    self.maximumFrames = maximumFrames
    self.allocates = allocates
    self.startsAtZero = startsAtZero
    ratio = converter.ratio
    changesRate = from.sampleRate != to.sampleRate
    source = BusBuffer(from, maximumFrames: maximumFrames)
    output = BusBuffer(to, maximumFrames: maximumFrames)
  }

  deinit {
    converter.release()
    source.deallocate()
    output.deallocate()
  }

  /// [render thread] Clears the signal history.
  mutating func reset() {
    converter._withUnsafeGuaranteedRef { $0.reset() }
    (lastTime, nextTime, inputTime, lastFrames) = (.nan, .nan, 0, 0)
  }

  /// [render thread] Pulls the frames for `call` and converts them.
  @_noLocks
  mutating func render(
    _ call: RenderCall, _ sources: SourceTable, into data: UnsafeMutablePointer<AudioBufferList>
  ) -> OSStatus {
    let frames = Int(call.frameCount)
    let valid = AudioTimeStampFlags.sampleTimeValid.rawValue
    let isTimed = call.time.pointee.mFlags.rawValue & valid != 0
    let now = isTimed ? call.time.pointee.mSampleTime : nextTime.isNaN ? 0 : nextTime
    if !isTimed || now != lastTime || frames != lastFrames {
      lastTime = .nan
      let status = make(call, sources, frames, at: now)
      guard status == noErr else { return status }
      (lastTime, lastFrames) = (isTimed ? now : .nan, frames)
    }
    let silence = AudioUnitRenderActionFlags.unitRenderAction_OutputIsSilence.rawValue
    let others = call.flags.pointee.rawValue & ~silence
    call.flags.pointee = .init(rawValue: wasSilent ? others | silence : others)
    output.deliver(frames, to: data)
    return noErr
  }

  @_noLocks
  private mutating func make(
    _ call: RenderCall, _ sources: SourceTable, _ frames: Int, at now: Double
  ) -> OSStatus {
    var stamp = call.time.pointee
    // The source's time counts its own frames.
    if now != nextTime {
      inputTime = startsAtZero ? nextTime.isNaN ? 0 : inputTime : now * ratio
    }
    nextTime = now + Double(frames)
    output.prepare()
    output.clear(frames)
    var isSilent = true
    var done = 0
    var missing = framesNeeded(for: frames)
    repeat {
      let piece = min(missing, maximumFrames)
      if piece > 0 {
        stamp.mSampleTime = inputTime
        var flags = AudioUnitRenderActionFlags(rawValue: 0)
        source.prepare()
        let status = sources.pull(0, &flags, &stamp, piece, into: source, allocates: allocates)
        guard status == noErr else {
          nextTime = .nan
          return status
        }
        if flags.rawValue & AudioUnitRenderActionFlags.unitRenderAction_OutputIsSilence.rawValue
          != 0
        {
          // Writes the promised zeros, in case the source did not.
          source.prepare()
          source.clear(piece)
        } else {
          isSilent = false
        }
        inputTime += Double(piece)
        missing -= piece
      }
      done += convert(piece, into: done, frames)
    } while missing > 0
    // A filter rings on after its input has fallen silent.
    wasSilent = isSilent && !changesRate
    return noErr
  }

  // MARK: Calls that the compiler cannot check; after `init` they allocate and lock nothing

  @_semantics("no_performance_analysis") @inline(never)
  private borrowing func framesNeeded(for frames: Int) -> Int {
    converter._withUnsafeGuaranteedRef { $0.inputFrames(for: frames) }
  }

  /// Converts the frames that were pulled; returns the number of output frames.
  @_semantics("no_performance_analysis") @inline(never)
  private borrowing func convert(_ count: Int, into first: Int, _ frames: Int) -> Int {
    let from = UnsafeRawPointer(source.channels).assumingMemoryBound(to: UnsafeRawPointer.self)
    let to = UnsafeRawPointer(output.channels).assumingMemoryBound(to: UnsafeMutableRawPointer.self)
    var (consumed, produced) = (0, 0)
    converter._withUnsafeGuaranteedRef { converter in
      while true {
        let part = converter.convert(
          FrameSpan(from, from: consumed, count: count - consumed),
          into: FrameRoom(to, from: first + produced, count: frames - first - produced))
        consumed += part.consumed
        produced += part.produced
        if part.consumed == 0, part.produced == 0 { break }
      }
    }
    return produced
  }
}
