// SPDX-License-Identifier: Apache-2.0
import AVFAudio
@_spi(TrappingConversions) import CheckedNumbers

/// What the audio session grants in each category.
struct SessionReport: Encodable {
  /// The requested values; nil means no preference.
  struct Preferences: Encodable {
    var sampleRate: Double?
    var seconds: Double?
  }

  /// A port to play to or capture from.
  struct Port: Encodable {
    var type: String
    var name: String
    var uid: String
    var channels: Int
  }

  /// One category.
  struct Entry: Encodable {
    var category: String
    var mode: String
    /// Why it cannot be activated; nil if it can.
    var problem: String?
    var sampleRate: Double
    var cycleFrames: Int
    var seconds: Double
    var inputChannels: Int
    var outputChannels: Int
    var inputLatency: Double
    var outputLatency: Double
    var inputs: [Port]
    var outputs: [Port]
    /// Other available inputs.
    var otherInputs: [Port]
  }

  var preferred: Preferences
  var outputVolume: Float
  var isOtherAudioPlaying: Bool
  var categories: [Entry] = []

  /// Sets the session to each category in turn, activates it, and reads its values.
  init(
    _ categories: [SessionChoice.Category], mode: SessionChoice.Mode?, sampleRate: Double?,
    seconds: Double?
  ) throws {
    let session = AVAudioSession.sharedInstance()
    preferred = Preferences(sampleRate: sampleRate, seconds: seconds)
    try session.setPreferredSampleRate(sampleRate ?? 0)
    try session.setPreferredIOBufferDuration(seconds ?? 0)
    outputVolume = session.outputVolume
    isOtherAudioPlaying = session.isOtherAudioPlaying
    for category in categories {
      self.categories.append(try Entry(category, mode, of: session))
    }
  }

  /// A table to read.
  var text: String {
    var table = TextTable(["CATEGORY", "RATE", "CYCLE", "LATENCY", "PLAYS TO", "CAPTURES FROM"])
    for entry in categories { entry.add(to: &table) }
    let rate = preferred.sampleRate.map { "\(Numbers.plain($0)) Hz" } ?? "no rate"
    let cycle = preferred.seconds.map { "a cycle of \(Numbers.plain($0 * 1_000)) ms" } ?? "no cycle"
    var text = "Preferred: \(rate), \(cycle)\n\n\(table.text)"
    for entry in categories {
      if let problem = entry.problem { text += "\n\(entry.category): \(problem)\n" }
    }
    return text
  }
}

extension SessionReport.Entry {
  fileprivate init(
    _ word: SessionChoice.Category, _ modeWord: SessionChoice.Mode?, of session: AVAudioSession
  ) throws {
    try session.setCategory(word.value, mode: modeWord?.value ?? .default)
    do {
      try session.setActive(true)
      try session.setActive(false)
    } catch { problem = error.localizedDescription }
    category = word.rawValue
    mode = (modeWord ?? .default).rawValue
    sampleRate = session.sampleRate
    seconds = session.ioBufferDuration
    cycleFrames = Int(saturating: (seconds * sampleRate).rounded())
    inputChannels = session.inputNumberOfChannels
    outputChannels = session.outputNumberOfChannels
    inputLatency = session.inputLatency
    outputLatency = session.outputLatency
    let route = session.currentRoute
    inputs = route.inputs.map(SessionReport.Port.init)
    outputs = route.outputs.map(SessionReport.Port.init)
    otherInputs = (session.availableInputs ?? []).filter { !route.inputs.contains($0) }
      .map(SessionReport.Port.init)
  }

  fileprivate func add(to table: inout TextTable) {
    let milliseconds = Numbers.plain((seconds * 100_000).rounded() / 100)
    let latency = Numbers.plain(((outputLatency + inputLatency) * 100_000).rounded() / 100)
    table.add(
      category, sampleRate > 0 ? Numbers.plain(sampleRate) : "-",
      cycleFrames > 0 ? "\(cycleFrames) (\(milliseconds) ms)" : "-", "\(latency) ms",
      words(outputs), words(inputs))
  }

  private func words(_ ports: [SessionReport.Port]) -> String {
    ports.isEmpty
      ? "-" : ports.map { "\($0.name) (\($0.type), \($0.channels))" }.joined(separator: ", ")
  }
}

extension SessionReport.Port {
  fileprivate init(_ port: AVAudioSessionPortDescription) {
    type = port.portType.rawValue
    name = port.portName
    uid = port.uid
    channels = port.channels?.count ?? 0
  }
}
