// SPDX-License-Identifier: Apache-2.0
import AudioDevices
import AudioSupport
import CAudioToolbox
import CRealTime
import Synchronization

/// The functions that a program has added to one device, and the client whose cycles call them. All
/// functions share one stream, opened with the first start and closed with the last stop.
///
/// A lost stream is reopened until the program stops it. Sample times continue without a gap.
final class DeviceIO: DeviceClientOwner, @unchecked Sendable {
  let id: AudioObjectID
  let uid: String
  private let title: String
  /// Held while functions are started or stopped, which may wait for a server. Cycles and the
  /// client's threads never take it.
  private let control = Lock()
  /// Never held while waiting. Guards the functions and what is not atomic in them.
  private let table = Guarded<[IOProcEntry]>([])
  private let client = DeviceClient()
  private let clock = DeviceClock()
  /// The captured frames for later reading, and the shape of the stream that they come from.
  private let capture = Guarded<(samples: CapturedSamples?, shape: CycleShape)?>(nil)

  init(_ id: AudioObjectID, _ device: Device) {
    self.id = id
    uid = device.uid
    title = "\(device.name) IO"
    client.cycleUsage = 1
    client.owner = self
  }

  // MARK: Functions

  /// [control thread] Adds a function, which is called after a start.
  func add(_ entry: IOProcEntry) { table.withLock { $0.append(entry) } }

  /// [any thread] The function with a number.
  func entry(_ id: UInt) -> IOProcEntry? { table.withLock { $0.first { $0.id == id } } }

  /// [control thread] Stops and removes a function. False if it is unknown.
  func remove(_ id: UInt) -> Bool {
    guard let entry = entry(id) else { return false }
    entry.isActive.store(false, ordering: .releasing)
    table.withLock { table in
      entry.startCount = 0
      table.removeAll { $0 === entry }
    }
    runOutsideCycle { $0.update() }
    return true
  }

  /// [any thread] Has the device call a function, beginning at a host time. An entry without a
  /// function only runs the device.
  func start(_ entry: IOProcEntry, at hostTime: UInt64 = 0) throws(AudioError) {
    entry.startTime.store(hostTime, ordering: .relaxed)
    guard rt_current().pointee.depth == 0 else {
      // The device runs, because this is called inside a cycle.
      entry.isActive.store(true, ordering: .releasing)
      return runOutsideCycle { io in
        io.table.withLock { _ in entry.startCount = 1 }
        io.update()
      }
    }
    try control.withLock { () throws(AudioError) in
      table.withLock { _ in
        entry.startCount += entry.function == nil ? 1 : 1 - entry.startCount
      }
      entry.isActive.store(true, ordering: .releasing)
      guard !client.isRunning else { return adapt() }
      do throws(AudioError) { try open() } catch {
        table.withLock { _ in entry.startCount = 0 }
        entry.isActive.store(false, ordering: .releasing)
        throw error
      }
    }
  }

  private func open() throws(AudioError) {
    var request = DeviceClientRequest(
      .only(id), usesInput: true, usesOutput: true, title: title, environment: try .current())
    request.clock = clock
    request.followsRequests = true
    try client.start(request)
  }

  /// [any thread] Stops a function. No call of it is in progress afterwards, except the caller.
  func stop(_ entry: IOProcEntry) {
    if entry.function != nil { entry.isActive.store(false, ordering: .releasing) }
    runOutsideCycle { io in
      io.table.withLock { _ in
        entry.startCount = entry.function == nil ? max(entry.startCount - 1, 0) : 0
      }
      io.update()
    }
  }

  /// [control thread] Stops all functions.
  func stopAll() {
    runOutsideCycle { io in
      io.control.withLock {
        io.stopEntries()
        io.client.stop()
      }
    }
  }

  /// [control thread] Reopens the device if it runs, because it has changed.
  func reopenIfRunning() {
    runOutsideCycle { io in io.control.withLock { io.client.reopen("it has changed") } }
  }

  private func stopEntries() {
    table.withLock { table in
      for entry in table {
        entry.startCount = 0
        entry.isActive.store(false, ordering: .releasing)
      }
    }
  }

  /// Runs `body` now, or on another thread if this one is in a cycle and cannot wait.
  private func runOutsideCycle(_ body: @escaping @Sendable (DeviceIO) -> Void) {
    guard rt_current().pointee.depth > 0 else { return body(self) }
    client.runInBackground { [self] in body(self) }
  }

  // MARK: The client

  /// The running functions.
  private var running: [IOProcEntry] { table.withLock { $0.filter { $0.startCount > 0 } } }

  /// [control thread] Adapts to the running functions: with another engine, another stream, or none.
  private func update() {
    control.withLock { if running.isEmpty { client.stop() } else { adapt() } }
    client.waitForOldEngines()
  }

  /// Has the cycles call the functions that run now, through another stream if they use other
  /// directions than it was opened for.
  private func adapt() {
    guard let connection = client.connection,
      let uses = try? directions(on: connection.device),
      uses != (connection.usesInput, connection.usesOutput)
    else { return client.replaceEngine() }
    client.reopen("its functions use other streams")
  }

  func directions(
    on device: Device, of request: DeviceClientRequest
  ) throws(AudioError) -> (input: Bool, output: Bool) { try directions(on: device) }

  /// The directions of a device that running functions use.
  private func directions(on device: Device) throws(AudioError) -> (input: Bool, output: Bool) {
    let uses = table.withLock { table in
      (
        Self.uses(table, device.streams(isInput: true).count, \.unusedInputs),
        Self.uses(table, device.streams(isInput: false).count, \.unusedOutputs)
      )
    }
    guard uses.0 || uses.1 else {
      throw AudioError(status: kAudioHardwareIllegalOperationError).because(
        "\(uid): no function uses a stream")
    }
    return uses
  }

  /// Whether a running function uses one of `count` streams. An entry without a function uses all.
  private static func uses(
    _ table: [IOProcEntry], _ count: Int, _ unused: KeyPath<IOProcEntry, Set<Int>>
  ) -> Bool {
    count > 0
      && table.contains { entry in
        entry.startCount > 0
          && (entry.function == nil
            || (0..<count).contains { !entry[keyPath: unused].contains($0) })
      }
  }

  func makeEngine(for connection: DeviceConnection) -> CycleEngine {
    let samples = capture.withLock { capture -> CapturedSamples? in
      if let capture, capture.shape === connection.shape { return capture.samples }
      let device = connection.device
      let samples =
        connection.usesInput
        ? CapturedSamples(
          channelCount: device.inputChannelCount, sampleRate: device.sampleRate,
          maximumFrames: device.callFrames) : nil
      capture = (samples, connection.shape)
      return samples
    }
    let (entries, unused) = table.withLock { table in
      let entries = table.filter { $0.startCount > 0 && $0.function != nil }
      return (entries, entries.map { (inputs: $0.unusedInputs, outputs: $0.unusedOutputs) })
    }
    return IOProcEngine(entries, unused, id, connection, samples)
  }

  func clientChanged(_ change: DeviceClientChange) {
    switch change {
    case .interrupted: break
    case .reopened: AudioObjectListeners.shared.check()
    case .moved:
      // Its cycles may have another size now.
      client.replaceEngine()
      AudioObjectListeners.shared.check()
    case .stopped: control.withLock { if !client.isRunning { stopEntries() } }
    }
  }

  // MARK: Queries

  /// [control thread] The captured frames and the channels of each input stream. Nil if none.
  var captured: (samples: CapturedSamples, streams: [Int])? {
    guard let connection = client.connection,
      let samples = capture.withLock({ $0?.shape === connection.shape ? $0?.samples : nil })
    else { return nil }
    return (samples, connection.device.streams(isInput: true))
  }

  /// [control thread] Seconds of latency that the bridge adds to an input with its own clock.
  var bridgeLatency: Double { client.connection?.shape.bridgeLatency ?? 0 }

  /// [any thread] The device's clock and its last cycle. Nil while it does not run.
  var timing: (clock: DeviceClock, anchor: DeviceClock.Anchor)? {
    guard let anchor = clock.anchor, isRunning else { return nil }
    return (clock, anchor)
  }

  /// [any thread] Whether cycles run or will run again.
  var isRunning: Bool { client.isRunning }

  /// [control thread] The share of a cycle that functions may use.
  var usage: Float {
    get { client.cycleUsage ?? 1 }
    set { client.cycleUsage = newValue }
  }

  /// [control thread] The streams of an endpoint that a function does not use.
  func unused(_ entry: IOProcEntry, isInput: Bool) -> Set<Int> {
    table.withLock { _ in isInput ? entry.unusedInputs : entry.unusedOutputs }
  }

  /// [control thread] Sets the streams of an endpoint that a function does not use.
  func setUnused(_ entry: IOProcEntry, isInput: Bool, _ streams: Set<Int>) {
    table.withLock { _ in
      if isInput { entry.unusedInputs = streams } else { entry.unusedOutputs = streams }
    }
    control.withLock { if !running.isEmpty { adapt() } }
  }
}
