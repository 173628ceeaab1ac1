// SPDX-License-Identifier: Apache-2.0

import AudioTestSupport
import AudioToolbox
import Synchronization
import Testing

@Suite("A render call")
struct RenderCallTests {
  @Test("returns the first of several errors")
  func order() throws {
    let host = try Host(.counter)
    let small = Buffers(channels: 1, frames: 1)
    #expect(host.render(9_999, bus: 9, into: small).status == kAudioUnitErr_Uninitialized)
    #expect(host.initialize() == noErr)
    #expect(host.render(9_999, bus: 9, into: small).status == kAudioUnitErr_TooManyFramesToProcess)
    #expect(host.render(8, bus: 9, into: small).status == kAudioUnitErr_InvalidElement)
    #expect(host.render(8, into: small).status == kAudio_ParamError, "one buffer for two channels")
    let short = Buffers(channels: 2, frames: 8)
    short.list[1].mDataByteSize = 31
    #expect(host.render(8, into: short).status == kAudio_ParamError, "a byte too few")
    #expect(host.render(7, into: short).status == noErr)
  }

  @Test("without time stamp or buffer list is an argument error, without flags it is allowed")
  func null() throws {
    let host = try Host(.counter)
    #expect(host.initialize() == noErr)
    var stamp = timeStamp(0)
    let list = Buffers(frames: 8).list
    let noStamp = fromBits(0, UnsafePointer<AudioTimeStamp>.self)
    let noList = fromBits(0, UnsafeMutablePointer<AudioBufferList>.self)
    let data = list.unsafeMutablePointer
    #expect(AudioUnitRender(host.unit, nil, noStamp, 0, 8, data) == kAudio_ParamError)
    #expect(AudioUnitRender(host.unit, nil, &stamp, 0, 8, noList) == kAudio_ParamError)
    let buffers = Buffers(frames: 8)
    #expect(
      AudioUnitRender(host.unit, nil, &stamp, 0, 8, buffers.list.unsafeMutablePointer) == noErr)
    #expect(buffers[1] == [1, 2, 3, 4, 5, 6, 7, 8])
  }

  @Test("without memory gets the unit's own, valid until the next render")
  func ownMemory() throws {
    let host = try Host(.counter)
    #expect(host.initialize() == noErr)
    let rendered = host.render(4, intoOwn: true)
    #expect(rendered.status == noErr)
    #expect(!rendered.buffers.isOwn(0) && rendered[0] == [1, 2, 3, 4] && rendered[1].count == 4)
    #expect(UInt(bitPattern: rendered.buffers.list[0].mData) % 16 == 0)
  }

  @Test("into larger buffers writes the requested frames, and the sizes show it")
  func oversize() throws {
    let host = try Host(.counter)
    #expect(host.initialize() == noErr)
    let buffers = Buffers(frames: 10)
    #expect(host.render(4, into: buffers).status == noErr)
    #expect(buffers.list.map(\.mDataByteSize) == [16, 16])
    #expect(buffers.isOwn(0) && buffers.isOwn(1))
    buffers.list[0].mDataByteSize = 40
    #expect(buffers[0] == [1, 2, 3, 4] + Array(repeating: Buffers.untouched, count: 6))
  }

  @Test("of no frames renders nothing and succeeds")
  func noFrames() throws {
    for unit in [TestUnit.counter, .values, .sums] {
      let host = try Host(unit)
      #expect(host.initialize() == noErr)
      let rendered = host.render(0)
      #expect(rendered.status == noErr && rendered.buffers.list[0].mDataByteSize == 0)
    }
  }

  @Test(
    "of no frames between others does not change the output", arguments: [TestUnit.counter, .echo])
  func noFramesBetween(unit: TestUnit) throws {
    let rendered = try [true, false].map { renders in
      let host = try Host(unit)
      if case .echo = unit {
        #expect(host.feed(.signal { Float($0 + 1) }) == noErr)
      }
      #expect(host.initialize() == noErr)
      return stride(from: 0.0, to: 24, by: 8).map { time in
        if renders { #expect(host.render(0, at: time).status == noErr) }
        return host.render(8, at: time)[0]
      }
    }
    #expect(rendered[0] == rendered[1])
    #expect(Set(rendered[1]).count == 3)
  }

  @Test("at the time of the last one returns the same samples again")
  func repeatedTime() throws {
    let host = try Host(.counter)
    #expect(host.initialize() == noErr)
    #expect(host.render(3, at: 0)[0] == [1, 2, 3])
    #expect(host.render(3, at: 0)[0] == [1, 2, 3])
    #expect(host.render(3, at: 3)[0] == [4, 5, 6])
    #expect(host.render(3, at: 0)[0] == [7, 8, 9], "a jump is not a repetition")
    #expect(host.render(2, at: 0)[0] == [10, 11], "nor is another length")
    #expect(host.reset() == noErr)
    #expect(host.render(2, at: 0)[0] == [1, 2], "nor the time after a reset")
  }

  @Test("without a valid sample time is never a repetition")
  func noTime() throws {
    let host = try Host(.counter)
    #expect(host.initialize() == noErr)
    var stamp = AudioTimeStamp()
    for expected in [[1, 2], [3, 4]] as [[Float]] {
      let buffers = Buffers(frames: 2)
      let status = AudioUnitRender(
        host.unit, nil, &stamp, 0, 2, buffers.list.unsafeMutablePointer)
      #expect(status == noErr && buffers[0] == expected)
    }
  }

  @Test("is refused immediately while another thread renders the unit", .timeLimit(.minutes(60)))
  func twoThreads() throws {
    let host = try Host(.echo)
    let (isInside, mayLeave) = (Flag(), Flag())
    let callback = Callback { call in
      isInside.raise()
      mayLeave.wait()
      call.fill { _ in 1 }
      return noErr
    }
    #expect(host.feed(callback) == noErr)
    #expect(host.initialize() == noErr)
    let first = OwnThread { host.render(4).status }
    isInside.wait()
    #expect(host.render(4).status == kAudioUnitErr_CannotDoInCurrentContext)
    mayLeave.raise()
    #expect(first.join() == noErr)
    #expect(try host.get(kAudioUnitProperty_LastRenderError, as: OSStatus.self) == noErr)
  }

  @Test("succeeds or is refused, with correct samples, while two threads render")
  func contention() async throws {
    let host = try Host(.counter)
    #expect(host.initialize() == noErr)
    let count = await withTaskGroup { group in
      for thread in 0..<2 {
        group.addTask {
          var good = 0
          for index in 0..<2_000 {
            let rendered = host.render(8, at: Double(thread * 1_000_000 + index * 8))
            if rendered.status == noErr {
              good += 1
              let samples = rendered[0]
              #expect(zip(samples, samples.dropFirst()).allSatisfy { $1 == $0 + 1 })
            } else {
              #expect(rendered.status == kAudioUnitErr_CannotDoInCurrentContext)
            }
          }
          return good
        }
      }
      return await group.reduce(0, +)
    }
    #expect(count > 0)
  }

  @Test("turns denormal numbers off for its duration only")
  func denormals() throws {
    let host = try Host(.echo)
    let tiny = Float.leastNormalMagnitude / 4
    let seen = Mutex<Float>(-1)
    let callback = Callback { call in
      seen.withLock { $0 = halved(tiny) }
      call.fill { _ in tiny }
      return noErr
    }
    #expect(host.feed(callback) == noErr)
    #expect(host.initialize() == noErr)
    _ = host.render(4)
    #expect(seen.withLock { $0 } == 0)
    #expect(halved(tiny) > 0)
  }
}

/// Halves a number at run time: the compiler cannot fold it.
@inline(never)
private func halved(_ value: Float) -> Float { value * 0.5 }

/// A flag that one thread raises and another waits for.
final class Flag: Sendable {
  private let value = Atomic<Bool>(false)

  var isRaised: Bool { value.load(ordering: .acquiring) }
  func raise() { value.store(true, ordering: .releasing) }
  func wait() { while !isRaised { usleep(100) } }
}
