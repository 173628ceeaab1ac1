// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox
@_spi(TrappingConversions) import CheckedNumbers

/// Global properties of file types, without a file: AudioFileGetGlobalInfo.
package enum FileGlobals {
  private enum Value {
    case words([UInt32])
    case formats([AudioStreamBasicDescription])
    case texts([String])
    case text(String)
  }

  /// [any thread] The size of a value.
  package static func size(
    _ id: AudioFilePropertyID, _ specifier: UnsafeRawBufferPointer
  ) throws(AudioError) -> Int {
    switch try value(id, specifier) {
    case .words(let words): words.count * 4
    case .formats(let formats): formats.count * 40
    case .texts, .text: 8
    }
  }

  /// [any thread] Writes a value to memory of `size` bytes and sets `size` to its size: as many
  /// whole entries of a list as fit.
  package static func value(
    _ id: AudioFilePropertyID, _ specifier: UnsafeRawBufferPointer,
    into memory: UnsafeMutableRawPointer, _ size: inout UInt32
  ) throws(AudioError) {
    let room = Int(size)
    func write(_ bytes: [UInt8]) throws(AudioError) {
      memory.copyMemory(from: bytes, byteCount: bytes.count)
      size = UInt32(clamping: bytes.count)
    }
    func write(object: UnsafeRawPointer) {
      memory.storeBytes(of: object, as: UnsafeRawPointer.self)
      size = 8
    }
    let value = try value(id, specifier)
    switch value {
    case .words(let words):
      try write(
        words.prefix(room / 4).flatMap { word in
          withUnsafeBytes(of: word) { Array($0) }
        })
    case .formats(let formats):
      try write(
        formats.prefix(room / 40).flatMap { format in
          withUnsafeBytes(of: format) { Array($0) }
        })
    case .texts, .text:
      guard room >= 8 else {
        throw .badPropertySize.because(
          "property \(ChunkCode(id).quoted) needs 8 bytes, not \(room)")
      }
      if case .texts(let texts) = value { write(object: Bridge.current.retainedStrings(texts)) }
      if case .text(let text) = value { write(object: Bridge.current.retainedString(text)) }
    }
  }

  private static func value(
    _ id: AudioFilePropertyID, _ specifier: UnsafeRawBufferPointer
  ) throws(AudioError) -> Value {
    func word(_ position: Int = 0) throws(AudioError) -> UInt32 {
      guard specifier.count >= position + 4 else {
        throw .badPropertySize.because("the specifier needs \(position + 4) bytes")
      }
      return specifier.loadUnaligned(fromByteOffset: position, as: UInt32.self)
    }
    func text() throws(AudioError) -> String {
      guard specifier.count >= 8 else {
        throw .badPropertySize.because("the specifier needs 8 bytes")
      }
      let address = specifier.loadUnaligned(as: UInt.self)
      guard let object = UnsafeRawPointer(bitPattern: address),
        let text = Bridge.current.string(object)
      else { throw .invalidArgument.because("the specifier is not a CFString") }
      return text.lowercased()
    }
    func kind() throws(AudioError) -> FileKind { try FileKind.of(word()) }
    func types(_ matches: (FileKind) -> Bool) -> Value {
      .words(FileKind.all.filter(matches).map(\.type))
    }
    let all = FileKind.all
    switch id {
    case kAudioFileGlobalInfo_ReadableTypes: return types { _ in true }
    case kAudioFileGlobalInfo_WritableTypes: return types(\.isWritable)
    case kAudioFileGlobalInfo_FileTypeName: return .text(try kind().title)
    case kAudioFileGlobalInfo_AvailableFormatIDs: return .words(try kind().formats)
    case kAudioFileGlobalInfo_AvailableStreamDescriptionsForFormat:
      return .formats(formats(try kind(), try word(4)))
    case kAudioFileGlobalInfo_AllExtensions: return .texts(unique(all.flatMap(\.extensions)))
    case kAudioFileGlobalInfo_AllUTIs: return .texts(unique(all.flatMap(\.utis)))
    case kAudioFileGlobalInfo_AllMIMETypes: return .texts(unique(all.flatMap(\.mimeTypes)))
    case kAudioFileGlobalInfo_AllHFSTypeCodes: return .words(all.flatMap(\.codes))
    case kAudioFileGlobalInfo_ExtensionsForType: return .texts(try kind().extensions)
    case kAudioFileGlobalInfo_UTIsForType: return .texts(try kind().utis)
    case kAudioFileGlobalInfo_MIMETypesForType: return .texts(try kind().mimeTypes)
    case kAudioFileGlobalInfo_HFSTypeCodesForType: return .words(try kind().codes)
    case kAudioFileGlobalInfo_TypesForExtension:
      let ending = try text()
      return types { $0.extensions.contains(ending) }
    case kAudioFileGlobalInfo_TypesForMIMEType:
      let name = try text()
      return types { $0.mimeTypes.contains(name) }
    case kAudioFileGlobalInfo_TypesForUTI:
      let name = try text()
      return types { $0.utis.contains(name) }
    case kAudioFileGlobalInfo_TypesForHFSTypeCode:
      let code = try word()
      return types { $0.codes.contains(code) }
    default:
      throw .unsupportedProperty.because("there is no global property \(ChunkCode(id).quoted)")
    }
  }

  private static func unique(_ texts: [String]) -> [String] {
    var seen: Set<String> = []
    return texts.filter { seen.insert($0).inserted }
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
