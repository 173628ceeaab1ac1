// SPDX-License-Identifier: Apache-2.0
import CommandSupport
import Foundation
import PlainText
import ToneModel
import ToneTexts

/// The application in a terminal: keys change the model, and the screen shows it.
final class TerminalView {
  /// Seconds between two refreshes while it plays; while nothing plays, nothing is redrawn.
  private static let refreshInterval = 0.033
  /// Seconds between two looks for a device while there is none.
  private static let deviceInterval = 2.0
  /// Seconds that a letter's note sounds: longer than a keyboard waits before a key repeats.
  private static let letterDuration = 0.6

  let model: ToneModel
  private let terminal = Terminal()
  private let signals = Signals(
    Signals.ending + [SIGWINCH, SIGTSTP], lastResort: { TerminalRestorer.restore() })
  private let input: ToneMIDIInput?
  private let keys: ToneKeys
  /// The letters as keys of a piano; nil while they have their usual functions.
  private var letters: TypewriterKeys?
  private var screen: Screen
  var state = Page.State()
  private var meter = Meter()
  private let analyzer = SpectrumAnalyzer()
  private var presetIndex = -1
  /// The devices; nil until the first screen is drawn, because servers may take their time to answer.
  private var knownDevices: ToneDevices?
  private let deviceNotice = DeviceNotice()

  private init(_ model: ToneModel, by input: ToneMIDIInput?) {
    self.model = model
    self.input = input
    keys = ToneKeys(model)
    screen = Screen(terminal)
  }

  /// Why the view ended.
  private enum End: Error {
    case quit
    case signal(Int32)
  }

  /// Shows the model until the user quits or a signal arrives; then restores the terminal. A MIDI
  /// source may play it too.
  static func run(_ model: ToneModel, by input: ToneMIDIInput? = nil) throws {
    let view = TerminalView(model, by: input)
    view.state.plotKind = .scope
    defer { view.terminal.leave() }
    do {
      try view.draw()
      // A device that the environment names is there or reported.
      if !ToneDevices.isNamed { _ = view.devices() }
      while true {
        try view.draw()
        try view.wait()
      }
    } catch End.signal(let signal) {
      model.stop()
      view.terminal.leave()
      Signals.endProcess(by: signal)
    } catch End.quit {
      model.stop()
    }
  }

  // MARK: Waiting

  /// Waits for a key, a signal or the time of the next refresh.
  private func wait() throws {
    var descriptors = [
      pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0),
      pollfd(fd: signals.descriptor, events: Int16(POLLIN), revents: 0),
      // A negative descriptor is none.
      pollfd(fd: input?.descriptor ?? -1, events: Int16(POLLIN), revents: 0),
      pollfd(fd: deviceNotice.descriptor, events: Int16(POLLIN), revents: 0),
    ]
    let moves = model.isPlaying || meter.level.isFinite
    let interval = moves ? Self.refreshInterval : state.isUnheard ? Self.deviceInterval : -1
    let count = poll(&descriptors, 4, interval < 0 ? -1 : Int32(interval * 1_000))
    endNotesOfLetters()
    if count == 0, moves { tick() }
    // A server that starts may be seen before it has devices.
    if descriptors[3].revents != 0 || count == 0 && !moves { readDevices() }
    if descriptors[1].revents != 0 {
      while let signal = signals.next() { try handle(signal) }
    }
    if descriptors[2].revents != 0 { playKeys() }
    if descriptors[0].revents != 0 {
      guard let bytes = terminal.read() else { throw End.quit }
      for key in Key.keys(bytes) { try handle(key) }
    }
  }

  /// Obeys what the MIDI source has sent.
  private func playKeys() {
    for message in input?.take() ?? [] { play(message.status, message.first, message.second) }
  }

  private func play(_ status: UInt8, _ first: UInt8, _ second: UInt8) {
    do { try keys.receive(status, first, second) } catch { state.message = "\(error)" }
  }

  /// Reads the list of devices, which has changed.
  private func readDevices() {
    deviceNotice.clear()
    guard let knownDevices else { return }
    if model.fallBackToDefaultDevice(unlessIn: knownDevices) {
      state.message = tr("The device is gone.")
    }
  }

  // MARK: Letters

  /// Handles a key while the letters play; false if it has its usual function.
  private func handleAsLetter(_ key: Key) -> Bool {
    guard letters != nil, state.entry == nil else { return false }
    if key == .escape {
      endLetters()
      return true
    }
    guard case .character(let character) = key, let byte = character.asciiValue,
      let pressed = TypewriterKeys.key(byte), pressed != .sustain, pressed != .quit
    else { return false }
    playLetters { $0.press(pressed, at: Self.now) }
    return true
  }

  /// The notes end whose time is over.
  private func endNotesOfLetters() { playLetters { $0.endNotes(at: Self.now) } }

  /// Gives the letters their usual functions again. A tone that no key holds is over.
  private func endLetters() {
    playLetters { $0.endAll() }
    letters = nil
    if model.isMuted { model.stop() }
  }

  private func playLetters(_ body: (inout TypewriterKeys) -> [[UInt8]]) {
    guard var letters else { return }
    for message in body(&letters) { play(message[0], message[1], message[2]) }
    self.letters = letters
  }

  /// In seconds.
  private static var now: Double { ProcessInfo.processInfo.systemUptime }

  private func handle(_ signal: Int32) throws {
    switch signal {
    case SIGWINCH: screen.invalidate()
    case SIGTSTP: suspend()
    default: throw End.signal(signal)
    }
  }

  /// Stops the process as a job, and restores its state afterwards.
  private func suspend() {
    let wasPlaying = model.isPlaying
    model.stop()
    terminal.leave()
    kill(getpid(), SIGSTOP)
    terminal.enter()
    screen.invalidate()
    if wasPlaying { play() }
  }

  private func tick() {
    meter.update(model.readAndResetPeak(), seconds: Self.refreshInterval)
    switch model.nextDeviceChange() {
    case .interrupted(let reason): state.message = tr("The device does not play: {}", reason)
    case .resumed: state.message = ""
    case .replaced: state.message = tr("The device is gone; another one has replaced it.")
    case .gone: state.message = tr("The device is gone; space tries again.")
    case nil: break
    }
    endKeysOfLostSource()
  }

  /// A source that is unplugged sends no end of its notes.
  private func endKeysOfLostSource() {
    guard let input, !input.isConnected, keys.areHeld else { return }
    keys.releaseAll()
    state.message = tr("The MIDI source is gone.")
  }

  // MARK: Drawing

  private func draw() throws {
    state.tone = model.tone
    state.tone.frequency = model.frequency
    state.scale = model.levelScale
    state.levelUnit = model.shownUnit
    state.lockedFrequency = model.tone.lineFrames == nil ? nil : model.soundingFrequency
    (state.selection, state.toneCount) = (model.selection, model.tones.count)
    state.plots = plots()
    state.letterA = letters.map { Int($0.lowest) }
    state.note = model.note
    state.isPlaying = model.isPlaying
    state.device = model.device.map(Texts.namedDevice)
    state.isUnheard = model.isUnheard(of: knownDevices)
    state.meter = meter.level
    let size = terminal.size
    guard screen.draw(Page(state: state, size: size).lines, size: size) else { throw End.quit }
  }

  private func plots() -> SignalPlots? {
    guard let device = model.device, state.plotKind != .nothing else { return nil }
    var plots = SignalPlots()
    let columns = max(2, terminal.size.columns - 2)
    let left = model.lastSamples(SpectrumAnalyzer.frameCount, channel: 0)
    if state.plotKind == .spectrum {
      plots.levels = analyzer.levels(of: left, sampleRate: device.sampleRate, columns)
      return plots
    }
    let right = device.channelCount > 1 ? model.lastSamples(left.count, channel: 1) : left
    let peak = max(left.map(\.magnitude).max() ?? 0, right.map(\.magnitude).max() ?? 0, 1e-6)
    let lowest = model.tones.map(\.frequency).min() ?? 440
    let frequency = model.tones.count == 1 ? model.frequency : lowest
    let span = Scope.span(of: frequency, sampleRate: device.sampleRate)
    let start = Scope.start(left.contains { $0 != 0 } ? left : right, span: span)
    func curve(_ samples: [Float]) -> [Float] {
      Scope.curve(samples, from: start, span: Double(span), points: 2 * columns).map { $0 / peak }
    }
    plots.left = curve(left)
    if right != left { plots.right = curve(right) }
    return plots
  }

  // MARK: Keys

  private func handle(_ key: Key) throws {
    guard key != .redraw else { return screen.invalidate() }
    state.message = ""
    if model.pendingLevel != nil { return model.confirm(loud: key == .character("y")) }
    if handleOnKeyPage(key) || handleInPrompt(key) || handleAsLetter(key)
      || handleInEntry(key)
    {
      return
    }
    try move(key)
    if let pending = model.pendingLevel {
      state.message = tr(
        "{} can hurt; y sets it, any other key cancels.", Texts.level(pending))
    }
  }

  private func move(_ key: Key) throws {
    switch key {
    case .left: model.step(semitones: -1)
    case .right: model.step(semitones: 1)
    case .shiftLeft: model.step(semitones: -0.01)
    case .shiftRight: model.step(semitones: 0.01)
    case .up: model.step(hertz: 1)
    case .down: model.step(hertz: -1)
    case .shiftUp: model.step(hertz: 0.1)
    case .shiftDown: model.step(hertz: -0.1)
    case .controlUp: model.step(hertz: 0.01)
    case .controlDown: model.step(hertz: -0.01)
    case .controlShiftUp: model.step(hertz: 0.001)
    case .controlShiftDown: model.step(hertz: -0.001)
    case .tab: model.select((model.selection + 1) % model.tones.count)
    case .pageUp: model.frequency *= 2
    case .pageDown: model.frequency /= 2
    case .character(let character): try handle(character)
    default: break
    }
  }

  private func handle(_ character: Character) throws {
    switch character {
    case " ": toggle()
    case "+", "=": model.step(decibels: 1)
    case "-", "_": model.step(decibels: -1)
    case "w": model.waveform = model.waveform.next
    case "W": model.waveform = model.waveform.previous
    case "v": state.plotKind = after(state.plotKind)
    case "o": useNextPreset()
    case "t": useNextDevice()
    case ":": state.prompt = ""
    case "?": state.keysFrom = 0
    case "q", "Q": throw End.quit
    default: change(character)
    }
  }

  /// Handles a key that changes the tone.
  private func change(_ character: Character) {
    switch character {
    case "<": model.tone.dutyCycle = max(1, model.tone.dutyCycle - 1)
    case ">": model.tone.dutyCycle = min(99, model.tone.dutyCycle + 1)
    case "n":
      let before = model.tones
      model.addTone()
      state.message = Texts.added(before, model.tones) ?? ""
    case "N": model.removeTone()
    case "c":
      model.tone.channels = []
      model.tone.side = after(model.tone.side)
    case "p": model.tone.phase = turned(by: 15)
    case "P": model.tone.phase = turned(by: -15)
    case "i": model.tone.isInverted.toggle()
    case "k": letters = TypewriterKeys(channel: 0, duration: Self.letterDuration, isLoud: true)
    case "s": model.sweep = model.sweep == nil ? ToneSweep() : nil
    default: break
    }
  }

  /// The phase of the right side plus some degrees, from above -180 to 180.
  private func turned(by degrees: Double) -> Double {
    let sum = model.tone.phase + degrees
    return sum > 180 ? sum - 360 : sum <= -180 ? sum + 360 : sum
  }

  private func after<Choice: CaseIterable & Equatable>(_ choice: Choice) -> Choice {
    let all = Array(Choice.allCases)
    let index = all.firstIndex(of: choice) ?? 0
    return all[(index + 1) % all.count]
  }

  private func useNextPreset() {
    do {
      let presets = TonePreset.builtIn + (try PresetStore().load())
      presetIndex = (presetIndex + 1) % presets.count
      try model.replaceTones(presets[presetIndex].tones)
      state.message = tr("Preset: {}", tr(presets[presetIndex].name))
    } catch { state.message = "\(error)" }
  }

  /// The currently available devices.
  private func devices() -> ToneDevices {
    if let knownDevices {
      knownDevices.refresh()
      return knownDevices
    }
    let notice = deviceNotice
    let devices = ToneDevices { notice.give() }
    knownDevices = devices
    return devices
  }

  /// Selects the next device; after the last comes the default device.
  private func useNextDevice() {
    let all = devices().all
    let index = all.firstIndex { $0.uid == model.deviceChoice }
    let next = index.map { $0 + 1 } ?? 0
    model.deviceChoice = next < all.count ? all[next].uid : nil
    state.message =
      next < all.count
      ? tr("Playing to {}.", all[next].name) : tr("Playing to the default output.")
  }

  private func toggle() {
    if model.isPlaying {
      model.stop()
      meter = Meter()
    } else {
      play()
    }
  }

  private func play() {
    do { try model.play() } catch { state.message = "\(error)" }
  }

  /// Handles a key while the list of keys is shown: scrolls it, or hides it.
  private func handleOnKeyPage(_ key: Key) -> Bool {
    guard let first = state.keysFrom else { return false }
    let size = terminal.size
    let steps: [Key: Int] = [.down: 1, .up: -1, .pageDown: size.rows / 2, .pageUp: -size.rows / 2]
    let last = Page(state: state, size: size).lastKeysFrom
    state.keysFrom = steps[key].map { min(max(first + $0, 0), last) }
    return true
  }

  /// Handles a key of the command line; false while there is none.
  private func handleInPrompt(_ key: Key) -> Bool {
    guard var text = state.prompt else { return false }
    switch key {
    case .character(let character): text.append(character)
    case .backspace where !text.isEmpty: text.removeLast()
    case .escape, .backspace:
      state.prompt = nil
      return true
    case .enter:
      state.prompt = nil
      if ["help", "?"].contains(text.trimmingCharacters(in: .whitespaces)) {
        state.keysFrom = 0
        return true
      }
      do {
        state.message = try Prompt(model: model, devices: devices).run(text)
      } catch { state.message = "\(error)" }
      return true
    default: break
    }
    state.prompt = text
    return true
  }
}
