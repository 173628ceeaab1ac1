// SPDX-License-Identifier: Apache-2.0

import Foundation
import PlugInHosting
import Testing

/// The small host in `Libraries/Host`, a process for each plug-in.
enum SmallHost {
  /// The frames for which it prepares plug-ins.
  static let maximumFrames: UInt32 = 4_096

  /// Random samples of half the full scale.
  static func noise(_ seed: UInt64, _ count: Int) -> [Float] {
    var state = seed
    return (0..<count).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Float(Int32(truncatingIfNeeded: state >> 32)) / 0x1p32
    }
  }

  /// What it makes of noise with the default values, in the order of ports; nil if that is another sound each time, if it
  /// depends on what was in the memory before, or if it is not finite.
  static func render(_ plugIn: PlugInDescription, _ slices: [Int]) throws -> [[Float]]? {
    let first = try output(plugIn, slices)
    let frames = slices.reduce(0, +)
    let samples = first.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    for fill in ["0", "85", "170"] {
      guard try output(plugIn, slices, fill: fill) == first else { return nil }
    }
    guard samples.allSatisfy(\.isFinite) else { return nil }
    return stride(from: 0, to: samples.count, by: frames).map {
      Array(samples[$0..<$0 + frames])
    }
  }

  private static func output(
    _ plugIn: PlugInDescription, _ slices: [Int], fill: String = "0"
  ) throws -> Data {
    let process = Process()
    process.executableURL = URL(filePath: TestLibrary.plainHost)
    let label =
      plugIn.format == .ladspa
      ? String(plugIn.identifier.split(separator: ":", maxSplits: 1)[1]) : plugIn.identifier
    process.arguments =
      [
        plugIn.format.rawValue, plugIn.path, label, "48000", "noise",
        slices.map(String.init).joined(separator: ","),
      ] + plugIn.parameters.filter { !$0.isReadOnly }.map { "\($0.id)=\(value(of: $0))" }
    process.environment = ProcessInfo.processInfo.environment.merging(
      ["MALLOC_PERTURB_": fill]) { $1 }
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    try process.run()
    let bytes = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0, "\(plugIn.identifier)")
    return bytes
  }

  /// The default, at 48,000 frames per second, offline and not bypassed.
  private static func value(of parameter: PlugInParameter) -> Float {
    if [.enabled, .offline].contains(parameter.purpose) { return 1 }
    let value = parameter.defaultValue * (parameter.defaultIsInRates ? 48_000 : 1)
    return parameter.isInteger ? value.rounded() : value
  }
}
