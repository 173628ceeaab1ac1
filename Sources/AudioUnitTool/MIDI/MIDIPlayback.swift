// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import CommandSupport
import Foundation
import ToneModel
@_spi(TrappingConversions) import CheckedNumbers

/// The playback of a MIDI file: keys, status line, and the end.
struct MIDIPlayback {
  /// How long the last notes fade, in seconds.
  private static let tail = 2.0

  let score: MIDIScore
  let keyboard: PlayKeyboard
  let loops: Bool
  private let output: AudioUnit
  private var line = PlayLine()
  private var isPaused = false

  /// Opens the default output.
  init(
    _ path: String, bank: String?, rate: Double, loops: Bool, _ keyboard: PlayKeyboard
  ) throws {
    score = try MIDIScore(path)
    output = try score.makeGraph(.init(bank: bank, sampleRate: nil))
    try score.setRate(rate)
    self.loops = loops
    self.keyboard = keyboard
  }

  /// Plays from the beginning to the end, or until it is stopped.
  mutating func run() throws {
    let signals = Signals(Signals.ending)
    let length = score.seconds
    // A device without its own pace plays everything while this thread sleeps once.
    let limit =
      FrameLimit.isNeeded && !loops
      ? try FrameLimit(output, frames: Int(saturating: (length + Self.tail) * sampleRate)) : nil
    try score.start()
    defer {
      line.clear()
      keyboard.restore()
    }
    while limit?.isReached != true {
      for action in keyboard.wait(or: signals, clear: { line.clear() }) {
        guard action != .quit else { return }
        try perform(action)
      }
      let position = score.position
      line.show(
        .init(
          position: min(position, length), length: length,
          title: URL(fileURLWithPath: score.path).lastPathComponent, number: 1, count: 1,
          isPaused: isPaused))
      if loops, position >= length {
        score.position = 0
      } else if limit == nil, position >= length + Self.tail {
        return
      }
    }
  }

  private var sampleRate: Double {
    var rate = 0.0
    var size = UInt32(clamping: MemoryLayout<Double>.size)
    AudioUnitGetProperty(
      output, kAudioUnitProperty_SampleRate, kAudioUnitScope_Input, 0, &rate, &size)
    return rate > 0 ? rate : 48_000
  }

  private mutating func perform(_ action: PlayKeyboard.Action) throws {
    switch action {
    case .pause:
      isPaused.toggle()
      try score.setPaused(isPaused)
    case .seek(let seconds): score.position += seconds
    case .next: score.position = score.seconds
    case .previous: score.position = 0
    case .quit: break
    }
  }
}
