// SPDX-License-Identifier: Apache-2.0
import AudioQueues
import AudioSupport
public import CoreAudio
public import Foundation

// The functions of AudioQueue.h, except those for time, offline rendering, taps and dispatch
// queues.

/// A callback of a program, with its data.
private struct OutputFunction: @unchecked Sendable {
  let function: AudioQueueOutputCallback
  let data: UnsafeMutableRawPointer?
}

private struct InputFunction: @unchecked Sendable {
  let function: AudioQueueInputCallback
  let data: UnsafeMutableRawPointer?
}

/// The executor for a queue's callbacks.
private func executor(_ runLoop: UnsafeRawPointer?, _ mode: UnsafeRawPointer?) throws(AudioError)
  -> any CallbackExecutor
{
  let arguments = try runLoopArguments(runLoop, mode)
  guard let loop = arguments.runLoop else { return CallbackThread() }
  return RunLoopExecutor(loop, arguments.mode)
}

/// Checks the arguments of a new queue, and clears its result.
func checkNew(
  _ format: UnsafePointer<AudioStreamBasicDescription>, _ flags: UInt32,
  _ queue: UnsafeMutablePointer<AudioQueueRef?>
) throws(AudioError) {
  guard !isNull(queue) else { throw .null("outAQ") }
  queue.pointee = nil
  guard !isNull(format) else { throw .null("inFormat") }
  guard flags == 0 else { throw .invalidArgument.because("inFlags is \(flags); expected 0") }
}

// MARK: Life

@_cdecl("AudioQueueNewOutput")
public func _AudioQueueNewOutput(
  _ inFormat: UnsafePointer<AudioStreamBasicDescription>,
  _ inCallbackProc: @escaping AudioQueueOutputCallback, _ inUserData: UnsafeMutableRawPointer?,
  _ inCallbackRunLoop: UnsafeRawPointer?, _ inCallbackRunLoopMode: UnsafeRawPointer?,
  _ inFlags: UInt32, _ outAQ: UnsafeMutablePointer<AudioQueueRef?>
) -> OSStatus {
  Library.start()
  return deviceStatus(in: "AudioQueueNewOutput") { () throws(AudioError) in
    try checkNew(inFormat, inFlags, outAQ)
    guard !isNull(function: inCallbackProc) else { throw .null("inCallbackProc") }
    let callback = OutputFunction(function: inCallbackProc, data: inUserData)
    outAQ.pointee = try AudioQueue.makeOutput(
      inFormat.pointee, on: try executor(inCallbackRunLoop, inCallbackRunLoopMode)
    ) { callback.function(callback.data, $0, $1) }
  }
}

/// Creates a playback queue. [control thread]
///
/// PCM is interleaved; other formats are decoded. The callback is called on the run loop, in the
/// mode (nil: the common modes); without a run loop on the queue's own thread, never on a render
/// thread. `inFlags` is 0.
@discardableResult
public func AudioQueueNewOutput(
  _ inFormat: UnsafePointer<AudioStreamBasicDescription>,
  _ inCallbackProc: @escaping AudioQueueOutputCallback, _ inUserData: UnsafeMutableRawPointer?,
  _ inCallbackRunLoop: CFRunLoop?, _ inCallbackRunLoopMode: CFString?, _ inFlags: UInt32,
  _ outAQ: UnsafeMutablePointer<AudioQueueRef?>
) -> OSStatus {
  withExtendedLifetime((inCallbackRunLoop, inCallbackRunLoopMode)) {
    _AudioQueueNewOutput(
      inFormat, inCallbackProc, inUserData, address(inCallbackRunLoop),
      address(inCallbackRunLoopMode), inFlags, outAQ)
  }
}

@_cdecl("AudioQueueNewInput")
public func _AudioQueueNewInput(
  _ inFormat: UnsafePointer<AudioStreamBasicDescription>,
  _ inCallbackProc: @escaping AudioQueueInputCallback, _ inUserData: UnsafeMutableRawPointer?,
  _ inCallbackRunLoop: UnsafeRawPointer?, _ inCallbackRunLoopMode: UnsafeRawPointer?,
  _ inFlags: UInt32, _ outAQ: UnsafeMutablePointer<AudioQueueRef?>
) -> OSStatus {
  Library.start()
  return deviceStatus(in: "AudioQueueNewInput") { () throws(AudioError) in
    try checkNew(inFormat, inFlags, outAQ)
    guard !isNull(function: inCallbackProc) else { throw .null("inCallbackProc") }
    let callback = InputFunction(function: inCallbackProc, data: inUserData)
    outAQ.pointee = try AudioQueue.makeInput(
      inFormat.pointee, on: try executor(inCallbackRunLoop, inCallbackRunLoopMode)
    ) { callback.function(callback.data, $0, $1, $2, $3, $4) }
  }
}

/// Creates a recording queue, like `AudioQueueNewOutput`. [control thread]
///
/// A sample rate of 0 is that of the device: `kAudioQueueProperty_StreamDescription` returns it.
@discardableResult
public func AudioQueueNewInput(
  _ inFormat: UnsafePointer<AudioStreamBasicDescription>,
  _ inCallbackProc: @escaping AudioQueueInputCallback, _ inUserData: UnsafeMutableRawPointer?,
  _ inCallbackRunLoop: CFRunLoop?, _ inCallbackRunLoopMode: CFString?, _ inFlags: UInt32,
  _ outAQ: UnsafeMutablePointer<AudioQueueRef?>
) -> OSStatus {
  withExtendedLifetime((inCallbackRunLoop, inCallbackRunLoopMode)) {
    _AudioQueueNewInput(
      inFormat, inCallbackProc, inUserData, address(inCallbackRunLoop),
      address(inCallbackRunLoopMode), inFlags, outAQ)
  }
}

@c @implementation
public func AudioQueueDispose(_ inAQ: AudioQueueRef, _ inImmediate: Bool) -> OSStatus {
  deviceStatus { () throws(AudioError) in try AudioQueue.dispose(inAQ, immediately: inImmediate) }
}

// MARK: Buffers

@c @implementation
public func AudioQueueAllocateBuffer(
  _ inAQ: AudioQueueRef, _ inBufferByteSize: UInt32,
  _ outBuffer: UnsafeMutablePointer<AudioQueueBufferRef?>
) -> OSStatus {
  status(queue: inAQ) { queue throws(AudioError) in
    guard !isNull(outBuffer) else { throw .null("outBuffer") }
    outBuffer.pointee = nil
    outBuffer.pointee = try queue.allocate(byteCount: inBufferByteSize, descriptionCount: 0)
  }
}

@c @implementation
public func AudioQueueAllocateBufferWithPacketDescriptions(
  _ inAQ: AudioQueueRef, _ inBufferByteSize: UInt32, _ inNumberPacketDescriptions: UInt32,
  _ outBuffer: UnsafeMutablePointer<AudioQueueBufferRef?>
) -> OSStatus {
  status(queue: inAQ) { queue throws(AudioError) in
    guard !isNull(outBuffer) else { throw .null("outBuffer") }
    outBuffer.pointee = nil
    outBuffer.pointee = try queue.allocate(
      byteCount: inBufferByteSize, descriptionCount: inNumberPacketDescriptions)
  }
}

@c @implementation
public func AudioQueueFreeBuffer(_ inAQ: AudioQueueRef, _ inBuffer: AudioQueueBufferRef)
  -> OSStatus
{
  status(queue: inAQ) { queue throws(AudioError) in try queue.free(inBuffer) }
}

/// The most parameters of a buffer: larger numbers are treated as a mistake.
private let mostEvents: UInt32 = 65_536

/// The program's packet descriptions; none if the address is null.
private func packets(
  _ descriptions: UnsafePointer<AudioStreamPacketDescription>?, _ count: UInt32
) -> UnsafeBufferPointer<AudioStreamPacketDescription> {
  UnsafeBufferPointer(start: descriptions, count: descriptions == nil ? 0 : Int(count))
}

@c @implementation
public func AudioQueueEnqueueBuffer(
  _ inAQ: AudioQueueRef, _ inBuffer: AudioQueueBufferRef, _ inNumPacketDescs: UInt32,
  _ inPacketDescs: UnsafePointer<AudioStreamPacketDescription>?
) -> OSStatus {
  status(queue: inAQ) { queue throws(AudioError) in
    try queue.enqueue(inBuffer, packets(inPacketDescs, inNumPacketDescs))
  }
}

@c @implementation
public func AudioQueueEnqueueBufferWithParameters(
  _ inAQ: AudioQueueRef, _ inBuffer: AudioQueueBufferRef, _ inNumPacketDescs: UInt32,
  _ inPacketDescs: UnsafePointer<AudioStreamPacketDescription>?, _ inTrimFramesAtStart: UInt32,
  _ inTrimFramesAtEnd: UInt32, _ inNumParamValues: UInt32,
  _ inParamValues: UnsafePointer<AudioQueueParameterEvent>?,
  _ inStartTime: UnsafePointer<AudioTimeStamp>?,
  _ outActualStartTime: UnsafeMutablePointer<AudioTimeStamp>?
) -> OSStatus {
  status(queue: inAQ) { queue throws(AudioError) in
    var options = BufferOptions()
    options.trimStart = Int(inTrimFramesAtStart)
    options.trimEnd = Int(inTrimFramesAtEnd)
    guard inNumParamValues <= mostEvents else {
      throw .invalidArgument.because("\(inNumParamValues) parameters; at most \(mostEvents)")
    }
    if let inParamValues {
      options.parameters = Array(
        UnsafeBufferPointer(start: inParamValues, count: Int(inNumParamValues)))
    }
    if let start = inStartTime?.pointee, !start.mFlags.isEmpty {
      guard start.mFlags.contains(.sampleTimeValid), abs(start.mSampleTime) < 1e15 else {
        throw .invalidArgument.because("inStartTime has no sample time")
      }
      options.startFrame = Int(exactly: start.mSampleTime.rounded())
    }
    options.reportsStart = outActualStartTime != nil
    let frame = try queue.enqueue(
      inBuffer, packets(inPacketDescs, inNumPacketDescs), options: options)
    outActualStartTime?.pointee = AudioTimeStamp()
    outActualStartTime?.pointee.mSampleTime = Double(frame)
    outActualStartTime?.pointee.mFlags = .sampleTimeValid
  }
}

// MARK: Running

@c @implementation
public func AudioQueueStart(
  _ inAQ: AudioQueueRef, _ inStartTime: UnsafePointer<AudioTimeStamp>?
) -> OSStatus {
  status(queue: inAQ) { queue throws(AudioError) in try queue.start(at: inStartTime?.pointee) }
}

@c @implementation
public func AudioQueuePrime(
  _ inAQ: AudioQueueRef, _ inNumberOfFramesToPrepare: UInt32,
  _ outNumberOfFramesPrepared: UnsafeMutablePointer<UInt32>?
) -> OSStatus {
  status(queue: inAQ) { queue throws(AudioError) in
    let frames = try queue.prime(Int(inNumberOfFramesToPrepare))
    outNumberOfFramesPrepared?.pointee = UInt32(clamping: frames)
  }
}

@c @implementation
public func AudioQueueStop(_ inAQ: AudioQueueRef, _ inImmediate: Bool) -> OSStatus {
  guard inImmediate else {
    return status(queue: inAQ) { queue throws(AudioError) in try queue.stop(immediately: false) }
  }
  return status(queueReturningBuffers: inAQ) { queue throws(AudioError) in
    try queue.stop(immediately: true)
  }
}

@c @implementation
public func AudioQueuePause(_ inAQ: AudioQueueRef) -> OSStatus {
  status(queue: inAQ) { queue throws(AudioError) in try queue.pause() }
}

@c @implementation
public func AudioQueueFlush(_ inAQ: AudioQueueRef) -> OSStatus {
  status(queue: inAQ) { queue throws(AudioError) in try queue.flush() }
}

@c @implementation
public func AudioQueueReset(_ inAQ: AudioQueueRef) -> OSStatus {
  status(queueReturningBuffers: inAQ) { queue throws(AudioError) in try queue.reset() }
}

// MARK: Parameters and properties

@c @implementation
public func AudioQueueGetParameter(
  _ inAQ: AudioQueueRef, _ inParamID: AudioQueueParameterID,
  _ outValue: UnsafeMutablePointer<AudioQueueParameterValue>
) -> OSStatus {
  status(queue: inAQ) { queue throws(AudioError) in
    guard !isNull(outValue) else { throw .null("outValue") }
    outValue.pointee = try queue.parameter(inParamID)
  }
}

@c @implementation
public func AudioQueueSetParameter(
  _ inAQ: AudioQueueRef, _ inParamID: AudioQueueParameterID, _ inValue: AudioQueueParameterValue
) -> OSStatus {
  status(queue: inAQ) { queue throws(AudioError) in
    try queue.setParameter(inParamID, to: inValue)
  }
}

@c @implementation
public func AudioQueueGetProperty(
  _ inAQ: AudioQueueRef, _ inID: AudioQueuePropertyID, _ outData: UnsafeMutableRawPointer,
  _ ioDataSize: UnsafeMutablePointer<UInt32>
) -> OSStatus {
  status(queue: inAQ) { queue throws(AudioError) in
    guard !isNull(ioDataSize) else { throw .null("ioDataSize") }
    guard !isNull(outData) else { throw .null("outData") }
    try queue.readProperty(inID, into: outData, size: &ioDataSize.pointee)
  }
}

@c @implementation
public func AudioQueueSetProperty(
  _ inAQ: AudioQueueRef, _ inID: AudioQueuePropertyID, _ inData: UnsafeRawPointer,
  _ inDataSize: UInt32
) -> OSStatus {
  status(queue: inAQ) { queue throws(AudioError) in
    guard !isNull(inData) else { throw .null("inData") }
    try queue.writeProperty(inID, UnsafeRawBufferPointer(start: inData, count: Int(inDataSize)))
  }
}

@c @implementation
public func AudioQueueGetPropertySize(
  _ inAQ: AudioQueueRef, _ inID: AudioQueuePropertyID,
  _ outDataSize: UnsafeMutablePointer<UInt32>
) -> OSStatus {
  status(queue: inAQ) { queue throws(AudioError) in
    guard !isNull(outDataSize) else { throw .null("outDataSize") }
    outDataSize.pointee = UInt32(clamping: try queue.propertySize(inID))
  }
}

@c @implementation
public func AudioQueueAddPropertyListener(
  _ inAQ: AudioQueueRef, _ inID: AudioQueuePropertyID,
  _ inProc: @escaping AudioQueuePropertyListenerProc, _ inUserData: UnsafeMutableRawPointer?
) -> OSStatus {
  status(queue: inAQ) { queue throws(AudioError) in
    guard !isNull(function: inProc) else { throw .null("inProc") }
    queue.add(QueueListener(inID, inProc, inUserData))
  }
}

@c @implementation
public func AudioQueueRemovePropertyListener(
  _ inAQ: AudioQueueRef, _ inID: AudioQueuePropertyID,
  _ inProc: @escaping AudioQueuePropertyListenerProc, _ inUserData: UnsafeMutableRawPointer?
) -> OSStatus {
  status(queue: inAQ) { queue throws(AudioError) in
    guard !isNull(function: inProc) else { throw .null("inProc") }
    queue.remove(QueueListener(inID, inProc, inUserData))
  }
}
