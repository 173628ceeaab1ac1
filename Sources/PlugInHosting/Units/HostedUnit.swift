// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioUnitCore
import CAudioToolbox
import CPlugIns
import CRealTime
import Glibc
import Synchronization

/// A unit that runs a plug-in of another format. What hosts can query follows from the description; the
/// library is loaded when the unit is opened, and an instance lives while the unit is initialised.
class HostedUnit: KernelUnit, PlugInClient, @unchecked Sendable {
  final let plugIn: PlugInDescription
  /// How the plug-in runs in a process of its own; nil: it runs in that of the program.
  private final let apart: OwnProcess?
  final let shape: HostedShape
  private(set) final lazy var runtime = HostedRuntime(plugIn, side)
  private final var loaded: (any LoadedPlugIn)? { runtime.loaded }
  /// [under the lock] What the plug-in has saved in addition to parameters, while it has no instance.
  private final var savedState: [UInt8]?
  /// [under the lock] The values of the preset that is being applied, if only the plug-in knows them.
  private final var presetValues: [Float]?
  /// The rate for which parameters have their current defaults.
  private final var defaultsRate = StreamFormat.standard.sampleRate
  private final var isEnded = false

  init(
    component: Component, definition: UnitDefinition, _ plugIn: PlugInDescription,
    _ apart: OwnProcess?
  ) {
    self.plugIn = plugIn
    self.apart = apart
    shape = HostedShape(plugIn)
    super.init(component: component, definition: definition)
    // Now, because any thread may send it messages later.
    _ = runtime
    // An effect for one channel starts as any other unit does, with two.
    guard !shape.isMono else { return }
    for (element, count) in zip(inputs, shape.inputs) { setChannels(element, count) }
    for (element, count) in zip(outputs, shape.outputs) { setChannels(element, count) }
  }

  deinit {
    releaseResources()
    // The superclass's deinitialiser calls `releaseResources` again.
    isEnded = true
  }

  private func setChannels(_ element: Element, _ count: Int) {
    element.format = StreamFormat(
      sampleRate: element.format.sampleRate, channelCount: max(count, 1))
  }

  override var shared: (any AnyObject & Sendable)? { runtime }
  override var properties: [UnitProperty] {
    HostedProperties.rows(plugIn, shape) + super.properties
  }

  override func defaultName(of element: Element) -> String? {
    let buses = element.scope == kAudioUnitScope_Input ? plugIn.inputs : plugIn.outputs
    guard element.scope != kAudioUnitScope_Global, buses.indices.contains(element.index) else {
      return nil
    }
    return buses[element.index].name
  }

  // MARK: Formats

  /// Rates outside this range could require all the memory.
  private static let sampleRates = 1_000.0...3_072_000

  override func check(_ format: StreamFormat, at element: Element) throws(AudioError) {
    try super.check(format, at: element)
    guard Self.sampleRates.contains(format.sampleRate) else {
      throw .formatNotSupported.because(
        "\(element.title): \(format.sampleRate.plainText) Hz; plug-ins run at 1000 to 3072000 Hz")
    }
    let counts = element.scope == kAudioUnitScope_Input ? shape.inputs : shape.outputs
    guard !shape.isMono, counts.indices.contains(element.index) else { return }
    guard format.channelCount == counts[element.index] else {
      throw .formatNotSupported.because(
        "\(element.title): \(format.text); this plug-in has \(counts[element.index]) channels there"
      )
    }
  }

  override func formatChanged(_ element: Element) {
    super.formatChanged(element)
    let rate = outputs[0].format.sampleRate
    guard rate != defaultsRate else { return }
    for (slot, parameter) in plugIn.visibleParameters.enumerated() where parameter.defaultIsInRates
    {
      let store = global.parameters
      guard store.value(slot) == parameter.defaultValue(at: defaultsRate) else { continue }
      store.set(slot, to: parameter.defaultValue(at: rate))
    }
    defaultsRate = rate
  }

  // MARK: Life

  override func open() throws(AudioError) {
    try super.open()
    try load()
  }

  private func load() throws(AudioError) {
    guard let apart else { return runtime.loaded = try plugIn.load() }
    let remote = try RemotePlugIn(
      plugIn, program: apart.program(), timeLimit: apart.timeLimit)
    remote.process.whenEnded { [weak self] in self?.processEnded() }
    runtime.loaded = remote
  }

  override var isLoadedOutOfProcess: Bool { apart != nil }

  /// Whether the plug-in has a process of its own that has ended.
  private final var hasLostProcess: Bool { loaded?.ownProcess?.hasEnded ?? false }

  /// [any thread] The process of the plug-in has ended: what it knew is lost, but for what it saved last.
  private func processEnded() {
    side.pointee.replaceError(kAudioComponentErr_InstanceInvalidated)
    if let handle { PlugInEnd.notify(handle) }
  }

  /// A unit whose process has ended gets a new one, with the last state.
  override func initialize() throws(AudioError) {
    if lock.withLock({ isInitialized && hasLostProcess }) { try uninitialize() }
    try super.initialize()
  }

  override func allocateResources() throws(AudioError) {
    if hasLostProcess { try load() }
    guard let loaded else { throw .failedInitialization.because("its library is not loaded") }
    var setup = InstanceSetup(
      sampleRate: outputs[0].format.sampleRate, maximumFrames: maximumFrames,
      controls: currentControls, state: savedState, isOffline: runtime.isOn(.offline),
      requests: runtime.requests)
    if plugIn.parameters.contains(where: { $0.purpose == .latency }) {
      try runtime.measureLatency(of: loaded.makeInstance(setup), setup)
    }
    setup.latencyFrames = runtime.shared.pointee.latency.load(ordering: .relaxed)
    var instances: [PlugInInstance] = []
    for _ in 0..<(shape.isMono ? outputs[0].format.channelCount : 1) {
      instances.append(try loaded.makeInstance(setup))
    }
    try runtime.replace(instances)
    // Messages from before must not sound now.
    while runtime.shared.pointee.events.pop() != nil {}
    do throws(AudioError) { try super.allocateResources() } catch {
      try? runtime.replace([])
      throw error
    }
    PlugInThread.shared.add(self)
  }

  override func releaseResources() {
    guard !isEnded else { return }
    // First, because the plug-in may look at memory of the kernel.
    if let instance = runtime.instances.first { keep(instance.state) }
    super.releaseResources()
    try? runtime.replace([])
    PlugInThread.shared.remove(self)
  }

  /// The values of the plug-in's parameters, in the order of its description.
  private var currentControls: [Float] {
    let rate = outputs[0].format.sampleRate
    let values = withCurrentValues { values in
      var slot = -1
      return plugIn.parameters.map { parameter -> Float in
        if parameter.isVisible { slot += 1 }
        guard parameter.isVisible, !parameter.isReadOnly else {
          return parameter.purpose == .enabled ? 1 : parameter.defaultValue(at: rate)
        }
        let value = values[slot: slot]
        return parameter.isInteger ? wholeNumber(value) : value
      }
    }
    return values ?? []
  }

  // MARK: Requests

  /// [under the lock] Runs `body` while renders are silent and leave the instances alone.
  private func paused<Result>(_ body: () throws(AudioError) -> Result) throws(AudioError) -> Result
  {
    runtime.shared.pointee.isPaused.store(true, ordering: .sequentiallyConsistent)
    defer { runtime.shared.pointee.isPaused.store(false, ordering: .sequentiallyConsistent) }
    waitForRender()
    return try body()
  }

  /// The plug-in forgets its history here, unless this is a render or the plug-in does that in renders.
  override func reset(_ scope: AudioUnitScope, _ element: AudioUnitElement) throws(AudioError) {
    try super.reset(scope, element)
    guard rt_current().pointee.depth == 0 else { return }
    try control { () throws(AudioError) in
      guard runtime.shared.pointee.hasRun.load(ordering: .relaxed),
        !runtime.instances.allSatisfy(\.resetsInRenders)
      else { return }
      try paused { () throws(AudioError) in try runtime.restart() }
    }
  }

  func serve() -> Bool {
    guard !runtime.requests.isEmpty else { return true }
    guard lock.tryLock() else { return false }
    defer { lock.unlock() }
    let bits = runtime.requests.take()
    func has(_ request: CLAPRequest) -> Bool { bits & UInt32(request.rawValue) != 0 }
    if bits & RenderRequest.giveUp != 0 {
      loaded?.ownProcess?.giveUp("a render waited for it for too long")
    }
    if has(CLAPRequestCallback) { for instance in runtime.instances { instance.callBack() } }
    if has(CLAPRequestTail) { runtime.readTail() }
    if has(CLAPRequestValues), let values = runtime.instances.first?.values { setValues(values) }
    // A reset that a control thread has done meanwhile is done.
    let mustReset =
      bits & RenderRequest.reset != 0
      && runtime.shared.pointee.awaitsReset.load(ordering: .sequentiallyConsistent)
    guard has(CLAPRequestRestart) || mustReset else { return true }
    guard restartBetweenRenders() else {
      // A render takes long, perhaps because it waits for this thread.
      runtime.requests.add(UInt32(CLAPRequestRestart.rawValue))
      return false
    }
    return true
  }

  func callTimers() -> UInt64 {
    guard plugIn.format == .clap, apart == nil else { return .max }
    let now = rt_host_time()
    // Soon again, if another thread uses the instances.
    guard lock.tryLock() else { return now + 5_000_000 }
    defer { lock.unlock() }
    return runtime.instances.reduce(.max) { min($0, $1.callTimers(at: now)) }
  }

  /// [under the lock] Restarts the instances; false: a render has used them all the time.
  private func restartBetweenRenders() -> Bool {
    let paused = runtime.shared.pointee.isPaused.exchange(true, ordering: .sequentiallyConsistent)
    defer { runtime.shared.pointee.isPaused.store(paused, ordering: .sequentiallyConsistent) }
    guard waitPolling(every: 50, until: rt_host_time() + 100_000_000, while: { isRendering })
    else { return false }
    do throws(AudioError) { try runtime.restart() } catch {
      side.pointee.recordError(error.status)
    }
    return true
  }

  /// Sets the unit's parameters to values that the plug-in has chosen.
  private func setValues(_ values: [Float]) {
    var slot = -1
    for (parameter, value) in zip(plugIn.parameters, values) where parameter.isVisible {
      slot += 1
      if !parameter.isReadOnly, value.isFinite { global.parameters.set(slot, to: value) }
    }
  }

  // MARK: State

  private static let identifierKey = "plug-in"
  private static let versionKey = "plug-in-version"
  private static let stateKey = "plug-in-state"

  override var ownState: [String: PropertyList] {
    var state: [String: PropertyList] = [
      Self.identifierKey: .string(plugIn.identifier),
      Self.versionKey: .integer(Int(plugIn.version)),
    ]
    if let instance = runtime.instances.first { keep(instance.state) }
    if let savedState { state[Self.stateKey] = .data(savedState) }
    return state
  }

  /// [under the lock] Keeps what an instance saves; one whose process has ended saves nothing.
  private func keep(_ state: [UInt8]?) {
    if state != nil || !hasLostProcess { savedState = state }
  }

  override func restoreOwnState(_ state: PropertyList) throws(AudioError) {
    guard let identifier = state[Self.identifierKey]?.string else { return }
    guard identifier == plugIn.identifier else {
      throw .invalidPropertyValue.because(
        "it is the state of \(identifier), not of \(plugIn.identifier)")
    }
    if case .data(let own)? = state[Self.stateKey] { try restoreState(own) }
  }

  override func apply(_ preset: FactoryPreset) throws(AudioError) {
    presetValues = nil
    guard plugIn.presets.indices.contains(Int(preset.number)) else { return }
    let identifier = plugIn.presets[Int(preset.number)].identifier
    if let state = loaded?.state(ofPreset: identifier) {
      try restoreState(state)
      presetValues = loaded?.values(of: state)
    } else if plugIn.format == .clap {
      throw .invalidPropertyValue.because("the plug-in cannot load its preset \(preset.name)")
    }
  }

  /// The values of a preset that only the plug-in knows follow those that its description has, which are the
  /// defaults.
  override func setProperty(
    _ address: PropertyAddress, _ data: UnsafeRawPointer?, size: UInt32
  ) throws(AudioError) {
    try super.setProperty(address, data, size: size)
    guard
      address.id == kAudioUnitProperty_PresentPreset
        || address.id == kAudioUnitProperty_CurrentPreset
    else { return }
    lock.withLock {
      if let values = presetValues.take() { setValues(values) }
    }
  }

  /// [under the lock] Restores what the plug-in has saved. Renders are silent meanwhile.
  private func restoreState(_ state: [UInt8]) throws(AudioError) {
    if hasLostProcess {
      guard runtime.instances.isEmpty else {
        throw .instanceInvalidated.because(
          "the plug-in's process has ended; initialize the unit to start another one")
      }
      try load()
    }
    guard loaded?.canRead(state) ?? false else {
      throw .invalidPropertyValue.because("the state of the plug-in cannot be read")
    }
    guard rt_current().pointee.depth == 0 || runtime.instances.isEmpty else {
      throw .cannotDoInCurrentContext.because("a plug-in cannot be restored inside a render")
    }
    if runtime.instances.isEmpty {
      savedState = state
    } else {
      try paused { () throws(AudioError) in
        for instance in runtime.instances where !instance.restore(state) {
          throw .invalidPropertyValue.because("the state of the plug-in cannot be read")
        }
      }
      savedState = state
    }
    if let values = loaded?.values(of: state) { setValues(values) }
  }
}
