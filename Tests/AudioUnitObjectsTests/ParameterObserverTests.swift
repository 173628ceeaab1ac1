// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import AudioToolbox
import CRealTime
import Foundation
import Testing

@Suite("Observers of parameters")
struct ParameterObserverTests {
  private let sample = FilterTree()

  private struct Change: Equatable, Sendable {
    var address: AUParameterAddress
    var value: AUValue
    var type = AUParameterAutomationEventType.value
    var hostTime: UInt64 = 0
  }

  /// Adds an automation observer that records what it gets.
  private func record(_ node: AUParameterNode, into received: Received<Change>)
    -> AUParameterObserverToken
  {
    node.token(byAddingParameterAutomationObserver: { count, events in
      for event in UnsafeBufferPointer(start: events, count: count) {
        received.add(
          Change(
            address: event.address, value: event.value, type: event.eventType,
            hostTime: event.hostTime))
      }
    })
  }

  @Test("of a node get the changes of all parameters below it")
  func below() {
    let (tree, filter, one) = (Received<Change>(), Received<Change>(), Received<Change>())
    _ = record(sample.tree, into: tree)
    _ = record(sample.filter, into: filter)
    _ = record(sample.resonance, into: one)
    sample.volume.setValue(0.5, originator: nil, atHostTime: 1)
    sample.cutoff.setValue(500, originator: nil, atHostTime: 2)
    sample.resonance.setValue(5, originator: nil, atHostTime: 3)
    #expect(wait { tree.all.count >= 3 && filter.all.count >= 2 && one.all.count >= 1 })
    let changes = [
      Change(address: 10, value: 0.5, hostTime: 1), Change(address: 20, value: 500, hostTime: 2),
      Change(address: 21, value: 5, hostTime: 3),
    ]
    #expect(tree.all == changes)
    #expect(filter.all == Array(changes[1...]))
    #expect(one.all == Array(changes[2...]))
  }

  @Test("do not get the changes that they originate")
  func originator() {
    let (first, second) = (Received<Change>(), Received<Change>())
    let token = record(sample.tree, into: first)
    _ = record(sample.tree, into: second)
    sample.volume.setValue(0.25, originator: token)
    sample.volume.setValue(0.5, originator: nil)
    #expect(wait { first.all.count >= 1 && second.all.count >= 2 })
    #expect(first.all.map(\.value) == [0.5])
    #expect(second.all.map(\.value) == [0.25, 0.5])
  }

  @Test("of automation get all changes and gestures, in order")
  func automation() {
    let received = Received<Change>()
    _ = record(sample.tree, into: received)
    sample.volume.setValue(0, originator: nil, atHostTime: 100, eventType: .touch)
    let steps: [AUValue] = (1...500).map { AUValue($0) / 500 }
    for (time, step) in zip(UInt64(101)..., steps) {
      sample.volume.setValue(step, originator: nil, atHostTime: time)
    }
    sample.volume.setValue(1, originator: nil, atHostTime: 700, eventType: .release)
    #expect(wait { received.all.count >= 502 })
    let all = received.all
    #expect(all.first?.type == .touch && all.last?.type == .release)
    let changes = all.filter { $0.type == .value }
    #expect(changes.map(\.value) == steps)
    let times: [UInt64] = [UInt64](100...600) + [700]
    #expect(all.map(\.hostTime) == times)
  }

  @Test("that record get all values")
  func recording() {
    let received = Received<Change>()
    _ = sample.filter.token(byAddingParameterRecordingObserver: { count, events in
      for event in UnsafeBufferPointer(start: events, count: count) {
        received.add(Change(address: event.address, value: event.value, hostTime: event.hostTime))
      }
    })
    let before = AudioGetCurrentHostTime()
    for value in 1...100 { sample.resonance.value = AUValue(value) / 4 }
    let after = AudioGetCurrentHostTime()
    #expect(wait { received.all.count >= 100 })
    let values: [AUValue] = (1...100).map { AUValue($0) / 4 }
    #expect(received.all.map(\.value) == values)
    #expect(received.all.allSatisfy { (before...after).contains($0.hostTime) })
  }

  @Test("of values get the last of quick changes")
  func values() {
    let received = Received<Change>()
    _ = sample.tree.token(byAddingParameterObserver: { address, value in
      received.add(Change(address: address, value: value))
    })
    for step in 1...1_000 {
      sample.volume.value = AUValue(step) / 1_000
      sample.cutoff.value = 20 + AUValue(step)
    }
    #expect(wait { received.all.last { $0.address == 10 }?.value == 1 })
    #expect(wait { received.all.last { $0.address == 20 }?.value == 1_020 })
    let steps: [AUValue] = received.all.filter { $0.address == 10 }.map(\.value)
    #expect(steps == steps.sorted())
    #expect(Set(received.all.map(\.address)) == [10, 20])
  }

  @Test("are called on another thread, without a lock")
  func thread() {
    let record = CallRecord()
    let this = pthread_self()
    _ = sample.tree.token(byAddingParameterObserver: { _, _ in record.note(noErr) })
    sample.volume.value = 1
    #expect(record.wait())
    #expect(record.thread.load(ordering: .relaxed) != UInt(this))
    #expect(record.locks.load(ordering: .relaxed) == 0)
  }

  @Test("get nothing after their removal")
  func removal() {
    let (removed, other) = (Received<Change>(), Received<Change>())
    let token = record(sample.tree, into: removed)
    _ = record(sample.tree, into: other)
    for round in 0..<50 {
      sample.volume.value = AUValue(round) / 50
    }
    sample.tree.removeParameterObserver(token)
    let count = removed.all.count
    sample.volume.value = 1
    #expect(wait { other.all.count >= 51 })
    #expect(removed.all.count == count)
  }

  @Test("may remove themselves, and set parameters")
  func removalInside() {
    let received = Received<AUValue>()
    let tokens = Received<UInt>()
    let (tree, volume, cutoff) = (sample.tree, sample.volume, sample.cutoff)
    let token = volume.token(byAddingParameterObserver: { _, value in
      received.add(value)
      cutoff.value = 440
      for bits in tokens.all {
        UnsafeMutableRawPointer(bitPattern: bits).map(volume.removeParameterObserver)
      }
    })
    tokens.add(UInt(bitPattern: token))
    let second = Received<Change>()
    _ = record(tree, into: second)
    sample.volume.value = 0.5
    #expect(wait { second.all.contains { $0.address == 20 && $0.value == 440 } })
    sample.volume.value = 0.75
    #expect(wait { second.all.last?.value == 0.75 })
    #expect(received.all == [0.5])
  }

  @Test("are not removed by tokens of other nodes, or by none")
  func foreignTokens() {
    let received = Received<Change>()
    let token = record(sample.volume, into: received)
    sample.tree.removeParameterObserver(token)
    sample.cutoff.removeParameterObserver(token)
    if let none = UnsafeMutableRawPointer(bitPattern: -1) {
      sample.volume.removeParameterObserver(none)
      sample.volume.setValue(0.25, originator: none)
    }
    #expect(wait { received.all.count == 1 })
    sample.volume.removeParameterObserver(token)
    sample.volume.removeParameterObserver(token)
    sample.volume.value = 0.5
    #expect(received.all.map(\.value) == [0.25])
  }

  @Test("get what a render thread sets")
  func renderThread() {
    let received = Received<Change>()
    let token = UInt(bitPattern: record(sample.tree, into: received))
    let (volume, cutoff) = (sample.volume, sample.cutoff)
    OwnThread {
      rt_enter()
      volume.value = 0.5
      cutoff.setValue(880, originator: UnsafeMutableRawPointer(bitPattern: token))
      volume.value = 0.75
      rt_leave()
    }.join()
    #expect(volume.value == 0.75 && cutoff.value == 880)
    #expect(wait { received.all.count >= 2 })
    #expect(received.all.map(\.value) == [0.5, 0.75])
  }

  @Test("of a group that a parameter has left get nothing")
  func moved() {
    let (old, new) = (Received<Change>(), Received<Change>())
    _ = record(sample.filter, into: old)
    let other = group("other", [sample.cutoff])
    _ = record(other, into: new)
    sample.cutoff.value = 100
    #expect(wait { new.all.count == 1 })
    #expect(old.all.isEmpty)
  }
}
