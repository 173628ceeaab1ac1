// SPDX-License-Identifier: Apache-2.0
import AudioDevices
import AudioHardware
import AudioSupport
import CoreAudio

/// The audio session of the process.
///
/// What it prefers holds for every device that is opened after that; what was granted is read from the
/// devices. It opens none itself. All functions are for control threads.
package final class Session: @unchecked Sendable {  // `state` is touched under `lock` only
  /// The one of the process.
  package static let shared = Session()

  /// The program's settings.
  struct State {
    var setup = SessionSetup()
    var isActive = false
    var wishes = Wishes()
    var observers: [Int: Observer] = [:]
    var lastNumber = 0
    /// Route changes that the program has made itself, with the setup before each.
    var ownChanges: [(reason: RouteChangeReason, before: SessionSetup)] = []
    /// The server that is gone.
    var lostServer: LostServer?
    /// When one was last back, in host time.
    var lastReset: UInt64?
    var isInterrupted = false
    /// Whether the last interruption was one after which to go on.
    var shouldResume = false
  }

  /// The program's preferences; nil and 0 are no preference.
  package struct Wishes: Equatable, Sendable {
    package var sampleRate = 0.0
    package var duration = 0.0
    package var inputChannels = 0
    package var outputChannels = 0
    package var inputUID: String?
    package var overridesOutput = false
    package var aggregatesIO = false
    package var allowsHapticsWhileRecording = false
    package var avoidsAlerts = false
    package var supportsMultichannel = false
    package var endsWithRoute = false
  }

  /// A server that has ended, and when that was noticed, in host time.
  struct LostServer {
    var backend: String
    var since: UInt64
  }

  package typealias Observer = @Sendable (SessionEvent) -> Void

  private let lock = Lock()
  private var stateValue = State()
  let preferences: DevicePreferences
  private let environment: DeviceEnvironment?
  /// Whether units run; a test says so itself.
  let hasStreams: @Sendable () -> Bool
  /// The devices at the last check. Touched by the caretaker's thread only.
  var known: SessionSnapshot?
  /// What was there when that was last found to have changed; nil where it has not. As above.
  var unsettled: SessionSnapshot?
  private let link = WeakLink()
  private let caretaker: Caretaker
  private var watch: PropertyWatch?
  private var interruptionObserver: Int?

  /// Frames of a cycle as long as nobody says otherwise: 23 milliseconds at 44,100 Hz.
  static let standardCycle = 1_024

  /// A session of its own, for tests; in the environment and with the preferences of the current task.
  package init(
    hasStreams: @escaping @Sendable () -> Bool = { DeviceActivity.hasStreams }
  ) {
    preferences = .current
    environment = DeviceEnvironment.override
    self.hasStreams = hasStreams
    caretaker = Caretaker(name: "audio session") { [link] in link.session?.check() }
    link.session = self
    StatusFamily.register([.sessions])
    preferences.set {
      $0.cycleFrames = Self.standardCycle
      $0.role = SessionSetup().role
    }
  }

  deinit {
    if let watch { AudioObjectListeners.shared.remove(watch) }
    interruptionObserver.map(StreamInterruptions.shared.removeObserver)
  }

  /// What the caretaker holds of a session.
  private final class WeakLink: @unchecked Sendable {  // set once, before anybody reads it
    weak var session: Session?
  }

  /// Reads or changes what the program has said.
  func withState<Result, Failure: Error>(
    _ body: (inout State) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try body(&stateValue)
  }

  /// Runs `body` in the environment and with the preferences that the session was made with.
  func inPlace<Result>(_ body: () -> Result) -> Result {
    DevicePreferences.$current.withValue(preferences) {
      guard let environment else { return body() }
      return DeviceEnvironment.$override.withValue(environment) { body() }
    }
  }

  // MARK: What it is for

  package var setup: SessionSetup { withState { $0.setup } }
  package var isActive: Bool { withState { $0.isActive } }
  package var wishes: Wishes { withState { $0.wishes } }
  package var shouldResume: Bool { withState { $0.shouldResume } }

  /// Sets the category and all that belongs to it. Without a mode the present one stays where it goes
  /// with the category.
  package func set(
    _ category: SessionCategory, mode: SessionMode? = nil, options: SessionOptions = [],
    policy: SessionPolicy = .standard
  ) throws(AudioError) {
    let old = setup.mode
    let kept = SessionSetup.modes(of: category).contains(old) && old != .dualRoute ? old : .standard
    try change(SessionSetup(category, mode ?? kept, options, policy))
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
      state.wishes.overridesOutput = false
      state.ownChanges.append((.categoryChange, before))
      return true
    }
    preferences.set {
      $0.role = setup.role
      if hasNewCategory { $0.outputUID = nil }
    }
    if hasNewCategory { checkSoon() }
  }

  // MARK: Who is told

  /// Has `observer` called, on a thread of the session's own, until `removeObserver`.
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

  /// Ends what `addObserver` began; a call that is under way continues.
  package func removeObserver(_ number: Int) {
    withState { _ = $0.observers.removeValue(forKey: number) }
  }

  /// Has it check for what has changed.
  func checkSoon() {
    guard withState({ !$0.observers.isEmpty }) else { return }
    caretaker.wake()
  }

  /// [caretaker] Has the back ends say when something of theirs changes: once.
  func observeDevices() {
    guard watch == nil else { return }
    let watch = PropertyWatch(
      answer: { [link] in
        link.session?.checkSoon()
        return ""
      }, changed: {})
    self.watch = watch
    // Where a device was named, only its back end matters: another server may hang.
    let named = (try? DeviceEnvironment.current())?.device?.backend
    for backend in named.map({ [$0] }) ?? Backends.names {
      AudioObjectListeners.shared.add(watch, of: backend)
    }
  }
}
