// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import AudioToolbox
import AudioUnitObjects
import Foundation
import Testing

@Suite("Parameter tree of a C unit")
struct UnitParameterTests {
  private struct Change: Equatable, Sendable {
    var address: AUParameterAddress
    var value: AUValue
    var type = AUParameterAutomationEventType.value
  }

  private static func apple(_ type: OSType, _ subtype: OSType) throws -> HostedUnit {
    try HostedUnit(subtype, type: type)
  }

  private static func lowPass() throws -> HostedUnit {
    try apple(kAudioUnitType_Effect, kAudioUnitSubType_LowPassFilter)
  }

  private static func tree(_ unit: HostedUnit) throws -> UnitParameterTree {
    try #require(UnitParameterTree(of: unit.handle))
  }

  private static func value(_ unit: HostedUnit, _ id: AudioUnitParameterID) -> AUValue {
    var value: AUValue = -1
    AudioUnitGetParameter(unit.handle, id, kAudioUnitScope_Global, 0, &value)
    return value
  }

  private static func ids(
    _ unit: HostedUnit, _ scope: AudioUnitScope, _ element: AudioUnitElement
  ) -> [AudioUnitParameterID] {
    var size: UInt32 = 0
    let status = AudioUnitGetPropertyInfo(
      unit.handle, kAudioUnitProperty_ParameterList, scope, element, &size, nil)
    var ids = [AudioUnitParameterID](repeating: 0, count: Int(size) / 4)
    guard status == noErr, size > 0,
      AudioUnitGetProperty(
        unit.handle, kAudioUnitProperty_ParameterList, scope, element, &ids, &size) == noErr
    else { return [] }
    return ids
  }

  /// Records what an automation observer of the tree gets.
  private func record(_ tree: AUParameterTree) -> (Received<Change>, AUParameterObserverToken) {
    let received = Received<Change>()
    let token = tree.token(byAddingParameterAutomationObserver: { count, events in
      for event in UnsafeBufferPointer(start: events, count: count) {
        received.add(Change(address: event.address, value: event.value, type: event.eventType))
      }
    })
    return (received, token)
  }

  @Test("has every parameter of every built-in unit, as C describes it")
  func everyUnit() throws {
    var component: AudioComponent?
    var any = AudioComponentDescription()  // without those that other tests register
    any.componentManufacturer = kAudioUnitManufacturer_Apple
    var unitCount = 0
    while let next = AudioComponentFindNext(component, &any) {
      component = next
      var description = AudioComponentDescription()
      AudioComponentGetDescription(next, &description)
      let unit = try HostedUnit(
        description.componentSubType, type: description.componentType,
        manufacturer: description.componentManufacturer)
      let tree = try Self.tree(unit)
      unitCount += 1
      let ids = Self.ids(unit, kAudioUnitScope_Global, 0)
      for id in ids {
        var info = AudioUnitParameterInfo()
        var size = UInt32(MemoryLayout<AudioUnitParameterInfo>.size)
        try check(
          AudioUnitGetProperty(
            unit.handle, kAudioUnitProperty_ParameterInfo, kAudioUnitScope_Global, id, &info, &size)
        )
        let name = info.cfNameString.map { "\($0.takeRetainedValue())" }
        var value: AUValue = 0
        guard AudioUnitGetParameter(unit.handle, id, kAudioUnitScope_Global, 0, &value) == noErr
        else { continue }
        let parameter = try #require(tree.parameter(withAddress: AUParameterAddress(id)))
        #expect(parameter.displayName == name)
        #expect(parameter.minValue == info.minValue && parameter.maxValue == info.maxValue)
        #expect(parameter.unit == info.unit)
        #expect(parameter.flags == info.flags.subtracting(.flag_CFNameRelease))
        #expect(parameter.value == value)
        #expect(
          tree.parameter(withID: id, scope: kAudioUnitScope_Global, element: 0) === parameter)
        #expect(tree.value(forKeyPath: parameter.keyPath) as? AUParameter === parameter)
      }
      #expect(
        Set(tree.allParameters.map(\.address)).count == tree.allParameters.count,
        "\(description.componentSubType)")
    }
    #expect(unitCount > 20)
  }

  @Test("has the parameters of each bus of a mixer")
  func buses() throws {
    let unit = try Self.apple(kAudioUnitType_Mixer, kAudioUnitSubType_MultiChannelMixer)
    var count: UInt32 = 3
    try check(unit.setting(kAudioUnitProperty_ElementCount, to: count, kAudioUnitScope_Input))
    let tree = try Self.tree(unit)
    for element in 0..<count {
      let volume = try #require(
        tree.parameter(
          withID: kMultiChannelMixerParam_Volume, scope: kAudioUnitScope_Input, element: element))
      #expect(volume.keyPath == "input.\(element).\(kMultiChannelMixerParam_Volume)")
      volume.value = AUValue(element) / 4
      var value: AUValue = -1
      try check(
        AudioUnitGetParameter(
          unit.handle, kMultiChannelMixerParam_Volume, kAudioUnitScope_Input, element, &value))
      #expect(value == AUValue(element) / 4)
    }
    count = 3
    #expect(
      tree.parameter(
        withID: kMultiChannelMixerParam_Volume, scope: kAudioUnitScope_Input, element: count)
        == nil)
    let output = tree.parameter(
      withID: kMultiChannelMixerParam_Volume, scope: kAudioUnitScope_Output, element: 0)
    #expect(output?.keyPath == "output.0.0")
  }

  @Test("has the channels and crosspoints of a matrix mixer")
  func matrix() throws {
    let unit = try Self.apple(kAudioUnitType_Mixer, kAudioUnitSubType_MatrixMixer)
    try unit.initialize()
    var sizes: [UInt32] = [0, 0]
    var size: UInt32 = 8
    try check(
      AudioUnitGetProperty(
        unit.handle, kAudioUnitProperty_MatrixDimensions, kAudioUnitScope_Global, 0, &sizes, &size))
    let tree = try Self.tree(unit)
    for input in 0..<sizes[0] {
      for output in 0..<sizes[1] {
        #expect(
          tree.parameter(withID: 0, scope: kAudioUnitScope_Global, element: input << 16 | output)
            != nil)
      }
    }
    let master = try #require(
      tree.parameter(withID: 0, scope: kAudioUnitScope_Global, element: .max))
    master.value = 0.5
    var value: AUValue = 0
    try check(AudioUnitGetParameter(unit.handle, 0, kAudioUnitScope_Global, .max, &value))
    #expect(value == 0.5)
  }

  @Test("shows clumps as groups, and the names of values")
  func clumps() throws {
    let equalizer = try Self.apple(kAudioUnitType_Effect, kAudioUnitSubType_NBandEQ)
    let tree = try Self.tree(equalizer)
    let clumps = tree.children.compactMap { $0 as? AUParameterGroup }
    for clump in clumps {
      #expect(clump.identifier.hasPrefix("clump"))
      #expect(!clump.displayName.isEmpty && !clump.allParameters.isEmpty)
    }
    let type = try #require(tree.parameter(withAddress: 2_000))
    let names = try #require(type.valueStrings)
    #expect(names.count == Int(type.maxValue - type.minValue) + 1)
    type.value = 1
    #expect(type.string(fromValue: nil) == names[1])
    #expect(type.value(from: names[2]) == 2)
    #expect(type.displayName(withLength: 3).count <= 3)
  }

  @Test("reads and sets the values of the unit")
  func values() throws {
    let unit = try Self.lowPass()
    let cutoff = try #require(try Self.tree(unit).parameter(withAddress: 0))
    cutoff.value = 1_000
    #expect(Self.value(unit, 0) == 1_000)
    try check(AudioUnitSetParameter(unit.handle, 0, kAudioUnitScope_Global, 0, 2_000, 0))
    #expect(cutoff.value == 2_000)
    cutoff.value = .nan
    #expect(Self.value(unit, 0) == 2_000)
    cutoff.value = 1e9
    #expect(Self.value(unit, 0) == cutoff.maxValue)
  }

  @Test("tells its observers what C programs change and report")
  func fromC() throws {
    let unit = try Self.lowPass()
    let tree = try Self.tree(unit)
    let (received, _) = record(tree)
    var parameter = AudioUnitParameter(
      mAudioUnit: unit.handle, mParameterID: 0, mScope: kAudioUnitScope_Global, mElement: 0)
    try check(AUParameterSet(nil, nil, &parameter, 3_000, 0))
    #expect(wait { received.all.count == 1 })
    try check(AudioUnitSetParameter(unit.handle, 1, kAudioUnitScope_Global, 0, 5, 0))
    parameter.mParameterID = kAUParameterListener_AnyParameter
    try check(AUParameterListenerNotify(nil, nil, &parameter))
    #expect(wait { received.all.count == 2 })
    var event = AudioUnitEvent()
    event.mEventType = .beginParameterChangeGesture
    parameter.mParameterID = 0
    event.mArgument.mParameter = parameter
    try check(AUEventListenerNotify(nil, nil, &event))
    event.mEventType = .endParameterChangeGesture
    try check(AUEventListenerNotify(nil, nil, &event))
    #expect(wait { received.all.count == 4 })
    #expect(
      received.all == [
        Change(address: 0, value: 3_000), Change(address: 1, value: 5),
        Change(address: 0, value: 3_000, type: .touch),
        Change(address: 0, value: 3_000, type: .release),
      ])
  }

  @Test("tells the listeners of C programs what it changes, and itself nothing twice")
  func toC() throws {
    let unit = try Self.lowPass()
    let tree = try Self.tree(unit)
    let heard = Received<Change>()
    let queue = DispatchQueue(label: "test")
    var listener: AUEventListenerRef?
    AUEventListenerCreateWithDispatchQueue(&listener, 0, 0, queue) { _, event, _, value in
      let type: AUParameterAutomationEventType =
        switch event.pointee.mEventType {
        case .beginParameterChangeGesture: .touch
        case .endParameterChangeGesture: .release
        default: .value
        }
      let id = event.pointee.mArgument.mParameter.mParameterID
      heard.add(
        Change(address: AUParameterAddress(id), value: type == .value ? value : 0, type: type))
    }
    let events = try #require(listener)
    defer { AUListenerDispose(events) }
    for type in [
      AudioUnitEventType.parameterValueChange, .beginParameterChangeGesture,
      .endParameterChangeGesture,
    ] {
      var event = AudioUnitEvent()
      event.mEventType = type
      event.mArgument.mParameter = AudioUnitParameter(
        mAudioUnit: unit.handle, mParameterID: 0, mScope: kAudioUnitScope_Global, mElement: 0)
      try check(AUEventListenerAddEventType(events, nil, &event))
    }
    let (received, token) = record(tree)
    let (other, _) = record(tree)
    let cutoff = try #require(tree.parameter(withAddress: 0))
    cutoff.setValue(500, originator: token, atHostTime: 1, eventType: .touch)
    cutoff.setValue(600, originator: token)
    cutoff.setValue(600, originator: token, atHostTime: 2, eventType: .release)
    cutoff.setValue(700, originator: nil)
    let expected = [
      Change(address: 0, value: 0, type: .touch), Change(address: 0, value: 500),
      Change(address: 0, value: 600), Change(address: 0, value: 0, type: .release),
      Change(address: 0, value: 700),
    ]
    #expect(wait { heard.all.count >= 5 && other.all.count >= 4 && received.all.count >= 1 })
    #expect(heard.all == expected)
    #expect(other.all.map(\.value) == [500, 600, 600, 700])
    #expect(other.all.map(\.type) == [.touch, .value, .release, .value])
    #expect(received.all == [Change(address: 0, value: 700)])
  }

  @Test("is seen by another tree of the unit")
  func twoTrees() throws {
    let unit = try Self.lowPass()
    let (first, second) = (try Self.tree(unit), try Self.tree(unit))
    let (received, _) = record(second)
    first.parameter(withAddress: 0)?.value = 1_234
    #expect(wait { !received.all.isEmpty })
    #expect(received.all == [Change(address: 0, value: 1_234)])
    #expect(second.parameter(withAddress: 0)?.value == 1_234)
  }

  @Test("may be used after the unit was disposed of, and before the tree's end")
  func disposed() throws {
    let unit = try Self.lowPass()
    let tree = try Self.tree(unit)
    let (_, token) = record(tree)
    let cutoff = try #require(tree.parameter(withAddress: 0))
    cutoff.value = 900
    try unit.dispose()
    #expect(cutoff.value == 900)
    cutoff.value = 100
    #expect(cutoff.value == 900)
    #expect(cutoff.string(fromValue: nil) == "900")
    tree.removeParameterObserver(token)
    #expect(UnitParameterTree(of: unit.handle) == nil)
  }

  @Test("follows the number of buses, and keeps the parameters that are still there")
  func otherBuses() throws {
    let unit = try Self.apple(kAudioUnitType_Mixer, kAudioUnitSubType_MultiChannelMixer)
    try check(unit.setting(kAudioUnitProperty_ElementCount, to: 2 as UInt32, kAudioUnitScope_Input))
    let tree = try Self.tree(unit)
    let (received, _) = record(tree)
    func volume(_ element: AudioUnitElement) -> AUParameter? {
      tree.parameter(withID: 0, scope: kAudioUnitScope_Input, element: element)
    }
    let first = try #require(volume(0))
    try check(unit.setting(kAudioUnitProperty_ElementCount, to: 4 as UInt32, kAudioUnitScope_Input))
    #expect(volume(3) == nil)
    #expect(tree.update())
    #expect(volume(0) === first && first.keyPath == "input.0.0")
    let last = try #require(volume(3))
    #expect(tree.value(forKeyPath: "input.3.0") as? AUParameter === last)
    last.value = 0.5
    #expect(wait { received.all == [Change(address: last.address, value: 0.5)] })
    try check(unit.setting(kAudioUnitProperty_ElementCount, to: 1 as UInt32, kAudioUnitScope_Input))
    #expect(tree.update())
    #expect(volume(3) == nil && volume(0) === first)
    // It belongs to a bus that is gone.
    last.value = 0.25
    #expect(last.value == 0.5)
  }

  @Test("has the ranges that the rate allows")
  func ranges() throws {
    let unit = try Self.lowPass()
    let tree = try Self.tree(unit)
    let cutoff = try #require(tree.parameter(withAddress: 0))
    var format = try unit.format(kAudioUnitScope_Output)
    #expect(cutoff.maxValue == Float(format.mSampleRate / 2))
    format.mSampleRate = 96_000
    try unit.setFormat(format, kAudioUnitScope_Input)
    try unit.setFormat(format, kAudioUnitScope_Output)
    #expect(tree.update())
    #expect(tree.parameter(withAddress: 0) === cutoff && cutoff.maxValue == 48_000)
    cutoff.value = 40_000
    #expect(Self.value(unit, 0) == 40_000)
  }

  @Test("is archived with its values, without the unit")
  func archive() throws {
    let unit = try Self.lowPass()
    let tree = try Self.tree(unit)
    tree.parameter(withAddress: 0)?.value = 1_234
    let data = try NSKeyedArchiver.archivedData(withRootObject: tree, requiringSecureCoding: true)
    try unit.dispose()
    let read = try NSKeyedUnarchiver.unarchivedObject(ofClass: AUParameterTree.self, from: data)
    #expect(read?.allParameters.map(\.address) == tree.allParameters.map(\.address))
    #expect(read?.parameter(withAddress: 0)?.value == 1_234)
  }

  @Test("does not set what can only be read")
  func meters() throws {
    let unit = try Self.apple(kAudioUnitType_Effect, kAudioUnitSubType_DynamicsProcessor)
    let tree = try Self.tree(unit)
    let meter = try #require(
      tree.allParameters.first { !$0.flags.contains(.flag_IsWritable) })
    let (received, _) = record(tree)
    let before = meter.value
    meter.value = meter.maxValue
    tree.parameter(withAddress: 0)?.value = -30
    #expect(wait { !received.all.isEmpty })
    #expect(meter.value == before)
    #expect(received.all.map(\.address) == [0])
  }

  @Test("keeps callbacks of the program before the unit")
  func callbacks() throws {
    let unit = try Self.lowPass()
    let tree = try Self.tree(unit)
    tree.implementorValueProvider = { _ in 77 }
    #expect(tree.parameter(withAddress: 0)?.value == 77)
  }

  @Test("ends with its last reference", arguments: [false, true])
  func lifetime(isObserved: Bool) throws {
    let unit = try Self.lowPass()
    weak var parameter: AUParameter?
    do {
      let tree = try Self.tree(unit)
      if isObserved { _ = record(tree) }
      parameter = tree.parameter(withAddress: 0)
      parameter?.value = 400
    }
    #expect(wait { parameter == nil })
  }
}
