// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioUnitCore
import CoreAudio
import Foundation

/// Checks the channels of a unit's buses before render resources are allocated.
struct ChannelCheck {
  private let inputs: [Int]
  private let outputs: [Int]
  private let capabilities: [AUChannelInfo]?

  init(_ unit: AUAudioUnit) {
    inputs = unit.inputBusses.filter(\.isEnabled).map { Int($0.format.channelCount) }
    outputs = unit.outputBusses.filter(\.isEnabled).map { Int($0.format.channelCount) }
    capabilities = unit.channelInfo
  }

  /// Throws `kAudioUnitErr_FormatNotSupported` if the unit cannot have these numbers of channels.
  func check() throws {
    do throws(AudioError) { try ChannelRules.check(inputs, outputs, capabilities) } catch {
      throw NSError(error)
    }
  }
}

extension AUAudioUnit {
  /// `channelCapabilities`, as C hosts know them.
  final var channelInfo: [AUChannelInfo]? {
    guard let numbers = channelCapabilities?.map({ Int16(clamping: $0.intValue) }) else {
      return nil
    }
    return stride(from: 0, to: numbers.count - 1, by: 2).map {
      AUChannelInfo(inChannels: numbers[$0], outChannels: numbers[$0 + 1])
    }
  }
}
