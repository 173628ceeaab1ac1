// SPDX-License-Identifier: Apache-2.0
import AudioDevices
import AudioHardware
import AudioSupport
import CoreAudio

/// The audio session of the process.
///
/// Its preferences apply to every device that is opened later. The granted values are read from the
/// devices; the session itself opens none. All functions are for control threads.
package final class Session: @unchecked Sendable {  // `state` is touched under `lock` only
  /// The session of the process.
  package static let shared = Session()

  /// The program's settings, and the results of the last check.
  struct State {
    var setup = SessionSetup()
    var isActive = false
    var preferences = Preferences()
    var observers: [Int: Observer] = [:]
    var lastNumber = 0
    /// Route changes made by the program itself, with the setup before each.
    var ownChanges: [(reason: SessionRouteChangeReason, before: SessionSetup)] = []
    /// The server of the route, also after its last device was removed.
    var server: String?
    /// The server that is gone.
    var lostServer: LostServer?
    /// When a server last came back, in host time.
    var lastReset: UInt64?
    var isInterrupted = false
    /// Whether programs should resume after the last interruption.
    var shouldResume = false
  }

  /// The program's preferences; nil and 0 mean no preference.
  package struct Preferences: Equatable, Sendable {
    package var sampleRate = 0.0
    package var duration = 0.0
    package var inputChannels = 0
    package var outputChannels = 0
    package var inputUID: String?
    package var overridesOutput = false
    package var aggregatesIO = false
    package var allowsHapticsWhileRecording = false
    package var avoidsAlerts = false
    package var prefersEchoCancelledInput = false
    package var supportsMultichannel = false
    package var endsWithRoute = false
  }

  /// A server that has ended, and the host time at which this was noticed.
  struct LostServer {
    var backend: String
    var since: UInt64
    /// When it began to answer again, in host time.
    var answeredAt: UInt64?
  }

  package typealias Observer = @Sendable (SessionEvent) -> Void

  private let lock = Lock()
  private var stateValue = State()
  private let context: DeviceContext
  var devicePreferences: DevicePreferences { context.preferences }
  /// Whether units run; tests pass their own function.
  let hasStreams: @Sendable () -> Bool
  /// The devices at the last settled check. Only the check thread accesses it.
  var lastSnapshot: SessionSnapshot?
  /// The devices after a change that the next check must confirm; nil without one. Only the
  /// check thread accesses it.
  var unsettled: SessionSnapshot?
  /// Whether the devices of the category were removed. Only the check thread accesses it.
  var hasLostDevice = false
  /// Whether others play and since when, after a change that a later check must confirm; nil
  /// without one. Only the check thread accesses it.
  var unsettledHint: (othersPlay: Bool, since: UInt64)?
  private let link = WeakLink()
  private let periodicCheck: PeriodicCheck
  private var watch: PropertyWatch?
  private var interruptionObserver: Int?

  /// The default number of frames of a cycle: 23 milliseconds at 44,100 Hz.
  static let standardCycle = 1_024

  /// Creates a session. Tests create their own, with the environment and the device preferences of
  /// the calling thread.
  package init(
    hasStreams: @escaping @Sendable () -> Bool = { DeviceActivity.hasStreams }
  ) {
    context = .current
    self.hasStreams = hasStreams
    periodicCheck = PeriodicCheck(name: "audio session") { [link] in link.session?.check() }
    link.session = self
    StatusFamily.add(.sessions)
    devicePreferences.set {
      $0.cycleFrames = Self.standardCycle
      $0.role = SessionSetup().role
    }
  }

  deinit {
    if let watch { AudioObjectListeners.shared.remove(watch) }
    interruptionObserver.map(StreamInterruptions.shared.removeObserver)
  }

  /// The periodic check's reference to a session.
  private final class WeakLink: @unchecked Sendable {  // set once, before anybody reads it
    weak var session: Session?
  }

  /// Reads or changes the program's settings.
  func withState<Result, Failure: Error>(
    _ body: (inout State) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try body(&stateValue)
  }

  /// Runs `body` in the environment and with the device preferences of the thread that created the
  /// session.
  func inEnvironment<Result>(_ body: () -> Result) -> Result { context.use(body) }

  // MARK: Category and mode

  package var setup: SessionSetup { withState { $0.setup } }
  package var isActive: Bool { withState { $0.isActive } }
  package var preferences: Preferences { withState { $0.preferences } }
  package var shouldResume: Bool { withState { $0.shouldResume } }

  /// Sets the category with its options. Without a mode, the current mode stays if the category
  /// allows it.
  package func set(
    _ category: SessionCategory, mode: SessionMode? = nil, options: SessionOptions = [],
    policy: SessionPolicy = .default
  ) throws(AudioError) {
    let old = setup.mode
    let fallback =
      SessionSetup.modes(of: category).contains(old) && old != .dualRoute ? old : .default
    try change(SessionSetup(category, mode ?? fallback, options, policy))
    // Only a category that the program has chosen takes the input from its units.
    devicePreferences.set { $0.silencesInput = !category.usesInput }
  }

  /// Sets the mode alone.
  package func set(mode: SessionMode) throws(AudioError) {
    var setup = setup
    setup.mode = mode
    try change(setup)
  }

  private func change(_ setup: SessionSetup) throws(AudioError) {
    try setup.check()
    let hasNewCategory = withState { state in
      let before = state.setup
      state.setup = setup
      guard before.category != setup.category else { return false }
      state.preferences.overridesOutput = false
      state.ownChanges.append((.categoryChange, before))
      return true
    }
    devicePreferences.set {
      $0.role = setup.role
      if hasNewCategory { $0.outputUID = nil }
    }
    if hasNewCategory { checkSoon() }
  }

  // MARK: Observers

  /// Adds an observer, which is called on the session's own thread; returns its number.
  @discardableResult
  package func addObserver(_ observer: @escaping Observer) -> Int {
    let (number, isFirst) = withState { state in
      state.lastNumber += 1
      state.observers[state.lastNumber] = observer
      return (state.lastNumber, state.lastNumber == 1)
    }
    if isFirst {
      let observation = StreamInterruptions.shared.addObserver { [link] in
        link.session?.checkSoon()
      }
      lock.withLock { interruptionObserver = observation }
    }
    checkSoon()
    return number
  }

  /// Removes an observer by its number; a running call continues.
  package func removeObserver(_ number: Int) {
    withState { _ = $0.observers.removeValue(forKey: number) }
  }

  /// Requests a check for changes, on the check thread.
  func checkSoon() {
    guard withState({ !$0.observers.isEmpty }) else { return }
    periodicCheck.wake()
  }

  /// [check thread] Starts to observe changes of the back ends, once.
  func observeDevices() {
    guard watch == nil else { return }
    let watch = PropertyWatch(
      answer: { [link] in
        link.session?.checkSoon()
        return ""
      }, changed: {})
    self.watch = watch
    // If the environment names a device, only its back end is observed: another server may hang.
    let named = (try? DeviceEnvironment.current())?.device?.backend
    for backend in named.map({ [$0] }) ?? Backends.names {
      AudioObjectListeners.shared.add(watch, of: backend)
    }
  }
}
