// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CCoreMIDI
import CRealTime
import MIDIMessages

// System exclusive messages that are sent in the background.
extension Setup {
  /// The bytes that are sent at once.
  private static let partSize = 4096

  /// [any thread] Sends the bytes of a request. `completion` is called at the end, on a thread of the
  /// library.
  package func sendSysEx(
    _ request: UnsafeMutablePointer<MIDISysexSendRequest>,
    completion: @escaping @Sendable () -> Void
  ) throws(AudioError) {
    let endpoint = try sysExDestination(request.pointee.destination)
    nonisolated(unsafe) let request = request
    request.pointee.complete = false
    try perform(on: endpoint) { [self] in
      var pace = Pace(lock.withLock { endpoint.integer(PropertyName.speed) })
      var isOpen = false
      var isLeftOpen = false
      while request.pointee.bytesToSend > 0, !request.pointee.complete {
        let count = min(Int(request.pointee.bytesToSend), pace.partSize ?? Self.partSize)
        var part = MessageListWriter(.bytes)
        let bytes = UnsafeBufferPointer(start: request.pointee.data, count: count)
        part.add(bytes, at: rt_host_time())
        // Real-time bytes do not end a message.
        if let status = bytes.last(where: { (0x80..<0xf8).contains($0) }) {
          isOpen = status == 0xf0
        }
        let leavesOpen = isOpen && request.pointee.bytesToSend > count
        guard deliver(part.list(), to: endpoint, leavesOpen: leavesOpen) else { break }
        isLeftOpen = leavesOpen
        request.pointee.data += count
        request.pointee.bytesToSend -= UInt32(clamping: count)
        pace.wait(after: count)
      }
      // A message that the program has cancelled ends here for those that receive it, and one whose
      // destination has gone ends for the messages after it.
      if isLeftOpen {
        var part = MessageListWriter(.bytes)
        ([0xf7] as [UInt8]).withUnsafeBufferPointer { part.add($0, at: rt_host_time()) }
        _ = deliver(part.list(), to: endpoint, leavesOpen: false, evenIfGone: true)
      }
      request.pointee.complete = true
      completion()
    }
  }

  /// [any thread] Sends the words of a request: whole messages of a type.
  package func sendSysEx(
    _ request: UnsafeMutablePointer<MIDISysexSendRequestUMP>, messageType: UInt32,
    completion: @escaping @Sendable () -> Void
  ) throws(AudioError) {
    let endpoint = try sysExDestination(request.pointee.destination)
    let words = UnsafeBufferPointer(
      start: UnsafePointer(request.pointee.words), count: Int(request.pointee.wordsToSend))
    var count = 0
    UniversalMessage.forEach(in: words) { message in
      if message.type == messageType { count += message.wordCount }
    }
    guard count == words.count else {
      throw .invalidArgument.because(
        "the words of a request are whole messages of type \(messageType)")
    }
    nonisolated(unsafe) let request = request
    request.pointee.complete = false
    try perform(on: endpoint) { [self] in
      let format = endpoint.format == .events2 ? MessageFormat.events2 : .events1
      var end: [UInt32] = []
      var isLeftOpen = false
      while request.pointee.wordsToSend > 0, !request.pointee.complete {
        // A multiple of the size of every message.
        let count = min(Int(request.pointee.wordsToSend), Self.partSize / 4)
        var part = MessageListWriter(format)
        let words = UnsafeBufferPointer(
          start: UnsafePointer(request.pointee.words), count: count)
        part.add(words, at: rt_host_time())
        var partEnd: [UInt32] = []
        UniversalMessage.forEach(in: words) { partEnd = Self.end(of: $0) }
        let leavesOpen = !partEnd.isEmpty && request.pointee.wordsToSend > count
        guard deliver(part.list(), to: endpoint, leavesOpen: leavesOpen) else { break }
        (end, isLeftOpen) = (partEnd, leavesOpen)
        request.pointee.words += count
        request.pointee.wordsToSend -= UInt32(clamping: count)
      }
      if isLeftOpen {
        var part = MessageListWriter(format)
        end.withUnsafeBufferPointer { part.add($0, at: rt_host_time()) }
        _ = deliver(part.list(), to: endpoint, leavesOpen: false, evenIfGone: true)
      }
      request.pointee.complete = true
      completion()
    }
  }

  /// The words that end a message of type 3 or 5 if `part` is its beginning or its middle; else none.
  private static func end(of part: UniversalMessage) -> [UInt32] {
    guard part.status == 1 || part.status == 2 else { return [] }
    let header: UInt32 = part.type << 28 | part.group << 24 | 0x30_0000
    // In type 5, the number of the stream counts as a byte.
    return part.type == 3 ? [header, 0] : [header | 0x1_0000 | part.words[0] & 0xff00, 0, 0, 0]
  }

  /// Sends in the background, after earlier requests.
  private func perform(
    on endpoint: Endpoint, _ job: @escaping @Sendable () -> Void
  ) throws(AudioError) {
    guard endpoint.sysExWorker.performOnThread(job) else {
      throw .outOfMemory.because(
        "no thread could be started that sends to endpoint \(endpoint.ref)")
    }
  }

  private func sysExDestination(_ ref: MIDIEndpointRef) throws(AudioError) -> Endpoint {
    try lock.withLock { () throws(AudioError) in try endpoint(ref, isSource: false) }
  }

  /// Delivers a part, and waits until that is done; false if the destination is gone, unless it gets
  /// the part even then. `leavesOpen` says whether a message continues in the next part.
  private func deliver(
    _ part: MessageList, to endpoint: Endpoint, leavesOpen: Bool, evenIfGone: Bool = false
  ) -> Bool {
    let done = WakeUp()
    while true {
      let isThere = lock.withLock { objects[endpoint.ref] != nil && endpoint.isPresent }
      guard isThere || evenIfGone else { return false }
      let posted = Delivery(
        part, to: endpoint, leavesOpen: leavesOpen, whenDone: { done.raise() })
      let takesMore = lock.withLock { endpoint.place?.link?.isNearlyEmpty ?? true }
      let isPosted = takesMore && (try? delivery.post(posted)) != nil
      if isPosted { break }
      // There is no room. It becomes free as the delivery thread goes on.
      done.wait(until: rt_host_time() + 5_000_000)
    }
    done.wait()
    return true
  }
}

/// The speed of a request.
private struct Pace {
  private let bytesPerSecond: Int
  private var nextTime = rt_host_time()

  /// A speed in bytes per second; 0: not limited.
  init(_ bytesPerSecond: Int) { self.bytesPerSecond = max(0, bytesPerSecond) }

  /// The bytes of about ten milliseconds; nil if the speed is not limited.
  var partSize: Int? { bytesPerSecond == 0 ? nil : max(1, bytesPerSecond / 100) }

  /// Waits for the time that bytes take.
  mutating func wait(after count: Int) {
    guard bytesPerSecond > 0 else { return }
    nextTime += UInt64(count) * 1_000_000_000 / UInt64(bytesPerSecond)
    let clock = WakeUp()
    while rt_host_time() < nextTime { clock.wait(until: nextTime) }
  }
}
