// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import AudioToolbox
import Foundation
import Synchronization
import Testing

@Suite("System sounds", .serialized)
struct SystemSoundTests {
  private func make(_ seconds: Double) throws -> (status: OSStatus, id: SystemSoundID, tape: Tape) {
    let tape = try Tape([[Float](repeating: 0.25, count: Int(seconds * 48_000))])
    var id = SystemSoundID(0)
    let status = AudioServicesCreateSystemSoundID(NSURL(fileURLWithPath: tape.path), &id)
    return (status, id, tape)
  }

  @Test("are created from files of at most half a minute")
  func making() throws {
    let short = try make(0.1)
    #expect(short.status == noErr && short.id > 0x1000)
    #expect(AudioServicesDisposeSystemSoundID(short.id) == noErr)
    #expect(
      AudioServicesDisposeSystemSoundID(short.id) == kAudioServicesSystemSoundUnspecifiedError)
    let long = try make(30.1)
    #expect(long.status == kAudioServicesSystemSoundExceededMaximumDurationError)
    var id = SystemSoundID(1)
    let missing = AudioServicesCreateSystemSoundID(NSURL(fileURLWithPath: "/nowhere.wav"), &id)
    #expect(missing == kAudioServicesSystemSoundUnspecifiedError)
    #expect(id == 0)
  }

  @Test("have two properties that can be set")
  func properties() throws {
    let sound = try make(0.1)
    var (id, value, size) = (sound.id, UInt32(9), UInt32(4))
    func get(_ property: AudioServicesPropertyID, _ specifier: UInt32 = 4) -> OSStatus {
      AudioServicesGetProperty(property, specifier, &id, &size, &value)
    }
    #expect(get(kAudioServicesPropertyIsUISound) == noErr)
    #expect(value == 1)
    value = 1
    #expect(
      AudioServicesSetProperty(
        kAudioServicesPropertyCompletePlaybackIfAppDies, 4, &id, 4, &value) == noErr)
    value = 0
    #expect(get(kAudioServicesPropertyCompletePlaybackIfAppDies) == noErr)
    #expect(value == 1)
    #expect(get(1) == kAudioServicesUnsupportedPropertyError)
    #expect(get(kAudioServicesPropertyIsUISound, 2) == kAudioServicesBadSpecifierSizeError)
    size = 2
    #expect(get(kAudioServicesPropertyIsUISound) == kAudioServicesBadPropertySizeError)
    value = 0
    #expect(
      AudioServicesSetProperty(
        kAudioServicesPropertyIsUISound, 4, &id, 2, &value) == kAudioServicesBadPropertySizeError)
  }

  @Test("call a block when they have ended, or could not be played")
  func completion() throws {
    let count = CompletionCount()
    AudioServicesPlaySystemSoundWithCompletion(4_000_000) { count.add() }
    #expect(waits { count.value == 1 })
    AudioServicesPlayAlertSoundWithCompletion(SystemSoundID(kSystemSoundID_Vibrate)) { count.add() }
    #expect(waits { count.value == 2 })
    let sound = try make(0.1)
    AudioServicesPlaySystemSoundWithCompletion(sound.id) { count.add() }
    // Another play ends the first.
    AudioServicesPlaySystemSoundWithCompletion(sound.id) { count.add() }
    #expect(waits { count.value == 4 })
    #expect(AudioServicesDisposeSystemSoundID(sound.id) == noErr)
  }

  /// The calls that another thread makes during a completion. Removing this sound's completion is
  /// not among them, because it waits for the completion.
  private func calls(_ id: SystemSoundID, _ path: String) -> [MeanwhileCall] {
    [
      MeanwhileCall("Create") {
        var made = SystemSoundID(0)
        AudioServicesCreateSystemSoundID(NSURL(fileURLWithPath: path), &made)
        AudioServicesDisposeSystemSoundID(made)
      },
      MeanwhileCall("GetProperty") {
        var (id, value, size) = (id, UInt32(0), UInt32(4))
        AudioServicesGetProperty(kAudioServicesPropertyIsUISound, 4, &id, &size, &value)
      },
      MeanwhileCall("SetProperty") {
        var (id, value) = (id, UInt32(0))
        AudioServicesSetProperty(kAudioServicesPropertyIsUISound, 4, &id, 4, &value)
      },
      MeanwhileCall("Play") { AudioServicesPlaySystemSound(id) },
      MeanwhileCall("PlayAlert") { AudioServicesPlayAlertSound(id) },
      MeanwhileCall("PlayWithCompletion") {
        AudioServicesPlaySystemSoundWithCompletion(id) {}
      },
      MeanwhileCall("RemoveCompletion of another") {
        AudioServicesRemoveSystemSoundCompletion(SystemSoundID(kSystemSoundID_Vibrate))
      },
    ]
  }

  @Test("allow every call during a completion", .timeLimit(.minutes(60)))
  func meanwhile() throws {
    let sound = try make(0.05)
    let watch = FunctionWatch()
    watch.arm("block", calls(sound.id, sound.tape.path))
    AudioServicesPlaySystemSoundWithCompletion(sound.id) { watch.wasCalled("block") }
    #expect(waits { watch.callCount > 0 })

    let before = watch.callCount
    watch.arm("routine", calls(sound.id, sound.tape.path))
    let status = AudioServicesAddSystemSoundCompletion(
      sound.id, CFRunLoopGetCurrent(), nil,
      { id, data in
        guard let data else { return }
        Unmanaged<FunctionWatch>.fromOpaque(data).takeUnretainedValue().wasCalled("routine")
        // Called inside the completion, they do not wait.
        AudioServicesRemoveSystemSoundCompletion(id)
        AudioServicesDisposeSystemSoundID(id)
      }, Unmanaged.passUnretained(watch).toOpaque())
    #expect(status == noErr)
    AudioServicesPlaySystemSound(sound.id)
    let deadline = Date(timeIntervalSinceNow: 120)
    while watch.callCount == before, Date() < deadline {
      CFRunLoopRunInMode(kCFRunLoopDefaultMode, 0.05, true)
    }
    #expect(watch.callCount == before + 1)
    #expect(watch.problems.isEmpty)
    #expect(
      AudioServicesDisposeSystemSoundID(sound.id) == kAudioServicesSystemSoundUnspecifiedError)
  }

  @Test("call a function on a run loop, until it is removed")
  func routine() throws {
    let sound = try make(0.05)
    let count = CompletionCount()
    let status = AudioServicesAddSystemSoundCompletion(
      sound.id, CFRunLoopGetCurrent(), nil,
      { _, data in
        guard let data else { return }
        Unmanaged<CompletionCount>.fromOpaque(data).takeUnretainedValue().add()
      }, Unmanaged.passUnretained(count).toOpaque())
    #expect(status == noErr)
    AudioServicesPlaySystemSound(sound.id)
    let deadline = Date(timeIntervalSinceNow: 10)
    while count.value == 0, Date() < deadline {
      CFRunLoopRunInMode(kCFRunLoopDefaultMode, 0.05, true)
    }
    #expect(count.value == 1)
    AudioServicesRemoveSystemSoundCompletion(sound.id)
    let done = CompletionCount()
    AudioServicesPlaySystemSoundWithCompletion(sound.id) { done.add() }
    #expect(waits { done.value == 1 })
    CFRunLoopRunInMode(kCFRunLoopDefaultMode, 0.05, true)
    #expect(count.value == 1)
  }
}

private final class CompletionCount: Sendable {
  private let count = Atomic(0)
  func add() { count.wrappingAdd(1, ordering: .relaxed) }
  var value: Int { count.load(ordering: .relaxed) }
}
