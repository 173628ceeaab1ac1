// SPDX-License-Identifier: Apache-2.0
public import AudioSupport
public import CAudioToolbox
import CRealTime
import Synchronization

/// A unit of this library: elements, properties, parameters, connections and the guard around
/// rendering.
///
/// Families of units derive from it and produce the sound: `KernelUnit` runs a kernel, output units
/// use a device.
open class NativeUnit: UnitInstance, @unchecked Sendable {
  /// The lock of every control call; a render thread only uses `tryLock`.
  public let lock = Lock()
  /// The part that render threads use.
  package let side: UnsafeMutablePointer<RenderSide>
  let listeners = ListenerList<UnitListener>(isReportedTo: true)
  let parameterDefinitions: [ParameterDefinition]

  public internal(set) var global: Element
  public internal(set) var inputs: [Element] = []
  public internal(set) var outputs: [Element] = []
  /// The parameters that are addressed by channel, if any.
  var matrix: ParameterMatrix?

  /// The maximum number of frames of one render.
  public var maximumFrames: Int
  /// 0 (fastest) to 127 (best), set by hosts.
  public var renderQuality = 127
  /// Whether the host renders offline, as it has reported.
  var isOffline = false
  var contextName: String?
  var nickName: String?
  var preset: (number: Int32, name: String) = (-1, "Untitled")
  var hostIdentifier: (name: String, version: UInt32)?
  var externalBuffer: AudioUnitExternalBuffer?
  /// [any thread, under the lock] The inputs that may be pulled at the same time, as a graph has
  /// set for the current sources.
  final var branches: Branches?
  var notifies: [RenderCallback] = []
  let consumers = Consumers()
  /// The layout of its output samples while it is initialised; guarded by `consumers`.
  final var historyShape: [SliceHistory.Bus]?
  private let hasResources = Atomic(false)
  /// Other properties that the current call changed; their listeners are called after it.
  var changedProperties: [PropertyAddress] = []
  /// The output of a foreign unit while it is being connected.
  var foreignOutput: ForeignOutput?

  /// A unit with the given numbers of elements, all with `format`.
  public init(
    component: Component, parameters: [ParameterDefinition], elements: ElementCounts,
    format: StreamFormat, maximumFrames: Int
  ) {
    parameterDefinitions = parameters
    self.maximumFrames = maximumFrames
    var made: [[Element]] = []
    side = RenderSide.allocate(Self.mailbox) { pending in
      func make(_ scope: AudioUnitScope, _ count: Int) -> [Element] {
        (0..<count).map { Element(scope, $0, format, parameters, pending) }
      }
      made = [
        make(kAudioUnitScope_Global, 1), make(kAudioUnitScope_Input, elements.inputs),
        make(kAudioUnitScope_Output, elements.outputs),
      ]
      return RenderSide.Tables(
        sources: SourceTable.allocate([]), notifies: NotifyTable.allocate([]),
        elements: ElementTable.allocate(made[0][0], made[1], made[2]),
        history: SliceHistory.allocate([], frames: 0))
    }
    (global, inputs, outputs) = (made[0][0], made[1], made[2])
    super.init(component: component)
  }

  deinit { RenderSide.deallocate(side) }

  // MARK: Properties of a family of units

  /// The rows of this unit in addition to the common ones, the most specific first.
  open var properties: [UnitProperty] { [] }
  /// [under the lock] Its properties, with those of all units.
  final lazy var table = PropertyTable(.units, properties, over: StandardProperties.table)
  /// The provider of properties that are in no table.
  open var propertyProvider: (any PropertyProvider)? { nil }
  /// Fixed or changeable counts of elements.
  open var elementCounts: ElementCounts { .init(inputs: inputs.count, outputs: outputs.count) }
  /// Allowed combinations of channel counts; nil: equal input and output counts.
  open var channelCapabilities: [AUChannelInfo]? { nil }
  open var factoryPresets: [FactoryPreset] { [] }
  /// Whether the render quality has an effect, as in units that convert rates.
  open var hasRenderQuality: Bool { false }
  /// Whether a host can render it as fast as possible, without a device.
  open var rendersOffline: Bool { true }
  /// Bytes that initialising needs in addition to a slice of each bus, as far as they depend on the
  /// host's settings.
  open var ownMemory: Int { 0 }
  /// Whether callbacks can write into memory of the host.
  open var usesExternalBuffer: Bool { false }
  /// Whether a parameter exists: some depend on properties, see `parametersChanged`.
  open func hasParameter(_ id: AudioUnitParameterID) -> Bool { true }
  /// The contents of a saved state in addition to the parameters.
  open var ownState: [String: PropertyList] { [:] }
  /// [control thread, under the lock] Restores `ownState` before the parameters, or refuses it.
  open func restoreOwnState(_ state: PropertyList) throws(AudioError) {}
  /// Seconds from input to output.
  open var latency: Double { 0 }
  /// Seconds for which it sounds after its input became silent; nil if it has no tail.
  open var tailTime: Double? { nil }

  /// [control thread, under the lock] Checks whether an element can have `format`.
  open func check(_ format: StreamFormat, at element: Element) throws(AudioError) {
    guard format.isPlanarFloat else {
      throw .formatNotSupported.because(
        "\(element.title): \(format.text); this unit works in native Float32, planar or mono")
    }
  }

  /// [control thread, under the lock] Why an element's format cannot change now; nil if it can.
  open func formatChangeRefusal(_ element: Element) -> AudioError? {
    guard isInitialized else { return nil }
    return .propertyNotWritable.because(
      "\(element.title): the format is fixed while the unit is initialized; uninitialize it first")
  }

  /// [control thread, under the lock] The format of an element changed.
  open func formatChanged(_ element: Element) {}

  /// [any thread] Called when disposal begins; afterwards no device calls the unit any more.
  open func endCycles() {}

  /// [control thread, under the lock] The number of elements of a scope changed.
  open func elementsChanged() {}

  /// [control thread, under the lock] Whether an output bus may feed this unit's own input, as the
  /// captured input of an I/O unit may.
  open func feedsItself(from bus: UInt32) -> Bool { false }

  /// Whether it pulls its inputs independently of each other.
  open var pullsIndependently: Bool { false }

  /// [control thread, under the lock] Allocates what rendering needs.
  open func allocateResources() throws(AudioError) {}
  /// [control thread, under the lock] Frees it, while nothing renders.
  open func releaseResources() {}

  /// [render thread] Produces the frames of an output bus, for units without a kernel. The
  /// arguments are checked, and no other render is inside.
  open func produce(
    _ call: RenderCall, _ plan: RenderPlan, into data: UnsafeMutablePointer<AudioBufferList>
  ) -> OSStatus { kAudio_UnimplementedError }

  /// [render thread, or control thread while nothing renders] Clears the signal history.
  open func clearHistory() {}

  // MARK: Life cycle

  open override func open() throws(AudioError) {
    side.pointee.handle.store(
      handle.map { UInt(bitPattern: $0) } ?? 0, ordering: .relaxed)
  }

  /// [any thread] Whether it can render now.
  public final var isInitialized: Bool { side.pointee.isReadyToRender }

  open override func stopCallbacks() {
    side.pointee.pending.raise(.notReady)
    endCycles()
    listeners.remove()
    if rt_current().pointee.depth == 0 { waitForRender() }
  }

  open override func close() {
    // First, because a listener may be waiting for one of the locks below.
    listeners.remove()
    try? uninitialize()
    for input in inputs { unplug(input) }
    // The plan may contain this unit.
    lock.withLock { publishSources() }
    consumers.disconnect(from: self)
  }

  open override func initialize() throws(AudioError) {
    try control { () throws(AudioError) in
      guard !isInitialized else { return }
      try releaseLeftovers()
      try checkFormats()
      try checkMemory()
      fixRenderLimits()
      try allocateResources()
      hasResources.store(true, ordering: .sequentiallyConsistent)
      clearHistory()
      setHistoryShape(outputs.map { SliceHistory.Bus($0.format) })
      side.pointee.pending.lower(.notReady)
    }
  }

  open override func uninitialize() throws(AudioError) {
    guard rt_current().pointee.depth > 0 else {
      side.pointee.pending.raise(.notReady)
      // The current render may be in a callback that waits for a thread that needs the lock.
      if hasResources.load(ordering: .sequentiallyConsistent) {
        waitForRender()
        waitForReaders()
      }
      return lock.withLock {
        side.pointee.pending.raise(.notReady)
        releaseAll()
      }
    }
    // Inside one of our callbacks, waiting for the render to end would be a deadlock. The unit does
    // not render any more, and another thread frees its resources.
    side.pointee.pending.raise(.notReady)
    guard (try? control { () throws(AudioError) in try releaseLeftovers() }) == nil else { return }
    Notifier.disposal.perform { [self] in
      // Unless it was initialised again meanwhile.
      lock.withLock { if !isInitialized { releaseAll() } }
    }
  }

  /// [any thread, under the lock] Frees resources that remain after the unit was uninitialised.
  /// Must precede any other change. Inside a callback it fails if it would have to wait.
  final func releaseLeftovers() throws(AudioError) {
    guard !isInitialized, hasResources.load(ordering: .sequentiallyConsistent) else { return }
    guard rt_current().pointee.depth == 0 || isUnread else {
      throw .cannotDoInCurrentContext.because("a render is still using it")
    }
    releaseAll()
  }

  /// [under the lock, not initialised] Frees the resources of rendering.
  private func releaseAll() {
    guard hasResources.load(ordering: .sequentiallyConsistent) else { return }
    if rt_current().pointee.depth == 0 {
      waitForRender()
      waitForReaders()
    }
    hasResources.store(false, ordering: .sequentiallyConsistent)
    setHistoryShape(nil)
    releaseResources()
    side.pointee.lastSampleTime.store(RenderSide.never, ordering: .relaxed)
  }

  open override func reset(_ scope: AudioUnitScope, _ element: AudioUnitElement)
    throws(AudioError)
  {
    switch side.pointee.store(scope, element) {
    case .found, .slot, .noParameter: break
    case .noElement where scope == kAudioUnitScope_Global: break
    case .noScope:
      throw .invalidScope.because("this unit has no \(Element.scopeName(scope)) scope")
    case .noElement:
      throw .invalidElement.because(
        "\(Element.title(scope, element)) does not exist")
    }
    // The next render does the reset when it begins. If it were done here, a render that finds the
    // gate closed meanwhile would fail.
    side.pointee.pending.raise(.reset)
  }

  /// The quality for rendering: the best when offline.
  public final var presentQuality: Int { isOffline ? 127 : renderQuality }

  /// [control thread, under the lock] Checks that the unit can be initialised with its formats.
  open func checkFormats() throws(AudioError) {
    try ChannelRules.check(
      inputs.map(\.format.channelCount), outputs.map(\.format.channelCount), channelCapabilities)
  }

  // MARK: Calls of the C API

  open override func render(_ call: RenderCall, into data: UnsafeMutablePointer<AudioBufferList>)
    -> OSStatus
  { guardedRender(call, into: data) }
  open override func measureLoad(since start: UInt64, frameCount: UInt32) {
    measure(since: start, frameCount)
  }

  /// [control thread] The default name of an element; nil: none.
  open func defaultName(of element: Element) -> String? { nil }

  open override func canDo(_ selector: Int) -> Bool { Selectors.ofEveryUnit.contains(selector) }
  open override func propertyInfo(_ address: PropertyAddress) throws(AudioError) -> PropertyInfo {
    guard let provider = provider(of: address.id) else { return try info(address) }
    do throws(AudioError) { return try provider.info(address) } catch {
      throw error.of(PropertyNames.name(address.id))
    }
  }
  open override func getProperty(
    _ address: PropertyAddress, into data: UnsafeMutableRawPointer, size: inout UInt32
  ) throws(AudioError) {
    guard let provider = provider(of: address.id) else {
      return try read(address, into: data, size: &size)
    }
    do throws(AudioError) { try provider.read(address, into: data, size: &size) } catch {
      throw error.of(PropertyNames.name(address.id))
    }
  }
  open override func setProperty(
    _ address: PropertyAddress, _ data: UnsafeRawPointer?, size: UInt32
  ) throws(AudioError) {
    guard let provider = provider(of: address.id) else {
      return try write(address, data, size: size)
    }
    do throws(AudioError) {
      try provider.write(
        address, UnsafeRawBufferPointer(start: data, count: data == nil ? 0 : Int(size)))
    } catch { throw error.of(PropertyNames.name(address.id)) }
  }
  open override func addPropertyListener(_ id: AudioUnitPropertyID, _ listener: PropertyListener)
    throws(AudioError)
  {
    listeners.add(UnitListener(id: id, listener: listener))
    provider(of: id)?.listenersChanged(id)
  }
  open override func removePropertyListener(
    _ id: AudioUnitPropertyID, _ listener: PropertyListener, matchingUserData: Bool
  ) throws(AudioError) {
    listeners.remove(waits: listener.isAwaited) {
      $0.id == id && $0.listener.isSame(listener, matchingUserData: matchingUserData)
    }
    provider(of: id)?.listenersChanged(id)
  }

  private func provider(of id: AudioUnitPropertyID) -> (any PropertyProvider)? {
    propertyProvider.flatMap { $0.provides(id) ? $0 : nil }
  }
  open override func parameter(_ address: ParameterAddress) throws(AudioError)
    -> AudioUnitParameterValue
  { try value(address) }
  open override func setParameter(
    _ address: ParameterAddress, to value: AudioUnitParameterValue, offset: UInt32
  ) throws(AudioError) { try set(address, to: value, offset: offset) }
  open override func schedule(_ events: UnsafeBufferPointer<AudioUnitParameterEvent>)
    throws(AudioError)
  { try scheduleChanges(events) }

  /// [control thread, under the lock, while nothing renders] Sets the limits of a render.
  package final func fixRenderLimits() {
    // Through a copy of the pointer, or it would count as a change of the whole side.
    let limits = side.pointee.limits
    limits.pointee.set(maximumFrames: maximumFrames, outputs: outputs.map(\.format))
    side.pointee.frameLimit.store(UInt32(maximumFrames), ordering: .relaxed)
  }

  // MARK: Sources and notifies

  open override func sourceChanged(for consumer: UnitInstance, isConnected: Bool) {
    let pending = side.pointee.pending
    consumers.change(consumer, isConnected: isConnected) { pending.set(.shared, $0) }
    fitHistory()
  }
  package final override func readersChanged() { fitHistory() }

  package override var graphSide: any GraphSide { self }
  final override var renderSide: UnsafeMutablePointer<RenderSide>? { side }
  package override var frameLimit: Int? { maximumFrames }
  open override var readers: [UnitInstance] { consumers.readers }
  open override var isReleased: Bool { !hasResources.load(ordering: .sequentiallyConsistent) }
  open override var isRendering: Bool { !side.pointee.gate.isIdle }
  open override func waitForRender() { side.pointee.gate.waitUntilIdle() }
  open override func dropSlice() { side.pointee.pending.raise(.stale) }

  open override func disconnect(from source: UnitInstance) {
    lock.withLock {
      for input in inputs where input.sourceUnit === source {
        input.sourceUnit = nil
        input.sourceDelay = nil
        input.source = InputSource()
      }
      publishSources()
      sourcesChanged()
    }
  }

  open override func addRenderNotify(_ notify: RenderCallback) throws(AudioError) {
    try control { () throws(AudioError) in
      guard !notifies.contains(notify) else { return }
      notifies.append(notify)
      publishNotifies()
    }
  }

  open override func removeRenderNotify(_ notify: RenderCallback) throws(AudioError) {
    try control { () throws(AudioError) in
      notifies.removeAll { $0 == notify }
      publishNotifies()
    }
    // The host may free the context as soon as this returns.
    side.pointee.gate.waitUntilIdleUnlessRendering()
  }
}
