// SPDX-License-Identifier: Apache-2.0

import AudioTestSupport
import AudioToolbox
import Foundation
import Synchronization
import Testing

/// When a call that removes a listener, or disposes of its unit, returns, the listener is not
/// running any more: the program may free its context.
@Suite("Removing a property listener", .timeLimit(.minutes(60)))
struct ListenerEndTests {
  /// A listener with a closure behind it.
  private final class Listener: @unchecked Sendable {
    private let body: @Sendable () -> Void
    let calls = Atomic(0)

    init(_ body: @escaping @Sendable () -> Void = {}) { self.body = body }

    static let function: AudioUnitPropertyListenerProc = { context, _, _, _, _ in
      let listener = Unmanaged<Listener>.fromOpaque(context).takeUnretainedValue()
      listener.calls.add(1, ordering: .sequentiallyConsistent)
      listener.body()
    }

    private var context: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    var callCount: Int { calls.load(ordering: .sequentiallyConsistent) }

    func add(_ host: Host) -> OSStatus {
      host.retain(self)
      return AudioUnitAddPropertyListener(host.unit, size, Self.function, context)
    }

    func remove(_ unit: UInt) -> OSStatus {
      guard let unit = AudioUnit(bitPattern: unit) else { return kAudio_ParamError }
      return AudioUnitRemovePropertyListenerWithUserData(unit, size, Self.function, context)
    }
  }

  private static let size = kAudioUnitProperty_MaximumFramesPerSlice

  private func number(_ host: Host) -> UInt { UInt(bitPattern: host.unit) }

  @Test("waits for a call on another thread", arguments: [false, true])
  func removalWaits(disposes: Bool) throws {
    let host = try Host(.echo)
    let (isInside, hasEnded) = (Flag(), Flag())
    let listener = Listener {
      isInside.raise()
      usleep(100_000)
      hasEnded.raise()
    }
    #expect(listener.add(host) == noErr)
    let setter = OwnThread { host.set(Self.size, UInt32(64)) }
    while !isInside.isRaised { usleep(100) }
    #expect((disposes ? host.dispose() : listener.remove(number(host))) == noErr)
    #expect(hasEnded.isRaised)
    #expect(setter.join() == noErr)
  }

  @Test("prevents calls of a listener whose turn has not come yet")
  func removedBeforeItsTurn() throws {
    let host = try Host(.echo)
    let (isInside, mayContinue) = (Flag(), Flag())
    let first = Listener {
      isInside.raise()
      while !mayContinue.isRaised { usleep(100) }
    }
    let second = Listener()
    #expect(first.add(host) == noErr && second.add(host) == noErr)
    let setter = OwnThread { host.set(Self.size, UInt32(64)) }
    while !isInside.isRaised { usleep(100) }
    #expect(second.remove(number(host)) == noErr)
    mayContinue.raise()
    #expect(setter.join() == noErr)
    #expect(second.callCount == 0)
  }

  @Test("by disposal inside a listener returns immediately, and prevents the remaining calls")
  func endInside() throws {
    let host = try Host(.echo)
    let unit = number(host)
    let second = Listener()
    let first = Listener {
      if let unit = AudioUnit(bitPattern: unit) { _ = AudioComponentInstanceDispose(unit) }
    }
    #expect(first.add(host) == noErr && second.add(host) == noErr)
    #expect(host.set(Self.size, UInt32(64)) == noErr)
    #expect(first.callCount == 1 && second.callCount == 0)
    #expect(host.set(Self.size, UInt32(65)) == kAudio_ParamError)
    #expect(host.dispose() == kAudio_ParamError)
  }

  @Test("lets two listeners remove each other without a deadlock")
  func mutual() throws {
    let host = try Host(.echo)
    let unit = number(host)
    let (inOne, inOther) = (Flag(), Flag())
    let listeners = Mutex<[Listener]>([])
    let one = Listener {
      // When the other thread calls it again, it returns, so that the other listener is called.
      guard !inOne.isRaised else { return }
      inOne.raise()
      while !inOther.isRaised { usleep(100) }
      _ = listeners.withLock { $0[1] }.remove(unit)
    }
    let other = Listener {
      guard inOne.isRaised else { return }
      inOther.raise()
      _ = listeners.withLock { $0[0] }.remove(unit)
    }
    listeners.withLock { $0 = [one, other] }
    #expect(one.add(host) == noErr)
    let setter = OwnThread { host.set(Self.size, UInt32(64)) }
    while !inOne.isRaised { usleep(100) }
    #expect(other.add(host) == noErr)
    #expect(host.set(Self.size, UInt32(65)) == noErr)
    #expect(setter.join() == noErr)
    let calls = one.callCount + other.callCount
    #expect(host.set(Self.size, UInt32(66)) == noErr)
    #expect(one.callCount + other.callCount == calls)
  }
}
