// SPDX-License-Identifier: Apache-2.0
import AudioCodecs
import AudioFiles
import AudioSupport
import AudioToolbox
import Foundation

/// AAC at 22,050 Hz whose packets have an extension to 44,100 Hz, of which no header says anything:
/// HE-AAC (ISO 14496-3, 4.4.2.8), or HE-AAC v2, whose extension also makes two channels of one.
package struct ExtendedAAC: Sendable {
  /// Whether the extension makes two channels.
  package var isStereo = false
  /// The first packet that has the extension.
  package var firstPacket = 0
  /// What the magic cookie says: the plain one does not mention extensions.
  package var config: [UInt8]

  package init(
    isStereo: Bool = false, firstPacket: Int = 0, config: [UInt8] = [0x13, 0x88]
  ) {
    self.isStereo = isStereo
    self.firstPacket = firstPacket
    self.config = config
  }

  /// Frames of the core that each file was written with.
  package static let coreFrameCount = 9_000

  /// A file of such packets: M4A, CAF or ADTS. The format that it states is that of the core.
  package func file(_ type: AudioFileTypeID) throws -> [UInt8] {
    let path = NSTemporaryDirectory() + "extended-\(UUID().uuidString)"
    defer {
      unlink(path + ".caf")
      unlink(path)
    }
    let core = try Self.core(path + ".caf")
    let made = try Containers.create(
      try FileStore(creating: path, erases: true), type, core.format)
    try made.setCookie(MagicCookies.elementaryStream(config, bitRate: 32_000))
    if let info = core.packetInfo, type != kAudioFileAAC_ADTSType { try made.setPacketInfo(info) }
    guard let packets = core.packets else { throw CocoaError(.fileReadUnknown) }
    let memory = UnsafeMutableRawBufferPointer.allocate(
      byteCount: packets.maximumSize, alignment: 1)
    defer { memory.deallocate() }
    for index in 0..<packets.count {
      try core.readPacket(index, into: memory)
      let plain = Array(memory.prefix(packets.size(index)))
      let packet = index < firstPacket ? plain : extend(plain, hasHeader: index % 8 == 0)
      try packet.withUnsafeBufferPointer { packet throws(AudioError) in
        try made.appendPackets(
          [.init(mStartOffset: 0, mVariableFramesInPacket: 0, mDataByteSize: UInt32(packet.count))],
          from: UnsafeRawBufferPointer(packet))
      }
    }
    try made.close()
    if type != kAudioFileAAC_ADTSType {
      // Streams need the tables in front.
      let file = try Containers.open(try FileStore(path, writable: true))
      try file.optimize()
      try file.close()
    }
    return Array(try Data(contentsOf: URL(fileURLWithPath: path)))
  }

  /// A tone in plain AAC of one channel.
  private static func core(_ path: String) throws -> Container {
    let memory = UnsafeMutablePointer<Float>.allocate(capacity: coreFrameCount)
    defer { memory.deallocate() }
    for frame in 0..<coreFrameCount {
      memory[frame] = 0.5 * Float(sin(Double(frame) * 2 * .pi * 440 / 22_050))
    }
    let writer = try SoundFileWriter(
      path, sampleRate: 22_050, channelCount: 1,
      try SoundFileEncoding(path: path, codec: kAudioFormatMPEG4AAC), expecting: coreFrameCount)
    try withUnsafePointer(to: memory) { try writer.write($0, frameCount: coreFrameCount) }
    try writer.finish()
    return try Containers.open(try FileStore(path))
  }

  /// A packet with the extension in a fill element before its end.
  private func extend(_ packet: [UInt8], hasHeader: Bool) -> [UInt8] {
    var bits = packet.flatMap { byte in (0..<8).map { byte >> (7 - $0) & 1 } }
    // The three ones are the end; zeros fill the last byte.
    while bits.last == 0 { bits.removeLast() }
    bits.removeLast(3)
    func put(_ value: Int, _ count: Int) {
      for bit in (0..<count).reversed() { bits.append(UInt8(value >> bit & 1)) }
    }
    let payload = payload(hasHeader: hasHeader)
    let byteCount = (payload.count + 7) / 8
    put(6, 3)
    if byteCount < 15 {
      put(byteCount, 4)
    } else {
      put(15, 4)
      put(byteCount - 14, 8)
    }
    bits += payload + [UInt8](repeating: 0, count: 8 * byteCount - payload.count)
    put(7, 3)
    bits += [UInt8](repeating: 0, count: (8 - bits.count % 8) % 8)
    return stride(from: 0, to: bits.count, by: 8).map { start in
      bits[start..<start + 8].reduce(0) { $0 << 1 | $1 }
    }
  }

  /// The bits of spectral band replication for one channel: one envelope, all bands quiet.
  private func payload(hasHeader: Bool) -> [UInt8] {
    var fields: [(value: Int, count: Int)] = [(13, 4), (hasHeader ? 1 : 0, 1)]
    if hasHeader {
      // Amplitudes in steps of 3 dB, the start and the stop band, no crossover, nothing further.
      fields += [(1, 1), (5, 4), (10, 4), (0, 7)]
    }
    let (lowBands, noiseBands) = (5, 2)
    // One envelope of low frequency resolution, not relative to that before.
    fields += [(0, 1), (0, 4), (0, 1), (0, 2)]
    fields += [(0, 2 * noiseBands)]
    // The first band, and the differences of the others to it; the noise likewise.
    fields += [(40, 7), (0, 2 * (lowBands - 1)), (10, 5), (0, noiseBands - 1)]
    // No added sines; parametric stereo without parameters.
    fields += [(0, 1)]
    fields += isStereo ? [(1, 1), (1, 4), (2, 2), (0, 6)] : [(0, 1)]
    return fields.flatMap { field in
      (0..<field.count).map { UInt8(field.value >> (field.count - 1 - $0) & 1) }
    }
  }
}
