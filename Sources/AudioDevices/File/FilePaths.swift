// SPDX-License-Identifier: Apache-2.0
import AudioSupport

/// The paths after `file:`: the file to record to and the file to play as input.
///
/// Examples: "OUT.wav", "OUT.wav,IN.wav", ",IN.wav". Within a path, a comma is written `\,` and a
/// backslash `\\`.
struct FilePaths: Equatable {
  var output: String?
  var input: String?

  init(_ text: String) throws(AudioError) {
    var paths = [""]
    var isEscaped = false
    for character in text {
      if isEscaped {
        if character != ",", character != "\\" { paths[paths.count - 1].append("\\") }
        paths[paths.count - 1].append(character)
        isEscaped = false
      } else if character == "\\" {
        isEscaped = true
      } else if character == "," {
        paths.append("")
      } else {
        paths[paths.count - 1].append(character)
      }
    }
    if isEscaped { paths[paths.count - 1].append("\\") }
    guard paths.count <= 2, paths.contains(where: { !$0.isEmpty }) else {
      throw .failedInitialization.because(
        "the device is \"file:\(text)\": expected file:OUT.wav, file:OUT.wav,IN.wav or file:,IN.wav"
          + " (a comma within a path is written \\,)")
    }
    output = paths[0].isEmpty ? nil : paths[0]
    input = paths.count > 1 && !paths[1].isEmpty ? paths[1] : nil
  }
}
