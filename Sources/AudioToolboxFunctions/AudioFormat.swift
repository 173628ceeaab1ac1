// SPDX-License-Identifier: Apache-2.0
import AudioConverters
import AudioSupport
public import CoreAudio

// The functions of AudioFormat.h.

@c @implementation
public func AudioFormatGetPropertyInfo(
  _ inPropertyID: AudioFormatPropertyID, _ inSpecifierSize: UInt32,
  _ inSpecifier: UnsafeRawPointer?, _ outPropertyDataSize: UnsafeMutablePointer<UInt32>
) -> OSStatus {
  Library.start()
  return status { () throws(AudioError) in
    guard !isNull(outPropertyDataSize) else { throw .null("outPropertyDataSize") }
    outPropertyDataSize.pointee = 0
    outPropertyDataSize.pointee = UInt32(
      try FormatProperties.size(of: inPropertyID, specifier(inSpecifier, inSpecifierSize)))
  }
}

@c @implementation
public func AudioFormatGetProperty(
  _ inPropertyID: AudioFormatPropertyID, _ inSpecifierSize: UInt32,
  _ inSpecifier: UnsafeRawPointer?, _ ioPropertyDataSize: UnsafeMutablePointer<UInt32>?,
  _ outPropertyData: UnsafeMutableRawPointer?
) -> OSStatus {
  Library.start()
  return status { () throws(AudioError) in
    try FormatProperties.read(
      inPropertyID, specifier(inSpecifier, inSpecifierSize), into: outPropertyData,
      size: ioPropertyDataSize)
  }
}

private func specifier(_ memory: UnsafeRawPointer?, _ size: UInt32) -> UnsafeRawBufferPointer {
  UnsafeRawBufferPointer(start: memory, count: memory == nil ? 0 : Int(size))
}
