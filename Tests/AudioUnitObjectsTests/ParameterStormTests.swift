// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import AudioToolbox
import CAllocationProbe
import CRealTime
import Foundation
import Synchronization
import Testing

/// Each storm once, or again for as many seconds as `AUDIOTOOLBOX_TEST_STORM_SECONDS` says.
@Suite("Threads at a parameter tree")
struct ParameterStormTests {
  private static let seconds =
    ProcessInfo.processInfo.environment["AUDIOTOOLBOX_TEST_STORM_SECONDS"].flatMap { Double($0) }
    ?? 0

  private final class Kernel: @unchecked Sendable {
    let cutoff = Atomic<UInt32>(AUValue(20).bitPattern)
  }

  @Test("end at the same value in tree, unit and observers")
  func storm() {
    let end = Date().addingTimeInterval(Self.seconds)
    repeat { stormOnce() } while Date() < end
  }

  private func stormOnce() {
    let sample = FilterTree()
    let kernel = Kernel()
    let changes = Received<AUValue>()
    sample.tree.implementorValueObserver = { parameter, value in
      if parameter.address == 20 { kernel.cutoff.store(value.bitPattern, ordering: .relaxed) }
    }
    _ = sample.tree.token(byAddingParameterAutomationObserver: { count, events in
      for event in UnsafeBufferPointer(start: events, count: count) where event.address == 20 {
        changes.add(event.value)
      }
    })
    let last = Received<AUValue>()
    _ = sample.cutoff.token(byAddingParameterObserver: { last.add($1) })
    let threads = (0..<8).map { number in
      OwnThread {
        for step in 0..<400 {
          switch number {
          case 0...3: sample.cutoff.value = AUValue(100 + number * 1_000 + step)
          case 4: sample.filter.implementorStringFromValueCallback = { _, _ in "\(step)" }
          case 5:
            let token = sample.filter.token(byAddingParameterObserver: { _, _ in })
            sample.filter.removeParameterObserver(token)
          case 6: _ = AUParameterTree.createTree(withChildren: [sample.volume])
          default:
            rt_enter()
            _ = sample.cutoff.value + sample.volume.value
            sample.volume.value = AUValue(step) / 400
            rt_leave()
          }
          _ = sample.cutoff.string(fromValue: nil)
        }
      }
    }
    for thread in threads { thread.join() }
    #expect(wait { changes.all.count == 1_600 && last.all.last == sample.cutoff.value })
    #expect(changes.all.last == sample.cutoff.value)
    #expect(AUValue(bitPattern: kernel.cutoff.load(ordering: .relaxed)) == sample.cutoff.value)
    for number in 0..<4 {
      let own = changes.all.filter { Int($0 - 100) / 1_000 == number }
      #expect(own.count == 400 && own == own.sorted())
    }
  }

  @Test("a unit gets the value again that was overtaken on its way to the tree")
  func overtaken() {
    let sample = FilterTree()
    let kernel = Kernel()
    sample.tree.implementorValueObserver = { parameter, value in
      kernel.cutoff.store(value.bitPattern, ordering: .relaxed)
      // Once, another thread sets a value before this one is in the tree.
      guard value == 100, sample.cutoff.value == 20 else { return }
      OwnThread { sample.cutoff.value = 200 }.join()
    }
    sample.cutoff.value = 100
    #expect(AUValue(bitPattern: kernel.cutoff.load(ordering: .relaxed)) == sample.cutoff.value)
  }

  @Test("read values in a render without the heap", .enabled(if: heap_is_counted()))
  func heap() {
    let sample = FilterTree()
    let kernel = Kernel()
    sample.tree.implementorValueProvider = { [kernel] _ in
      AUValue(bitPattern: kernel.cutoff.load(ordering: .relaxed))
    }
    let plain = FilterTree()
    let (cutoff, other) = (sample.cutoff, plain.cutoff)
    _ = other.value + cutoff.value
    let before = heap_operations()
    var sum: AUValue = 0
    for _ in 0..<100 { sum += cutoff.value + other.value }
    #expect(heap_operations() == before)
    #expect(sum == 4_000)
  }
}
