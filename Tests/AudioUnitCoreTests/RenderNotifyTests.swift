// SPDX-License-Identifier: Apache-2.0

import AudioToolbox
import Synchronization
import Testing

@Suite("Render notifies")
struct RenderNotifyTests {
  /// The calls, in order.
  private final class Journal: Sendable {
    private let entries = Mutex<[String]>([])
    var text: [String] { entries.withLock { $0 } }
    func write(_ entry: String) { entries.withLock { $0.append(entry) } }

    func notify(_ name: String) -> Callback {
      Callback { [self] call in
        write("\(name) \(call.flags.pointee.rawValue)")
        // A notify gets a copy of the flags.
        call.flags.pointee = AudioUnitRenderActionFlags(rawValue: 0xFFFF)
        return -1
      }
    }
  }

  @Test("are called before and after the input is pulled, in the order of adding")
  func order() throws {
    let (host, journal) = (try Host(.echo), Journal())
    let input = Callback { call in
      journal.write("input")
      call.fill { _ in 0.5 }
      return noErr
    }
    #expect(host.feed(input) == noErr)
    #expect(journal.notify("a").notify(host) == noErr)
    #expect(journal.notify("b").notify(host) == noErr)
    #expect(host.initialize() == noErr)
    let rendered = host.render(2)
    #expect(
      rendered.status == noErr && rendered.flags == [], "their status and flags have no effect")
    #expect(journal.text == ["a 4", "b 4", "input", "a 8", "b 8"])
  }

  @Test("get the caller's flags")
  func flags() throws {
    let (host, journal) = (try Host(.echo), Journal())
    #expect(host.feed(.constant(1)) == noErr)
    #expect(journal.notify("a").notify(host) == noErr)
    #expect(host.initialize() == noErr)
    _ = host.render(2, flags: .offlineUnitRenderAction_Render)
    #expect(journal.text == ["a 68", "a 72"])
  }

  @Test("are notified of a failure afterwards")
  func failure() throws {
    let (host, journal) = (try Host(.echo), Journal())
    #expect(host.feed(Callback { _ in -7 }) == noErr)
    #expect(journal.notify("a").notify(host) == noErr)
    #expect(host.initialize() == noErr)
    #expect(host.render(2).status == -7)
    #expect(journal.text == ["a 4", "a \(8 | 256)"])
  }

  @Test("are not notified of invalid arguments, neither before nor afterwards")
  func badArguments() throws {
    let (host, journal) = (try Host(.echo), Journal())
    #expect(journal.notify("a").notify(host) == noErr)
    #expect(host.render(2).status == kAudioUnitErr_Uninitialized)
    #expect(host.initialize() == noErr)
    #expect(host.render(9_999).status == kAudioUnitErr_TooManyFramesToProcess)
    #expect(journal.text.isEmpty)
  }

  @Test("are called once however often they were added, and not after they were removed")
  func addAndRemove() throws {
    let (host, journal) = (try Host(.counter), Journal())
    let notify = journal.notify("a")
    #expect(notify.notify(host) == noErr)
    #expect(notify.notify(host) == noErr)
    #expect(host.initialize() == noErr)
    _ = host.render(2)
    #expect(journal.text.count == 2)
    let remove = { AudioUnitRemoveRenderNotify(host.unit, Callback.function, notify.context) }
    #expect(remove() == noErr)
    #expect(remove() == noErr, "even if it was already removed")
    _ = host.render(2, at: 2)
    #expect(journal.text.count == 2)
  }

  @Test("get the rendered samples")
  func samples() throws {
    let host = try Host(.counter)
    let seen = Mutex<[Float]>([])
    let notify = Callback { call in
      guard call.flags.pointee.contains(.unitRenderAction_PostRender) else { return noErr }
      seen.withLock { $0 = Array(UnsafeBufferPointer<Float>(call.data[0])) }
      return noErr
    }
    #expect(notify.notify(host) == noErr)
    #expect(host.initialize() == noErr)
    _ = host.render(3, intoOwn: true)
    #expect(seen.withLock { $0 } == [1, 2, 3])
  }

  @Test("may remove themselves while they are called")
  func removeInside() throws {
    let host = try Host(.counter)
    let unit = UInt(bitPattern: host.unit)
    let calls = Atomic<Int>(0)
    let notify = Callback { call in
      calls.add(1, ordering: .relaxed)
      return noErr
    }
    let context = UInt(bitPattern: notify.context)
    let remover = Callback { _ in
      AudioUnitRemoveRenderNotify(
        fromBits(unit, AudioUnit.self), Callback.function,
        UnsafeMutableRawPointer(bitPattern: context))
    }
    #expect(remover.notify(host) == noErr)
    #expect(notify.notify(host) == noErr)
    #expect(host.initialize() == noErr)
    for round in 0..<3 { _ = host.render(2, at: Double(round) * 2) }
    #expect(calls.load(ordering: .relaxed) == 2, "the current render uses the list it began with")
  }

  @Test("adding null is an argument error, removing it is not")
  func null() throws {
    let host = try Host(.counter)
    let null = fromBits(0, AURenderCallback.self)
    #expect(AudioUnitAddRenderNotify(host.unit, null, nil) == kAudio_ParamError)
    #expect(AudioUnitRemoveRenderNotify(host.unit, null, nil) == noErr)
  }
}
