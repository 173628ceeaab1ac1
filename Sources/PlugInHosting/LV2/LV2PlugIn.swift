// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CPlugIns

/// An LV2 plug-in whose bundle has been read.
final class LV2PlugIn: LoadedPlugIn, @unchecked Sendable {
  let plugIn: PlugInDescription
  private let lock = Lock()
  /// Used under the lock, and in `PlugInCall.control`.
  private let world: LilvWorldBox
  private let handle: OpaquePointer

  /// [control thread] Reads the bundle of a plug-in, which must still contain it.
  init(_ plugIn: PlugInDescription) throws(AudioError) {
    self.plugIn = plugIn
    let world = try LilvWorldBox()
    let found = PlugInCall.control {
      world.load(plugIn.path)
      return world.plugIn(plugIn.identifier)
    }
    guard let found else {
      throw .invalidFile.because("\(plugIn.path) has no plug-in \(plugIn.identifier) any more")
    }
    let now = PlugInCall.control { LV2Describing(world, found).description }
    guard now.inputs == plugIn.inputs, now.outputs == plugIn.outputs,
      now.eventPorts == plugIn.eventPorts,
      now.parameters.map(\.id) == plugIn.parameters.map(\.id)
    else {
      throw .invalidFile.because("\(plugIn.path) has changed since it was scanned")
    }
    self.world = world
    handle = found
    // Opened here, too, so that it stays open when its last instance ends.
    let library = world.path(world.text(world.lilv.lilv_plugin_get_library_uri(found)))
    guard let library else { throw .invalidFile.because("\(plugIn.path) names no library") }
    let function = try SharedObject(library).symbol("lv2_descriptor")
    guard PlugInCall.control({ lv2_is_complete(function, plugIn.identifier) }) else {
      throw .invalidFile.because("the plug-in lacks a function that every plug-in has")
    }
  }

  func makeInstance(_ setup: InstanceSetup) throws(AudioError) -> PlugInInstance {
    let least = plugIn.eventPorts.map(\.bytes).max() ?? 0
    var made = LV2Setup()
    made.rate = setup.sampleRate
    made.maximum_frames = UInt32(clamping: setup.maximumFrames)
    made.event_bytes = UInt32((max(least, 65_536) + 63) / 64 * 64)
    made.events_in = Int32(plugIn.usedEventPort(isInput: true)?.port ?? -1)
    made.events_out = Int32(plugIn.usedEventPort(isInput: false)?.port ?? -1)
    let (host, reason) = lock.withLock {
      PlugInCall.control {
        var text = [CChar](repeating: 0, count: 256)
        let host = lv2_make(handle, &made, &text, text.count)
        let bytes = text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        return (host, String(decoding: bytes, as: UTF8.self))
      }
    }
    guard let host else {
      throw .failedInitialization.because(
        "the plug-in makes no instance for \(setup.sampleRate.plainText) Hz"
          + (reason.isEmpty ? "" : ": \(reason)"))
    }
    let instance = LV2Instance(self, host, setup)
    if let state = setup.state {
      guard restore(state, to: host) else {
        throw .invalidPropertyValue.because("the state of the plug-in cannot be read")
      }
    } else if plugIn.features.contains(LV2Terms.loadDefaultState),
      let state = state(ofPreset: plugIn.identifier)
    {
      _ = restore(state, to: host)
    }
    return instance
  }

  func state(ofPreset identifier: String) -> [UInt8]? {
    lock.withLock {
      PlugInCall.control {
        guard let node = world.uri(identifier) else { return nil }
        _ = world.lilv.lilv_world_load_resource(world.world, node)
        return LV2State(world).text(ofPreset: node).map { Array($0.utf8) }
      }
    }
  }

  func canRead(_ state: [UInt8]) -> Bool {
    lock.withLock {
      PlugInCall.control { LV2State(world).canRead(String(decoding: state, as: UTF8.self)) }
    }
  }

  /// What an instance saves; nil if that is nothing.
  fileprivate func state(of host: OpaquePointer) -> [UInt8]? {
    lock.withLock {
      PlugInCall.control {
        lv2_lock_work(host)
        defer { lv2_unlock_work(host) }
        return LV2State(world).text(of: lv2_instance(host), handle).map { Array($0.utf8) }
      }
    }
  }

  fileprivate func restore(_ state: [UInt8], to host: OpaquePointer) -> Bool {
    lock.withLock {
      PlugInCall.control {
        lv2_lock_work(host)
        defer { lv2_unlock_work(host) }
        let text = String(decoding: state, as: UTF8.self)
        return LV2State(world).restore(text, to: lv2_instance(host))
      }
    }
  }
}

/// An instance of an LV2 plug-in.
private final class LV2Instance: PlugInInstance, @unchecked Sendable {
  private let plugIn: LV2PlugIn
  private let host: OpaquePointer
  private let ports: ConnectedPorts
  private let takesEvents: Bool
  private let sendsMIDI: Bool
  /// Memory for event ports that the host does not use.
  private let unused: [UnsafeMutableRawPointer]

  init(_ plugIn: LV2PlugIn, _ host: OpaquePointer, _ setup: InstanceSetup) {
    self.plugIn = plugIn
    self.host = host
    sendsMIDI = plugIn.plugIn.sendsMIDI
    takesEvents = plugIn.plugIn.eventPorts.contains { $0.isInput }
    ports = ConnectedPorts(plugIn.plugIn, maximumFrames: setup.maximumFrames)
    unused = Self.connectUnused(plugIn.plugIn, host)
    super.init(plugIn.plugIn, setup)
    // `activate` may already look at any port.
    disconnect()
    for (index, parameter) in plugIn.plugIn.parameters.enumerated() {
      lv2_connect(host, UInt32(parameter.port), controls + index)
    }
  }

  deinit {
    PlugInCall.control { lv2_free(host) }
    for memory in unused { memory.deallocate() }
  }

  /// Connects the event ports beyond one in each direction to empty memory.
  private static func connectUnused(_ plugIn: PlugInDescription, _ host: OpaquePointer)
    -> [UnsafeMutableRawPointer]
  {
    var found: [UnsafeMutableRawPointer] = []
    for isInput in [true, false] {
      let used = plugIn.usedEventPort(isInput: isInput)
      for port in plugIn.eventPorts where port.isInput == isInput && port.port != used?.port {
        let size = max(port.bytes, 4_096)
        let memory = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 64)
        memory.initializeMemory(as: UInt8.self, repeating: 0, count: size)
        lv2_connect(host, UInt32(port.port), memory)
        found.append(memory)
      }
    }
    return found
  }

  override func activate() { PlugInCall.control { lv2_activate(host) } }
  override func deactivate() {
    PlugInCall.control {
      disconnect()
      lv2_deactivate(host)
    }
  }

  override func reset() {
    disconnect()
    lv2_reset(host)
  }

  override func run(_ block: PlugInBlock) {
    ports.connect(to: block) { lv2_connect(host, $0, $1) }
    lv2_begin(host)
    if takesEvents, block.isNewPosition, let position = block.position { add(position) }
    if takesEvents, let events = block.events {
      for index in 0..<block.eventCount { add(events + index, block.offset) }
    }
    lv2_run(host, UInt32(block.frameCount), block.isOffline)
    if sendsMIDI, let outbox = block.outbox { collect(into: outbox, block) }
  }

  private func collect(into outbox: UnsafeMutablePointer<HostedOutbox>, _ block: PlugInBlock) {
    var (position, frame, count): (UInt32, UInt32, UInt32) = (0, 0, 0)
    var bytes: UnsafePointer<UInt8>?
    while lv2_next_midi(host, &position, &frame, &bytes, &count) {
      // A plug-in may write any frame.
      let inBlock = max(min(Int(frame), block.frameCount - 1), 0)
      outbox.pointee.append(
        UnsafeBufferPointer(start: bytes, count: Int(count)), at: inBlock + block.offset)
    }
  }

  private func add(_ event: UnsafeMutablePointer<HostedEvent>, _ offset: Int) {
    let frame = UInt32(max(event.pointee.frame - offset, 0))
    withUnsafePointer(to: &event.pointee.bytes) {
      let bytes = UnsafeRawPointer($0).assumingMemoryBound(to: UInt8.self)
      _ = lv2_add_midi(host, frame, bytes, UInt32(event.pointee.count))
    }
  }

  private func add(_ position: MusicalPosition) {
    var made = LV2Position()
    made.frame = Int64(exactly: position.frame.rounded(.down)) ?? 0
    made.speed = position.isPlaying ? 1 : 0
    // LV2 counts beats of the signature, and the host quarter notes.
    let unit = Double(position.denominator) / 4
    made.beat = position.beat * unit
    made.beats_per_minute = Float(position.tempo * unit)
    if position.numerator > 0 {
      let perBar = Double(position.numerator)
      made.has_bar = true
      made.bar = Int64(exactly: (position.downbeat * unit / perBar).rounded(.down)) ?? 0
      made.bar_beat = Float((position.beat - position.downbeat) * unit)
      made.beats_per_bar = position.numerator
      made.beat_unit = Int32(clamping: position.denominator)
    }
    _ = lv2_add_position(host, &made)
  }

  private func disconnect() {
    ports.disconnect { lv2_connect(host, $0, $1) }
  }

  override var state: [UInt8]? { plugIn.state(of: host) }
  override func restore(_ state: [UInt8]) -> Bool { plugIn.restore(state, to: host) }
}
