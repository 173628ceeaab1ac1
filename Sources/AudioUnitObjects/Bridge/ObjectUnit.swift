// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioToolboxFunctions
import AudioUnitCore
import AudioValues
import CCoreMIDI
import CRealTime
import CoreAudio
import Foundation
import SignalProcessing
import Synchronization

/// A C unit whose sound comes from an object: a subclass of `AUAudioUnit`, for hosts of C units.
final class ObjectUnit: NativeUnit, ObjectHost, @unchecked Sendable {
  /// The object.
  let object: AUAudioUnit
  private let feed: UnsafeMutablePointer<UnsafeMutablePointer<ObjectFeed>?> = .cell(nil)
  private var isSettingFormat = false
  /// The time of the current render, for the messages that the object sends.
  private let midiTime: UnsafeMutablePointer<AudioTimeStamp>
  private let map: UnsafeMutablePointer<Published> = .cell(Published())
  private let keptMaps = Guarded<[ParameterMap]>([])
  private let observer = Guarded<(tree: AUParameterTree, token: AUParameterObserverToken)?>(nil)
  /// The bits of the token, as the originator of what C hosts set; 0: none.
  private let ownToken = Atomic<UInt>(0)
  /// The property that a C host is setting, whose listeners are called when it is set; 0: none.
  private let propertyBeingSet = Atomic<AudioUnitPropertyID>(0)
  let hostPreset = HostPreset()
  let midiOutput = HostMIDIOutput()

  /// Makes an object of a class, and the unit around it.
  static func make(
    _ type: AUAudioUnit.Type, of component: Component,
    _ options: AudioComponentInstantiationOptions
  ) throws(AudioError) -> ObjectUnit {
    let made = try objectCall { try UnitMaker.make(type, component.description, options) }
    return ObjectUnit(component, made)
  }

  private init(_ component: Component, _ object: AUAudioUnit) {
    self.object = object
    midiTime = midiOutput.time
    let (inputs, outputs) = (object.inputBusses, object.outputBusses)
    super.init(
      component: component, parameters: [],
      elements: .init(inputs: inputs.count, outputs: outputs.count), format: .standard,
      maximumFrames: 1_156)
    adoptFormats()
    for bus in Array(inputs) + Array(outputs) {
      bus.formatChanged = { [weak self] in
        _ = try? self?.control { () throws(AudioError) in self?.adoptFormats() }
      }
    }
    object.propertyChanged = { [weak self] id in
      if id == kAudioUnitProperty_ParameterList { self?.takeTree() }
      if id == kAudioUnitProperty_PresentPreset { self?.hostPreset.forget() }
      guard id != self?.propertyBeingSet.load(ordering: .relaxed) else { return }
      self?.notifyListeners(PropertyAddress(id, kAudioUnitScope_Global, 0))
    }
    takeTree()
  }

  /// [under the lock] Sets a property of the object for a C host.
  func set(_ id: AudioUnitPropertyID, _ body: (AUAudioUnit) -> Void) {
    propertyBeingSet.store(id, ordering: .relaxed)
    defer { propertyBeingSet.store(0, ordering: .relaxed) }
    body(object)
  }

  deinit {
    map.endCell()
    feed.pointee?.endCell()
    feed.endCell()
  }

  /// Calls the object, with no graph lock held.
  static func objectCall<Result>(_ body: () throws -> Result) throws(AudioError) -> Result {
    do { return try Lock.whileYielded { try body() } } catch {
      throw AudioError(object: error)
    }
  }

  // MARK: Formats

  /// The bus of an element.
  func bus(_ element: Element) -> AUAudioUnitBus? {
    let buses =
      element.scope == kAudioUnitScope_Input
      ? object.inputBusses : element.scope == kAudioUnitScope_Output ? object.outputBusses : nil
    guard let buses, element.index < buses.count else { return nil }
    return buses[element.index]
  }

  /// [under the lock] Takes over formats that a Swift program has set on the buses.
  private func adoptFormats() {
    guard !isSettingFormat else { return }
    for element in inputs + outputs {
      guard let description = bus(element)?.format.streamDescription.pointee,
        let format = try? StreamFormat(description)
      else { continue }
      element.format = format
    }
  }

  override func check(_ format: StreamFormat, at element: Element) throws(AudioError) {
    guard let bus = bus(element), let new = AVAudioFormat(anyOf: format.description) else {
      throw .formatNotSupported.because("\(element.title): \(format.text)")
    }
    isSettingFormat = true
    defer { isSettingFormat = false }
    try Self.objectCall { try bus.setFormat(new) }
  }

  override func checkFormats() throws(AudioError) {
    // The object may have replaced its buses.
    try checkBusCounts()
    adoptFormats()
    try super.checkFormats()
  }

  override var channelCapabilities: [AUChannelInfo]? {
    ChannelCheck.pairs(object.channelCapabilities)
  }

  // MARK: Life cycle

  override func close() {
    observer.withLock { $0 }.map { $0.tree.removeParameterObserver($0.token) }
    super.close()
  }

  override func allocateResources() throws(AudioError) {
    takeTree()
    do throws(AudioError) {
      try Self.objectCall {
        object.maximumFramesToRender = AUAudioFrameCount(maximumFrames)
        try object.allocateRenderResources()
        guard object.renderResourcesAllocated else {
          throw NSError(
            AudioError.failedInitialization.because(
              "allocateRenderResources() did not call that of AUAudioUnit"))
        }
      }
    } catch {
      // A subclass may fail after it has called that of AUAudioUnit.
      Lock.whileYielded { object.setRenderResourcesAllocated(false) }
      throw error
    }
    do throws(AudioError) { try checkBusCounts() } catch {
      Lock.whileYielded { object.deallocateRenderResources() }
      throw error
    }
    // The object may have made its buses only now.
    adoptFormats()
    fixRenderLimits()
    feed.pointee = .cell(
      ObjectFeed(
        object.renderer, inputs: inputs.map(\.format), outputs: outputs.map(\.format),
        maximumFrames: maximumFrames))
  }

  /// Refuses an object that has changed the numbers of its buses since the unit was made.
  private func checkBusCounts() throws(AudioError) {
    let (inputCount, outputCount) = (object.inputBusses.count, object.outputBusses.count)
    guard inputCount == inputs.count, outputCount == outputs.count else {
      throw .failedInitialization.because(
        "the object has \(inputCount) inputs and \(outputCount) outputs; it had \(inputs.count) and "
          + "\(outputs.count) when the unit was made")
    }
  }

  override func releaseResources() {
    Lock.whileYielded { object.deallocateRenderResources() }
    feed.pointee?.endCell()
    feed.pointee = nil
  }

  override func reset(_ scope: AudioUnitScope, _ element: AudioUnitElement) throws(AudioError) {
    try super.reset(scope, element)
    try Self.objectCall { object.reset() }
  }

  override func canDo(_ selector: Int) -> Bool {
    super.canDo(selector)
      || component.description.takesMIDI
        && [
          kMusicDeviceMIDIEventSelect, kMusicDeviceSysExSelect, kMusicDeviceMIDIEventListSelect,
        ].contains(selector)
  }

  // MARK: Rendering

  /// [render thread] Renders the object, which pulls the unit's sources.
  @_noLocks
  override func produce(
    _ call: RenderCall, _ sources: SourceTable, into data: UnsafeMutablePointer<AudioBufferList>
  ) -> OSStatus {
    guard let feed = feed.pointee else { return kAudioUnitErr_Uninitialized }
    midiTime.pointee = call.time.pointee
    return feed.pointee.render(call, sources, into: data)
  }

  override var latency: Double { object.latency }
  override var tailTime: Double? { object.tailTime }
  override var usesExternalBuffer: Bool { false }

  // MARK: Parameters

  /// [any thread] The parameters of the object. Does not lock.
  var parameterMap: ParameterMap? {
    map.pointee.loadIfAny().map {
      Unmanaged<ParameterMap>.fromOpaque($0).takeUnretainedValue()
    }
  }

  /// [control thread] Numbers the parameters of the tree, unless they are those of before, and
  /// observes them.
  private func takeTree() {
    let tree = object.parameterTree
    let isKnown = keptMaps.withLock { $0.last.map { $0.tree === tree } ?? false }
    guard !isKnown else { return }
    // Not under the lock, because it asks the object for values.
    let new = ParameterMap(tree)
    keptMaps.withLock { maps in
      // Kept as long as the unit: any thread may be using it.
      maps.append(new)
      map.pointee.publish(KeptMap(new), isQuiet: { true })
    }
    let old = observer.withLock { observer in
      let old = observer
      observer = tree.map { tree in
        (
          tree,
          tree.token(byAddingParameterObserver: { [weak self] address, _ in self?.changed(address) }
          )
        )
      }
      ownToken.store(UInt(bitPattern: observer?.token), ordering: .relaxed)
      return old
    }
    if let old { old.tree.removeParameterObserver(old.token) }
  }

  /// [a thread of the tree] Tells C listeners that a parameter has changed.
  private func changed(_ address: AUParameterAddress) {
    guard let handle, let id = parameterMap?.id(of: address) else { return }
    var parameter = AudioUnitParameter(
      mAudioUnit: handle, mParameterID: id, mScope: kAudioUnitScope_Global, mElement: 0)
    AUParameterListenerNotify(nil, nil, &parameter)
  }

  override func parameter(_ address: ParameterAddress) throws(AudioError)
    -> AudioUnitParameterValue
  { try object(address).value }

  override func setParameter(
    _ address: ParameterAddress, to value: AudioUnitParameterValue, offset: UInt32
  ) throws(AudioError) {
    let parameter = try writable(address, value)
    // During a render it is an event, because the object's observer may lock.
    guard isInitialized, offset > 0 || rt_current().pointee.depth > 0 else {
      return parameter.setValue(value, originator: originator)
    }
    try push(offset, ramp: 0, parameter, value)
  }

  override func schedule(_ events: UnsafeBufferPointer<AudioUnitParameterEvent>)
    throws(AudioError)
  {
    for event in events { _ = try change(event) }
    for event in events {
      let change = try change(event)
      guard isInitialized else {
        change.parameter.setValue(change.value, originator: originator)
        continue
      }
      if let start = change.start { try push(change.offset, ramp: 0, change.parameter, start) }
      try push(change.offset, ramp: change.ramp, change.parameter, change.value)
    }
  }

  /// The originator of what C hosts set: these tell C listeners themselves, as for any C unit.
  var originator: AUParameterObserverToken? {
    AUParameterObserverToken(bitPattern: ownToken.load(ordering: .relaxed))
  }

  // MARK: MIDI

  override func receiveMIDIEvent(
    _ status: UInt32, _ data1: UInt32, _ data2: UInt32, offset: UInt32
  ) throws(AudioError) {
    guard component.description.takesMIDI else {
      return try super.receiveMIDIEvent(status, data1, data2, offset: offset)
    }
    guard (0x80...0xFF).contains(status) else {
      throw .invalidArgument.because("\(status) is not the status of a MIDI message")
    }
    // No array, because this may be a render thread.
    let bytes = (
      UInt8(status), UInt8(truncatingIfNeeded: data1), UInt8(truncatingIfNeeded: data2)
    )
    let isSent = withUnsafeBytes(of: bytes) {
      send($0, length: EventQueue.length(status: bytes.0), offset)
    }
    if !isSent { throw Self.tooMany }
  }

  override func receiveMIDIMessage(_ bytes: UnsafeBufferPointer<UInt8>) throws(AudioError) {
    guard component.description.takesMIDI else { return try super.receiveMIDIMessage(bytes) }
    guard (1...EventQueue.longest).contains(bytes.count) else {
      throw .invalidArgument.because(
        "a message of \(bytes.count) bytes; expected 1 to \(EventQueue.longest)")
    }
    guard send(UnsafeRawBufferPointer(bytes), length: bytes.count, 0) else { throw Self.tooMany }
  }

  override func receiveEventList(_ list: UnsafePointer<MIDIEventList>, offset: UInt32)
    throws(AudioError)
  {
    guard component.description.takesMIDI else {
      return try super.receiveEventList(list, offset: offset)
    }
    guard object.renderer.events.pointee.push(time(offset), cable: 0, list) else {
      throw Self.tooMany
    }
  }

  // MARK: Properties

  override var properties: [UnitProperty] { Self.rows }
  override var factoryPresets: [FactoryPreset] {
    (object.factoryPresets ?? []).map { FactoryPreset(Int32(clamping: $0.number), $0.name, [:]) }
  }
}

/// A map that its unit keeps.
private struct KeptMap: Publishable {
  let address: UnsafeMutableRawPointer

  init(_ map: ParameterMap) { address = Unmanaged.passUnretained(map).toOpaque() }

  func deallocate() {}
}

extension AudioError {
  /// The failure of an object: its status, if it is one.
  init(object error: any Error) {
    let error = error as NSError
    let isStatus = error.domain == NSOSStatusErrorDomain
    let status = isStatus ? OSStatus(exactly: error.code) ?? 0 : 0
    self = AudioError(status: status == noErr ? kAudioUnitErr_FailedInitialization : status)
      .because(error.localizedDescription)
  }
}
