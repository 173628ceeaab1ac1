// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import ToneModel
@_spi(TrappingConversions) import CheckedNumbers

/// A unit, as the window of `au view` shows and changes it, and what is heard of it. All members belong to the main
/// thread.
@_spi(Window) public final class UnitModel {
  private let viewed: ViewedUnit
  private let sound: ViewSound
  private let plot: ViewPlot?

  /// The name of the unit.
  public let name: String
  /// The name of its maker; empty if nobody knows.
  public let maker: String
  /// The parameters in their groups.
  public let groups: [Group]
  /// Whether there is something to hear.
  public let canPlay: Bool

  /// Parameters that are shown together.
  public struct Group {
    /// Empty: there is only one group.
    public let name: String
    /// In the order of the unit.
    public let parameters: [Parameter]
  }

  init(_ viewed: ViewedUnit, _ sound: ViewSound, _ plot: ViewPlot?, canPlay: Bool) {
    self.viewed = viewed
    self.sound = sound
    self.plot = plot
    self.canPlay = canPlay
    let words = viewed.title.split(separator: ":", maxSplits: 1)
      .map { $0.drop { $0 == " " }.description }
    name = words.last ?? ""
    maker = words.count > 1 ? words[0] : ""
    groups = ViewedGroup.all(of: viewed.unit).map { group in
      Group(name: group.name ?? "", parameters: group.parameters.map(Parameter.init))
    }
  }

  // MARK: Sound

  /// What sounds: the name of a file, "input", or nothing.
  public var source: String { sound.text }
  /// Whether it sounds.
  public var isPlaying: Bool { sound.isPlaying }
  /// Starts and stops the sound.
  /// - Throws: Why the device does not play.
  public func togglePlaying() throws { try sound.toggle() }
  /// Whether it plays notes.
  public var playsNotes: Bool { viewed.playsNotes }
  /// Plays a note for a moment; false: it is not playing, or refuses.
  public func playNote() -> Bool { isPlaying && sound.playNote(60) }
  /// The highest level since the last call, in dBFS.
  public func takePeak() -> Double { sound.takePeak() }
  /// The last samples of the output, for a spectrum, and their rate.
  public var lastSamples: [Float] { sound.lastSamples }
  /// In Hz.
  public var sampleRate: Double { sound.sampleRate }
  /// Why the last render had no sound of the unit; nil: it had.
  public func takeRenderError() -> String? { viewed.takeRenderError() }

  // MARK: Settings

  /// The names of all presets: those of the unit, then those of the user.
  public var presets: [String] { viewed.presets.map(\.name) }
  /// The one that was chosen last; nil: none.
  public var presetIndex: Int? { viewed.presetIndex }
  /// Whether a preset is one of the user, which can be deleted.
  public func isOfUser(_ index: Int) -> Bool { viewed.presets[index].ofUser != nil }
  /// Selects a preset; false: the unit refuses.
  public func selectPreset(_ index: Int) -> Bool { viewed.selectPreset(index) }
  /// Saves the setting as a preset of the user; one with the same name is replaced.
  /// - Throws: Why it cannot be written.
  public func savePreset(_ name: String) throws { try viewed.savePreset(name) }
  /// Deletes a preset of the user.
  /// - Throws: Why its file remains.
  public func deletePreset(_ index: Int) throws { try viewed.deletePreset(index) }
  /// The setting in use: 0 is A, 1 is B.
  public var setting: Int { viewed.setting }
  /// Changes to the other setting; false: the unit refuses.
  public func exchangeSettings() -> Bool { viewed.exchangeSettings() }
  /// Makes the other setting the same as this one.
  public func copySetting() { viewed.copySetting() }
  /// Sets every parameter to its default.
  public func setDefaults() { viewed.setDefaults() }
  /// Whether it is bypassed; nil: it cannot be.
  public var isBypassed: Bool? { viewed.isBypassed }
  /// Bypasses the unit, or ends that.
  public func toggleBypass() { viewed.toggleBypass() }

  // MARK: Response

  /// The magnitude of the response from 20 Hz to half the sample rate, in decibels, and the range to show.
  public struct Response {
    /// The levels, at equal steps of a logarithmic scale.
    public let levels: [Double]
    /// What of them to show.
    public let range: ClosedRange<Double>
  }

  /// Whether the unit has a response that can be measured.
  public var hasResponse: Bool { plot != nil }
  /// The values on which the response depends.
  public var values: [Float] { viewed.values }
  /// The response with the current setting, measured again if that has changed; nil: the unit gives none.
  public func response(columns: Int) -> Response? {
    plot?.curve(of: viewed, columns: columns).map { Response(levels: $0.levels, range: $0.range) }
  }

  // MARK: Parameters

  /// A parameter, with the control that fits it.
  public struct Parameter {
    private let viewed: ViewedParameter

    init(_ viewed: ViewedParameter) { self.viewed = viewed }

    /// What people use to change it.
    public enum Control {
      /// Nothing: it is only shown.
      case meter
      /// A switch: on is 1, off is 0.
      case toggle
      /// A menu of names; the first is that of the lowest value.
      case menu([String])
      /// A field for whole numbers.
      case wholeNumber
      /// A slider.
      case slider
    }

    /// What people use to change it.
    public var control: Control {
      if viewed.isMeter || range.lowerBound >= range.upperBound { return .meter }
      if !viewed.about.valueNames.isEmpty { return .menu(viewed.about.valueNames) }
      if viewed.about.info.unit == .boolean { return .toggle }
      return viewed.isNumbered ? .wholeNumber : .slider
    }

    /// Its name.
    public var name: String { viewed.about.name }
    /// The lowest and the highest value.
    public var range: ClosedRange<Float> {
      let (low, high) = (viewed.about.info.minValue, viewed.about.info.maxValue)
      return min(low, high)...max(low, high)
    }
    /// The value; the lowest one if it cannot be read.
    public var value: Float { viewed.value }
    /// Sets a value; false: the unit refuses.
    @discardableResult public func set(_ value: Float) -> Bool { viewed.set(value) }
    /// Sets the value that somebody types, such as "1k" or "-6dB".
    /// - Throws: What is expected.
    public func type(_ text: String) throws { try viewed.type(text) }
    /// A value with its unit, or its name.
    public func text(_ value: Float) -> String { viewed.text(value) }
    /// The place of a value on a slider, which may be logarithmic: from 0 to 1.
    public func place(_ value: Float) -> Double { viewed.place(value) }
    /// The value at a place.
    public func value(at place: Double) -> Float { viewed.value(at: place) }
    /// Moves it on its slider, by a part of the slider's length.
    public func move(by part: Double) { set(value(at: place(value) + part)) }
  }
}
