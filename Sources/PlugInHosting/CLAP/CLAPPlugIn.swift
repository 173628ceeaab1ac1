// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CPlugIns
import CRealTime
import Glibc

/// A CLAP plug-in whose library is open. An instance of its own answers questions about texts and states; it never
/// renders.
final class CLAPPlugIn: LoadedPlugIn, PlugInClient, @unchecked Sendable {
  let plugIn: PlugInDescription
  private let library: CLAPLibrary
  private let requests = PlugInRequests()
  /// Made for the first question. Used on the main thread of plug-ins only.
  private var asked: OpaquePointer?

  /// [control thread] Opens the library of a plug-in, which must still contain it.
  init(_ plugIn: PlugInDescription) throws(AudioError) {
    self.plugIn = plugIn
    library = try CLAPLibrary.at(plugIn.path)
    guard CLAPCall.control({ library.contains(plugIn.identifier) }) else {
      throw .invalidFile.because("\(plugIn.path) has no plug-in \(plugIn.identifier) any more")
    }
    PlugInThread.shared.add(self)
  }

  deinit {
    PlugInThread.shared.remove(self)
    if let asked { CLAPCall.control { clap_free(asked) } }
  }

  /// [control thread] The answer of the plug-in to a question; nil if it has none.
  private func ask<Answer>(_ question: (OpaquePointer) -> Answer?) -> Answer? {
    CLAPCall.control {
      if asked == nil {
        asked = clap_make(
          library.factory, plugIn.identifier, requests.address, PlugInThread.shared.wake)
      }
      return asked.flatMap(question)
    }
  }

  /// Makes an instance that has the ports and parameters of a description.
  private static func make(
    _ plugIn: PlugInDescription, _ library: CLAPLibrary, _ requests: PlugInRequests
  ) throws(AudioError) -> OpaquePointer {
    let (instance, isSame) = CLAPCall.control { () -> (OpaquePointer?, Bool) in
      guard
        let made = clap_make(
          library.factory, plugIn.identifier, requests.address, PlugInThread.shared.wake)
      else { return (nil, true) }
      return (made, CLAPDescribing.isSame(made, plugIn))
    }
    guard let instance else {
      throw .failedInitialization.because("the plug-in makes no instance")
    }
    guard isSame else {
      CLAPCall.control { clap_free(instance) }
      throw .invalidFile.because("\(plugIn.path) has changed since it was scanned")
    }
    return instance
  }

  func makeInstance(_ setup: InstanceSetup) throws(AudioError) -> PlugInInstance {
    guard let requests = setup.requests else {
      throw .failedInitialization.because("nobody serves the requests of the plug-in")
    }
    let host = try Self.make(plugIn, library, requests)
    let instance = CLAPInstanceOfUnit(self, host, setup, requests)
    if let state = setup.state, !instance.restore(state) {
      throw .invalidPropertyValue.because("the state of the plug-in cannot be read")
    }
    instance.prepare(setup)
    return instance
  }

  func canRead(_ state: [UInt8]) -> Bool { ask { Self.load(state, $0) } ?? false }

  func values(of state: [UInt8]) -> [Float]? {
    ask { Self.load(state, $0) ? Self.values($0, plugIn) : nil }
  }

  func text(of parameter: Int, _ value: Float) -> String? {
    ask { asked in
      withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { memory in
        guard let text = memory.baseAddress,
          clap_text(asked, UInt32(parameter), Double(value), text, 256)
        else { return nil }
        return CLAPText.of(text)
      }
    }
  }

  func value(of parameter: Int, _ text: String) -> Float? {
    ask { asked in
      var value = 0.0
      guard clap_value_of_text(asked, UInt32(parameter), text, &value), value.isFinite else {
        return nil
      }
      return Float(value)
    }
  }

  func serve() -> Bool {
    let bits = requests.take()
    guard let asked else { return true }
    if bits & UInt32(CLAPRequestCallback.rawValue) != 0 {
      CLAPCall.control { clap_call_back(asked) }
    }
    if bits & UInt32(CLAPRequestFlush.rawValue) != 0 { CLAPCall.control { clap_flush(asked) } }
    return true
  }

  func callTimers() -> UInt64 {
    guard let asked else { return .max }
    return CLAPCall.control { clap_call_timers(asked, rt_host_time()) }
  }

  func state(ofPreset identifier: String) -> [UInt8]? {
    guard let preset = PresetPlace(identifier) else { return nil }
    return ask { asked in
      clap_load_preset(asked, preset.kind, preset.path, preset.loadKey) ? Self.save(asked) : nil
    }
  }

  // MARK: On the main thread of plug-ins

  fileprivate static func save(_ instance: OpaquePointer) -> [UInt8]? {
    var count = 0
    guard let bytes = clap_save(instance, &count) else { return nil }
    defer { free(bytes) }
    return Array(UnsafeRawBufferPointer(start: bytes, count: count))
  }

  fileprivate static func load(_ state: [UInt8], _ instance: OpaquePointer) -> Bool {
    state.withUnsafeBytes { bytes in
      guard let address = bytes.baseAddress else { return false }
      return clap_load(instance, address, bytes.count)
    }
  }

  fileprivate static func values(_ instance: OpaquePointer, _ plugIn: PlugInDescription) -> [Float]
  {
    plugIn.parameters.map { parameter in
      var value = 0.0
      guard clap_value(instance, UInt32(parameter.port), &value), value.isFinite else {
        return parameter.defaultValue
      }
      return Float(value)
    }
  }
}

extension CLAPDescribing {
  /// [main thread of plug-ins] Whether an instance has the ports and parameters of a description.
  static func isSame(_ instance: OpaquePointer, _ plugIn: PlugInDescription) -> Bool {
    var now = CLAPDescribing(
      PlugInDescription(.clap, plugIn.identifier, path: "", name: "", maker: ""))
    now.read(instance)
    return now.description.inputs == plugIn.inputs && now.description.outputs == plugIn.outputs
      && now.description.acceptsMIDI == plugIn.acceptsMIDI
      && now.description.parameters.map(\.id) == plugIn.parameters.map(\.id)
  }
}

/// An instance of a CLAP plug-in.
private final class CLAPInstanceOfUnit: PlugInInstance, @unchecked Sendable {
  private let plugIn: CLAPPlugIn
  private let host: OpaquePointer
  /// They outlive the instance.
  private let requests: PlugInRequests
  private let rate: Double
  private let maximumFrames: Int
  /// The values that the plug-in has, as far as it has told.
  private let known: UnsafeMutablePointer<Float>
  private let isReadOnly: UnsafeMutablePointer<Bool>
  private let count: Int
  private let outputCount: Int
  private var transport = CLAPTransportEvent()

  init(
    _ plugIn: CLAPPlugIn, _ host: OpaquePointer, _ setup: InstanceSetup, _ requests: PlugInRequests
  ) {
    self.plugIn = plugIn
    self.host = host
    self.requests = requests
    rate = setup.sampleRate
    maximumFrames = setup.maximumFrames
    count = plugIn.plugIn.parameters.count
    known = .allocate(capacity: max(count, 1))
    known.initialize(repeating: .nan, count: max(count, 1))
    isReadOnly = .allocate(capacity: max(count, 1))
    for index in 0..<count {
      (isReadOnly + index).initialize(to: plugIn.plugIn.parameters[index].isReadOnly)
    }
    outputCount = plugIn.plugIn.outputs.reduce(0) { $0 + $1.channelCount }
    super.init(plugIn.plugIn, setup)
  }

  deinit {
    CLAPCall.control { clap_free(host) }
    known.deallocate()
    isReadOnly.deallocate()
  }

  /// [control thread] Passes the values of the unit to a new instance.
  func prepare(_ setup: InstanceSetup) {
    CLAPCall.control {
      clap_set_offline(host, setup.isOffline)
      for (index, value) in CLAPPlugIn.values(host, plugIn.plugIn).enumerated() {
        known[index] = value
        controls[index] = setup.controls.indices.contains(index) ? setup.controls[index] : value
      }
      addValues()
      clap_flush(host)
    }
  }

  // MARK: Control

  override func activate() throws(AudioError) {
    let (isActive, reason) = CLAPCall.control { () -> (Bool, String) in
      let isActive = clap_activate(host, rate, UInt32(clamping: maximumFrames))
      return (isActive, isActive ? "" : String(cString: clap_message(host)))
    }
    guard isActive else {
      throw .failedInitialization.because(
        "the plug-in cannot be activated for \(rate.plainText) Hz"
          + (reason.isEmpty ? "" : ": \(reason)"))
    }
  }

  override func deactivate() { CLAPCall.control { clap_deactivate(host) } }

  override var latencyFrames: Int? { CLAPCall.control { Int(clap_latency(host)) } }
  override var tailFrames: Int? { CLAPCall.control { Int(clap_tail(host)) } }
  override func setOffline(_ isOffline: Bool) {
    CLAPCall.control { clap_set_offline(host, isOffline) }
  }
  override func callTimers(at hostTime: UInt64) -> UInt64 {
    CLAPCall.control { clap_call_timers(host, hostTime) }
  }
  override func callBack() { CLAPCall.control { clap_call_back(host) } }

  override var values: [Float]? { CLAPCall.control { CLAPPlugIn.values(host, plugIn.plugIn) } }

  override var state: [UInt8]? { CLAPCall.control { CLAPPlugIn.save(host) } }

  override func restore(_ state: [UInt8]) -> Bool {
    CLAPCall.control {
      guard CLAPPlugIn.load(state, host) else { return false }
      for (index, value) in CLAPPlugIn.values(host, plugIn.plugIn).enumerated() {
        (known[index], controls[index]) = (value, value)
      }
      return true
    }
  }

  // MARK: Renders

  private static let bytesOffset = MemoryLayout<CLAPSent>.offset(of: \.bytes) ?? 0

  override var resetsInRenders: Bool { true }
  override func reset() { clap_reset(host) }

  override func run(_ block: PlugInBlock) {
    addValues()
    if let events = block.events {
      for index in 0..<block.eventCount { add(events + index, block.offset) }
    }
    let isDone: Bool
    if let position = block.position {
      transport.set(position, rate)
      isDone = withUnsafePointer(to: &transport) {
        clap_process(host, UInt32(block.frameCount), block.inputs, block.outputs, $0)
      }
    } else {
      isDone = clap_process(host, UInt32(block.frameCount), block.inputs, block.outputs, nil)
    }
    if !isDone {
      for channel in 0..<outputCount {
        block.outputs[channel].update(repeating: 0, count: block.frameCount)
      }
    }
    readSent(block)
  }

  /// Takes over the values that the plug-in has set, and passes its messages on.
  private func readSent(_ block: PlugInBlock) {
    var sentCount: UInt32 = 0
    let sent = clap_sent(host, &sentCount)
    for index in 0..<Int(sentCount) {
      let event = sent + index
      let parameter = Int(event.pointee.parameter)
      guard event.pointee.parameter == UInt32.max else {
        let value = Float(min(max(event.pointee.value, -1e30), 1e30))
        (controls[parameter], known[parameter]) = (value, value)
        block.changes?.pointee.add(parameter)
        continue
      }
      // A plug-in may write any frame.
      let frame = max(min(Int(event.pointee.frame), block.frameCount - 1), 0) + block.offset
      let bytes = UnsafeRawPointer(event) + Self.bytesOffset
      block.outbox?.pointee.append(
        UnsafeBufferPointer(
          start: bytes.assumingMemoryBound(to: UInt8.self), count: Int(event.pointee.count)),
        at: frame)
    }
  }

  /// Passes the values that the plug-in does not have yet.
  private func addValues() {
    for index in 0..<count where controls[index] != known[index] && !isReadOnly[index] {
      guard clap_add_value(host, 0, UInt32(index), Double(controls[index])) else { break }
      known[index] = controls[index]
    }
  }

  private func add(_ event: UnsafeMutablePointer<HostedEvent>, _ offset: Int) {
    let frame = UInt32(max(event.pointee.frame - offset, 0))
    withUnsafePointer(to: &event.pointee.bytes) {
      let bytes = UnsafeRawPointer($0).assumingMemoryBound(to: UInt8.self)
      _ = clap_add_midi(host, frame, bytes, UInt32(event.pointee.count))
    }
  }
}

extension CLAPTransportEvent {
  /// [render thread] Where the host is in musical time.
  fileprivate mutating func set(_ position: MusicalPosition, _ sampleRate: Double) {
    self = CLAPTransportEvent()
    header.size = UInt32(MemoryLayout<CLAPTransportEvent>.size)
    header.type = UInt16(CLAPEventTransport.rawValue)
    flags = UInt32(
      CLAPTransportHasTempo.rawValue | CLAPTransportHasBeats.rawValue
        | CLAPTransportHasSeconds.rawValue)
    if position.isPlaying { flags |= UInt32(CLAPTransportIsPlaying.rawValue) }
    tempo = position.tempo
    position_beats = Self.time(position.beat)
    position_seconds = Self.time(position.frame / sampleRate)
    if position.isCycling {
      flags |= UInt32(CLAPTransportIsLooping.rawValue)
      (loop_start_beats, loop_end_beats) = (
        Self.time(position.cycleStart), Self.time(position.cycleEnd)
      )
    }
    guard position.numerator > 0 else { return }
    flags |= UInt32(CLAPTransportHasTimeSignature.rawValue)
    signature_numerator = UInt16(min(position.numerator.rounded(), 65_535))
    signature_denominator = UInt16(clamping: position.denominator)
    bar_start = Self.time(position.downbeat)
    let beatsPerBar = Double(position.numerator) * 4 / Double(position.denominator)
    bar_number = Int32(
      clamping: Int64(exactly: (position.downbeat / beatsPerBar).rounded(.down)) ?? 0)
  }

  /// Beats or seconds, in fixed point.
  private static func time(_ value: Double) -> Int64 {
    Int64(exactly: (value * 2_147_483_648).rounded()) ?? 0
  }
}
