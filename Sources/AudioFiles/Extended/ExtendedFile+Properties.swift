// SPDX-License-Identifier: Apache-2.0
import AudioConverters
import AudioSupport
import CAudioToolbox
@_spi(TrappingConversions) import CheckedNumbers

extension PropertyFamily {
  /// The properties of extended files.
  static let extendedFiles = PropertyFamily(
    "an extended file's",
    Errors(
      unknown: kExtAudioFileError_InvalidProperty, unreadable: kExtAudioFileError_InvalidProperty,
      readOnly: kExtAudioFileError_InvalidProperty, size: kExtAudioFileError_InvalidPropertySize,
      value: kExtAudioFileError_InvalidProperty),
    lengths: .longer, name: { "property \(ChunkCode($0.id).quoted)" })
}

/// The properties of extended files, one row each.
private enum ExtendedProperties {
  static let table = PropertyTable<ExtendedFile>(.extendedFiles, rows)

  private static let rows: [PropertyRow<ExtendedFile>] = [
    .value(kExtAudioFileProperty_FileDataFormat, get: { $0.fileFormat }),
    .array(
      kExtAudioFileProperty_FileChannelLayout,
      get: { file throws(AudioError) -> [UInt8] in
        guard let layout = file.container.layout else {
          throw .extendedProperty("\(file.container.store.name): has no channel layout")
        }
        return layout
      },
      set: { file, layout throws(AudioError) in
        try file.file.locked(changes: true) { container throws(AudioError) in
          try container.setLayout(layout)
        }
      }),
    .value(
      kExtAudioFileProperty_ClientDataFormat,
      get: { file throws(AudioError) in try file.client() },
      set: { file, format throws(AudioError) in try file.setClientFormat(format) }),
    .array(
      kExtAudioFileProperty_ClientChannelLayout,
      get: { file throws(AudioError) -> [UInt8] in
        guard let layout = file.clientLayout else {
          throw .extendedProperty("no client channel layout was set")
        }
        return layout
      },
      set: { file, layout throws(AudioError) in
        guard let count = ChannelLayouts.channelCount(layout),
          count == Int(try file.client().mChannelsPerFrame)
        else {
          throw AudioError(status: kExtAudioFileError_InvalidChannelMap).because(
            "the layout and the client's format have different numbers of channels")
        }
        try file.setClientLayout(layout.withUnsafeBytes { ChannelLayouts.bytes($0) })
      }),
    .value(
      kExtAudioFileProperty_CodecManufacturer,
      get: { _ in kAppleSoftwareAudioCodecManufacturer },
      set: { _, manufacturer throws(AudioError) in
        guard manufacturer == kAppleSoftwareAudioCodecManufacturer else {
          throw .extendedProperty("there are software codecs only")
        }
      }),
    .value(
      kExtAudioFileProperty_AudioConverter,
      get: { file throws(AudioError) in UInt(bitPattern: try file.makeConverterHandle()) }),
    .value(kExtAudioFileProperty_AudioFile, get: { UInt(bitPattern: $0.fileHandle) }),
    .value(
      kExtAudioFileProperty_FileMaxPacketSize,
      get: { file in
        let largest = file.container.packets?.maximumSize ?? Int(file.fileFormat.mBytesPerPacket)
        return UInt32(clamping: largest)
      }),
    .value(
      kExtAudioFileProperty_ClientMaxPacketSize,
      get: { file throws(AudioError) in try file.client().mBytesPerPacket }),
    .value(kExtAudioFileProperty_FileLengthFrames, get: { Int64($0.container.frameCount) }),
    .object(
      kExtAudioFileProperty_ConverterConfig, type: "CFArray",
      write: { file, _, data throws(AudioError) in
        let data = data.bytes
        // Null announces that the program changed the converter; nothing to do.
        guard data.contains(where: { $0 != 0 }) else { return }
        guard data.count == 8,
          let list = UnsafeRawPointer(bitPattern: data.loadUnaligned(as: UInt.self)),
          let settings = Bridge.current.propertyList(list)
        else { throw .extendedProperty("the settings are not an array of plain values") }
        try file.converter().write(settings: settings)
      }),
    .value(
      kExtAudioFileProperty_IOBufferSizeBytes, get: { UInt32(clamping: $0.bufferByteCount) },
      set: { file, count in file.bufferByteCount = min(max(1, Int(count)), 64 << 20) }),
    .init(
      kExtAudioFileProperty_IOBuffer, size: .bytes(MemoryLayout<UnsafeRawPointer>.size),
      write: { _, _, _ throws(AudioError) in
        throw .extendedProperty("a file uses only its own memory to read and write")
      }),
    .init(
      kExtAudioFileProperty_PacketTable, type: "AudioFilePacketTableInfo",
      read: { query throws(AudioError) in
        let file = query.owner
        guard let info = file.container.packetInfo else {
          throw .extendedProperty("\(file.container.store.name): has no packet table")
        }
        return .value(AudioFilePacketTableInfo(info))
      },
      write: { file, _, data throws(AudioError) in
        // A value of 4 bytes requests the file's own packet table, which is used anyway.
        guard data.bytes.count >= 16 else { return }
        let info = try Container.packetInfo(try data.value(), for: file.container.store.name)
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
}

extension ExtendedFile {
  /// [control thread] The size of a property's value, and whether it can be set.
  package func propertyInfo(_ id: ExtAudioFilePropertyID) throws(AudioError) -> PropertyInfo {
    try locked(changes: false) { () throws(AudioError) in
      try ExtendedProperties.table.info(PropertyAddress(id), of: self)
    }
  }

  /// [control thread] Writes a property's value to memory of `size` bytes and sets `size` to its
  /// size.
  package func property(
    _ id: ExtAudioFilePropertyID, into memory: UnsafeMutableRawPointer, _ size: inout UInt32
  ) throws(AudioError) {
    var count = size
    try locked(changes: false) { () throws(AudioError) in
      try ExtendedProperties.table.read(PropertyAddress(id), of: self, into: memory, size: &count)
    }
    size = count
  }

  /// [control thread] Sets a property.
  package func setProperty(
    _ id: ExtAudioFilePropertyID, _ data: UnsafeRawBufferPointer
  ) throws(AudioError) {
    try locked { () throws(AudioError) in
      try ExtendedProperties.table.write(PropertyAddress(id), of: self, data)
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
