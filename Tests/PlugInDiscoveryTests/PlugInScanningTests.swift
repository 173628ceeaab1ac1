// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioToolbox
import AudioUnitCore
import Foundation
import Synchronization
import Testing

@testable import PlugInDiscovery

@Suite("Plug-ins that are scanned")
struct PlugInScanningTests {
  private let folder: TestFolder
  private var library: String { "\(folder.path)/.ladspa/it.so" }
  private var marks: String { "\(folder.path)/.cache/audiotoolbox/plug-ins.opening" }

  init() throws {
    _ = AudioComponentCount([AudioComponentDescription()])
    folder = try TestFolder()
  }

  /// The plug-ins of a program that starts now, after its scan.
  private func program(_ registry: ComponentRegistry = ComponentRegistry()) throws -> PlugIns {
    let plugIns = program(unscanned: registry)
    try plugIns.scan(everything: false)
    return plugIns
  }

  private func program(unscanned registry: ComponentRegistry) -> PlugIns {
    let home = folder.path
    return PlugIns(registry: registry, scanTimeLimit: 2) { name in
      ["HOME": home, "AUDIOTOOLBOX_PLUGINS": "ladspa", "LADSPA_PATH": "\(home)/.ladspa"][name]
    }
  }

  @Test("are components, of which instances can be made")
  func components() throws {
    try HostileLibrary.build("FINE", at: library)
    let registry = ComponentRegistry()
    let plugIns = try program(registry)
    #expect(plugIns.list.map(\.reason) == [""])
    let component = try #require(registry.all().first)
    #expect(component.name == "Hostile: Through")
    let unit = try component.instantiate()
    #expect(unit.component === component)
    try UnitInstance.dispose(#require(unit.handle))
    #expect(try FileManager.default.contentsOfDirectory(atPath: marks).isEmpty)
  }

  @Test("have processes of their own if the program asks for it, or its environment")
  func ownProcesses() throws {
    try HostileLibrary.build("FINE", at: library)
    let home = folder.path
    func isApart(_ variable: String?, _ options: AudioComponentInstantiationOptions) throws -> Bool
    {
      let registry = ComponentRegistry()
      let plugIns = PlugIns(registry: registry, scanTimeLimit: 10) { name in
        [
          "HOME": home, "AUDIOTOOLBOX_PLUGINS": "ladspa", "LADSPA_PATH": "\(home)/.ladspa",
          "AUDIOTOOLBOX_OUT_OF_PROCESS": variable,
        ][name] ?? nil
      }
      try plugIns.scan(everything: false)
      let unit = try #require(registry.all().first).instantiate(options)
      defer { unit.handle.map { _ = try? UnitInstance.dispose($0) } }
      return try #require(unit as? NativeUnit).isLoadedOutOfProcess
    }
    #expect(try !isApart(nil, []))
    #expect(try !isApart(nil, .loadInProcess))
    #expect(try isApart(nil, .loadOutOfProcess))
    #expect(try isApart("1", []))
    #expect(try !isApart("1", .loadInProcess))
    #expect(try !isApart("0", []))
  }

  @Test("are in the cache: the next program finds them without a scan")
  func cached() throws {
    try HostileLibrary.build("FINE", at: library)
    _ = try program()
    // What the cache says is read before the folders are searched.
    let registry = ComponentRegistry()
    let plugIns = program(unscanned: registry)
    plugIns.register()
    #expect(registry.all().map(\.name) == ["Hostile: Through"])
    // Those in folders of other programs are not components of this one.
    let other = ComponentRegistry()
    let home = folder.path
    PlugIns(registry: other) {
      ["HOME": home, "AUDIOTOOLBOX_PLUGINS": "ladspa", "LADSPA_PATH": "/x"][$0]
    }
    .register()
    #expect(other.all().isEmpty)
  }

  @Test("that end their process are not opened again until they change")
  func blocked() throws {
    try HostileLibrary.build("HANGS", at: library)
    let list = try program().list
    #expect(list.map(\.isBlocked) == [true])
    let start = ContinuousClock.now
    #expect(try program().list == list)
    #expect(ContinuousClock.now - start < .seconds(2))
    try HostileLibrary.build("FINE", at: library)
    #expect(try program().list.map(\.name) == ["Hostile: Through"])
  }

  @Test("in a file that is replaced or permitted become components of the same program")
  func replaced() throws {
    try HostileLibrary.build("EMPTY", at: library)
    let registry = ComponentRegistry()
    let plugIns = try program(registry)
    #expect(registry.all().isEmpty)
    try HostileLibrary.build("FINE", at: library)
    try plugIns.scan(everything: false)
    #expect(registry.all().map(\.name) == ["Hostile: Through"])
    // It is registered once.
    try plugIns.scan(everything: true)
    #expect(plugIns.list.map(\.reason) == [""])
    // What was blocked when the program started has no other reason left.
    try plugIns.setBlocked(true, library)
    let next = ComponentRegistry()
    let later = try program(next)
    try later.setBlocked(false, library)
    #expect(later.list.map(\.reason) == [""])
    _ = try #require(next.all().first).instantiate()
  }

  @Test("in a file that could not be read are found when it can be, though it is the same")
  func readAgain() throws {
    try HostileLibrary.build("FINE", at: library)
    _ = try program()
    let cache = try #require(ScanCache(environment: folder.environment))
    var files = cache.read()
    (files[0].plugIns, files[0].reason) = ([], "a library is missing")
    try cache.write(files)
    #expect(try program().list.map(\.name) == ["Hostile: Through"])
    // What fails in the same way again does not change the cache.
    try folder.write("not a library", to: ".ladspa/it.so")
    let list = try program().list
    #expect(list.map(\.identifier) == [library])
    let stamp = FileStamp(cache.path)
    #expect(try program().list == list)
    #expect(FileStamp(cache.path) == stamp)
  }

  @Test("that are gone are forgotten")
  func gone() throws {
    try HostileLibrary.build("FINE", at: library)
    _ = try program()
    try FileManager.default.removeItem(atPath: library)
    #expect(try program().list.isEmpty)
    #expect(try #require(ScanCache(environment: folder.environment)).read().isEmpty)
  }

  @Test("may be written by several threads: the cache is whole, and nothing else is left")
  func writers() throws {
    let cache = try #require(ScanCache(environment: folder.environment))
    let file = ScannedFile(
      format: .LADSPA, path: library, stamp: FileStamp(), reason: "", isBlocked: false)
    let failures = Atomic(0)
    DispatchQueue.concurrentPerform(iterations: 200) { _ in
      if (try? cache.write([file])) == nil { failures.wrappingAdd(1, ordering: .relaxed) }
    }
    #expect(failures.load(ordering: .relaxed) == 0)
    #expect(cache.read().map(\.path) == [library])
    let names = try FileManager.default.contentsOfDirectory(
      atPath: "\(folder.path)/.cache/audiotoolbox")
    #expect(names == ["plug-ins"])
  }

  @Test("can be blocked by their user: they remain components without instances")
  func byUser() throws {
    try HostileLibrary.build("FINE", at: library)
    let registry = ComponentRegistry()
    let plugIns = try program(registry)
    try plugIns.setBlocked(true, "it:through")
    let next = ComponentRegistry()
    for (plugIns, registry) in [(plugIns, registry), (try program(next), next)] {
      #expect(plugIns.list.map(\.isBlocked) == [true])
      let component = try #require(registry.all().first)
      let error = #expect(throws: AudioError.self) { try component.instantiate() }
      #expect(error?.status == kAudioComponentErr_NotPermitted)
      #expect(error?.explanation.contains("blocked") == true)
    }
    try plugIns.setBlocked(false, library)
    #expect(plugIns.list.map(\.reason) == [""])
    #expect(throws: AudioError.self) { try plugIns.setBlocked(true, "unknown") }
  }

  @Test("that ended the program that opened them are blocked in the next one")
  func mark() throws {
    try HostileLibrary.build("FINE", at: library)
    _ = try program()
    // A process that has ended.
    let ended = Process()
    ended.executableURL = URL(fileURLWithPath: "/bin/true")
    try ended.run()
    ended.waitUntilExit()
    try folder.write(
      library, to: ".cache/audiotoolbox/plug-ins.opening/\(ended.processIdentifier)-1")
    let registry = ComponentRegistry()
    let plugIns = program(unscanned: registry)
    plugIns.register()
    let component = try #require(registry.all().first)
    #expect(throws: AudioError.self) { try component.instantiate() }
    #expect(try program().list.map(\.isBlocked) == [true])
    #expect(try FileManager.default.contentsOfDirectory(atPath: marks).isEmpty)
    try plugIns.setBlocked(false, library)
    #expect(try program().list.map(\.isBlocked) == [false])
  }

  @Test("in two folders: the first folder has precedence, with the cache and without")
  func precedence() throws {
    try HostileLibrary.build("FINE", at: library)
    try HostileLibrary.build("FINE", at: "\(folder.path)/other/it.so")
    let home = folder.path
    for (first, second) in [(".ladspa", "other"), ("other", ".ladspa"), (".ladspa", "other")] {
      let registry = ComponentRegistry()
      let plugIns = PlugIns(registry: registry) {
        [
          "HOME": home, "AUDIOTOOLBOX_PLUGINS": "ladspa",
          "LADSPA_PATH": "\(home)/\(first):\(home)/\(second)",
        ][$0]
      }
      try plugIns.scan(everything: false)
      #expect(registry.all().count == 1)
      let used = plugIns.list.filter { $0.reason.isEmpty }.map(\.path)
      #expect(used == ["\(home)/\(first)/it.so"])
    }
  }
}
