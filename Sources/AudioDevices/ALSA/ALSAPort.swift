// SPDX-License-Identifier: Apache-2.0
import AudioUnitCore
import CAudioBackends
import CRealTime
import Glibc
import SignalProcessing

/// One direction of an ALSA device: a PCM that is open and configured.
///
/// It never blocks. Hardware is waited for by its descriptors and its samples are read and written
/// where they lie; plug-ins say that they are ready before they are, so they are waited for by the
/// clock and their samples are passed by `readi` and `writei`.
// It belongs to whoever made it, then to the stream's thread.
final class ALSAPort: @unchecked Sendable {
  let alsa: ALSAFunctions
  let direction: StreamDirection
  /// What was agreed upon.
  let sampleRate: Double
  let channelCount: Int
  let periodFrames: Int
  let bufferFrames: Int
  let isHardware: Bool

  let pcm: OpaquePointer
  private let format: SampleFormat
  private let isMapped: Bool
  /// Interleaved samples on their way; for ports that are not mapped.
  private let memory: UnsafeMutableRawPointer
  private let memoryFrames: Int

  /// What is asked for; met as nearly as the device can.
  struct Wish {
    var sampleRate: Double
    var periodFrames: Int
    /// Nil: all that hardware has, two of a plug-in.
    var channelCount: Int?
  }

  /// [control thread] Opens a PCM by its name in ALSA's configuration.
  init(
    _ alsa: ALSAFunctions, _ name: String, _ direction: StreamDirection, _ wish: Wish
  ) throws(AudioError) {
    self.alsa = alsa
    self.direction = direction
    let pcm = try Self.open(alsa, name, direction)
    do throws(AudioError) {
      let isHardware = alsa.snd_pcm_type(pcm) == CInt(ALSATypeHardware)
      var setup = try ALSASetup(alsa, pcm, named: name)
      defer { setup.free() }
      (format, isMapped) = try setup.chooseFormat(mapped: isHardware)
      try setup.negotiate(wish, isHardware: isHardware)
      (sampleRate, channelCount) = (setup.sampleRate, setup.channelCount)
      (periodFrames, bufferFrames) = (setup.periodFrames, setup.bufferFrames)
      self.isHardware = isHardware
    } catch {
      _ = alsa.snd_pcm_close(pcm)
      throw error
    }
    self.pcm = pcm
    memoryFrames = bufferFrames
    memory = .allocate(
      byteCount: bufferFrames * channelCount * format.containerBytes, alignment: 64)
    memory.initializeMemory(
      as: UInt8.self, repeating: 0, count: bufferFrames * channelCount * format.containerBytes)
  }

  deinit {
    _ = alsa.snd_pcm_close(pcm)
    memory.deallocate()
  }

  /// [control thread] Opens a PCM, not to be used yet. The caller closes it.
  static func open(
    _ alsa: ALSAFunctions, _ name: String, _ direction: StreamDirection
  ) throws(AudioError) -> OpaquePointer {
    var pcm: OpaquePointer?
    let way = direction == .output ? ALSAPlayback : ALSACapture
    let answer = alsa.snd_pcm_open(&pcm, name, CInt(way.rawValue), CInt(ALSANonblock))
    guard answer >= 0, let pcm else {
      let what = direction == .output ? "playback" : "capture"
      throw .failedInitialization.because(
        "\"\(ALSABackend.name):\(name)\" cannot be opened for \(what): \(alsa.text(answer))")
    }
    return pcm
  }

  // MARK: Running

  /// [control thread] Makes it ready to begin, with nothing in it.
  func prepare() -> CInt { alsa.snd_pcm_prepare(pcm) }

  /// [stream's thread] Begins to run, where writing does not begin it by itself.
  func begin() -> CInt { alsa.snd_pcm_start(pcm) }

  /// [any thread] Ends at once; what has not been played is dropped.
  func drop() { _ = alsa.snd_pcm_drop(pcm) }

  /// [stream's thread] Frames that can be read or written now; an error below zero.
  var available: Int { alsa.snd_pcm_avail(pcm) }

  /// [stream's thread] Waits for hardware, a tenth of a second at most; an error below zero.
  func waitForHardware() -> CInt { alsa.snd_pcm_wait(pcm, 100) }

  /// [stream's thread] Nanoseconds between the next frame and the world.
  var delay: UInt64 {
    var frames = 0
    guard alsa.snd_pcm_delay(pcm, &frames) >= 0, frames > 0 else { return 0 }
    return UInt64(Double(frames) / sampleRate * 1e9)
  }

  /// [stream's thread] Makes it usable after an error; false when that cannot be.
  func recover(from error: Int) -> Bool {
    alsa.snd_pcm_recover(pcm, CInt(clamping: error), 1) >= 0
  }

  /// [stream's thread] Writes one cycle, for which there is room; an error below zero.
  func write(_ output: CycleBuffers) -> Int {
    transfer(output.frameCount) { memory, done, count in
      output.interleave(from: done, count: count, into: memory, as: format)
    }
  }

  /// [stream's thread] Reads one cycle, which is there; an error below zero.
  func read(_ input: CycleBuffers) -> Int {
    transfer(input.frameCount) { memory, done, count in
      input.deinterleave(memory, count: count, at: done, as: format)
    }
  }

  /// [stream's thread] Writes silence where there is room; an error below zero.
  func writeSilence(_ frames: Int) -> Int {
    transfer(min(frames, memoryFrames)) { memory, _, count in
      memory.initializeMemory(
        as: UInt8.self, repeating: 0, count: count * channelCount * format.containerBytes)
    }
  }

  private func transfer(
    _ frames: Int, _ move: (UnsafeMutableRawPointer, _ done: Int, _ count: Int) -> Void
  ) -> Int {
    var done = 0
    while done < frames {
      let count = isMapped ? mapped(frames - done, done, move) : copied(frames - done, done, move)
      guard count > 0 else { return count == 0 ? Int(-EAGAIN) : count }
      done += count
    }
    return done
  }

  /// Moves samples where the hardware has them.
  private func mapped(
    _ frames: Int, _ done: Int, _ move: (UnsafeMutableRawPointer, Int, Int) -> Void
  ) -> Int {
    var areas: UnsafePointer<ALSAArea>?
    var offset: UInt = 0
    var count = UInt(frames)
    let answer = alsa.snd_pcm_mmap_begin(pcm, &areas, &offset, &count)
    guard answer >= 0 else { return Int(answer) }
    guard let area = areas?.pointee, let start = area.addr, count > 0 else { return 0 }
    // Interleaved: the first channel's area has all of them.
    move(start + (Int(area.first) + Int(offset) * Int(area.step)) / 8, done, Int(count))
    return alsa.snd_pcm_mmap_commit(pcm, offset, count)
  }

  private func copied(
    _ frames: Int, _ done: Int, _ move: (UnsafeMutableRawPointer, Int, Int) -> Void
  ) -> Int {
    let count = min(frames, memoryFrames)
    guard direction == .output else {
      let read = alsa.snd_pcm_readi(pcm, memory, UInt(count))
      if read > 0 { move(memory, done, read) }
      return read
    }
    move(memory, done, count)
    return alsa.snd_pcm_writei(pcm, memory, UInt(count))
  }
}

extension ALSAFunctions {
  /// What an error means.
  func text(_ error: CInt) -> String {
    snd_strerror(error).map { String(cString: $0) } ?? "\(error)"
  }
}
