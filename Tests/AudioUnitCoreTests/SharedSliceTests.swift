// SPDX-License-Identifier: Apache-2.0

import AudioToolbox
import Testing

/// Units find samples where they lie, and give the slice of one time out as often as it is asked for.
@Suite("A slice that lies in the memory of others")
struct SharedSliceTests {
  /// A callback that hands out memory of its own; `scribble` shows who still reads it.
  private final class Lender: @unchecked Sendable {
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

  /// Effects in a row, the first fed by `callback`; the last comes last.
  private func chain(_ count: Int, _ callback: Callback) throws -> [Host] {
    let hosts = try (0..<count).map { _ in try Host(.echo) }
    #expect(hosts[0].feed(callback) == noErr)
    for index in 1..<count { #expect(hosts[index].connect(hosts[index - 1]) == noErr) }
    for host in hosts { #expect(host.initialize() == noErr) }
    return hosts
  }

  @Test("is rendered once, however often it is requested")
  func once() throws {
    let hosts = try chain(3, .constant(1))
    let first = hosts[2].render(4)[0]
    #expect(hosts[2].render(4)[0] == first)
  }

  @Test("is not given out again when its source has been uninitialized")
  func uninitialized() throws {
    let hosts = try chain(4, .constant(1))
    #expect(hosts[3].render(4).status == noErr)
    #expect(hosts[0].uninitialize() == noErr)
    #expect(hosts[3].render(4).status == kAudioUnitErr_Uninitialized)
    #expect(hosts[0].initialize() == noErr)
    #expect(hosts[3].render(4).status == noErr)
  }

  @Test("is not given out again when its source has ended")
  func disposed() throws {
    let (source, host) = (try Host(.counter), try Host(.echo))
    #expect(host.connect(source) == noErr)
    #expect(source.initialize() == noErr && host.initialize() == noErr)
    #expect(host.render(4)[0] == [1, 2, 3, 4])
    #expect(source.dispose() == noErr)
    #expect(host.render(4).status == kAudioUnitErr_NoConnection)
  }

  @Test("is not given out again, nor by units behind, when the callback that lent it is gone")
  func callbackGone() throws {
    let lender = Lender(0.5)
    let hosts = try chain(4, lender.callback)
    #expect(hosts[3].render(4)[0] == [0.5, 0.5, 0.5, 0.5])
    #expect(hosts[0].feed(.constant(0.25)) == noErr)
    lender.scribble()
    for host in hosts.reversed() {
      let samples = host.render(4)[0]
      #expect(samples.allSatisfy { $0 < 100 })
    }
  }

  @Test("is not given out again by two ways that meet")
  func diamond() throws {
    let lender = Lender(0.5)
    let source = try chain(2, lender.callback)
    let (left, right, meeting) = (try Host(.echo), try Host(.echo), try Host(.sums))
    for host in [left, right] { #expect(host.connect(source[1]) == noErr) }
    #expect(meeting.connect(left, to: 0) == noErr && meeting.connect(right, to: 1) == noErr)
    for host in [left, right, meeting] { #expect(host.initialize() == noErr) }
    #expect(meeting.render(4)[0] == [1, 1, 1, 1])
    #expect(source[0].feed(.constant(0)) == noErr)
    lender.scribble()
    for host in [meeting, right] { #expect(host.render(4)[0].allSatisfy { $0 < 100 }) }
  }

  @Test(
    "is left as it is by effects when more than one of them reads it", arguments: [false, true])
  func fanOut(isWatched: Bool) throws {
    let source = try Host(.counter)
    let (quiet, host) = (try Host(.echo), try Host(.echo))
    #expect(quiet.connect(source) == noErr && host.connect(source) == noErr)
    // A unit that somebody is told about is reached by a longer way.
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

  @Test("is left as it is when the program reads it too, from its second slice on")
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
