// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization

/// The terminal as screen and keyboard. Its modes are restored whatever ends the process, except
/// SIGKILL.
package final class Terminal {
  /// The size in characters.
  package struct Size: Equatable {
    package var columns: Int
    package var rows: Int

    package init(columns: Int, rows: Int) { (self.columns, self.rows) = (columns, rows) }
  }

  /// Whether standard input and output are a terminal that can be drawn on.
  package static var isAvailable: Bool {
    let type = ProcessInfo.processInfo.environment["TERM"] ?? ""
    return isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1 && !type.isEmpty
      && type != "dumb"
  }

  /// Selects the alternate screen, without a cursor and without wrapping.
  private static let begin = "\u{1b}[?1049h\u{1b}[?25l\u{1b}[?7l\u{1b}[2J"

  package init() {
    TerminalRestorer.prepare()
    enter()
  }

  /// Sets the terminal's modes.
  package func enter() {
    TerminalRestorer.isNeeded.store(true, ordering: .releasing)
    var mode = termios()
    tcgetattr(STDIN_FILENO, &mode)
    // Keys arrive one by one and are not echoed; those that send signals still do.
    mode.c_lflag &= ~tcflag_t(ICANON | ECHO | IEXTEN)
    mode.c_iflag &= ~tcflag_t(IXON | ICRNL)
    tcsetattr(STDIN_FILENO, TCSADRAIN, &mode)
    TerminalRestorer.divertErrors()
    write(Self.begin)
  }

  /// Restores the terminal's modes.
  package func leave() { TerminalRestorer.restore() }

  /// The current size; 80 by 24 if the terminal does not report it.
  package var size: Size {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0
    else { return Size(columns: 80, rows: 24) }
    return Size(columns: Int(size.ws_col), rows: Int(size.ws_row))
  }

  /// Writes all of a text; false if the terminal is gone.
  @discardableResult
  package func write(_ text: String) -> Bool {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes {
        Foundation.write(STDOUT_FILENO, $0.baseAddress, $0.count)
      }
      if count < 0, errno == EINTR || errno == EAGAIN { continue }
      guard count > 0 else { return false }
      bytes = bytes.dropFirst(count)
    }
    return true
  }

  /// The bytes of the keys pressed; nil if the terminal is gone.
  package func read() -> [UInt8]? {
    guard var bytes = readOnce() else { return nil }
    // A slow connection may split the bytes of a key. A lone escape is the Escape key if nothing
    // follows.
    while Key.isUnfinished(bytes), isReadable(milliseconds: 25), let more = readOnce() {
      bytes += more
    }
    return bytes
  }

  private func readOnce() -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = Foundation.read(STDIN_FILENO, &bytes, bytes.count)
    if count < 0, errno == EINTR || errno == EAGAIN { return [] }
    return count > 0 ? Array(bytes.prefix(count)) : nil
  }

  private func isReadable(milliseconds: Int32) -> Bool {
    var descriptor = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    return poll(&descriptor, 1, milliseconds) == 1
  }
}

/// Restores a terminal from anywhere: at the end of the process, and in the handler of a fatal
/// signal, where only system calls on existing memory are allowed.
package enum TerminalRestorer {
  /// Whether the terminal must be restored.
  static let isNeeded = Atomic(false)

  /// Selects the normal screen, with a cursor and with wrapping.
  nonisolated(unsafe) private static let end: UnsafeMutableBufferPointer<UInt8> = {
    let bytes = "\u{1b}[0m\u{1b}[?7h\u{1b}[?25h\u{1b}[?1049l".utf8
    let memory = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count)
    _ = memory.initialize(from: bytes)
    return memory
  }()

  nonisolated(unsafe) private static let mode: UnsafeMutablePointer<termios> = {
    let memory = UnsafeMutablePointer<termios>.allocate(capacity: 1)
    memory.initialize(to: termios())
    return memory
  }()

  /// Standard error itself while it is diverted; otherwise -1.
  nonisolated(unsafe) private static var errors: Int32 = -1

  /// [control thread] Keeps what libraries write to standard error off the screen: it appears with
  /// `restore`.
  static func divertErrors() {
    guard errors < 0, isatty(STDERR_FILENO) == 1, let file = tmpfile() else { return }
    defer { fclose(file) }
    let copy = dup(STDERR_FILENO)
    guard copy >= 0 else { return }
    guard dup2(fileno(file), STDERR_FILENO) >= 0 else {
      close(copy)
      return
    }
    errors = copy
  }

  /// Ends `divertErrors`, and writes what has come meanwhile.
  private static func releaseErrors() {
    guard errors >= 0 else { return }
    let file = dup(STDERR_FILENO)
    dup2(errors, STDERR_FILENO)
    close(errors)
    errors = -1
    guard file >= 0, lseek(file, 0, SEEK_SET) == 0 else { return }
    withUnsafeTemporaryAllocation(byteCount: 512, alignment: 1) { bytes in
      while case let count = read(file, bytes.baseAddress, bytes.count), count > 0 {
        _ = write(STDERR_FILENO, bytes.baseAddress, count)
      }
    }
    close(file)
  }

  /// [control thread] Saves the terminal's modes, and restores them when the process ends.
  static func prepare() {
    tcgetattr(STDIN_FILENO, mode)
    _ = end.count
    atexit { TerminalRestorer.restore() }
    for signal in [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP] {
      var action = sigaction()
      action.__sigaction_handler.sa_handler = { signal in
        TerminalRestorer.restore()
        Foundation.signal(signal, SIG_DFL)
        raise(signal)
      }
      sigaction(signal, &action, nil)
    }
  }

  /// [any thread] Restores the terminal, once.
  package static func restore() {
    guard isNeeded.exchange(false, ordering: .acquiringAndReleasing) else { return }
    _ = write(STDOUT_FILENO, end.baseAddress, end.count)
    // Immediately: a blocked terminal must not delay the end of the process.
    tcflush(STDIN_FILENO, TCIFLUSH)
    tcsetattr(STDIN_FILENO, TCSANOW, mode)
    releaseErrors()
  }
}
