// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioBackends
import CRealTime
import JACKClients
import Synchronization

/// What a server may be given in one cycle.
struct JACKMIDILimits: BitwiseCopyable, Sendable {
  /// PipeWire loses what does not fit, or crashes. From version 1.4 on it divides system exclusive
  /// messages into packets of six bytes, each of which takes 24 bytes.
  let isPipeWire: Bool

  /// The most bytes of a message.
  var messageBytes: Int { isPipeWire ? 1_024 : 16_384 }

  /// What a message takes of a cycle.
  @_noLocks
  func cost(of count: Int) -> Int { isPipeWire ? (count &+ 5) / 6 &* 24 : count &+ 12 }

  /// What there is room for in a cycle.
  var room: Int { @_noLocks get { isPipeWire ? 7_200 : 24_576 } }
}

/// A port of the client, with the messages on their way to it or from it.
final class JACKMIDIPort: @unchecked Sendable {  // the ring has one writer and one reader
  let link: MachineLink
  let port: OpaquePointer
  let ring: RecordRing
  /// Messages for which there was no room.
  let lostCount = Atomic(0)
  private let receives: Bool
  /// Whether nothing is sent any more.
  private let isClosing = Atomic(false)

  init(_ port: OpaquePointer, for link: MachineLink) {
    (self.port, self.link, receives) = (port, link, link.receives)
    ring = RecordRing(capacity: link.receives ? 262_144 : 65_536)
  }

  /// [machine thread] Lets the next cycles send nothing.
  func stopSending() { isClosing.store(true, ordering: .sequentiallyConsistent) }

  /// [render thread] Runs one cycle.
  @_noLocks
  func process(
    _ jack: UnsafePointer<JACKFunctions>, _ cycle: JACKMIDITimes, _ limits: JACKMIDILimits
  ) {
    guard let buffer = jackBuffer(jack, port, cycle.frameCount) else { return }
    if receives {
      receive(jack, buffer, cycle)
    } else {
      send(jack, buffer, cycle, limits)
    }
  }

  @_noLocks
  private func receive(
    _ jack: UnsafePointer<JACKFunctions>, _ buffer: UnsafeMutableRawPointer, _ cycle: JACKMIDITimes
  ) {
    for index in 0..<jackEventCount(jack, buffer) {
      let event = jackEvent(jack, buffer, index)
      guard let bytes = event.buffer, event.size > 0 else { continue }
      let time = cycle.begin &+ UInt64(Double(event.time) * cycle.frameTime)
      if !ring.write(bytes, count: Int(truncatingIfNeeded: event.size), at: time) {
        lostCount.wrappingAdd(1, ordering: .relaxed)
      }
    }
  }

  /// Messages that were due in the last cycle come at the same frames of this one.
  @_noLocks
  private func send(
    _ jack: UnsafePointer<JACKFunctions>, _ buffer: UnsafeMutableRawPointer, _ cycle: JACKMIDITimes,
    _ limits: JACKMIDILimits
  ) {
    jackClear(jack, buffer)
    guard !isClosing.load(ordering: .sequentiallyConsistent) else { return }
    var (frame, used) = (UInt32(0), 0)
    while true {
      let (time, count) = ring.next()
      guard count >= 0, used &+ limits.cost(of: count) <= limits.room else { return }
      frame = max(frame, cycle.frame(of: time))
      let event = jackReserve(jack, buffer, frame, count)
      // What there is no room for waits, unless there never will be.
      if event == nil, used > 0 { return }
      if event == nil { lostCount.wrappingAdd(1, ordering: .relaxed) }
      ring.take(count, into: event)
      used &+= limits.cost(of: count)
    }
  }
}

/// The times of a cycle.
struct JACKMIDITimes: BitwiseCopyable {
  let frameCount: UInt32
  /// Its beginning, in host time.
  let begin: UInt64
  /// The nanoseconds of a frame.
  let frameTime: Double

  /// The frame of what was due in the last cycle: the first for earlier times, the last for later
  /// ones.
  @_noLocks
  func frame(of time: UInt64) -> UInt32 {
    let length = UInt64(Double(frameCount) * frameTime)
    let origin = begin > length ? begin &- length : 0
    guard time > origin, frameCount > 0 else { return 0 }
    guard time &- origin < length else { return frameCount &- 1 }
    return min(UInt32(Double(time &- origin) / frameTime), frameCount &- 1)
  }
}

/// The cycles of a client with MIDI ports, and the library's other callbacks. The object lives until
/// the client is closed.
final class JACKMIDICycle: @unchecked Sendable {
  /// The most ports.
  static let portLimit = 256

  private let jack: UnsafePointer<JACKFunctions>
  private let client: OpaquePointer
  private let owner: JACKClient
  private let limits: JACKMIDILimits
  private let frameTime: Double
  private let events: MachineEvents
  /// The addresses of the ports; 0: none.
  private let slots: UnsafeMutablePointer<Atomic<UInt>>
  private let slotCount = JACKMIDICycle.portLimit
  private let count = Atomic(0)
  /// What the server has connected.
  let connections = JACKMIDIConnections()

  init(_ client: JACKClient, _ limits: JACKMIDILimits, _ events: MachineEvents) {
    (jack, self.client, owner) = (client.jack, client.pointer, client)
    (self.limits, self.events) = (limits, events)
    frameTime = 1_000_000_000 / max(client.sampleRate, 1)
    slots = .allocate(capacity: Self.portLimit)
    for index in 0..<Self.portLimit { (slots + index).initialize(to: Atomic(0)) }
  }

  deinit {
    slots.deinitialize(count: slotCount)
    slots.deallocate()
  }

  /// [machine thread] Adds a port to the cycles; returns its place, nil if there are too many. The caller
  /// keeps the object until it has been removed.
  func add(_ port: JACKMIDIPort) -> Int? {
    let free = (0..<slotCount).first { slots[$0].load(ordering: .relaxed) == 0 }
    if let free {
      slots[free].store(
        UInt(bitPattern: Unmanaged.passUnretained(port).toOpaque()),
        ordering: .sequentiallyConsistent)
    }
    return free
  }

  /// [machine thread] Removes a port from the cycles; false if one that uses it may still run. With
  /// `waits`, waits a moment for the end of that.
  func remove(_ port: JACKMIDIPort, at place: Int, waits: Bool) -> Bool {
    var runs = waits
    if waits, !port.link.receives {
      // Until it is unregistered, the server would repeat what the port sent last. The first cycle that
      // ends may have come past the port already.
      port.stopSending()
      runs = waitForCycles(2)
    }
    slots[place].store(0, ordering: .sequentiallyConsistent)
    return runs && waitForCycles(1)
  }

  /// [any thread] How many cycles have ended.
  var endedCount: Int { count.load(ordering: .sequentiallyConsistent) }

  /// Waits until cycles have ended; false if that takes too long.
  private func waitForCycles(_ number: Int) -> Bool {
    let before = endedCount
    return waitPolling(every: 500, until: rt_host_time() + 200_000_000) {
      endedCount &- before < number
    }
  }

  /// [render thread] Runs one cycle of the server.
  @_noLocks
  func process(_ frameCount: UInt32) {
    let cycle = JACKMIDITimes(
      frameCount: frameCount, begin: jackCycleTimes(jack, client).begin, frameTime: frameTime)
    let (jack, limits) = (jack, limits)
    for index in 0..<slotCount {
      let address = slots[index].load(ordering: .sequentiallyConsistent)
      guard let pointer = UnsafeRawPointer(bitPattern: address) else { continue }
      Unmanaged<JACKMIDIPort>.fromOpaque(pointer)._withUnsafeGuaranteedRef {
        $0.process(jack, cycle, limits)
      }
    }
    count.wrappingAdd(1, ordering: .sequentiallyConsistent)
  }

  /// [JACK's worker] Registers the callbacks.
  func register() {
    let me = Unmanaged.passUnretained(self).toOpaque()
    let it = jack.pointee
    _ = it.jack_set_process_callback(client, jackMIDIProcess, me)
    _ = it.jack_set_port_registration_callback(
      client, { JACKMIDICycle.from($2)?.portsChanged() }, me)
    _ = it.jack_set_port_connect_callback(
      client, { JACKMIDICycle.from($3)?.connected(from: $0, $2 != 0) }, me)
    owner.notifyEnd(
      me, { JACKMIDICycle.from($2)?.shutDown($0) },
      withoutReason: { JACKMIDICycle.from($0)?.shutDown() })
  }

  private func shutDown(_ code: UInt32 = UInt32(JACKServerError.rawValue)) {
    JACKClient.uncancelled {
      owner.shutDown(byServersEnd: code & UInt32(JACKServerError.rawValue) != 0)
      events.ended()
    }
  }

  private func connected(from source: UInt32, _ isConnected: Bool) {
    JACKClient.uncancelled { connections.note(from: source, isConnected: isConnected) }
  }

  private func portsChanged() { JACKClient.uncancelled { events.portsChanged() } }

  /// The object that the library passes to callbacks.
  private static func from(_ context: UnsafeMutableRawPointer?) -> JACKMIDICycle? {
    context.map { Unmanaged<JACKMIDICycle>.fromOpaque($0).takeUnretainedValue() }
  }
}

/// [render thread] Called by the library.
@_noLocks
private func jackMIDIProcess(_ frameCount: UInt32, _ context: UnsafeMutableRawPointer?) -> CInt {
  guard let context else { return 0 }
  rt_enter()
  Unmanaged<JACKMIDICycle>.fromOpaque(context)._withUnsafeGuaranteedRef { $0.process(frameCount) }
  rt_leave()
  return 0
}
