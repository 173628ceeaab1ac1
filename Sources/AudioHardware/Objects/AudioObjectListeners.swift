// SPDX-License-Identifier: Apache-2.0
public import AudioSupport
import AudioDevices
public import CAudioToolbox

/// The listeners of audio objects' properties, and the comparison that detects changes.
///
/// The back ends report only that something has changed. Comparing the values of the observed
/// properties before and after shows which ones.
// `tokens` is guarded by `registration`.
public final class AudioObjectListeners: @unchecked Sendable {
  public static let shared = AudioObjectListeners()

  /// The function of a listener, and its identity.
  public struct Callee: Sendable {
    let key: UInt
    let queue: UInt
    let call: @Sendable ([AudioObjectPropertyAddress]) -> Void
    let end: @Sendable () -> Void

    /// `remove` finds it by the numbers `key` and `queue`. `end` is called after the last call.
    public init(
      key: UInt, queue: UInt, call: @escaping @Sendable ([AudioObjectPropertyAddress]) -> Void,
      end: @escaping @Sendable () -> Void = {}
    ) {
      (self.key, self.queue, self.call, self.end) = (key, queue, call, end)
    }
  }

  private final class Listener {
    let object: AudioObjectID
    let address: AudioObjectPropertyAddress
    let callee: Callee
    /// The values of the properties that the address covers, at the last check. Accessed by the
    /// checks, and by `init` before they know the listener.
    var known: [PropertyValue]

    init(_ object: AudioObjectID, _ address: AudioObjectPropertyAddress, _ callee: Callee) {
      (self.object, self.address, self.callee) = (object, address, callee)
      known = AudioObjectListeners.values(object, address)
    }
  }

  /// The value of a property at one moment.
  private struct PropertyValue {
    let address: AudioObjectPropertyAddress
    let text: String
  }

  private let listeners = ListenerList<Listener>(isReportedTo: true)
  /// Held while a listener is added or removed, because the listeners determine which back ends are
  /// observed.
  private let registration = Lock()
  private let watches = Guarded<[PropertyWatch]>([])
  /// The device observers, by back end. Accessed only under `registration`.
  private var tokens: [String: AnyObject] = [:]
  /// Checks and calls the listeners on a thread of its own, because a check may wait for a server;
  /// again soon while watches are not complete.
  private let checks = PeriodicCheck(name: "audio objects") {
    AudioObjectListeners.shared.notify() ? nil : 0.01
  }

  private init() {
    DeviceChanges.observe { change in
      switch change {
      case .streams: AudioObjectListeners.shared.checkStreams()
      case .properties: AudioObjectListeners.shared.check()
      case .requests: break
      }
    }
  }

  /// Render threads only count missed cycles; the notifier reads the counts.
  private static let watchesXruns: Void = Notifier.shared.addMailbox {
    if DeviceActivity.hasNewXruns() { shared.checkStreams() }
  }

  /// [control thread] Calls `function` when a property changes, on a thread of the library.
  public func add(
    _ object: AudioObjectID, _ address: AudioObjectPropertyAddress,
    _ function: @escaping AudioObjectPropertyListenerProc, _ context: UnsafeMutableRawPointer?
  ) throws(AudioError) {
    nonisolated(unsafe) let context = context
    let callee = Callee(
      key: unsafeBitCast(function, to: UInt.self), queue: UInt(bitPattern: context)
    ) { addresses in
      _ = addresses.withUnsafeBufferPointer { addresses in
        addresses.baseAddress.map {
          function(object, UInt32(clamping: addresses.count), $0, context)
        }
      }
    }
    try add(object, address, callee)
  }

  /// [control thread] Calls `callee` when a property changes, on a thread of the library.
  public func add(
    _ object: AudioObjectID, _ address: AudioObjectPropertyAddress, _ callee: Callee
  ) throws(AudioError) {
    if address.mSelector != kAudioObjectPropertySelectorWildcard {
      guard AudioObjects.has(object, address) else {
        throw AudioError(status: kAudioHardwareUnknownPropertyError).because(
          "audio object \(object) has no property '\(FourCharacterCode(address.mSelector))'")
      }
    }
    registration.withLock {
      observe(AudioObjects.backend(of: object).map({ [$0] }) ?? Backends.names)
      listeners.add(Listener(object, address, callee))
    }
    _ = Self.watchesXruns
  }

  /// [under `registration`] Observes changes of the back ends.
  private func observe(_ backends: [String]) {
    for backend in backends where tokens[backend] == nil {
      tokens[backend] = Backends.observe(backend) { AudioObjectListeners.shared.check() }
    }
  }

  /// [control thread] Checks `watch` whenever a device of a back end, or a stream of this process,
  /// may have changed. The same watch may be added again for another back end.
  package func add(_ watch: PropertyWatch, of backend: String) {
    registration.withLock {
      observe([backend])
      watches.withLock { if !$0.contains(where: { $0 === watch }) { $0.append(watch) } }
    }
    _ = Self.watchesXruns
    checks.wake()
  }

  /// [any thread but a render thread] Removes a watch. A running check of it continues.
  package func remove(_ watch: PropertyWatch) {
    watches.withLock { $0.removeAll { $0 === watch } }
  }

  /// [control thread] Removes a listener and waits for a running call of it on another thread.
  public func remove(
    _ object: AudioObjectID, _ address: AudioObjectPropertyAddress,
    _ function: @escaping AudioObjectPropertyListenerProc, _ context: UnsafeMutableRawPointer?
  ) throws(AudioError) {
    try remove(
      object, address, key: unsafeBitCast(function, to: UInt.self),
      queue: UInt(bitPattern: context))
  }

  /// [control thread] Removes a listener by the numbers of its callee.
  public func remove(
    _ object: AudioObjectID, _ address: AudioObjectPropertyAddress, key: UInt, queue: UInt
  ) throws(AudioError) {
    var removed: Listener?
    listeners.remove(onlyFirst: true) { listener in
      guard
        listener.object == object, listener.address == address, listener.callee.queue == queue,
        listener.callee.key == key
      else { return false }
      removed = listener
      return true
    }
    guard let removed else {
      throw .invalidArgument.because("the listener was not added to audio object \(object)")
    }
    registration.withLock { if hasNone { tokens = [:] } }
    removed.callee.end()
  }

  /// Whether there are no listeners and no watches.
  private var hasNone: Bool { listeners.isEmpty && watches.withLock { $0.isEmpty } }

  /// [any thread but a render thread] Checks after a stream of this process has started or ended,
  /// or a level was set.
  package func checkStreams() {
    if !hasNone { checks.wake() }
  }

  /// [any thread but a render thread] Checks after a device may have changed, and notifies
  /// listeners and watches.
  func check() {
    DeviceCache.invalidate()
    checks.wake()
  }

  /// Returns whether all watches are complete.
  private func notify() -> Bool {
    var isComplete = true
    for watch in watches.withLock({ $0.copied() }) where !watch.check() { isComplete = false }
    for entry in listeners.entries() {
      let listener = entry.listener
      let now = Self.values(listener.object, listener.address)
      let changed =
        now.filter { value in
          listener.known.first { $0.address == value.address }?.text != value.text
        } + listener.known.filter { value in !now.contains { $0.address == value.address } }
      guard !changed.isEmpty else { continue }
      listener.known = now
      let addresses = changed.map(\.address)
      entry.call { $0.callee.call(addresses) }
    }
    return isComplete
  }

  /// The current values of the properties that an address covers. A device is alive if it answers
  /// at all.
  private static func values(
    _ object: AudioObjectID, _ address: AudioObjectPropertyAddress
  ) -> [PropertyValue] {
    let selectors =
      address.mSelector == kAudioObjectPropertySelectorWildcard
      ? watched : [address.mSelector]
    let scopes =
      address.mScope == kAudioObjectPropertyScopeWildcard
      ? [
        kAudioObjectPropertyScopeGlobal, kAudioObjectPropertyScopeOutput,
        kAudioObjectPropertyScopeInput,
      ] : [address.mScope]
    let elements =
      address.mElement == kAudioObjectPropertyElementWildcard
      ? Array(0...most) : [address.mElement]
    return selectors.flatMap { selector in
      var values: [PropertyValue] = []
      for scope in scopes {
        for element in elements {
          let one = AudioObjectPropertyAddress(
            mSelector: selector, mScope: scope, mElement: element)
          // A value that is equal in several scopes or elements is listed once.
          guard let text = AudioObjects.signature(object, one),
            !values.contains(where: { $0.text == text }) || scopes.count + elements.count == 2
          else { continue }
          values.append(PropertyValue(address: one, text: text))
        }
      }
      return values
    }
  }

  /// The number of channels of an endpoint that a wildcard covers.
  private static let most: AudioObjectPropertyElement = 8

  /// The properties that a wildcard covers: all that can change.
  private static let watched: [AudioObjectPropertySelector] = [
    kAudioHardwarePropertyDevices, kAudioHardwarePropertyDefaultInputDevice,
    kAudioHardwarePropertyDefaultOutputDevice, kAudioHardwarePropertyServiceRestarted,
    kAudioDevicePropertyDeviceIsAlive, kAudioDevicePropertyDeviceIsRunning,
    kAudioDevicePropertyNominalSampleRate, kAudioDevicePropertyBufferFrameSize,
    kAudioDevicePropertyLatency, kAudioDevicePropertyStreams, kAudioDevicePropertyDeviceHasChanged,
    kAudioDeviceProcessorOverload, kAudioDevicePropertyVolumeScalar, kAudioDevicePropertyMute,
    kAudioDevicePropertyVolumeDecibels, kAudioDevicePropertyDataSource,
    kAudioDevicePropertyDataSources, kAudioDevicePropertyJackIsConnected,
    kAudioDevicePropertyDeviceIsRunningSomewhere, kAudioDevicePropertyHogMode,
    kAudioDevicePropertyAvailableNominalSampleRates, kAudioStreamPropertyVirtualFormat,
    kAudioStreamPropertyPhysicalFormat, kAudioObjectPropertyOwnedObjects,
    kAudioDevicePropertyStreamConfiguration, kAudioLevelControlPropertyScalarValue,
    kAudioBooleanControlPropertyValue, kAudioSelectorControlPropertyCurrentItem,
    kAudioDevicePropertyIOStoppedAbnormally, kAudioHardwarePropertyProcessIsAudible,
  ]
}

extension AudioObjectPropertyAddress {
  fileprivate static func == (one: Self, other: Self) -> Bool {
    one.mSelector == other.mSelector && one.mScope == other.mScope
      && one.mElement == other.mElement
  }
}
