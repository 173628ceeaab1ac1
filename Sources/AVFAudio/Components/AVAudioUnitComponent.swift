// SPDX-License-Identifier: Apache-2.0
import AudioSupport
public import AudioToolbox
import AudioUnitCore

/// The type name of units that play to a device or to the program.
public let AVAudioUnitTypeOutput = "Output"
/// The type name of instruments.
public let AVAudioUnitTypeMusicDevice = "Music Device"
/// The type name of effects that MIDI controls.
public let AVAudioUnitTypeMusicEffect = "Music Effect"
/// The type name of units that change the format, the speed or the pitch.
public let AVAudioUnitTypeFormatConverter = "Format Converter"
/// The type name of effects.
public let AVAudioUnitTypeEffect = "Effect"
/// The type name of mixers.
public let AVAudioUnitTypeMixer = "Mixer"
/// The type name of units that place one source.
public let AVAudioUnitTypePanner = "Panner"
/// The type name of sources that are not instruments.
public let AVAudioUnitTypeGenerator = "Generator"
/// The type name of effects that need all of their input first.
public let AVAudioUnitTypeOfflineEffect = "Offline Effect"
/// The type name of units that change MIDI.
public let AVAudioUnitTypeMIDIProcessor = "MIDI Processor"
/// The manufacturer name of the units that Apple's systems have too.
public let AVAudioUnitManufacturerNameApple = "Apple"

/// A kind of unit: its names, its version, and what it can do. [any thread]
///
/// Two objects for the same component are equal.
open class AVAudioUnitComponent: NSObject {
  private let component: AudioComponent
  private let codes: AudioComponentDescription
  private let names: ComponentNames
  private let number: Int
  private let traits: ComponentTraits

  /// The component with a handle; nil if no component has it.
  init?(_ component: AudioComponent) {
    var description = AudioComponentDescription()
    var version: UInt32 = 0
    var name: Unmanaged<CFString>?
    guard
      AudioComponentGetDescription(component, &description) == noErr,
      AudioComponentGetVersion(component, &version) == noErr,
      AudioComponentCopyName(component, &name) == noErr, let name = name?.takeRetainedValue()
    else { return nil }
    self.component = component
    codes = description
    names = ComponentNames("\(name)")
    number = Int(version)
    traits = Component.traits(of: component) ?? ComponentTraits()
  }

  /// The component in the functions of AudioComponent.h.
  open var audioComponent: AudioComponent { component }

  /// The type, subtype and manufacturer, and the flags.
  open var audioComponentDescription: AudioComponentDescription { codes }

  open override func isEqual(_ object: Any?) -> Bool {
    (object as? AVAudioUnitComponent)?.audioComponent == audioComponent
  }

  open override var hash: Int { audioComponent.hashValue }

  open override var description: String {
    "<AVAudioUnitComponent: \(manufacturerName): \(name), \(typeName), version \(versionString)>"
  }

  // MARK: Texts

  /// The name, without the manufacturer.
  open var name: String { names.name }

  /// The name of the manufacturer.
  open var manufacturerName: String { names.manufacturer }

  /// The version: the major part in the upper 16 bits, minor and patch in eight each.
  open var version: Int { number }

  /// The type in words, such as `AVAudioUnitTypeEffect`; for other types, their four characters.
  open var typeName: String {
    switch audioComponentDescription.componentType {
    case kAudioUnitType_Output: AVAudioUnitTypeOutput
    case kAudioUnitType_MusicDevice: AVAudioUnitTypeMusicDevice
    case kAudioUnitType_MusicEffect: AVAudioUnitTypeMusicEffect
    case kAudioUnitType_FormatConverter: AVAudioUnitTypeFormatConverter
    case kAudioUnitType_Effect: AVAudioUnitTypeEffect
    case kAudioUnitType_Mixer: AVAudioUnitTypeMixer
    case kAudioUnitType_Panner: AVAudioUnitTypePanner
    case kAudioUnitType_Generator: AVAudioUnitTypeGenerator
    case kAudioUnitType_OfflineEffect: AVAudioUnitTypeOfflineEffect
    case kAudioUnitType_MIDIProcessor: AVAudioUnitTypeMIDIProcessor
    case let other: "\(FourCharacterCode(other))"
    }
  }

  /// The same as `typeName`: it is not translated.
  open var localizedTypeName: String { typeName }

  /// The version as "major.minor.patch".
  open var versionString: String { "\(version >> 16).\(version >> 8 & 0xff).\(version & 0xff)" }

  // MARK: Abilities

  /// Whether its manufacturer declares it safe for a sandbox.
  open var isSandboxSafe: Bool {
    AudioComponentFlags(rawValue: audioComponentDescription.componentFlags).contains(.sandboxSafe)
  }

  /// Whether it receives MIDI: as it states, or if it is of a type that does.
  open var hasMIDIInput: Bool {
    traits.hasMIDIInput
      ?? [kAudioUnitType_MusicDevice, kAudioUnitType_MusicEffect, kAudioUnitType_MIDIProcessor]
      .contains(audioComponentDescription.componentType)
  }

  /// Whether it sends MIDI: as it states, or if it is of a type that does.
  open var hasMIDIOutput: Bool {
    traits.hasMIDIOutput
      ?? (audioComponentDescription.componentType == kAudioUnitType_MIDIProcessor)
  }

  /// False: units have no views on this system.
  open var hasCustomView: Bool { false }

  /// Whether it can have so many input channels and output channels. [control thread]
  ///
  /// It makes an instance to find out.
  @discardableResult
  open func supportsNumberInputChannels(
    _ numInputChannels: Int, outputChannels numOutputChannels: Int
  ) -> Bool {
    let call = "AVAudioUnitComponent.supportsNumberInputChannels(_:outputChannels:)"
    guard let unit = try? NodeUnit(audioComponentDescription, call) else { return false }
    return ChannelCapabilities(of: unit).allow(numInputChannels, numOutputChannels)
  }

  // MARK: Tags

  /// The tags that the program gives it, as long as the process runs. Setting them posts
  /// `AVAudioUnitComponentTagsDidChange`, with this object.
  open var userTagNames: [String] {
    get { ComponentTags.tags(of: audioComponent) }
    set {
      guard ComponentTags.set(newValue, of: audioComponent) else { return }
      NotificationCenter.default.post(name: .AVAudioUnitComponentTagsDidChange, object: self)
    }
  }

  /// All tags: those that a plug-in brings, then those of the program.
  open var allTagNames: [String] {
    traits.tags + userTagNames.filter { !traits.tags.contains($0) }
  }
}

extension NSNotification.Name {
  /// A component has other tags; the object is its `AVAudioUnitComponent`.
  public static let AVAudioUnitComponentTagsDidChange = NSNotification.Name(
    "AVAudioUnitComponentTagsDidChangeNotification")
}
