// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioBackends
import CRealTime
import CheckedNumbers
import Glibc
import SignalProcessing

/// Transfers the samples of an open, configured ALSA device in each cycle, on the stream's thread.
///
/// Plain values, so that render code counts no references. The port that owns it keeps them alive.
struct ALSATransfer {
  private let alsa: ALSAFunctions
  private let pcm: OpaquePointer
  private let format: SampleFormat
  private let channelCount: Int
  private let sampleRate: Double
  private let direction: StreamDirection
  private let isMapped: Bool
  /// Interleaved samples in transit, for ports that are not mapped.
  private let memory: UnsafeMutableRawPointer
  private let memoryFrames: Int
  /// The noise of each channel of the output; nil if samples are only rounded.
  private let dither: UnsafeMutablePointer<DitherState>?

  /// [control thread] For a PCM whose buffer has `frameCount` frames. Output is rounded with a
  /// dither if the format has at most 24 bits.
  init(
    _ alsa: ALSAFunctions, _ pcm: OpaquePointer, _ format: SampleFormat,
    channelCount: Int, frameCount: Int, sampleRate: Double, _ direction: StreamDirection,
    isMapped: Bool, dither: Dither
  ) {
    self.alsa = alsa
    self.pcm = pcm
    self.format = format
    self.channelCount = channelCount
    self.sampleRate = sampleRate
    self.direction = direction
    self.isMapped = isMapped
    memoryFrames = frameCount
    let byteCount = frameCount * channelCount * format.containerBytes
    memory = .allocate(byteCount: byteCount, alignment: 64)
    memory.initializeMemory(as: UInt8.self, repeating: 0, count: byteCount)
    guard direction == .output, dither.isUsed(from: .float32, to: format) else {
      self.dither = nil
      return
    }
    let states = UnsafeMutablePointer<DitherState>.allocate(capacity: channelCount)
    for channel in 0..<channelCount {
      (states + channel).initialize(to: DitherState(dither, channel: channel))
    }
    self.dither = states
  }

  /// [control thread] Frees the memory. No cycle may use it afterwards.
  func deallocate() {
    memory.deallocate()
    dither?.deallocate()
  }

  /// [render thread] Nanoseconds until the next frame is played, or since it was captured.
  var delay: UInt64 {
    @_noLocks get {
      // No buffer holds an hour; a driver that says so counts wrongly.
      let seconds = Double(delayFrames) / sampleRate
      return Elementary.nanoseconds(min(seconds, 3_600))
    }
  }

  /// [render thread] Writes one cycle, for which there must be room. Returns a negative error code
  /// on failure.
  @_noLocks
  func write(_ output: CycleBuffers.Planes) -> Int { move(output.frameCount, .write(output)) }

  /// [render thread] Reads one cycle, which must be available. Returns a negative error code on
  /// failure.
  @_noLocks
  func read(_ input: CycleBuffers.Planes) -> Int { move(input.frameCount, .read(input)) }

  /// [render thread] Fills the free space with silence. Returns a negative error code on failure.
  @_noLocks
  func writeSilence(_ frames: Int) -> Int { move(frames, .silence) }

  private enum Task {
    case write(CycleBuffers.Planes)
    case read(CycleBuffers.Planes)
    case silence
  }

  @_noLocks
  private func move(_ frames: Int, _ task: Task) -> Int {
    var done = 0
    while done < frames {
      let part = begin(frames - done)
      guard part.frameCount > 0 else {
        return part.frameCount == 0 ? Int(-EAGAIN) : part.frameCount
      }
      switch task {
      case .write(let output):
        output.interleave(
          from: done, count: part.frameCount, into: part.memory, as: format, dither: dither)
      case .read(let input):
        input.deinterleave(part.memory, count: part.frameCount, at: done, as: format)
      case .silence:
        part.memory.initializeMemory(
          as: UInt8.self, repeating: 0,
          count: part.frameCount * channelCount * format.containerBytes)
      }
      let count = end(part)
      guard count > 0 else { return count == 0 ? Int(-EAGAIN) : count }
      done += count
    }
    return done
  }

  // MARK: Memory of the samples

  /// Interleaved frames in memory to read or fill. A count of 0 means none, a negative count is an
  /// error code.
  private struct Part {
    var memory: UnsafeMutableRawPointer
    var frameCount: Int
    var offset: UInt = 0
  }

  /// At most `frames` frames in the hardware's memory, or in `memory`, to which input frames are
  /// copied.
  @_noLocks
  private func begin(_ frames: Int) -> Part {
    if isMapped { return map(frames) }
    let count = min(frames, memoryFrames)
    guard case .input = direction else { return Part(memory: memory, frameCount: count) }
    return Part(memory: memory, frameCount: readInterleaved(count))
  }

  /// Commits a processed part. Returns the number of frames that the device accepted, or an error.
  @_noLocks
  private func end(_ part: Part) -> Int {
    if isMapped { return commit(part) }
    guard case .input = direction else { return writeInterleaved(part.frameCount) }
    return part.frameCount
  }

  // MARK: The library

  // The compiler cannot see into the library. These functions are made for the thread of a stream:
  // with a PCM that does not block, they move memory or make a system call that does not wait.
  // Plug-ins may do anything. The library is responsible for that, and the sanitizer is informed.

  /// [render thread] Frames that can be read or written now. Negative for an error.
  var available: Int {
    @_semantics("no_performance_analysis") @inline(never) get {
      rt_host_enter()
      defer { rt_host_leave() }
      return alsa.snd_pcm_avail(pcm)
    }
  }

  private var delayFrames: Int {
    @_semantics("no_performance_analysis") @inline(never) get {
      rt_host_enter()
      defer { rt_host_leave() }
      var frames = 0
      return alsa.snd_pcm_delay(pcm, &frames) >= 0 ? frames : 0
    }
  }

  @_semantics("no_performance_analysis") @inline(never)
  private func readInterleaved(_ frames: Int) -> Int {
    rt_host_enter()
    defer { rt_host_leave() }
    return alsa.snd_pcm_readi(pcm, memory, UInt(clamping: frames))
  }

  @_semantics("no_performance_analysis") @inline(never)
  private func writeInterleaved(_ frames: Int) -> Int {
    rt_host_enter()
    defer { rt_host_leave() }
    return alsa.snd_pcm_writei(pcm, memory, UInt(clamping: frames))
  }

  @_semantics("no_performance_analysis") @inline(never)
  private func map(_ frames: Int) -> Part {
    rt_host_enter()
    defer { rt_host_leave() }
    var areas: UnsafePointer<ALSAArea>?
    var offset: UInt = 0
    var count = UInt(clamping: frames)
    let answer = alsa.snd_pcm_mmap_begin(pcm, &areas, &offset, &count)
    guard answer >= 0 else { return Part(memory: memory, frameCount: Int(answer)) }
    guard let area = areas?.pointee, let start = area.addr else {
      return Part(memory: memory, frameCount: 0)
    }
    // The samples are interleaved, so the area of the first channel covers all of them.
    let first = Outside(offset) * Int(area.step) + Int(area.first)
    guard let bits = first.upTo(1 << 40) else { return Part(memory: memory, frameCount: 0) }
    return Part(
      memory: start + bits / 8, frameCount: min(Int(clamping: count), frames), offset: offset)
  }

  @_semantics("no_performance_analysis") @inline(never)
  private func commit(_ part: Part) -> Int {
    rt_host_enter()
    defer { rt_host_leave() }
    return alsa.snd_pcm_mmap_commit(pcm, part.offset, UInt(clamping: part.frameCount))
  }
}
