// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioUnitCore
public import CoreAudio

// The functions of AUComponent.h.

@c @implementation
public func AudioUnitInitialize(_ inUnit: AudioUnit) -> OSStatus {
  status(inUnit) { unit throws(AudioError) in try unit.initialize() }
}

@c @implementation
public func AudioUnitUninitialize(_ inUnit: AudioUnit) -> OSStatus {
  status(inUnit) { unit throws(AudioError) in try unit.uninitialize() }
}

// MARK: Properties

@c @implementation
public func AudioUnitGetPropertyInfo(
  _ inUnit: AudioUnit, _ inID: AudioUnitPropertyID, _ inScope: AudioUnitScope,
  _ inElement: AudioUnitElement, _ outDataSize: UnsafeMutablePointer<UInt32>?,
  _ outWritable: UnsafeMutablePointer<Bool>?
) -> OSStatus {
  // The results are written even when the call fails.
  outDataSize?.pointee = 0
  outWritable?.pointee = false
  return status(inUnit) { unit throws(AudioError) in
    let info = try unit.propertyInfo(PropertyAddress(inID, inScope, inElement))
    outDataSize?.pointee = UInt32(info.size)
    outWritable?.pointee = info.isWritable
  }
}

@c @implementation
public func AudioUnitGetProperty(
  _ inUnit: AudioUnit, _ inID: AudioUnitPropertyID, _ inScope: AudioUnitScope,
  _ inElement: AudioUnitElement, _ outData: UnsafeMutableRawPointer,
  _ ioDataSize: UnsafeMutablePointer<UInt32>
) -> OSStatus {
  status(inUnit) { unit throws(AudioError) in
    guard !isNull(ioDataSize) else { throw .null("ioDataSize") }
    let address = PropertyAddress(inID, inScope, inElement)
    guard !isNull(outData) else {
      // Without memory, the call returns only the size.
      ioDataSize.pointee = UInt32(try unit.propertyInfo(address).size)
      return
    }
    // As in every function that gets a property, a failure leaves the size as it was, so that the
    // program's next call has the room that it has.
    var size = ioDataSize.pointee
    guard size > 0 else {
      throw .invalidArgument.because("*ioDataSize is 0: there is no room for a value")
    }
    try unit.getProperty(address, into: outData, size: &size)
    ioDataSize.pointee = size
  }
}

@c @implementation
public func AudioUnitSetProperty(
  _ inUnit: AudioUnit, _ inID: AudioUnitPropertyID, _ inScope: AudioUnitScope,
  _ inElement: AudioUnitElement, _ inData: UnsafeRawPointer?, _ inDataSize: UInt32
) -> OSStatus {
  status(inUnit) { unit throws(AudioError) in
    guard (inData == nil) == (inDataSize == 0) else {
      throw .invalidArgument.because(
        inData == nil
          ? "inData is NULL but inDataSize \(inDataSize)" : "inDataSize is 0 but inData is not NULL"
      )
    }
    try unit.setProperty(
      PropertyAddress(inID, inScope, inElement), inData, size: inDataSize)
  }
}

@c @implementation
public func AudioUnitAddPropertyListener(
  _ inUnit: AudioUnit, _ inID: AudioUnitPropertyID,
  _ inProc: @escaping AudioUnitPropertyListenerProc, _ inProcUserData: UnsafeMutableRawPointer?
) -> OSStatus {
  status(inUnit) { unit throws(AudioError) in
    guard !isNull(function: inProc) else { throw .null("inProc") }
    try unit.addPropertyListener(inID, PropertyListener(inProc, inProcUserData))
  }
}

@c @implementation
public func AudioUnitRemovePropertyListenerWithUserData(
  _ inUnit: AudioUnit, _ inID: AudioUnitPropertyID,
  _ inProc: @escaping AudioUnitPropertyListenerProc, _ inProcUserData: UnsafeMutableRawPointer?
) -> OSStatus {
  status(inUnit) { unit throws(AudioError) in
    guard !isNull(function: inProc) else { throw .null("inProc") }
    try unit.removePropertyListener(
      inID, PropertyListener(inProc, inProcUserData), matchingUserData: true)
  }
}

@c @implementation
public func AudioUnitRemovePropertyListener(
  _ inUnit: AudioUnit, _ inID: AudioUnitPropertyID,
  _ inProc: @escaping AudioUnitPropertyListenerProc
) -> OSStatus {
  status(inUnit) { unit throws(AudioError) in
    guard !isNull(function: inProc) else { throw .null("inProc") }
    try unit.removePropertyListener(inID, PropertyListener(inProc, nil), matchingUserData: false)
  }
}

// MARK: Rendering

@c @implementation
public func AudioUnitAddRenderNotify(
  _ inUnit: AudioUnit, _ inProc: @escaping AURenderCallback,
  _ inProcUserData: UnsafeMutableRawPointer?
) -> OSStatus {
  status(inUnit) { unit throws(AudioError) in
    guard !isNull(function: inProc) else { throw .null("inProc") }
    try unit.addRenderNotify(RenderCallback(inProc, inProcUserData))
  }
}

@c @implementation
public func AudioUnitRemoveRenderNotify(
  _ inUnit: AudioUnit, _ inProc: @escaping AURenderCallback,
  _ inProcUserData: UnsafeMutableRawPointer?
) -> OSStatus {
  status(inUnit) { unit throws(AudioError) in
    try unit.removeRenderNotify(RenderCallback(inProc, inProcUserData))
  }
}

@c @implementation
public func AudioUnitRender(
  _ inUnit: AudioUnit, _ ioActionFlags: UnsafeMutablePointer<AudioUnitRenderActionFlags>?,
  _ inTimeStamp: UnsafePointer<AudioTimeStamp>, _ inOutputBusNumber: UInt32,
  _ inNumberFrames: UInt32, _ ioData: UnsafeMutablePointer<AudioBufferList>
) -> OSStatus {
  let isComplete = !isNull(inTimeStamp) && !isNull(ioData)
  return withFlags(ioActionFlags) { flags in
    renderStatus(
      inUnit, in: "AudioUnitRender", isComplete: isComplete, bus: inOutputBusNumber,
      frameCount: inNumberFrames
    ) {
      renderUnit(
        $0, RenderCall(flags, inTimeStamp, bus: inOutputBusNumber, frameCount: inNumberFrames),
        ioData)
    }
  }
}

@c @implementation
public func AudioUnitProcess(
  _ inUnit: AudioUnit, _ ioActionFlags: UnsafeMutablePointer<AudioUnitRenderActionFlags>?,
  _ inTimeStamp: UnsafePointer<AudioTimeStamp>, _ inNumberFrames: UInt32,
  _ ioData: UnsafeMutablePointer<AudioBufferList>
) -> OSStatus {
  let isComplete = !isNull(inTimeStamp) && !isNull(ioData)
  return withFlags(ioActionFlags) { flags in
    renderStatus(
      inUnit, in: "AudioUnitProcess", isComplete: isComplete, bus: 0, frameCount: inNumberFrames
    ) {
      processUnit($0, RenderCall(flags, inTimeStamp, bus: 0, frameCount: inNumberFrames), ioData)
    }
  }
}

@c @implementation
public func AudioUnitProcessMultiple(
  _ inUnit: AudioUnit, _ ioActionFlags: UnsafeMutablePointer<AudioUnitRenderActionFlags>?,
  _ inTimeStamp: UnsafePointer<AudioTimeStamp>, _ inNumberFrames: UInt32,
  _ inNumberInputBufferLists: UInt32,
  _ inInputBufferLists: UnsafeMutablePointer<UnsafePointer<AudioBufferList>>,
  _ inNumberOutputBufferLists: UInt32,
  _ ioOutputBufferLists: UnsafeMutablePointer<UnsafeMutablePointer<AudioBufferList>>
) -> OSStatus {
  let isComplete =
    !isNull(inTimeStamp) && (inNumberInputBufferLists == 0 || !isNull(inInputBufferLists))
    && (inNumberOutputBufferLists == 0 || !isNull(ioOutputBufferLists))
  // Entries may be null: such a bus is skipped.
  let inputs = UnsafeRawPointer(inInputBufferLists).assumingMemoryBound(
    to: UnsafePointer<AudioBufferList>?.self)
  let outputs = UnsafeRawPointer(ioOutputBufferLists).assumingMemoryBound(
    to: UnsafeMutablePointer<AudioBufferList>?.self)
  return withFlags(ioActionFlags) { flags in
    renderStatus(
      inUnit, in: "AudioUnitProcessMultiple", isComplete: isComplete, bus: 0,
      frameCount: inNumberFrames
    ) {
      processUnit(
        $0, RenderCall(flags, inTimeStamp, bus: 0, frameCount: inNumberFrames),
        inputs: UnsafeBufferPointer(start: inputs, count: Int(inNumberInputBufferLists)),
        outputs: UnsafeBufferPointer(start: outputs, count: Int(inNumberOutputBufferLists)))
    }
  }
}

@c @implementation
public func AudioUnitReset(
  _ inUnit: AudioUnit, _ inScope: AudioUnitScope, _ inElement: AudioUnitElement
) -> OSStatus {
  status(inUnit) { unit throws(AudioError) in try unit.reset(inScope, inElement) }
}

/// Null flags count as no flags.
@inline(__always)
private func withFlags(
  _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>?,
  _ body: (UnsafeMutablePointer<AudioUnitRenderActionFlags>) -> OSStatus
) -> OSStatus {
  if let flags { return body(flags) }
  var none = AudioUnitRenderActionFlags(rawValue: 0)
  return body(&none)
}

// MARK: Parameters

@c @implementation
public func AudioUnitGetParameter(
  _ inUnit: AudioUnit, _ inID: AudioUnitParameterID, _ inScope: AudioUnitScope,
  _ inElement: AudioUnitElement, _ outValue: UnsafeMutablePointer<AudioUnitParameterValue>
) -> OSStatus {
  status(inUnit) { unit throws(AudioError) in
    guard !isNull(outValue) else { throw .null("outValue") }
    outValue.pointee = try unit.parameter(ParameterAddress(inID, inScope, inElement))
  }
}

@c @implementation
public func AudioUnitSetParameter(
  _ inUnit: AudioUnit, _ inID: AudioUnitParameterID, _ inScope: AudioUnitScope,
  _ inElement: AudioUnitElement, _ inValue: AudioUnitParameterValue,
  _ inBufferOffsetInFrames: UInt32
) -> OSStatus {
  status(inUnit) { unit throws(AudioError) in
    try unit.setParameter(
      ParameterAddress(inID, inScope, inElement), to: inValue, offset: inBufferOffsetInFrames)
  }
}

@c @implementation
public func AudioUnitScheduleParameters(
  _ inUnit: AudioUnit, _ inParameterEvent: UnsafePointer<AudioUnitParameterEvent>,
  _ inNumParamEvents: UInt32
) -> OSStatus {
  status(inUnit) { unit throws(AudioError) in
    guard inNumParamEvents > 0 else { return }
    guard !isNull(inParameterEvent) else { throw .null("inParameterEvent") }
    try unit.schedule(
      UnsafeBufferPointer(start: inParameterEvent, count: Int(inNumParamEvents)))
  }
}
