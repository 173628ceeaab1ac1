// SPDX-License-Identifier: Apache-2.0
import CAudioCodecs
import Glibc
import SignalProcessing

/// The file of the measured head that a process uses: a SOFA file (AES69), read by libmysofa.
///
/// `AUDIOTOOLBOX_HEAD` selects another file, or "sphere" for none. The default is the file that is
/// installed with libmysofa, as `libmysofa/default.sofa` in a data folder of the system. In Debian
/// it is the KEMAR of Gardner and Martin, "HRTF measurements of a KEMAR", J. Acoust. Soc. Am. 97
/// (1995).
enum HeadFile {
  /// Why there is no measured head.
  struct Failure: Error {
    let reason: String

    init(reason: String) { self.reason = reason }

    /// A failure with a reason that is a C string.
    fileprivate init(_ text: [CChar]) {
      reason = String(
        decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
  }

  /// The value of `AUDIOTOOLBOX_HEAD`; nil if it is unset or empty.
  static var variable: String? {
    guard let value = getenv("AUDIOTOOLBOX_HEAD").map({ String(cString: $0) }), !value.isEmpty
    else { return nil }
    return value
  }

  /// [control thread] The path of the file.
  static func path() throws(Failure) -> String {
    if let variable {
      guard variable != "sphere" else { throw Failure(reason: "AUDIOTOOLBOX_HEAD is \"sphere\"") }
      return variable
    }
    let folders = getenv("XDG_DATA_DIRS").map { String(cString: $0) } ?? ""
    let all = (folders.isEmpty ? "/usr/local/share:/usr/share" : folders).split(separator: ":")
    let paths = all.map { "\($0)/libmysofa/default.sofa" }
    guard let path = paths.first(where: { access($0, R_OK) == 0 }) else {
      throw Failure(
        reason: "\(paths.joined(separator: " and ")) cannot be read (package libmysofa1)")
    }
    return path
  }

  /// [control thread] Opens libmysofa.
  static func findLibrary() throws(Failure) {
    var reason = [CChar](repeating: 0, count: 512)
    guard sofa_open(&reason, reason.count) else { throw Failure(reason) }
  }

  /// [control thread] Reads a file, which takes a tenth of a second.
  static func read(_ path: String) throws(Failure) -> HeadMeasurement {
    var set = SOFASet()
    var reason = [CChar](repeating: 0, count: 512)
    guard sofa_read(path, &set, &reason, reason.count) else { throw Failure(reason) }
    defer { sofa_free(&set) }
    guard let directions = directions(set), let responses = set.responses,
      let measurement = HeadMeasurement(
        sampleRate: set.sampleRate, sampleCount: set.sampleCount, directions: directions,
        responses: Array(
          UnsafeBufferPointer(start: responses, count: 2 * set.sampleCount * set.measurementCount)))
    else { throw Failure(reason: "\(path) cannot be used: a source is inside the head") }
    return measurement
  }

  /// Converts the file's vectors (front, left, top) to vectors of length 1 (right, front, top).
  private static func directions(_ set: SOFASet) -> [HeadMeasurement.Direction]? {
    guard let places = set.directions, let delays = set.delays else { return nil }
    var directions: [HeadMeasurement.Direction] = []
    for index in 0..<set.measurementCount {
      let place = SIMD3(-places[3 * index + 1], places[3 * index], places[3 * index + 2])
      let length = (place * place).sum().squareRoot()
      guard length > 1e-3 else { return nil }
      directions.append(
        .init(vector: place / length, delays: SIMD2(delays[2 * index], delays[2 * index + 1])))
    }
    return directions
  }
}
