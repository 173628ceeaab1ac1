// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioUnitCore
import CAudioToolbox
import Glibc
import PlugInHosting

/// The plug-ins of this machine that are components of this program.
package final class PlugIns: @unchecked Sendable {
  /// Those of the C API.
  package static let shared = PlugIns(registry: .shared)

  private let registry: ComponentRegistry
  private let environment: @Sendable (String) -> String?
  private let scanTimeLimit: Double
  private let worker = SerialWorker(name: "plug-in-scan")
  /// Called after a scan in the background has registered more components.
  package nonisolated(unsafe) var registrationsChanged: @Sendable () -> Void = {}
  private let scanning = Lock()
  private let lock = Lock()
  // Under `lock`:
  private var enabledByProgram: AUPlugInFormats = .audioUnit
  private var registered: AUPlugInFormats = []
  private var audioUnits: [FoundPlugIn] = []
  private var files: [String: ScannedFile] = [:]
  /// What became of each plug-in that was to be registered: why it could not be, or nothing.
  private var refusals: [Place: String] = [:]
  private var lastRead: (cache: ScanCache, stamp: FileStamp?, files: [ScannedFile])?

  /// Where a plug-in is.
  private struct Place: Hashable {
    let path: String
    let identifier: String

    init(_ plugIn: FoundPlugIn) { (path, identifier) = (plugIn.path, plugIn.identifier) }
  }

  init(
    registry: ComponentRegistry, scanTimeLimit: Double = 10,
    environment: @escaping @Sendable (String) -> String? = SearchFolders.variable
  ) {
    self.registry = registry
    self.environment = environment
    self.scanTimeLimit = scanTimeLimit
  }

  // MARK: Formats

  /// All formats, with their names in the environment variable.
  static let formats: [(name: String, format: AUPlugInFormats)] = [
    ("au", .audioUnit), ("lv2", .LV2), ("ladspa", .LADSPA), ("clap", .CLAP),
  ]

  /// [control thread] Enables more formats.
  package func enable(_ formats: AUPlugInFormats) throws(AudioError) {
    guard formats.isSubset(of: Self.allFormats) else {
      throw .invalidArgument.because("formats 0x\(String(formats.rawValue, radix: 16))")
    }
    lock.withLock { enabledByProgram.formUnion(formats) }
  }

  /// [any thread] The enabled formats: those of the environment, if it names any.
  package var enabled: AUPlugInFormats {
    environment("AUDIOTOOLBOX_PLUGINS").map { Self.formats(named: $0) }
      ?? lock.withLock { enabledByProgram }
  }

  private static let allFormats = formats.reduce(into: AUPlugInFormats()) {
    $0.formUnion($1.format)
  }

  /// The formats of a text such as "lv2,clap"; audio units are among them, unless it is "none".
  static func formats(named text: String) -> AUPlugInFormats {
    let words = Set(text.lowercased().split { $0 == "," || $0 == " " }.map(String.init))
    if words.contains("none") { return [] }
    if words.contains("all") { return allFormats }
    return formats.filter { words.contains($0.name) }
      .reduce(into: .audioUnit) { $0.formUnion($1.format) }
  }

  /// [any thread] The text that names some formats.
  package static func text(of formats: AUPlugInFormats) -> String {
    guard !formats.isEmpty else { return "none" }
    return Self.formats.filter { formats.contains($0.format) }.map(\.name).joined(separator: ",")
  }

  // MARK: Components

  /// [control thread] Registers the plug-ins of the enabled formats, once each: those that earlier scans
  /// found. Looks for new ones in the background.
  package func register() {
    let scanned = registerCached()
    guard !scanned.isEmpty else { return }
    worker.perform { [self] in
      if (try? scan(scanned, .changedTexts)) == true { registrationsChanged() }
    }
  }

  /// As above, without looking for new ones; returns the formats for which that remains to be done.
  @discardableResult
  func registerCached() -> AUPlugInFormats {
    let enabled = enabled
    return lock.withLock {
      let new = enabled.subtracting(registered)
      guard !new.isEmpty else { return AUPlugInFormats() }
      registered.formUnion(new)
      if new.contains(.audioUnit) { registerAudioUnits() }
      let scanned = new.subtracting(.audioUnit)
      if !scanned.isEmpty { registerScanned(cached(scanned)) }
      return scanned
    }
  }

  /// [control thread] All plug-ins of the enabled formats, with those that cannot be used.
  package var list: [FoundPlugIn] {
    register()
    let enabled = enabled
    return lock.withLock {
      let scanned = files.values.filter { enabled.contains($0.format) }.sorted { $0.path < $1.path }
      return audioUnits.filter { _ in enabled.contains(.audioUnit) }
        + scanned.flatMap(\.entries).map { entry in
          guard entry.reason.isEmpty, let reason = refusals[Place(entry)] else { return entry }
          var entry = entry
          entry.reason = reason
          return entry
        }
    }
  }

  private func registerAudioUnits() {
    for folder in SearchFolders.of(.audioUnit, environment: environment) {
      for name in SearchFolders.names(in: folder)
      where name.hasSuffix(".component") || name.hasSuffix(".audiocomp") {
        for unit in ComponentFolder("\(folder)/\(name)").units() {
          var plugIn = unit.plugIn
          plugIn.reason = add(plugIn) { component, _ throws(AudioError) in
            try ForeignUnit(
              component: component, factory: try unit.file.factory(named: unit.factory))
          }
          audioUnits.append(plugIn)
        }
      }
    }
  }

  /// Registers the component of a plug-in if it can be used; returns the reason if not. A component of
  /// the library or of the program with the same codes remains, and so does a plug-in that was found
  /// earlier.
  private func add(
    _ plugIn: FoundPlugIn,
    instantiate:
      @escaping @Sendable (Component, AudioComponentInstantiationOptions) throws(AudioError) ->
      UnitInstance
  ) -> String {
    guard plugIn.reason.isEmpty || plugIn.isBlocked else { return plugIn.reason }
    let component = Component(
      plugIn.codes, name: plugIn.name, version: plugIn.version, traits: plugIn.traits,
      instantiate: instantiate)
    do throws(AudioError) { try registry.register(component, replaces: false) } catch {
      return error.explanation
    }
    return ""
  }

  /// Registers the plug-ins of files, as far as they can be used and are not registered yet. Of those with
  /// the same codes, which one becomes a component does not depend on the order of the files.
  private func registerScanned(_ new: [ScannedFile]) {
    for file in new { files[file.path] = file }
    let plugIns = new.flatMap(\.entries).filter {
      $0.codes.componentType != 0 && ($0.reason.isEmpty || $0.isBlocked)
        && refusals[Place($0)]?.isEmpty != true
    }
    var chosen: [SIMD3<UInt32>: Int] = Dictionary(minimumCapacity: plugIns.count)
    var others: [Int] = []
    for (index, plugIn) in plugIns.enumerated() {
      let codes = SIMD3(
        plugIn.codes.componentType, plugIn.codes.componentSubType,
        plugIn.codes.componentManufacturer)
      guard let place = chosen.updateValue(index, forKey: codes) else { continue }
      if plugIn.precedes(plugIns[place]) {
        others.append(place)
      } else {
        chosen[codes] = place
        others.append(index)
      }
    }
    refusals.reserveCapacity(refusals.count + plugIns.count)
    for index in chosen.values.sorted() + others {
      let plugIn = plugIns[index]
      let hosted = HostedPlugIn(plugIn)
      refusals[Place(plugIn)] = add(plugIn) { [self] component, options throws(AudioError) in
        try instantiate(hosted, component, options)
      }
    }
  }

  /// Makes an instance of a plug-in, unless its file is blocked. In this process, a mark covers the opening
  /// of the file; code of the plug-in that runs later, when the unit is initialized, has none.
  private func instantiate(
    _ hosted: HostedPlugIn, _ component: Component, _ options: AudioComponentInstantiationOptions
  ) throws(AudioError) -> UnitInstance {
    let file = lock.withLock { files[hosted.path] }
    if let file, file.isBlocked {
      throw AudioError(status: kAudioComponentErr_NotPermitted).because(
        "\(component.name) is blocked: \(file.reason)")
    }
    if isApart(options) {
      return try hosted.unitApart(of: component, OwnProcess(timeLimit: scanTimeLimit))
    }
    guard let cache else { return try hosted.unit(of: component) }
    return try OpeningMark(beside: cache).around(hosted.path) { () throws(AudioError) in
      try hosted.unit(of: component)
    }
  }

  /// Whether an instance gets a process of its own: the environment chooses for programs that do not.
  private func isApart(_ options: AudioComponentInstantiationOptions) -> Bool {
    options.contains(.loadOutOfProcess)
      || !options.contains(.loadInProcess) && environment("AUDIOTOOLBOX_OUT_OF_PROCESS") == "1"
  }

  // MARK: Scans

  private var cache: ScanCache? { ScanCache(environment: environment) }

  /// [control thread] The path of the cache; nil if the user has no folder for it.
  package var cachePath: String? { cache?.path }

  private static let fatalReason = "a program ended while it opened it"
  private static let userReason = "its user has blocked it"

  /// The files of some formats in the cache that are in the folders of this program, in their order.
  private func cached(_ formats: AUPlugInFormats) -> [ScannedFile] {
    let folders = Self.formats.filter { formats.contains($0.format) }.flatMap {
      SearchFolders.of($0.format, environment: environment).map { "\($0)/" }
    }
    guard let cache else { return [] }
    let fatal = Set(OpeningMark(beside: cache).fatal().map(\.path))
    var found: [[ScannedFile]] = Array(repeating: [], count: folders.count)
    for file in read(cache) where formats.contains(file.format) {
      guard let rank = folders.firstIndex(where: { file.path.utf8.starts(with: $0.utf8) }) else {
        continue
      }
      found[rank].append(fatal.contains(file.path) ? file.blocked(Self.fatalReason) : file)
    }
    return found.flatMap(\.self)
  }

  /// The files in a cache, which is read if it has changed since it was last read.
  private func read(_ cache: ScanCache) -> [ScannedFile] {
    let stamp = FileStamp(cache.path)
    if let lastRead, lastRead.cache == cache, lastRead.stamp == stamp { return lastRead.files }
    let files = cache.read()
    lastRead = (cache, stamp, files)
    return files
  }

  /// [control thread] Scans what is new in the enabled formats, or everything, and waits for the end.
  package func scan(everything: Bool) throws(AudioError) {
    registerCached()
    _ = try scan(enabled.subtracting(.audioUnit), everything ? .everything : .changedFiles)
  }

  /// What a scan reads besides what is new.
  private enum Depth {
    /// Files that have changed, and bundles whose folders have.
    case changedFiles
    /// Also bundles with texts that were overwritten in place, which takes a look at each of them.
    case changedTexts
    case everything
  }

  /// Scans some formats; returns whether it found something new.
  private func scan(_ formats: AUPlugInFormats, _ depth: Depth) throws(AudioError) -> Bool {
    guard !formats.isEmpty else { return false }
    return try scanning.withLock { () throws(AudioError) in
      let cache = cache
      let known = Dictionary(
        lock.withLock { cache.map(read) ?? [] }.map { ($0.path, $0) },
        uniquingKeysWith: { first, _ in first })
      // Another version of the library may find other things.
      let program = try? FileStamp(ScannerProgram.path())
      let readsEverything =
        depth == .everything
        || (program?.time ?? 0) > (cache.flatMap { FileStamp($0.path) }?.time ?? 0)
      let marks = cache.map { OpeningMark(beside: $0).fatal() } ?? []
      let fatal = Set(marks.map(\.path))
      var present: [ScannedFile] = []
      var hasChanged = !fatal.isEmpty
      var isRenewed = false
      for (_, format) in Self.formats where formats.contains(format) {
        var stale: [ScannedFile] = []
        for path in Candidates.of(format, environment: environment) {
          if depth == .changedFiles, !readsEverything, !fatal.contains(path),
            let file = known[path], file.isSettled, file.stamp.isCurrent(path)
          {
            present.append(file)
            continue
          }
          guard Candidates.isOne(path, format), let stamp = FileStamp(path) else { continue }
          if fatal.contains(path) {
            let file = ScannedFile(
              format: format, path: path, stamp: stamp, plugIns: known[path]?.plugIns ?? [])
            present.append(file.blocked(Self.fatalReason))
          } else if let file = known[path],
            file.reason == Self.userReason
              || file.stamp == stamp && !readsEverything && file.isSettled
          {
            present.append(file)
          } else {
            stale.append(ScannedFile(format: format, path: path, stamp: stamp))
          }
        }
        guard !stale.isEmpty else { continue }
        let program = try ScannerProgram.path()
        let scanned = LibraryScan(program: program, timeLimit: scanTimeLimit).scan(stale)
        if scanned.contains(where: { known[$0.path] != $0 }) { hasChanged = true }
        // The time of the cache tells that this version of the library has read everything.
        if readsEverything { isRenewed = true }
        present += scanned
      }
      // Files in the folders of other programs remain; those that are gone do not.
      let paths = Set(present.map(\.path))
      let others = known.values.filter { file in
        !paths.contains(file.path) && access(file.path, F_OK) == 0
      }
      if hasChanged || isRenewed || others.count + present.count != known.count {
        try cache?.write((others + present).sorted { $0.path < $1.path })
      }
      // Another program that scans now must find them, or the cache that replaces them.
      for (mark, _) in marks { unlink(mark) }
      lock.withLock {
        files = files.filter { !formats.contains($0.value.format) || paths.contains($0.key) }
        registerScanned(present.filter { files[$0.path] != $0 })
      }
      return hasChanged
    }
  }

  /// [control thread] Blocks the file that contains a plug-in, or permits it again; a permitted file is
  /// scanned again if it was blocked by a scan.
  package func setBlocked(_ isBlocked: Bool, _ identifier: String) throws(AudioError) {
    let found = list.first { $0.identifier == identifier || $0.path == identifier }
    guard let found, !found.format.contains(.audioUnit) else {
      throw .invalidArgument.because("there is no LV2, LADSPA or CLAP plug-in \(identifier)")
    }
    try scanning.withLock { () throws(AudioError) in
      guard let cache else { throw .filePermission.because("there is no folder for the cache") }
      var files = cache.read()
      guard let index = files.firstIndex(where: { $0.path == found.path }) else { return }
      files[index].isBlocked = isBlocked
      files[index].reason = isBlocked ? Self.userReason : ""
      if !isBlocked, files[index].plugIns.isEmpty { files[index].stamp = FileStamp() }
      try cache.write(files)
      lock.withLock { self.files[found.path] = files[index] }
    }
    if !isBlocked { try scan(everything: false) }
  }
}
