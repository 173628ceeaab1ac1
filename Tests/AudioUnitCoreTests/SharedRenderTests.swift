// SPDX-License-Identifier: Apache-2.0

import AudioToolbox
import Testing

/// Units pass samples on without copying them, and return the slice of one time as often as it is
/// requested.
@Suite("A slice in the memory of other units")
struct SharedRenderTests {
  /// A callback that returns its own memory. `scribble` overwrites it, to find units that read it.
  private final class KeptMemory: @unchecked Sendable {
    private let memory = UnsafeMutablePointer<Float>.allocate(capacity: 16)
    let value: Float

    init(_ value: Float) {
      self.value = value
      memory.initialize(repeating: value, count: 16)
    }

    deinit { memory.deallocate() }

    func scribble() { memory.update(repeating: 1234, count: 16) }

    var callback: Callback {
      Callback { [self] call in
        memory.update(repeating: value, count: 16)
        for index in call.data.indices {
          call.data[index].mData = UnsafeMutableRawPointer(memory + index * 8)
        }
        return noErr
      }
    }
  }

  /// A chain of effects; `callback` feeds the first.
  private func chain(_ count: Int, _ callback: Callback) throws -> [Host] {
    let hosts = try (0..<count).map { _ in try Host(.echo) }
    #expect(hosts[0].feed(callback) == noErr)
    for index in 1..<count { #expect(hosts[index].connect(hosts[index - 1]) == noErr) }
    for host in hosts { #expect(host.initialize() == noErr) }
    return hosts
  }

  @Test("is rendered once, no matter how often it is requested")
  func once() throws {
    let hosts = try chain(3, .constant(1))
    let first = hosts[2].render(4)[0]
    #expect(hosts[2].render(4)[0] == first)
  }

  @Test("is not returned again after its source was uninitialized")
  func uninitialized() throws {
    let hosts = try chain(4, .constant(1))
    #expect(hosts[3].render(4).status == noErr)
    #expect(hosts[0].uninitialize() == noErr)
    #expect(hosts[3].render(4).status == kAudioUnitErr_Uninitialized)
    #expect(hosts[0].initialize() == noErr)
    #expect(hosts[3].render(4).status == noErr)
  }

  @Test("is not returned again after its source was disposed of")
  func disposed() throws {
    let (source, host) = (try Host(.counter), try Host(.echo))
    #expect(host.connect(source) == noErr)
    #expect(source.initialize() == noErr && host.initialize() == noErr)
    #expect(host.render(4)[0] == [1, 2, 3, 4])
    #expect(source.dispose() == noErr)
    #expect(host.render(4).status == kAudioUnitErr_NoConnection)
  }

  @Test("is not returned again, nor by units downstream, after the callback was removed")
  func callbackGone() throws {
    let kept = KeptMemory(0.5)
    let hosts = try chain(4, kept.callback)
    #expect(hosts[3].render(4)[0] == [0.5, 0.5, 0.5, 0.5])
    #expect(hosts[0].feed(.constant(0.25)) == noErr)
    kept.scribble()
    for host in hosts.reversed() {
      let samples = host.render(4)[0]
      #expect(samples.allSatisfy { $0 < 100 })
    }
  }

  @Test("is not returned again through two branches that meet")
  func diamond() throws {
    let kept = KeptMemory(0.5)
    let source = try chain(2, kept.callback)
    let (left, right, meeting) = (try Host(.echo), try Host(.echo), try Host(.sums))
    for host in [left, right] { #expect(host.connect(source[1]) == noErr) }
    #expect(meeting.connect(left, to: 0) == noErr && meeting.connect(right, to: 1) == noErr)
    for host in [left, right, meeting] { #expect(host.initialize() == noErr) }
    #expect(meeting.render(4)[0] == [1, 1, 1, 1])
    #expect(source[0].feed(.constant(0)) == noErr)
    kept.scribble()
    for host in [meeting, right] { #expect(host.render(4)[0].allSatisfy { $0 < 100 }) }
  }

  @Test(
    "is not changed by effects if more than one of them reads it", arguments: [false, true])
  func fanOut(isWatched: Bool) throws {
    let source = try Host(.counter)
    let (quiet, host) = (try Host(.echo), try Host(.echo))
    #expect(quiet.connect(source) == noErr && host.connect(source) == noErr)
    // A unit with a render notification is not pulled on the direct path.
    if isWatched { #expect(Callback { _ in noErr }.notify(source) == noErr) }
    for unit in [source, quiet, host] { #expect(unit.initialize() == noErr) }
    #expect(quiet.setParameter(0, 0) == noErr)
    for slice in 0..<3 {
      let start = Float(slice) * 2
      let time = Double(start)
      #expect(quiet.render(2, at: time)[0] == [0, 0])
      #expect(source.render(2, at: time)[0] == [start + 1, start + 2])
      let expected: [Float] = slice < 2 ? [start + 1, start + 2] : [5.5, 7]
      #expect(host.render(2, at: time)[0] == expected)
    }
  }

  @Test("is not changed if the program reads it too, from its second slice on")
  func tapped() throws {
    let (source, host) = (try Host(.counter), try Host(.echo))
    #expect(host.connect(source) == noErr)
    #expect(source.initialize() == noErr && host.initialize() == noErr)
    #expect(host.setParameter(0, 0) == noErr)
    for slice in 0..<3 {
      #expect(host.render(2, at: Double(slice) * 2)[0] == [0, 0])
      let tapped = source.render(2, at: Double(slice) * 2)[0]
      if slice > 0 { #expect(tapped == [Float(slice) * 2 + 1, Float(slice) * 2 + 2]) }
    }
  }
}
