// SPDX-License-Identifier: Apache-2.0
import AudioUnitCore

extension JSONCursor {
  /// The files of a value: a path, an object for a part of a file, or an array of these.
  func files() throws(GraphDescriptionError) -> [Placed<PlayedFile>] {
    switch text.value {
    case .array:
      var files: [Placed<PlayedFile>] = []
      for entry in try entries() { files.append(Placed(try entry.file(), at: entry.place)) }
      return files
    default: return [Placed(try file(), at: place)]
    }
  }

  private func file() throws(GraphDescriptionError) -> PlayedFile {
    if case .string(let path) = text.value {
      guard !path.isEmpty else { throw expected("the path of a file") }
      return PlayedFile(path: path)
    }
    guard case .object = text.value else { throw expected("the path of a file, or an object") }
    let object = try object(keys: ["path", "time", "start", "frames", "loops"])
    guard let path = try object["path"]?.string(), !path.isEmpty else {
      throw GraphDescriptionError(at: place, "\"path\" is missing")
    }
    let limit = 1 << 53
    var file = PlayedFile(path: path)
    file.time = try object["time"]?.wholeNumber(in: -limit...limit)
    file.start = try object["start"]?.wholeNumber(in: 0...limit) ?? 0
    file.frames = try object["frames"].map { cursor throws(GraphDescriptionError) in
      UInt32(clamping: try cursor.wholeNumber(in: 0...Int(UInt32.max) - 1))
    }
    guard let loops = object["loops"] else { return file }
    if case .bool(let isEndless) = loops.text.value {
      file.loops = isEndless ? .max : 0
    } else {
      file.loops = UInt32(clamping: try loops.wholeNumber(in: 0...Int(UInt32.max) - 1))
    }
    return file
  }
}
