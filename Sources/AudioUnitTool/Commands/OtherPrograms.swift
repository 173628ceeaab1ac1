// SPDX-License-Identifier: Apache-2.0
import CommandSupport
import Foundation
import PlainText
import ToneModel

/// Words of sox and ffmpeg, and what is written here in their place.
enum OtherPrograms {
  /// Options, by their names with the minus.
  static let options = [
    "-i": "an input is written without an option",
    "-y": "an output is replaced anyway, and an input with --force",
    "-n": "an input is only replaced with --force",
    "-ss": "--from is the time to begin at",
    "-to": "--to is the time to end at",
    "-t": "--to is the time to end at; samples without a header are read with --raw-in",
    "--duration": "--to is the time to end at",
    "-ar": "the sample rate is -r or --rate",
    "-ac": "the number of channels is -c or --channels",
    "-ab": "--bitrate is in kilobits per second",
    "-b:a": "--bitrate is in kilobits per second",
    "-q:a": "--vbr is the quality of a variable bit rate",
    "-acodec": "the codec is --codec",
    "-c:a": "the codec is --codec",
    "-codec:a": "the codec is --codec",
    "-sample_fmt": "bits per sample are -b or --bits",
    "-e": "bits per sample are -b or --bits, such as 16 or 32f",
    "-L": "samples without a header are read with --raw-in, such as s16le,48000,2",
    "-B": "samples without a header are read with --raw-in, such as s16be,48000,2",
    "-af": "edits are options, such as --gain -6; `au render` has effects",
    "-filter:a": "edits are options, such as --gain -6; `au render` has effects",
    "-filter_complex": "edits are options; `au join` and `au mix` make one file of many",
    "-metadata": "a tag is --tag KEY=TEXT",
    "--add-comment": "a tag is --tag KEY=TEXT",
    "-map_metadata": "tags are copied; --no-tags leaves them out",
    "-vn": "only sound is read; --no-tags leaves out the picture",
    "-m": "`au mix` adds sounds",
    "-D": "the dither is --dither none",
    "--no-dither": "the dither is --dither none",
    "--norm": "the peak is --normalize -1",
  ]

  /// Options that `au play` does not have: those with another name, and edits of `au convert`.
  static let playOptions = options.filter { ["-ss", "-to", "-t", "--duration"].contains($0.key) }
    .merging(
      ["--reverse", "--fade-in", "--fade-out", "--normalize", "--loudness"].map {
        ($0, "`au convert FILE -o - --reverse | au play -` plays what is edited")
      }, uniquingKeysWith: { first, _ in first })

  /// Effects and filters, with what is written in `au convert`.
  private static let edits = [
    "gain": "--gain -6", "vol": "--gain -6", "volume": "--gain -6", "norm": "--normalize -1",
    "normalize": "--normalize -1", "loudnorm": "--loudness -16 --peak -1",
    "loudness": "--loudness -16 --peak -1", "trim": "--from 10 --to 20",
    "atrim": "--from 10 --to 20", "cut": "--from 10 --to 20",
    "fade": "--fade-in 1 --fade-out 2", "afade": "--fade-in 1 --fade-out 2",
    "silence": "--trim, or --remove-silence 0.5",
    "silenceremove": "--trim, or --remove-silence 0.5",
    "reverse": "--reverse", "areverse": "--reverse", "speed": "--speed 2", "tempo": "--tempo 1.2",
    "atempo": "--tempo 1.2", "stretch": "--tempo 0.8", "pitch": "--pitch 2", "rate": "--rate 44100",
    "aresample": "--rate 44100", "channels": "--channels 1", "remix": "--pick 2,1",
    "swap": "--pick 2,1", "oops": "--pick 2,1", "pan": "--pick 2,1", "dither": "--dither shaped",
  ]

  /// Effects and filters, with what is written in `au render`.
  private static let effects = [
    "highpass": "hpas,cutoff=80", "lowpass": "lpas,cutoff=8k", "bandpass": "bpas,center=1k",
    "bass": "lshf,cutoff=100,gain=6", "treble": "hshf,cutoff=10k,gain=6",
    "equalizer": "pmeq,center=1k,gain=6", "reverb": "rvb2,preset=plate", "echo": "dely,delay=0.3",
    "aecho": "dely,delay=0.3", "delay": "dely,delay=0.3", "compand": "dcmp", "acompressor": "dcmp",
    "alimiter": "lmtr", "overdrive": "dist",
  ]

  /// Commands for effects that are no edit of one sound.
  private static let commands = [
    "stats": "`au stats`", "stat": "`au stats`", "astats": "`au stats`",
    "spectrogram": "`au spectrogram`", "concat": "`au join`", "amix": "`au mix`",
    "amerge": "`au mix`",
  ]

  /// Refuses an effect among the inputs of `au convert`, where sox has them.
  static func check(inputs: [String]) throws(UsageError) {
    for word in inputs where !FileManager.default.fileExists(atPath: word) {
      guard let hint = hint(for: word, command: "convert") else { continue }
      throw UsageError("there is no file \(Excerpt.quoted(word)): \(hint)")
    }
  }

  /// Refuses units that are an edit.
  static func check(units: [UnitSpec]) throws(UsageError) {
    for unit in units {
      let name = String(unit.name.prefix { $0 != "=" })
      guard let hint = hint(for: name, command: "render"), UnitComponent.named(unit.name).isEmpty
      else { continue }
      throw UsageError("there is no unit \(Excerpt.quoted(unit.name)): \(hint)")
    }
  }

  /// What is written in place of an effect; nil for other words.
  private static func hint(for word: String, command: String) -> String? {
    if let option = edits[word] {
      return command == "convert"
        ? "it is an option, such as \(option)" : "`au convert` does that, with \(option)"
    }
    if let unit = effects[word] {
      return command == "render"
        ? "such a unit is \(unit)" : "`au render` does that, with a unit such as \(unit)"
    }
    return commands[word].map { "\($0) does that" }
  }
}
