// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import Dispatch
import Foundation
import Synchronization
import Testing

@Suite("Parameter and event listeners")
struct ParameterListenerTests {
  let tone: ToneGeneratorUnit
  let record = ListenerRecord()

  init() throws { tone = try ToneGeneratorUnit() }

  // MARK: Run loops

  @Test("changes are reported on the run loop, once per parameter with the last value")
  func runLoop() throws {
    let listener = try record.listener(interval: 0.01)
    defer { AUListenerDispose(listener) }
    var frequency = tone.parameter(kToneGeneratorParam_Frequency)
    var amplitude = tone.parameter(kToneGeneratorParam_Amplitude)
    #expect(AUListenerAddParameter(listener, record.object(1), &frequency) == noErr)
    #expect(AUListenerAddParameter(listener, record.object(2), &amplitude) == noErr)

    for value in [100, 200, 300] as [Float] { AUParameterSet(nil, nil, &frequency, value, 0) }
    AUParameterSet(nil, nil, &amplitude, 0.5, 0)
    #expect(record.all.isEmpty)
    record.runLoop(until: 2)

    #expect(
      record.all == [
        ListenerRecord.Item(object: 1, id: kToneGeneratorParam_Frequency, value: 300),
        ListenerRecord.Item(object: 2, id: kToneGeneratorParam_Amplitude, value: 0.5),
      ])
    #expect(tone.value(kToneGeneratorParam_Frequency) == 300)
  }

  @Test("changes are reported no more often than the interval")
  func interval() throws {
    let listener = try record.listener(interval: 0.05)
    defer { AUListenerDispose(listener) }
    var frequency = tone.parameter(kToneGeneratorParam_Frequency)
    AUListenerAddParameter(listener, nil, &frequency)
    let begin = Date()
    var last: Float = 0
    while Date().timeIntervalSince(begin) < 0.5 {
      last += 1
      AUParameterSet(nil, nil, &frequency, last, 0)
      record.runLoop(for: 0.002)
    }
    record.runLoop(for: 0.1)
    let most = Int(Date().timeIntervalSince(begin) / 0.05) + 1
    #expect((1...most).contains(record.all.count))
    #expect(record.all.last?.value == last)
  }

  @Test("a listener on another thread's run loop is called on that thread")
  func otherThread() throws {
    let ready = DispatchSemaphore(value: 0)
    let loop = Mutex<RunLoopBox?>(nil)
    let record = record
    let thread = Thread {
      loop.withLock { $0 = RunLoopBox(loop: CFRunLoopGetCurrent()) }
      let keepsRunning = Timer(timeInterval: 60, repeats: true) { _ in }
      RunLoop.current.add(keepsRunning, forMode: .default)
      ready.signal()
      record.runLoop(until: 1)
      keepsRunning.invalidate()
      ready.signal()
    }
    thread.start()
    ready.wait()
    let box = try #require(loop.withLock { $0 })
    var created: AUParameterListenerRef?
    AUListenerCreate(
      ListenerRecord.parameterProc, record.context, box.loop, CFRunLoopMode.defaultMode.rawValue, 0,
      &created)
    let listener = try #require(created)
    defer { AUListenerDispose(listener) }
    var frequency = tone.parameter(kToneGeneratorParam_Frequency)
    AUListenerAddParameter(listener, nil, &frequency)
    // With an interval of 0, only changes made on a render thread are reported through the run
    // loop.
    try tone.render { AUParameterSet(nil, nil, &frequency, 123, 0) }
    ready.wait()
    #expect(record.all.map(\.value) == [123])
    #expect(record.all.first?.isMainLoop == false)
  }

  @Test("without an interval a change is reported immediately, on its own thread")
  func immediate() throws {
    let listener = try record.listener(interval: 0)
    defer { AUListenerDispose(listener) }
    var frequency = tone.parameter(kToneGeneratorParam_Frequency)
    AUListenerAddParameter(listener, nil, &frequency)
    AUParameterSet(nil, nil, &frequency, 50, 0)
    AUParameterSet(nil, nil, &frequency, 60, 0)
    #expect(record.all.map(\.value) == [50, 60])
  }

  // MARK: Queues

  @Test("a listener on a dispatch queue receives the last value")
  func queue() throws {
    let queue = DispatchQueue(label: "listener")
    var created: AUParameterListenerRef?
    let record = record
    let status = AUListenerCreateWithDispatchQueue(&created, 0.02, queue) { _, parameter, value in
      dispatchPrecondition(condition: .onQueue(queue))
      record.add(ListenerRecord.Item(object: 0, id: parameter.pointee.mParameterID, value: value))
    }
    #expect(status == noErr)
    let listener = try #require(created)
    defer { AUListenerDispose(listener) }
    var frequency = tone.parameter(kToneGeneratorParam_Frequency)
    AUListenerAddParameter(listener, nil, &frequency)
    for value in [1, 2, 3] as [Float] { AUParameterSet(nil, nil, &frequency, value, 0) }
    #expect(record.wait(for: 1))
    #expect(record.all.map(\.value) == [3])
  }

  @Test("changes made on a render thread are reported on another thread")
  func fromRenderThread() throws {
    var created: AUEventListenerRef?
    let record = record
    AUEventListenerCreateWithDispatchQueue(&created, 0, 0, DispatchQueue(label: "listener")) {
      _, event, _, value in
      record.add(
        ListenerRecord.Item(
          object: 0, id: event.pointee.mArgument.mParameter.mParameterID, value: value))
    }
    let listener = try #require(created)
    defer { AUListenerDispose(listener) }
    var frequency = tone.parameter(kToneGeneratorParam_Frequency)
    AUListenerAddParameter(listener, nil, &frequency)
    var statuses: [OSStatus] = []
    try tone.render {
      statuses.append(AUParameterSet(nil, nil, &frequency, 10, 0))
      statuses.append(AUParameterListenerNotify(nil, nil, &frequency))
    }
    #expect(statuses == [noErr, noErr])
    #expect(record.wait(for: 2))
    #expect(record.all.map(\.value) == [10, 10])
  }

  // MARK: Senders

  @Test("a change is not reported to the sender's object, but to the listener's other objects")
  func senderObject() throws {
    let listener = try record.listener(interval: 0)
    defer { AUListenerDispose(listener) }
    var frequency = tone.parameter(kToneGeneratorParam_Frequency)
    for object in 1...3 { AUListenerAddParameter(listener, record.object(object), &frequency) }
    AUParameterSet(listener, record.object(2), &frequency, 70, 0)
    #expect(record.all.map(\.object) == [1, 3])
  }

  @Test("a change is not reported to a sender without an object, but to other listeners")
  func senderListener() throws {
    let other = ListenerRecord()
    let (sender, listener) = (try record.listener(interval: 0), try other.listener(interval: 0))
    defer { for listener in [sender, listener] { AUListenerDispose(listener) } }
    var frequency = tone.parameter(kToneGeneratorParam_Frequency)
    for listener in [sender, listener] { AUListenerAddParameter(listener, nil, &frequency) }
    AUParameterSet(sender, nil, &frequency, 70, 0)
    #expect(record.all.isEmpty)
    #expect(other.all.map(\.value) == [70])
  }

  @Test("AudioUnitSetParameter alone calls no listener; a notification reports the value")
  func notification() throws {
    let listener = try record.listener(interval: 0)
    defer { AUListenerDispose(listener) }
    var frequency = tone.parameter(kToneGeneratorParam_Frequency)
    AUListenerAddParameter(listener, nil, &frequency)
    AudioUnitSetParameter(
      tone.unit, kToneGeneratorParam_Frequency, kAudioUnitScope_Global, 0, 90, 0)
    #expect(record.all.isEmpty)
    #expect(AUParameterListenerNotify(nil, nil, &frequency) == noErr)
    #expect(record.all.map(\.value) == [90])
  }

  // MARK: Any parameter

  @Test("a notification of any parameter reports each subscription its own value")
  func anyParameterSent() throws {
    let listener = try record.listener(interval: 0)
    defer { AUListenerDispose(listener) }
    for id in [kToneGeneratorParam_Frequency, kToneGeneratorParam_Amplitude] {
      var parameter = tone.parameter(id)
      AUListenerAddParameter(listener, nil, &parameter)
    }
    var any = tone.parameter(kAUParameterListener_AnyParameter)
    #expect(AUParameterListenerNotify(nil, nil, &any) == noErr)
    #expect(Set(record.all.map(\.value)) == [440, 0.25])
  }

  @Test("a subscription to any parameter receives the changes of each")
  func anyParameterSubscribed() throws {
    let listener = try record.listener(interval: 0)
    defer { AUListenerDispose(listener) }
    var any = tone.parameter(kAUParameterListener_AnyParameter)
    AUListenerAddParameter(listener, nil, &any)
    var frequency = tone.parameter(kToneGeneratorParam_Frequency)
    var phase = tone.parameter(kToneGeneratorParam_Phase)
    AUParameterSet(nil, nil, &frequency, 30, 0)
    AUParameterSet(nil, nil, &phase, 40, 0)
    #expect(record.all.map(\.id) == [kToneGeneratorParam_Frequency, kToneGeneratorParam_Phase])
    AUListenerRemoveParameter(listener, nil, &any)
    AUParameterSet(nil, nil, &phase, 50, 0)
    #expect(record.all.count == 2)
  }

  // MARK: Events

  @Test("gestures and the changes between them are reported in order, with host times")
  func gestures() throws {
    let listener = try record.eventListener(interval: 0.02, granularity: 60)
    defer { AUListenerDispose(listener) }
    let types: [AudioUnitEventType] = [
      .beginParameterChangeGesture, .parameterValueChange, .endParameterChangeGesture,
    ]
    for type in types {
      var event = tone.event(type, kToneGeneratorParam_Frequency)
      #expect(AUEventListenerAddEventType(listener, nil, &event) == noErr)
    }
    var frequency = tone.parameter(kToneGeneratorParam_Frequency)
    let before = AudioGetCurrentHostTime()
    for round in 0..<2 {
      for type in types {
        var event = tone.event(type, kToneGeneratorParam_Frequency)
        if type == .parameterValueChange {
          for value in [1, 2] { AUParameterSet(nil, nil, &frequency, Float(10 * round + value), 0) }
        } else {
          #expect(AUEventListenerNotify(nil, nil, &event) == noErr)
        }
      }
    }
    record.runLoop(until: 6)
    #expect(record.all.map(\.type) == types + types)
    #expect(record.all.map(\.value) == [0, 2, 0, 0, 12, 0])
    let times = record.all.map(\.hostTime)
    #expect(times == times.sorted() && times.allSatisfy { $0 >= before })
  }

  @Test("changes further apart than the granularity are reported one by one", arguments: [0, 60])
  func granularity(seconds: Float) throws {
    let listener = try record.eventListener(interval: 0.02, granularity: seconds)
    defer { AUListenerDispose(listener) }
    var frequency = tone.parameter(kToneGeneratorParam_Frequency)
    AUListenerAddParameter(listener, nil, &frequency)
    for value in [1, 2, 3] as [Float] { AUParameterSet(nil, nil, &frequency, value, 0) }
    record.runLoop(until: seconds == 0 ? 3 : 1)
    #expect(record.all.map(\.value) == (seconds == 0 ? [1, 2, 3] : [3]))
  }

  @Test("a property change is reported for its own scope only")
  func property() throws {
    let listener = try record.eventListener(interval: 0, granularity: 0)
    defer { AUListenerDispose(listener) }
    var name = tone.event(kAudioUnitProperty_MaximumFramesPerSlice, kAudioUnitScope_Global)
    var otherScope = tone.event(kAudioUnitProperty_MaximumFramesPerSlice, kAudioUnitScope_Output)
    #expect(AUEventListenerAddEventType(listener, record.object(1), &name) == noErr)
    #expect(AUEventListenerAddEventType(listener, record.object(2), &otherScope) == noErr)
    try tone.setMaximumFrames(777)
    #expect(record.all.map(\.type) == [.propertyChange])
    #expect(record.all.map(\.object) == [1])
    AUEventListenerRemoveEventType(listener, record.object(1), &name)
    try tone.setMaximumFrames(778)
    #expect(record.all.count == 1)
  }

  // MARK: Disposal

  @Test("a listener may dispose of itself while it is called")
  func disposesItself() throws {
    let listener = try record.listener(interval: 0)
    let handle = UInt(bitPattern: listener)
    record.doOnce { OpaquePointer(bitPattern: handle).map { _ = AUListenerDispose($0) } }
    var frequency = tone.parameter(kToneGeneratorParam_Frequency)
    for object in 1...3 { AUListenerAddParameter(listener, record.object(object), &frequency) }
    AUParameterSet(nil, nil, &frequency, 1, 0)
    AUParameterSet(nil, nil, &frequency, 2, 0)
    #expect(record.all.count == 1)
    #expect(AUListenerDispose(listener) == kAudio_ParamError)
  }

  @Test("a disposed listener receives nothing, not even pending changes")
  func disposedWithPendingChanges() throws {
    let listener = try record.listener(interval: 0.01)
    var frequency = tone.parameter(kToneGeneratorParam_Frequency)
    AUListenerAddParameter(listener, nil, &frequency)
    AUParameterSet(nil, nil, &frequency, 1, 0)
    AUListenerDispose(listener)
    record.runLoop(for: 0.05)
    #expect(record.all.isEmpty)
  }

  @Test("disposing waits for a call on another thread")
  func disposeWaitsForCall() throws {
    let (entered, mayReturn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let hasReturned = Atomic(false)
    var created: AUParameterListenerRef?
    AUListenerCreateWithDispatchQueue(&created, 0, DispatchQueue(label: "listener")) { _, _, _ in
      entered.signal()
      mayReturn.wait()
      usleep(20_000)
      hasReturned.store(true, ordering: .relaxed)
    }
    let listener = try #require(created)
    var frequency = tone.parameter(kToneGeneratorParam_Frequency)
    AUListenerAddParameter(listener, nil, &frequency)
    AUParameterSet(nil, nil, &frequency, 1, 0)
    entered.wait()
    mayReturn.signal()
    AUListenerDispose(listener)
    let wasWaitedFor = hasReturned.load(ordering: .relaxed)
    #expect(wasWaitedFor)
  }

  @Test("invalid handles and missing arguments are refused")
  func refusals() throws {
    let listener = try record.listener(interval: 0)
    let events = try record.eventListener(interval: 0, granularity: 0)
    var frequency = tone.parameter(kToneGeneratorParam_Frequency)
    var change = tone.event(.parameterValueChange, kToneGeneratorParam_Frequency)
    #expect(AUEventListenerAddEventType(listener, nil, &change) == kAudio_ParamError)
    AUListenerDispose(listener)
    AUListenerDispose(events)
    #expect(AUListenerAddParameter(listener, nil, &frequency) == kAudio_ParamError)
    #expect(AUListenerRemoveParameter(listener, nil, &frequency) == kAudio_ParamError)
    #expect(AUEventListenerAddEventType(events, nil, &change) == kAudio_ParamError)
    #expect(AUParameterSet(listener, nil, &frequency, 1, 0) == kAudio_ParamError)
    #expect(AUParameterListenerNotify(listener, nil, &frequency) == kAudio_ParamError)
    #expect(AUListenerDispose(AUEventListenerRef(tone.unit)) == kAudio_ParamError)

    var unknown = tone.parameter(99)
    #expect(AUParameterSet(nil, nil, &unknown, 1, 0) == kAudioUnitErr_InvalidParameter)
    tone.dispose()
    #expect(AUParameterSet(nil, nil, &frequency, 1, 0) == kAudio_ParamError)
    #expect(AUEventListenerNotify(nil, nil, &change) == kAudio_ParamError)
    #expect(AUParameterValueFromLinear(0.5, &frequency) == 0)
  }

  // MARK: Values and controls

  @Test("a linear control covers the whole range, and the conversion is reversible")
  func linear() throws {
    for id in [kToneGeneratorParam_Frequency, kToneGeneratorParam_Amplitude] {
      var parameter = tone.parameter(id)
      for position in [0, 0.1, 0.5, 1] as [Float] {
        let value = AUParameterValueFromLinear(position, &parameter)
        #expect(abs(AUParameterValueToLinear(value, &parameter) - position) < 1e-6)
      }
      #expect(AUParameterValueToLinear(-1e9, &parameter) == 0)
      #expect(AUParameterValueToLinear(1e9, &parameter) == 1)
    }
    var amplitude = tone.parameter(kToneGeneratorParam_Amplitude)
    #expect(AUParameterValueFromLinear(0.5, &amplitude) == 0.5)
    #expect(AUParameterValueFromLinear(.nan, &amplitude) == 0)
    // The middle of a logarithmic control is the geometric mean of its ends.
    var frequency = tone.parameter(kToneGeneratorParam_Frequency)
    let (low, middle, high) = (
      AUParameterValueFromLinear(0, &frequency), AUParameterValueFromLinear(0.5, &frequency),
      AUParameterValueFromLinear(1, &frequency)
    )
    #expect(abs(middle / (low * high).squareRoot() - 1) < 1e-5)
  }

  @Test(
    "values are formatted with their significant digits",
    arguments: [
      (kToneGeneratorParam_Frequency, 0.0123, "0.0123"),
      (kToneGeneratorParam_Frequency, 0.5, "0.500"),
      (kToneGeneratorParam_Frequency, 3.14159, "3.14"),
      (kToneGeneratorParam_Frequency, 44.1, "44.1"),
      (kToneGeneratorParam_Frequency, 440.4, "440"),
      (kToneGeneratorParam_Frequency, 12_345, "12300"),
      (kToneGeneratorParam_Amplitude, 0.123_456, "0.12"),
      (kToneGeneratorParam_Phase, -90.4, "-90"),
      (kToneGeneratorParam_Amplitude, .infinity, "inf"),
    ] as [(AudioUnitParameterID, Double, String)])
  func text(id: AudioUnitParameterID, value: Double, expected: String) throws {
    var parameter = tone.parameter(id)
    var buffer = [CChar](repeating: 1, count: 32)
    let text = buffer.withUnsafeMutableBufferPointer { buffer in
      buffer.baseAddress.map { String(cString: AUParameterFormatValue(value, &parameter, $0, 3)) }
    }
    #expect(text == expected)
  }
}
