// SPDX-License-Identifier: Apache-2.0
import CommandSupport
import Foundation
@_spi(TrappingConversions) import CheckedNumbers

/// The playback of a list through a chain: keys, status line, and the end.
struct Playing {
  let list: Playlist
  let chain: PlayChain
  let keyboard: PlayKeyboard
  private var line = PlayLine()

  init(_ list: Playlist, _ chain: PlayChain, _ keyboard: PlayKeyboard) {
    self.list = list
    self.chain = chain
    self.keyboard = keyboard
  }

  /// Plays from the beginning to the end, or until it is stopped.
  mutating func run() throws {
    let signals = Signals(Signals.ending)
    try chain.play(from: 0)
    try chain.start()
    defer {
      line.clear()
      keyboard.restore()
    }
    var end: ContinuousClock.Instant?
    while true {
      for action in keyboard.wait(or: signals, clear: { line.clear() }) {
        guard action != .quit else { return }
        try perform(action)
        end = nil
      }
      try chain.refill()
      show()
      if let status = chain.fileError {
        line.clear()
        try Failure.check(status, list.entries[list.entry(at: chain.position)].title)
      }
      guard chain.hasEnded, !chain.isPaused else { continue }
      let deadline = end ?? ContinuousClock.now + .seconds(chain.tail)
      end = deadline
      if ContinuousClock.now >= deadline { return }
    }
  }

  private func perform(_ action: PlayKeyboard.Action) throws {
    let position = chain.position
    let current = list.entries[list.entry(at: position)]
    switch action {
    case .pause: try chain.togglePause()
    case .seek(let seconds):
      try chain.play(from: position + Int(saturating: seconds * list.sampleRate))
    case .next: try chain.play(from: current.start + current.length)
    case .previous:
      // Near the beginning of a file, this means the file before it.
      let isClose = Double(position - current.start) < 2 * list.sampleRate
      let before = list.entry(at: max(current.start - 1, 0))
      try chain.play(from: isClose ? list.entries[before].start : current.start)
    case .quit: break
    }
  }

  private mutating func show() {
    let position = chain.position
    guard list.pipe == nil else {
      line.show(
        .init(
          position: Double(position) / list.sampleRate, length: nil, title: "standard input",
          number: 1, count: 1, isPaused: false))
      return
    }
    let index = list.entry(at: min(position, max(list.length - 1, 0)))
    let entry = list.entries[index]
    line.show(
      .init(
        position: Double(min(position - entry.start, entry.length)) / list.sampleRate,
        length: Double(entry.length) / list.sampleRate, title: entry.title, number: index + 1,
        count: list.entries.count, isPaused: chain.isPaused))
  }
}
