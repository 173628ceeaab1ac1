// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import CommandSupport
import ToneModel

/// Completions that depend on the machine, such as devices, or on what is typed.
enum DynamicCompletions {
  /// The words of a kind after earlier arguments; the caller filters out those that do not begin with
  /// `text`.
  static func words(_ kind: String, _ text: String, after earlier: [String]) -> [String] {
    switch kind {
    case "unit": units(text)
    case "unit or file": units(text) + [Completion.files]
    case "settings": UnitSpec.completions(text)
    case "device": devices
    case "device or set": ["set"] + devices
    case "aggregate": AggregateReport.all.map(\.uid)
    case "code": ExplainCommand.names
    case "type": CodeNames.typeNames
    case "frequency": frequencies(text)
    case "tone": tones(text)
    case "tag": MetadataEdit.keys.map { "\($0)=" }
    case "midi": midi(text, after: earlier)
    default: []
    }
  }

  private static var devices: [String] { HardwareObject.all.compactMap(\.uid) }

  /// Short names and codes; constants only once one is begun, because all of them begin alike.
  private static func units(_ text: String) -> [String] {
    UnitComponent.all().flatMap(\.words) + (text.hasPrefix("k") ? ComponentKeys.names : [])
  }

  /// Frequencies of measurements; notes once a letter is typed.
  private static func frequencies(_ text: String) -> [String] {
    text.isEmpty || text.first?.isNumber == true
      ? ["20", "50", "100", "440", "997", "1k", "10k", "20k", "A4"] : notes
  }

  private static var notes: [String] {
    (0...9).flatMap { octave in
      ["C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B"].map { "\($0)\(octave)" }
    }
  }

  /// A frequency; after a comma what a tone has besides.
  private static func tones(_ text: String) -> [String] {
    guard let comma = text.lastIndex(of: ",") else { return frequencies(text) }
    return (ToneWaveform.allCases.map(\.rawValue) + ToneChannels.names).map {
      "\(text[...comma])\($0)"
    }
  }

  /// What follows an action of `au midi`.
  private static func midi(_ text: String, after earlier: [String]) -> [String] {
    func names(_ endpoints: [MIDIEndpointsReport.Endpoint]) -> [String] {
      endpoints.map(\.name).filter { !$0.isEmpty }
    }
    let isFirst = earlier.count == 1
    func sources() -> [String] { names(MIDIEndpointsReport().sources) }
    func destinations() -> [String] { names(MIDIEndpointsReport().destinations) }
    return switch earlier.first {
    case "monitor": sources()
    case "record": isFirst ? [Completion.files] : sources()
    case "play": isFirst ? [Completion.files] : earlier.count == 2 ? destinations() : []
    case "keyboard": isFirst ? destinations() : []
    case "send": isFirst ? destinations() : messages(after: earlier.last ?? "")
    default: []
    }
  }

  /// The words of a message: a key after what needs one.
  private static func messages(after word: String) -> [String] {
    ["note", "on", "off", "aftertouch"].contains(word) ? notes : TypedMIDI.verbs
  }
}
