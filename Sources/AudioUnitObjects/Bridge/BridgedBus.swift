// SPDX-License-Identifier: Apache-2.0
import AudioToolboxFunctions
import AudioValues
import CoreAudio
import Foundation

/// A bus of a C unit.
final class BridgedBus {
  private let unit: CUnit
  private let scope: AudioUnitScope
  private let element: AudioUnitElement

  init(_ unit: CUnit, _ scope: AudioUnitScope, _ element: AudioUnitElement) {
    self.unit = unit
    self.scope = scope
    self.element = element
  }

  /// The format; nil if the unit has none.
  var format: AVAudioFormat? { unit.format(scope, element) }

  func setFormat(_ format: AVAudioFormat) throws {
    try unit.set(
      kAudioUnitProperty_StreamFormat, scope, element, to: format.streamDescription.pointee)
  }

  /// The name; setting it on a unit that has no names does nothing.
  var name: String? {
    get { (unit.object(kAudioUnitProperty_ElementName, scope, element) as? NSString)?.description }
    set {
      if let newValue {
        try? unit.set(
          kAudioUnitProperty_ElementName, scope, element, toObject: newValue as NSString)
      } else {
        try? unit.remove(kAudioUnitProperty_ElementName, scope, element)
      }
    }
  }

  /// The tags of `kAudioUnitProperty_SupportedChannelLayoutTags`.
  var layoutTags: [NSNumber]? {
    unit.values(kAudioUnitProperty_SupportedChannelLayoutTags, scope, element, filler: 0 as UInt32)?
      .map { NSNumber(value: $0) }
  }

  /// Whether the unit provides the memory of the bus. A unit that is initialized keeps its setting.
  var shouldAllocateBuffer: Bool {
    get { unit.flag(kAudioUnitProperty_ShouldAllocateBuffer, scope, element) ?? true }
    set { try? unit.set(kAudioUnitProperty_ShouldAllocateBuffer, scope, element, toFlag: newValue) }
  }
}
