// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CPlugIns

/// An open library of CLAP plug-ins, which stays open and initialised.
struct CLAPLibrary: @unchecked Sendable {
  let path: String
  let factory: UnsafePointer<CLAPFactory>
  /// The codes that its plug-ins have as audio units.
  private let codes: UnsafePointer<CLAPAudioUnitInfo>?
  /// What describes its presets.
  private let presets: UnsafePointer<CLAPPresetFactory>?

  /// A broken library may never end its list.
  private static let highestPlugInCount = 4_096
  private static let opened = Guarded<[String: CLAPLibrary]>([:])

  /// [control thread] The library at a path, which is opened by the first call.
  /// - Throws: `invalidFile` if it cannot be opened, or refuses.
  static func at(_ path: String) throws(AudioError) -> CLAPLibrary {
    try opened.withLock { (opened) throws(AudioError) in
      if let known = opened[path] { return known }
      let new = try CLAPLibrary(path)
      opened[path] = new
      return new
    }
  }

  private init(_ path: String) throws(AudioError) {
    self.path = path
    let result = CLAPCall.control { () -> Result<_, AudioError> in
      do throws(AudioError) { return .success(try Self.start(path)) } catch {
        return .failure(error)
      }
    }
    (factory, codes, presets) = try result.get()
  }

  /// Opens the library and gets its factories.
  private static func start(_ path: String) throws(AudioError) -> (
    UnsafePointer<CLAPFactory>, UnsafePointer<CLAPAudioUnitInfo>?, UnsafePointer<CLAPPresetFactory>?
  ) {
    guard let symbol = try SharedObject(path).symbol("clap_entry") else {
      throw .invalidFile.because("\(path) has no variable clap_entry")
    }
    let entry = symbol.assumingMemoryBound(to: CLAPEntry.self).pointee
    guard entry.version.major >= 1 else {
      throw .invalidFile.because("\(path) is of version \(entry.version.major) of CLAP")
    }
    guard let initialize = entry.`init`, let getFactory = entry.get_factory, initialize(path) else {
      throw .invalidFile.because("\(path) refuses to be used")
    }
    guard let factory = getFactory(CLAP_FACTORY_ID) else {
      throw .invalidFile.because("\(path) makes no plug-ins")
    }
    return (
      factory.assumingMemoryBound(to: CLAPFactory.self),
      getFactory(CLAP_AUDIO_UNIT_INFO)?.assumingMemoryBound(to: CLAPAudioUnitInfo.self),
      getFactory(CLAP_PRESET_FACTORY)?.assumingMemoryBound(to: CLAPPresetFactory.self)
    )
  }

  /// [main thread of plug-ins] The descriptors, with their places in the list.
  var descriptors: [(index: UInt32, descriptor: UnsafePointer<CLAPDescriptor>)] {
    guard let count = factory.pointee.count, let get = factory.pointee.get_descriptor else {
      return []
    }
    let most = min(Int(count(factory)), Self.highestPlugInCount)
    return (0..<most).compactMap { index in
      get(factory, UInt32(index)).map { (UInt32(index), $0) }
    }
  }

  /// [main thread of plug-ins] The presets of a plug-in, in the order of the library.
  func presets(of identifier: String) -> [PlugInPreset] {
    guard let presets else { return [] }
    var found: [PlugInPreset] = []
    withUnsafeMutablePointer(to: &found) { found in
      clap_read_presets(presets, identifier, found) { context, name, kind, path, loadKey in
        let place = PresetPlace(
          kind: kind, path: String(cString: path), loadKey: String(cString: loadKey))
        context.assumingMemoryBound(to: [PlugInPreset].self).pointee.append(
          PlugInPreset(CLAPText.of(name) ?? "Preset", place.identifier, [:]))
      }
    }
    return found
  }

  /// [main thread of plug-ins] Whether it makes a plug-in with an identifier.
  func contains(_ identifier: String) -> Bool {
    descriptors.contains { CLAPText.of($0.descriptor.pointee.id) == identifier }
  }

  /// [main thread of plug-ins] The codes that a plug-in has as an audio unit elsewhere; nil: none, or codes that are
  /// reserved.
  func ownCodes(_ index: UInt32) -> PlugInCodes? {
    guard let info = codes, let get = info.pointee.get_codes else { return nil }
    var own = CLAPAudioUnitCodes()
    guard get(info, index, &own), let maker = CLAPText.of(info.pointee.manufacturer_code),
      let manufacturer = Self.code(maker.utf8),
      maker.utf8.contains(where: { !(0x61...0x7a).contains($0) }),
      let type = withUnsafeBytes(of: &own.type, { Self.code($0.prefix { $0 != 0 }) }),
      let subType = withUnsafeBytes(of: &own.subtype, { Self.code($0.prefix { $0 != 0 }) })
    else { return nil }
    return PlugInCodes(type: type, subType: subType, manufacturer: manufacturer)
  }

  /// Four printable characters.
  private static func code(_ bytes: some Collection<UInt8>) -> UInt32? {
    guard bytes.count == 4, bytes.allSatisfy({ (0x20..<0x7f).contains($0) }) else { return nil }
    return bytes.reduce(0) { $0 << 8 | UInt32($1) }
  }
}

/// Where a preset is: in a file or in the plug-in, and the key by which that finds it.
struct PresetPlace {
  var kind: UInt32
  var path: String
  var loadKey: String

  init(kind: UInt32, path: String, loadKey: String) {
    (self.kind, self.path, self.loadKey) = (kind, path, loadKey)
  }

  /// The place of a preset's identifier; nil if that is no such identifier.
  init?(_ identifier: String) {
    let parts = identifier.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 3, let kind = UInt32(parts[0]) else { return nil }
    self.init(kind: kind, path: parts[1], loadKey: parts[2])
  }

  /// The identifier of the preset.
  var identifier: String { "\(kind)\t\(path)\t\(loadKey)" }
}

/// Calls of control threads into CLAP plug-ins.
enum CLAPCall {
  /// [control thread] Runs `call` on the thread that plug-ins regard as the main one.
  static func control<Result>(_ call: () -> Result) -> Result {
    PlugInThread.shared.call { PlugInCall.control(call) }
  }
}

/// Texts of CLAP plug-ins, which may be absent or not UTF-8.
enum CLAPText {
  /// On one line; nil: absent or empty.
  static func of(_ text: UnsafePointer<CChar>?) -> String? {
    guard let text, text.pointee != 0 else { return nil }
    return line(String(cString: text))
  }

  /// The text in an array of characters that ends with 0.
  static func of<Characters>(array: Characters) -> String? {
    withUnsafeBytes(of: array) { bytes in
      line(String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self))
    }
  }

  private static func line(_ text: String) -> String? {
    let words = text.split { $0.isWhitespace }.joined(separator: " ")
    return words.isEmpty ? nil : words
  }
}
