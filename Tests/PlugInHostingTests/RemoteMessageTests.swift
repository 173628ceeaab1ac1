// SPDX-License-Identifier: Apache-2.0

import AudioSupport
import Testing

@testable import PlugInHosting

@Suite("Messages between a program and the process of a plug-in")
struct RemoteMessageTests {
  private let empty = PlugInDescription(.lv2, "", path: "", name: "", maker: "")

  /// A description in which every member has a value of its own.
  private var full: PlugInDescription {
    var plugIn = PlugInDescription(.clap, "id", path: "/a/ü", name: "Name", maker: "Maker")
    plugIn.version = 77
    plugIn.kind = .instrument
    plugIn.inputs = [PlugInBus("In", [0, 1]), PlugInBus("Side", [5], .sideChain)]
    plugIn.outputs = [PlugInBus("Out", [2], .control)]
    (plugIn.acceptsMIDI, plugIn.sendsMIDI) = (true, true)
    var parameter = PlugInParameter(.max, port: 9, name: "Level")
    parameter.symbol = "level"
    (parameter.unit, parameter.unitName) = (26, "x")
    (parameter.minimum, parameter.maximum, parameter.defaultValue) = (-.infinity, 1e30, -0.0)
    (parameter.isInRates, parameter.defaultIsInRates) = (true, true)
    (parameter.acceptsBelow, parameter.acceptsAbove) = (true, true)
    (parameter.isInteger, parameter.isReadOnly, parameter.isLogarithmic) = (true, true, true)
    (parameter.isHidden, parameter.isNotForRenders, parameter.hasTexts) = (true, true, true)
    parameter.purpose = .trigger
    parameter.points = [.init(value: 0.5, name: "half")]
    parameter.group = "Group"
    plugIn.parameters = [parameter, PlugInParameter(1, port: 0, name: "")]
    plugIn.presets = [PlugInPreset("Loud", "urn:loud", [3: 1, 1: 2])]
    plugIn.eventPorts = [
      .init(port: 4, isInput: true, hasMIDI: false, hasPosition: true, bytes: 65_536)
    ]
    plugIn.latencyFrames = 12
    plugIn.features = ["a", "b"]
    plugIn.ownCodes = PlugInCodes(type: 1, subType: 2, manufacturer: 3)
    plugIn.refusals = ["no"]
    return plugIn
  }

  private func bytes(of plugIn: PlugInDescription) -> [UInt8] {
    RemoteMessage.writing {
      var plugIn = plugIn
      $0.pass(&plugIn)
    }.bytes
  }

  @Test("carry descriptions and set-ups unchanged")
  func round() {
    for plugIn in [full, empty] {
      var message = RemoteMessage(reading: bytes(of: plugIn))
      let read = message.read(empty) { $0.pass(&$1) }
      #expect(read == plugIn && !message.isDamaged)
    }
    var setup = InstanceSetup(
      sampleRate: 44_100.5, maximumFrames: 77, controls: [1, .infinity], state: [0, 255],
      isOffline: true, latencyFrames: 5)
    var message = RemoteMessage(reading: RemoteMessage.writing { $0.pass(&setup) }.bytes)
    let read = message.read(InstanceSetup(sampleRate: 0, maximumFrames: 0, controls: [])) {
      $0.pass(&$1)
    }
    #expect(read.sampleRate == 44_100.5 && read.maximumFrames == 77 && read.latencyFrames == 5)
    #expect(read.controls == [1, .infinity] && read.state == [0, 255] && read.isOffline)
  }

  @Test("that end early are damaged, wherever they end")
  func cut() {
    let whole = bytes(of: full)
    for count in 0..<whole.count {
      var message = RemoteMessage(reading: Array(whole[..<count]))
      _ = message.read(empty) { $0.pass(&$1) }
      #expect(message.isDamaged)
    }
  }

  @Test("with any bytes do no harm, and take no more memory than they have")
  func noise() {
    var state: UInt64 = 1
    for _ in 0..<2_000 {
      var changed = bytes(of: full)
      for _ in 0..<4 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        changed[Int(state >> 33) % changed.count] = UInt8(truncatingIfNeeded: state >> 20)
      }
      var message = RemoteMessage(reading: changed)
      let read = message.read(empty) { $0.pass(&$1) }
      #expect(read.parameters.count <= changed.count)
    }
    var huge = RemoteMessage(reading: [255, 255, 255, 255, 0, 0])
    #expect(huge.readFloats().isEmpty && huge.isDamaged)
  }
}
