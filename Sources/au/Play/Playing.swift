// SPDX-License-Identifier: Apache-2.0
import CommandSupport
import Foundation

/// A list on its way through a chain: what the keys ask for, what is shown, and the end.
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

  /// Plays from the beginning to the end, or until somebody stops it.
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
      var descriptors = [pollfd(fd: signals.descriptor, events: Int16(POLLIN), revents: 0)]
      if keyboard.isThere {
        descriptors.append(pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0))
      }
      poll(&descriptors, nfds_t(descriptors.count), 50)
      if let signal = signals.next() {
        line.clear()
        keyboard.restore()
        Signals.die(of: signal)
      }
      if descriptors.count > 1, descriptors[1].revents != 0 {
        for wish in keyboard.wishes() {
          guard wish != .quit else { return }
          try fulfil(wish)
          end = nil
        }
      }
      try chain.refill()
      show()
      if let status = chain.fileError {
        line.clear()
        try Failure.check(status, list.entries[list.entry(at: chain.position)].title)
      }
      guard chain.hasEnded, !chain.isPaused else { continue }
      let due = end ?? ContinuousClock.now + .seconds(chain.tail)
      end = due
      if ContinuousClock.now >= due { return }
    }
  }

  private func fulfil(_ wish: PlayKeyboard.Wish) throws {
    let position = chain.position
    let current = list.entries[list.entry(at: position)]
    switch wish {
    case .pause: try chain.togglePause()
    case .seek(let seconds):
      try chain.play(from: position + Int(seconds * list.sampleRate))
    case .next: try chain.play(from: current.start + current.length)
    case .previous:
      // Close to the beginning of a file it is the one before that is meant.
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
