// SPDX-License-Identifier: Apache-2.0
public import AudioSupport
import Glibc

/// The environment variables for devices, read again each time a program opens a stream.
///
/// `AUDIOTOOLBOX_DEVICE` selects a device. The others configure the devices without hardware,
/// `null` and `file`: `AUDIOTOOLBOX_RATE`, `AUDIOTOOLBOX_FRAMES`, `AUDIOTOOLBOX_CHANNELS`,
/// `AUDIOTOOLBOX_CLOCK=fast`, `AUDIOTOOLBOX_INPUT=loop`. An empty variable counts as unset.
public struct DeviceEnvironment: Equatable, Sendable {
  /// The clock of the cycles.
  public enum Clock: String, CaseIterable, Sendable {
    /// The machine's clock.
    case paced
    /// No clock: each cycle follows the previous one immediately, with simulated times.
    case fast
  }

  /// What happens at the end of an input file.
  public enum InputEnd: String, CaseIterable, Sendable { case silence, loop }

  /// The requested device. Nil lets the library choose.
  public var device: DeviceName?
  /// Frames per second, 1,000...768,000.
  public var sampleRate = 48_000.0
  /// Whether `sampleRate` is a program's preference, which an input file overrules.
  var prefersSampleRate = false
  /// Frames of a cycle, 1...65,536.
  public var cycleFrames = 512
  /// Channels of each direction, 1...256.
  public var channelCount = 2
  public var clock = Clock.paced
  public var inputEnd = InputEnd.silence
  /// The program's preferences, which may change while a stream runs.
  public var preferences = DevicePreferences.process
  /// Rates that may be requested, only one if the environment fixes it.
  public var sampleRates = sampleRateLimits
  /// Cycle sizes that may be requested, only one if the environment fixes it.
  public var cycleFramesRange = cycleFramesLimits
  /// Channel counts that may be requested, only one if the environment fixes it.
  public var channelCounts = channelCountLimits

  /// The defaults, as if no variable were set.
  public init() {}

  /// Reads variables.
  ///
  /// - Parameter variable: Returns the value of a variable, nil if it is not set.
  /// - Throws: An error that names the variable, its value, and the expected values.
  public init(reading variable: (String) -> String?) throws(AudioError) {
    func text(_ name: String) -> String? { variable(name).flatMap { $0.isEmpty ? nil : $0 } }
    func number(
      _ name: String, _ range: ClosedRange<Int>, _ what: String
    ) throws(AudioError) -> Int? {
      guard let text = text(name) else { return nil }
      // Int("+5") is 5; a variable has digits only.
      guard text.utf8.allSatisfy({ (48...57).contains($0) }), let value = Int(text),
        range.contains(value)
      else {
        let expected = "a whole number of \(what) from \(range.lowerBound) to \(range.upperBound)"
        throw .failedInitialization.because("\(name) is \"\(text)\": expected \(expected)")
      }
      return value
    }
    func word<Word: RawRepresentable & CaseIterable>(
      _ name: String, _: Word.Type
    ) throws(AudioError) -> Word? where Word.RawValue == String {
      guard let text = text(name) else { return nil }
      guard let word = Word(rawValue: text) else {
        let words = Word.allCases.map(\.rawValue).joined(separator: " or ")
        throw .failedInitialization.because("\(name) is \"\(text)\": expected \(words)")
      }
      return word
    }

    device = text("AUDIOTOOLBOX_DEVICE").map { DeviceName($0) }
    let rates = Self.sampleRateLimits
    if let rate = try number(
      "AUDIOTOOLBOX_RATE", Int(rates.lowerBound)...Int(rates.upperBound), "frames per second")
    {
      sampleRate = Double(rate)
      sampleRates = sampleRate...sampleRate
    }
    if let frames = try number("AUDIOTOOLBOX_FRAMES", Self.cycleFramesLimits, "frames per cycle") {
      cycleFrames = frames
      cycleFramesRange = frames...frames
    }
    if let count = try number("AUDIOTOOLBOX_CHANNELS", Self.channelCountLimits, "channels") {
      channelCount = count
      channelCounts = count...count
    }
    clock = try word("AUDIOTOOLBOX_CLOCK", Clock.self) ?? clock
    inputEnd = try word("AUDIOTOOLBOX_INPUT", InputEnd.self) ?? inputEnd
  }

  /// Sets the rate that a program prefers.
  public mutating func prefer(sampleRate: Double) {
    self.sampleRate = sampleRate
    prefersSampleRate = true
  }

  private static let sampleRateLimits = 1_000.0...768_000.0
  /// The frames that a device may exchange at once.
  public static let cycleFramesLimits = 1...65_536
  private static let channelCountLimits = 1...256
}

extension DeviceEnvironment {
  /// [control thread] The environment of a call of the program, with the program's preferences.
  public static func current() throws(AudioError) -> Self {
    let context = DeviceContext.current
    // A test's environment is complete, unless the test sets preferences too.
    if let environment = context.environment, context.preferences == .process {
      return environment
    }
    let environment =
      if let environment = context.environment { environment } else {
        try Self { name in getenv(name).map { String(cString: $0) } }
      }
    return context.preferences.applied(to: environment)
  }
}
