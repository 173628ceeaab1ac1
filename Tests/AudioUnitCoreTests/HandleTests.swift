// SPDX-License-Identifier: Apache-2.0

import AudioTestSupport
import AudioToolbox
@testable import AudioSupport
@testable import AudioUnitCore
import Synchronization
import Testing

@Suite("Handles")
struct HandleTests {
  /// Invalid unit handles: null, invented addresses, real memory, a component, stale handles.
  private func impostors() throws -> [AudioUnit] {
    let memory = UnsafeMutableRawPointer.allocate(byteCount: 4096, alignment: 4096)
    let component = try #require(TestUnit.echo.component)
    let host = try Host(.echo)
    let stale = host.unit
    #expect(host.dispose() == noErr)
    return [
      fromBits(0, AudioUnit.self),
      fromBits(UInt(0xDEAD_BEE0), AudioUnit.self),
      fromBits(UInt.max, AudioUnit.self), AudioUnit(OpaquePointer(memory)), AudioUnit(component),
      stale,
      fromBits(UInt(bitPattern: host.unit) + 1, AudioUnit.self),
      fromBits(UInt(bitPattern: host.unit) + (1 << 24), AudioUnit.self),
      fromBits(UInt(bitPattern: host.unit) ^ (0xFFFFF << 4), AudioUnit.self),
    ]
  }

  @Test("every call with an invalid unit returns an error, and has no other effect")
  func impostor() throws {
    for unit in try impostors() {
      var (size, writable, value, flags) = (UInt32(8), true, Float(0), AudioUnitRenderActionFlags())
      var bytes = [UInt8](repeating: 0, count: 8)
      var stamp = timeStamp(0)
      var event = AudioUnitParameterEvent.immediate(0, 1, at: 0)
      let list = Buffers(frames: 4).list.unsafeMutablePointer
      var input: UnsafePointer<AudioBufferList> = UnsafePointer(list)
      var output = list
      let results: [(String, OSStatus)] = [
        ("Initialize", AudioUnitInitialize(unit)), ("Uninitialize", AudioUnitUninitialize(unit)),
        ("Reset", AudioUnitReset(unit, 0, 0)),
        ("GetPropertyInfo", AudioUnitGetPropertyInfo(unit, 14, 0, 0, &size, &writable)),
        ("GetProperty", AudioUnitGetProperty(unit, 14, 0, 0, &bytes, &size)),
        ("SetProperty", AudioUnitSetProperty(unit, 14, 0, 0, &bytes, 4)),
        (
          "AddPropertyListener",
          AudioUnitAddPropertyListener(unit, 14, PropertyWatch.function, nil)
        ),
        (
          "RemovePropertyListenerWithUserData",
          AudioUnitRemovePropertyListenerWithUserData(unit, 14, PropertyWatch.function, nil)
        ),
        (
          "RemovePropertyListener",
          AudioUnitRemovePropertyListener(unit, 14, PropertyWatch.function)
        ),
        ("AddRenderNotify", AudioUnitAddRenderNotify(unit, Callback.function, nil)),
        ("RemoveRenderNotify", AudioUnitRemoveRenderNotify(unit, Callback.function, nil)),
        ("GetParameter", AudioUnitGetParameter(unit, 0, 0, 0, &value)),
        ("SetParameter", AudioUnitSetParameter(unit, 0, 0, 0, 0, 0)),
        ("ScheduleParameters", AudioUnitScheduleParameters(unit, &event, 1)),
        ("Render", AudioUnitRender(unit, &flags, &stamp, 0, 4, list)),
        ("Process", AudioUnitProcess(unit, &flags, &stamp, 4, list)),
        (
          "ProcessMultiple",
          AudioUnitProcessMultiple(unit, &flags, &stamp, 4, 1, &input, 1, &output)
        ),
        ("Start", AudioOutputUnitStart(unit)), ("Stop", AudioOutputUnitStop(unit)),
        ("Dispose", AudioComponentInstanceDispose(unit)),
      ]
      for (call, status) in results { #expect(status == kAudio_ParamError, "\(call) of \(unit)") }
      #expect(!AudioComponentInstanceCanDo(unit, 1))
      let found = AudioComponentInstanceGetComponent(unit)
      #expect(UInt(bitPattern: found) == 0)
    }
  }

  @Test("a unit is not accepted as a component")
  func unitAsComponent() throws {
    let host = try Host(.echo)
    let unit = AudioComponent(host.unit)
    var (version, instance) = (UInt32(0), AudioComponentInstance?.none)
    #expect(AudioComponentGetVersion(unit, &version) == kAudio_ParamError)
    #expect(AudioComponentInstanceNew(unit, &instance) == kAudio_ParamError)
    #expect(instance == nil)
  }

  @Test("a handle is valid on every thread, and becomes invalid on all of them")
  func threads() async throws {
    let host = try Host(.values)
    let unit = UInt(bitPattern: host.unit)
    let get = { @Sendable () -> OSStatus in
      var value: Float = 0
      return AudioUnitGetParameter(
        fromBits(unit, AudioUnit.self), 0, kAudioUnitScope_Global, 0, &value)
    }
    #expect(await Task.detached { get() }.value == noErr)
    #expect(host.dispose() == noErr)
    #expect(await Task.detached { get() }.value == kAudio_ParamError)
  }

  @Test(
    "disposing of a unit inside its own callback invalidates the handle, and the render completes")
  func disposeInCallback() throws {
    let host = try Host(.echo)
    let unit = UInt(bitPattern: host.unit)
    let statuses = Mutex<[OSStatus]>([])
    let callback = Callback { call in
      let unit = fromBits(unit, AudioUnit.self)
      let first = AudioComponentInstanceDispose(unit)
      let second = AudioComponentInstanceDispose(unit)
      statuses.withLock { $0 += [first, second, AudioUnitInitialize(unit)] }
      call.fill { _ in 0.5 }
      return noErr
    }
    #expect(host.feed(callback) == noErr)
    #expect(host.initialize() == noErr)
    #expect(host.render(4)[0] == [0.5, 0.5, 0.5, 0.5])
    #expect(statuses.withLock { $0 } == [noErr, kAudio_ParamError, kAudio_ParamError])
    #expect(host.render(4).status == kAudio_ParamError)
  }

  @Test("disposing of a unit inside its property listener lets the call return")
  func disposeInListener() throws {
    let host = try Host(.echo)
    let listener: AudioUnitPropertyListenerProc = { _, unit, _, _, _ in
      _ = AudioComponentInstanceDispose(unit)
    }
    let id = kAudioUnitProperty_MaximumFramesPerSlice
    #expect(AudioUnitAddPropertyListener(host.unit, id, listener, nil) == noErr)
    #expect(host.set(id, UInt32(100)) == noErr)
    #expect(host.set(id, UInt32(200)) == kAudio_ParamError)
  }

  @Test(
    "disposing of a unit while another thread renders it waits for that render",
    .timeLimit(.minutes(60)))
  func disposeWhileRendering() throws {
    for _ in 0..<100 {
      let host = try Host(.echo)
      let inside = Atomic<Int>(0)
      let callback = Callback { call in
        inside.add(1, ordering: .relaxed)
        call.fill { _ in 1 }
        inside.subtract(1, ordering: .relaxed)
        return noErr
      }
      #expect(host.feed(callback) == noErr)
      #expect(host.initialize() == noErr)
      let unit = host
      let renderer = OwnThread {
        var renders = 0
        while unit.render(64, at: Double(renders) * 64).status != kAudio_ParamError {
          renders += 1
        }
        return renders
      }
      usleep(200)
      #expect(host.dispose() == noErr)
      #expect(inside.load(ordering: .relaxed) == 0, "no callback runs once it is disposed of")
      _ = renderer.join()
    }
  }

  @Test("thirty thousand units, one after the other, leave no memory and no thread behind")
  func flat() async {
    await #expect(processExitsWith: .success) {
      ProcessState.useOneHeap()
      func round(_ count: Int) throws {
        let units: [TestUnit] = [.values, .counter, .echo, .sums]
        for index in 0..<count {
          let host = try Host(units[index % 4])
          #expect(host.initialize() == noErr)
          _ = host.setParameter(0, 0.25, at: 3)
          _ = host.render(16)
        }
      }
      try round(2_000)
      let before = ProcessState()
      try round(30_000)
      let after = ProcessState()
      #expect(ProcessState.isSanitized || after.heapBytes - before.heapBytes < 128 << 10)
      // Units map their larger memory.
      #expect(ProcessState.isSanitized || after.residentBytes - before.residentBytes < 16 << 20)
      #expect(after.threadNames.count { $0 == "audio-notifier" } <= 1)
    }
  }

  @Test("a forked child can use its parent's units, and its parent continues")
  func fork() throws {
    let host = try Host(.values)
    typealias Fork = @convention(c) () -> pid_t
    // The function exists, although Swift marks it unavailable.
    let address = try #require(dlsym(nil, "fork"))
    let component = try #require(TestUnit.values.component)
    let child = unsafeBitCast(address, to: Fork.self)()
    if child == 0 {
      var value: Float = 0
      let status = AudioUnitGetParameter(host.unit, 0, kAudioUnitScope_Global, 0, &value)
      var description = AudioComponentDescription()
      var (instance, graph) = (AudioUnit?.none, AUGraph?.none)
      let results = [
        value == 0.5,
        AudioComponentFindNext(nil, &description) != nil,
        AudioComponentCount(&description) > 0,
        AudioComponentInstanceNew(component, &instance) == noErr,
        NewAUGraph(&graph) == noErr,
      ]
      _exit(status == noErr && !results.contains(false) ? 42 : 1)
    }
    var result: Int32 = 0
    #expect(waitpid(child, &result, 0) == child)
    #expect(result >> 8 == 42)
    #expect(try host.parameter(0) == 0.5)
  }

  @Test(
    "a slot whose handle is used while it is freed keeps its count", .timeLimit(.minutes(60)))
  func staleRace() throws {
    let table = HandleTable<NSObject, OpaquePointer>(kind: 9)
    for _ in 0..<3_000 {
      let handle = try table.insert(NSObject())
      let number = UInt(bitPattern: handle)
      let (isReading, isDone) = (Flag(), Flag())
      let reader = OwnThread {
        guard let handle = OpaquePointer(bitPattern: number) else { return }
        while !isDone.isRaised {
          if table.enter(handle) != nil { table.leave(handle) }
          isReading.raise()
        }
      }
      isReading.wait()
      #expect(table.invalidate(handle))
      #expect(table.release(handle) != nil)
      isDone.raise()
      reader.join()
      #expect(table.users(of: handle) == 0)
    }
  }
}
