// SPDX-License-Identifier: Apache-2.0
import AudioConverters
import AudioSupport
import CRealTime
public import CoreAudio

// The functions of AudioConverter.h.

/// Runs `body` on the converter behind a handle; converts an error to a status, and records its
/// explanation.
private func status(
  converter handle: AudioConverterRef, in call: StaticString = #function,
  _ body: (Converter) throws(AudioError) -> Void
) -> OSStatus {
  status(in: call) { () throws(AudioError) in try Converter.use(handle, body) }
}

/// Creates a converter; `call` names the C function.
private func make(
  _ source: UnsafePointer<AudioStreamBasicDescription>,
  _ destination: UnsafePointer<AudioStreamBasicDescription>,
  _ classes: UnsafeBufferPointer<AudioClassDescription>? = nil,
  options: AudioConverterOptions = [],
  into converter: UnsafeMutablePointer<AudioConverterRef?>, in call: StaticString = #function
) -> OSStatus {
  Library.start()
  return status(in: call) { () throws(AudioError) in
    guard !isNull(converter) else { throw .null("outAudioConverter") }
    converter.pointee = nil
    guard !isNull(source) else { throw .null("inSourceFormat") }
    guard !isNull(destination) else { throw .null("inDestinationFormat") }
    if let classes {
      try NamedCodecs.check(classes, from: source.pointee, to: destination.pointee)
    }
    converter.pointee = try Converter.make(
      from: source.pointee, to: destination.pointee, isUnbuffered: options.contains(.unbuffered))
  }
}

// MARK: Life

@c @implementation
public func AudioConverterNew(
  _ inSourceFormat: UnsafePointer<AudioStreamBasicDescription>,
  _ inDestinationFormat: UnsafePointer<AudioStreamBasicDescription>,
  _ outAudioConverter: UnsafeMutablePointer<AudioConverterRef?>
) -> OSStatus {
  make(inSourceFormat, inDestinationFormat, into: outAudioConverter)
}

@c @implementation
public func AudioConverterNewSpecific(
  _ inSourceFormat: UnsafePointer<AudioStreamBasicDescription>,
  _ inDestinationFormat: UnsafePointer<AudioStreamBasicDescription>,
  _ inNumberClassDescriptions: UInt32, _ inClassDescriptions: UnsafePointer<AudioClassDescription>,
  _ outAudioConverter: UnsafeMutablePointer<AudioConverterRef?>
) -> OSStatus {
  guard inNumberClassDescriptions == 0 || !isNull(inClassDescriptions) else {
    return status { () throws(AudioError) in throw .null("inClassDescriptions") }
  }
  return make(
    inSourceFormat, inDestinationFormat,
    UnsafeBufferPointer(
      start: inNumberClassDescriptions == 0 ? nil : inClassDescriptions,
      count: Int(inNumberClassDescriptions)), into: outAudioConverter)
}

@c @implementation
public func AudioConverterNewWithOptions(
  _ inSourceFormat: UnsafePointer<AudioStreamBasicDescription>,
  _ inDestinationFormat: UnsafePointer<AudioStreamBasicDescription>,
  _ inOptions: AudioConverterOptions, _ outAudioConverter: UnsafeMutablePointer<AudioConverterRef?>
) -> OSStatus {
  make(inSourceFormat, inDestinationFormat, options: inOptions, into: outAudioConverter)
}

@c @implementation
public func AudioConverterDispose(_ inAudioConverter: AudioConverterRef) -> OSStatus {
  status { () throws(AudioError) in try Converter.dispose(inAudioConverter) }
}

@c @implementation
public func AudioConverterReset(_ inAudioConverter: AudioConverterRef) -> OSStatus {
  status(converter: inAudioConverter) { converter throws(AudioError) in try converter.reset() }
}

// MARK: Properties

@c @implementation
public func AudioConverterGetPropertyInfo(
  _ inAudioConverter: AudioConverterRef, _ inPropertyID: AudioConverterPropertyID,
  _ outSize: UnsafeMutablePointer<UInt32>?, _ outWritable: UnsafeMutablePointer<DarwinBoolean>?
) -> OSStatus {
  status(converter: inAudioConverter) { converter throws(AudioError) in
    let information = try converter.information(of: inPropertyID)
    outSize?.pointee = UInt32(information.size)
    outWritable?.pointee = DarwinBoolean(information.isWritable)
  }
}

@c @implementation
public func AudioConverterGetProperty(
  _ inAudioConverter: AudioConverterRef, _ inPropertyID: AudioConverterPropertyID,
  _ ioPropertyDataSize: UnsafeMutablePointer<UInt32>, _ outPropertyData: UnsafeMutableRawPointer
) -> OSStatus {
  status(converter: inAudioConverter) { converter throws(AudioError) in
    guard !isNull(ioPropertyDataSize) else { throw .null("ioPropertyDataSize") }
    guard !isNull(outPropertyData) else { throw .null("outPropertyData") }
    try converter.read(inPropertyID, into: outPropertyData, size: &ioPropertyDataSize.pointee)
  }
}

@c @implementation
public func AudioConverterSetProperty(
  _ inAudioConverter: AudioConverterRef, _ inPropertyID: AudioConverterPropertyID,
  _ inPropertyDataSize: UInt32, _ inPropertyData: UnsafeRawPointer
) -> OSStatus {
  status(converter: inAudioConverter) { converter throws(AudioError) in
    guard !isNull(inPropertyData) else { throw .null("inPropertyData") }
    try converter.write(
      inPropertyID,
      UnsafeRawBufferPointer(start: inPropertyData, count: Int(inPropertyDataSize)))
  }
}

// MARK: Converting

@c @implementation
public func AudioConverterConvertBuffer(
  _ inAudioConverter: AudioConverterRef, _ inInputDataSize: UInt32,
  _ inInputData: UnsafeRawPointer, _ ioOutputDataSize: UnsafeMutablePointer<UInt32>,
  _ outOutputData: UnsafeMutableRawPointer
) -> OSStatus {
  status(converter: inAudioConverter) { converter throws(AudioError) in
    guard !isNull(inInputData) else { throw .null("inInputData") }
    guard !isNull(ioOutputDataSize) else { throw .null("ioOutputDataSize") }
    guard !isNull(outOutputData) else { throw .null("outOutputData") }
    try converter.convert(
      UnsafeRawBufferPointer(start: inInputData, count: Int(inInputDataSize)),
      into: outOutputData, size: ioOutputDataSize)
  }
}

@c @implementation
public func AudioConverterConvertComplexBuffer(
  _ inAudioConverter: AudioConverterRef, _ inNumberPCMFrames: UInt32,
  _ inInputData: UnsafePointer<AudioBufferList>,
  _ outOutputData: UnsafeMutablePointer<AudioBufferList>
) -> OSStatus {
  status(converter: inAudioConverter) { converter throws(AudioError) in
    guard !isNull(inInputData) else { throw .null("inInputData") }
    guard !isNull(outOutputData) else { throw .null("outOutputData") }
    try converter.convert(Int(inNumberPCMFrames), from: inInputData, into: outOutputData)
  }
}

@c @implementation
public func AudioConverterFillComplexBuffer(
  _ inAudioConverter: AudioConverterRef,
  _ inInputDataProc: @escaping AudioConverterComplexInputDataProc,
  _ inInputDataProcUserData: UnsafeMutableRawPointer?,
  _ ioOutputDataPacketSize: UnsafeMutablePointer<UInt32>,
  _ outOutputData: UnsafeMutablePointer<AudioBufferList>,
  _ outPacketDescription: UnsafeMutablePointer<AudioStreamPacketDescription>?
) -> OSStatus {
  status(converter: inAudioConverter) { converter throws(AudioError) in
    guard !isNull(function: inInputDataProc) else { throw .null("inInputDataProc") }
    guard !isNull(ioOutputDataPacketSize) else { throw .null("ioOutputDataPacketSize") }
    guard !isNull(outOutputData) else { throw .null("outOutputData") }
    try converter.fill(
      InputCall(inInputDataProc, inInputDataProcUserData, for: inAudioConverter),
      packets: ioOutputDataPacketSize, into: outOutputData, descriptions: outPacketDescription)
  }
}

@c @implementation
public func AudioConverterFillComplexBufferRealtimeSafe(
  _ inAudioConverter: AudioConverterRef,
  _ inInputDataProc: @escaping AudioConverterComplexInputDataProcRealtimeSafe,
  _ inInputDataProcUserData: UnsafeMutableRawPointer?,
  _ ioOutputDataPacketSize: UnsafeMutablePointer<UInt32>,
  _ outOutputData: UnsafeMutablePointer<AudioBufferList>,
  _ outPacketDescription: UnsafeMutablePointer<AudioStreamPacketDescription>?
) -> OSStatus {
  status(converter: inAudioConverter) { converter throws(AudioError) in
    try converter.requireLinear()
    guard !isNull(function: inInputDataProc) else { throw .null("inInputDataProc") }
    guard !isNull(ioOutputDataPacketSize) else { throw .null("ioOutputDataPacketSize") }
    guard !isNull(outOutputData) else { throw .null("outOutputData") }
    try converter.fill(
      InputCall(inInputDataProc, inInputDataProcUserData, for: inAudioConverter),
      packets: ioOutputDataPacketSize, into: outOutputData, descriptions: outPacketDescription)
  }
}

@c @implementation
public func AudioConverterFillComplexBufferWithPacketDependencies(
  _ inAudioConverter: AudioConverterRef,
  _ inInputDataProc: @escaping AudioConverterComplexInputDataProc,
  _ inInputDataProcUserData: UnsafeMutableRawPointer?,
  _ ioOutputDataPacketSize: UnsafeMutablePointer<UInt32>,
  _ outOutputData: UnsafeMutablePointer<AudioBufferList>,
  _ outPacketDescriptions: UnsafeMutablePointer<AudioStreamPacketDescription>?,
  _ outPacketDependencies: UnsafeMutablePointer<AudioStreamPacketDependencyDescription>
) -> OSStatus {
  guard !isNull(outPacketDependencies) else {
    return status { () throws(AudioError) in throw .null("outPacketDependencies") }
  }
  let result = AudioConverterFillComplexBuffer(
    inAudioConverter, inInputDataProc, inInputDataProcUserData, ioOutputDataPacketSize,
    outOutputData, outPacketDescriptions)
  guard !isNull(ioOutputDataPacketSize) else { return result }
  for packet in 0..<Int(ioOutputDataPacketSize.pointee) {
    outPacketDependencies[packet] = AudioStreamPacketDependencyDescription(
      mIsIndependentlyDecodable: 1, mPreRollCount: 0, mFlags: 0, mReserved: 0)
  }
  return result
}

@c @implementation
public func AudioConverterFillBuffer(
  _ inAudioConverter: AudioConverterRef, _ inInputDataProc: @escaping AudioConverterInputDataProc,
  _ inInputDataProcUserData: UnsafeMutableRawPointer?,
  _ ioOutputDataSize: UnsafeMutablePointer<UInt32>, _ outOutputData: UnsafeMutableRawPointer
) -> OSStatus {
  status(converter: inAudioConverter) { converter throws(AudioError) in
    guard !isNull(function: inInputDataProc) else { throw .null("inInputDataProc") }
    guard !isNull(ioOutputDataSize) else { throw .null("ioOutputDataSize") }
    guard !isNull(outOutputData) else { throw .null("outOutputData") }
    try converter.fillBytes(
      inInputDataProc, inInputDataProcUserData, for: inAudioConverter, into: outOutputData,
      size: ioOutputDataSize)
  }
}
