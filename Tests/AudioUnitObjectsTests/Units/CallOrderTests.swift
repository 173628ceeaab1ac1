// SPDX-License-Identifier: Apache-2.0
import AVFoundation
import AudioTestSupport
import Foundation
import Testing

/// What a host may do to a unit in any order.
private enum Act: CaseIterable {
  case allocate, deallocate, render, renderMany, monoInput, monoOutput, fewFrames
}

/// What a unit must be after some acts.
private struct Model {
  var isAllocated = false
  var inputs: UInt32 = 2
  var outputs: UInt32 = 2
  var maximum: AUAudioFrameCount = 512

  /// The status of an act.
  mutating func status(of act: Act) -> OSStatus {
    switch act {
    case .allocate:
      guard isAllocated || inputs == outputs else { return kAudioUnitErr_FormatNotSupported }
      isAllocated = true
    case .deallocate: isAllocated = false
    case .render, .renderMany:
      guard isAllocated else { return kAudioUnitErr_Uninitialized }
      if act == .renderMany, maximum < 65 { return kAudioUnitErr_TooManyFramesToProcess }
    case .monoInput:
      if isAllocated, inputs != 1 { return kAudioUnitErr_Initialized }
      inputs = 1
    case .monoOutput:
      if isAllocated, outputs != 1 { return kAudioUnitErr_Initialized }
      outputs = 1
    case .fewFrames: if !isAllocated { maximum = 64 }
    }
    return noErr
  }
}

@Suite("Calls of a host, in every order")
struct CallOrderTests {
  private static let length = 4

  /// Every sequence of acts.
  private static var sequences: [[Act]] {
    (0..<length).reduce([[]]) { all, _ in all.flatMap { start in Act.allCases.map { start + [$0] } }
    }
  }

  @Test(
    "have the results of the state, and a refused call changes nothing", arguments: [false, true])
  func results(isCUnit: Bool) async throws {
    let registered: GainUnit = try await AUAudioUnit.registered("ordr")
    let codes = isCUnit ? .apple(kAudioUnitSubType_LowPassFilter) : registered.componentDescription
    let mono = try #require(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 1))
    let stereo = try #require(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2))
    for acts in Self.sequences {
      let unit =
        isCUnit
        ? try AUAudioUnit(componentDescription: codes)
        : try GainUnit(componentDescription: codes, options: [])
      try unit.inputBusses[0].setFormat(stereo)
      try unit.outputBusses[0].setFormat(stereo)
      unit.maximumFramesToRender = 512
      var model = Model()
      for act in acts {
        let expected = model.status(of: act)
        let result = status {
          switch act {
          case .allocate: try unit.allocateRenderResources()
          case .deallocate: unit.deallocateRenderResources()
          case .render: _ = try unit.render(8, channels: Int(model.outputs))
          case .renderMany: _ = try unit.render(65, channels: Int(model.outputs))
          case .monoInput: try unit.inputBusses[0].setFormat(mono)
          case .monoOutput: try unit.outputBusses[0].setFormat(mono)
          case .fewFrames: unit.maximumFramesToRender = 64
          }
        }
        // A C unit has a code of its own for a format that is fixed.
        let isFixed = isCUnit && expected == kAudioUnitErr_Initialized && result != noErr
        guard isFixed || result == expected,
          unit.renderResourcesAllocated == model.isAllocated,
          unit.maximumFramesToRender == model.maximum,
          unit.inputBusses[0].format.channelCount == model.inputs,
          unit.outputBusses[0].format.channelCount == model.outputs
        else {
          Issue.record("\(acts): \(act) returned \(result), expected \(expected) and \(model)")
          break
        }
      }
    }
  }
}
