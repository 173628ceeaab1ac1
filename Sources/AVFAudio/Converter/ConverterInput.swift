// SPDX-License-Identifier: Apache-2.0
import AudioToolbox

/// The input of one conversion: calls the program's block, and passes its buffer to the converter.
final class ConverterInput {
  /// The buffer that the converter reads. It outlives the conversion, because its end may be read by
  /// the next one. Only a running conversion uses it.
  final class Supply: @unchecked Sendable {  // one conversion at a time
    var buffer: AVAudioBuffer?
  }

  /// The result of the input function when the block has no data now.
  static let ranDry: OSStatus = 0x6472_7920  // 'dry '

  private let block: AVAudioConverterInputBlock
  private let format: AVAudioFormat
  private let supply: Supply
  private let use: NSLock
  /// In its own memory, as `isLent`: an exception of the block ends no access to a variable.
  private let status = UnsafeMutablePointer<AVAudioConverterInputStatus>.allocate(capacity: 1)
  /// Whether the block runs, or was left by an exception.
  private let isLent = UnsafeMutablePointer<Bool>.allocate(capacity: 1)

  /// The input of a conversion that holds the lock `use`, except while the block runs: other threads
  /// may use the converter then.
  init(
    _ block: @escaping AVAudioConverterInputBlock, _ format: AVAudioFormat, _ supply: Supply,
    _ use: NSLock
  ) {
    self.block = block
    self.format = format
    self.supply = supply
    self.use = use
    isLent.initialize(to: false)
  }

  deinit {
    status.deallocate()
    isLent.deallocate()
  }

  /// Runs a conversion with the lock.
  func convert(_ body: () -> OSStatus) -> OSStatus {
    use.lock()
    defer { if !isLent.pointee { use.unlock() } }
    return body()
  }

  /// The input function, whose user data is a `ConverterInput`.
  static let function: AudioConverterComplexInputDataProc = {
    _, packets, list, descriptions, userData in
    guard let userData else { return kAudio_ParamError }
    return Unmanaged<ConverterInput>.fromOpaque(userData).takeUnretainedValue()
      .supply(packets, list, descriptions)
  }

  private func supply(
    _ packets: UnsafeMutablePointer<UInt32>, _ list: UnsafeMutablePointer<AudioBufferList>,
    _ descriptions: UnsafeMutablePointer<UnsafeMutablePointer<AudioStreamPacketDescription>?>?
  ) -> OSStatus {
    let requested = packets.pointee
    packets.pointee = 0
    status.pointee = .haveData
    isLent.pointee = true
    use.unlock()
    let buffer = block(requested, status)
    use.lock()
    isLent.pointee = false
    switch status.pointee {
    case .endOfStream: return noErr
    case .noDataNow: return Self.ranDry
    case .haveData: break
    }
    guard let buffer else { return Self.ranDry }
    guard buffer.format.hasSamples(of: format) else { return kAudio_ParamError }
    let count: UInt32
    switch buffer {
    case let buffer as AVAudioPCMBuffer: count = buffer.frameLength
    case let buffer as AVAudioCompressedBuffer:
      count = buffer.packetCount
      descriptions?.pointee = buffer.packetDescriptions
    default: return kAudio_ParamError
    }
    guard count > 0 else { return Self.ranDry }
    supply.buffer = buffer
    let source = UnsafeMutableAudioBufferListPointer(
      UnsafeMutablePointer(mutating: buffer.audioBufferList))
    let target = UnsafeMutableAudioBufferListPointer(list)
    for index in 0..<min(source.count, target.count) { target[index] = source[index] }
    packets.pointee = count
    return noErr
  }
}
