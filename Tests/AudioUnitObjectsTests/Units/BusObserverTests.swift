// SPDX-License-Identifier: Apache-2.0
import AVFoundation
import AudioTestSupport
import Foundation
import Testing

@Suite("Observers of all buses")
struct BusObserverTests {
  private final class Observer: NSObject, NSKeyValueObserving {
    var texts: [String] = []

    func observeValue(
      forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
      context: UnsafeMutableRawPointer?
    ) {
      let bus = object as? AUAudioUnitBus
      #expect(change?[.kindKey] as? UInt == NSKeyValueChange.setting.rawValue)
      let isPrior = change?[.notificationIsPriorKey] as? Bool == true
      texts.append(
        "\(keyPath ?? "-")\(bus?.index ?? -1) \(text(change?[.oldKey])) > \(text(change?[.newKey]))"
          + (isPrior ? " prior" : "") + (context == nil ? "" : " context"))
    }

    private func text(_ value: Any?) -> String {
      switch value {
      case nil: "-"
      case let format as AVAudioFormat: "\(format.channelCount)"
      case is NSNull: "nil"
      case let value?: "\(value)"
      }
    }
  }

  private func format(_ channels: UInt32) throws -> AVAudioFormat {
    try #require(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: channels))
  }

  @Test("get the values that they want, until they are removed")
  func own() async throws {
    let unit: GainUnit = try await AUAudioUnit.registered("buo1")
    let (observer, buses) = (Observer(), unit.outputBusses)
    let context = UnsafeMutableRawPointer(bitPattern: 16)
    buses.addObserver(
      toAllBusses: observer, forKeyPath: "format", options: [.old, .new, .initial], context: nil)
    buses.addObserver(
      toAllBusses: observer, forKeyPath: "isEnabled", options: [.old, .prior], context: context)
    buses.addObserver(toAllBusses: observer, forKeyPath: "name", options: .new, context: nil)
    try buses[0].setFormat(format(1))
    try buses[0].setFormat(format(1))
    buses[0].isEnabled = false
    buses[0].name = "Main"
    buses[0].name = nil
    #expect(
      observer.texts == [
        "format0 - > 2", "format0 2 > 1", "isEnabled0 true > - prior context",
        "isEnabled0 true > - context", "name0 - > Main", "name0 - > nil",
      ])
    observer.texts = []
    buses.removeObserver(fromAllBusses: observer, forKeyPath: "format", context: nil)
    buses.removeObserver(fromAllBusses: observer, forKeyPath: "isEnabled", context: context)
    try buses[0].setFormat(format(2))
    buses[0].isEnabled = true
    #expect(observer.texts.isEmpty)
  }

  @Test("get each property that can change, and that of buses which come later")
  func all() async throws {
    let unit: GainUnit = try await AUAudioUnit.registered("buo2")
    let (observer, buses) = (Observer(), unit.outputBusses)
    let keys = [
      "shouldAllocateBuffer", "supportedChannelCounts", "maximumChannelCount",
      "contextPresentationLatency",
    ]
    for key in keys {
      buses.addObserver(toAllBusses: observer, forKeyPath: key, options: [], context: nil)
    }
    let old = buses[0]
    buses.replaceBusses([
      try AUAudioUnitBus(format: format(2)), try AUAudioUnitBus(format: format(2)),
    ])
    let bus = buses[1]
    bus.shouldAllocateBuffer = false
    bus.supportedChannelCounts = [1]
    bus.maximumChannelCount = 4
    bus.contextPresentationLatency = 0.5
    #expect(observer.texts == keys.map { "\($0)1 - > -" })
    // It belongs to the array no more.
    old.maximumChannelCount = 3
    #expect(observer.texts.count == 4)
  }

  @Test("of a C unit are called once for each change, whoever makes it")
  func bridged() throws {
    let unit = try AUAudioUnitV2Bridge(
      componentDescription: .apple(kAudioUnitSubType_LowPassFilter))
    let observer = Observer()
    unit.inputBusses.addObserver(
      toAllBusses: observer, forKeyPath: "format", options: [.old, .new], context: nil)
    unit.inputBusses.addObserver(
      toAllBusses: observer, forKeyPath: "name", options: .new, context: nil)
    try unit.inputBusses[0].setFormat(format(1))
    var fields = try format(2).streamDescription.pointee
    for scope in [kAudioUnitScope_Output, kAudioUnitScope_Input] {
      try check(
        AudioUnitSetProperty(
          unit.audioUnit, kAudioUnitProperty_StreamFormat, scope, 0, &fields,
          UInt32(MemoryLayout.size(ofValue: fields))))
    }
    unit.inputBusses[0].name = "Side"
    #expect(observer.texts == ["format0 2 > 1", "format0 1 > 2", "name0 - > Side"])
  }

  @Test("that do not exist any more are not called")
  func lifetime() async throws {
    let unit: GainUnit = try await AUAudioUnit.registered("buo3")
    weak var gone: Observer?
    do {
      let observer = Observer()
      gone = observer
      unit.outputBusses.addObserver(
        toAllBusses: observer, forKeyPath: "format", options: .new, context: nil)
    }
    #expect(gone == nil)
    try unit.outputBusses[0].setFormat(format(1))
  }

  @Test("of another property, and those that are none, end the program with a sentence")
  func refused() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let unit = try AUAudioUnit(componentDescription: .apple(kAudioUnitSubType_Delay))
      unit.inputBusses.addObserver(
        toAllBusses: Observer(), forKeyPath: "colour", options: [], context: nil)
    }
    let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(text.contains("buses have no property \"colour\""))
    await #expect(processExitsWith: .failure) {
      let unit = try AUAudioUnit(componentDescription: .apple(kAudioUnitSubType_Delay))
      unit.inputBusses.addObserver(
        toAllBusses: NSObject(), forKeyPath: "format", options: [], context: nil)
    }
    await #expect(processExitsWith: .failure) {
      let unit = try AUAudioUnit(componentDescription: .apple(kAudioUnitSubType_Delay))
      unit.inputBusses.removeObserver(
        fromAllBusses: Observer(), forKeyPath: "format", context: nil)
    }
  }

  /// As the main object of an extension.
  private final class Factory: NSObject, AUAudioUnitFactory {
    func createAudioUnit(with desc: AudioComponentDescription) throws -> AUAudioUnit {
      try GainUnit(componentDescription: desc, options: [])
    }
  }

  @Test("a factory makes the unit of a registered component")
  func factory() async throws {
    let unit: GainUnit = try await AUAudioUnit.registered("buo4")
    let made = try Factory().createAudioUnit(with: unit.componentDescription)
    #expect(made is GainUnit && made !== unit)
    #expect(made.componentName == unit.componentName)
  }
}
