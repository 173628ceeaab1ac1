// SPDX-License-Identifier: Apache-2.0

import AudioToolbox
import Testing

/// Descriptions of graphs with numbers that nobody would write: each is built or refused, soon, and
/// a graph that is built can be initialised or refuses that.
@Suite("Fuzz: hostile numbers in graph descriptions")
struct GraphDescriptionFuzzTests {
  private static let rounds =
    ProcessInfo.processInfo.environment["AUDIOTOOLBOX_TEST_ROUNDS"].flatMap { Int($0) } ?? 150

  private static let numbers = [
    "0", "1", "2", "-1", "-0", "1e300", "-1e300", "1e-300", "1e999", "0.5", "1.5", "255", "65535",
    "65536", "2147483647", "2147483648", "-2147483648", "4294967295", "4294967296",
    "9007199254740993", "9223372036854775807", "9223372036854775808", "-9223372036854775808",
    "18446744073709551616", "3.4028235e38", "3.5e38", "1e38", "\"nan\"", "\"inf\"", "\"1e300 dB\"",
    "\"-1k\"", "true", "null", "[]", "{}", "[1e300]",
  ]

  /// A description with a place for each kind of number.
  private static func text(_ number: () -> String) -> String {
    """
    { "renderThreads": \(number()), "nodes": {
      "m": { "unit": "aumx mcmx", "maximumFramesPerSlice": \(number()),
        "inputs": [{ "format": { "sampleRate": \(number()), "channels": \(number()) },
                     "parameters": { "volume": \(number()) } }, {}],
        "parameters": { "volume": [\(number()), \(number())] } },
      "x": { "unit": "aumx mxmx", "properties": { "matrixLevels": [[\(number())]] } },
      "e": { "unit": "aufx nbeq", "preset": \(number()),
        "properties": { "numberOfBands": \(number()), "renderQuality": \(number()) } },
      "p": { "unit": "augn afpl", "file": { "path": "/none.wav", "time": \(number()),
        "start": \(number()), "frames": \(number()), "loops": \(number()) } },
      "o": { "unit": "auou genr", "properties": { "channelMap": [\(number())] } } },
      "connections": ["e -> m:\(number())", "m:\(number()) -> o"] }
    """
  }

  private func isBuilt(_ text: String) -> Bool {
    var graph: AUGraph?
    let isBuilt = AUGraphNewFromDescription(text as CFString, &graph) == noErr
    if let graph {
      _ = AUGraphInitialize(graph)
      #expect(DisposeAUGraph(graph) == noErr)
    }
    return isBuilt
  }

  @Test("are built, or refused, in bounded time")
  func numbers() {
    var state: UInt64 = 1
    func next(_ count: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % count
    }
    for round in 0..<Self.rounds {
      // Most descriptions have few hostile numbers, so that the rest is used too.
      let text = Self.text { next(12) == 0 ? Self.numbers[next(Self.numbers.count)] : "1" }
      let start = ContinuousClock.now
      _ = isBuilt(text)
      #expect(ContinuousClock.now - start < .seconds(10), "round \(round): \(text)")
    }
  }

  @Test("nesting is limited, and a long list is read at once")
  func sizes() {
    for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
      let (begin, end) = (
        String(repeating: open, count: 100_000), String(repeating: close, count: 100_000)
      )
      #expect(!isBuilt(begin + "1" + end))
    }
    let connections = (0..<20_000).map { "\"m:\($0 % 8) -> m\"" }.joined(separator: ",")
    let start = ContinuousClock.now
    let nodes = "\"nodes\": { \"m\": { \"unit\": \"aumx mxmx\" } }"
    #expect(!isBuilt("{ \(nodes), \"connections\": [\(connections)] }"))
    #expect(ContinuousClock.now - start < .seconds(20))
  }
}
