// SPDX-License-Identifier: Apache-2.0
public import AudioSupport
import AudioUnitCore
import CAudioToolbox

// Latency compensation: branches that meet in a unit are aligned. Each branch is delayed to match
// the slowest one, according to the latencies that its units report.
extension ProcessingGraph {
  /// [any thread] Sets whether branches are aligned; in an initialised graph this takes effect with
  /// the next update.
  public func setCompensatesLatency(_ compensates: Bool) throws(AudioError) {
    let root = root
    try root.control { () in
      guard root.compensatesLatency != compensates else { return }
      root.compensatesLatency = compensates
      root.editCount += 1
      root.isEdited = root.stage == .initialized
    }
  }

  /// [any thread] Whether branches are aligned.
  public func doesCompensateLatency() throws(AudioError) -> Bool {
    try root.control { () in root.compensatesLatency }
  }

  /// [any thread] The latency in seconds of the longest path to the output node's input, as of the
  /// last update; 0 before the graph is initialised.
  public func latency() throws(AudioError) -> Double {
    try root.control { () in root.stage == .initialized ? root.pathLatency : 0 }
  }

  /// [under the lock, outermost] The delay that each input needs, and the latency of the whole
  /// graph.
  func alignment(_ wiring: Wiring, _ order: [Int], head: UnitInstance) -> Alignment {
    var alignment = Alignment()
    // The latency of each member's output relative to the sources, in seconds.
    var outputs = [Double](repeating: 0, count: wiring.members.count)
    for member in order {
      let unit = wiring.members[member].unit
      let links = wiring.links(to: member)
      let arrivals = links.map { link in
        wiring.isDependency(link) ? link.from.map { outputs[$0] } ?? 0 : 0
      }
      let latest = arrivals.max() ?? 0
      if unit === head { alignment.latency = latest }
      outputs[member] = latest + unit.latencySeconds
      guard compensatesLatency else { continue }
      for (link, arrival) in zip(links, arrivals) where arrival < latest {
        let input = Wiring.Input(unit: unit, bus: link.bus)
        guard let format = try? unit.streamFormat(kAudioUnitScope_Input, link.bus) else { continue }
        let frames = Int(((latest - arrival) * format.sampleRate).rounded())
        guard frames > 0 else { continue }
        // A delay line of the same length is reused, with its samples.
        if let line = delays[input], line.frames == frames, line.format == format,
          link.source.isSame(as: wired[input])
        {
          alignment.delays[input] = line
        } else {
          alignment.delays[input] = DelayLine(frames: frames, format: format)
        }
      }
    }
    return alignment
  }

  /// The result of `alignment`.
  struct Alignment {
    var delays: [Wiring.Input: DelayLine] = [:]
    var latency = 0.0
  }
}
