// SPDX-License-Identifier: Apache-2.0
import AudioToolbox

/// The cost of a unit in a graph for a slice of 64 frames, including its own work: multichannel
/// mixers with one stereo input at unity gain, in series or in parallel.
enum GraphBenchmark {
  private static let frames: UInt32 = 64

  static func run() {
    Report.title("graphs of unity-gain mixer units, stereo, 64 frames (ns per unit and slice)")
    for count in [100, 1_000] {
      Report.own("chain of \(count) units", chain(count) / Double(count), "ns", target: 15)
    }
    Report.own("chain of 100 units at a volume of 0.9", chain(100, volume: 0.9) / 100, "ns")
    for count in [100, 1_000] {
      Report.own("fan of \(count) units into one", fan(count) / Double(count), "ns")
    }
    Report.title("building an open graph, a chain (ns per unit)")
    for count in [200, 2_000] {
      Report.own("nodes added and connected, \(count) units", build(count), "ns")
    }
    Report.title("edits of a running graph (ns)")
    Report.own("a callback exchanged in a graph of 100 units, AUGraphUpdate", edit(100), "ns")
  }

  /// The times of other programs for a chain of a hundred units.
  static func runPeers(in folder: URL) {
    Report.title(
      "chains of 100 gains, stereo, 64 frames, by other programs (ns per unit and slice)")
    let ours = chain(100) / 100
    for peer in GraphPeers.chains {
      Report.peer(peer.name, peer.nanosecondsPerSample(in: folder), "ns", ours: ours)
    }
  }

  private static let silence: AURenderCallback = { _, _, _, _, _, _ in noErr }

  private static func chain(_ count: Int, volume: Float = 1) -> Double {
    let graph = BenchedGraph()
    var last = graph.output
    for _ in 0..<count {
      let mixer = graph.addMixer(inputs: 1)
      graph.connect(mixer, to: last, 0)
      graph.set(kMultiChannelMixerParam_Volume, volume, mixer)
      last = mixer
    }
    graph.feed(last, 0, silence)
    graph.initialize()
    return Stopwatch.nanoseconds { graph.render(frames) }
  }

  private static func fan(_ count: Int) -> Double {
    let graph = BenchedGraph()
    let sum = graph.addMixer(inputs: min(count, 1_024))
    graph.connect(sum, to: graph.output, 0)
    for branch in 0..<count {
      let mixer = graph.addMixer(inputs: 1)
      graph.connect(mixer, to: sum, UInt32(branch))
      graph.feed(mixer, 0, silence)
    }
    graph.initialize()
    return Stopwatch.nanoseconds { graph.render(frames) }
  }

  private static func build(_ count: Int) -> Double {
    Stopwatch.nanoseconds {
      let graph = BenchedGraph()
      var last = graph.output
      for _ in 0..<count {
        let mixer = graph.addMixer(inputs: 1)
        graph.connect(mixer, to: last, 0)
        last = mixer
      }
    } / Double(count)
  }

  private static func edit(_ count: Int) -> Double {
    let graph = BenchedGraph()
    let sum = graph.addMixer(inputs: count)
    graph.connect(sum, to: graph.output, 0)
    for branch in 0..<count { graph.feed(sum, UInt32(branch), silence) }
    graph.initialize()
    let other: AURenderCallback = { _, _, _, _, _, _ in noErr }
    var isOther = false
    return Stopwatch.nanoseconds {
      isOther.toggle()
      graph.feed(sum, 3, isOther ? other : silence)
      graph.update()
    }
  }
}
