// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioToolbox
import AudioUnitCore
import Foundation
import Testing

@testable import PlugInDiscovery

@Suite("Plug-ins of a program")
struct PlugInsTests {
  private let codes = AudioComponentDescription(
    componentType: kAudioUnitType_Effect, componentSubType: 0x7473_7431,
    componentManufacturer: 0x5465_7374, componentFlags: 0, componentFlagsMask: 0)

  init() { _ = AudioComponentCount([AudioComponentDescription()]) }

  private func install(in folder: TestFolder, _ name: String, _ list: String) throws {
    let contents = ".local/lib/audio-units/\(name).component/Contents"
    try folder.write(list, to: "\(contents)/Info.plist")
    try folder.write("", to: "\(contents)/\(ComponentFolder.platform)/gain.so")
  }

  @Test("are of formats that the user names before those of the program")
  func formats() throws {
    let none = PlugIns(registry: ComponentRegistry()) { _ in nil }
    #expect(none.enabled == .audioUnit)
    try none.enable([.LV2, .CLAP])
    #expect(none.enabled == [.audioUnit, .LV2, .CLAP])
    #expect(throws: AudioError.self) { try none.enable(AUPlugInFormats(rawValue: 1 << 9)) }
    #expect(PlugIns.formats(named: "LV2, clap") == [.audioUnit, .LV2, .CLAP])
    #expect(PlugIns.formats(named: "all") == [.audioUnit, .LV2, .LADSPA, .CLAP])
    #expect(PlugIns.formats(named: "none,lv2") == [])
    #expect(PlugIns.formats(named: "what") == .audioUnit)
    let user = PlugIns(registry: ComponentRegistry()) { _ in "ladspa" }
    try user.enable(.LV2)
    #expect(user.enabled == [.audioUnit, .LADSPA])
    #expect(PlugIns.text(of: user.enabled) == "au,ladspa")
    #expect(PlugIns.formats(named: PlugIns.text(of: [])) == [])
  }

  @Test("are found by a search that the registered components do not settle")
  func search() throws {
    let folder = try TestFolder()
    try install(in: folder, "Gain", ComponentText.list())
    let registry = ComponentRegistry()
    let plugIns = PlugIns(registry: registry, environment: folder.environment)
    let searches = Guarded(0)
    registry.findMore = {
      searches.withLock { $0 += 1 }
      plugIns.register()
    }
    var own = codes
    own.componentSubType = 0x6F77_6E20
    try registry.register(
      Component(own, name: "Own: Unit", version: 1) { _, _ throws(AudioError) in
        throw .unimplemented
      })
    #expect(registry.next(after: nil, matching: own) != nil)
    #expect(searches.withLock { $0 } == 0)
    let found = try #require(registry.next(after: nil, matching: codes))
    #expect(found.name == "Test: Gain")
    #expect(registry.next(after: found, matching: codes) == nil)
    #expect(searches.withLock { $0 } == 1)
    var effects = AudioComponentDescription()
    effects.componentType = kAudioUnitType_Effect
    #expect(registry.all(matching: effects).map(\.name) == ["Own: Unit", "Test: Gain"])
  }

  @Test("never replace a component, whatever their version; the first of two remains")
  func precedence() throws {
    let folder = try TestFolder()
    try install(in: folder, "A", ComponentText.list())
    try install(
      in: folder, "B", ComponentText.list(["version": "<integer>99999999</integer>"]))
    let registry = ComponentRegistry()
    let plugIns = PlugIns(registry: registry, environment: folder.environment)
    let list = plugIns.list
    #expect(list.map(\.version) == [65537, 99_999_999])
    #expect(list[0].reason == "")
    #expect(list[1].reason.contains("already registered"))
    #expect(registry.all().map(\.version) == [65537])
    // Asking again finds nothing twice.
    #expect(plugIns.list == list)
  }

  @Test("of an audio unit whose library cannot be loaded say why")
  func unloadable() throws {
    let folder = try TestFolder()
    try install(in: folder, "Gain", ComponentText.list())
    let registry = ComponentRegistry()
    PlugIns(registry: registry, environment: folder.environment).register()
    let component = try #require(registry.next(after: nil, matching: codes))
    let error = #expect(throws: AudioError.self) { try component.instantiate() }
    #expect(error?.status == kAudioUnitErr_InvalidFile)
    #expect(error?.explanation.isEmpty == false)
  }
}
