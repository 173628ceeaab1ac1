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

  /// The numbers of channels of the buses, and the `channelCapabilities` of the unit.
  init(inputs: [Int], outputs: [Int], _ capabilities: [NSNumber]?) {
    self.inputs = inputs
    self.outputs = outputs
    self.capabilities = Self.pairs(capabilities)
  }

  /// Throws `kAudioUnitErr_FormatNotSupported` if the unit cannot have these numbers of channels.
  func check() throws {
    do throws(AudioError) { try ChannelRules.check(inputs, outputs, capabilities) } catch {
      throw NSError(error)
    }
  }

  /// `channelCapabilities`, as C hosts know them.
  static func pairs(_ capabilities: [NSNumber]?) -> [AUChannelInfo]? {
    guard let numbers = capabilities?.map({ Int16(clamping: $0.intValue) }) else { return nil }
    return stride(from: 0, to: numbers.count - 1, by: 2).map {
      AUChannelInfo(inChannels: numbers[$0], outChannels: numbers[$0 + 1])
    }
  }
}
