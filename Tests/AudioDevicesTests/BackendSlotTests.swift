// SPDX-License-Identifier: Apache-2.0
@testable import AudioDevices
import AudioSupport
import AudioTestSupport
import Synchronization
import Testing

/// A server that the test starts and ends.
private final class FakeServer: DeviceBackend {
  static let name = "fake"
  static let isRunning = Atomic(false)

  init(in environment: DeviceEnvironment) throws(AudioError) {
    guard Self.isRunning.load(ordering: .relaxed) else { throw .failedInitialization }
  }

  func devices(in environment: DeviceEnvironment) throws(AudioError) -> [Device] {
    guard Self.isRunning.load(ordering: .relaxed) else { throw .failedInitialization }
    return NullBackend(in: environment).devices(in: environment)
  }

  func open(
    _ request: StreamRequest, _ handler: CycleHandler, in environment: DeviceEnvironment
  ) throws(AudioError) -> any DeviceStream {
    throw .failedInitialization
  }

  /// The server does not report its end: the slot has to ask.
  func observeDevices(_ observer: @escaping @Sendable () -> Void) -> AnyObject? { nil }
}

@Suite("Whoever observes a back end", .serialized)
struct BackendSlotTests {
  let slot = BackendSlot(FakeServer.self)
  let environment = DeviceEnvironment()

  private func run(_ isRunning: Bool) { FakeServer.isRunning.store(isRunning, ordering: .relaxed) }

  /// Asks as the periodic check does, until the observer has been called that often.
  private func isTold(_ reports: Counter, _ count: Int) -> Bool {
    wait {
      _ = slot.ask()
      return reports.count >= count
    }
  }

  @Test("is told of the end of a server that somebody saw, although it ran between two questions")
  func betweenQuestions() throws {
    run(false)
    let reports = Counter()
    let token = slot.observe(in: environment) { reports.add() }
    defer { withExtendedLifetime(token) {} }
    #expect(reports.count == 0)
    run(true)
    #expect(try slot.devices(in: environment).count == 1)
    run(false)
    #expect(isTold(reports, 1))
  }

  @Test("is told of each arrival and each end, and of nothing else")
  func rounds() throws {
    run(false)
    let reports = Counter()
    let token = slot.observe(in: environment) { reports.add() }
    defer { withExtendedLifetime(token) {} }
    for round in 0..<3 {
      run(true)
      #expect(isTold(reports, 2 * round + 1))
      run(false)
      #expect(isTold(reports, 2 * round + 2))
    }
    #expect(reports.count == 6)
  }
}

private final class Counter: Sendable {
  private let value = Atomic(0)

  var count: Int { value.load(ordering: .acquiring) }

  func add() { value.wrappingAdd(1, ordering: .releasing) }
}
