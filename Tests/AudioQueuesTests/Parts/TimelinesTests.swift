// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox
import Testing

@testable import AudioQueues

@Suite("Timelines of a queue")
struct TimelinesTests {
  @Test("report a gap once each")
  func gaps() throws {
    var timelines = Timelines()
    let (early, late) = (try QueueTimeline.make(), try QueueTimeline.make())
    defer { for timeline in [early, late] { QueueTimeline.dispose(timeline) } }
    timelines.add(early, gaps: 0)
    timelines.add(late, gaps: 2)
    let found = [
      timelines.hasGap(early, gaps: 2), timelines.hasGap(early, gaps: 2),
      timelines.hasGap(late, gaps: 2), timelines.hasGap(late, gaps: 3),
    ]
    #expect(found == [true, false, false, true])
  }

  @Test("belong to the queue until they are removed")
  func removal() throws {
    var timelines = Timelines()
    let (one, other) = (try QueueTimeline.make(), try QueueTimeline.make())
    let before = timelines.hasGap(one, gaps: 0)
    timelines.add(one, gaps: 0)
    timelines.add(other, gaps: 0)
    let removals = [timelines.remove(one), timelines.remove(one)]
    let rest = timelines.removeAll()
    let after = timelines.hasGap(other, gaps: 0)
    #expect(before == nil && after == nil)
    #expect(removals == [true, false])
    #expect(rest == [other])
    for timeline in [one, other] {
      #expect(QueueTimeline.dispose(timeline))
      #expect(!QueueTimeline.dispose(timeline))
    }
  }
}
