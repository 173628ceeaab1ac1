// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioCodecs
import CAudioToolbox
import Glibc

/// Where the sounds of an instrument unit come from.
enum BankSource: Equatable, Sendable {
  /// The system's bank, as found by `BankFile.defaultPath`.
  case system
  /// A SoundFont or DLS file.
  case file(String)
  /// A SoundFont that was made of sound files, at these paths.
  case samples(bytes: [UInt8], paths: [String])
}

/// An instrument of a bank, as hosts list it.
struct BankInstrument: Equatable, Sendable {
  var name: String
  /// Bank 128 has the drum kits.
  var bank: Int
  var program: Int

  /// Its identifier in MusicDevice.h: bank and program; for drum kits the highest bit is set.
  var id: MusicDeviceInstrumentID {
    bank == SynthRack.percussionBank
      ? 0x8000_0000 | UInt32(clamping: program)
      : UInt32(clamping: bank & 0x7fff) << 16 | UInt32(clamping: program)
  }
}

/// The bank that instrument units play unless a program selects another.
enum BankFile {
  /// [control thread] Opens FluidSynth.
  static func findLibrary() throws(AudioError) {
    var reason = [CChar](repeating: 0, count: 512)
    guard synth_open(&reason, reason.count) else {
      throw .failedInitialization.because("instruments are played by FluidSynth: \(text(reason))")
    }
  }

  /// [control thread] The path of the bank: `AUDIOTOOLBOX_BANK`, or the first of the `names` that
  /// exists in a data folder of the system.
  static func defaultPath() throws(AudioError) -> String {
    if let named = getenv("AUDIOTOOLBOX_BANK").map({ String(cString: $0) }), !named.isEmpty {
      return named
    }
    let folders = getenv("XDG_DATA_DIRS").map { String(cString: $0) } ?? ""
    let all = (folders.isEmpty ? "/usr/local/share:/usr/share" : folders).split(separator: ":")
    for folder in all {
      for name in names where access("\(folder)/\(name)", R_OK) == 0 { return "\(folder)/\(name)" }
    }
    throw .failedInitialization.because(
      "there is no bank of instruments: none of \(names.joined(separator: ", ")) is in "
        + "\(all.joined(separator: " or ")) (package timgm6mb-soundfont); AUDIOTOOLBOX_BANK or "
        + "kMusicDeviceProperty_SoundBankURL can name another")
  }

  /// The usual paths of default banks in Linux distributions, relative to a data folder.
  private static let names = [
    "sounds/sf2/default-GM.sf2", "sounds/sf3/default-GM.sf3", "soundfonts/default.sf2",
    "soundfonts/default.sf3", "sounds/sf2/FluidR3_GM.sf2", "soundfonts/FluidR3_GM.sf2",
    "sounds/sf2/TimGM6mb.sf2", "sounds/sf3/MuseScore_General.sf3",
  ]

  /// A C string as text.
  static func text(_ reason: [CChar]) -> String {
    String(decoding: reason.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
