// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioUnitCore
import CAudioToolbox

/// Latency compensation: branches that meet in a unit are aligned. Each branch is delayed to match
/// the slowest one, according to the latencies that its units report.
struct Alignment {
  /// The delay lines of the inputs that need one; none unless the graph compensates latency.
  private(set) var delays: [Wiring.Input: DelayLine] = [:]
  /// The latency in seconds of the longest path to the head's input.
  private(set) var latency = 0.0

  /// [under the lock] `order` is the rendering order of the members. A delay line in `current` that
  /// still fits is reused, with its samples.
  init(
    _ wiring: Wiring, _ order: [Int], head: UnitInstance, compensates: Bool, current: SourceSet
  ) {
    // The latency of each member's output relative to the sources, in seconds.
    var outputs = [Double](repeating: 0, count: wiring.members.count)
    for member in order {
      let unit = wiring.members[member].unit
      let links = wiring.links(to: member)
      let arrivals = links.map { link in
        wiring.isDependency(link) ? link.from.map { outputs[$0] } ?? 0 : 0
      }
      let latest = arrivals.max() ?? 0
      if unit === head { latency = latest }
      outputs[member] = latest + unit.latencySeconds
      guard compensates else { continue }
      for (link, arrival) in zip(links, arrivals) where arrival < latest {
        let input = Wiring.Input(unit: unit, bus: link.bus)
        guard let format = try? unit.streamFormat(kAudioUnitScope_Input, link.bus) else { continue }
        let frames = Int(((latest - arrival) * format.sampleRate).rounded())
        guard frames > 0 else { continue }
        if let line = current.delays[input], line.frames == frames, line.format == format,
          link.source.isSame(as: current.sources[input])
        {
          delays[input] = line
        } else {
          delays[input] = DelayLine(frames: frames, format: format)
        }
      }
    }
  }
}
