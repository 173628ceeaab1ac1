// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CPlugIns
import CRealTime
import Glibc

/// One end of the socket between a program and the process of a plug-in: whole messages, with a limit of time.
struct RemoteChannel: Sendable {
  let socket: Int32

  /// [control thread] Two connected ends.
  static func pair() throws(AudioError) -> (RemoteChannel, RemoteChannel) {
    var ends: [Int32] = [-1, -1]
    let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    guard socketpair(AF_UNIX, type, 0, &ends) == 0 else {
      throw .outOfMemory.because("no socket: \(String(cString: strerror(errno)))")
    }
    return (RemoteChannel(socket: ends[0]), RemoteChannel(socket: ends[1]))
  }

  /// [control thread] Sends a message until the host clock reaches `deadline`; false: that failed.
  func send(_ message: RemoteMessage, until deadline: UInt64) -> Bool {
    var length = UInt32(clamping: message.bytes.count)
    guard Int(length) <= RemoteMessage.longest else { return false }
    return withUnsafeBytes(of: &length) { transfer($0, deadline) }
      && message.bytes.withUnsafeBytes { transfer($0, deadline) }
  }

  private func transfer(_ bytes: UnsafeRawBufferPointer, _ deadline: UInt64) -> Bool {
    var sent = 0
    while sent < bytes.count {
      let count = Glibc.send(
        socket, bytes.baseAddress.map { $0 + sent }, bytes.count - sent, Int32(MSG_NOSIGNAL))
      if count > 0 {
        sent += count
      } else if errno == EAGAIN {
        guard wait(for: POLLOUT, deadline) else { return false }
      } else if errno != EINTR {
        return false
      }
    }
    return true
  }

  /// [control thread] The next message; nil: it is not whole before the host clock reaches `deadline`, or the
  /// other process has ended.
  func receive(until deadline: UInt64) -> RemoteMessage? {
    guard let head = bytes(4, deadline) else { return nil }
    let length = head.reversed().reduce(0) { $0 << 8 | Int($1) }
    guard length <= RemoteMessage.longest, let body = bytes(length, deadline) else { return nil }
    return RemoteMessage(reading: body)
  }

  private func bytes(_ count: Int, _ deadline: UInt64) -> [UInt8]? {
    var received: [UInt8] = []
    // What the other process announces is not reserved before it is there.
    var piece = [UInt8](repeating: 0, count: min(count, 1 << 16))
    while received.count < count {
      let number = recv(socket, &piece, min(count - received.count, piece.count), 0)
      if number > 0 {
        received += piece[..<number]
      } else if number < 0, errno == EAGAIN {
        guard wait(for: POLLIN, deadline) else { return nil }
      } else if number == 0 || errno != EINTR {
        return nil
      }
    }
    return received
  }

  /// Waits until something can be received; false: the deadline, or the other process has ended.
  func wait(for events: Int32, _ deadline: UInt64) -> Bool {
    while true {
      let now = rt_host_time()
      guard now < deadline else { return false }
      var ready = pollfd(fd: socket, events: Int16(events), revents: 0)
      let rest = min((deadline - now) / 1_000_000 + 1, 1_000)
      if poll(&ready, 1, Int32(rest)) > 0 { return true }
    }
  }
}

/// What a program asks the process of a plug-in.
enum RemoteRequest: UInt8 {
  case describe, load, makeInstance, freeInstance, activate, deactivate, latency, tail, setOffline,
    values,
    state, restore, presetState, canRead, valuesOfState, text, value
}
