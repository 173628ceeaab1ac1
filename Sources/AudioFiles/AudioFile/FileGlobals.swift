// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox
@_spi(TrappingConversions) import CheckedNumbers

extension PropertyFamily {
  /// The global properties of files: a list is cut to the entries that fit.
  static let fileGlobals = PropertyFamily(
    "AudioFile's global",
    Errors(
      unknown: kAudioFileUnsupportedPropertyError, unreadable: kAudioFileUnsupportedPropertyError,
      readOnly: kAudioFileUnsupportedPropertyError, size: kAudioFileBadPropertySizeError,
      value: kAudio_ParamError),
    truncation: .elementsOrNone, name: { "property \(ChunkCode($0.id).quoted)" })
}

/// The specifier of a global property, as the caller passed it.
package struct FileSpecifier {
  private let bytes: UnsafeRawBufferPointer

  package init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  /// The specifier, or its part from `position` on, as a C type.
  func value<Value: BitwiseCopyable>(
    at position: Int = 0, _ type: Value.Type = Value.self
  ) throws(AudioError) -> Value {
    let end = position + MemoryLayout<Value>.size
    guard bytes.count >= end else {
      throw .badPropertySize.because("the specifier needs \(end) bytes")
    }
    return bytes.loadUnaligned(fromByteOffset: position, as: Value.self)
  }

  /// The kind of file of the type that it begins with.
  func kind() throws(AudioError) -> FileKind { try FileKind.of(value()) }

  /// The CFString that it is, in lower case.
  func text() throws(AudioError) -> String {
    guard let object = UnsafeRawPointer(bitPattern: try value(UInt.self)),
      let text = Bridge.current.string(object)
    else { throw .invalidArgument.because("the specifier is not a CFString") }
    return text.lowercased()
  }
}

/// Global properties of file types, without a file: AudioFileGetGlobalInfo.
package enum FileGlobals {
  private typealias Row = PropertyRow<FileSpecifier>

  package static let table = PropertyTable<FileSpecifier>(.fileGlobals, kinds + searches)

  private static let kinds: [Row] = [
    .array(kAudioFileGlobalInfo_ReadableTypes, get: { _ in types { _ in true } }),
    .array(kAudioFileGlobalInfo_WritableTypes, get: { _ in types(\.isWritable) }),
    texts(kAudioFileGlobalInfo_AllExtensions) { _ in unique(\.extensions) },
    texts(kAudioFileGlobalInfo_AllUTIs) { _ in unique(\.utis) },
    texts(kAudioFileGlobalInfo_AllMIMETypes) { _ in unique(\.mimeTypes) },
    .array(kAudioFileGlobalInfo_AllHFSTypeCodes, get: { _ in FileKind.all.flatMap(\.codes) }),
    Row(
      kAudioFileGlobalInfo_FileTypeName,
      read: { (query) throws(AudioError) in .string(try query.owner.kind().title) }),
    .array(
      kAudioFileGlobalInfo_AvailableFormatIDs,
      get: { (specifier) throws(AudioError) in try specifier.kind().formats }),
    .array(
      kAudioFileGlobalInfo_AvailableStreamDescriptionsForFormat,
      get: { (specifier) throws(AudioError) in
        formats(try specifier.kind(), try specifier.value(at: 4))
      }),
    texts(kAudioFileGlobalInfo_ExtensionsForType) { (specifier) throws(AudioError) in
      try specifier.kind().extensions
    },
    texts(kAudioFileGlobalInfo_UTIsForType) { (specifier) throws(AudioError) in
      try specifier.kind().utis
    },
    texts(kAudioFileGlobalInfo_MIMETypesForType) { (specifier) throws(AudioError) in
      try specifier.kind().mimeTypes
    },
    .array(
      kAudioFileGlobalInfo_HFSTypeCodesForType,
      get: { (specifier) throws(AudioError) in try specifier.kind().codes }),
  ]

  private static let searches: [Row] = [
    search(kAudioFileGlobalInfo_TypesForExtension, \.extensions),
    search(kAudioFileGlobalInfo_TypesForMIMEType, \.mimeTypes),
    search(kAudioFileGlobalInfo_TypesForUTI, \.utis),
    .array(
      kAudioFileGlobalInfo_TypesForHFSTypeCode,
      get: { (specifier) throws(AudioError) in
        let code: UInt32 = try specifier.value()
        return types { $0.codes.contains(code) }
      }),
  ]

  /// A CFArray of CFStrings.
  private static func texts(
    _ id: AudioFilePropertyID,
    _ get: @escaping @Sendable (FileSpecifier) throws(AudioError) -> [String]
  ) -> Row {
    Row(
      id,
      read: { (query) throws(AudioError) in
        .list(.array(try get(query.owner).map { .string($0) }))
      })
  }

  /// The types that have the specifier among some of their names.
  private static func search(
    _ id: AudioFilePropertyID, _ names: @escaping @Sendable (FileKind) -> [String]
  ) -> Row {
    .array(
      id,
      get: { (specifier) throws(AudioError) in
        let text = try specifier.text()
        return types { names($0).contains(text) }
      })
  }

  private static func types(_ matches: (FileKind) -> Bool) -> [AudioFileTypeID] {
    FileKind.all.filter(matches).map(\.type)
  }

  private static func unique(_ names: (FileKind) -> [String]) -> [String] {
    var seen: Set<String> = []
    return FileKind.all.flatMap(names).filter { seen.insert($0).inserted }
  }

  /// The formats of a codec in a kind of file: identifier, flags and bits; other fields are 0. To
  /// check each candidate, a file with it is created in memory.
  private static func formats(_ kind: FileKind, _ id: AudioFormatID)
    -> [AudioStreamBasicDescription]
  {
    guard kind.formats.contains(id) else { return [] }
    var format = AudioStreamBasicDescription()
    format.mFormatID = id
    guard id == kAudioFormatLinearPCM else { return [format] }
    let (float, signed) = (kAudioFormatFlagIsFloat, kAudioFormatFlagIsSignedInteger)
    let (packed, big) = (kAudioFormatFlagIsPacked, kAudioFormatFlagIsBigEndian)
    let candidates: [(UInt32, AudioFormatFlags)] =
      [(8, 0), (8, signed)] + [16, 24, 32].flatMap { [($0, signed), ($0, signed | big)] }
      + [32, 64].flatMap { [($0, float), ($0, float | big)] }
    return candidates.compactMap { bits, flags in
      format.mBitsPerChannel = bits
      format.mFormatFlags = flags | packed
      var whole = format
      whole.mSampleRate = 44_100
      whole.mChannelsPerFrame = 1
      whole.mFramesPerPacket = 1
      whole.mBytesPerFrame = bits / 8
      whole.mBytesPerPacket = bits / 8
      let isPossible = (try? Containers.create(MemoryStore(), kind.type, whole)) != nil
      return isPossible ? format : nil
    }
  }
}
