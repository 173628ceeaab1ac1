// SPDX-License-Identifier: Apache-2.0
import Foundation

/// What each fuzzer does with the bytes that libFuzzer makes up. The program's own name chooses one, without
/// its beginning "fuzz_"; as libFuzzer wants it, each is a program of its own.
private let fuzzers: [String: @Sendable ([UInt8]) -> Void] = [
  // Sound files: the fuzzers of this function differ in the files that they begin with.
  "wave": readSoundFile, "aiff": readSoundFile, "caf": readSoundFile, "mp4": readSoundFile,
  "ogg": { readSoundFile(withPageSums($0)) }, "flac": { readSoundFile(withFrameSums($0)) },
  "mpeg": readSoundFile, "adts": readSoundFile,
  "next": readSoundFile, "tags": readSoundFile,
  "sound_stream": { readSoundStream(withFrameSums(withPageSums($0))) },
  "file_calls": callFiles,
  "conversion": convert,
  // Music.
  "midi_file": readMIDIFile,
  "midi_messages": playMessages,
  "midi_lists": convertLists,
  "sequence_calls": callSequences,
  // Instruments and plug-ins.
  "bank": readBank,
  "sampler_preset": { loadInstrument($0, .preset) },
  "exs": { loadInstrument($0, .exs) },
  "plug_ins": readPlugIns,
  // Units and graphs.
  "unit_state": restoreState,
  "unit_calls": callUnits,
  "graph": buildGraph,
  "graph_calls": callGraph,
]

nonisolated(unsafe) private var chosen: @Sendable ([UInt8]) -> Void = { _ in }

@_silgen_name("LLVMFuzzerRunDriver")
private func runFuzzer(
  _ count: UnsafeMutablePointer<CInt>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>,
  _ test: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

@main
enum Fuzzers {
  static func main() {
    let path = CommandLine.arguments[0]
    let name = URL(fileURLWithPath: path).lastPathComponent.replacing(/^fuzz_/, with: "")
    guard let fuzzer = fuzzers[name] else {
      let names = fuzzers.keys.sorted().map { "fuzz_\($0)" }.joined(separator: ", ")
      FileHandle.standardError.write(Data("\(path): is none of \(names)\n".utf8))
      exit(64)
    }
    chosen = fuzzer
    // Nothing plays, and nothing of the user is read.
    setenv("AUDIOTOOLBOX_DEVICE", "null", 1)
    setenv("AUDIOTOOLBOX_PLUGINS", "none", 1)
    setenv("AUDIOTOOLBOX_MIDI", "none", 1)
    setenv("AUDIOTOOLBOX_BANK", smallBank.path, 1)
    var count = CommandLine.argc
    var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
    exit(
      runFuzzer(&count, &arguments) { bytes, count in
        chosen(Array(UnsafeBufferPointer(start: bytes, count: count)))
        return 0
      })
  }
}

/// Numbers for the choices of a test, taken from its bytes: zeros after the end.
struct Choices {
  private var bytes: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { self.bytes = bytes[...] }

  var isEmpty: Bool { bytes.isEmpty }

  mutating func byte() -> UInt8 { bytes.popFirst() ?? 0 }

  /// A number below `limit`, which is at most 256.
  mutating func number(below limit: Int) -> Int { Int(byte()) % max(1, limit) }

  mutating func one<Value>(of values: [Value]) -> Value { values[number(below: values.count)] }

  mutating func word() -> UInt32 { (0..<4).reduce(0) { word, _ in word << 8 | UInt32(byte()) } }

  /// Any number, also one that is not finite.
  mutating func float() -> Float32 { Float32(bitPattern: word()) }

  mutating func double() -> Float64 {
    Float64(bitPattern: UInt64(word()) << 32 | UInt64(word()))
  }

  /// Mostly a small number, sometimes any.
  mutating func time() -> Float64 {
    let first = byte()
    return first == 255 ? double() : Float64(first) / 4
  }

  /// The next bytes; fewer at the end.
  mutating func next(_ count: Int) -> [UInt8] {
    defer { bytes = bytes.dropFirst(count) }
    return Array(bytes.prefix(count))
  }

  /// What remains.
  mutating func rest() -> [UInt8] { next(bytes.count) }
}

/// Ends the program, so that libFuzzer keeps the bytes.
func require(_ isTrue: Bool, _ what: @autoclosure () -> String) {
  if !isTrue { fatalError(what()) }
}
