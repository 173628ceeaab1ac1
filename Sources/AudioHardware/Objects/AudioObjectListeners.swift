// SPDX-License-Identifier: Apache-2.0
public import AudioSupport
import AudioDevices
import Glibc
import Synchronization
public import CAudioToolbox

/// The listeners of audio objects' properties, and the comparison that detects changes.
///
/// The back ends report only that something has changed. Comparing the values of the observed
/// properties before and after shows which ones.
public final class AudioObjectListeners: @unchecked Sendable {  // all state is guarded by `lock`
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

  private struct Listener {
    let object: AudioObjectID
    let address: AudioObjectPropertyAddress
    let callee: Callee
    /// The values of the properties that the address covers, at the last check.
    var known: [PropertyValue]
    let calls = ProgramCalls.Entry()
  }

  /// The value of a property at one moment.
  private struct PropertyValue {
    let address: AudioObjectPropertyAddress
    let text: String
  }

  private let lock = Lock()
  /// Held while a listener is added or removed, because the listeners determine which back ends are
  /// observed.
  private let registration = Lock()
  private var listeners: [Listener] = []
  private var watches: [PropertyWatch] = []
  /// The device observers, by back end. Accessed only under `registration`.
  private var tokens: [String: AnyObject] = [:]
  /// Runs the checks and calls the listeners, because a check may wait for a server.
  private let worker = SerialWorker(name: "audio objects")
  private let isCheckDue = Atomic(false)

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
      let known = Self.values(object, address)
      lock.withLock {
        listeners.append(
          Listener(
            object: object, address: address, callee: callee, known: known))
      }
    }
    _ = Self.watchesXruns
    Notifier.shared.listenersChanged(by: 1)
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
      lock.withLock { if !watches.contains(where: { $0 === watch }) { watches.append(watch) } }
    }
    _ = Self.watchesXruns
    checkSoon()
  }

  /// [any thread but a render thread] Removes a watch. A running check of it continues.
  package func remove(_ watch: PropertyWatch) {
    lock.withLock { watches.removeAll { $0 === watch } }
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
    let removed = registration.withLock { () -> Listener? in
      let (removed, isLast) = lock.withLock { () -> (Listener?, Bool) in
        let index = listeners.firstIndex {
          $0.object == object && $0.address == address && $0.callee.queue == queue
            && $0.callee.key == key
        }
        guard let index else { return (nil, false) }
        let removed = listeners.remove(at: index)
        return (removed, listeners.isEmpty && watches.isEmpty)
      }
      if isLast { tokens = [:] }
      return removed
    }
    guard let removed else {
      throw .invalidArgument.because("the listener was not added to audio object \(object)")
    }
    Notifier.shared.listenersChanged(by: -1)
    ProgramCalls.shared.remove([removed.calls])
    removed.callee.end()
  }

  /// [any thread but a render thread] Checks after a stream of this process has started or ended,
  /// or a level was set.
  package func checkStreams() {
    if lock.withLock({ !listeners.isEmpty || !watches.isEmpty }) { checkSoon() }
  }

  /// [any thread but a render thread] Checks after a device may have changed, and notifies
  /// listeners and watches.
  func check() {
    DeviceCache.invalidate()
    checkSoon()
  }

  private func checkSoon() {
    // A pending check covers this change, too.
    guard !isCheckDue.exchange(true, ordering: .acquiringAndReleasing) else { return }
    worker.perform { [self] in
      isCheckDue.store(false, ordering: .releasing)
      notify()
    }
  }

  private func notify() {
    var isComplete = true
    for watch in lock.withLock({ watches.copied() }) where !watch.check() { isComplete = false }
    defer {
      if !isComplete {
        usleep(10_000)
        checkSoon()
      }
    }
    for listener in lock.withLock({ listeners.copied() }) {
      let now = Self.values(listener.object, listener.address)
      let changed =
        now.filter { value in
          listener.known.first { $0.address == value.address }?.text != value.text
        } + listener.known.filter { value in !now.contains { $0.address == value.address } }
      guard !changed.isEmpty else { continue }
      lock.withLock {
        if let index = listeners.firstIndex(where: { $0.calls === listener.calls }) {
          listeners[index].known = now
        }
      }
      let addresses = changed.map(\.address)
      ProgramCalls.shared.run(listener.calls) { listener.callee.call(addresses) }
    }
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

  /// The number of channels of a side that a wildcard covers.
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
