// SPDX-License-Identifier: Apache-2.0
public import AudioSupport
public import CAudioToolbox

/// Where a converter gets its packets: a function of the program, a file, the buffers of a queue.
public protocol ConverterInput {
  /// [any thread] Supplies at most `count` packets, at least one, to which it points the buffers of
  /// `list`. None: the input has ended. Their memory stays unchanged until the next call.
  ///
  /// - Throws: When there are no packets; the conversion stops with this error, and can go on later.
  func supply(
    _ count: Int, _ list: UnsafeMutablePointer<AudioBufferList>
  ) throws(AudioError) -> SuppliedPackets
}

/// Packets that an input supplies.
public struct SuppliedPackets: BitwiseCopyable {
  let count: UInt32
  /// An error that stops the conversion once these packets are consumed.
  let status: OSStatus
  /// Needed for packets of different sizes.
  let descriptions: UnsafeMutablePointer<AudioStreamPacketDescription>?

  public init(
    _ count: UInt32, _ descriptions: UnsafeMutablePointer<AudioStreamPacketDescription>? = nil,
    status: OSStatus = noErr
  ) {
    self.count = count
    self.descriptions = descriptions
    self.status = status
  }
}

/// The program's input function, and its arguments.
public struct InputCall: ConverterInput {
  let function: AudioConverterComplexInputDataProc
  let userData: UnsafeMutableRawPointer?
  let converter: AudioConverterRef

  public init(
    _ function: @escaping AudioConverterComplexInputDataProc,
    _ userData: UnsafeMutableRawPointer?, for converter: AudioConverterRef
  ) {
    self.function = function
    self.userData = userData
    self.converter = converter
  }

  public func supply(
    _ count: Int, _ list: UnsafeMutablePointer<AudioBufferList>
  ) throws(AudioError) -> SuppliedPackets {
    var count = UInt32(clamping: count)
    var descriptions: UnsafeMutablePointer<AudioStreamPacketDescription>?
    let status = callPacketInput(function, converter, &count, list, &descriptions, userData)
    return SuppliedPackets(count, descriptions, status: status)
  }
}
