// SPDX-License-Identifier: Apache-2.0
public import AudioSupport

/// The kinds of sound file that can be written; each is named by what its paths end in.
public enum SoundFileKind: String, CaseIterable, Sendable {
  /// 32-bit float, up to any length.
  case wav
  /// 24 bits, compressed without loss; needs libsndfile.
  case flac

  /// [any thread] The kind that a path asks for: WAV where it has no extension, or is "-", the
  /// standard output.
  ///
  /// - Throws: When a file of that extension cannot be written, and which can.
  public init(path: String) throws(AudioError) {
    let name = path.split(separator: "/").last ?? ""
    guard let dot = name.dropFirst().lastIndex(of: "."), path != "-"
    else {
      self = .wav
      return
    }
    let ending = name[name.index(after: dot)...].lowercased()
    guard let kind = Self(rawValue: ending == "wave" ? "wav" : ending) else {
      let known = Self.allCases.map { ".\($0.rawValue)" }.joined(separator: " or ")
      throw .invalidFilePath.because(
        "\(path): files that end in .\(ending) cannot be written; choose \(known)")
    }
    self = kind
  }

  /// What a file is: "" when it is empty, "WAVE", "fLaC" or whatever stands at its beginning.
  static func beginning(of file: borrowing OpenFile) throws(AudioError) -> String {
    var start: (UInt32, UInt32, UInt32) = (0, 0, 0)
    let count = try withUnsafeMutableBytes(of: &start) { bytes throws(AudioError) in
      try file.read(bytes, at: 0)
    }
    if count == 0 { return "" }
    let first = FourBytes(value: UInt32(littleEndian: start.0)).letters
    let kind = FourBytes(value: UInt32(littleEndian: start.2)).letters
    return ["RIFF", "RF64", "BW64", "FORM"].contains(first) ? kind : first
  }

  /// Throws unless a file is empty or sound: a mistyped path is no reason to lose a document.
  static func refuseForeign(_ file: borrowing OpenFile) throws(AudioError) {
    let kind = try beginning(of: file)
    guard ["", "WAVE", "fLaC", "AIFF", "AIFC", "caff", "OggS"].contains(kind) else {
      throw .invalidFile.because(
        "\(file.path): exists and is not a sound file; remove it or choose another name")
    }
  }
}
