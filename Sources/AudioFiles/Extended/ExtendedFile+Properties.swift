// SPDX-License-Identifier: Apache-2.0
import AudioConverters
import AudioSupport
import CAudioToolbox
@_spi(TrappingConversions) import CheckedNumbers

/// A property of extended files: one row of the table.
private struct ExtendedProperty: Sendable {
  typealias Get = @Sendable (ExtendedFile) throws(AudioError) -> [UInt8]
  typealias Set = @Sendable (ExtendedFile, UnsafeRawBufferPointer) throws(AudioError) -> Void

  let id: ExtAudioFilePropertyID
  let get: Get?
  let set: Set?

  init(_ id: ExtAudioFilePropertyID, get: Get? = nil, set: Set? = nil) {
    self.id = id
    self.get = get
    self.set = set
  }

  private static func bytes(_ value: some BitwiseCopyable) -> [UInt8] {
    withUnsafeBytes(of: value) { Array($0) }
  }

  private static func word(_ data: UnsafeRawBufferPointer) throws(AudioError) -> UInt32 {
    guard data.count >= 4 else { throw .extendedSize("4 bytes are needed, not \(data.count)") }
    return data.loadUnaligned(as: UInt32.self)
  }

  static let table = Dictionary(uniqueKeysWithValues: rows.map { ($0.id, $0) })

  private static let rows: [ExtendedProperty] = [
    .init(
      kExtAudioFileProperty_FileDataFormat,
      get: { file throws(AudioError) in FileProperty.bytes(of: file.fileFormat) }),
    .init(
      kExtAudioFileProperty_FileChannelLayout,
      get: { file throws(AudioError) in
        guard let layout = file.container.layout else {
          throw .extendedProperty("\(file.container.store.name): has no channel layout")
        }
        return layout
      },
      set: { file, data throws(AudioError) in
        let layout = Array(data)
        try file.file.locked(changes: true) { container throws(AudioError) in
          try container.setLayout(layout)
        }
      }),
    .init(
      kExtAudioFileProperty_ClientDataFormat,
      get: { file throws(AudioError) in FileProperty.bytes(of: try file.client()) },
      set: { file, data throws(AudioError) in
        guard data.count >= 40 else { throw .extendedSize("40 bytes are needed") }
        try file.setClientFormat(data.loadUnaligned(as: AudioStreamBasicDescription.self))
      }),
    .init(
      kExtAudioFileProperty_ClientChannelLayout,
      get: { file throws(AudioError) in
        guard let layout = file.clientLayout else {
          throw .extendedProperty("no client channel layout was set")
        }
        return layout
      },
      set: { file, data throws(AudioError) in
        guard let count = ChannelLayouts.channelCount(data),
          count == Int(try file.client().mChannelsPerFrame)
        else {
          throw AudioError(status: kExtAudioFileError_InvalidChannelMap).because(
            "the layout and the client's format have different numbers of channels")
        }
        try file.setClientLayout(ChannelLayouts.bytes(data))
      }),
    .init(
      kExtAudioFileProperty_CodecManufacturer,
      get: { _ in bytes(kAppleSoftwareAudioCodecManufacturer) },
      set: { _, data throws(AudioError) in
        guard try word(data) == kAppleSoftwareAudioCodecManufacturer else {
          throw .extendedProperty("there are software codecs only")
        }
      }),
    .init(
      kExtAudioFileProperty_AudioConverter,
      get: { file throws(AudioError) in bytes(UInt(bitPattern: try file.makeConverterHandle())) }),
    .init(
      kExtAudioFileProperty_AudioFile,
      get: { file in bytes(UInt(bitPattern: file.fileHandle)) }),
    .init(
      kExtAudioFileProperty_FileMaxPacketSize,
      get: { file in
        let largest = file.container.packets?.maximumSize ?? Int(file.fileFormat.mBytesPerPacket)
        return bytes(UInt32(clamping: largest))
      }),
    .init(
      kExtAudioFileProperty_ClientMaxPacketSize,
      get: { file throws(AudioError) in bytes(try file.client().mBytesPerPacket) }),
    .init(
      kExtAudioFileProperty_FileLengthFrames,
      get: { file in bytes(Int64(file.container.frameCount)) }),
    .init(
      kExtAudioFileProperty_ConverterConfig,
      set: { file, data throws(AudioError) in
        // Null announces that the program changed the converter; nothing to do.
        guard data.contains(where: { $0 != 0 }) else { return }
        guard data.count == 8,
          let list = UnsafeRawPointer(bitPattern: data.loadUnaligned(as: UInt.self)),
          let settings = Bridge.current.propertyList(list)
        else { throw .extendedProperty("the settings are not an array of plain values") }
        try file.converter().write(settings: settings)
      }),
    .init(
      kExtAudioFileProperty_IOBufferSizeBytes,
      get: { file in bytes(UInt32(clamping: file.bufferByteCount)) },
      set: { file, data throws(AudioError) in
        file.bufferByteCount = min(max(1, Int(try word(data))), 64 << 20)
      }),
    .init(
      kExtAudioFileProperty_IOBuffer,
      set: { _, _ throws(AudioError) in
        throw .extendedProperty("a file uses only its own memory to read and write")
      }),
    .init(
      kExtAudioFileProperty_PacketTable,
      get: { file throws(AudioError) in
        guard let info = file.container.packetInfo else {
          throw .extendedProperty("\(file.container.store.name): has no packet table")
        }
        return bytes(Int64(info.validFrames)) + bytes(Int32(clamping: info.primingFrames))
          + bytes(Int32(clamping: info.remainderFrames))
      },
      set: { file, data throws(AudioError) in
        // A value of 4 bytes requests the file's own packet table, which is used anyway.
        guard data.count >= 16 else { return }
        let fields = ByteFields(Array(data), isBigEndian: ByteFields.isHostBigEndian)
        let info = try Container.packetInfo(
          validFrames: fields.int64(0), primingFrames: fields.int32(8),
          remainderFrames: fields.int32(12), for: file.container.store.name)
        try file.file.locked(changes: true) { container throws(AudioError) in
          if file.isWriting {
            try container.setPacketInfo(info)
          } else {
            container.packetInfo = info
          }
        }
        file.reader = nil
      }),
  ]
}

extension AudioError {
  fileprivate static func extendedProperty(_ reason: String) -> AudioError {
    AudioError(status: kExtAudioFileError_InvalidProperty).because(reason)
  }

  fileprivate static func extendedSize(_ reason: String) -> AudioError {
    AudioError(status: kExtAudioFileError_InvalidPropertySize).because(reason)
  }
}

extension ExtendedFile {
  private func row(_ id: ExtAudioFilePropertyID) throws(AudioError) -> ExtendedProperty {
    guard let row = ExtendedProperty.table[id] else {
      throw .extendedProperty("extended files have no property \(ChunkCode(id).quoted)")
    }
    return row
  }

  /// [control thread] The size of a property's value, and whether it can be set.
  package func propertyInfo(
    _ id: ExtAudioFilePropertyID
  ) throws(AudioError) -> (size: Int, isWritable: Bool) {
    try locked(changes: false) { () throws(AudioError) in
      let row = try row(id)
      return (try row.get?(self).count ?? 8, row.set != nil)
    }
  }

  /// [control thread] Writes a property's value to memory of `size` bytes and sets `size` to its
  /// size.
  package func property(
    _ id: ExtAudioFilePropertyID, into memory: UnsafeMutableRawPointer, _ size: inout UInt32
  ) throws(AudioError) {
    let room = Int(size)
    size = try locked(changes: false) { () throws(AudioError) in
      guard let get = try row(id).get else {
        throw .extendedProperty("property \(ChunkCode(id).quoted) can only be set")
      }
      let value = try get(self)
      guard room >= value.count else {
        throw .extendedSize(
          "property \(ChunkCode(id).quoted) needs \(value.count) bytes, not \(room)")
      }
      memory.copyMemory(from: value, byteCount: value.count)
      return UInt32(clamping: value.count)
    }
  }

  /// [control thread] Sets a property.
  package func setProperty(
    _ id: ExtAudioFilePropertyID, _ data: UnsafeRawBufferPointer
  ) throws(AudioError) {
    try locked { () throws(AudioError) in
      guard let set = try row(id).set else {
        throw .extendedProperty("property \(ChunkCode(id).quoted) can only be read")
      }
      try set(self, data)
    }
  }

  /// The converter of the reader or writer.
  fileprivate func converter() throws(AudioError) -> Converter {
    try isWriting ? makeWriter().converter : makeReader().converter
  }

  /// The handle of the converter, for programs.
  fileprivate func makeConverterHandle() throws(AudioError) -> AudioConverterRef {
    let converter = try converter()
    if let converterHandle { return converterHandle }
    let made = try Converter.handles.insert(converter)
    converterHandle = made
    return made
  }

  fileprivate func setClientLayout(_ layout: [UInt8]) throws(AudioError) {
    let old = clientLayout
    clientLayout = layout
    do throws(AudioError) {
      if let reader { try ChannelOrder.set(reader.converter, from: container.layout, to: layout) }
      if let writer { try ChannelOrder.set(writer.converter, from: layout, to: container.layout) }
    } catch {
      clientLayout = old
      throw error
    }
  }

  fileprivate func setClientFormat(
    _ format: AudioStreamBasicDescription
  ) throws(AudioError) {
    guard asynchronous == nil else {
      throw AudioError(status: kExtAudioFileError_InvalidOperationOrder).because(
        "the client's format cannot change while another thread writes frames")
    }
    guard format.mFormatID == kAudioFormatLinearPCM else {
      throw AudioError(status: kExtAudioFileError_NonPCMClientFormat).because(
        "\(StreamFormat.describe(format)): a client's format must be linear PCM")
    }
    do throws(AudioError) { _ = try StreamFormat(format) } catch {
      throw AudioError(status: kExtAudioFileError_InvalidDataFormat).because(error.explanation)
    }
    let old = (format: clientFormat, layout: clientLayout, reader: reader)
    let position = reader?.position ?? 0
    // A layout is valid only for the same number of channels.
    if clientFormat?.mChannelsPerFrame != format.mChannelsPerFrame { clientLayout = nil }
    clientFormat = format
    do throws(AudioError) {
      if isWriting {
        // After its end a writer accepts no more frames, even if it failed.
        let finished = writer
        writer = nil
        try finished?.finish()
        _ = try makeWriter()
      } else {
        reader = nil
        // The new reader continues at the position of the previous one.
        if position > 0 { try makeReader().seek(to: position) } else { _ = try makeReader() }
      }
    } catch {
      (clientFormat, clientLayout, reader) = old
      throw error
    }
  }
}
