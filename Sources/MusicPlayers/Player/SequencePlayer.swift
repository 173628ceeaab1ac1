// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioUnitCore
import CAudioToolbox
import CRealTime
import MusicSequences
import ProcessingGraph

/// Plays a sequence: the object behind a MusicPlayer. [control thread]
///
/// A change of the sequence while it plays makes a new plan, which the next slice takes.
package final class SequencePlayer: SequenceObserver, @unchecked Sendable {  // guarded by `lock`
  package static let handles = HandleTable<SequencePlayer, MusicPlayer>(kind: 0x2B)

  private let lock = Lock()
  package private(set) var handle: MusicPlayer?
  private let makesGraph: Bool
  private let head: PlayHead
  private let messages: PlayMessages
  private var current: EventSequence?
  private var driver = Driver.nothing
  private var blocks: [ObjectIdentifier: TrackBlock] = [:]
  private var start = PlayPlan.Start(
    jump: 0, isPlaying: false, beat: 0, rate: 1, sampleRate: ClockThread.sampleRate)
  /// When it was started.
  private var startTime: UInt64 = 0
  /// Whether it has played the sequence.
  private var hasPlayed = false

  /// What calls the head.
  private enum Driver {
    case nothing
    /// `wasStarted`: the player started it, and stops it when it leaves it.
    case graph(ProcessingGraph, wasStarted: Bool)
    case thread(ClockThread)
  }

  /// A player without a sequence.
  package static func make() throws(AudioError) -> SequencePlayer {
    let player = try SequencePlayer()
    player.handle = try handles.insert(player)
    return player
  }

  /// A player without a handle. `makesGraph`: whether it makes a graph for a sequence that needs one.
  package init(makesGraph: Bool = true) throws(AudioError) {
    self.makesGraph = makesGraph
    head = try PlayHead()
    messages = PlayMessages(head)
    // Render threads must not be the first to use the table.
    _ = Handles.units
    head.formatChanged.withLock { $0 = { [weak self] in self?.formatChanged() } }
  }

  deinit { end() }

  /// Stops and disposes of a player.
  package static func dispose(_ handle: MusicPlayer) throws(AudioError) {
    guard let entered = handles.enter(handle) else { throw .stale("player") }
    let player = entered.takeUnretainedValue()
    handles.leave(handle)
    guard handles.invalidate(handle) else { throw .stale("player") }
    player.end()
    handles.finishRemoval(of: handle)
  }

  /// Stops, and lets go of the sequence and of what drives the player.
  package func end() {
    stop()
    try? set(nil)
    head.end()
  }

  // MARK: The sequence

  /// The sequence; throws if there is none.
  package var sequence: EventSequence {
    get throws(AudioError) {
      guard let current = lock.withLock({ current }) else {
        throw .noSequence.because("call MusicPlayerSetSequence first")
      }
      return current
    }
  }

  /// Gives it a sequence, whose tracks go to their default destinations, or none.
  package func set(_ new: EventSequence?) throws(AudioError) {
    guard !isPlaying else {
      throw .invalidPlayerState.because("the player plays; stop it first")
    }
    try new?.setObserver(self)
    let old = lock.withLock {
      defer {
        current = new
        start.beat = 0
        start.resets = false
        hasPlayed = false
        blocks = [:]
      }
      return current
    }
    if let old, old !== new { old.removeObserver(self) }
    leaveDriver()
    guard let new else { return }
    for track in new.tracks { try track.set { $0.destination = .automatic } }
  }

  /// [control thread] Lets go of a sequence that another player has taken.
  package func sequenceTaken(_ sequence: EventSequence) {
    let isOwn = lock.withLock {
      guard current === sequence else { return false }
      current = nil
      start.beat = 0
      start.resets = false
      hasPlayed = false
      blocks = [:]
      return true
    }
    if isOwn { leaveDriver() }
  }

  // MARK: Playing

  package var isPlaying: Bool { lock.withLock { start.isPlaying } }

  /// Prepares the graph, so that the start is quick. The sequence may have other tracks, or another
  /// graph, than at the last time.
  package func prepare() throws(AudioError) {
    let sequence = try sequence
    guard !isPlaying else { return }
    if let graph = try graph(for: sequence) {
      if !(sequence.sound is EngineSound) {
        try graph.open()
        if try !graph.isInitialized() { try graph.initialize() }
      }
      try join(graph)
    } else {
      leaveDriver()
    }
    updateRate()
    publishPlan()
  }

  /// The graph that drives the sequence; nil if none of its tracks needs one.
  private func graph(for sequence: EventSequence) throws(AudioError) -> ProcessingGraph? {
    if let graph = (sequence.sound as? any SoundingGraph)?.graph { return graph }
    guard makesGraph else { return nil }
    let needsGraph = sequence.tracks.contains { track in
      switch track.settings.destination {
      case .endpoint, .unit: false
      case .node: true
      case .automatic: sequence.endpoint == nil && track.hasSound
      }
    }
    return needsGraph ? try SequenceSound.ofSequence(sequence).graph : nil
  }

  /// Lets the renders of a graph drive the player.
  private func join(_ graph: ProcessingGraph) throws(AudioError) {
    if case .graph(let old, _) = lock.withLock({ driver }) {
      guard old !== graph else { return }
      leaveDriver()
    }
    guard let handle = head.handle else { throw .stale("player") }
    try graph.addRenderNotify(
      RenderCallback(PlayHead.notify, UnsafeMutableRawPointer(handle)))
    if let unit = graph.outputUnit {
      for id in Self.rateProperties {
        try? unit.addPropertyListener(id, PlayHead.formatListener(handle))
      }
    }
    lock.withLock { driver = .graph(graph, wasStarted: false) }
  }

  /// The properties of an output whose changes may change the rate of its frames.
  private static let rateProperties: [AudioUnitPropertyID] = [
    kAudioUnitProperty_StreamFormat, kAudioOutputUnitProperty_IsRunning,
  ]

  /// Lets go of what drives the player.
  private func leaveDriver() {
    let old = lock.withLock {
      defer { driver = .nothing }
      return driver
    }
    switch old {
    case .nothing: break
    case .thread(let thread): thread.stop()
    case .graph(let graph, let wasStarted):
      if let handle = head.handle {
        try? graph.removeRenderNotify(
          RenderCallback(PlayHead.notify, UnsafeMutableRawPointer(handle)))
        if let unit = graph.outputUnit {
          for id in Self.rateProperties {
            try? unit.removePropertyListener(
              id, PlayHead.formatListener(handle), matchingUserData: true)
          }
        }
      }
      if wasStarted { try? graph.stop() }
    }
  }

  /// Plays from the present time on.
  package func play() throws(AudioError) {
    guard !isPlaying else { return }
    try prepare()
    let now = rt_host_time()
    lock.withLock {
      start.isPlaying = true
      startTime = now
      hasPlayed = true
    }
    jump(to: lock.withLock { start.beat })
    messages.setActive(true)
    do throws(AudioError) { try startDriver(now) } catch {
      stop()
      throw error
    }
  }

  private func startDriver(_ now: UInt64) throws(AudioError) {
    switch lock.withLock({ driver }) {
    case .graph(let graph, _):
      let isOfEngine = try sequence.sound is EngineSound
      guard !isOfEngine, try !graph.isPlaying() else { return }
      try graph.start()
      lock.withLock { driver = .graph(graph, wasStarted: true) }
      // The rate of the device may be known only now.
      updateRate()
      publishPlan()
    case .nothing:
      let begin = firstTime(now)
      let thread = try ClockThread(head, messages, from: begin)
      lock.withLock { (driver, startTime) = (.thread(thread), begin) }
    case .thread: break
    }
  }

  /// The host time from which messages can be sent: not before those that were sent ahead.
  private func firstTime(_ now: UInt64) -> UInt64 {
    let sent = head.memory.pointee.position.load()?.sentUntil ?? 0
    // A program may have rendered with host times of its own.
    return sent > now && sent < now + 1_000_000_000 ? sent : now
  }

  /// Stops, and ends the notes that sound. What was sent ahead is not taken back: then the time is the
  /// end of that.
  package func stop() {
    guard isPlaying else { return }
    var beat = time
    if case .thread(let thread) = lock.withLock({ driver }) {
      thread.stop()
      let (current, jump) = lock.withLock { (self.current, start.jump) }
      if let current, let position = position(jump) {
        beat = current.tempos.beats(position.endSeconds)
      }
      lock.withLock { driver = .nothing }
    }
    lock.withLock {
      start.isPlaying = false
      start.resets = false
    }
    jump(to: beat)
    messages.setActive(false)
  }

  // MARK: Time

  /// The time in beats; setting it moves the player.
  package var time: Double {
    let now = rt_host_time()
    guard let current = lock.withLock({ current }) else { return 0 }
    let start = lock.withLock { self.start }
    guard start.isPlaying, let position = position(start.jump) else { return start.beat }
    var seconds = position.endSeconds
    if position.hostTime > 0 {
      let passed = (Double(now) - Double(position.hostTime)) * 1e-9 * position.rate
      seconds = min(max(position.seconds + passed, position.startSeconds), position.endSeconds)
    }
    return current.tempos.beats(seconds)
  }

  /// Where the head is; nil before it has taken a jump.
  private func position(_ jump: UInt64) -> PlayPosition? {
    guard let position = head.memory.pointee.position.load(), position.jump == jump else {
      return nil
    }
    return position
  }

  /// Moves to a time in beats.
  package func seek(_ beat: Double) throws(AudioError) {
    guard beat.isFinite else { throw .invalidArgument.because("\(beat) beats") }
    guard lock.withLock({ current }) != nil else { return }
    lock.withLock {
      startTime = rt_host_time()
      start.resets = start.resets || hasPlayed
    }
    jump(to: beat)
  }

  /// By how much it plays faster.
  package var rate: Double { lock.withLock { start.rate } }

  /// Sets by how much it plays faster.
  package func setRate(_ rate: Double) throws(AudioError) {
    guard rate > 0, rate <= 1_000 else {
      throw .invalidArgument.because("\(rate) as rate; expected a positive factor")
    }
    lock.withLock { start.rate = rate }
    publishPlan()
    head.takePlan()
  }

  /// A host time and the seconds of the sequence then; also those at the start, and the rate.
  private func clock() throws(AudioError) -> (
    hostTime: Double, seconds: Double, start: Double, rate: Double
  ) {
    let tempos = try sequence.tempos
    let (start, startTime) = lock.withLock { (self.start, self.startTime) }
    guard start.isPlaying else { throw .invalidPlayerState.because("the player does not play") }
    guard let position = position(start.jump), position.hostTime > 0 else {
      let seconds = tempos.seconds(start.beat)
      return (Double(startTime), seconds, seconds, start.rate)
    }
    return (
      Double(position.hostTime), position.seconds, position.startSeconds, position.rate
    )
  }

  /// The host time of a beat that is not before the start.
  package func hostTime(_ beat: Double) throws(AudioError) -> UInt64 {
    guard beat.isFinite else { throw .invalidArgument.because("\(beat) beats") }
    let clock = try clock()
    let seconds = try sequence.tempos.seconds(beat)
    guard seconds >= clock.start - 1e-9 else {
      throw .invalidPlayerState.because("beat \(beat) is before the start of the player")
    }
    let time = clock.hostTime + (seconds - clock.seconds) / clock.rate * 1e9
    guard time >= 0, time < 0x1p63 else { throw .invalidArgument.because("\(beat) beats") }
    return UInt64(time)
  }

  /// The beat of a host time that is not before the start.
  package func beats(_ hostTime: UInt64) throws(AudioError) -> Double {
    let clock = try clock()
    let seconds = clock.seconds + (Double(hostTime) - clock.hostTime) * 1e-9 * clock.rate
    guard seconds >= clock.start - 1e-6 else {
      throw .invalidPlayerState.because("that time is before the start of the player")
    }
    return try sequence.tempos.beats(seconds)
  }

  // MARK: Plans

  /// [control thread] Makes a new plan; the start makes one anyway.
  package func sequenceChanged() {
    guard isPlaying else { return }
    publishPlan()
  }

  /// [a thread without locks] Makes a new plan if the output of the graph has another rate.
  private func formatChanged() {
    let before = lock.withLock { start.sampleRate }
    updateRate()
    if lock.withLock({ start.sampleRate }) != before { sequenceChanged() }
  }

  /// Looks up the rate of the frames that drive the player. That of a device may take a while.
  private func updateRate() {
    let graph = lock.withLock { () -> ProcessingGraph? in
      guard case .graph(let graph, _) = driver else { return nil }
      return graph
    }
    let rate = graph?.sampleRate ?? 0
    lock.withLock { start.sampleRate = rate >= 1 ? rate : ClockThread.sampleRate }
  }

  private func jump(to beat: Double) {
    lock.withLock {
      start.beat = beat
      start.jump += 1
    }
    publishPlan()
    // A slice that is being played has another plan; a render thread does not wait for it.
    let isWaiting = rt_current().pointee.depth == 0
    waitPolling(every: 100, until: rt_host_time() + 100_000_000) {
      !head.takePlan() && isWaiting
    }
  }

  /// Gives the head the present events, settings and tempos.
  private func publishPlan() {
    lock.withLock {
      guard let current else { return }
      start.number += 1
      var graph: ProcessingGraph?
      if case .graph(let found, _) = driver { graph = found }
      let targets = Targets(
        graph: graph, endpoint: current.endpoint, sound: current.sound as? EngineSound,
        sampleRate: start.sampleRate)
      let tracks = current.tracks
      let isSolo = tracks.contains { $0.settings.isSoloed }
      var kept: [ObjectIdentifier: TrackBlock] = [:]
      var list: [PlayTrack] = []
      for track in tracks {
        let settings = track.settings
        let block = block(of: track, settings)
        kept[ObjectIdentifier(track)] = block
        guard !settings.isMuted, !isSolo || settings.isSoloed else { continue }
        list.append(
          PlayTrack(
            block, settings, length: track.length, handle: UInt(bitPattern: track.handle),
            target: targets.target(settings.destination)))
      }
      blocks = kept
      head.publish(PlayPlan(start, current.tempos, list, Array(kept.values)))
    }
  }

  private func block(of track: EventTrack, _ settings: TrackSettings) -> TrackBlock {
    if let known = blocks[ObjectIdentifier(track)], known.editCount == track.editCount,
      known.isAutomated == settings.isAutomated
    {
      return known
    }
    return TrackBlock(track, isAutomated: settings.isAutomated)
  }
}
